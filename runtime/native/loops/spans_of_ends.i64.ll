; Written by `python -m diablo.tools.loop_code` from string_places.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"spans_of_ends"(ptr noalias %".1", i64 %".2", i64 %".3", i64 %".4", ptr noalias %".5",
    ptr noalias %".6")
{
.7:
  br label %".8"
.8:
  %".9" = phi  i64 [%".3", %".7"], [%".21", %".11"]
  %".10" = icmp slt i64 %".9", %".4"
  br i1 %".10", label %".11", label %".22"
.11:
  %".12" = add i64 %".9", 1
  %".13" = getelementptr inbounds i64, ptr %".1", i64 %".9"
  %".14" = load i64, ptr %".13"
  %".15" = getelementptr inbounds i64, ptr %".1", i64 %".12"
  %".16" = load i64, ptr %".15"
  %".17" = sub i64 %".16", %".14"
  %".18" = sub i64 %".14", %".2"
  %".19" = getelementptr inbounds i64, ptr %".5", i64 %".9"
  store i64 %".18", ptr %".19"
  %".20" = getelementptr inbounds i64, ptr %".6", i64 %".9"
  store i64 %".17", ptr %".20"
  %".21" = add i64 %".9", 1
  br label %".8"
.22:
  ret void
}
