; Written by `python -m diablo.tools.loop_code` from bucket_sums.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"add_at_f64"(ptr noalias %".1", i64 %".2", ptr noalias %".3", ptr noalias %".4", i64 %".5")
{
.7:
  br label %".8"
.8:
  %".13" = phi  i64 [0, %".7"], [%".29", %".11"]
  %".15" = icmp slt i64 %".13", %".5"
  br i1 %".15", label %".9", label %".12"
.9:
  %".17" = getelementptr inbounds i64, ptr %".3", i64 %".13"
  %".18" = load i64, ptr %".17"
  %".19" = icmp ult i64 %".18", %".2"
  br i1 %".19", label %".10", label %".11"
.10:
  %".21" = getelementptr inbounds double, ptr %".4", i64 %".13"
  %".22" = load double, ptr %".21"
  %".23" = getelementptr inbounds double, ptr %".1", i64 %".18"
  %".24" = load double, ptr %".23"
  %".25" = fadd double %".24", %".22"
  %".26" = getelementptr inbounds double, ptr %".1", i64 %".18"
  store double %".25", ptr %".26"
  br label %".11"
.11:
  %".29" = add i64 %".13", 1
  br label %".8"
.12:
  ret void
}
