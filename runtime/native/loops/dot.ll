; Written by `python -m diablo.tools.loop_code` from dot.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"dot"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4", i64 %".5")
{
.6:
  br label %".7"
.7:
  %".8" = phi  i64 [%".4", %".6"], [%".18", %".11"]
  %".9" = phi  double [             0x0, %".6"], [%".17", %".11"]
  %".10" = icmp slt i64 %".8", %".5"
  br i1 %".10", label %".11", label %".19"
.11:
  %".12" = getelementptr inbounds double, ptr %".1", i64 %".8"
  %".13" = load double, ptr %".12"
  %".14" = getelementptr inbounds double, ptr %".2", i64 %".8"
  %".15" = load double, ptr %".14"
  %".16" = fmul contract reassoc double %".13", %".15"
  %".17" = fadd contract reassoc double %".9", %".16"
  %".18" = add i64 %".8", 1
  br label %".7"
.19:
  store double %".9", ptr %".3"
  ret void
}
