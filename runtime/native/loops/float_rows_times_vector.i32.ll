; Written by `python -m diablo.tools.loop_code` from typed_row_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"float_rows_times_vector"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", ptr noalias %"array.4", i64 %"number",
    i64 %"number.1")
{
.1:
  %".2" = getelementptr inbounds i32, ptr %"array", i64 %"number"
  %".3" = load i32, ptr %".2"
  %".4" = zext i32 %".3" to i64
  br label %".5"
.5:
  %".6" = phi  i64 [%"number", %".1"], [%".34", %".31"]
  %".7" = phi  i64 [%".4", %".1"], [%".13", %".31"]
  %".8" = icmp slt i64 %".6", %"number.1"
  br i1 %".8", label %".9", label %".35"
.9:
  %".10" = add i64 %".6", 1
  %".11" = getelementptr inbounds i32, ptr %"array", i64 %".10"
  %".12" = load i32, ptr %".11"
  %".13" = zext i32 %".12" to i64
  br label %".14"
.14:
  %".15" = phi  i64 [%".7", %".9"], [%".30", %".18"]
  %".16" = phi  double [             0x0, %".9"], [%".29", %".18"]
  %".17" = icmp slt i64 %".15", %".13"
  br i1 %".17", label %".18", label %".31"
.18:
  %".19" = getelementptr inbounds i32, ptr %"array.1", i64 %".15"
  %".20" = load i32, ptr %".19"
  %".21" = zext i32 %".20" to i64
  %".22" = getelementptr inbounds float, ptr %"array.3", i64 %".21"
  %".23" = load float, ptr %".22"
  %".24" = getelementptr inbounds float, ptr %"array.2", i64 %".15"
  %".25" = load float, ptr %".24"
  %".26" = fpext float %".23" to double
  %".27" = fpext float %".25" to double
  %".28" = fmul double %".27", %".26"
  %".29" = fadd double %".16", %".28"
  %".30" = add i64 %".15", 1
  br label %".14"
.31:
  %".32" = fptrunc double %".16" to float
  %".33" = getelementptr inbounds float, ptr %"array.4", i64 %".6"
  store float %".32", ptr %".33"
  %".34" = add i64 %".6", 1
  br label %".5"
.35:
  ret void
}
