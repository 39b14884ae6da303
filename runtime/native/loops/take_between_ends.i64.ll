; Written by `python -m diablo.tools.loop_code` from string_places.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"take_between_ends"(ptr noalias %"array", i64 %"number", ptr noalias %"array.1",
    i64 %"number.1", i64 %"number.2", ptr noalias %"array.2", ptr noalias %"array.3")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number.1", %".1"], [%".18", %".5"]
  %".4" = icmp slt i64 %".3", %"number.2"
  br i1 %".4", label %".5", label %".19"
.5:
  %".6" = getelementptr inbounds i32, ptr %"array.1", i64 %".3"
  %".7" = load i32, ptr %".6"
  %".8" = zext i32 %".7" to i64
  %".9" = add i64 %".8", 1
  %".10" = getelementptr inbounds i64, ptr %"array", i64 %".8"
  %".11" = load i64, ptr %".10"
  %".12" = getelementptr inbounds i64, ptr %"array", i64 %".9"
  %".13" = load i64, ptr %".12"
  %".14" = sub i64 %".13", %".11"
  %".15" = sub i64 %".11", %"number"
  %".16" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  store i64 %".15", ptr %".16"
  %".17" = getelementptr inbounds i64, ptr %"array.3", i64 %".3"
  store i64 %".14", ptr %".17"
  %".18" = add i64 %".3", 1
  br label %".2"
.19:
  ret void
}
