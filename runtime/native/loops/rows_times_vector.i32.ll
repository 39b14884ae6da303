; Written by `python -m diablo.tools.loop_code` from row_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"rows_times_vector"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", ptr noalias %".5", i64 %".6", i64 %".7")
{
.8:
  %".9" = getelementptr inbounds i32, ptr %".1", i64 %".6"
  %".10" = load i32, ptr %".9"
  %".11" = zext i32 %".10" to i64
  br label %".12"
.12:
  %".13" = phi  i64 [%".6", %".8"], [%".38", %".36"]
  %".14" = phi  i64 [%".11", %".8"], [%".20", %".36"]
  %".15" = icmp slt i64 %".13", %".7"
  br i1 %".15", label %".16", label %".39"
.16:
  %".17" = add i64 %".13", 1
  %".18" = getelementptr inbounds i32, ptr %".1", i64 %".17"
  %".19" = load i32, ptr %".18"
  %".20" = zext i32 %".19" to i64
  br label %".21"
.21:
  %".22" = phi  i64 [%".14", %".16"], [%".35", %".25"]
  %".23" = phi  double [             0x0, %".16"], [%".34", %".25"]
  %".24" = icmp slt i64 %".22", %".20"
  br i1 %".24", label %".25", label %".36"
.25:
  %".26" = getelementptr inbounds i32, ptr %".2", i64 %".22"
  %".27" = load i32, ptr %".26"
  %".28" = zext i32 %".27" to i64
  %".29" = getelementptr inbounds double, ptr %".4", i64 %".28"
  %".30" = load double, ptr %".29"
  %".31" = getelementptr inbounds double, ptr %".3", i64 %".22"
  %".32" = load double, ptr %".31"
  %".33" = fmul double %".32", %".30"
  %".34" = fadd double %".23", %".33"
  %".35" = add i64 %".22", 1
  br label %".21"
.36:
  %".37" = getelementptr inbounds double, ptr %".5", i64 %".13"
  store double %".23", ptr %".37"
  %".38" = add i64 %".13", 1
  br label %".12"
.39:
  ret void
}
