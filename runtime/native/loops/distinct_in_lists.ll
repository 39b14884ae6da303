; Written by `python -m diablo.tools.loop_code` from row_sorting.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"distinct_in_lists"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", ptr noalias %"array.4", ptr noalias %"array.5",
    i64 %"number", i64 %"number.1", i64 %"number.2")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number.1", %".1"], [%".36", %".33"]
  %".4" = phi  i64 [%"number", %".1"], [%".17", %".33"]
  %".5" = icmp slt i64 %".3", %"number.2"
  br i1 %".5", label %".6", label %".37"
.6:
  %".7" = add i64 %".3", 1
  %".8" = getelementptr inbounds i32, ptr %"array", i64 %".3"
  %".9" = load i32, ptr %".8"
  %".10" = zext i32 %".9" to i64
  %".11" = getelementptr inbounds i32, ptr %"array", i64 %".7"
  %".12" = load i32, ptr %".11"
  %".13" = zext i32 %".12" to i64
  br label %".14"
.14:
  %".15" = phi  i64 [%".10", %".6"], [%".32", %".19"]
  %".16" = phi  i32 [-1, %".6"], [%".25", %".19"]
  %".17" = phi  i64 [%".4", %".6"], [%".31", %".19"]
  %".18" = icmp slt i64 %".15", %".13"
  br i1 %".18", label %".19", label %".33"
.19:
  %".20" = getelementptr inbounds i32, ptr %"array.2", i64 %".15"
  %".21" = load i32, ptr %".20"
  %".22" = zext i32 %".21" to i64
  %".23" = getelementptr inbounds i64, ptr %"array.1", i64 %".22"
  %".24" = load i64, ptr %".23"
  %".25" = trunc i64 %".24" to i32
  %".26" = icmp ne i32 %".25", %".16"
  %".27" = getelementptr inbounds i32, ptr %"array.3", i64 %".17"
  store i32 %".25", ptr %".27"
  %".28" = trunc i64 %".15" to i32
  %".29" = getelementptr inbounds i32, ptr %"array.4", i64 %".17"
  store i32 %".28", ptr %".29"
  %".30" = zext i1 %".26" to i64
  %".31" = add i64 %".17", %".30"
  %".32" = add i64 %".15", 1
  br label %".14"
.33:
  %".34" = trunc i64 %".17" to i32
  %".35" = getelementptr inbounds i32, ptr %"array.5", i64 %".3"
  store i32 %".34", ptr %".35"
  %".36" = add i64 %".3", 1
  br label %".2"
.37:
  ret void
}
