; Written by `python -m diablo.tools.loop_code` from row_sorting.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"count_keys"(ptr noalias %".1", ptr noalias %".2", i64 %".3", i64 %".4", i64 %".5")
{
.7:
  br label %".8"
.8:
  %".14" = phi  i64 [0, %".7"], [%".21", %".9"]
  %".17" = icmp slt i64 %".14", %".3"
  br i1 %".17", label %".9", label %".10"
.9:
  %".19" = getelementptr inbounds i32, ptr %".2", i64 %".14"
  store i32 0, ptr %".19"
  %".21" = add i64 %".14", 1
  br label %".8"
.10:
  br label %".11"
.11:
  %".15" = phi  i64 [%".4", %".10"], [%".33", %".12"]
  %".24" = icmp slt i64 %".15", %".5"
  br i1 %".24", label %".12", label %".13"
.12:
  %".26" = getelementptr inbounds i64, ptr %".1", i64 %".15"
  %".27" = load i64, ptr %".26"
  %".28" = getelementptr inbounds i32, ptr %".2", i64 %".27"
  %".29" = load i32, ptr %".28"
  %".30" = add i32 %".29", 1
  %".31" = getelementptr inbounds i32, ptr %".2", i64 %".27"
  store i32 %".30", ptr %".31"
  %".33" = add i64 %".15", 1
  br label %".11"
.13:
  ret void
}
