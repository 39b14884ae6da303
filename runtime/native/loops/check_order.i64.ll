; Written by `python -m diablo.tools.loop_code` from row_checks.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"check_order"(ptr noalias %"array", ptr noalias %"array.1", i64 %"number",
    ptr noalias %"array.2", i64 %"number.1", i64 %"number.2", i64 %"number.3", i64 %"number.4")
{
.1:
  %".2" = sub i64 %"number.2", %"number.1"
  %".3" = sub i64 %"number.4", %"number.3"
  %".4" = udiv i64 %".2", 16384
  %".5" = add i64 %".4", 1
  br label %".6"
.6:
  %".7" = phi  i64 [0, %".1"], [%".65", %".64"]
  %".8" = phi  i64 [0, %".1"], [%".20", %".64"]
  %".9" = phi  i64 [0, %".1"], [%".41", %".64"]
  %".10" = icmp slt i64 %".7", %".5"
  br i1 %".10", label %".11", label %".66"
.11:
  %".12" = add i64 %".7", 1
  %".13" = mul i64 %".7", 16384
  %".14" = add i64 %"number.1", %".13"
  %".15" = call i64 @"llvm.umax.i64"(i64 %".14", i64 1)
  %".16" = add i64 %".14", 16384
  %".17" = call i64 @"llvm.umin.i64"(i64 %".16", i64 %"number.2")
  br label %".18"
.18:
  %".19" = phi  i64 [%".15", %".11"], [%".31", %".22"]
  %".20" = phi  i64 [%".8", %".11"], [%".30", %".22"]
  %".21" = icmp slt i64 %".19", %".17"
  br i1 %".21", label %".22", label %".32"
.22:
  %".23" = getelementptr inbounds i64, ptr %"array.1", i64 %".19"
  %".24" = load i64, ptr %".23"
  %".25" = sub i64 %".19", 1
  %".26" = getelementptr inbounds i64, ptr %"array.1", i64 %".25"
  %".27" = load i64, ptr %".26"
  %".28" = icmp sle i64 %".24", %".27"
  %".29" = zext i1 %".28" to i64
  %".30" = add i64 %".20", %".29"
  %".31" = add i64 %".19", 1
  br label %".18"
.32:
  %".33" = mul i64 %".3", %".7"
  %".34" = mul i64 %".3", %".12"
  %".35" = udiv i64 %".33", %".5"
  %".36" = udiv i64 %".34", %".5"
  %".37" = add i64 %"number.3", %".35"
  %".38" = add i64 %"number.3", %".36"
  br label %".39"
.39:
  %".40" = phi  i64 [%".37", %".32"], [%".63", %".43"]
  %".41" = phi  i64 [%".9", %".32"], [%".62", %".43"]
  %".42" = icmp slt i64 %".40", %".38"
  br i1 %".42", label %".43", label %".64"
.43:
  %".44" = add i64 %".40", 1
  %".45" = getelementptr inbounds i64, ptr %"array", i64 %".40"
  %".46" = load i64, ptr %".45"
  %".47" = getelementptr inbounds i64, ptr %"array", i64 %".44"
  %".48" = load i64, ptr %".47"
  %".49" = icmp ugt i64 %".46", 0
  %".50" = icmp ult i64 %".46", %".48"
  %".51" = and i1 %".49", %".50"
  %".52" = select  i1 %".51", i64 %".46", i64 1
  %".53" = sub i64 %".52", 1
  %".54" = select  i1 %".51", i64 %".52", i64 0
  %".55" = getelementptr inbounds i64, ptr %"array.1", i64 %".54"
  %".56" = load i64, ptr %".55"
  %".57" = getelementptr inbounds i64, ptr %"array.1", i64 %".53"
  %".58" = load i64, ptr %".57"
  %".59" = icmp sle i64 %".56", %".58"
  %".60" = and i1 %".59", %".51"
  %".61" = zext i1 %".60" to i64
  %".62" = add i64 %".41", %".61"
  %".63" = add i64 %".40", 1
  br label %".39"
.64:
  %".65" = add i64 %".7", 1
  br label %".6"
.66:
  store i64 %".8", ptr %"array.2"
  %".67" = getelementptr inbounds i64, ptr %"array.2", i64 1
  store i64 %".9", ptr %".67"
  ret void
}

declare i64 @"llvm.umax.i64"(i64 %"number", i64 %"number.1")

declare i64 @"llvm.umin.i64"(i64 %"number", i64 %"number.1")
