; Written by `python -m diablo.tools.loop_code` from gathering.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"gather_or_zero"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4", i64 %".5")
{
.7:
  br label %".8"
.8:
  %".11" = phi  i64 [%".4", %".7"], [%".25", %".9"]
  %".13" = icmp slt i64 %".11", %".5"
  br i1 %".13", label %".9", label %".10"
.9:
  %".15" = getelementptr inbounds i32, ptr %".2", i64 %".11"
  %".16" = load i32, ptr %".15"
  %".17" = icmp sge i32 %".16", 0
  %".18" = call i32 @"llvm.smax.i32"(i32 %".16", i32 0)
  %".19" = sext i32 %".18" to i64
  %".20" = getelementptr inbounds i32, ptr %".1", i64 %".19"
  %".21" = load i32, ptr %".20"
  %".22" = select  i1 %".17", i32 %".21", i32 0
  %".23" = getelementptr inbounds i32, ptr %".3", i64 %".11"
  store i32 %".22", ptr %".23"
  %".25" = add i64 %".11", 1
  br label %".8"
.10:
  ret void
}

declare i32 @"llvm.smax.i32"(i32 %".1", i32 %".2")
