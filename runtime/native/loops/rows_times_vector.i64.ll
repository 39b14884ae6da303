; Written by `python -m diablo.tools.loop_code` from row_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"rows_times_vector"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", ptr noalias %"array.4", i64 %"number",
    i64 %"number.1")
{
.1:
  %".2" = getelementptr inbounds i64, ptr %"array", i64 %"number"
  %".3" = load i64, ptr %".2"
  br label %".4"
.4:
  %".5" = phi  i64 [%"number", %".1"], [%".28", %".26"]
  %".6" = phi  i64 [%".3", %".1"], [%".11", %".26"]
  %".7" = icmp slt i64 %".5", %"number.1"
  br i1 %".7", label %".8", label %".29"
.8:
  %".9" = add i64 %".5", 1
  %".10" = getelementptr inbounds i64, ptr %"array", i64 %".9"
  %".11" = load i64, ptr %".10"
  br label %".12"
.12:
  %".13" = phi  i64 [%".6", %".8"], [%".25", %".16"]
  %".14" = phi  double [             0x0, %".8"], [%".24", %".16"]
  %".15" = icmp slt i64 %".13", %".11"
  br i1 %".15", label %".16", label %".26"
.16:
  %".17" = getelementptr inbounds i64, ptr %"array.1", i64 %".13"
  %".18" = load i64, ptr %".17"
  %".19" = getelementptr inbounds double, ptr %"array.3", i64 %".18"
  %".20" = load double, ptr %".19"
  %".21" = getelementptr inbounds double, ptr %"array.2", i64 %".13"
  %".22" = load double, ptr %".21"
  %".23" = fmul double %".22", %".20"
  %".24" = fadd double %".14", %".23"
  %".25" = add i64 %".13", 1
  br label %".12"
.26:
  %".27" = getelementptr inbounds double, ptr %"array.4", i64 %".5"
  store double %".14", ptr %".27"
  %".28" = add i64 %".5", 1
  br label %".4"
.29:
  ret void
}
