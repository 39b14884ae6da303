; Written by `python -m diablo.tools.loop_code` from string_values.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"doubles_of_strings"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", i64 %"number", i64 %"number.1",
    ptr noalias %"array.4", ptr noalias %"array.5")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".129", %".124"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".130"
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
  br label %".16"
.16:
  %".17" = phi  i64 [%".15", %".5"], [%".53", %".27"]
  %".18" = phi  i64 [0, %".5"], [%".46", %".27"]
  %".19" = phi  i64 [0, %".5"], [%".48", %".27"]
  %".20" = phi  i64 [0, %".5"], [%".50", %".27"]
  %".21" = phi  i1 [0, %".5"], [%".51", %".27"]
  %".22" = phi  i1 [-1, %".5"], [%".42", %".27"]
  %".23" = icmp slt i64 %".17", %".9"
  %".24" = icmp sle i64 %".19", 18
  %".25" = and i1 %".23", %".24"
  %".26" = and i1 %".25", %".22"
  br i1 %".26", label %".27", label %".54"
.27:
  %".28" = phi  i64 [%".17", %".16"]
  %".29" = phi  i64 [%".18", %".16"]
  %".30" = phi  i64 [%".19", %".16"]
  %".31" = phi  i64 [%".20", %".16"]
  %".32" = phi  i1 [%".21", %".16"]
  %".33" = phi  i1 [%".22", %".16"]
  %".34" = add i64 %".7", %".28"
  %".35" = getelementptr inbounds i8, ptr %"array", i64 %".34"
  %".36" = load i8, ptr %".35"
  %".37" = sub i8 %".36", 48
  %".38" = icmp ult i8 %".37", 10
  %".39" = icmp eq i8 %".36", 46
  %".40" = xor i1 %".32", -1
  %".41" = and i1 %".39", %".40"
  %".42" = or i1 %".38", %".41"
  %".43" = mul i64 %".29", 10
  %".44" = zext i8 %".37" to i64
  %".45" = add i64 %".43", %".44"
  %".46" = select  i1 %".38", i64 %".45", i64 %".29"
  %".47" = select  i1 %".38", i64 1, i64 0
  %".48" = add i64 %".30", %".47"
  %".49" = select  i1 %".32", i64 %".47", i64 0
  %".50" = add i64 %".31", %".49"
  %".51" = or i1 %".32", %".41"
  %".52" = select  i1 %".42", i64 1, i64 0
  %".53" = add i64 %".28", %".52"
  br label %".16"
.54:
  %".55" = icmp sgt i64 %".19", 0
  %".56" = icmp sle i64 %".19", 18
  %".57" = and i1 %".55", %".56"
  %".58" = icmp eq i64 %".17", %".9"
  br i1 %".58", label %".59", label %".60"
.59:
  br label %".102"
.60:
  %".61" = add i64 %".7", %".17"
  %".62" = getelementptr inbounds i8, ptr %"array", i64 %".61"
  %".63" = load i8, ptr %".62"
  %".64" = or i8 %".63", 32
  %".65" = icmp eq i8 %".64", 101
  %".66" = add i64 %".17", 1
  %".67" = add i64 %".7", %".66"
  %".68" = getelementptr inbounds i8, ptr %"array", i64 %".67"
  %".69" = load i8, ptr %".68"
  %".70" = icmp eq i8 %".69", 43
  %".71" = icmp eq i8 %".69", 45
  %".72" = or i1 %".70", %".71"
  %".73" = select  i1 %".72", i64 1, i64 0
  %".74" = add i64 %".66", %".73"
  %".75" = sub i64 %".9", %".74"
  %".76" = icmp sgt i64 %".75", 0
  %".77" = icmp sle i64 %".75", 4
  %".78" = and i1 %".76", %".77"
  %".79" = and i1 %".65", %".78"
  br label %".80"
.80:
  %".81" = phi  i64 [%".74", %".60"], [%".98", %".86"]
  %".82" = phi  i64 [0, %".60"], [%".97", %".86"]
  %".83" = phi  i1 [%".79", %".60"], [%".94", %".86"]
  %".84" = icmp slt i64 %".81", %".9"
  %".85" = and i1 %".84", %".83"
  br i1 %".85", label %".86", label %".99"
.86:
  %".87" = phi  i64 [%".81", %".80"]
  %".88" = phi  i64 [%".82", %".80"]
  %".89" = phi  i1 [%".83", %".80"]
  %".90" = add i64 %".7", %".87"
  %".91" = getelementptr inbounds i8, ptr %"array", i64 %".90"
  %".92" = load i8, ptr %".91"
  %".93" = sub i8 %".92", 48
  %".94" = icmp ult i8 %".93", 10
  %".95" = mul i64 %".88", 10
  %".96" = zext i8 %".93" to i64
  %".97" = add i64 %".95", %".96"
  %".98" = add i64 %".87", 1
  br label %".80"
.99:
  %".100" = sub i64 0, %".82"
  %".101" = select  i1 %".71", i64 %".100", i64 %".82"
  br label %".102"
.102:
  %".103" = phi  i64 [0, %".59"], [%".101", %".99"]
  %".104" = phi  i1 [-1, %".59"], [%".83", %".99"]
  %".105" = sub i64 %".103", %".20"
  %".106" = sub i64 0, %".105"
  %".107" = icmp slt i64 %".105", 0
  %".108" = select  i1 %".107", i64 %".106", i64 %".105"
  %".109" = icmp sle i64 %".108", 22
  %".110" = icmp sle i64 %".18", 9007199254740992
  %".111" = and i1 %".57", %".104"
  %".112" = and i1 %".109", %".110"
  %".113" = and i1 %".111", %".112"
  br i1 %".113", label %".114", label %".123"
.114:
  %".115" = getelementptr inbounds double, ptr %"array.3", i64 %".108"
  %".116" = load double, ptr %".115"
  %".117" = sitofp i64 %".18" to double
  %".118" = fdiv double %".117", %".116"
  %".119" = fmul double %".117", %".116"
  %".120" = select  i1 %".107", double %".118", double %".119"
  %".121" = fneg double %".120"
  %".122" = select  i1 %".13", double %".121", double %".120"
  br label %".124"
.123:
  br label %".124"
.124:
  %".125" = phi  double [%".122", %".114"], [             0x0, %".123"]
  %".126" = getelementptr inbounds double, ptr %"array.4", i64 %".3"
  store double %".125", ptr %".126"
  %".127" = zext i1 %".113" to i8
  %".128" = getelementptr inbounds i8, ptr %"array.5", i64 %".3"
  store i8 %".127", ptr %".128"
  %".129" = add i64 %".3", 1
  br label %".2"
.130:
  ret void
}
