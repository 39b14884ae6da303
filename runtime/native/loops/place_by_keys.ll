; Written by `python -m diablo.tools.loop_code` from row_sorting.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"place_by_keys"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    i64 %"number", i64 %"number.1")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".15", %".5"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".16"
.5:
  %".6" = getelementptr inbounds i64, ptr %"array", i64 %".3"
  %".7" = load i64, ptr %".6"
  %".8" = getelementptr inbounds i32, ptr %"array.1", i64 %".7"
  %".9" = load i32, ptr %".8"
  %".10" = add i32 %".9", 1
  %".11" = getelementptr inbounds i32, ptr %"array.1", i64 %".7"
  store i32 %".10", ptr %".11"
  %".12" = zext i32 %".9" to i64
  %".13" = trunc i64 %".3" to i32
  %".14" = getelementptr inbounds i32, ptr %"array.2", i64 %".12"
  store i32 %".13", ptr %".14"
  %".15" = add i64 %".3", 1
  br label %".2"
.16:
  ret void
}
