; Written by `python -m diablo.tools.loop_code` from transposition.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"count_indices"(ptr noalias %"array", ptr noalias %"array.1", i64 %"number",
    i64 %"number.1", i64 %"number.2")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [0, %".1"], [%".7", %".5"]
  %".4" = icmp slt i64 %".3", %"number"
  br i1 %".4", label %".5", label %".8"
.5:
  %".6" = getelementptr inbounds i32, ptr %"array.1", i64 %".3"
  store i32 0, ptr %".6"
  %".7" = add i64 %".3", 1
  br label %".2"
.8:
  br label %".9"
.9:
  %".10" = phi  i64 [%"number.1", %".8"], [%".20", %".12"]
  %".11" = icmp slt i64 %".10", %"number.2"
  br i1 %".11", label %".12", label %".21"
.12:
  %".13" = getelementptr inbounds i32, ptr %"array", i64 %".10"
  %".14" = load i32, ptr %".13"
  %".15" = zext i32 %".14" to i64
  %".16" = getelementptr inbounds i32, ptr %"array.1", i64 %".15"
  %".17" = load i32, ptr %".16"
  %".18" = add i32 %".17", 1
  %".19" = getelementptr inbounds i32, ptr %"array.1", i64 %".15"
  store i32 %".18", ptr %".19"
  %".20" = add i64 %".10", 1
  br label %".9"
.21:
  ret void
}
