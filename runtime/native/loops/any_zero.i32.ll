; Written by `python -m diablo.tools.loop_code` from value_checks.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"any_zero"(ptr noalias %"array", ptr noalias %"array.1", i64 %"number",
    i64 %"number.1")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".12", %".6"]
  %".4" = phi  i1 [0, %".1"], [%".11", %".6"]
  %".5" = icmp slt i64 %".3", %"number.1"
  br i1 %".5", label %".6", label %".13"
.6:
  %".7" = getelementptr inbounds i32, ptr %"array", i64 %".3"
  %".8" = load i32, ptr %".7"
  %".9" = shl i32 %".8", 1
  %".10" = icmp eq i32 %".9", 0
  %".11" = or i1 %".4", %".10"
  %".12" = add i64 %".3", 1
  br label %".2"
.13:
  %".14" = zext i1 %".4" to i64
  store i64 %".14", ptr %"array.1"
  ret void
}
