; Written by `python -m diablo.tools.loop_code` from row_sorting.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"count_in_order"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4",
    i64 %".5", i64 %".6")
{
.7:
  br label %".8"
.8:
  %".9" = phi  i64 [0, %".7"], [%".13", %".11"]
  %".10" = icmp slt i64 %".9", %".4"
  br i1 %".10", label %".11", label %".14"
.11:
  %".12" = getelementptr inbounds i32, ptr %".3", i64 %".9"
  store i32 0, ptr %".12"
  %".13" = add i64 %".9", 1
  br label %".8"
.14:
  br label %".15"
.15:
  %".16" = phi  i64 [%".5", %".14"], [%".28", %".18"]
  %".17" = icmp slt i64 %".16", %".6"
  br i1 %".17", label %".18", label %".29"
.18:
  %".19" = getelementptr inbounds i32, ptr %".2", i64 %".16"
  %".20" = load i32, ptr %".19"
  %".21" = zext i32 %".20" to i64
  %".22" = getelementptr inbounds i64, ptr %".1", i64 %".21"
  %".23" = load i64, ptr %".22"
  %".24" = getelementptr inbounds i32, ptr %".3", i64 %".23"
  %".25" = load i32, ptr %".24"
  %".26" = add i32 %".25", 1
  %".27" = getelementptr inbounds i32, ptr %".3", i64 %".23"
  store i32 %".26", ptr %".27"
  %".28" = add i64 %".16", 1
  br label %".15"
.29:
  ret void
}
