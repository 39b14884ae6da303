; Written by `python -m diablo.tools.loop_code` from set_bits.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"set_bits"(ptr noalias %".1", i64 %".2", ptr noalias %".3")
{
.4:
  br label %".5"
.5:
  %".6" = phi  i64 [0, %".4"], [%".27", %".26"]
  %".7" = phi  i64 [0, %".4"], [%".15", %".26"]
  %".8" = icmp slt i64 %".6", %".2"
  br i1 %".8", label %".9", label %".28"
.9:
  %".10" = getelementptr inbounds i64, ptr %".1", i64 %".6"
  %".11" = load i64, ptr %".10"
  %".12" = shl i64 %".6", 6
  br label %".13"
.13:
  %".14" = phi  i64 [%".11", %".9"], [%".25", %".17"]
  %".15" = phi  i64 [%".7", %".9"], [%".23", %".17"]
  %".16" = icmp ne i64 %".14", 0
  br i1 %".16", label %".17", label %".26"
.17:
  %".18" = phi  i64 [%".14", %".13"]
  %".19" = phi  i64 [%".15", %".13"]
  %".20" = call i64 @"llvm.cttz.i64"(i64 %".18", i1 0)
  %".21" = or i64 %".12", %".20"
  %".22" = getelementptr inbounds i64, ptr %".3", i64 %".19"
  store i64 %".21", ptr %".22"
  %".23" = add i64 %".19", 1
  %".24" = add i64 %".18", -1
  %".25" = and i64 %".18", %".24"
  br label %".13"
.26:
  %".27" = add i64 %".6", 1
  br label %".5"
.28:
  ret void
}

declare i64 @"llvm.cttz.i64"(i64 %".1", i1 %".2")
