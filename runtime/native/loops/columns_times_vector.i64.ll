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
  %".9" = getelementptr inbounds i64, ptr %"array", i64 %"number.1"
  %".10" = load i64, ptr %".9"
  br label %".11"
.11:
  %".12" = phi  i64 [%"number.1", %".8"], [%".36", %".35"]
  %".13" = phi  i64 [%".10", %".8"], [%".18", %".35"]
  %".14" = icmp slt i64 %".12", %"number.2"
  br i1 %".14", label %".15", label %".37"
.15:
  %".16" = add i64 %".12", 1
  %".17" = getelementptr inbounds i64, ptr %"array", i64 %".16"
  %".18" = load i64, ptr %".17"
  %".19" = getelementptr inbounds double, ptr %"array.3", i64 %".12"
  %".20" = load double, ptr %".19"
  br label %".21"
.21:
  %".22" = phi  i64 [%".13", %".15"], [%".34", %".24"]
  %".23" = icmp slt i64 %".22", %".18"
  br i1 %".23", label %".24", label %".35"
.24:
  %".25" = getelementptr inbounds i64, ptr %"array.1", i64 %".22"
  %".26" = load i64, ptr %".25"
  %".27" = getelementptr inbounds double, ptr %"array.2", i64 %".22"
  %".28" = load double, ptr %".27"
  %".29" = fmul double %".28", %".20"
  %".30" = getelementptr inbounds double, ptr %"array.4", i64 %".26"
  %".31" = load double, ptr %".30"
  %".32" = fadd double %".31", %".29"
  %".33" = getelementptr inbounds double, ptr %"array.4", i64 %".26"
  store double %".32", ptr %".33"
  %".34" = add i64 %".22", 1
  br label %".21"
.35:
  %".36" = add i64 %".12", 1
  br label %".11"
.37:
  ret void
}
