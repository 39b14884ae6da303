; Written by `python -m diablo.tools.loop_code` from group_selection.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"select_in_groups"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4",
    ptr noalias %".5", ptr noalias %".6", i64 %".7", i64 %".8")
{
.9:
  br label %".10"
.10:
  %".11" = phi  i64 [%".7", %".9"], [%".188", %".187"]
  %".12" = icmp slt i64 %".11", %".8"
  br i1 %".12", label %".13", label %".189"
.13:
  %".14" = add i64 %".11", 1
  %".15" = getelementptr inbounds i64, ptr %".1", i64 %".11"
  %".16" = load i64, ptr %".15"
  %".17" = getelementptr inbounds i64, ptr %".1", i64 %".14"
  %".18" = load i64, ptr %".17"
  %".19" = getelementptr inbounds i64, ptr %".2", i64 %".11"
  %".20" = load i64, ptr %".19"
  %".21" = sub i64 %".18", %".16"
  %".22" = add i64 %".16", %".4"
  br label %".23"
.23:
  %".24" = phi  i64 [%".16", %".13"], [%".33", %".27"]
  %".25" = phi  i64 [0, %".13"], [%".32", %".27"]
  %".26" = icmp slt i64 %".24", %".18"
  br i1 %".26", label %".27", label %".34"
.27:
  %".28" = getelementptr inbounds double, ptr %".3", i64 %".24"
  %".29" = load double, ptr %".28"
  %".30" = fcmp uno double %".29", %".29"
  %".31" = zext i1 %".30" to i64
  %".32" = add i64 %".25", %".31"
  %".33" = add i64 %".24", 1
  br label %".23"
.34:
  %".35" = getelementptr inbounds double, ptr %".5", i64 %".11"
  store double 0x7ff8000000000000, ptr %".35"
  %".36" = getelementptr inbounds double, ptr %".6", i64 %".11"
  store double 0x7ff8000000000000, ptr %".36"
  %".37" = icmp eq i64 %".25", 0
  br i1 %".37", label %".38", label %".187"
.38:
  br label %".39"
.39:
  %".40" = phi  i64 [%".16", %".38"], [%".126", %".113"]
  %".41" = phi  i64 [%".21", %".38"], [%".127", %".113"]
  %".42" = phi  i64 [%".20", %".38"], [%".122", %".113"]
  %".43" = phi  i64 [%".22", %".38"], [%".128", %".113"]
  %".44" = phi  double [0x7ff0000000000000, %".38"], [%".125", %".113"]
  %".45" = phi  i1 [0, %".38"], [%".117", %".113"]
  %".46" = phi  double [0x7ff8000000000000, %".38"], [%".90", %".113"]
  %".47" = phi  i64 [88172645463325252, %".38"], [%".77", %".113"]
  %".48" = phi  i1 [0, %".38"], [%".118", %".113"]
  %".49" = icmp sgt i64 %".41", 24
  %".50" = xor i1 %".48", -1
  %".51" = and i1 %".49", %".50"
  br i1 %".51", label %".52", label %".129"
.52:
  %".53" = phi  i64 [%".40", %".39"]
  %".54" = phi  i64 [%".41", %".39"]
  %".55" = phi  i64 [%".42", %".39"]
  %".56" = phi  i64 [%".43", %".39"]
  %".57" = phi  double [%".44", %".39"]
  %".58" = phi  i1 [%".45", %".39"]
  %".59" = phi  double [%".46", %".39"]
  %".60" = phi  i64 [%".47", %".39"]
  %".61" = phi  i1 [%".48", %".39"]
  %".62" = mul i64 %".60", 6364136223846793005
  %".63" = add i64 %".62", 1442695040888963407
  %".64" = lshr i64 %".63", 33
  %".65" = urem i64 %".64", %".54"
  %".66" = add i64 %".53", %".65"
  %".67" = getelementptr inbounds double, ptr %".3", i64 %".66"
  %".68" = load double, ptr %".67"
  %".69" = mul i64 %".63", 6364136223846793005
  %".70" = add i64 %".69", 1442695040888963407
  %".71" = lshr i64 %".70", 33
  %".72" = urem i64 %".71", %".54"
  %".73" = add i64 %".53", %".72"
  %".74" = getelementptr inbounds double, ptr %".3", i64 %".73"
  %".75" = load double, ptr %".74"
  %".76" = mul i64 %".70", 6364136223846793005
  %".77" = add i64 %".76", 1442695040888963407
  %".78" = lshr i64 %".77", 33
  %".79" = urem i64 %".78", %".54"
  %".80" = add i64 %".53", %".79"
  %".81" = getelementptr inbounds double, ptr %".3", i64 %".80"
  %".82" = load double, ptr %".81"
  %".83" = fcmp olt double %".68", %".75"
  %".84" = select  i1 %".83", double %".68", double %".75"
  %".85" = select  i1 %".83", double %".75", double %".68"
  %".86" = fcmp olt double %".82", %".85"
  %".87" = select  i1 %".86", double %".82", double %".85"
  %".88" = fcmp ogt double %".87", %".84"
  %".89" = select  i1 %".88", double %".87", double %".84"
  %".90" = select  i1 %".58", double %".59", double %".89"
  %".91" = add i64 %".53", %".54"
  %".92" = add i64 %".56", %".54"
  %".93" = sub i64 %".92", 1
  br label %".94"
.94:
  %".95" = phi  i64 [%".53", %".52"], [%".112", %".99"]
  %".96" = phi  i64 [%".56", %".52"], [%".109", %".99"]
  %".97" = phi  i64 [%".93", %".52"], [%".111", %".99"]
  %".98" = icmp slt i64 %".95", %".91"
  br i1 %".98", label %".99", label %".113"
.99:
  %".100" = getelementptr inbounds double, ptr %".3", i64 %".95"
  %".101" = load double, ptr %".100"
  %".102" = getelementptr inbounds double, ptr %".3", i64 %".96"
  store double %".101", ptr %".102"
  %".103" = getelementptr inbounds double, ptr %".3", i64 %".97"
  store double %".101", ptr %".103"
  %".104" = fcmp olt double %".101", %".90"
  %".105" = fcmp oeq double %".101", %".90"
  %".106" = and i1 %".105", %".58"
  %".107" = or i1 %".104", %".106"
  %".108" = zext i1 %".107" to i64
  %".109" = add i64 %".96", %".108"
  %".110" = sub i64 %".108", 1
  %".111" = add i64 %".97", %".110"
  %".112" = add i64 %".95", 1
  br label %".94"
.113:
  %".114" = sub i64 %".96", %".56"
  %".115" = sub i64 %".54", %".114"
  %".116" = icmp slt i64 %".55", %".114"
  %".117" = icmp eq i64 %".114", 0
  %".118" = and i1 %".116", %".58"
  %".119" = xor i1 %".58", -1
  %".120" = and i1 %".116", %".119"
  %".121" = sub i64 %".55", %".114"
  %".122" = select  i1 %".120", i64 %".55", i64 %".121"
  %".123" = select  i1 %".120", i64 %".114", i64 %".115"
  %".124" = select  i1 %".120", i64 %".56", i64 %".96"
  %".125" = select  i1 %".120", double %".90", double %".57"
  %".126" = select  i1 %".117", i64 %".53", i64 %".124"
  %".127" = select  i1 %".117", i64 %".54", i64 %".123"
  %".128" = select  i1 %".117", i64 %".56", i64 %".53"
  br label %".39"
.129:
  %".130" = getelementptr inbounds double, ptr %".6", i64 %".11"
  store double %".44", ptr %".130"
  %".131" = add i64 %".40", %".41"
  br i1 %".48", label %".132", label %".152"
.132:
  %".133" = getelementptr inbounds double, ptr %".5", i64 %".11"
  store double %".46", ptr %".133"
  %".134" = add i64 %".42", 1
  %".135" = icmp slt i64 %".134", 0
  br i1 %".135", label %".136", label %".138"
.136:
  %".137" = getelementptr inbounds double, ptr %".6", i64 %".11"
  store double %".46", ptr %".137"
  br label %".151"
.138:
  br label %".139"
.139:
  %".140" = phi  i64 [%".40", %".138"], [%".148", %".143"]
  %".141" = phi  double [%".44", %".138"], [%".147", %".143"]
  %".142" = icmp slt i64 %".140", %".131"
  br i1 %".142", label %".143", label %".149"
.143:
  %".144" = getelementptr inbounds double, ptr %".3", i64 %".140"
  %".145" = load double, ptr %".144"
  %".146" = fcmp olt double %".145", %".141"
  %".147" = select  i1 %".146", double %".145", double %".141"
  %".148" = add i64 %".140", 1
  br label %".139"
.149:
  %".150" = getelementptr inbounds double, ptr %".6", i64 %".11"
  store double %".141", ptr %".150"
  br label %".151"
.151:
  br label %".186"
.152:
  %".153" = add i64 %".42", 1
  br label %".154"
.154:
  %".155" = phi  i64 [%".40", %".152"], [%".184", %".183"]
  %".156" = icmp slt i64 %".155", %".131"
  br i1 %".156", label %".157", label %".185"
.157:
  %".158" = getelementptr inbounds double, ptr %".3", i64 %".155"
  %".159" = load double, ptr %".158"
  br label %".160"
.160:
  %".161" = phi  i64 [%".40", %".157"], [%".174", %".164"]
  %".162" = phi  i64 [0, %".157"], [%".173", %".164"]
  %".163" = icmp slt i64 %".161", %".131"
  br i1 %".163", label %".164", label %".175"
.164:
  %".165" = getelementptr inbounds double, ptr %".3", i64 %".161"
  %".166" = load double, ptr %".165"
  %".167" = fcmp olt double %".166", %".159"
  %".168" = fcmp oeq double %".166", %".159"
  %".169" = icmp slt i64 %".161", %".155"
  %".170" = and i1 %".168", %".169"
  %".171" = or i1 %".167", %".170"
  %".172" = zext i1 %".171" to i64
  %".173" = add i64 %".162", %".172"
  %".174" = add i64 %".161", 1
  br label %".160"
.175:
  %".176" = icmp eq i64 %".162", %".42"
  br i1 %".176", label %".177", label %".179"
.177:
  %".178" = getelementptr inbounds double, ptr %".5", i64 %".11"
  store double %".159", ptr %".178"
  br label %".179"
.179:
  %".180" = icmp eq i64 %".162", %".153"
  br i1 %".180", label %".181", label %".183"
.181:
  %".182" = getelementptr inbounds double, ptr %".6", i64 %".11"
  store double %".159", ptr %".182"
  br label %".183"
.183:
  %".184" = add i64 %".155", 1
  br label %".154"
.185:
  br label %".186"
.186:
  br label %".187"
.187:
  %".188" = add i64 %".11", 1
  br label %".10"
.189:
  ret void
}
