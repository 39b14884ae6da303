; Written by `python -m diablo.tools.loop_code` from row_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"rows_times_vector"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", ptr noalias %".5", i64 %".6", i64 %".7")
{
.8:
  %".9" = getelementptr inbounds i64, ptr %".1", i64 %".6"
  %".10" = load i64, ptr %".9"
  br label %".11"
.11:
  %".12" = phi  i64 [%".6", %".8"], [%".35", %".33"]
  %".13" = phi  i64 [%".10", %".8"], [%".18", %".33"]
  %".14" = icmp slt i64 %".12", %".7"
  br i1 %".14", label %".15", label %".36"
.15:
  %".16" = add i64 %".12", 1
  %".17" = getelementptr inbounds i64, ptr %".1", i64 %".16"
  %".18" = load i64, ptr %".17"
  br label %".19"
.19:
  %".20" = phi  i64 [%".13", %".15"], [%".32", %".23"]
  %".21" = phi  double [             0x0, %".15"], [%".31", %".23"]
  %".22" = icmp slt i64 %".20", %".18"
  br i1 %".22", label %".23", label %".33"
.23:
  %".24" = getelementptr inbounds i64, ptr %".2", i64 %".20"
  %".25" = load i64, ptr %".24"
  %".26" = getelementptr inbounds double, ptr %".4", i64 %".25"
  %".27" = load double, ptr %".26"
  %".28" = getelementptr inbounds double, ptr %".3", i64 %".20"
  %".29" = load double, ptr %".28"
  %".30" = fmul double %".29", %".27"
  %".31" = fadd double %".21", %".30"
  %".32" = add i64 %".20", 1
  br label %".19"
.33:
  %".34" = getelementptr inbounds double, ptr %".5", i64 %".12"
  store double %".21", ptr %".34"
  %".35" = add i64 %".12", 1
  br label %".11"
.36:
  ret void
}
