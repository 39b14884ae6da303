; Written by `python -m diablo.tools.loop_code` from scans.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"fold"(ptr noalias %".1", ptr noalias %".2", i64 %".3", i64 %".4")
{
.5:
  %".6" = add i64 %".3", 1
  %".7" = getelementptr inbounds i64, ptr %".1", i64 %".3"
  %".8" = load i64, ptr %".7"
  br label %".9"
.9:
  %".10" = phi  i64 [%".6", %".5"], [%".17", %".13"]
  %".11" = phi  i64 [%".8", %".5"], [%".16", %".13"]
  %".12" = icmp slt i64 %".10", %".4"
  br i1 %".12", label %".13", label %".18"
.13:
  %".14" = getelementptr inbounds i64, ptr %".1", i64 %".10"
  %".15" = load i64, ptr %".14"
  %".16" = call i64 @"llvm.smin.i64"(i64 %".11", i64 %".15")
  %".17" = add i64 %".10", 1
  br label %".9"
.18:
  store i64 %".11", ptr %".2"
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %".1", i64 %".2")
