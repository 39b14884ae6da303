; Written by `python -m diablo.tools.loop_code` from row_sorting.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"place_by_keys"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4",
    i64 %".5")
{
.6:
  br label %".7"
.7:
  %".8" = phi  i64 [%".4", %".6"], [%".20", %".10"]
  %".9" = icmp slt i64 %".8", %".5"
  br i1 %".9", label %".10", label %".21"
.10:
  %".11" = getelementptr inbounds i64, ptr %".1", i64 %".8"
  %".12" = load i64, ptr %".11"
  %".13" = getelementptr inbounds i32, ptr %".2", i64 %".12"
  %".14" = load i32, ptr %".13"
  %".15" = add i32 %".14", 1
  %".16" = getelementptr inbounds i32, ptr %".2", i64 %".12"
  store i32 %".15", ptr %".16"
  %".17" = zext i32 %".14" to i64
  %".18" = trunc i64 %".8" to i32
  %".19" = getelementptr inbounds i32, ptr %".3", i64 %".17"
  store i32 %".18", ptr %".19"
  %".20" = add i64 %".8", 1
  br label %".7"
.21:
  ret void
}
