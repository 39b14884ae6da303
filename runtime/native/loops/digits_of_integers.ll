; Written by `python -m diablo.tools.loop_code` from string_values.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"digits_of_integers"(ptr noalias %"array", ptr noalias %"array.1", i64 %"number",
    i64 %"number.1", ptr noalias %"array.2")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".32", %".31"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".33"
.5:
  %".6" = getelementptr inbounds i64, ptr %"array", i64 %".3"
  %".7" = load i64, ptr %".6"
  %".8" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  %".9" = load i64, ptr %".8"
  %".10" = icmp slt i64 %".7", 0
  %".11" = sub i64 0, %".7"
  %".12" = select  i1 %".10", i64 %".11", i64 %".7"
  %".13" = sub i64 %".9", 1
  br label %".14"
.14:
  %".15" = phi  i64 [%".12", %".5"], [%".26", %".25"]
  %".16" = phi  i64 [%".13", %".5"], [%".27", %".25"]
  %".17" = udiv i64 %".15", 10
  %".18" = mul i64 %".17", 10
  %".19" = sub i64 %".15", %".18"
  %".20" = add i64 %".19", 48
  %".21" = trunc i64 %".20" to i8
  %".22" = getelementptr inbounds i8, ptr %"array.2", i64 %".16"
  store i8 %".21", ptr %".22"
  %".23" = sub i64 %".16", 1
  %".24" = icmp ugt i64 %".17", 0
  br i1 %".24", label %".25", label %".28"
.25:
  %".26" = phi  i64 [%".17", %".14"]
  %".27" = phi  i64 [%".23", %".14"]
  br label %".14"
.28:
  br i1 %".10", label %".29", label %".31"
.29:
  %".30" = getelementptr inbounds i8, ptr %"array.2", i64 %".23"
  store i8 45, ptr %".30"
  br label %".31"
.31:
  %".32" = add i64 %".3", 1
  br label %".2"
.33:
  ret void
}
