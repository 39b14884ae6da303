; Written by `python -m diablo.tools.loop_code` from row_sorting.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"count_keys"(ptr noalias %".1", ptr noalias %".2", i64 %".3", i64 %".4", i64 %".5")
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
  %".15" = phi  i64 [%".4", %".13"], [%".24", %".17"]
  %".16" = icmp slt i64 %".15", %".5"
  br i1 %".16", label %".17", label %".25"
.17:
  %".18" = getelementptr inbounds i64, ptr %".1", i64 %".15"
  %".19" = load i64, ptr %".18"
  %".20" = getelementptr inbounds i32, ptr %".2", i64 %".19"
  %".21" = load i32, ptr %".20"
  %".22" = add i32 %".21", 1
  %".23" = getelementptr inbounds i32, ptr %".2", i64 %".19"
  store i32 %".22", ptr %".23"
  %".24" = add i64 %".15", 1
  br label %".14"
.25:
  ret void
}
