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
  %".3" = load i64, ptr %"array.7"
  %".4" = getelementptr inbounds i64, ptr %"array.7", i64 1
  %".5" = load i64, ptr %".4"
  br label %".6"
.6:
  %".7" = phi  i64 [%".5", %".1"], [%".185", %".180"]
  %".8" = phi  i64 [%".3", %".1"], [%".182", %".180"]
  %".9" = icmp slt i64 %".7", %"number"
  %".10" = icmp slt i64 %".8", %"number.2"
  %".11" = and i1 %".9", %".10"
  br i1 %".11", label %".12", label %".186"
.12:
  %".13" = phi  i64 [%".7", %".6"]
  %".14" = phi  i64 [%".8", %".6"]
  %".15" = getelementptr inbounds i64, ptr %"array.1", i64 %".13"
  %".16" = load i64, ptr %".15"
  %".17" = getelementptr inbounds i64, ptr %"array.2", i64 %".13"
  %".18" = load i64, ptr %".17"
  %".19" = getelementptr inbounds i8, ptr %"array", i64 %".16"
  %".20" = load i64, ptr %".19", align 1
  %".21" = call i64 @"llvm.smin.i64"(i64 %".18", i64 8)
  %".22" = sub i64 8, %".21"
  %".23" = mul i64 %".22", 8
  %".24" = icmp ule i64 %".23", 63
  %".25" = lshr i64 -1, %".23"
  %".26" = select  i1 %".24", i64 %".25", i64 0
  %".27" = and i64 %".20", %".26"
  %".28" = icmp ne i64 %".18", 0
  %".29" = select  i1 %".28", i64 %".27", i64 0
  %".30" = add i64 %".16", 8
  %".31" = sub i64 %".18", 8
  %".32" = icmp sgt i64 %".31", 0
  %".33" = select  i1 %".32", i64 %".31", i64 8
  %".34" = getelementptr inbounds i8, ptr %"array", i64 %".30"
  %".35" = load i64, ptr %".34", align 1
  %".36" = call i64 @"llvm.smin.i64"(i64 %".33", i64 8)
  %".37" = sub i64 8, %".36"
  %".38" = mul i64 %".37", 8
  %".39" = icmp ule i64 %".38", 63
  %".40" = lshr i64 -1, %".38"
  %".41" = select  i1 %".39", i64 %".40", i64 0
  %".42" = and i64 %".35", %".41"
  %".43" = select  i1 %".32", i64 %".42", i64 0
  %".44" = xor i64 %".18", %".29"
  %".45" = mul i64 %".44", -7046029254386353131
  %".46" = lshr i64 %".45", 32
  %".47" = xor i64 %".45", %".46"
  %".48" = xor i64 %".47", %".43"
  %".49" = mul i64 %".48", -7046029254386353131
  %".50" = lshr i64 %".49", 32
  %".51" = xor i64 %".49", %".50"
  br label %".52"
.52:
  %".53" = phi  i64 [16, %".12"], [%".72", %".56"]
  %".54" = phi  i64 [%".51", %".12"], [%".71", %".56"]
  %".55" = icmp slt i64 %".53", %".18"
  br i1 %".55", label %".56", label %".73"
.56:
  %".57" = add i64 %".16", %".53"
  %".58" = getelementptr inbounds i8, ptr %"array", i64 %".57"
  %".59" = load i64, ptr %".58", align 1
  %".60" = sub i64 %".18", %".53"
  %".61" = call i64 @"llvm.smin.i64"(i64 %".60", i64 8)
  %".62" = sub i64 8, %".61"
  %".63" = mul i64 %".62", 8
  %".64" = icmp ule i64 %".63", 63
  %".65" = lshr i64 -1, %".63"
  %".66" = select  i1 %".64", i64 %".65", i64 0
  %".67" = and i64 %".59", %".66"
  %".68" = xor i64 %".54", %".67"
  %".69" = mul i64 %".68", -7046029254386353131
  %".70" = lshr i64 %".69", 32
  %".71" = xor i64 %".69", %".70"
  %".72" = add i64 %".53", 8
  br label %".52"
.73:
  %".74" = mul i64 %".54", -7046029254386353131
  %".75" = lshr i64 %".74", 32
  %".76" = and i64 %".54", %"number.1"
  br label %".77"
.77:
  %".78" = phi  i64 [%".76", %".73"], [%".160", %".156"]
  %".79" = getelementptr inbounds i64, ptr %"array.3", i64 %".78"
  %".80" = load i64, ptr %".79"
  %".81" = icmp ne i64 %".80", -1
  br i1 %".81", label %".82", label %".153"
.82:
  %".83" = lshr i64 %".80", 32
  %".84" = icmp eq i64 %".83", %".75"
  br i1 %".84", label %".85", label %".150"
.85:
  %".86" = and i64 %".80", 4294967295
  %".87" = mul i64 %".86", 4
  %".88" = add i64 %".87", 1
  %".89" = add i64 %".87", 2
  %".90" = add i64 %".87", 3
  %".91" = getelementptr inbounds i64, ptr %"array.4", i64 %".88"
  %".92" = load i64, ptr %".91"
  %".93" = getelementptr inbounds i64, ptr %"array.4", i64 %".89"
  %".94" = load i64, ptr %".93"
  %".95" = getelementptr inbounds i64, ptr %"array.4", i64 %".90"
  %".96" = load i64, ptr %".95"
  %".97" = xor i64 %".18", %".92"
  %".98" = xor i64 %".29", %".94"
  %".99" = xor i64 %".43", %".96"
  %".100" = or i64 %".98", %".99"
  %".101" = or i64 %".97", %".100"
  %".102" = icmp eq i64 %".101", 0
  br i1 %".102", label %".103", label %".147"
