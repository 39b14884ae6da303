; Written by `python -m diablo.tools.loop_code` from row_checks.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"check_rows"(ptr noalias %"array", ptr noalias %"array.1", i64 %"number",
    ptr noalias %"array.2", i64 %"number.1", i64 %"number.2", i64 %"number.3", i64 %"number.4")
{
.1:
  %".2" = getelementptr inbounds i64, ptr %"array.1", i64 %"number.1"
  %".3" = load i64, ptr %".2"
  %".4" = sub i64 %"number.2", %"number.1"
  %".5" = sub i64 %"number.4", %"number.3"
  %".6" = udiv i64 %".4", 16384
  %".7" = add i64 %".6", 1
  br label %".8"
.8:
  %".9" = phi  i64 [0, %".1"], [%".78", %".77"]
  %".10" = phi  i64 [%".3", %".1"], [%".24", %".77"]
  %".11" = phi  i64 [0, %".1"], [%".25", %".77"]
  %".12" = phi  i64 [0, %".1"], [%".47", %".77"]
  %".13" = phi  i1 [0, %".1"], [%".48", %".77"]
  %".14" = icmp slt i64 %".9", %".7"
  br i1 %".14", label %".15", label %".79"
.15:
  %".16" = add i64 %".9", 1
  %".17" = mul i64 %".9", 16384
  %".18" = add i64 %"number.1", %".17"
  %".19" = call i64 @"llvm.umax.i64"(i64 %".18", i64 1)
  %".20" = add i64 %".18", 16384
  %".21" = call i64 @"llvm.umin.i64"(i64 %".20", i64 %"number.2")
  br label %".22"
.22:
  %".23" = phi  i64 [%".19", %".15"], [%".37", %".27"]
  %".24" = phi  i64 [%".10", %".15"], [%".33", %".27"]
  %".25" = phi  i64 [%".11", %".15"], [%".36", %".27"]
  %".26" = icmp slt i64 %".23", %".21"
  br i1 %".26", label %".27", label %".38"
.27:
  %".28" = getelementptr inbounds i64, ptr %"array.1", i64 %".23"
  %".29" = load i64, ptr %".28"
  %".30" = sub i64 %".23", 1
  %".31" = getelementptr inbounds i64, ptr %"array.1", i64 %".30"
  %".32" = load i64, ptr %".31"
  %".33" = call i64 @"llvm.umax.i64"(i64 %".24", i64 %".29")
  %".34" = icmp sle i64 %".29", %".32"
  %".35" = zext i1 %".34" to i64
  %".36" = add i64 %".25", %".35"
  %".37" = add i64 %".23", 1
  br label %".22"
.38:
  %".39" = mul i64 %".5", %".9"
  %".40" = mul i64 %".5", %".16"
  %".41" = udiv i64 %".39", %".7"
  %".42" = udiv i64 %".40", %".7"
  %".43" = add i64 %"number.3", %".41"
  %".44" = add i64 %"number.3", %".42"
  br label %".45"
.45:
  %".46" = phi  i64 [%".43", %".38"], [%".76", %".50"]
  %".47" = phi  i64 [%".12", %".38"], [%".75", %".50"]
  %".48" = phi  i1 [%".13", %".38"], [%".59", %".50"]
  %".49" = icmp slt i64 %".46", %".44"
  br i1 %".49", label %".50", label %".77"
.50:
  %".51" = add i64 %".46", 1
  %".52" = getelementptr inbounds i64, ptr %"array", i64 %".46"
  %".53" = load i64, ptr %".52"
  %".54" = getelementptr inbounds i64, ptr %"array", i64 %".51"
  %".55" = load i64, ptr %".54"
  %".56" = icmp ugt i64 %".53", %".55"
  %".57" = icmp ugt i64 %".55", %"number"
  %".58" = or i1 %".56", %".57"
  %".59" = or i1 %".48", %".58"
  %".60" = icmp ugt i64 %".53", 0
  %".61" = icmp ult i64 %".53", %".55"
  %".62" = icmp ule i64 %".55", %"number"
  %".63" = and i1 %".60", %".61"
  %".64" = and i1 %".63", %".62"
  %".65" = select  i1 %".64", i64 %".53", i64 1
  %".66" = sub i64 %".65", 1
  %".67" = select  i1 %".64", i64 %".65", i64 0
  %".68" = getelementptr inbounds i64, ptr %"array.1", i64 %".67"
  %".69" = load i64, ptr %".68"
  %".70" = getelementptr inbounds i64, ptr %"array.1", i64 %".66"
  %".71" = load i64, ptr %".70"
  %".72" = icmp sle i64 %".69", %".71"
  %".73" = and i1 %".72", %".64"
  %".74" = zext i1 %".73" to i64
  %".75" = add i64 %".47", %".74"
  %".76" = add i64 %".46", 1
  br label %".45"
.77:
  %".78" = add i64 %".9", 1
  br label %".8"
.79:
  %".80" = zext i1 %".13" to i64
  store i64 %".10", ptr %"array.2"
  %".81" = getelementptr inbounds i64, ptr %"array.2", i64 1
  store i64 %".11", ptr %".81"
  %".82" = getelementptr inbounds i64, ptr %"array.2", i64 2
  store i64 %".12", ptr %".82"
  %".83" = getelementptr inbounds i64, ptr %"array.2", i64 3
  store i64 %".80", ptr %".83"
  ret void
}

declare i64 @"llvm.umax.i64"(i64 %"number", i64 %"number.1")

declare i64 @"llvm.umin.i64"(i64 %"number", i64 %"number.1")
