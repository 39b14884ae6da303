; Written by `python -m diablo.tools.loop_code` from scans.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"fold"(ptr noalias %"array", ptr noalias %"array.1", i64 %"number", i64 %"number.1")
{
.1:
  %".2" = add i64 %"number", 1
  %".3" = getelementptr inbounds double, ptr %"array", i64 %"number"
  %".4" = load double, ptr %".3"
  br label %".5"
.5:
  %".6" = phi  i64 [%".2", %".1"], [%".13", %".9"]
  %".7" = phi  double [%".4", %".1"], [%".12", %".9"]
  %".8" = icmp slt i64 %".6", %"number.1"
  br i1 %".8", label %".9", label %".14"
.9:
  %".10" = getelementptr inbounds double, ptr %"array", i64 %".6"
  %".11" = load double, ptr %".10"
  %".12" = fadd contract reassoc double %".7", %".11"
  %".13" = add i64 %".6", 1
  br label %".5"
.14:
  store double %".7", ptr %"array.1"
  ret void
}
