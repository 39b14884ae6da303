; Written by `python -m diablo.tools.loop_code` from string_values.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"integers_of_strings"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", i64 %"number", i64 %"number.1", ptr noalias %"array.3",
    ptr noalias %"array.4")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".45", %".39"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".46"
.5:
  %".6" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  %".7" = load i64, ptr %".6"
  %".8" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  %".9" = load i64, ptr %".8"
  %".10" = getelementptr inbounds i8, ptr %"array", i64 %".7"
  %".11" = load i8, ptr %".10"
  %".12" = icmp eq i8 %".11", 43
  %".13" = icmp eq i8 %".11", 45
  %".14" = or i1 %".12", %".13"
  %".15" = select  i1 %".14", i64 1, i64 0
  %".16" = sub i64 %".9", %".15"
  %".17" = icmp sgt i64 %".16", 0
  %".18" = icmp sle i64 %".16", 18
  %".19" = and i1 %".17", %".18"
  br label %".20"
.20:
  %".21" = phi  i64 [%".15", %".5"], [%".38", %".26"]
  %".22" = phi  i64 [0, %".5"], [%".37", %".26"]
  %".23" = phi  i1 [%".19", %".5"], [%".34", %".26"]
  %".24" = icmp slt i64 %".21", %".9"
  %".25" = and i1 %".24", %".23"
  br i1 %".25", label %".26", label %".39"
.26:
  %".27" = phi  i64 [%".21", %".20"]
  %".28" = phi  i64 [%".22", %".20"]
  %".29" = phi  i1 [%".23", %".20"]
  %".30" = add i64 %".7", %".27"
  %".31" = getelementptr inbounds i8, ptr %"array", i64 %".30"
  %".32" = load i8, ptr %".31"
  %".33" = sub i8 %".32", 48
  %".34" = icmp ult i8 %".33", 10
  %".35" = mul i64 %".28", 10
  %".36" = zext i8 %".33" to i64
  %".37" = add i64 %".35", %".36"
  %".38" = add i64 %".27", 1
  br label %".20"
.39:
  %".40" = sub i64 0, %".22"
  %".41" = select  i1 %".13", i64 %".40", i64 %".22"
  %".42" = getelementptr inbounds i64, ptr %"array.3", i64 %".3"
  store i64 %".41", ptr %".42"
  %".43" = zext i1 %".23" to i8
  %".44" = getelementptr inbounds i8, ptr %"array.4", i64 %".3"
  store i8 %".43", ptr %".44"
  %".45" = add i64 %".3", 1
  br label %".2"
.46:
  ret void
}
