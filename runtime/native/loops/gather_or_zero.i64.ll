; Written by `python -m diablo.tools.loop_code` from gathering.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"gather_or_zero"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4",
    i64 %".5")
{
.6:
  br label %".7"
.7:
  %".8" = phi  i64 [%".4", %".6"], [%".20", %".10"]
  %".9" = icmp slt i64 %".8", %".5"
  br i1 %".9", label %".10", label %".21"
.10:
  %".11" = getelementptr inbounds i32, ptr %".2", i64 %".8"
  %".12" = load i32, ptr %".11"
  %".13" = icmp sge i32 %".12", 0
  %".14" = call i32 @"llvm.smax.i32"(i32 %".12", i32 0)
  %".15" = sext i32 %".14" to i64
  %".16" = getelementptr inbounds i64, ptr %".1", i64 %".15"
  %".17" = load i64, ptr %".16"
  %".18" = select  i1 %".13", i64 %".17", i64 0
  %".19" = getelementptr inbounds i64, ptr %".3", i64 %".8"
  store i64 %".18", ptr %".19"
  %".20" = add i64 %".8", 1
  br label %".7"
.21:
  ret void
}

declare i32 @"llvm.smax.i32"(i32 %".1", i32 %".2")
