; Written by `python -m diablo.tools.loop_code` from row_checks.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"check_rows"(ptr noalias %"array", ptr noalias %"array.1", i64 %"number",
    ptr noalias %"array.2", i64 %"number.1", i64 %"number.2", i64 %"number.3", i64 %"number.4")
{
.1:
  %".2" = getelementptr inbounds i64, ptr %"array.1", i64 %"number.1"
  %".3" = load i64, ptr %".2"
  br label %".4"
.4:
  %".5" = phi  i64 [%"number.1", %".1"], [%".12", %".8"]
  %".6" = phi  i64 [%".3", %".1"], [%".11", %".8"]
  %".7" = icmp slt i64 %".5", %"number.2"
  br i1 %".7", label %".8", label %".13"
.8:
  %".9" = getelementptr inbounds i64, ptr %"array.1", i64 %".5"
  %".10" = load i64, ptr %".9"
  %".11" = call i64 @"llvm.umax.i64"(i64 %".6", i64 %".10")
  %".12" = add i64 %".5", 1
  br label %".4"
.13:
  br label %".14"
.14:
  %".15" = phi  i64 [%"number.3", %".13"], [%".28", %".18"]
  %".16" = phi  i1 [0, %".13"], [%".27", %".18"]
  %".17" = icmp slt i64 %".15", %"number.4"
  br i1 %".17", label %".18", label %".29"
.18:
  %".19" = add i64 %".15", 1
  %".20" = getelementptr inbounds i64, ptr %"array", i64 %".15"
  %".21" = load i64, ptr %".20"
  %".22" = getelementptr inbounds i64, ptr %"array", i64 %".19"
  %".23" = load i64, ptr %".22"
  %".24" = icmp ugt i64 %".21", %".23"
  %".25" = icmp ugt i64 %".23", %"number"
  %".26" = or i1 %".24", %".25"
  %".27" = or i1 %".16", %".26"
  %".28" = add i64 %".15", 1
  br label %".14"
.29:
  %".30" = zext i1 %".16" to i64
  store i64 %".6", ptr %"array.2"
  %".31" = getelementptr inbounds i64, ptr %"array.2", i64 1
  store i64 %".30", ptr %".31"
  ret void
}

declare i64 @"llvm.umax.i64"(i64 %"number", i64 %"number.1")
