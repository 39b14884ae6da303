; Written by `python -m diablo.tools.loop_code` from group_selection.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"place_values"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", i64 %"number", i64 %"number.1")
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
  %".8" = getelementptr inbounds double, ptr %"array.2", i64 %".3"
  %".9" = load double, ptr %".8"
  %".10" = getelementptr inbounds i64, ptr %"array.1", i64 %".7"
  %".11" = load i64, ptr %".10"
  %".12" = getelementptr inbounds double, ptr %"array.3", i64 %".11"
  store double %".9", ptr %".12"
  %".13" = add i64 %".11", 1
  %".14" = getelementptr inbounds i64, ptr %"array.1", i64 %".7"
  store i64 %".13", ptr %".14"
  %".15" = add i64 %".3", 1
  br label %".2"
.16:
  ret void
}
