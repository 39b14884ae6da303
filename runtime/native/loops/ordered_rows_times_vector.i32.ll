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
  %".11" = phi  i64 [%".7", %".9"], [%".43", %".41"]
  %".12" = icmp slt i64 %".11", %".8"
  br i1 %".12", label %".13", label %".44"
.13:
  %".14" = and i64 %".11", -256
  %".15" = getelementptr inbounds i8, ptr %".1", i64 %".11"
  %".16" = load i8, ptr %".15"
  %".17" = zext i8 %".16" to i64
  %".18" = or i64 %".14", %".17"
  %".19" = getelementptr inbounds i32, ptr %".2", i64 %".18"
  %".20" = load i32, ptr %".19"
  %".21" = zext i32 %".20" to i64
  %".22" = add i64 %".18", 1
  %".23" = getelementptr inbounds i32, ptr %".2", i64 %".22"
  %".24" = load i32, ptr %".23"
  %".25" = zext i32 %".24" to i64
  br label %".26"
.26:
  %".27" = phi  i64 [%".21", %".13"], [%".40", %".30"]
  %".28" = phi  double [             0x0, %".13"], [%".39", %".30"]
  %".29" = icmp slt i64 %".27", %".25"
  br i1 %".29", label %".30", label %".41"
.30:
  %".31" = getelementptr inbounds i32, ptr %".3", i64 %".27"
  %".32" = load i32, ptr %".31"
  %".33" = zext i32 %".32" to i64
  %".34" = getelementptr inbounds double, ptr %".5", i64 %".33"
  %".35" = load double, ptr %".34"
  %".36" = getelementptr inbounds double, ptr %".4", i64 %".27"
  %".37" = load double, ptr %".36"
  %".38" = fmul double %".37", %".35"
  %".39" = fadd double %".28", %".38"
  %".40" = add i64 %".27", 1
  br label %".26"
.41:
  %".42" = getelementptr inbounds double, ptr %".6", i64 %".18"
  store double %".28", ptr %".42"
  %".43" = add i64 %".11", 1
  br label %".10"
.44:
  ret void
}
