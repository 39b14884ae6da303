; Written by `python -m diablo.tools.loop_code` from group_selection.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"select_in_groups"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", i64 %"number", ptr noalias %"array.3", ptr noalias %"array.4",
    i64 %"number.1", i64 %"number.2")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number.1", %".1"], [%".180", %".179"]
  %".4" = icmp slt i64 %".3", %"number.2"
  br i1 %".4", label %".5", label %".181"
.5:
  %".6" = add i64 %".3", 1
  %".7" = getelementptr inbounds i64, ptr %"array", i64 %".3"
  %".8" = load i64, ptr %".7"
  %".9" = getelementptr inbounds i64, ptr %"array", i64 %".6"
  %".10" = load i64, ptr %".9"
  %".11" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  %".12" = load i64, ptr %".11"
  %".13" = sub i64 %".10", %".8"
  %".14" = add i64 %".8", %"number"
  br label %".15"
.15:
  %".16" = phi  i64 [%".8", %".5"], [%".25", %".19"]
  %".17" = phi  i64 [0, %".5"], [%".24", %".19"]
  %".18" = icmp slt i64 %".16", %".10"
  br i1 %".18", label %".19", label %".26"
.19:
  %".20" = getelementptr inbounds double, ptr %"array.2", i64 %".16"
  %".21" = load double, ptr %".20"
  %".22" = fcmp uno double %".21", %".21"
  %".23" = zext i1 %".22" to i64
  %".24" = add i64 %".17", %".23"
  %".25" = add i64 %".16", 1
  br label %".15"
.26:
  %".27" = getelementptr inbounds double, ptr %"array.3", i64 %".3"
  store double 0x7ff8000000000000, ptr %".27"
  %".28" = getelementptr inbounds double, ptr %"array.4", i64 %".3"
  store double 0x7ff8000000000000, ptr %".28"
  %".29" = icmp eq i64 %".17", 0
  br i1 %".29", label %".30", label %".179"
.30:
  br label %".31"
.31:
  %".32" = phi  i64 [%".8", %".30"], [%".118", %".105"]
  %".33" = phi  i64 [%".13", %".30"], [%".119", %".105"]
  %".34" = phi  i64 [%".12", %".30"], [%".114", %".105"]
  %".35" = phi  i64 [%".14", %".30"], [%".120", %".105"]
  %".36" = phi  double [0x7ff0000000000000, %".30"], [%".117", %".105"]
  %".37" = phi  i1 [0, %".30"], [%".109", %".105"]
  %".38" = phi  double [0x7ff8000000000000, %".30"], [%".82", %".105"]
  %".39" = phi  i64 [88172645463325252, %".30"], [%".69", %".105"]
  %".40" = phi  i1 [0, %".30"], [%".110", %".105"]
  %".41" = icmp sgt i64 %".33", 24
  %".42" = xor i1 %".40", -1
  %".43" = and i1 %".41", %".42"
  br i1 %".43", label %".44", label %".121"
.44:
  %".45" = phi  i64 [%".32", %".31"]
  %".46" = phi  i64 [%".33", %".31"]
  %".47" = phi  i64 [%".34", %".31"]
  %".48" = phi  i64 [%".35", %".31"]
  %".49" = phi  double [%".36", %".31"]
  %".50" = phi  i1 [%".37", %".31"]
  %".51" = phi  double [%".38", %".31"]
  %".52" = phi  i64 [%".39", %".31"]
  %".53" = phi  i1 [%".40", %".31"]
  %".54" = mul i64 %".52", 6364136223846793005
  %".55" = add i64 %".54", 1442695040888963407
  %".56" = lshr i64 %".55", 33
  %".57" = urem i64 %".56", %".46"
  %".58" = add i64 %".45", %".57"
  %".59" = getelementptr inbounds double, ptr %"array.2", i64 %".58"
  %".60" = load double, ptr %".59"
  %".61" = mul i64 %".55", 6364136223846793005
  %".62" = add i64 %".61", 1442695040888963407
  %".63" = lshr i64 %".62", 33
  %".64" = urem i64 %".63", %".46"
  %".65" = add i64 %".45", %".64"
  %".66" = getelementptr inbounds double, ptr %"array.2", i64 %".65"
  %".67" = load double, ptr %".66"
  %".68" = mul i64 %".62", 6364136223846793005
  %".69" = add i64 %".68", 1442695040888963407
  %".70" = lshr i64 %".69", 33
  %".71" = urem i64 %".70", %".46"
  %".72" = add i64 %".45", %".71"
  %".73" = getelementptr inbounds double, ptr %"array.2", i64 %".72"
  %".74" = load double, ptr %".73"
  %".75" = fcmp olt double %".60", %".67"
  %".76" = select  i1 %".75", double %".60", double %".67"
  %".77" = select  i1 %".75", double %".67", double %".60"
  %".78" = fcmp olt double %".74", %".77"
  %".79" = select  i1 %".78", double %".74", double %".77"
  %".80" = fcmp ogt double %".79", %".76"
  %".81" = select  i1 %".80", double %".79", double %".76"
  %".82" = select  i1 %".50", double %".51", double %".81"
  %".83" = add i64 %".45", %".46"
  %".84" = add i64 %".48", %".46"
  %".85" = sub i64 %".84", 1
  br label %".86"
.86:
  %".87" = phi  i64 [%".45", %".44"], [%".104", %".91"]
  %".88" = phi  i64 [%".48", %".44"], [%".101", %".91"]
  %".89" = phi  i64 [%".85", %".44"], [%".103", %".91"]
  %".90" = icmp slt i64 %".87", %".83"
  br i1 %".90", label %".91", label %".105"