.103:
  %".104" = getelementptr inbounds i64, ptr %"array.4", i64 %".87"
  %".105" = load i64, ptr %".104"
  br label %".106"
.106:
  %".107" = phi  i64 [16, %".103"], [%".145", %".134"]
  %".108" = phi  i1 [0, %".103"], [%".144", %".134"]
  %".109" = icmp slt i64 %".107", %".18"
  %".110" = xor i1 %".108", -1
  %".111" = and i1 %".109", %".110"
  br i1 %".111", label %".112", label %".146"
.112:
  %".113" = phi  i64 [%".107", %".106"]
  %".114" = phi  i1 [%".108", %".106"]
  %".115" = add i64 %".16", %".113"
  %".116" = add i64 %".105", %".113"
  %".117" = getelementptr inbounds i8, ptr %"array", i64 %".115"
  %".118" = load i64, ptr %".117", align 1
  br label %".119"
.119:
  %".120" = phi  i64 [0, %".112"], [%".133", %".123"]
  %".121" = phi  i64 [0, %".112"], [%".132", %".123"]
  %".122" = icmp slt i64 %".120", 8
  br i1 %".122", label %".123", label %".134"
.123:
  %".124" = add i64 %".116", %".120"
  %".125" = getelementptr inbounds i8, ptr %"array.8", i64 %".124"
  %".126" = load i8, ptr %".125"
  %".127" = zext i8 %".126" to i64
  %".128" = mul i64 %".120", 8
  %".129" = icmp ule i64 %".128", 63
  %".130" = shl i64 %".127", %".128"
  %".131" = select  i1 %".129", i64 %".130", i64 0
  %".132" = or i64 %".121", %".131"
  %".133" = add i64 %".120", 1
  br label %".119"
.134:
  %".135" = xor i64 %".118", %".121"
  %".136" = sub i64 %".18", %".113"
  %".137" = call i64 @"llvm.smin.i64"(i64 %".136", i64 8)
  %".138" = sub i64 8, %".137"
  %".139" = mul i64 %".138", 8
  %".140" = icmp ule i64 %".139", 63
  %".141" = lshr i64 -1, %".139"
  %".142" = select  i1 %".140", i64 %".141", i64 0
  %".143" = and i64 %".135", %".142"
  %".144" = icmp ne i64 %".143", 0
  %".145" = add i64 %".113", 8
  br label %".106"
.146:
  br label %".148"
.147:
  br label %".148"
.148:
  %".149" = phi  i1 [%".108", %".146"], [-1, %".147"]
  br label %".151"
.150:
  br label %".151"
.151:
  %".152" = phi  i1 [%".149", %".148"], [-1, %".150"]
  br label %".154"
.153:
  br label %".154"
.154:
  %".155" = phi  i1 [%".152", %".151"], [0, %".153"]
  br i1 %".155", label %".156", label %".161"
.156:
  %".157" = phi  i64 [%".78", %".154"]
  %".158" = phi  i64 [%".80", %".154"]
  %".159" = add i64 %".157", 1
  %".160" = and i64 %".159", %"number.1"
  br label %".77"
.161:
  %".162" = icmp eq i64 %".80", -1
  %".163" = and i1 %".162", %".2"
  br i1 %".163", label %".164", label %".178"
.164:
  %".165" = shl i64 %".75", 32
  %".166" = or i64 %".165", %".14"
  %".167" = getelementptr inbounds i64, ptr %"array.3", i64 %".78"
  store i64 %".166", ptr %".167"
  %".168" = getelementptr inbounds i64, ptr %"array.5", i64 %".14"
  store i64 %".54", ptr %".168"
  %".169" = mul i64 %".14", 4
  %".170" = add i64 %".169", 1
  %".171" = add i64 %".169", 2
  %".172" = add i64 %".169", 3
  %".173" = getelementptr inbounds i64, ptr %"array.4", i64 %".169"
  store i64 %".16", ptr %".173"
  %".174" = getelementptr inbounds i64, ptr %"array.4", i64 %".170"
  store i64 %".18", ptr %".174"
  %".175" = getelementptr inbounds i64, ptr %"array.4", i64 %".171"
  store i64 %".29", ptr %".175"
  %".176" = getelementptr inbounds i64, ptr %"array.4", i64 %".172"
  store i64 %".43", ptr %".176"
  %".177" = add i64 %".14", 1
  br label %".180"
.178:
  %".179" = and i64 %".80", 4294967295
  br label %".180"
.180:
  %".181" = phi  i64 [%".14", %".164"], [%".179", %".178"]
  %".182" = phi  i64 [%".177", %".164"], [%".14", %".178"]
  %".183" = trunc i64 %".181" to i32
  %".184" = getelementptr inbounds i32, ptr %"array.6", i64 %".13"
  store i32 %".183", ptr %".184"
  %".185" = add i64 %".13", 1
  br label %".6"
.186:
  store i64 %".8", ptr %"array.7"
  %".187" = getelementptr inbounds i64, ptr %"array.7", i64 1
  store i64 %".7", ptr %".187"
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")
