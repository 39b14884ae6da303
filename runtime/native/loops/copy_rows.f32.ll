; Written by `python -m diablo.tools.loop_code` from row_copies.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"copy_rows"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", i64 %"number", i64 %"number.1", i64 %"number.2", i64 %"number.3")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number.2", %".1"], [%".22", %".21"]
  %".4" = icmp slt i64 %".3", %"number.3"
  br i1 %".4", label %".5", label %".23"
.5:
  %".6" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  %".7" = load i64, ptr %".6"
  %".8" = getelementptr inbounds i64, ptr %"array.3", i64 %".3"
  %".9" = load i64, ptr %".8"
  br label %".10"
.10:
  %".11" = phi  i64 [0, %".5"], [%".20", %".13"]
  %".12" = icmp slt i64 %".11", %"number"
  br i1 %".12", label %".13", label %".21"
.13:
  %".14" = mul i64 %".11", %"number.1"
  %".15" = add i64 %".7", %".14"
  %".16" = getelementptr inbounds float, ptr %"array", i64 %".15"
  %".17" = load float, ptr %".16"
  %".18" = add i64 %".9", %".11"
  %".19" = getelementptr inbounds float, ptr %"array.1", i64 %".18"
  store float %".17", ptr %".19"
  %".20" = add i64 %".11", 1
  br label %".10"
.21:
  %".22" = add i64 %".3", 1
  br label %".2"
.23:
  ret void
}
