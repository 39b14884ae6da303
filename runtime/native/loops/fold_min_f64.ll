; Written by `python -m diablo.tools.loop_code` from scans.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"fold_min_f64"(ptr noalias %".1", ptr noalias %".2", i64 %".3", i64 %".4")
{
.6:
  br label %".7"
.7:
  %".10" = phi  i64 [%".3", %".6"], [%".18", %".8"]
  %".11" = phi  double [0x7ff0000000000000, %".6"], [%".17", %".8"]
  %".13" = icmp slt i64 %".10", %".4"
  br i1 %".13", label %".8", label %".9"
.8:
  %".15" = getelementptr inbounds double, ptr %".1", i64 %".10"
  %".16" = load double, ptr %".15"
  %".17" = call double @"llvm.minimum.f64"(double %".11", double %".16")
  %".18" = add i64 %".10", 1
  br label %".7"
.9:
  store double %".11", ptr %".2"
  ret void
}

declare double @"llvm.minimum.f64"(double %".1", double %".2")
