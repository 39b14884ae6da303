; Written by `python -m diablo.tools.loop_code` from transposition.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"place_by_columns"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", ptr noalias %".5", i64 %".6", i64 %".7")
{
.8:
  %".9" = getelementptr inbounds i32, ptr %".1", i64 %".6"
  %".10" = load i32, ptr %".9"
  %".11" = zext i32 %".10" to i64
  br label %".12"
.12:
  %".13" = phi  i64 [%".6", %".8"], [%".39", %".38"]
  %".14" = phi  i64 [%".11", %".8"], [%".20", %".38"]
  %".15" = icmp slt i64 %".13", %".7"
  br i1 %".15", label %".16", label %".40"
.16:
  %".17" = add i64 %".13", 1
  %".18" = getelementptr inbounds i32, ptr %".1", i64 %".17"
  %".19" = load i32, ptr %".18"
  %".20" = zext i32 %".19" to i64
  %".21" = trunc i64 %".13" to i32
  br label %".22"
.22:
  %".23" = phi  i64 [%".14", %".16"], [%".37", %".25"]
  %".24" = icmp slt i64 %".23", %".20"
  br i1 %".24", label %".25", label %".38"
.25:
  %".26" = getelementptr inbounds i32, ptr %".2", i64 %".23"
  %".27" = load i32, ptr %".26"
  %".28" = zext i32 %".27" to i64
  %".29" = getelementptr inbounds i32, ptr %".3", i64 %".28"
  %".30" = load i32, ptr %".29"
  %".31" = add i32 %".30", 1
  %".32" = getelementptr inbounds i32, ptr %".3", i64 %".28"
  store i32 %".31", ptr %".32"
  %".33" = zext i32 %".30" to i64
  %".34" = getelementptr inbounds i32, ptr %".4", i64 %".33"
  store i32 %".21", ptr %".34"
  %".35" = trunc i64 %".23" to i32
  %".36" = getelementptr inbounds i32, ptr %".5", i64 %".33"
  store i32 %".35", ptr %".36"
  %".37" = add i64 %".23", 1
  br label %".22"
.38:
  %".39" = add i64 %".13", 1
  br label %".12"
.40:
  ret void
}
