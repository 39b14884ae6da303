; Written by `python -m diablo.tools.loop_code` from value_checks.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"any_zero"(ptr noalias %".1", ptr noalias %".2", i64 %".3", i64 %".4")
{
.5:
  br label %".6"
.6:
  %".7" = phi  i64 [%".3", %".5"], [%".16", %".10"]
  %".8" = phi  i1 [0, %".5"], [%".15", %".10"]
  %".9" = icmp slt i64 %".7", %".4"
  br i1 %".9", label %".10", label %".17"
.10:
  %".11" = getelementptr inbounds i32, ptr %".1", i64 %".7"
  %".12" = load i32, ptr %".11"
  %".13" = shl i32 %".12", 1
  %".14" = icmp eq i32 %".13", 0
  %".15" = or i1 %".8", %".14"
  %".16" = add i64 %".7", 1
  br label %".6"
.17:
  %".18" = zext i1 %".8" to i64
  %".19" = getelementptr inbounds i64, ptr %".2", i64 0
  store i64 %".18", ptr %".19"
  ret void
}
