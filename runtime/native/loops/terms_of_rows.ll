; Written by `python -m diablo.tools.loop_code` from terms_of_rows.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"terms_of_rows"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", i64 %".5", i64 %".6")
{
.7:
  br label %".8"
.8:
  %".9" = phi  i64 [%".5", %".7"], [%".39", %".37"]
  %".10" = icmp slt i64 %".9", %".6"
  br i1 %".10", label %".11", label %".40"
.11:
  %".12" = add i64 %".9", 1
  %".13" = getelementptr inbounds i32, ptr %".1", i64 %".9"
  %".14" = load i32, ptr %".13"
  %".15" = zext i32 %".14" to i64
  %".16" = getelementptr inbounds i32, ptr %".1", i64 %".12"
  %".17" = load i32, ptr %".16"
  %".18" = zext i32 %".17" to i64
  br label %".19"
.19:
  %".20" = phi  i64 [%".15", %".11"], [%".36", %".23"]
  %".21" = phi  i64 [0, %".11"], [%".35", %".23"]
  %".22" = icmp slt i64 %".20", %".18"
  br i1 %".22", label %".23", label %".37"
.23:
  %".24" = getelementptr inbounds i32, ptr %".2", i64 %".20"
  %".25" = load i32, ptr %".24"
  %".26" = zext i32 %".25" to i64
  %".27" = add i64 %".26", 1
  %".28" = getelementptr inbounds i32, ptr %".3", i64 %".26"
  %".29" = load i32, ptr %".28"
  %".30" = zext i32 %".29" to i64
  %".31" = getelementptr inbounds i32, ptr %".3", i64 %".27"
  %".32" = load i32, ptr %".31"
  %".33" = zext i32 %".32" to i64
  %".34" = sub i64 %".33", %".30"
  %".35" = add i64 %".21", %".34"
  %".36" = add i64 %".20", 1
  br label %".19"
.37:
  %".38" = getelementptr inbounds i64, ptr %".4", i64 %".9"
  store i64 %".21", ptr %".38"
  %".39" = add i64 %".9", 1
  br label %".8"
.40:
  ret void
}
