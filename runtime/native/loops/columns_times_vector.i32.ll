; Written by `python -m diablo.tools.loop_code` from column_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"columns_times_vector"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", ptr noalias %"array.4", i64 %"number",
    i64 %"number.1", i64 %"number.2")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [0, %".1"], [%".7", %".5"]
  %".4" = icmp slt i64 %".3", %"number"
  br i1 %".4", label %".5", label %".8"
.5:
  %".6" = getelementptr inbounds double, ptr %"array.4", i64 %".3"
  store double              0x0, ptr %".6"
  %".7" = add i64 %".3", 1
  br label %".2"
.8:
  %".9" = getelementptr inbounds i32, ptr %"array", i64 %"number.1"
  %".10" = load i32, ptr %".9"
  %".11" = zext i32 %".10" to i64
  br label %".12"
.12:
  %".13" = phi  i64 [%"number.1", %".8"], [%".39", %".38"]
  %".14" = phi  i64 [%".11", %".8"], [%".20", %".38"]
  %".15" = icmp slt i64 %".13", %"number.2"
  br i1 %".15", label %".16", label %".40"
.16:
  %".17" = add i64 %".13", 1
  %".18" = getelementptr inbounds i32, ptr %"array", i64 %".17"
  %".19" = load i32, ptr %".18"
  %".20" = zext i32 %".19" to i64
  %".21" = getelementptr inbounds double, ptr %"array.3", i64 %".13"
  %".22" = load double, ptr %".21"
  br label %".23"
.23:
  %".24" = phi  i64 [%".14", %".16"], [%".37", %".26"]
  %".25" = icmp slt i64 %".24", %".20"
  br i1 %".25", label %".26", label %".38"
.26:
  %".27" = getelementptr inbounds i32, ptr %"array.1", i64 %".24"
  %".28" = load i32, ptr %".27"
  %".29" = zext i32 %".28" to i64
  %".30" = getelementptr inbounds double, ptr %"array.2", i64 %".24"
  %".31" = load double, ptr %".30"
  %".32" = fmul double %".31", %".22"
  %".33" = getelementptr inbounds double, ptr %"array.4", i64 %".29"
  %".34" = load double, ptr %".33"
  %".35" = fadd double %".34", %".32"
  %".36" = getelementptr inbounds double, ptr %"array.4", i64 %".29"
  store double %".35", ptr %".36"
  %".37" = add i64 %".24", 1
  br label %".23"
.38:
  %".39" = add i64 %".13", 1
  br label %".12"
.40:
  ret void
}
