; Written by `python -m diablo.tools.loop_code` from row_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"ordered_rows_times_vector"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", ptr noalias %"array.4", ptr noalias %"array.5",
    i64 %"number", i64 %"number.1")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".35", %".33"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".36"
.5:
  %".6" = and i64 %".3", -256
  %".7" = getelementptr inbounds i8, ptr %"array", i64 %".3"
  %".8" = load i8, ptr %".7"
  %".9" = zext i8 %".8" to i64
  %".10" = or i64 %".6", %".9"
  %".11" = getelementptr inbounds i32, ptr %"array.1", i64 %".10"
  %".12" = load i32, ptr %".11"
  %".13" = zext i32 %".12" to i64
  %".14" = add i64 %".10", 1
  %".15" = getelementptr inbounds i32, ptr %"array.1", i64 %".14"
  %".16" = load i32, ptr %".15"
  %".17" = zext i32 %".16" to i64
  br label %".18"
.18:
  %".19" = phi  i64 [%".13", %".5"], [%".32", %".22"]
  %".20" = phi  double [             0x0, %".5"], [%".31", %".22"]
  %".21" = icmp slt i64 %".19", %".17"
  br i1 %".21", label %".22", label %".33"
.22:
  %".23" = getelementptr inbounds i32, ptr %"array.2", i64 %".19"
  %".24" = load i32, ptr %".23"
  %".25" = zext i32 %".24" to i64
  %".26" = getelementptr inbounds double, ptr %"array.4", i64 %".25"
  %".27" = load double, ptr %".26"
  %".28" = getelementptr inbounds double, ptr %"array.3", i64 %".19"
  %".29" = load double, ptr %".28"
  %".30" = fmul double %".29", %".27"
  %".31" = fadd double %".20", %".30"
  %".32" = add i64 %".19", 1
  br label %".18"
.33:
  %".34" = getelementptr inbounds double, ptr %"array.5", i64 %".10"
  store double %".20", ptr %".34"
  %".35" = add i64 %".3", 1
  br label %".2"
.36:
  ret void
}
