; Written by `python -m diablo.tools.loop_code` from string_contents.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"parts_of_strings"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4",
    i8 %".5", ptr noalias %".6", ptr noalias %".7")
{
.8:
  br label %".9"
.9:
  %".10" = phi  i64 [0, %".8"], [%".41", %".37"]
  %".11" = phi  i64 [0, %".8"], [%".40", %".37"]
  %".12" = icmp slt i64 %".10", %".4"
  br i1 %".12", label %".13", label %".42"
.13:
  %".14" = getelementptr inbounds i64, ptr %".2", i64 %".10"
  %".15" = load i64, ptr %".14"
  %".16" = getelementptr inbounds i64, ptr %".3", i64 %".10"
  %".17" = load i64, ptr %".16"
  %".18" = add i64 %".15", %".17"
  %".19" = getelementptr inbounds i64, ptr %".6", i64 %".11"
  store i64 %".15", ptr %".19"
  br label %".20"
.20:
  %".21" = phi  i64 [%".15", %".13"], [%".36", %".25"]
  %".22" = phi  i64 [%".11", %".13"], [%".34", %".25"]
  %".23" = phi  i64 [%".15", %".13"], [%".35", %".25"]
  %".24" = icmp slt i64 %".21", %".18"
  br i1 %".24", label %".25", label %".37"
.25:
  %".26" = getelementptr inbounds i8, ptr %".1", i64 %".21"
  %".27" = load i8, ptr %".26"
  %".28" = icmp eq i8 %".27", %".5"
  %".29" = sub i64 %".21", %".23"
  %".30" = getelementptr inbounds i64, ptr %".7", i64 %".22"
  store i64 %".29", ptr %".30"
  %".31" = add i64 %".21", 1
  %".32" = add i64 %".22", 1
  %".33" = getelementptr inbounds i64, ptr %".6", i64 %".32"
  store i64 %".31", ptr %".33"
  %".34" = select  i1 %".28", i64 %".32", i64 %".22"
  %".35" = select  i1 %".28", i64 %".31", i64 %".23"
  %".36" = add i64 %".21", 1
  br label %".20"
.37:
  %".38" = sub i64 %".18", %".23"
  %".39" = getelementptr inbounds i64, ptr %".7", i64 %".22"
  store i64 %".38", ptr %".39"
  %".40" = add i64 %".22", 1
  %".41" = add i64 %".10", 1
  br label %".9"
.42:
  ret void
}
