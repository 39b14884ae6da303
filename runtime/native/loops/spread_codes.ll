; Written by `python -m diablo.tools.loop_code` from string_codes.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"spread_codes"(ptr noalias %"array", ptr noalias %"array.1", i64 %"number",
    i64 %"number.1", i32 %"number.2", ptr noalias %"array.2")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".15", %".5"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".16"
.5:
  %".6" = getelementptr inbounds i32, ptr %"array", i64 %".3"
  %".7" = load i32, ptr %".6"
  %".8" = getelementptr inbounds i32, ptr %"array.1", i64 %".3"
  %".9" = load i32, ptr %".8"
  %".10" = sext i32 %".9" to i64
  %".11" = add i32 %".7", %"number.2"
  %".12" = icmp slt i32 %".7", 0
  %".13" = select  i1 %".12", i32 %".7", i32 %".11"
  %".14" = getelementptr inbounds i32, ptr %"array.2", i64 %".10"
  store i32 %".13", ptr %".14"
  %".15" = add i64 %".3", 1
  br label %".2"
.16:
  ret void
}
