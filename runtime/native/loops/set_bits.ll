; Written by `python -m diablo.tools.loop_code` from set_bits.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"set_bits"(ptr noalias %".1", i64 %".2", ptr noalias %".3")
{
.5:
  br label %".6"
.6:
  %".12" = phi  i64 [0, %".5"], [%".35", %".10"]
  %".13" = phi  i64 [0, %".5"], [%".15", %".10"]
  %".19" = icmp slt i64 %".12", %".2"
  br i1 %".19", label %".7", label %".11"
.7:
  %".21" = getelementptr inbounds i64, ptr %".1", i64 %".12"
  %".22" = load i64, ptr %".21"
  %".23" = shl i64 %".12", 6
  br label %".8"
.8:
  %".14" = phi  i64 [%".22", %".7"], [%".33", %".9"]
  %".15" = phi  i64 [%".13", %".7"], [%".31", %".9"]
  %".25" = icmp ne i64 %".14", 0
  br i1 %".25", label %".9", label %".10"
.9:
  %".16" = phi  i64 [%".14", %".8"]
  %".17" = phi  i64 [%".15", %".8"]
  %".27" = call i64 @"llvm.cttz.i64"(i64 %".16", i1 0)
  %".28" = or i64 %".23", %".27"
  %".29" = getelementptr inbounds i64, ptr %".3", i64 %".17"
  store i64 %".28", ptr %".29"
  %".31" = add i64 %".17", 1
  %".32" = add i64 %".16", -1
  %".33" = and i64 %".16", %".32"
  br label %".8"
.10:
  %".35" = add i64 %".12", 1
  br label %".6"
.11:
  ret void
}

declare i64 @"llvm.cttz.i64"(i64 %".1", i1 %".2")
