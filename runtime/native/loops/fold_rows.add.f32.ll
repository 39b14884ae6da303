; Written by `python -m diablo.tools.loop_code` from row_folds.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"fold_rows"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", i64 %"number", i64 %"number.1")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".33", %".31"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".34"
.5:
  %".6" = add i64 %".3", 1
  %".7" = getelementptr inbounds i32, ptr %"array.2", i64 %".3"
  %".8" = load i32, ptr %".7"
  %".9" = zext i32 %".8" to i64
  %".10" = getelementptr inbounds i32, ptr %"array.2", i64 %".6"
  %".11" = load i32, ptr %".10"
  %".12" = zext i32 %".11" to i64
  %".13" = getelementptr inbounds i32, ptr %"array.1", i64 %".9"
  %".14" = load i32, ptr %".13"
  %".15" = zext i32 %".14" to i64
  %".16" = getelementptr inbounds float, ptr %"array", i64 %".15"
  %".17" = load float, ptr %".16"
  %".18" = add i64 %".9", 1
  br label %".19"
.19:
  %".20" = phi  i64 [%".18", %".5"], [%".30", %".23"]
  %".21" = phi  float [%".17", %".5"], [%".29", %".23"]
  %".22" = icmp slt i64 %".20", %".12"
  br i1 %".22", label %".23", label %".31"
.23:
  %".24" = getelementptr inbounds i32, ptr %"array.1", i64 %".20"
  %".25" = load i32, ptr %".24"
  %".26" = zext i32 %".25" to i64
  %".27" = getelementptr inbounds float, ptr %"array", i64 %".26"
  %".28" = load float, ptr %".27"
  %".29" = fadd float %".21", %".28"
  %".30" = add i64 %".20", 1
  br label %".19"
.31:
  %".32" = getelementptr inbounds float, ptr %"array.3", i64 %".3"
  store float %".21", ptr %".32"
  %".33" = add i64 %".3", 1
  br label %".2"
.34:
  ret void
}
