; Written by `python -m diablo.tools.loop_code` from scans.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"fold_max_i64"(ptr noalias %".1", ptr noalias %".2", i64 %".3", i64 %".4")
{
.5:
  br label %".6"
.6:
  %".7" = phi  i64 [%".3", %".5"], [%".14", %".10"]
  %".8" = phi  i64 [-9223372036854775808, %".5"], [%".13", %".10"]
  %".9" = icmp slt i64 %".7", %".4"
  br i1 %".9", label %".10", label %".15"
.10:
  %".11" = getelementptr inbounds i64, ptr %".1", i64 %".7"
  %".12" = load i64, ptr %".11"
  %".13" = call i64 @"llvm.smax.i64"(i64 %".8", i64 %".12")
  %".14" = add i64 %".7", 1
  br label %".6"
.15:
  store i64 %".8", ptr %".2"
  ret void
}

declare i64 @"llvm.smax.i64"(i64 %".1", i64 %".2")
