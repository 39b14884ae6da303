; Written by `python -m diablo.tools.loop_code` from string_contents.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"find_in_strings"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4",
    ptr noalias %".5", i64 %".6", ptr noalias %".7")
{
.8:
  %".9" = call i64 @"llvm.smin.i64"(i64 %".6", i64 8)
  %".10" = sub i64 8, %".9"
  %".11" = mul i64 %".10", 8
  br label %".12"
.12:
  %".13" = phi  i64 [0, %".8"], [%".22", %".16"]
  %".14" = phi  i64 [0, %".8"], [%".21", %".16"]
  %".15" = icmp slt i64 %".13", 8
  br i1 %".15", label %".16", label %".23"
.16:
  %".17" = getelementptr inbounds i8, ptr %".5", i64 %".13"
  %".18" = load i8, ptr %".17"
  %".19" = zext i8 %".18" to i64
  %".20" = shl i64 %".14", 8
  %".21" = or i64 %".20", %".19"
  %".22" = add i64 %".13", 1
  br label %".12"
.23:
  %".24" = icmp ule i64 %".11", 63
  %".25" = lshr i64 %".14", %".11"
  %".26" = select  i1 %".24", i64 %".25", i64 0
  br label %".27"
.27:
  %".28" = phi  i64 [0, %".23"], [%".89", %".85"]
  %".29" = icmp slt i64 %".28", %".4"
  br i1 %".29", label %".30", label %".90"
.30:
  %".31" = getelementptr inbounds i64, ptr %".2", i64 %".28"
  %".32" = load i64, ptr %".31"
  %".33" = getelementptr inbounds i64, ptr %".3", i64 %".28"
  %".34" = load i64, ptr %".33"
  %".35" = sub i64 %".34", %".6"
  br label %".36"
.36:
  %".37" = phi  i64 [0, %".30"], [%".84", %".83"]
  %".38" = phi  i1 [0, %".30"], [%".82", %".83"]
  %".39" = icmp sle i64 %".37", %".35"
  %".40" = xor i1 %".38", -1
  %".41" = and i1 %".39", %".40"
  br i1 %".41", label %".42", label %".85"
.42:
  %".43" = phi  i64 [%".37", %".36"]
  %".44" = phi  i1 [%".38", %".36"]
  %".45" = add i64 %".32", %".43"
  br label %".46"
.46:
  %".47" = phi  i64 [0, %".42"], [%".57", %".50"]
  %".48" = phi  i64 [0, %".42"], [%".56", %".50"]
  %".49" = icmp slt i64 %".47", 8
  br i1 %".49", label %".50", label %".58"
.50:
  %".51" = add i64 %".45", %".47"
  %".52" = getelementptr inbounds i8, ptr %".1", i64 %".51"
  %".53" = load i8, ptr %".52"
  %".54" = zext i8 %".53" to i64
  %".55" = shl i64 %".48", 8
  %".56" = or i64 %".55", %".54"
  %".57" = add i64 %".47", 1
  br label %".46"
.58:
  %".59" = icmp ule i64 %".11", 63
  %".60" = lshr i64 %".48", %".11"
  %".61" = select  i1 %".59", i64 %".60", i64 0
  %".62" = icmp eq i64 %".61", %".26"
  br i1 %".62", label %".63", label %".80"
.63:
  br label %".64"
.64:
  %".65" = phi  i64 [8, %".63"], [%".78", %".69"]
  %".66" = phi  i1 [-1, %".63"], [%".77", %".69"]
  %".67" = icmp slt i64 %".65", %".6"
  %".68" = and i1 %".67", %".66"
  br i1 %".68", label %".69", label %".79"
.69:
  %".70" = phi  i64 [%".65", %".64"]
  %".71" = phi  i1 [%".66", %".64"]
  %".72" = add i64 %".45", %".70"
  %".73" = getelementptr inbounds i8, ptr %".1", i64 %".72"
  %".74" = load i8, ptr %".73"
  %".75" = getelementptr inbounds i8, ptr %".5", i64 %".70"
  %".76" = load i8, ptr %".75"
  %".77" = icmp eq i8 %".74", %".76"
  %".78" = add i64 %".70", 1
  br label %".64"
.79:
  br label %".81"
.80:
  br label %".81"
.81:
  %".82" = phi  i1 [%".66", %".79"], [0, %".80"]
  br label %".83"
.83:
  %".84" = add i64 %".43", 1
  br label %".36"
.85:
  %".86" = add i64 %".37", -1
  %".87" = select  i1 %".38", i64 %".86", i64 -1
  %".88" = getelementptr inbounds i64, ptr %".7", i64 %".28"
  store i64 %".87", ptr %".88"
  %".89" = add i64 %".28", 1
  br label %".27"
.90:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %".1", i64 %".2")
