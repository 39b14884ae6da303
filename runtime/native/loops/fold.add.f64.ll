; Written by `python -m diablo.tools.loop_code` from scans.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"fold"(ptr noalias %".1", ptr noalias %".2", i64 %".3", i64 %".4")
{
.5:
  %".6" = add i64 %".3", 1
  %".7" = getelementptr inbounds double, ptr %".1", i64 %".3"
  %".8" = load double, ptr %".7"
  br label %".9"
.9:
  %".10" = phi  i64 [%".6", %".5"], [%".17", %".13"]
  %".11" = phi  double [%".8", %".5"], [%".16", %".13"]
  %".12" = icmp slt i64 %".10", %".4"
  br i1 %".12", label %".13", label %".18"
.13:
  %".14" = getelementptr inbounds double, ptr %".1", i64 %".10"
  %".15" = load double, ptr %".14"
  %".16" = fadd contract reassoc double %".11", %".15"
  %".17" = add i64 %".10", 1
  br label %".9"
.18:
  store double %".11", ptr %".2"
  ret void
}
