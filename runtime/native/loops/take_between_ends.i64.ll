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
  %".3" = phi  i64 [%"number.2", %".1"], [%".19", %".5"]
  %".4" = icmp slt i64 %".3", %"number.3"
  br i1 %".4", label %".5", label %".20"
.5:
  %".6" = mul i64 %".3", %"number.1"
  %".7" = getelementptr inbounds i32, ptr %"array.1", i64 %".6"
  %".8" = load i32, ptr %".7"
  %".9" = zext i32 %".8" to i64
  %".10" = add i64 %".9", 1
  %".11" = getelementptr inbounds i64, ptr %"array", i64 %".9"
  %".12" = load i64, ptr %".11"
  %".13" = getelementptr inbounds i64, ptr %"array", i64 %".10"
  %".14" = load i64, ptr %".13"
  %".15" = sub i64 %".14", %".12"
  %".16" = sub i64 %".12", %"number"
  %".17" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  store i64 %".16", ptr %".17"
  %".18" = getelementptr inbounds i64, ptr %"array.3", i64 %".3"
  store i64 %".15", ptr %".18"
  %".19" = add i64 %".3", 1
  br label %".2"
.20:
  ret void
}
