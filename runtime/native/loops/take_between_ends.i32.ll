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
  %".3" = phi  i64 [%"number.1", %".1"], [%".20", %".5"]
  %".4" = icmp slt i64 %".3", %"number.2"
  br i1 %".4", label %".5", label %".21"
.5:
  %".6" = getelementptr inbounds i32, ptr %"array.1", i64 %".3"
  %".7" = load i32, ptr %".6"
  %".8" = zext i32 %".7" to i64
  %".9" = add i64 %".8", 1
  %".10" = getelementptr inbounds i32, ptr %"array", i64 %".8"
  %".11" = load i32, ptr %".10"
  %".12" = zext i32 %".11" to i64
  %".13" = getelementptr inbounds i32, ptr %"array", i64 %".9"
  %".14" = load i32, ptr %".13"
  %".15" = zext i32 %".14" to i64
  %".16" = sub i64 %".15", %".12"
  %".17" = sub i64 %".12", %"number"
  %".18" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  store i64 %".17", ptr %".18"
  %".19" = getelementptr inbounds i64, ptr %"array.3", i64 %".3"
  store i64 %".16", ptr %".19"
  %".20" = add i64 %".3", 1
  br label %".2"
.21:
  ret void
}
