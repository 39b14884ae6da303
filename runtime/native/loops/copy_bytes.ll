; Written by `python -m diablo.tools.loop_code` from copying.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"copy_bytes"(ptr noalias %"array", ptr noalias %"array.1", i64 %"number",
    i64 %"number.1")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".9", %".5"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".10"
.5:
  %".6" = getelementptr inbounds i8, ptr %"array", i64 %".3"
  %".7" = load i8, ptr %".6"
  %".8" = getelementptr inbounds i8, ptr %"array.1", i64 %".3"
  store i8 %".7", ptr %".8"
  %".9" = add i64 %".3", 1
  br label %".2"
.10:
  ret void
}
