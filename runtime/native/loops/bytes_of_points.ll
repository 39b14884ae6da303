; Written by `python -m diablo.tools.loop_code` from string_points.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"bytes_of_points"(ptr noalias %"array", i64 %"number", i64 %"number.1",
    i64 %"number.2", ptr noalias %"array.1", ptr noalias %"array.2", ptr noalias %"array.3",
    ptr noalias %"array.4")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number.1", %".1"], [%".27", %".24"]
  %".4" = phi  i32 [0, %".1"], [%".10", %".24"]
  %".5" = icmp slt i64 %".3", %"number.2"
  br i1 %".5", label %".6", label %".28"
.6:
  %".7" = mul i64 %".3", %"number"
  br label %".8"
.8:
  %".9" = phi  i64 [0, %".6"], [%".23", %".13"]
  %".10" = phi  i32 [%".4", %".6"], [%".19", %".13"]
  %".11" = phi  i64 [0, %".6"], [%".22", %".13"]
  %".12" = icmp slt i64 %".9", %"number"
  br i1 %".12", label %".13", label %".24"
.13:
  %".14" = add i64 %".7", %".9"
  %".15" = getelementptr inbounds i32, ptr %"array", i64 %".14"
  %".16" = load i32, ptr %".15"
  %".17" = trunc i32 %".16" to i8
  %".18" = getelementptr inbounds i8, ptr %"array.1", i64 %".14"
  store i8 %".17", ptr %".18"
  %".19" = or i32 %".10", %".16"
  %".20" = icmp ne i32 %".16", 0
  %".21" = add i64 %".9", 1
  %".22" = select  i1 %".20", i64 %".21", i64 %".11"
  %".23" = add i64 %".9", 1
  br label %".8"
.24:
  %".25" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  store i64 %".7", ptr %".25"
  %".26" = getelementptr inbounds i64, ptr %"array.3", i64 %".3"
  store i64 %".11", ptr %".26"
  %".27" = add i64 %".3", 1
  br label %".2"
.28:
  store i32 %".4", ptr %"array.4"
  ret void
}
