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
  %".3" = phi  i64 [%"number.1", %".1"], [%".17", %".5"]
  %".4" = icmp slt i64 %".3", %"number.2"
  br i1 %".4", label %".5", label %".18"
.5:
  %".6" = add i64 %".3", 1
  %".7" = getelementptr inbounds i32, ptr %"array", i64 %".3"
  %".8" = load i32, ptr %".7"
  %".9" = zext i32 %".8" to i64
  %".10" = getelementptr inbounds i32, ptr %"array", i64 %".6"
  %".11" = load i32, ptr %".10"
  %".12" = zext i32 %".11" to i64
  %".13" = sub i64 %".12", %".9"
  %".14" = sub i64 %".9", %"number"
  %".15" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  store i64 %".14", ptr %".15"
  %".16" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  store i64 %".13", ptr %".16"
  %".17" = add i64 %".3", 1
  br label %".2"
.18:
  ret void
}
