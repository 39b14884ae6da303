; Written by `python -m diablo.tools.loop_code` from row_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"rows_times_vector"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", ptr noalias %".4", ptr noalias %".5", i64 %".6", i64 %".7")
{
.9:
  %".20" = getelementptr inbounds i64, ptr %".1", i64 %".6"
  %".21" = load i64, ptr %".20"
  br label %".10"
.10:
  %".16" = phi  i64 [%".6", %".9"], [%".43", %".14"]
  %".17" = phi  i64 [%".21", %".9"], [%".27", %".14"]
  %".23" = icmp slt i64 %".16", %".7"
  br i1 %".23", label %".11", label %".15"
.11:
  %".25" = add i64 %".16", 1
  %".26" = getelementptr inbounds i64, ptr %".1", i64 %".25"
  %".27" = load i64, ptr %".26"
  br label %".12"
.12:
  %".18" = phi  i64 [%".17", %".11"], [%".39", %".13"]
  %".19" = phi  double [             0x0, %".11"], [%".38", %".13"]
  %".29" = icmp slt i64 %".18", %".27"
  br i1 %".29", label %".13", label %".14"
.13:
  %".31" = getelementptr inbounds i64, ptr %".2", i64 %".18"
  %".32" = load i64, ptr %".31"
  %".33" = getelementptr inbounds double, ptr %".4", i64 %".32"
  %".34" = load double, ptr %".33"
  %".35" = getelementptr inbounds double, ptr %".3", i64 %".18"
  %".36" = load double, ptr %".35"
  %".37" = fmul double %".36", %".34"
  %".38" = fadd double %".19", %".37"
  %".39" = add i64 %".18", 1
  br label %".12"
.14:
  %".41" = getelementptr inbounds double, ptr %".5", i64 %".16"
  store double %".19", ptr %".41"
  %".43" = add i64 %".16", 1
  br label %".10"
.15:
  ret void
}
