; Written by `python -m diablo.tools.loop_code` from string_numbers.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"code_strings"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    i64 %"number", i64 %"number.1", i64 %"number.2", ptr noalias %"array.3", i64 %"number.3",
    ptr noalias %"array.4", ptr noalias %"array.5", i64 %"number.4", ptr noalias %"array.6",
    ptr noalias %"array.7", ptr noalias %"array.8", i64 %"number.5")
{
.1:
  %".2" = icmp eq i64 %"number.5", 0
  %".3" = load i64, ptr %"array.7"
  %".4" = getelementptr inbounds i64, ptr %"array.7", i64 1
  %".5" = load i64, ptr %".4"
  %".6" = alloca i64, i64 128, align 16
  %".7" = alloca i64, i64 128, align 16
  %".8" = alloca i64, i64 128, align 16
  %".9" = add i64 %"number.3", 1
  br label %".10"
.10:
  %".11" = phi  i64 [%".5", %".1"], [%".277", %".276"]
  %".12" = phi  i64 [%".3", %".1"], [%".158", %".276"]
  %".13" = icmp slt i64 %".11", %"number.2"
  %".14" = icmp slt i64 %".12", %"number.4"
  %".15" = and i1 %".13", %".14"
  br i1 %".15", label %".16", label %".278"
.16:
  %".17" = phi  i64 [%".11", %".10"]
  %".18" = phi  i64 [%".12", %".10"]
  %".19" = sub i64 %"number.2", %".17"
  %".20" = sub i64 %"number.4", %".18"
  %".21" = call i64 @"llvm.smin.i64"(i64 %".19", i64 %".20")
  %".22" = call i64 @"llvm.smin.i64"(i64 %".21", i64 128)
  br label %".23"
.23:
  %".24" = phi  i64 [0, %".16"], [%".74", %".27"]
  %".25" = phi  i64 [0, %".16"], [%".73", %".27"]
  %".26" = icmp slt i64 %".24", %".22"
  br i1 %".26", label %".27", label %".75"
.27:
  %".28" = add i64 %".17", %".24"
  %".29" = getelementptr inbounds i32, ptr %"array.1", i64 %".28"
  %".30" = load i32, ptr %".29"
  %".31" = zext i32 %".30" to i64
  %".32" = getelementptr inbounds i32, ptr %"array.2", i64 %".28"
  %".33" = load i32, ptr %".32"
  %".34" = zext i32 %".33" to i64
  %".35" = sub i64 %".31", %"number"
  %".36" = and i64 %".31", %"number.1"
  %".37" = sub i64 %".34", %".36"
  %".38" = getelementptr inbounds i8, ptr %"array", i64 %".35"
  %".39" = load i64, ptr %".38", align 1
  %".40" = call i64 @"llvm.smin.i64"(i64 %".37", i64 8)
  %".41" = sub i64 8, %".40"
  %".42" = mul i64 %".41", 8
  %".43" = and i64 %".42", 63
  %".44" = icmp ule i64 %".43", 63
  %".45" = lshr i64 -1, %".43"
  %".46" = select  i1 %".44", i64 %".45", i64 0
  %".47" = and i64 %".39", %".46"
  %".48" = icmp ne i64 %".37", 0
  %".49" = select  i1 %".48", i64 %".47", i64 0
  %".50" = add i64 %".35", 8
  %".51" = sub i64 %".37", 8
  %".52" = icmp sgt i64 %".51", 0
  %".53" = getelementptr inbounds i8, ptr %"array", i64 %".50"
  %".54" = load i64, ptr %".53", align 1
  %".55" = call i64 @"llvm.smin.i64"(i64 %".51", i64 8)
  %".56" = sub i64 8, %".55"
  %".57" = mul i64 %".56", 8
  %".58" = and i64 %".57", 63
  %".59" = icmp ule i64 %".58", 63
  %".60" = lshr i64 -1, %".58"
  %".61" = select  i1 %".59", i64 %".60", i64 0
  %".62" = and i64 %".54", %".61"
  %".63" = select  i1 %".52", i64 %".62", i64 0
  %".64" = xor i64 %".37", %".49"
  %".65" = mul i64 %".64", -7046029254386353131
  %".66" = lshr i64 %".65", 32
  %".67" = xor i64 %".65", %".66"
  %".68" = xor i64 %".67", %".63"
  %".69" = mul i64 %".68", -7046029254386353131
  %".70" = getelementptr inbounds i64, i64* %".6", i64 %".24"
  store i64 %".49", i64* %".70"
  %".71" = getelementptr inbounds i64, i64* %".7", i64 %".24"
  store i64 %".63", i64* %".71"
  %".72" = getelementptr inbounds i64, i64* %".8", i64 %".24"
  store i64 %".69", i64* %".72"
  %".73" = call i64 @"llvm.smax.i64"(i64 %".25", i64 %".37")
  %".74" = add i64 %".24", 1
  br label %".23"
.75:
  %".76" = icmp sgt i64 %".25", 16
  br i1 %".76", label %".77", label %".122"
.77:
  br label %".78"
.78:
  %".79" = phi  i64 [0, %".77"], [%".120", %".118"]
  %".80" = icmp slt i64 %".79", %".22"
  br i1 %".80", label %".81", label %".121"
.81:
  %".82" = add i64 %".17", %".79"
  %".83" = getelementptr inbounds i32, ptr %"array.1", i64 %".82"
  %".84" = load i32, ptr %".83"
  %".85" = zext i32 %".84" to i64
  %".86" = getelementptr inbounds i32, ptr %"array.2", i64 %".82"
  %".87" = load i32, ptr %".86"
  %".88" = zext i32 %".87" to i64
  %".89" = sub i64 %".85", %"number"
  %".90" = and i64 %".85", %"number.1"
  %".91" = sub i64 %".88", %".90"
  %".92" = getelementptr inbounds i64, i64* %".8", i64 %".79"
  %".93" = load i64, i64* %".92"
  %".94" = lshr i64 %".93", 32
  %".95" = xor i64 %".93", %".94"
  br label %".96"
.96:
  %".97" = phi  i64 [16, %".81"], [%".117", %".100"]
  %".98" = phi  i64 [%".95", %".81"], [%".116", %".100"]
  %".99" = icmp slt i64 %".97", %".91"
  br i1 %".99", label %".100", label %".118"
.100:
  %".101" = add i64 %".89", %".97"
  %".102" = getelementptr inbounds i8, ptr %"array", i64 %".101"
  %".103" = load i64, ptr %".102", align 1
  %".104" = sub i64 %".91", %".97"
  %".105" = call i64 @"llvm.smin.i64"(i64 %".104", i64 8)
  %".106" = sub i64 8, %".105"
  %".107" = mul i64 %".106", 8
  %".108" = and i64 %".107", 63
  %".109" = icmp ule i64 %".108", 63
  %".110" = lshr i64 -1, %".108"
  %".111" = select  i1 %".109", i64 %".110", i64 0
  %".112" = and i64 %".103", %".111"
  %".113" = xor i64 %".98", %".112"
  %".114" = mul i64 %".113", -7046029254386353131
  %".115" = lshr i64 %".114", 32
  %".116" = xor i64 %".114", %".115"
  %".117" = add i64 %".97", 8
  br label %".96"
.118:
  %".119" = getelementptr inbounds i64, i64* %".8", i64 %".79"
  store i64 %".98", i64* %".119"
  %".120" = add i64 %".79", 1
  br label %".78"
.121:
  br label %".122"
.122:
  %".123" = icmp sge i64 %".18", 4096
  br i1 %".123", label %".124", label %".155"
.124:
  br label %".125"
.125:
  %".126" = phi  i64 [0, %".124"], [%".135", %".128"]
  %".127" = icmp slt i64 %".126", %".22"
  br i1 %".127", label %".128", label %".136"
.128:
  %".129" = getelementptr inbounds i64, i64* %".8", i64 %".126"
  %".130" = load i64, i64* %".129"
  %".131" = lshr i64 %".130", 32
  %".132" = mul i64 %".131", %".9"
  %".133" = lshr i64 %".132", 32
  %".134" = getelementptr inbounds i64, ptr %"array.3", i64 %".133"
  call void @"llvm.prefetch.p0"(ptr %".134", i32 0, i32 3, i32 1)
  %".135" = add i64 %".126", 1
  br label %".125"
.136:
  %".137" = sub i64 %".18", 1
  br label %".138"
.138:
  %".139" = phi  i64 [0, %".136"], [%".153", %".141"]
  %".140" = icmp slt i64 %".139", %".22"
  br i1 %".140", label %".141", label %".154"
.141:
  %".142" = getelementptr inbounds i64, i64* %".8", i64 %".139"
  %".143" = load i64, i64* %".142"
  %".144" = lshr i64 %".143", 32
  %".145" = mul i64 %".144", %".9"
  %".146" = lshr i64 %".145", 32
  %".147" = getelementptr inbounds i64, ptr %"array.3", i64 %".146"
  %".148" = load i64, ptr %".147"
  %".149" = and i64 %".148", 4294967295
  %".150" = call i64 @"llvm.umin.i64"(i64 %".149", i64 %".137")
  %".151" = mul i64 %".150", 4
  %".152" = getelementptr inbounds i64, ptr %"array.4", i64 %".151"
  call void @"llvm.prefetch.p0"(ptr %".152", i32 0, i32 3, i32 1)
  %".153" = add i64 %".139", 1
  br label %".138"
.154:
  br label %".155"
.155:
  br label %".156"
.156:
  %".157" = phi  i64 [0, %".155"], [%".275", %".270"]
  %".158" = phi  i64 [%".18", %".155"], [%".272", %".270"]
  %".159" = icmp slt i64 %".157", %".22"
  br i1 %".159", label %".160", label %".276"
.160:
  %".161" = add i64 %".17", %".157"
  %".162" = getelementptr inbounds i32, ptr %"array.1", i64 %".161"
  %".163" = load i32, ptr %".162"
  %".164" = zext i32 %".163" to i64
  %".165" = getelementptr inbounds i32, ptr %"array.2", i64 %".161"
  %".166" = load i32, ptr %".165"
  %".167" = zext i32 %".166" to i64
  %".168" = sub i64 %".164", %"number"
  %".169" = and i64 %".164", %"number.1"
  %".170" = sub i64 %".167", %".169"
  %".171" = getelementptr inbounds i64, i64* %".6", i64 %".157"
  %".172" = load i64, i64* %".171"
  %".173" = getelementptr inbounds i64, i64* %".7", i64 %".157"
  %".174" = load i64, i64* %".173"
  %".175" = getelementptr inbounds i64, i64* %".8", i64 %".157"
  %".176" = load i64, i64* %".175"
  %".177" = lshr i64 %".176", 32
  %".178" = mul i64 %".177", %".9"
  %".179" = lshr i64 %".178", 32
  br label %".180"
.180:
  %".181" = phi  i64 [%".179", %".160"], [%".250", %".246"]
  %".182" = getelementptr inbounds i64, ptr %"array.3", i64 %".181"
  %".183" = load i64, ptr %".182"
  %".184" = icmp ne i64 %".183", -1
  br i1 %".184", label %".185", label %".243"
.185:
  %".186" = lshr i64 %".183", 32
  %".187" = icmp eq i64 %".186", %".177"
  br i1 %".187", label %".188", label %".240"
.188:
  %".189" = and i64 %".183", 4294967295
  %".190" = mul i64 %".189", 4
  %".191" = add i64 %".190", 1
  %".192" = add i64 %".190", 2
  %".193" = add i64 %".190", 3
  %".194" = getelementptr inbounds i64, ptr %"array.4", i64 %".191"
  %".195" = load i64, ptr %".194"
  %".196" = getelementptr inbounds i64, ptr %"array.4", i64 %".192"
  %".197" = load i64, ptr %".196"
  %".198" = getelementptr inbounds i64, ptr %"array.4", i64 %".193"
  %".199" = load i64, ptr %".198"
  %".200" = xor i64 %".170", %".195"
  %".201" = xor i64 %".172", %".197"
  %".202" = xor i64 %".174", %".199"
  %".203" = or i64 %".201", %".202"
  %".204" = or i64 %".200", %".203"
  %".205" = icmp eq i64 %".204", 0
  br i1 %".205", label %".206", label %".237"
.206:
  %".207" = getelementptr inbounds i64, ptr %"array.4", i64 %".190"
  %".208" = load i64, ptr %".207"
  br label %".209"
.209:
  %".210" = phi  i64 [16, %".206"], [%".235", %".215"]
  %".211" = phi  i1 [0, %".206"], [%".234", %".215"]
  %".212" = icmp slt i64 %".210", %".170"
  %".213" = xor i1 %".211", -1
  %".214" = and i1 %".212", %".213"
  br i1 %".214", label %".215", label %".236"
.215:
  %".216" = phi  i64 [%".210", %".209"]
  %".217" = phi  i1 [%".211", %".209"]
  %".218" = add i64 %".168", %".216"
  %".219" = add i64 %".208", %".216"
  %".220" = getelementptr inbounds i8, ptr %"array", i64 %".218"
  %".221" = load i64, ptr %".220", align 1
  %".222" = getelementptr inbounds i8, ptr %"array.8", i64 %".219"
  %".223" = load i64, ptr %".222", align 1
  %".224" = xor i64 %".221", %".223"
  %".225" = sub i64 %".170", %".216"
  %".226" = call i64 @"llvm.smin.i64"(i64 %".225", i64 8)
  %".227" = sub i64 8, %".226"
  %".228" = mul i64 %".227", 8
  %".229" = and i64 %".228", 63
  %".230" = icmp ule i64 %".229", 63
  %".231" = lshr i64 -1, %".229"
  %".232" = select  i1 %".230", i64 %".231", i64 0
  %".233" = and i64 %".224", %".232"
  %".234" = icmp ne i64 %".233", 0
  %".235" = add i64 %".216", 8
  br label %".209"
.236:
  br label %".238"
.237:
  br label %".238"
.238:
  %".239" = phi  i1 [%".211", %".236"], [-1, %".237"]
  br label %".241"
.240:
  br label %".241"
.241:
  %".242" = phi  i1 [%".239", %".238"], [-1, %".240"]
  br label %".244"
.243:
  br label %".244"
.244:
  %".245" = phi  i1 [%".242", %".241"], [0, %".243"]
  br i1 %".245", label %".246", label %".251"
.246:
  %".247" = phi  i64 [%".181", %".244"]
  %".248" = phi  i64 [%".183", %".244"]
  %".249" = add i64 %".247", 1
  %".250" = and i64 %".249", %"number.3"
  br label %".180"
.251:
  %".252" = icmp eq i64 %".183", -1
  %".253" = and i1 %".252", %".2"
  br i1 %".253", label %".254", label %".268"
.254:
  %".255" = shl i64 %".177", 32
  %".256" = or i64 %".255", %".158"
  %".257" = getelementptr inbounds i64, ptr %"array.3", i64 %".181"
  store i64 %".256", ptr %".257"
  %".258" = getelementptr inbounds i64, ptr %"array.5", i64 %".158"
  store i64 %".176", ptr %".258"
  %".259" = mul i64 %".158", 4
  %".260" = add i64 %".259", 1
  %".261" = add i64 %".259", 2
  %".262" = add i64 %".259", 3
  %".263" = getelementptr inbounds i64, ptr %"array.4", i64 %".259"
  store i64 %".168", ptr %".263"
  %".264" = getelementptr inbounds i64, ptr %"array.4", i64 %".260"
  store i64 %".170", ptr %".264"
  %".265" = getelementptr inbounds i64, ptr %"array.4", i64 %".261"
  store i64 %".172", ptr %".265"
  %".266" = getelementptr inbounds i64, ptr %"array.4", i64 %".262"
  store i64 %".174", ptr %".266"
  %".267" = add i64 %".158", 1
  br label %".270"
.268:
  %".269" = and i64 %".183", 4294967295
  br label %".270"
.270:
  %".271" = phi  i64 [%".158", %".254"], [%".269", %".268"]
  %".272" = phi  i64 [%".267", %".254"], [%".158", %".268"]
  %".273" = trunc i64 %".271" to i32
  %".274" = getelementptr inbounds i32, ptr %"array.6", i64 %".161"
  store i32 %".273", ptr %".274"
  %".275" = add i64 %".157", 1
  br label %".156"
.276:
  %".277" = add i64 %".17", %".22"
  br label %".10"
.278:
  store i64 %".12", ptr %"array.7"
  %".279" = getelementptr inbounds i64, ptr %"array.7", i64 1
  store i64 %".11", ptr %".279"
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")

declare i64 @"llvm.smax.i64"(i64 %"number", i64 %"number.1")

declare void @"llvm.prefetch.p0"(ptr %"array", i32 %"number", i32 %"number.1", i32 %"number.2")

declare i64 @"llvm.umin.i64"(i64 %"number", i64 %"number.1")
