; Written by `python -m diablo.tools.loop_code` from group_places.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"shift_groups"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", i64 %"number", ptr noalias %"array.4", ptr noalias %"array.5",
    i64 %"number.1", i64 %"number.2", i64 %"number.3")
{
.1:
  %".2" = trunc i64 %"number" to i32
  br label %".3"
.3:
  %".4" = phi  i64 [0, %".1"], [%".34", %".6"]
  %".5" = icmp slt i64 %".4", %"number.3"
  br i1 %".5", label %".6", label %".35"
.6:
  %".7" = mul i64 %".4", %"number.2"
  %".8" = add i64 %"number.1", %".7"
  %".9" = getelementptr inbounds i32, ptr %"array.1", i64 %".8"
  %".10" = load i32, ptr %".9"
  %".11" = zext i32 %".10" to i64
  %".12" = trunc i64 %".11" to i32
  %".13" = getelementptr inbounds i64, ptr %"array", i64 %".11"
  %".14" = load i64, ptr %".13"
  %".15" = mul i64 %".14", %"number"
  %".16" = getelementptr inbounds i32, ptr %"array.3", i64 %".14"
  %".17" = load i32, ptr %".16"
  %".18" = zext i32 %".17" to i64
  %".19" = add i64 %".15", %".18"
  %".20" = getelementptr inbounds i32, ptr %"array.2", i64 %".19"
  %".21" = load i32, ptr %".20"
  %".22" = getelementptr inbounds i32, ptr %"array.2", i64 %".19"
  store i32 %".12", ptr %".22"
  %".23" = getelementptr inbounds i32, ptr %"array.2", i64 %".15"
  %".24" = load i32, ptr %".23"
  %".25" = icmp sge i32 %".21", 0
  %".26" = select  i1 %".25", i32 %".21", i32 %".24"
  %".27" = getelementptr inbounds i32, ptr %"array.4", i64 %".11"
  store i32 %".26", ptr %".27"
  %".28" = zext i1 %".25" to i8
  %".29" = getelementptr inbounds i8, ptr %"array.5", i64 %".11"
  store i8 %".28", ptr %".29"
  %".30" = add i32 %".17", 1
  %".31" = icmp eq i32 %".30", %".2"
  %".32" = select  i1 %".31", i32 0, i32 %".30"
  %".33" = getelementptr inbounds i32, ptr %"array.3", i64 %".14"
  store i32 %".32", ptr %".33"
  %".34" = add i64 %".4", 1
  br label %".3"
.35:
  ret void
}
