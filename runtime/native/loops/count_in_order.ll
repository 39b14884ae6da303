; Written by `python -m diablo.tools.loop_code` from row_sorting.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"count_in_order"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    i64 %"number", i64 %"number.1", i64 %"number.2")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [0, %".1"], [%".7", %".5"]
  %".4" = icmp slt i64 %".3", %"number"
  br i1 %".4", label %".5", label %".8"
.5:
  %".6" = getelementptr inbounds i32, ptr %"array.2", i64 %".3"
  store i32 0, ptr %".6"
  %".7" = add i64 %".3", 1
  br label %".2"
.8:
  br label %".9"
.9:
  %".10" = phi  i64 [%"number.1", %".8"], [%".22", %".12"]
  %".11" = icmp slt i64 %".10", %"number.2"
  br i1 %".11", label %".12", label %".23"
.12:
  %".13" = getelementptr inbounds i32, ptr %"array.1", i64 %".10"
  %".14" = load i32, ptr %".13"
  %".15" = zext i32 %".14" to i64
  %".16" = getelementptr inbounds i64, ptr %"array", i64 %".15"
  %".17" = load i64, ptr %".16"
  %".18" = getelementptr inbounds i32, ptr %"array.2", i64 %".17"
  %".19" = load i32, ptr %".18"
  %".20" = add i32 %".19", 1
  %".21" = getelementptr inbounds i32, ptr %"array.2", i64 %".17"
  store i32 %".20", ptr %".21"
  %".22" = add i64 %".10", 1
  br label %".9"
.23:
  ret void
}
