; Written by `python -m diablo.tools.loop_code` from transposition.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"count_indices"(ptr noalias %".1", ptr noalias %".2", i64 %".3", i64 %".4", i64 %".5")
{
.6:
  br label %".7"
.7:
  %".8" = phi  i64 [0, %".6"], [%".12", %".10"]
  %".9" = icmp slt i64 %".8", %".3"
  br i1 %".9", label %".10", label %".13"
.10:
  %".11" = getelementptr inbounds i32, ptr %".2", i64 %".8"
  store i32 0, ptr %".11"
  %".12" = add i64 %".8", 1
  br label %".7"
.13:
  br label %".14"
.14:
  %".15" = phi  i64 [%".4", %".13"], [%".25", %".17"]
  %".16" = icmp slt i64 %".15", %".5"
  br i1 %".16", label %".17", label %".26"
.17:
  %".18" = getelementptr inbounds i32, ptr %".1", i64 %".15"
  %".19" = load i32, ptr %".18"
  %".20" = zext i32 %".19" to i64
  %".21" = getelementptr inbounds i32, ptr %".2", i64 %".20"
  %".22" = load i32, ptr %".21"
  %".23" = add i32 %".22", 1
  %".24" = getelementptr inbounds i32, ptr %".2", i64 %".20"
  store i32 %".23", ptr %".24"
  %".25" = add i64 %".15", 1
  br label %".14"
.26:
  ret void
}
