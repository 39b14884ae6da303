; Written by `python -m diablo.tools.loop_code` from merging.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"meet_of"(ptr noalias %".1", i64 %".2", ptr noalias %".3", i64 %".4",
    ptr noalias %".5", ptr noalias %".6", ptr noalias %".7", ptr noalias %".8")
{
.9:
  br label %".10"
.10:
  %".11" = phi  i64 [0, %".9"], [%".34", %".17"]
  %".12" = phi  i64 [0, %".9"], [%".35", %".17"]
  %".13" = phi  i64 [0, %".9"], [%".36", %".17"]
  %".14" = icmp slt i64 %".11", %".2"
  %".15" = icmp slt i64 %".12", %".4"
  %".16" = and i1 %".14", %".15"
  br i1 %".16", label %".17", label %".37"
.17:
  %".18" = phi  i64 [%".11", %".10"]
  %".19" = phi  i64 [%".12", %".10"]
  %".20" = phi  i64 [%".13", %".10"]
  %".21" = getelementptr inbounds i64, ptr %".1", i64 %".18"
  %".22" = load i64, ptr %".21"
  %".23" = getelementptr inbounds i64, ptr %".3", i64 %".19"
  %".24" = load i64, ptr %".23"
  %".25" = icmp sle i64 %".22", %".24"
  %".26" = icmp sge i64 %".22", %".24"
  %".27" = getelementptr inbounds i64, ptr %".5", i64 %".20"
  store i64 %".22", ptr %".27"
  %".28" = getelementptr inbounds i64, ptr %".6", i64 %".20"
  store i64 %".18", ptr %".28"
  %".29" = getelementptr inbounds i64, ptr %".7", i64 %".20"
  store i64 %".19", ptr %".29"
  %".30" = and i1 %".25", %".26"
  %".31" = zext i1 %".25" to i64
  %".32" = zext i1 %".26" to i64
  %".33" = zext i1 %".30" to i64
  %".34" = add i64 %".18", %".31"
  %".35" = add i64 %".19", %".32"
  %".36" = add i64 %".20", %".33"
  br label %".10"
.37:
  %".38" = getelementptr inbounds i64, ptr %".8", i64 0
  store i64 %".11", ptr %".38"
  %".39" = getelementptr inbounds i64, ptr %".8", i64 1
  store i64 %".12", ptr %".39"
  %".40" = getelementptr inbounds i64, ptr %".8", i64 2
  store i64 %".13", ptr %".40"
  ret void
}
