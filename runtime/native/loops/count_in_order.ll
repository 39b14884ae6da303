; Written by `python -m diablo.tools.loop_code` from row_sorting.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"count_in_order"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4", i64 %".5", i64 %".6")
{
.8:
  br label %".9"
.9:
  %".15" = phi  i64 [0, %".8"], [%".22", %".10"]
  %".18" = icmp slt i64 %".15", %".4"
  br i1 %".18", label %".10", label %".11"
.10:
  %".20" = getelementptr inbounds i32, ptr %".3", i64 %".15"
  store i32 0, ptr %".20"
  %".22" = add i64 %".15", 1
  br label %".9"
.11:
  br label %".12"
.12:
  %".16" = phi  i64 [%".5", %".11"], [%".37", %".13"]
  %".25" = icmp slt i64 %".16", %".6"
  br i1 %".25", label %".13", label %".14"
.13:
  %".27" = getelementptr inbounds i32, ptr %".2", i64 %".16"
  %".28" = load i32, ptr %".27"
  %".29" = zext i32 %".28" to i64
  %".30" = getelementptr inbounds i64, ptr %".1", i64 %".29"
  %".31" = load i64, ptr %".30"
  %".32" = getelementptr inbounds i32, ptr %".3", i64 %".31"
  %".33" = load i32, ptr %".32"
  %".34" = add i32 %".33", 1
  %".35" = getelementptr inbounds i32, ptr %".3", i64 %".31"
  store i32 %".34", ptr %".35"
  %".37" = add i64 %".16", 1
  br label %".12"
.14:
  ret void
}
