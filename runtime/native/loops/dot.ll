; Written by `python -m diablo.tools.loop_code` from dot.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"dot"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4", i64 %".5")
{
.7:
  br label %".8"
.8:
  %".11" = phi  i64 [%".4", %".7"], [%".22", %".9"]
  %".12" = phi  double [             0x0, %".7"], [%".21", %".9"]
  %".14" = icmp slt i64 %".11", %".5"
  br i1 %".14", label %".9", label %".10"
.9:
  %".16" = getelementptr inbounds double, ptr %".1", i64 %".11"
  %".17" = load double, ptr %".16"
  %".18" = getelementptr inbounds double, ptr %".2", i64 %".11"
  %".19" = load double, ptr %".18"
  %".20" = fmul contract reassoc double %".17", %".19"
  %".21" = fadd contract reassoc double %".12", %".20"
  %".22" = add i64 %".11", 1
  br label %".8"
.10:
  store double %".12", ptr %".3"
  ret void
}
