; Written by `python -m diablo.tools.loop_code` from gathering.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"gather_or_zero"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    i64 %"number", i64 %"number.1")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".15", %".5"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".16"
.5:
  %".6" = getelementptr inbounds i32, ptr %"array.1", i64 %".3"
  %".7" = load i32, ptr %".6"
  %".8" = icmp sge i32 %".7", 0
  %".9" = call i32 @"llvm.smax.i32"(i32 %".7", i32 0)
  %".10" = sext i32 %".9" to i64
  %".11" = getelementptr inbounds i32, ptr %"array", i64 %".10"
  %".12" = load i32, ptr %".11"
  %".13" = select  i1 %".8", i32 %".12", i32 0
  %".14" = getelementptr inbounds i32, ptr %"array.2", i64 %".3"
  store i32 %".13", ptr %".14"
  %".15" = add i64 %".3", 1
  br label %".2"
.16:
  ret void
}

declare i32 @"llvm.smax.i32"(i32 %"number", i32 %"number.1")
