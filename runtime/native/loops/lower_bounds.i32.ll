; Written by `python -m diablo.tools.loop_code` from searching.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"lower_bounds"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", ptr noalias %".5", i64 %".6")
{
.7:
  br label %".8"
.8:
  %".9" = phi  i64 [0, %".7"], [%".36", %".34"]
  %".10" = icmp slt i64 %".9", %".6"
  br i1 %".10", label %".11", label %".37"
.11:
  %".12" = getelementptr inbounds i64, ptr %".2", i64 %".9"
  %".13" = load i64, ptr %".12"
  %".14" = getelementptr inbounds i64, ptr %".3", i64 %".9"
  %".15" = load i64, ptr %".14"
  %".16" = getelementptr inbounds i64, ptr %".4", i64 %".9"
  %".17" = load i64, ptr %".16"
  br label %".18"
.18:
  %".19" = phi  i64 [%".13", %".11"], [%".32", %".22"]
  %".20" = phi  i64 [%".15", %".11"], [%".33", %".22"]
  %".21" = icmp slt i64 %".19", %".20"
  br i1 %".21", label %".22", label %".34"
.22:
  %".23" = phi  i64 [%".19", %".18"]
  %".24" = phi  i64 [%".20", %".18"]
  %".25" = add i64 %".23", %".24"
  %".26" = lshr i64 %".25", 1
  %".27" = getelementptr inbounds i32, ptr %".1", i64 %".26"
  %".28" = load i32, ptr %".27"
  %".29" = zext i32 %".28" to i64
  %".30" = icmp slt i64 %".29", %".17"
  %".31" = add i64 %".26", 1
  %".32" = select  i1 %".30", i64 %".31", i64 %".23"
  %".33" = select  i1 %".30", i64 %".24", i64 %".26"
  br label %".18"
.34:
  %".35" = getelementptr inbounds i64, ptr %".5", i64 %".9"
  store i64 %".19", ptr %".35"
  %".36" = add i64 %".9", 1
  br label %".8"
.37:
  ret void
}
