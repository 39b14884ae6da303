; Written by `python -m diablo.tools.loop_code` from row_checks.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"check_rows"(ptr noalias %"array", ptr noalias %"array.1", i64 %"number",
    ptr noalias %"array.2", i64 %"number.1", i64 %"number.2", i64 %"number.3", i64 %"number.4")
{
.1:
  %".2" = getelementptr inbounds i32, ptr %"array.1", i64 %"number.1"
  %".3" = load i32, ptr %".2"
  %".4" = sub i64 %"number.2", %"number.1"
  %".5" = sub i64 %"number.4", %"number.3"
  %".6" = udiv i64 %".4", 16384
  %".7" = add i64 %".6", 1
  br label %".8"
.8:
  %".9" = phi  i64 [0, %".1"], [%".80", %".79"]
  %".10" = phi  i32 [%".3", %".1"], [%".24", %".79"]
  %".11" = phi  i32 [0, %".1"], [%".25", %".79"]
  %".12" = phi  i32 [0, %".1"], [%".47", %".79"]
  %".13" = phi  i1 [0, %".1"], [%".48", %".79"]
  %".14" = icmp slt i64 %".9", %".7"
  br i1 %".14", label %".15", label %".81"
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
  %".24" = phi  i32 [%".10", %".15"], [%".33", %".27"]
  %".25" = phi  i32 [%".11", %".15"], [%".36", %".27"]
  %".26" = icmp slt i64 %".23", %".21"
  br i1 %".26", label %".27", label %".38"
.27:
  %".28" = getelementptr inbounds i32, ptr %"array.1", i64 %".23"
  %".29" = load i32, ptr %".28"
  %".30" = sub i64 %".23", 1
  %".31" = getelementptr inbounds i32, ptr %"array.1", i64 %".30"
  %".32" = load i32, ptr %".31"
  %".33" = call i32 @"llvm.umax.i32"(i32 %".24", i32 %".29")
  %".34" = icmp sle i32 %".29", %".32"
  %".35" = zext i1 %".34" to i32
  %".36" = add i32 %".25", %".35"
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
  %".46" = phi  i64 [%".43", %".38"], [%".78", %".50"]
  %".47" = phi  i32 [%".12", %".38"], [%".77", %".50"]
  %".48" = phi  i1 [%".13", %".38"], [%".61", %".50"]
  %".49" = icmp slt i64 %".46", %".44"
  br i1 %".49", label %".50", label %".79"
.50:
  %".51" = add i64 %".46", 1
  %".52" = getelementptr inbounds i32, ptr %"array", i64 %".46"
  %".53" = load i32, ptr %".52"
  %".54" = zext i32 %".53" to i64
  %".55" = getelementptr inbounds i32, ptr %"array", i64 %".51"
  %".56" = load i32, ptr %".55"
  %".57" = zext i32 %".56" to i64
  %".58" = icmp ugt i64 %".54", %".57"
  %".59" = icmp ugt i64 %".57", %"number"
  %".60" = or i1 %".58", %".59"
  %".61" = or i1 %".48", %".60"
  %".62" = icmp ugt i64 %".54", 0
  %".63" = icmp ult i64 %".54", %".57"
  %".64" = icmp ule i64 %".57", %"number"
  %".65" = and i1 %".62", %".63"
  %".66" = and i1 %".65", %".64"
  %".67" = select  i1 %".66", i64 %".54", i64 1
  %".68" = sub i64 %".67", 1
  %".69" = select  i1 %".66", i64 %".67", i64 0
  %".70" = getelementptr inbounds i32, ptr %"array.1", i64 %".69"
  %".71" = load i32, ptr %".70"
  %".72" = getelementptr inbounds i32, ptr %"array.1", i64 %".68"
  %".73" = load i32, ptr %".72"
  %".74" = icmp sle i32 %".71", %".73"
  %".75" = and i1 %".74", %".66"
  %".76" = zext i1 %".75" to i32
  %".77" = add i32 %".47", %".76"
  %".78" = add i64 %".46", 1
  br label %".45"
.79:
  %".80" = add i64 %".9", 1
  br label %".8"
.81:
  %".82" = sext i32 %".10" to i64
  %".83" = sext i32 %".11" to i64
  %".84" = sext i32 %".12" to i64
  %".85" = zext i1 %".13" to i64
  store i64 %".82", ptr %"array.2"
  %".86" = getelementptr inbounds i64, ptr %"array.2", i64 1
  store i64 %".83", ptr %".86"
  %".87" = getelementptr inbounds i64, ptr %"array.2", i64 2
  store i64 %".84", ptr %".87"
  %".88" = getelementptr inbounds i64, ptr %"array.2", i64 3
  store i64 %".85", ptr %".88"
  ret void
}

declare i64 @"llvm.umax.i64"(i64 %"number", i64 %"number.1")

declare i64 @"llvm.umin.i64"(i64 %"number", i64 %"number.1")

declare i32 @"llvm.umax.i32"(i32 %"number", i32 %"number.1")
