; Written by `python -m diablo.tools.loop_code` from string_values.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"sizes_of_integers"(ptr noalias %"array", i64 %"number", i64 %"number.1",
    ptr noalias %"array.1")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".24", %".22"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".25"
.5:
  %".6" = getelementptr inbounds i64, ptr %"array", i64 %".3"
  %".7" = load i64, ptr %".6"
  %".8" = icmp slt i64 %".7", 0
  %".9" = sub i64 0, %".7"
  %".10" = select  i1 %".8", i64 %".9", i64 %".7"
  %".11" = select  i1 %".8", i64 1, i64 0
  %".12" = add i64 %".11", 1
  br label %".13"
.13:
  %".14" = phi  i64 [%".10", %".5"], [%".20", %".17"]
  %".15" = phi  i64 [%".12", %".5"], [%".21", %".17"]
  %".16" = icmp uge i64 %".14", 10
  br i1 %".16", label %".17", label %".22"
.17:
  %".18" = phi  i64 [%".14", %".13"]
  %".19" = phi  i64 [%".15", %".13"]
  %".20" = udiv i64 %".18", 10
  %".21" = add i64 %".19", 1
  br label %".13"
.22:
  %".23" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  store i64 %".15", ptr %".23"
  %".24" = add i64 %".3", 1
  br label %".2"
.25:
  ret void
}
