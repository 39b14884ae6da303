; Written by `python -m diablo.tools.loop_code` from list_parts.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"count_left"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", i64 %"number", i64 %"number.1")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".29", %".27"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".30"
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
  %".14" = phi  i64 [%".9", %".5"], [%".26", %".17"]
  %".15" = phi  i32 [0, %".5"], [%".25", %".17"]
  %".16" = icmp slt i64 %".14", %".12"
  br i1 %".16", label %".17", label %".27"
.17:
  %".18" = getelementptr inbounds i32, ptr %"array.1", i64 %".14"
  %".19" = load i32, ptr %".18"
  %".20" = zext i32 %".19" to i64
  %".21" = getelementptr inbounds i32, ptr %"array.2", i64 %".20"
  %".22" = load i32, ptr %".21"
  %".23" = icmp sge i32 %".22", 0
  %".24" = zext i1 %".23" to i32
  %".25" = add i32 %".15", %".24"
  %".26" = add i64 %".14", 1
  br label %".13"
.27:
  %".28" = getelementptr inbounds i32, ptr %"array.3", i64 %".3"
  store i32 %".15", ptr %".28"
  %".29" = add i64 %".3", 1
  br label %".2"
.30:
  ret void
}
