; Written by `python -m diablo.tools.loop_code` from merging.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"union_of"(ptr noalias %"array", i64 %"number", ptr noalias %"array.1",
    i64 %"number.1", ptr noalias %"array.2", ptr noalias %"array.3", ptr noalias %"array.4",
    ptr noalias %"array.5")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [0, %".1"], [%".27", %".9"]
  %".4" = phi  i64 [0, %".1"], [%".28", %".9"]
  %".5" = phi  i64 [0, %".1"], [%".29", %".9"]
  %".6" = icmp slt i64 %".3", %"number"
  %".7" = icmp slt i64 %".4", %"number.1"
  %".8" = and i1 %".6", %".7"
  br i1 %".8", label %".9", label %".30"
.9:
  %".10" = phi  i64 [%".3", %".2"]
  %".11" = phi  i64 [%".4", %".2"]
  %".12" = phi  i64 [%".5", %".2"]
  %".13" = getelementptr inbounds i64, ptr %"array", i64 %".10"
  %".14" = load i64, ptr %".13"
  %".15" = getelementptr inbounds i64, ptr %"array.1", i64 %".11"
  %".16" = load i64, ptr %".15"
  %".17" = icmp sle i64 %".14", %".16"
  %".18" = icmp sge i64 %".14", %".16"
  %".19" = select  i1 %".17", i64 %".14", i64 %".16"
  %".20" = getelementptr inbounds i64, ptr %"array.2", i64 %".12"
  store i64 %".19", ptr %".20"
  %".21" = select  i1 %".17", i64 %".10", i64 -1
  %".22" = getelementptr inbounds i64, ptr %"array.3", i64 %".12"
  store i64 %".21", ptr %".22"
  %".23" = select  i1 %".18", i64 %".11", i64 -1
  %".24" = getelementptr inbounds i64, ptr %"array.4", i64 %".12"
  store i64 %".23", ptr %".24"
  %".25" = zext i1 %".17" to i64
  %".26" = zext i1 %".18" to i64
  %".27" = add i64 %".10", %".25"
  %".28" = add i64 %".11", %".26"
  %".29" = add i64 %".12", 1
  br label %".2"
.30:
  store i64 %".3", ptr %"array.5"
  %".31" = getelementptr inbounds i64, ptr %"array.5", i64 1
  store i64 %".4", ptr %".31"
  %".32" = getelementptr inbounds i64, ptr %"array.5", i64 2
  store i64 %".5", ptr %".32"
  ret void
}
