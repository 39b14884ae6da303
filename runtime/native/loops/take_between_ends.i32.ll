; Written by `python -m diablo.tools.loop_code` from string_places.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"take_between_ends"(ptr noalias %"array", i64 %"number", ptr noalias %"array.1",
    i64 %"number.1", i64 %"number.2", i64 %"number.3", ptr noalias %"array.2",
    ptr noalias %"array.3")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number.2", %".1"], [%".21", %".5"]
  %".4" = icmp slt i64 %".3", %"number.3"
  br i1 %".4", label %".5", label %".22"
.5:
  %".6" = mul i64 %".3", %"number.1"
  %".7" = getelementptr inbounds i32, ptr %"array.1", i64 %".6"
  %".8" = load i32, ptr %".7"
  %".9" = zext i32 %".8" to i64
  %".10" = add i64 %".9", 1
  %".11" = getelementptr inbounds i32, ptr %"array", i64 %".9"
  %".12" = load i32, ptr %".11"
  %".13" = zext i32 %".12" to i64
  %".14" = getelementptr inbounds i32, ptr %"array", i64 %".10"
  %".15" = load i32, ptr %".14"
  %".16" = zext i32 %".15" to i64
  %".17" = sub i64 %".16", %".13"
  %".18" = sub i64 %".13", %"number"
  %".19" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  store i64 %".18", ptr %".19"
  %".20" = getelementptr inbounds i64, ptr %"array.3", i64 %".3"
  store i64 %".17", ptr %".20"
  %".21" = add i64 %".3", 1
  br label %".2"
.22:
  ret void
}
