; Written by `python -m diablo.tools.loop_code` from row_checks.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"check_rows"(ptr noalias %"array", ptr noalias %"array.1", i64 %"number",
    ptr noalias %"array.2", i64 %"number.1", i64 %"number.2", i64 %"number.3", i64 %"number.4")
{
.1:
  %".2" = getelementptr inbounds i32, ptr %"array.1", i64 %"number.1"
  %".3" = load i32, ptr %".2"
  br label %".4"
.4:
  %".5" = phi  i64 [%"number.1", %".1"], [%".12", %".8"]
  %".6" = phi  i32 [%".3", %".1"], [%".11", %".8"]
  %".7" = icmp slt i64 %".5", %"number.2"
  br i1 %".7", label %".8", label %".13"
.8:
  %".9" = getelementptr inbounds i32, ptr %"array.1", i64 %".5"
  %".10" = load i32, ptr %".9"
  %".11" = call i32 @"llvm.umax.i32"(i32 %".6", i32 %".10")
  %".12" = add i64 %".5", 1
  br label %".4"
.13:
  br label %".14"
.14:
  %".15" = phi  i64 [%"number.3", %".13"], [%".30", %".18"]
  %".16" = phi  i1 [0, %".13"], [%".29", %".18"]
  %".17" = icmp slt i64 %".15", %"number.4"
  br i1 %".17", label %".18", label %".31"
.18:
  %".19" = add i64 %".15", 1
  %".20" = getelementptr inbounds i32, ptr %"array", i64 %".15"
  %".21" = load i32, ptr %".20"
  %".22" = zext i32 %".21" to i64
  %".23" = getelementptr inbounds i32, ptr %"array", i64 %".19"
  %".24" = load i32, ptr %".23"
  %".25" = zext i32 %".24" to i64
  %".26" = icmp ugt i64 %".22", %".25"
  %".27" = icmp ugt i64 %".25", %"number"
  %".28" = or i1 %".26", %".27"
  %".29" = or i1 %".16", %".28"
  %".30" = add i64 %".15", 1
  br label %".14"
.31:
  %".32" = sext i32 %".6" to i64
  %".33" = zext i1 %".16" to i64
  store i64 %".32", ptr %"array.2"
  %".34" = getelementptr inbounds i64, ptr %"array.2", i64 1
  store i64 %".33", ptr %".34"
  ret void
}

declare i32 @"llvm.umax.i32"(i32 %"number", i32 %"number.1")
