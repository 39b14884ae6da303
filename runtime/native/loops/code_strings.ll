; Written by `python -m diablo.tools.loop_code` from string_codes.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"code_strings"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    i64 %"number", ptr noalias %"array.3", i64 %"number.1", ptr noalias %"array.4",
    ptr noalias %"array.5", i64 %"number.2", ptr noalias %"array.6", ptr noalias %"array.7",
    ptr noalias %"array.8", i64 %"number.3")
{
.1:
  %".2" = icmp eq i64 %"number.3", 0
  %".3" = getelementptr inbounds i64, ptr %"array.7", i64 0
  %".4" = load i64, ptr %".3"
  %".5" = getelementptr inbounds i64, ptr %"array.7", i64 1
  %".6" = load i64, ptr %".5"
  br label %".7"
.7:
  %".8" = phi  i64 [%".6", %".1"], [%".190", %".187"]
  %".9" = phi  i64 [%".4", %".1"], [%".186", %".187"]
  %".10" = icmp slt i64 %".8", %"number"
  %".11" = icmp slt i64 %".9", %"number.2"
  %".12" = and i1 %".10", %".11"
  br i1 %".12", label %".13", label %".191"
.13:
  %".14" = phi  i64 [%".8", %".7"]
  %".15" = phi  i64 [%".9", %".7"]
  %".16" = getelementptr inbounds i64, ptr %"array.1", i64 %".14"
  %".17" = load i64, ptr %".16"
  %".18" = getelementptr inbounds i64, ptr %"array.2", i64 %".14"
  %".19" = load i64, ptr %".18"
  %".20" = getelementptr inbounds i8, ptr %"array", i64 %".17"
  %".21" = load i64, ptr %".20", align 1
  %".22" = call i64 @"llvm.smin.i64"(i64 %".19", i64 8)
  %".23" = sub i64 8, %".22"
  %".24" = mul i64 %".23", 8
  %".25" = icmp ule i64 %".24", 63
  %".26" = lshr i64 -1, %".24"
  %".27" = select  i1 %".25", i64 %".26", i64 0
  %".28" = and i64 %".21", %".27"
  %".29" = icmp ne i64 %".19", 0
  %".30" = select  i1 %".29", i64 %".28", i64 0
  %".31" = add i64 %".17", 8
  %".32" = sub i64 %".19", 8
  %".33" = icmp sgt i64 %".32", 0
  %".34" = select  i1 %".33", i64 %".32", i64 8
  %".35" = getelementptr inbounds i8, ptr %"array", i64 %".31"
  %".36" = load i64, ptr %".35", align 1
  %".37" = call i64 @"llvm.smin.i64"(i64 %".34", i64 8)
  %".38" = sub i64 8, %".37"
  %".39" = mul i64 %".38", 8
  %".40" = icmp ule i64 %".39", 63
  %".41" = lshr i64 -1, %".39"
  %".42" = select  i1 %".40", i64 %".41", i64 0
  %".43" = and i64 %".36", %".42"
  %".44" = select  i1 %".33", i64 %".43", i64 0
  %".45" = xor i64 %".19", %".30"
  %".46" = mul i64 %".45", -7046029254386353131
  %".47" = lshr i64 %".46", 32
  %".48" = xor i64 %".46", %".47"
  %".49" = xor i64 %".48", %".44"
  %".50" = mul i64 %".49", -7046029254386353131
  %".51" = lshr i64 %".50", 32
  %".52" = xor i64 %".50", %".51"
  br label %".53"
.53:
  %".54" = phi  i64 [16, %".13"], [%".73", %".57"]
  %".55" = phi  i64 [%".52", %".13"], [%".72", %".57"]
  %".56" = icmp slt i64 %".54", %".19"
  br i1 %".56", label %".57", label %".74"
.57:
  %".58" = add i64 %".17", %".54"
  %".59" = getelementptr inbounds i8, ptr %"array", i64 %".58"
  %".60" = load i64, ptr %".59", align 1
  %".61" = sub i64 %".19", %".54"
  %".62" = call i64 @"llvm.smin.i64"(i64 %".61", i64 8)
  %".63" = sub i64 8, %".62"
  %".64" = mul i64 %".63", 8
  %".65" = icmp ule i64 %".64", 63
  %".66" = lshr i64 -1, %".64"
  %".67" = select  i1 %".65", i64 %".66", i64 0
  %".68" = and i64 %".60", %".67"
  %".69" = xor i64 %".55", %".68"
  %".70" = mul i64 %".69", -7046029254386353131
  %".71" = lshr i64 %".70", 32
  %".72" = xor i64 %".70", %".71"
  %".73" = add i64 %".54", 8
  br label %".53"
.74:
  %".75" = mul i64 %".55", -7046029254386353131
  %".76" = lshr i64 %".75", 32
  %".77" = and i64 %".55", %"number.1"
  br label %".78"
.78:
  %".79" = phi  i64 [%".77", %".74"], [%".164", %".160"]
  %".80" = getelementptr inbounds i64, ptr %"array.3", i64 %".79"
  %".81" = load i64, ptr %".80"
  %".82" = icmp ne i64 %".81", -1
  br i1 %".82", label %".83", label %".156"
.83:
  %".84" = lshr i64 %".81", 32
  %".85" = icmp eq i64 %".84", %".76"
  br i1 %".85", label %".86", label %".152"
.86:
  %".87" = and i64 %".81", 4294967295
  %".88" = mul i64 %".87", 4
  %".89" = add i64 %".88", 1
  %".90" = add i64 %".88", 2
  %".91" = add i64 %".88", 3
  %".92" = getelementptr inbounds i64, ptr %"array.4", i64 %".89"
  %".93" = load i64, ptr %".92"
  %".94" = getelementptr inbounds i64, ptr %"array.4", i64 %".90"
  %".95" = load i64, ptr %".94"
  %".96" = getelementptr inbounds i64, ptr %"array.4", i64 %".91"
  %".97" = load i64, ptr %".96"
  %".98" = xor i64 %".19", %".93"
  %".99" = xor i64 %".30", %".95"
  %".100" = xor i64 %".44", %".97"
  %".101" = or i64 %".99", %".100"
  %".102" = or i64 %".98", %".101"
  %".103" = icmp eq i64 %".102", 0
  br i1 %".103", label %".104", label %".148"
.104:
  %".105" = getelementptr inbounds i64, ptr %"array.4", i64 %".88"
  %".106" = load i64, ptr %".105"
  br label %".107"
.107:
  %".108" = phi  i64 [16, %".104"], [%".146", %".135"]
  %".109" = phi  i1 [0, %".104"], [%".145", %".135"]
  %".110" = icmp slt i64 %".108", %".19"
  %".111" = xor i1 %".109", -1
  %".112" = and i1 %".110", %".111"
  br i1 %".112", label %".113", label %".147"
.113:
  %".114" = phi  i64 [%".108", %".107"]
  %".115" = phi  i1 [%".109", %".107"]
  %".116" = add i64 %".17", %".114"
  %".117" = add i64 %".106", %".114"
  %".118" = getelementptr inbounds i8, ptr %"array", i64 %".116"
  %".119" = load i64, ptr %".118", align 1
  br label %".120"
.120:
  %".121" = phi  i64 [0, %".113"], [%".134", %".124"]
  %".122" = phi  i64 [0, %".113"], [%".133", %".124"]
  %".123" = icmp slt i64 %".121", 8
  br i1 %".123", label %".124", label %".135"
.124:
  %".125" = add i64 %".117", %".121"
  %".126" = getelementptr inbounds i8, ptr %"array.8", i64 %".125"
  %".127" = load i8, ptr %".126"
  %".128" = zext i8 %".127" to i64
  %".129" = mul i64 %".121", 8
  %".130" = icmp ule i64 %".129", 63
  %".131" = shl i64 %".128", %".129"
  %".132" = select  i1 %".130", i64 %".131", i64 0
  %".133" = or i64 %".122", %".132"
  %".134" = add i64 %".121", 1
  br label %".120"
.135:
  %".136" = xor i64 %".119", %".122"
  %".137" = sub i64 %".19", %".114"
  %".138" = call i64 @"llvm.smin.i64"(i64 %".137", i64 8)
  %".139" = sub i64 8, %".138"
  %".140" = mul i64 %".139", 8
  %".141" = icmp ule i64 %".140", 63
  %".142" = lshr i64 -1, %".140"
  %".143" = select  i1 %".141", i64 %".142", i64 0
  %".144" = and i64 %".136", %".143"
  %".145" = icmp ne i64 %".144", 0
  %".146" = add i64 %".114", 8
  br label %".107"
.147:
  br label %".149"
.148:
  br label %".149"
.149:
  %".150" = phi  i1 [%".109", %".147"], [-1, %".148"]
  br label %".151"
.151:
  br label %".153"
.152:
  br label %".153"
.153:
  %".154" = phi  i1 [%".150", %".151"], [-1, %".152"]
  br label %".155"
.155:
  br label %".157"
.156:
  br label %".157"
.157:
  %".158" = phi  i1 [%".154", %".155"], [0, %".156"]
  br label %".159"
.159:
  br i1 %".158", label %".160", label %".165"
.160:
  %".161" = phi  i64 [%".79", %".159"]
  %".162" = phi  i64 [%".81", %".159"]
  %".163" = add i64 %".161", 1
  %".164" = and i64 %".163", %"number.1"
  br label %".78"
.165:
  %".166" = icmp eq i64 %".81", -1
  %".167" = and i1 %".166", %".2"
  br i1 %".167", label %".168", label %".182"
.168:
  %".169" = shl i64 %".76", 32
  %".170" = or i64 %".169", %".15"
  %".171" = getelementptr inbounds i64, ptr %"array.3", i64 %".79"
  store i64 %".170", ptr %".171"
  %".172" = getelementptr inbounds i64, ptr %"array.5", i64 %".15"
  store i64 %".55", ptr %".172"
  %".173" = mul i64 %".15", 4
  %".174" = add i64 %".173", 1
  %".175" = add i64 %".173", 2
  %".176" = add i64 %".173", 3
  %".177" = getelementptr inbounds i64, ptr %"array.4", i64 %".173"
  store i64 %".17", ptr %".177"
  %".178" = getelementptr inbounds i64, ptr %"array.4", i64 %".174"
  store i64 %".19", ptr %".178"
  %".179" = getelementptr inbounds i64, ptr %"array.4", i64 %".175"
  store i64 %".30", ptr %".179"
  %".180" = getelementptr inbounds i64, ptr %"array.4", i64 %".176"
  store i64 %".44", ptr %".180"
  %".181" = add i64 %".15", 1
  br label %".184"
.182:
  %".183" = and i64 %".81", 4294967295
  br label %".184"
.184:
  %".185" = phi  i64 [%".15", %".168"], [%".183", %".182"]
  %".186" = phi  i64 [%".181", %".168"], [%".15", %".182"]
  br label %".187"
.187:
  %".188" = trunc i64 %".185" to i32
  %".189" = getelementptr inbounds i32, ptr %"array.6", i64 %".14"
  store i32 %".188", ptr %".189"
  %".190" = add i64 %".14", 1
  br label %".7"
.191:
  %".192" = getelementptr inbounds i64, ptr %"array.7", i64 0
  store i64 %".9", ptr %".192"
  %".193" = getelementptr inbounds i64, ptr %"array.7", i64 1
  store i64 %".8", ptr %".193"
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")
