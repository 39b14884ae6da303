; Written by `python -m diablo.tools.loop_code` from row_merging.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"meet_of_rows"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", ptr noalias %"array.4", ptr noalias %"array.5", ptr noalias %"array.6",
    ptr noalias %"array.7", i64 %"number", i64 %"number.1", i64 %"number.2")
{
.1:
  %".2" = getelementptr inbounds i32, ptr %"array", i64 %"number.1"
  %".3" = load i32, ptr %".2"
  %".4" = zext i32 %".3" to i64
  %".5" = getelementptr inbounds i32, ptr %"array.2", i64 %"number.1"
  %".6" = load i32, ptr %".5"
  %".7" = zext i32 %".6" to i64
  br label %".8"
.8:
  %".9" = phi  i64 [%"number.1", %".1"], [%".54", %".51"]
  %".10" = phi  i64 [%".4", %".1"], [%".18", %".51"]
  %".11" = phi  i64 [%".7", %".1"], [%".21", %".51"]
  %".12" = phi  i64 [%"number", %".1"], [%".25", %".51"]
  %".13" = icmp slt i64 %".9", %"number.2"
  br i1 %".13", label %".14", label %".55"
.14:
  %".15" = add i64 %".9", 1
  %".16" = getelementptr inbounds i32, ptr %"array", i64 %".15"
  %".17" = load i32, ptr %".16"
  %".18" = zext i32 %".17" to i64
  %".19" = getelementptr inbounds i32, ptr %"array.2", i64 %".15"
  %".20" = load i32, ptr %".19"
  %".21" = zext i32 %".20" to i64
  br label %".22"
.22:
  %".23" = phi  i64 [%".10", %".14"], [%".48", %".29"]
  %".24" = phi  i64 [%".11", %".14"], [%".49", %".29"]
  %".25" = phi  i64 [%".12", %".14"], [%".50", %".29"]
  %".26" = icmp slt i64 %".23", %".18"
  %".27" = icmp slt i64 %".24", %".21"
  %".28" = and i1 %".26", %".27"
  br i1 %".28", label %".29", label %".51"
.29:
  %".30" = phi  i64 [%".23", %".22"]
  %".31" = phi  i64 [%".24", %".22"]
  %".32" = phi  i64 [%".25", %".22"]
  %".33" = getelementptr inbounds i32, ptr %"array.1", i64 %".30"
  %".34" = load i32, ptr %".33"
  %".35" = getelementptr inbounds i32, ptr %"array.3", i64 %".31"
  %".36" = load i32, ptr %".35"
  %".37" = icmp sle i32 %".34", %".36"
  %".38" = icmp sge i32 %".34", %".36"
  %".39" = getelementptr inbounds i32, ptr %"array.4", i64 %".32"
  store i32 %".34", ptr %".39"
  %".40" = trunc i64 %".30" to i32
  %".41" = getelementptr inbounds i32, ptr %"array.5", i64 %".32"
  store i32 %".40", ptr %".41"
  %".42" = trunc i64 %".31" to i32
  %".43" = getelementptr inbounds i32, ptr %"array.6", i64 %".32"
  store i32 %".42", ptr %".43"
  %".44" = and i1 %".37", %".38"
  %".45" = zext i1 %".37" to i64
  %".46" = zext i1 %".38" to i64
  %".47" = zext i1 %".44" to i64
  %".48" = add i64 %".30", %".45"
  %".49" = add i64 %".31", %".46"
  %".50" = add i64 %".32", %".47"
  br label %".22"
.51:
  %".52" = trunc i64 %".25" to i32
  %".53" = getelementptr inbounds i32, ptr %"array.7", i64 %".9"
  store i32 %".52", ptr %".53"
  %".54" = add i64 %".9", 1
  br label %".8"
.55:
  ret void
}
