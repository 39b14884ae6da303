; Written by `python -m diablo.tools.loop_code` from string_contents.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"copy_text"(ptr noalias %".1", i64 %".2", i64 %".3", ptr noalias %".4",
    ptr noalias %".5")
{
.6:
  br label %".7"
.7:
  %".8" = phi  i64 [%".2", %".6"], [%".16", %".11"]
  %".9" = phi  i8 [0, %".6"], [%".15", %".11"]
  %".10" = icmp slt i64 %".8", %".3"
  br i1 %".10", label %".11", label %".17"
.11:
  %".12" = getelementptr inbounds i8, ptr %".1", i64 %".8"
  %".13" = load i8, ptr %".12"
  %".14" = getelementptr inbounds i8, ptr %".4", i64 %".8"
  store i8 %".13", ptr %".14"
  %".15" = or i8 %".9", %".13"
  %".16" = add i64 %".8", 1
  br label %".7"
.17:
  %".18" = getelementptr inbounds i8, ptr %".5", i64 0
  store i8 %".9", ptr %".18"
  ret void
}
