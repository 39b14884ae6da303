; Written by `python -m diablo.tools.loop_code` from string_places.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"spans_of_ends"(ptr noalias %"array", i64 %"number", i64 %"number.1", i64 %"number.2",
    ptr noalias %"array.1", ptr noalias %"array.2")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number.1", %".1"], [%".15", %".5"]
  %".4" = icmp slt i64 %".3", %"number.2"
  br i1 %".4", label %".5", label %".16"
.5:
  %".6" = add i64 %".3", 1
  %".7" = getelementptr inbounds i64, ptr %"array", i64 %".3"
  %".8" = load i64, ptr %".7"
  %".9" = getelementptr inbounds i64, ptr %"array", i64 %".6"
  %".10" = load i64, ptr %".9"
  %".11" = sub i64 %".10", %".8"
  %".12" = sub i64 %".8", %"number"
  %".13" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  store i64 %".12", ptr %".13"
  %".14" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  store i64 %".11", ptr %".14"
  %".15" = add i64 %".3", 1
  br label %".2"
.16:
  ret void
}
