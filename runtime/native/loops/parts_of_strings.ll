; Written by `python -m diablo.tools.loop_code` from string_contents.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"parts_of_strings"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", i64 %"number", i64 %"number.1", i8 %"number.2", i64 %"number.3",
    ptr noalias %"array.3", ptr noalias %"array.4")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".34", %".29"]
  %".4" = phi  i64 [%"number.3", %".1"], [%".33", %".29"]
  %".5" = icmp slt i64 %".3", %"number.1"
  br i1 %".5", label %".6", label %".35"
.6:
  %".7" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  %".8" = load i64, ptr %".7"
  %".9" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  %".10" = load i64, ptr %".9"
  %".11" = add i64 %".8", %".10"
  br label %".12"
.12:
  %".13" = phi  i64 [%".8", %".6"], [%".28", %".17"]
  %".14" = phi  i64 [%".4", %".6"], [%".26", %".17"]
  %".15" = phi  i64 [%".8", %".6"], [%".27", %".17"]
  %".16" = icmp slt i64 %".13", %".11"
  br i1 %".16", label %".17", label %".29"
.17:
  %".18" = getelementptr inbounds i8, ptr %"array", i64 %".13"
  %".19" = load i8, ptr %".18"
  %".20" = icmp eq i8 %".19", %"number.2"
  %".21" = sub i64 %".13", %".15"
  %".22" = getelementptr inbounds i64, ptr %"array.3", i64 %".14"
  store i64 %".15", ptr %".22"
  %".23" = getelementptr inbounds i64, ptr %"array.4", i64 %".14"
  store i64 %".21", ptr %".23"
  %".24" = add i64 %".13", 1
  %".25" = add i64 %".14", 1
  %".26" = select  i1 %".20", i64 %".25", i64 %".14"
  %".27" = select  i1 %".20", i64 %".24", i64 %".15"
  %".28" = add i64 %".13", 1
  br label %".12"
.29:
  %".30" = sub i64 %".11", %".15"
  %".31" = getelementptr inbounds i64, ptr %"array.3", i64 %".14"
  store i64 %".15", ptr %".31"
  %".32" = getelementptr inbounds i64, ptr %"array.4", i64 %".14"
  store i64 %".30", ptr %".32"
  %".33" = add i64 %".14", 1
  %".34" = add i64 %".3", 1
  br label %".2"
.35:
  ret void
}
