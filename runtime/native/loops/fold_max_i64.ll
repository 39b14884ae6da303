; Written by `python -m diablo.tools.loop_code` from scans.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"fold_max_i64"(ptr noalias %".1", ptr noalias %".2", i64 %".3", i64 %".4")
{
.6:
  br label %".7"
.7:
  %".10" = phi  i64 [%".3", %".6"], [%".18", %".8"]
  %".11" = phi  i64 [-9223372036854775808, %".6"], [%".17", %".8"]
  %".13" = icmp slt i64 %".10", %".4"
  br i1 %".13", label %".8", label %".9"
.8:
  %".15" = getelementptr inbounds i64, ptr %".1", i64 %".10"
  %".16" = load i64, ptr %".15"
  %".17" = call i64 @"llvm.smax.i64"(i64 %".11", i64 %".16")
  %".18" = add i64 %".10", 1
  br label %".7"
.9:
  store i64 %".11", ptr %".2"
  ret void
}

declare i64 @"llvm.smax.i64"(i64 %".1", i64 %".2")
