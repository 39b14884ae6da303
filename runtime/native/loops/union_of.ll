; Written by `python -m diablo.tools.loop_code` from merging.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"union_of"(ptr noalias %".1", i64 %".2", ptr noalias %".3", i64 %".4", ptr noalias %".5", ptr noalias %".6", ptr noalias %".7", ptr noalias %".8")
{
.10:
  br label %".11"
.11:
  %".14" = phi  i64 [0, %".10"], [%".42", %".12"]
  %".15" = phi  i64 [0, %".10"], [%".43", %".12"]
  %".16" = phi  i64 [0, %".10"], [%".44", %".12"]
  %".21" = icmp slt i64 %".14", %".2"
  %".22" = icmp slt i64 %".15", %".4"
  %".23" = and i1 %".21", %".22"
  br i1 %".23", label %".12", label %".13"
.12:
  %".17" = phi  i64 [%".14", %".11"]
  %".18" = phi  i64 [%".15", %".11"]
  %".19" = phi  i64 [%".16", %".11"]
  %".25" = getelementptr inbounds i64, ptr %".1", i64 %".17"
  %".26" = load i64, ptr %".25"
  %".27" = getelementptr inbounds i64, ptr %".3", i64 %".18"
  %".28" = load i64, ptr %".27"
  %".29" = icmp sle i64 %".26", %".28"
  %".30" = icmp sge i64 %".26", %".28"
  %".31" = select  i1 %".29", i64 %".26", i64 %".28"
  %".32" = getelementptr inbounds i64, ptr %".5", i64 %".19"
  store i64 %".31", ptr %".32"
  %".34" = select  i1 %".29", i64 %".17", i64 -1
  %".35" = getelementptr inbounds i64, ptr %".6", i64 %".19"
  store i64 %".34", ptr %".35"
  %".37" = select  i1 %".30", i64 %".18", i64 -1
  %".38" = getelementptr inbounds i64, ptr %".7", i64 %".19"
  store i64 %".37", ptr %".38"
  %".40" = zext i1 %".29" to i64
  %".41" = zext i1 %".30" to i64
  %".42" = add i64 %".17", %".40"
  %".43" = add i64 %".18", %".41"
  %".44" = add i64 %".19", 1
  br label %".11"
.13:
  %".46" = getelementptr inbounds i64, ptr %".8", i64 0
  store i64 %".14", ptr %".46"
  %".48" = getelementptr inbounds i64, ptr %".8", i64 1
  store i64 %".15", ptr %".48"
  %".50" = getelementptr inbounds i64, ptr %".8", i64 2
  store i64 %".16", ptr %".50"
  ret void
}
