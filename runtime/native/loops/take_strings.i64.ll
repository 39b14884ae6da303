; Written by `python -m diablo.tools.loop_code` from string_places.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"take_strings"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4",
    i64 %".5", ptr noalias %".6", ptr noalias %".7")
{
.8:
  br label %".9"
.9:
  %".10" = phi  i64 [%".4", %".8"], [%".21", %".12"]
  %".11" = icmp slt i64 %".10", %".5"
  br i1 %".11", label %".12", label %".22"
.12:
  %".13" = getelementptr inbounds i64, ptr %".3", i64 %".10"
  %".14" = load i64, ptr %".13"
  %".15" = getelementptr inbounds i64, ptr %".1", i64 %".14"
  %".16" = load i64, ptr %".15"
  %".17" = getelementptr inbounds i64, ptr %".2", i64 %".14"
  %".18" = load i64, ptr %".17"
  %".19" = getelementptr inbounds i64, ptr %".6", i64 %".10"
  store i64 %".16", ptr %".19"
  %".20" = getelementptr inbounds i64, ptr %".7", i64 %".10"
  store i64 %".18", ptr %".20"
  %".21" = add i64 %".10", 1
  br label %".9"
.22:
  ret void
}
