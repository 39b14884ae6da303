; Written by `python -m diablo.tools.loop_code` from row_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"rows_times_vector"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", ptr noalias %"array.4", i64 %"number",
    i64 %"number.1")
{
.1:
  %".2" = getelementptr inbounds i32, ptr %"array", i64 %"number"
  %".3" = load i32, ptr %".2"
  %".4" = zext i32 %".3" to i64
  br label %".5"
.5:
  %".6" = phi  i64 [%"number", %".1"], [%".31", %".29"]
  %".7" = phi  i64 [%".4", %".1"], [%".13", %".29"]
  %".8" = icmp slt i64 %".6", %"number.1"
  br i1 %".8", label %".9", label %".32"
.9:
  %".10" = add i64 %".6", 1
  %".11" = getelementptr inbounds i32, ptr %"array", i64 %".10"
  %".12" = load i32, ptr %".11"
  %".13" = zext i32 %".12" to i64
  br label %".14"
.14:
  %".15" = phi  i64 [%".7", %".9"], [%".28", %".18"]
  %".16" = phi  double [             0x0, %".9"], [%".27", %".18"]
  %".17" = icmp slt i64 %".15", %".13"
  br i1 %".17", label %".18", label %".29"
.18:
  %".19" = getelementptr inbounds i32, ptr %"array.1", i64 %".15"
  %".20" = load i32, ptr %".19"
  %".21" = zext i32 %".20" to i64
  %".22" = getelementptr inbounds double, ptr %"array.3", i64 %".21"
  %".23" = load double, ptr %".22"
  %".24" = getelementptr inbounds double, ptr %"array.2", i64 %".15"
  %".25" = load double, ptr %".24"
  %".26" = fmul double %".25", %".23"
  %".27" = fadd double %".16", %".26"
  %".28" = add i64 %".15", 1
  br label %".14"
.29:
  %".30" = getelementptr inbounds double, ptr %"array.4", i64 %".6"
  store double %".16", ptr %".30"
  %".31" = add i64 %".6", 1
  br label %".5"
.32:
  ret void
}
