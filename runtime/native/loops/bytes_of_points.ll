; Written by `python -m diablo.tools.loop_code` from string_points.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"bytes_of_points"(ptr noalias %".1", i64 %".2", i64 %".3", i64 %".4",
    ptr noalias %".5", ptr noalias %".6", ptr noalias %".7", ptr noalias %".8")
{
.9:
  br label %".10"
.10:
  %".11" = phi  i64 [%".3", %".9"], [%".35", %".32"]
  %".12" = phi  i32 [0, %".9"], [%".18", %".32"]
  %".13" = icmp slt i64 %".11", %".4"
  br i1 %".13", label %".14", label %".36"
.14:
  %".15" = mul i64 %".11", %".2"
  br label %".16"
.16:
  %".17" = phi  i64 [0, %".14"], [%".31", %".21"]
  %".18" = phi  i32 [%".12", %".14"], [%".27", %".21"]
  %".19" = phi  i64 [0, %".14"], [%".30", %".21"]
  %".20" = icmp slt i64 %".17", %".2"
  br i1 %".20", label %".21", label %".32"
.21:
  %".22" = add i64 %".15", %".17"
  %".23" = getelementptr inbounds i32, ptr %".1", i64 %".22"
  %".24" = load i32, ptr %".23"
  %".25" = trunc i32 %".24" to i8
  %".26" = getelementptr inbounds i8, ptr %".5", i64 %".22"
  store i8 %".25", ptr %".26"
  %".27" = or i32 %".18", %".24"
  %".28" = icmp ne i32 %".24", 0
  %".29" = add i64 %".17", 1
  %".30" = select  i1 %".28", i64 %".29", i64 %".19"
  %".31" = add i64 %".17", 1
  br label %".16"
.32:
  %".33" = getelementptr inbounds i64, ptr %".6", i64 %".11"
  store i64 %".15", ptr %".33"
  %".34" = getelementptr inbounds i64, ptr %".7", i64 %".11"
  store i64 %".19", ptr %".34"
  %".35" = add i64 %".11", 1
  br label %".10"
.36:
  %".37" = getelementptr inbounds i32, ptr %".8", i64 0
  store i32 %".12", ptr %".37"
  ret void
}
