; Written by `python -m diablo.tools.loop_code` from string_codes.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"rank_codes"(ptr noalias %"array", i64 %"number", ptr noalias %"array.1",
    ptr noalias %"array.2")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [0, %".1"], [%".23", %".19"]
  %".4" = phi  i64 [0, %".1"], [%".21", %".19"]
  %".5" = icmp slt i64 %".3", %"number"
  br i1 %".5", label %".6", label %".24"
.6:
  %".7" = getelementptr inbounds i32, ptr %"array", i64 %".3"
  %".8" = load i32, ptr %".7"
  %".9" = sext i32 %".8" to i64
  %".10" = getelementptr inbounds i32, ptr %"array.1", i64 %".9"
  %".11" = load i32, ptr %".10"
  %".12" = icmp slt i32 %".11", 0
  br i1 %".12", label %".13", label %".18"
.13:
  %".14" = trunc i64 %".4" to i32
  %".15" = getelementptr inbounds i32, ptr %"array.1", i64 %".9"
  store i32 %".14", ptr %".15"
  %".16" = getelementptr inbounds i32, ptr %"array.2", i64 %".4"
  store i32 %".8", ptr %".16"
  %".17" = add i64 %".4", 1
  br label %".19"
.18:
  br label %".19"
.19:
  %".20" = phi  i32 [%".14", %".13"], [%".11", %".18"]
  %".21" = phi  i64 [%".17", %".13"], [%".4", %".18"]
  %".22" = getelementptr inbounds i32, ptr %"array", i64 %".3"
  store i32 %".20", ptr %".22"
  %".23" = add i64 %".3", 1
  br label %".2"
.24:
  ret void
}
