; Written by `python -m diablo.tools.loop_code` from dot.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"dot"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    i64 %"number", i64 %"number.1")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".13", %".6"]
  %".4" = phi  double [             0x0, %".1"], [%".12", %".6"]
  %".5" = icmp slt i64 %".3", %"number.1"
  br i1 %".5", label %".6", label %".14"
.6:
  %".7" = getelementptr inbounds double, ptr %"array", i64 %".3"
  %".8" = load double, ptr %".7"
  %".9" = getelementptr inbounds double, ptr %"array.1", i64 %".3"
  %".10" = load double, ptr %".9"
  %".11" = fmul contract reassoc double %".8", %".10"
  %".12" = fadd contract reassoc double %".4", %".11"
  %".13" = add i64 %".3", 1
  br label %".2"
.14:
  store double %".4", ptr %"array.2"
  ret void
}
