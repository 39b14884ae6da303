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
  %".10" = phi  i64 [%".4", %".8"], [%".22", %".12"]
  %".11" = icmp slt i64 %".10", %".5"
  br i1 %".11", label %".12", label %".23"
.12:
  %".13" = getelementptr inbounds i32, ptr %".3", i64 %".10"
  %".14" = load i32, ptr %".13"
  %".15" = zext i32 %".14" to i64
  %".16" = getelementptr inbounds i64, ptr %".1", i64 %".15"
  %".17" = load i64, ptr %".16"
  %".18" = getelementptr inbounds i64, ptr %".2", i64 %".15"
  %".19" = load i64, ptr %".18"
  %".20" = getelementptr inbounds i64, ptr %".6", i64 %".10"
  store i64 %".17", ptr %".20"
  %".21" = getelementptr inbounds i64, ptr %".7", i64 %".10"
  store i64 %".19", ptr %".21"
  %".22" = add i64 %".10", 1
  br label %".9"
.23:
  ret void
}
