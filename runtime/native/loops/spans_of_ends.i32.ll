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
  %".9" = phi  i64 [%".3", %".7"], [%".23", %".11"]
  %".10" = icmp slt i64 %".9", %".4"
  br i1 %".10", label %".11", label %".24"
.11:
  %".12" = add i64 %".9", 1
  %".13" = getelementptr inbounds i32, ptr %".1", i64 %".9"
  %".14" = load i32, ptr %".13"
  %".15" = zext i32 %".14" to i64
  %".16" = getelementptr inbounds i32, ptr %".1", i64 %".12"
  %".17" = load i32, ptr %".16"
  %".18" = zext i32 %".17" to i64
  %".19" = sub i64 %".18", %".15"
  %".20" = sub i64 %".15", %".2"
  %".21" = getelementptr inbounds i64, ptr %".5", i64 %".9"
  store i64 %".20", ptr %".21"
  %".22" = getelementptr inbounds i64, ptr %".6", i64 %".9"
  store i64 %".19", ptr %".22"
  %".23" = add i64 %".9", 1
  br label %".8"
.24:
  ret void
}
