; Written by `python -m diablo.tools.loop_code` from row_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"ordered_rows_times_vector"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", ptr noalias %".5", ptr noalias %".6", i64 %".7", i64 %".8")
{
.9:
  br label %".10"
.10:
  %".11" = phi  i64 [%".7", %".9"], [%".40", %".38"]
  %".12" = icmp slt i64 %".11", %".8"
  br i1 %".12", label %".13", label %".41"
.13:
  %".14" = and i64 %".11", -256
  %".15" = getelementptr inbounds i8, ptr %".1", i64 %".11"
  %".16" = load i8, ptr %".15"
  %".17" = zext i8 %".16" to i64
  %".18" = or i64 %".14", %".17"
  %".19" = getelementptr inbounds i64, ptr %".2", i64 %".18"
  %".20" = load i64, ptr %".19"
  %".21" = add i64 %".18", 1
  %".22" = getelementptr inbounds i64, ptr %".2", i64 %".21"
  %".23" = load i64, ptr %".22"
  br label %".24"
.24:
  %".25" = phi  i64 [%".20", %".13"], [%".37", %".28"]
  %".26" = phi  double [             0x0, %".13"], [%".36", %".28"]
  %".27" = icmp slt i64 %".25", %".23"
  br i1 %".27", label %".28", label %".38"
.28:
  %".29" = getelementptr inbounds i64, ptr %".3", i64 %".25"
  %".30" = load i64, ptr %".29"
  %".31" = getelementptr inbounds double, ptr %".5", i64 %".30"
  %".32" = load double, ptr %".31"
  %".33" = getelementptr inbounds double, ptr %".4", i64 %".25"
  %".34" = load double, ptr %".33"
  %".35" = fmul double %".34", %".32"
  %".36" = fadd double %".26", %".35"
  %".37" = add i64 %".25", 1
  br label %".24"
.38:
  %".39" = getelementptr inbounds double, ptr %".6", i64 %".18"
  store double %".26", ptr %".39"
  %".40" = add i64 %".11", 1
  br label %".10"
.41:
  ret void
}
