; Written by `python -m diablo.tools.loop_code` from string_contents.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"parts_of_strings"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", i64 %"number", i8 %"number.1", ptr noalias %"array.3",
    ptr noalias %"array.4")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [0, %".1"], [%".34", %".30"]
  %".4" = phi  i64 [0, %".1"], [%".33", %".30"]
  %".5" = icmp slt i64 %".3", %"number"
  br i1 %".5", label %".6", label %".35"
.6:
  %".7" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  %".8" = load i64, ptr %".7"
  %".9" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  %".10" = load i64, ptr %".9"
  %".11" = add i64 %".8", %".10"
  %".12" = getelementptr inbounds i64, ptr %"array.3", i64 %".4"
  store i64 %".8", ptr %".12"
  br label %".13"
.13:
  %".14" = phi  i64 [%".8", %".6"], [%".29", %".18"]
  %".15" = phi  i64 [%".4", %".6"], [%".27", %".18"]
  %".16" = phi  i64 [%".8", %".6"], [%".28", %".18"]
  %".17" = icmp slt i64 %".14", %".11"
  br i1 %".17", label %".18", label %".30"
.18:
  %".19" = getelementptr inbounds i8, ptr %"array", i64 %".14"
  %".20" = load i8, ptr %".19"
  %".21" = icmp eq i8 %".20", %"number.1"
  %".22" = sub i64 %".14", %".16"
  %".23" = getelementptr inbounds i64, ptr %"array.4", i64 %".15"
  store i64 %".22", ptr %".23"
  %".24" = add i64 %".14", 1
  %".25" = add i64 %".15", 1
  %".26" = getelementptr inbounds i64, ptr %"array.3", i64 %".25"
  store i64 %".24", ptr %".26"
  %".27" = select  i1 %".21", i64 %".25", i64 %".15"
  %".28" = select  i1 %".21", i64 %".24", i64 %".16"
  %".29" = add i64 %".14", 1
  br label %".13"
.30:
  %".31" = sub i64 %".11", %".16"
  %".32" = getelementptr inbounds i64, ptr %"array.4", i64 %".15"
  store i64 %".31", ptr %".32"
  %".33" = add i64 %".15", 1
  %".34" = add i64 %".3", 1
  br label %".2"
.35:
  ret void
}
