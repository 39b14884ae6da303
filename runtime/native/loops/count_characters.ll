; Written by `python -m diablo.tools.loop_code` from string_contents.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"count_characters"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4", ptr noalias %".5")
{
.7:
  br label %".8"
.8:
  %".14" = phi  i64 [0, %".7"], [%".38", %".12"]
  %".18" = icmp slt i64 %".14", %".4"
  br i1 %".18", label %".9", label %".13"
.9:
  %".20" = getelementptr inbounds i64, ptr %".2", i64 %".14"
  %".21" = load i64, ptr %".20"
  %".22" = getelementptr inbounds i64, ptr %".3", i64 %".14"
  %".23" = load i64, ptr %".22"
  br label %".10"
.10:
  %".15" = phi  i64 [0, %".9"], [%".34", %".11"]
  %".16" = phi  i64 [0, %".9"], [%".33", %".11"]
  %".25" = icmp slt i64 %".15", %".23"
  br i1 %".25", label %".11", label %".12"
.11:
  %".27" = add i64 %".21", %".15"
  %".28" = getelementptr inbounds i8, ptr %".1", i64 %".27"
  %".29" = load i8, ptr %".28"
  %".30" = and i8 %".29", -64
  %".31" = icmp ne i8 %".30", -128
  %".32" = add i64 %".16", 1
  %".33" = select  i1 %".31", i64 %".32", i64 %".16"
  %".34" = add i64 %".15", 1
  br label %".10"
.12:
  %".36" = getelementptr inbounds i64, ptr %".5", i64 %".14"
  store i64 %".16", ptr %".36"
  %".38" = add i64 %".14", 1
  br label %".8"
.13:
  ret void
}
