; Written by `python -m diablo.tools.loop_code` from set_bits.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"set_bits"(ptr noalias %"array", i64 %"number", ptr noalias %"array.1")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [0, %".1"], [%".24", %".23"]
  %".4" = phi  i64 [0, %".1"], [%".12", %".23"]
  %".5" = icmp slt i64 %".3", %"number"
  br i1 %".5", label %".6", label %".25"
.6:
  %".7" = getelementptr inbounds i64, ptr %"array", i64 %".3"
  %".8" = load i64, ptr %".7"
  %".9" = shl i64 %".3", 6
  br label %".10"
.10:
  %".11" = phi  i64 [%".8", %".6"], [%".22", %".14"]
  %".12" = phi  i64 [%".4", %".6"], [%".20", %".14"]
  %".13" = icmp ne i64 %".11", 0
  br i1 %".13", label %".14", label %".23"
.14:
  %".15" = phi  i64 [%".11", %".10"]
  %".16" = phi  i64 [%".12", %".10"]
  %".17" = call i64 @"llvm.cttz.i64"(i64 %".15", i1 0)
  %".18" = or i64 %".9", %".17"
  %".19" = getelementptr inbounds i64, ptr %"array.1", i64 %".16"
  store i64 %".18", ptr %".19"
  %".20" = add i64 %".16", 1
  %".21" = add i64 %".15", -1
  %".22" = and i64 %".15", %".21"
  br label %".10"
.23:
  %".24" = add i64 %".3", 1
  br label %".2"
.25:
  ret void
}

declare i64 @"llvm.cttz.i64"(i64 %"number", i1 %"number.1")
