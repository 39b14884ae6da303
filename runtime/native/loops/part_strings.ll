; Written by `python -m diablo.tools.loop_code` from string_codes.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"part_strings"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    i64 %"number", i64 %"number.1", ptr noalias %"array.3", ptr noalias %"array.4", i64 %"number.2",
    ptr noalias %"array.5", ptr noalias %"array.6", ptr noalias %"array.7", ptr noalias %"array.8")
{
.1:
  %".2" = icmp ne i64 %"number.2", 0
  br label %".3"
.3:
  %".4" = phi  i64 [%"number", %".1"], [%".37", %".31"]
  %".5" = icmp slt i64 %".4", %"number.1"
  br i1 %".5", label %".6", label %".38"
.6:
  %".7" = getelementptr inbounds i64, ptr %"array.1", i64 %".4"
  %".8" = load i64, ptr %".7"
  %".9" = getelementptr inbounds i64, ptr %"array.2", i64 %".4"
  %".10" = load i64, ptr %".9"
  %".11" = getelementptr inbounds i8, ptr %"array.3", i64 %".4"
  %".12" = load i8, ptr %".11"
  %".13" = zext i8 %".12" to i64
  %".14" = getelementptr inbounds i64, ptr %"array.4", i64 %".13"
  %".15" = load i64, ptr %".14"
  %".16" = add i64 %".15", 1
  %".17" = getelementptr inbounds i64, ptr %"array.4", i64 %".13"
  store i64 %".16", ptr %".17"
  %".18" = mul i64 %".15", 16
  br i1 %".2", label %".19", label %".31"
.19:
  br label %".20"
.20:
  %".21" = phi  i64 [0, %".19"], [%".29", %".23"]
  %".22" = icmp slt i64 %".21", 16
  br i1 %".22", label %".23", label %".30"
.23:
  %".24" = add i64 %".8", %".21"
  %".25" = add i64 %".18", %".21"
  %".26" = getelementptr inbounds i8, ptr %"array", i64 %".24"
  %".27" = load i8, ptr %".26"
  %".28" = getelementptr inbounds i8, ptr %"array.5", i64 %".25"
  store i8 %".27", ptr %".28"
  %".29" = add i64 %".21", 1
  br label %".20"
.30:
  br label %".31"
.31:
  %".32" = select  i1 %".2", i64 %".18", i64 %".8"
  %".33" = getelementptr inbounds i64, ptr %"array.6", i64 %".15"
  store i64 %".32", ptr %".33"
  %".34" = getelementptr inbounds i64, ptr %"array.7", i64 %".15"
  store i64 %".10", ptr %".34"
  %".35" = trunc i64 %".4" to i32
  %".36" = getelementptr inbounds i32, ptr %"array.8", i64 %".15"
  store i32 %".35", ptr %".36"
  %".37" = add i64 %".4", 1
  br label %".3"
.38:
  ret void
}
