; Written by `python -m diablo.tools.loop_code` from clearing.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"clear_bytes"(ptr noalias %"array", i64 %"number", i64 %"number.1")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".7", %".5"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".8"
.5:
  %".6" = getelementptr inbounds i8, ptr %"array", i64 %".3"
  store i8 0, ptr %".6"
  %".7" = add i64 %".3", 1
  br label %".2"
.8:
  ret void
}