.91:
  %".92" = getelementptr inbounds double, ptr %"array.2", i64 %".87"
  %".93" = load double, ptr %".92"
  %".94" = getelementptr inbounds double, ptr %"array.2", i64 %".88"
  store double %".93", ptr %".94"
  %".95" = getelementptr inbounds double, ptr %"array.2", i64 %".89"
  store double %".93", ptr %".95"
  %".96" = fcmp olt double %".93", %".82"
  %".97" = fcmp oeq double %".93", %".82"
  %".98" = and i1 %".97", %".50"
  %".99" = or i1 %".96", %".98"
  %".100" = zext i1 %".99" to i64
  %".101" = add i64 %".88", %".100"
  %".102" = sub i64 %".100", 1
  %".103" = add i64 %".89", %".102"
  %".104" = add i64 %".87", 1
  br label %".86"
.105:
  %".106" = sub i64 %".88", %".48"
  %".107" = sub i64 %".46", %".106"
  %".108" = icmp slt i64 %".47", %".106"
  %".109" = icmp eq i64 %".106", 0
  %".110" = and i1 %".108", %".50"
  %".111" = xor i1 %".50", -1
  %".112" = and i1 %".108", %".111"
  %".113" = sub i64 %".47", %".106"
  %".114" = select  i1 %".112", i64 %".47", i64 %".113"
  %".115" = select  i1 %".112", i64 %".106", i64 %".107"
  %".116" = select  i1 %".112", i64 %".48", i64 %".88"
  %".117" = select  i1 %".112", double %".82", double %".49"
  %".118" = select  i1 %".109", i64 %".45", i64 %".116"
  %".119" = select  i1 %".109", i64 %".46", i64 %".115"
  %".120" = select  i1 %".109", i64 %".48", i64 %".45"
  br label %".31"
.121:
  %".122" = getelementptr inbounds double, ptr %"array.4", i64 %".3"
  store double %".36", ptr %".122"
  %".123" = add i64 %".32", %".33"
  br i1 %".40", label %".124", label %".144"
.124:
  %".125" = getelementptr inbounds double, ptr %"array.3", i64 %".3"
  store double %".38", ptr %".125"
  %".126" = add i64 %".34", 1
  %".127" = icmp slt i64 %".126", 0
  br i1 %".127", label %".128", label %".130"
.128:
  %".129" = getelementptr inbounds double, ptr %"array.4", i64 %".3"
  store double %".38", ptr %".129"
  br label %".143"
.130:
  br label %".131"
.131:
  %".132" = phi  i64 [%".32", %".130"], [%".140", %".135"]
  %".133" = phi  double [%".36", %".130"], [%".139", %".135"]
  %".134" = icmp slt i64 %".132", %".123"
  br i1 %".134", label %".135", label %".141"
.135:
  %".136" = getelementptr inbounds double, ptr %"array.2", i64 %".132"
  %".137" = load double, ptr %".136"
  %".138" = fcmp olt double %".137", %".133"
  %".139" = select  i1 %".138", double %".137", double %".133"
  %".140" = add i64 %".132", 1
  br label %".131"
.141:
  %".142" = getelementptr inbounds double, ptr %"array.4", i64 %".3"
  store double %".133", ptr %".142"
  br label %".143"
.143:
  br label %".178"
.144:
  %".145" = add i64 %".34", 1
  br label %".146"
.146:
  %".147" = phi  i64 [%".32", %".144"], [%".176", %".175"]
  %".148" = icmp slt i64 %".147", %".123"
  br i1 %".148", label %".149", label %".177"
.149:
  %".150" = getelementptr inbounds double, ptr %"array.2", i64 %".147"
  %".151" = load double, ptr %".150"
  br label %".152"
.152:
  %".153" = phi  i64 [%".32", %".149"], [%".166", %".156"]
  %".154" = phi  i64 [0, %".149"], [%".165", %".156"]
  %".155" = icmp slt i64 %".153", %".123"
  br i1 %".155", label %".156", label %".167"
.156:
  %".157" = getelementptr inbounds double, ptr %"array.2", i64 %".153"
  %".158" = load double, ptr %".157"
  %".159" = fcmp olt double %".158", %".151"
  %".160" = fcmp oeq double %".158", %".151"
  %".161" = icmp slt i64 %".153", %".147"
  %".162" = and i1 %".160", %".161"
  %".163" = or i1 %".159", %".162"
  %".164" = zext i1 %".163" to i64
  %".165" = add i64 %".154", %".164"
  %".166" = add i64 %".153", 1
  br label %".152"
.167:
  %".168" = icmp eq i64 %".154", %".34"
  br i1 %".168", label %".169", label %".171"
.169:
  %".170" = getelementptr inbounds double, ptr %"array.3", i64 %".3"
  store double %".151", ptr %".170"
  br label %".171"
.171:
  %".172" = icmp eq i64 %".154", %".145"
  br i1 %".172", label %".173", label %".175"
.173:
  %".174" = getelementptr inbounds double, ptr %"array.4", i64 %".3"
  store double %".151", ptr %".174"
  br label %".175"
.175:
  %".176" = add i64 %".147", 1
  br label %".146"
.177:
  br label %".178"
.178:
  br label %".179"
.179:
  %".180" = add i64 %".3", 1
  br label %".2"
.181:
  ret void
}
