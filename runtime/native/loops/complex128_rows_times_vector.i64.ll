; Written by `python -m diablo.tools.loop_code` from typed_row_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"complex128_rows_times_vector"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", ptr noalias %"array.4", i64 %"number",
    i64 %"number.1")
{
.1:
  %".2" = getelementptr inbounds i64, ptr %"array", i64 %"number"
  %".3" = load i64, ptr %".2"
  br label %".4"
.4:
  %".5" = phi  i64 [%"number", %".1"], [%".46", %".41"]
  %".6" = phi  i64 [%".3", %".1"], [%".11", %".41"]
  %".7" = icmp slt i64 %".5", %"number.1"
  br i1 %".7", label %".8", label %".47"
.8:
  %".9" = add i64 %".5", 1
  %".10" = getelementptr inbounds i64, ptr %"array", i64 %".9"
  %".11" = load i64, ptr %".10"
  br label %".12"
.12:
  %".13" = phi  i64 [%".6", %".8"], [%".40", %".17"]
  %".14" = phi  double [             0x0, %".8"], [%".38", %".17"]
  %".15" = phi  double [             0x0, %".8"], [%".39", %".17"]
  %".16" = icmp slt i64 %".13", %".11"
  br i1 %".16", label %".17", label %".41"
.17:
  %".18" = getelementptr inbounds i64, ptr %"array.1", i64 %".13"
  %".19" = load i64, ptr %".18"
  %".20" = add i64 %".19", %".19"
  %".21" = add i64 %".20", 1
  %".22" = add i64 %".13", %".13"
  %".23" = add i64 %".22", 1
  %".24" = getelementptr inbounds double, ptr %"array.3", i64 %".20"
  %".25" = load double, ptr %".24"
  %".26" = getelementptr inbounds double, ptr %"array.3", i64 %".21"
  %".27" = load double, ptr %".26"
  %".28" = getelementptr inbounds double, ptr %"array.2", i64 %".22"
  %".29" = load double, ptr %".28"
  %".30" = getelementptr inbounds double, ptr %"array.2", i64 %".23"
  %".31" = load double, ptr %".30"
  %".32" = fmul double %".29", %".25"
  %".33" = fmul double %".31", %".27"
  %".34" = fmul double %".29", %".27"
  %".35" = fmul double %".31", %".25"
  %".36" = fsub double %".32", %".33"
  %".37" = fadd double %".34", %".35"
  %".38" = fadd double %".14", %".36"
  %".39" = fadd double %".15", %".37"
  %".40" = add i64 %".13", 1
  br label %".12"
.41:
  %".42" = add i64 %".5", %".5"
  %".43" = add i64 %".42", 1
  %".44" = getelementptr inbounds double, ptr %"array.4", i64 %".42"
  store double %".14", ptr %".44"
  %".45" = getelementptr inbounds double, ptr %"array.4", i64 %".43"
  store double %".15", ptr %".45"
  %".46" = add i64 %".5", 1
  br label %".4"
.47:
  ret void
}
