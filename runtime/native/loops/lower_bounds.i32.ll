; Written by `python -m diablo.tools.loop_code` from searching.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"lower_bounds"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", ptr noalias %".4", ptr noalias %".5", i64 %".6")
{
.8:
  br label %".9"
.9:
  %".15" = phi  i64 [0, %".8"], [%".44", %".13"]
  %".21" = icmp slt i64 %".15", %".6"
  br i1 %".21", label %".10", label %".14"
.10:
  %".23" = getelementptr inbounds i64, ptr %".2", i64 %".15"
  %".24" = load i64, ptr %".23"
  %".25" = getelementptr inbounds i64, ptr %".3", i64 %".15"
  %".26" = load i64, ptr %".25"
  %".27" = getelementptr inbounds i64, ptr %".4", i64 %".15"
  %".28" = load i64, ptr %".27"
  br label %".11"
.11:
  %".16" = phi  i64 [%".24", %".10"], [%".39", %".12"]
  %".17" = phi  i64 [%".26", %".10"], [%".40", %".12"]
  %".30" = icmp slt i64 %".16", %".17"
  br i1 %".30", label %".12", label %".13"
.12:
  %".18" = phi  i64 [%".16", %".11"]
  %".19" = phi  i64 [%".17", %".11"]
  %".32" = add i64 %".18", %".19"
  %".33" = lshr i64 %".32", 1
  %".34" = getelementptr inbounds i32, ptr %".1", i64 %".33"
  %".35" = load i32, ptr %".34"
  %".36" = zext i32 %".35" to i64
  %".37" = icmp slt i64 %".36", %".28"
  %".38" = add i64 %".33", 1
  %".39" = select  i1 %".37", i64 %".38", i64 %".18"
  %".40" = select  i1 %".37", i64 %".19", i64 %".33"
  br label %".11"
.13:
  %".42" = getelementptr inbounds i64, ptr %".5", i64 %".15"
  store i64 %".16", ptr %".42"
  %".44" = add i64 %".15", 1
  br label %".9"
.14:
  ret void
}
