; Written by `python -m diablo.tools.loop_code` from typed_row_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"complex64_rows_times_vector"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", ptr noalias %"array.4", i64 %"number",
    i64 %"number.1")
{
.1:
  %".2" = getelementptr inbounds i32, ptr %"array", i64 %"number"
  %".3" = load i32, ptr %".2"
  %".4" = zext i32 %".3" to i64
  br label %".5"
.5:
  %".6" = phi  i64 [%"number", %".1"], [%".55", %".48"]
  %".7" = phi  i64 [%".4", %".1"], [%".13", %".48"]
  %".8" = icmp slt i64 %".6", %"number.1"
  br i1 %".8", label %".9", label %".56"
.9:
  %".10" = add i64 %".6", 1
  %".11" = getelementptr inbounds i32, ptr %"array", i64 %".10"
  %".12" = load i32, ptr %".11"
  %".13" = zext i32 %".12" to i64
  br label %".14"
.14:
  %".15" = phi  i64 [%".7", %".9"], [%".47", %".19"]
  %".16" = phi  double [             0x0, %".9"], [%".45", %".19"]
  %".17" = phi  double [             0x0, %".9"], [%".46", %".19"]
  %".18" = icmp slt i64 %".15", %".13"
  br i1 %".18", label %".19", label %".48"
.19:
  %".20" = getelementptr inbounds i32, ptr %"array.1", i64 %".15"
  %".21" = load i32, ptr %".20"
  %".22" = zext i32 %".21" to i64
  %".23" = add i64 %".22", %".22"
  %".24" = add i64 %".23", 1
  %".25" = add i64 %".15", %".15"
  %".26" = add i64 %".25", 1
  %".27" = getelementptr inbounds float, ptr %"array.3", i64 %".23"
  %".28" = load float, ptr %".27"
  %".29" = getelementptr inbounds float, ptr %"array.3", i64 %".24"
  %".30" = load float, ptr %".29"
  %".31" = getelementptr inbounds float, ptr %"array.2", i64 %".25"
  %".32" = load float, ptr %".31"
  %".33" = getelementptr inbounds float, ptr %"array.2", i64 %".26"
  %".34" = load float, ptr %".33"
  %".35" = fpext float %".28" to double
  %".36" = fpext float %".30" to double
  %".37" = fpext float %".32" to double
  %".38" = fpext float %".34" to double
  %".39" = fmul double %".37", %".35"
  %".40" = fmul double %".38", %".36"
  %".41" = fmul double %".37", %".36"
  %".42" = fmul double %".38", %".35"
  %".43" = fsub double %".39", %".40"
  %".44" = fadd double %".41", %".42"
  %".45" = fadd double %".16", %".43"
  %".46" = fadd double %".17", %".44"
  %".47" = add i64 %".15", 1
  br label %".14"
.48:
  %".49" = add i64 %".6", %".6"
  %".50" = add i64 %".49", 1
  %".51" = fptrunc double %".16" to float
  %".52" = fptrunc double %".17" to float
  %".53" = getelementptr inbounds float, ptr %"array.4", i64 %".49"
  store float %".51", ptr %".53"
  %".54" = getelementptr inbounds float, ptr %"array.4", i64 %".50"
  store float %".52", ptr %".54"
  %".55" = add i64 %".6", 1
  br label %".5"
.56:
  ret void
}
