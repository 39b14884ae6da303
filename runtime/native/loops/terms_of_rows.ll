; Written by `python -m diablo.tools.loop_code` from terms_of_rows.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"terms_of_rows"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", i64 %"number", i64 %"number.1")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".33", %".31"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".34"
.5:
  %".6" = add i64 %".3", 1
  %".7" = getelementptr inbounds i32, ptr %"array", i64 %".3"
  %".8" = load i32, ptr %".7"
  %".9" = zext i32 %".8" to i64
  %".10" = getelementptr inbounds i32, ptr %"array", i64 %".6"
  %".11" = load i32, ptr %".10"
  %".12" = zext i32 %".11" to i64
  br label %".13"
.13:
  %".14" = phi  i64 [%".9", %".5"], [%".30", %".17"]
  %".15" = phi  i64 [0, %".5"], [%".29", %".17"]
  %".16" = icmp slt i64 %".14", %".12"
  br i1 %".16", label %".17", label %".31"
.17:
  %".18" = getelementptr inbounds i32, ptr %"array.1", i64 %".14"
  %".19" = load i32, ptr %".18"
  %".20" = zext i32 %".19" to i64
  %".21" = add i64 %".20", 1
  %".22" = getelementptr inbounds i32, ptr %"array.2", i64 %".20"
  %".23" = load i32, ptr %".22"
  %".24" = zext i32 %".23" to i64
  %".25" = getelementptr inbounds i32, ptr %"array.2", i64 %".21"
  %".26" = load i32, ptr %".25"
  %".27" = zext i32 %".26" to i64
  %".28" = sub i64 %".27", %".24"
  %".29" = add i64 %".15", %".28"
  %".30" = add i64 %".14", 1
  br label %".13"
.31:
  %".32" = getelementptr inbounds i64, ptr %"array.3", i64 %".3"
  store i64 %".15", ptr %".32"
  %".33" = add i64 %".3", 1
  br label %".2"
.34:
  ret void
}
