; Written by `python -m diablo.tools.loop_code` from typed_row_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"float_rows_times_vector"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", ptr noalias %"array.4", i64 %"number",
    i64 %"number.1")
{
.1:
  %".2" = getelementptr inbounds i64, ptr %"array", i64 %"number"
  %".3" = load i64, ptr %".2"
  br label %".4"
.4:
  %".5" = phi  i64 [%"number", %".1"], [%".31", %".28"]
  %".6" = phi  i64 [%".3", %".1"], [%".11", %".28"]
  %".7" = icmp slt i64 %".5", %"number.1"
  br i1 %".7", label %".8", label %".32"
.8:
  %".9" = add i64 %".5", 1
  %".10" = getelementptr inbounds i64, ptr %"array", i64 %".9"
  %".11" = load i64, ptr %".10"
  br label %".12"
.12:
  %".13" = phi  i64 [%".6", %".8"], [%".27", %".16"]
  %".14" = phi  double [             0x0, %".8"], [%".26", %".16"]
  %".15" = icmp slt i64 %".13", %".11"
  br i1 %".15", label %".16", label %".28"
.16:
  %".17" = getelementptr inbounds i64, ptr %"array.1", i64 %".13"
  %".18" = load i64, ptr %".17"
  %".19" = getelementptr inbounds float, ptr %"array.3", i64 %".18"
  %".20" = load float, ptr %".19"
  %".21" = getelementptr inbounds float, ptr %"array.2", i64 %".13"
  %".22" = load float, ptr %".21"
  %".23" = fpext float %".20" to double
  %".24" = fpext float %".22" to double
  %".25" = fmul double %".24", %".23"
  %".26" = fadd double %".14", %".25"
  %".27" = add i64 %".13", 1
  br label %".12"
.28:
  %".29" = fptrunc double %".14" to float
  %".30" = getelementptr inbounds float, ptr %"array.4", i64 %".5"
  store float %".29", ptr %".30"
  %".31" = add i64 %".5", 1
  br label %".4"
.32:
  ret void
}
