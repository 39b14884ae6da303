; Written by `python -m diablo.tools.loop_code` from typed_row_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"complex64_rows_times_vector"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", ptr noalias %"array.4", i64 %"number",
    i64 %"number.1")
{
.1:
  %".2" = getelementptr inbounds i64, ptr %"array", i64 %"number"
  %".3" = load i64, ptr %".2"
  br label %".4"
.4:
  %".5" = phi  i64 [%"number", %".1"], [%".52", %".45"]
  %".6" = phi  i64 [%".3", %".1"], [%".11", %".45"]
  %".7" = icmp slt i64 %".5", %"number.1"
  br i1 %".7", label %".8", label %".53"
.8:
  %".9" = add i64 %".5", 1
  %".10" = getelementptr inbounds i64, ptr %"array", i64 %".9"
  %".11" = load i64, ptr %".10"
  br label %".12"
.12:
  %".13" = phi  i64 [%".6", %".8"], [%".44", %".17"]
  %".14" = phi  double [             0x0, %".8"], [%".42", %".17"]
  %".15" = phi  double [             0x0, %".8"], [%".43", %".17"]
  %".16" = icmp slt i64 %".13", %".11"
  br i1 %".16", label %".17", label %".45"
.17:
  %".18" = getelementptr inbounds i64, ptr %"array.1", i64 %".13"
  %".19" = load i64, ptr %".18"
  %".20" = add i64 %".19", %".19"
  %".21" = add i64 %".20", 1
  %".22" = add i64 %".13", %".13"
  %".23" = add i64 %".22", 1
  %".24" = getelementptr inbounds float, ptr %"array.3", i64 %".20"
  %".25" = load float, ptr %".24"
  %".26" = getelementptr inbounds float, ptr %"array.3", i64 %".21"
  %".27" = load float, ptr %".26"
  %".28" = getelementptr inbounds float, ptr %"array.2", i64 %".22"
  %".29" = load float, ptr %".28"
  %".30" = getelementptr inbounds float, ptr %"array.2", i64 %".23"
  %".31" = load float, ptr %".30"
  %".32" = fpext float %".25" to double
  %".33" = fpext float %".27" to double
  %".34" = fpext float %".29" to double
  %".35" = fpext float %".31" to double
  %".36" = fmul double %".34", %".32"
  %".37" = fmul double %".35", %".33"
  %".38" = fmul double %".34", %".33"
  %".39" = fmul double %".35", %".32"
  %".40" = fsub double %".36", %".37"
  %".41" = fadd double %".38", %".39"
  %".42" = fadd double %".14", %".40"
  %".43" = fadd double %".15", %".41"
  %".44" = add i64 %".13", 1
  br label %".12"
.45:
  %".46" = add i64 %".5", %".5"
  %".47" = add i64 %".46", 1
  %".48" = fptrunc double %".14" to float
  %".49" = fptrunc double %".15" to float
  %".50" = getelementptr inbounds float, ptr %"array.4", i64 %".46"
  store float %".48", ptr %".50"
  %".51" = getelementptr inbounds float, ptr %"array.4", i64 %".47"
  store float %".49", ptr %".51"
  %".52" = add i64 %".5", 1
  br label %".4"
.53:
  ret void
}
