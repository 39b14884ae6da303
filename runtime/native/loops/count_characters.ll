; Written by `python -m diablo.tools.loop_code` from string_contents.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"count_characters"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", i64 %"number", ptr noalias %"array.3")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [0, %".1"], [%".25", %".23"]
  %".4" = icmp slt i64 %".3", %"number"
  br i1 %".4", label %".5", label %".26"
.5:
  %".6" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  %".7" = load i64, ptr %".6"
  %".8" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  %".9" = load i64, ptr %".8"
  br label %".10"
.10:
  %".11" = phi  i64 [0, %".5"], [%".22", %".14"]
  %".12" = phi  i64 [0, %".5"], [%".21", %".14"]
  %".13" = icmp slt i64 %".11", %".9"
  br i1 %".13", label %".14", label %".23"
.14:
  %".15" = add i64 %".7", %".11"
  %".16" = getelementptr inbounds i8, ptr %"array", i64 %".15"
  %".17" = load i8, ptr %".16"
  %".18" = and i8 %".17", -64
  %".19" = icmp ne i8 %".18", -128
  %".20" = add i64 %".12", 1
  %".21" = select  i1 %".19", i64 %".20", i64 %".12"
  %".22" = add i64 %".11", 1
  br label %".10"
.23:
  %".24" = getelementptr inbounds i64, ptr %"array.3", i64 %".3"
  store i64 %".12", ptr %".24"
  %".25" = add i64 %".3", 1
  br label %".2"
.26:
  ret void
}
