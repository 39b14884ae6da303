; Written by `python -m diablo.tools.loop_code` from list_parts.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"count_copies"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", i64 %".5", i64 %".6")
{
.7:
  br label %".8"
.8:
  %".9" = phi  i64 [%".5", %".7"], [%".37", %".35"]
  %".10" = icmp slt i64 %".9", %".6"
  br i1 %".10", label %".11", label %".38"
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
  %".20" = phi  i64 [%".15", %".11"], [%".34", %".23"]
  %".21" = phi  i32 [0, %".11"], [%".33", %".23"]
  %".22" = icmp slt i64 %".20", %".18"
  br i1 %".22", label %".23", label %".35"
.23:
  %".24" = getelementptr inbounds i32, ptr %".2", i64 %".20"
  %".25" = load i32, ptr %".24"
  %".26" = zext i32 %".25" to i64
  %".27" = add i64 %".26", 1
  %".28" = getelementptr inbounds i32, ptr %".3", i64 %".26"
  %".29" = load i32, ptr %".28"
  %".30" = getelementptr inbounds i32, ptr %".3", i64 %".27"
  %".31" = load i32, ptr %".30"
  %".32" = sub i32 %".31", %".29"
  %".33" = add i32 %".21", %".32"
  %".34" = add i64 %".20", 1
  br label %".19"
.35:
  %".36" = getelementptr inbounds i32, ptr %".4", i64 %".9"
  store i32 %".21", ptr %".36"
  %".37" = add i64 %".9", 1
  br label %".8"
.38:
  ret void
}
