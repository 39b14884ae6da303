; Written by `python -m diablo.tools.loop_code` from string_contents.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"count_parts"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    i64 %"number", i64 %"number.1", i8 %"number.2", ptr noalias %"array.3", ptr noalias %"array.4")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".26", %".23"]
  %".4" = phi  i64 [0, %".1"], [%".25", %".23"]
  %".5" = icmp slt i64 %".3", %"number.1"
  br i1 %".5", label %".6", label %".27"
.6:
  %".7" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  %".8" = load i64, ptr %".7"
  %".9" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  %".10" = load i64, ptr %".9"
  br label %".11"
.11:
  %".12" = phi  i64 [0, %".6"], [%".22", %".15"]
  %".13" = phi  i64 [1, %".6"], [%".21", %".15"]
  %".14" = icmp slt i64 %".12", %".10"
  br i1 %".14", label %".15", label %".23"
.15:
  %".16" = add i64 %".8", %".12"
  %".17" = getelementptr inbounds i8, ptr %"array", i64 %".16"
  %".18" = load i8, ptr %".17"
  %".19" = icmp eq i8 %".18", %"number.2"
  %".20" = add i64 %".13", 1
  %".21" = select  i1 %".19", i64 %".20", i64 %".13"
  %".22" = add i64 %".12", 1
  br label %".11"
.23:
  %".24" = getelementptr inbounds i64, ptr %"array.3", i64 %".3"
  store i64 %".13", ptr %".24"
  %".25" = add i64 %".4", %".13"
  %".26" = add i64 %".3", 1
  br label %".2"
.27:
  store i64 %".4", ptr %"array.4"
  ret void
}
