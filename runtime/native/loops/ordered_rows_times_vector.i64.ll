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
  %".3" = phi  i64 [%"number", %".1"], [%".32", %".30"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".33"
.5:
  %".6" = and i64 %".3", -256
  %".7" = getelementptr inbounds i8, ptr %"array", i64 %".3"
  %".8" = load i8, ptr %".7"
  %".9" = zext i8 %".8" to i64
  %".10" = or i64 %".6", %".9"
  %".11" = getelementptr inbounds i64, ptr %"array.1", i64 %".10"
  %".12" = load i64, ptr %".11"
  %".13" = add i64 %".10", 1
  %".14" = getelementptr inbounds i64, ptr %"array.1", i64 %".13"
  %".15" = load i64, ptr %".14"
  br label %".16"
.16:
  %".17" = phi  i64 [%".12", %".5"], [%".29", %".20"]
  %".18" = phi  double [             0x0, %".5"], [%".28", %".20"]
  %".19" = icmp slt i64 %".17", %".15"
  br i1 %".19", label %".20", label %".30"
.20:
  %".21" = getelementptr inbounds i64, ptr %"array.2", i64 %".17"
  %".22" = load i64, ptr %".21"
  %".23" = getelementptr inbounds double, ptr %"array.4", i64 %".22"
  %".24" = load double, ptr %".23"
  %".25" = getelementptr inbounds double, ptr %"array.3", i64 %".17"
  %".26" = load double, ptr %".25"
  %".27" = fmul double %".26", %".24"
  %".28" = fadd double %".18", %".27"
  %".29" = add i64 %".17", 1
  br label %".16"
.30:
  %".31" = getelementptr inbounds double, ptr %"array.5", i64 %".10"
  store double %".18", ptr %".31"
  %".32" = add i64 %".3", 1
  br label %".2"
.33:
  ret void
}
