; Written by `python -m diablo.tools.loop_code` from list_parts.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"count_copies"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", i64 %"number", i64 %"number.1")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".31", %".29"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".32"
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
  %".14" = phi  i64 [%".9", %".5"], [%".28", %".17"]
  %".15" = phi  i32 [0, %".5"], [%".27", %".17"]
  %".16" = icmp slt i64 %".14", %".12"
  br i1 %".16", label %".17", label %".29"
.17:
  %".18" = getelementptr inbounds i32, ptr %"array.1", i64 %".14"
  %".19" = load i32, ptr %".18"
  %".20" = zext i32 %".19" to i64
  %".21" = add i64 %".20", 1
  %".22" = getelementptr inbounds i32, ptr %"array.2", i64 %".20"
  %".23" = load i32, ptr %".22"
  %".24" = getelementptr inbounds i32, ptr %"array.2", i64 %".21"
  %".25" = load i32, ptr %".24"
  %".26" = sub i32 %".25", %".23"
  %".27" = add i32 %".15", %".26"
  %".28" = add i64 %".14", 1
  br label %".13"
.29:
  %".30" = getelementptr inbounds i32, ptr %"array.3", i64 %".3"
  store i32 %".15", ptr %".30"
  %".31" = add i64 %".3", 1
  br label %".2"
.32:
  ret void
}
