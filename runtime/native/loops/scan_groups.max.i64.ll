; Written by `python -m diablo.tools.loop_code` from group_folds.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"scan_groups"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", ptr noalias %"array.4", i64 %"number", i64 %"number.1")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".18", %".5"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".19"
.5:
  %".6" = getelementptr inbounds i32, ptr %"array.1", i64 %".3"
  %".7" = load i32, ptr %".6"
  %".8" = zext i32 %".7" to i64
  %".9" = getelementptr inbounds i64, ptr %"array", i64 %".8"
  %".10" = load i64, ptr %".9"
  %".11" = getelementptr inbounds i64, ptr %"array.2", i64 %".8"
  %".12" = load i64, ptr %".11"
  %".13" = getelementptr inbounds i64, ptr %"array.3", i64 %".10"
  %".14" = load i64, ptr %".13"
  %".15" = call i64 @"llvm.smax.i64"(i64 %".14", i64 %".12")
  %".16" = getelementptr inbounds i64, ptr %"array.3", i64 %".10"
  store i64 %".15", ptr %".16"
  %".17" = getelementptr inbounds i64, ptr %"array.4", i64 %".8"
  store i64 %".15", ptr %".17"
  %".18" = add i64 %".3", 1
  br label %".2"
.19:
  ret void
}

declare i64 @"llvm.smax.i64"(i64 %"number", i64 %"number.1")
