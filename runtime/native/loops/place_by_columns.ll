; Written by `python -m diablo.tools.loop_code` from transposition.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"place_by_columns"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", ptr noalias %"array.4", i64 %"number",
    i64 %"number.1")
{
.1:
  %".2" = getelementptr inbounds i32, ptr %"array", i64 %"number"
  %".3" = load i32, ptr %".2"
  %".4" = zext i32 %".3" to i64
  br label %".5"
.5:
  %".6" = phi  i64 [%"number", %".1"], [%".32", %".31"]
  %".7" = phi  i64 [%".4", %".1"], [%".13", %".31"]
  %".8" = icmp slt i64 %".6", %"number.1"
  br i1 %".8", label %".9", label %".33"
.9:
  %".10" = add i64 %".6", 1
  %".11" = getelementptr inbounds i32, ptr %"array", i64 %".10"
  %".12" = load i32, ptr %".11"
  %".13" = zext i32 %".12" to i64
  %".14" = trunc i64 %".6" to i32
  br label %".15"
.15:
  %".16" = phi  i64 [%".7", %".9"], [%".30", %".18"]
  %".17" = icmp slt i64 %".16", %".13"
  br i1 %".17", label %".18", label %".31"
.18:
  %".19" = getelementptr inbounds i32, ptr %"array.1", i64 %".16"
  %".20" = load i32, ptr %".19"
  %".21" = zext i32 %".20" to i64
  %".22" = getelementptr inbounds i32, ptr %"array.2", i64 %".21"
  %".23" = load i32, ptr %".22"
  %".24" = add i32 %".23", 1
  %".25" = getelementptr inbounds i32, ptr %"array.2", i64 %".21"
  store i32 %".24", ptr %".25"
  %".26" = zext i32 %".23" to i64
  %".27" = getelementptr inbounds i32, ptr %"array.3", i64 %".26"
  store i32 %".14", ptr %".27"
  %".28" = trunc i64 %".16" to i32
  %".29" = getelementptr inbounds i32, ptr %"array.4", i64 %".26"
  store i32 %".28", ptr %".29"
  %".30" = add i64 %".16", 1
  br label %".15"
.31:
  %".32" = add i64 %".6", 1
  br label %".5"
.33:
  ret void
}
