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
  %".11" = phi  i64 [%".5", %".1"], [%".271", %".270"]
  %".12" = phi  i64 [%".3", %".1"], [%".154", %".270"]
  %".13" = icmp slt i64 %".11", %"number.2"
  %".14" = icmp slt i64 %".12", %"number.4"
  %".15" = and i1 %".13", %".14"
  br i1 %".15", label %".16", label %".272"
.16:
  %".17" = phi  i64 [%".11", %".10"]
  %".18" = phi  i64 [%".12", %".10"]
  %".19" = sub i64 %"number.2", %".17"
  %".20" = sub i64 %"number.4", %".18"
  %".21" = call i64 @"llvm.smin.i64"(i64 %".19", i64 %".20")
  %".22" = call i64 @"llvm.smin.i64"(i64 %".21", i64 128)
  br label %".23"
.23:
  %".24" = phi  i64 [0, %".16"], [%".72", %".27"]
  %".25" = phi  i64 [0, %".16"], [%".71", %".27"]
  %".26" = icmp slt i64 %".24", %".22"
  br i1 %".26", label %".27", label %".73"
.27:
  %".28" = add i64 %".17", %".24"
  %".29" = getelementptr inbounds i64, ptr %"array.1", i64 %".28"
  %".30" = load i64, ptr %".29"
  %".31" = getelementptr inbounds i64, ptr %"array.2", i64 %".28"
  %".32" = load i64, ptr %".31"
  %".33" = sub i64 %".30", %"number"
  %".34" = and i64 %".30", %"number.1"
  %".35" = sub i64 %".32", %".34"
  %".36" = getelementptr inbounds i8, ptr %"array", i64 %".33"
  %".37" = load i64, ptr %".36", align 1
  %".38" = call i64 @"llvm.smin.i64"(i64 %".35", i64 8)
  %".39" = sub i64 8, %".38"
  %".40" = mul i64 %".39", 8
  %".41" = and i64 %".40", 63
  %".42" = icmp ule i64 %".41", 63
  %".43" = lshr i64 -1, %".41"
  %".44" = select  i1 %".42", i64 %".43", i64 0
  %".45" = and i64 %".37", %".44"
  %".46" = icmp ne i64 %".35", 0
  %".47" = select  i1 %".46", i64 %".45", i64 0
  %".48" = add i64 %".33", 8
  %".49" = sub i64 %".35", 8
  %".50" = icmp sgt i64 %".49", 0
  %".51" = getelementptr inbounds i8, ptr %"array", i64 %".48"
  %".52" = load i64, ptr %".51", align 1
  %".53" = call i64 @"llvm.smin.i64"(i64 %".49", i64 8)
  %".54" = sub i64 8, %".53"
  %".55" = mul i64 %".54", 8
  %".56" = and i64 %".55", 63
  %".57" = icmp ule i64 %".56", 63
  %".58" = lshr i64 -1, %".56"
  %".59" = select  i1 %".57", i64 %".58", i64 0
  %".60" = and i64 %".52", %".59"
  %".61" = select  i1 %".50", i64 %".60", i64 0
  %".62" = xor i64 %".35", %".47"
  %".63" = mul i64 %".62", -7046029254386353131
  %".64" = lshr i64 %".63", 32
  %".65" = xor i64 %".63", %".64"
  %".66" = xor i64 %".65", %".61"
  %".67" = mul i64 %".66", -7046029254386353131
  %".68" = getelementptr inbounds i64, i64* %".6", i64 %".24"
  store i64 %".47", i64* %".68"
  %".69" = getelementptr inbounds i64, i64* %".7", i64 %".24"
  store i64 %".61", i64* %".69"
  %".70" = getelementptr inbounds i64, i64* %".8", i64 %".24"
  store i64 %".67", i64* %".70"
  %".71" = call i64 @"llvm.smax.i64"(i64 %".25", i64 %".35")
  %".72" = add i64 %".24", 1
  br label %".23"
.73:
  %".74" = icmp sgt i64 %".25", 16
  br i1 %".74", label %".75", label %".118"
.75:
  br label %".76"
.76:
  %".77" = phi  i64 [0, %".75"], [%".116", %".114"]
  %".78" = icmp slt i64 %".77", %".22"
  br i1 %".78", label %".79", label %".117"
.79:
  %".80" = add i64 %".17", %".77"
  %".81" = getelementptr inbounds i64, ptr %"array.1", i64 %".80"
  %".82" = load i64, ptr %".81"
  %".83" = getelementptr inbounds i64, ptr %"array.2", i64 %".80"
  %".84" = load i64, ptr %".83"
  %".85" = sub i64 %".82", %"number"
  %".86" = and i64 %".82", %"number.1"
  %".87" = sub i64 %".84", %".86"
  %".88" = getelementptr inbounds i64, i64* %".8", i64 %".77"
  %".89" = load i64, i64* %".88"
  %".90" = lshr i64 %".89", 32
  %".91" = xor i64 %".89", %".90"
  br label %".92"
.92:
  %".93" = phi  i64 [16, %".79"], [%".113", %".96"]
  %".94" = phi  i64 [%".91", %".79"], [%".112", %".96"]
  %".95" = icmp slt i64 %".93", %".87"
  br i1 %".95", label %".96", label %".114"
.96:
  %".97" = add i64 %".85", %".93"
  %".98" = getelementptr inbounds i8, ptr %"array", i64 %".97"
  %".99" = load i64, ptr %".98", align 1
  %".100" = sub i64 %".87", %".93"
  %".101" = call i64 @"llvm.smin.i64"(i64 %".100", i64 8)
  %".102" = sub i64 8, %".101"
  %".103" = mul i64 %".102", 8
  %".104" = and i64 %".103", 63
  %".105" = icmp ule i64 %".104", 63
  %".106" = lshr i64 -1, %".104"
  %".107" = select  i1 %".105", i64 %".106", i64 0
  %".108" = and i64 %".99", %".107"
  %".109" = xor i64 %".94", %".108"
  %".110" = mul i64 %".109", -7046029254386353131
  %".111" = lshr i64 %".110", 32
  %".112" = xor i64 %".110", %".111"
  %".113" = add i64 %".93", 8
  br label %".92"
.114:
  %".115" = getelementptr inbounds i64, i64* %".8", i64 %".77"
  store i64 %".94", i64* %".115"
  %".116" = add i64 %".77", 1
  br label %".76"
.117:
  br label %".118"
.118:
  %".119" = icmp sge i64 %".18", 4096
  br i1 %".119", label %".120", label %".151"
.120:
  br label %".121"
.121:
  %".122" = phi  i64 [0, %".120"], [%".131", %".124"]
  %".123" = icmp slt i64 %".122", %".22"
  br i1 %".123", label %".124", label %".132"
.124:
  %".125" = getelementptr inbounds i64, i64* %".8", i64 %".122"
  %".126" = load i64, i64* %".125"
  %".127" = lshr i64 %".126", 32
  %".128" = mul i64 %".127", %".9"
  %".129" = lshr i64 %".128", 32
  %".130" = getelementptr inbounds i64, ptr %"array.3", i64 %".129"
  call void @"llvm.prefetch.p0"(ptr %".130", i32 0, i32 3, i32 1)
  %".131" = add i64 %".122", 1
  br label %".121"
.132:
  %".133" = sub i64 %".18", 1
  br label %".134"
.134:
  %".135" = phi  i64 [0, %".132"], [%".149", %".137"]
  %".136" = icmp slt i64 %".135", %".22"
  br i1 %".136", label %".137", label %".150"
.137:
  %".138" = getelementptr inbounds i64, i64* %".8", i64 %".135"
  %".139" = load i64, i64* %".138"
  %".140" = lshr i64 %".139", 32
  %".141" = mul i64 %".140", %".9"
  %".142" = lshr i64 %".141", 32
  %".143" = getelementptr inbounds i64, ptr %"array.3", i64 %".142"
  %".144" = load i64, ptr %".143"
  %".145" = and i64 %".144", 4294967295
  %".146" = call i64 @"llvm.umin.i64"(i64 %".145", i64 %".133")
  %".147" = mul i64 %".146", 4
  %".148" = getelementptr inbounds i64, ptr %"array.4", i64 %".147"
  call void @"llvm.prefetch.p0"(ptr %".148", i32 0, i32 3, i32 1)
  %".149" = add i64 %".135", 1
  br label %".134"
.150:
  br label %".151"
.151:
  br label %".152"
.152:
  %".153" = phi  i64 [0, %".151"], [%".269", %".264"]
  %".154" = phi  i64 [%".18", %".151"], [%".266", %".264"]
  %".155" = icmp slt i64 %".153", %".22"
  br i1 %".155", label %".156", label %".270"
.156:
  %".157" = add i64 %".17", %".153"
  %".158" = getelementptr inbounds i64, ptr %"array.1", i64 %".157"
  %".159" = load i64, ptr %".158"
  %".160" = getelementptr inbounds i64, ptr %"array.2", i64 %".157"
  %".161" = load i64, ptr %".160"
  %".162" = sub i64 %".159", %"number"
  %".163" = and i64 %".159", %"number.1"
  %".164" = sub i64 %".161", %".163"
  %".165" = getelementptr inbounds i64, i64* %".6", i64 %".153"
  %".166" = load i64, i64* %".165"
  %".167" = getelementptr inbounds i64, i64* %".7", i64 %".153"
  %".168" = load i64, i64* %".167"
  %".169" = getelementptr inbounds i64, i64* %".8", i64 %".153"
  %".170" = load i64, i64* %".169"
  %".171" = lshr i64 %".170", 32
  %".172" = mul i64 %".171", %".9"
  %".173" = lshr i64 %".172", 32
  br label %".174"
.174:
  %".175" = phi  i64 [%".173", %".156"], [%".244", %".240"]
  %".176" = getelementptr inbounds i64, ptr %"array.3", i64 %".175"
  %".177" = load i64, ptr %".176"
  %".178" = icmp ne i64 %".177", -1
  br i1 %".178", label %".179", label %".237"
.179:
  %".180" = lshr i64 %".177", 32
  %".181" = icmp eq i64 %".180", %".171"
  br i1 %".181", label %".182", label %".234"
.182:
  %".183" = and i64 %".177", 4294967295
  %".184" = mul i64 %".183", 4
  %".185" = add i64 %".184", 1
  %".186" = add i64 %".184", 2
  %".187" = add i64 %".184", 3
  %".188" = getelementptr inbounds i64, ptr %"array.4", i64 %".185"
  %".189" = load i64, ptr %".188"
  %".190" = getelementptr inbounds i64, ptr %"array.4", i64 %".186"
  %".191" = load i64, ptr %".190"
  %".192" = getelementptr inbounds i64, ptr %"array.4", i64 %".187"
  %".193" = load i64, ptr %".192"
  %".194" = xor i64 %".164", %".189"
  %".195" = xor i64 %".166", %".191"
  %".196" = xor i64 %".168", %".193"
  %".197" = or i64 %".195", %".196"
  %".198" = or i64 %".194", %".197"
  %".199" = icmp eq i64 %".198", 0
  br i1 %".199", label %".200", label %".231"
.200:
  %".201" = getelementptr inbounds i64, ptr %"array.4", i64 %".184"
  %".202" = load i64, ptr %".201"
  br label %".203"
.203:
  %".204" = phi  i64 [16, %".200"], [%".229", %".209"]
  %".205" = phi  i1 [0, %".200"], [%".228", %".209"]
  %".206" = icmp slt i64 %".204", %".164"
  %".207" = xor i1 %".205", -1
  %".208" = and i1 %".206", %".207"
  br i1 %".208", label %".209", label %".230"
.209:
  %".210" = phi  i64 [%".204", %".203"]
  %".211" = phi  i1 [%".205", %".203"]
  %".212" = add i64 %".162", %".210"
  %".213" = add i64 %".202", %".210"
  %".214" = getelementptr inbounds i8, ptr %"array", i64 %".212"
  %".215" = load i64, ptr %".214", align 1
  %".216" = getelementptr inbounds i8, ptr %"array.8", i64 %".213"
  %".217" = load i64, ptr %".216", align 1
  %".218" = xor i64 %".215", %".217"
  %".219" = sub i64 %".164", %".210"
  %".220" = call i64 @"llvm.smin.i64"(i64 %".219", i64 8)
  %".221" = sub i64 8, %".220"
  %".222" = mul i64 %".221", 8
  %".223" = and i64 %".222", 63
  %".224" = icmp ule i64 %".223", 63
  %".225" = lshr i64 -1, %".223"
  %".226" = select  i1 %".224", i64 %".225", i64 0
  %".227" = and i64 %".218", %".226"
  %".228" = icmp ne i64 %".227", 0
  %".229" = add i64 %".210", 8
  br label %".203"
.230:
  br label %".232"
.231:
  br label %".232"
.232:
  %".233" = phi  i1 [%".205", %".230"], [-1, %".231"]
  br label %".235"
.234:
  br label %".235"
.235:
  %".236" = phi  i1 [%".233", %".232"], [-1, %".234"]
  br label %".238"
.237:
  br label %".238"
.238:
  %".239" = phi  i1 [%".236", %".235"], [0, %".237"]
  br i1 %".239", label %".240", label %".245"
.240:
  %".241" = phi  i64 [%".175", %".238"]
  %".242" = phi  i64 [%".177", %".238"]
  %".243" = add i64 %".241", 1
  %".244" = and i64 %".243", %"number.3"
  br label %".174"
.245:
  %".246" = icmp eq i64 %".177", -1
  %".247" = and i1 %".246", %".2"
  br i1 %".247", label %".248", label %".262"
.248:
  %".249" = shl i64 %".171", 32
  %".250" = or i64 %".249", %".154"
  %".251" = getelementptr inbounds i64, ptr %"array.3", i64 %".175"
  store i64 %".250", ptr %".251"
  %".252" = getelementptr inbounds i64, ptr %"array.5", i64 %".154"
  store i64 %".170", ptr %".252"
  %".253" = mul i64 %".154", 4
  %".254" = add i64 %".253", 1
  %".255" = add i64 %".253", 2
  %".256" = add i64 %".253", 3
  %".257" = getelementptr inbounds i64, ptr %"array.4", i64 %".253"
  store i64 %".162", ptr %".257"
  %".258" = getelementptr inbounds i64, ptr %"array.4", i64 %".254"
  store i64 %".164", ptr %".258"
  %".259" = getelementptr inbounds i64, ptr %"array.4", i64 %".255"
  store i64 %".166", ptr %".259"
  %".260" = getelementptr inbounds i64, ptr %"array.4", i64 %".256"
  store i64 %".168", ptr %".260"
  %".261" = add i64 %".154", 1
  br label %".264"
.262:
  %".263" = and i64 %".177", 4294967295
  br label %".264"
.264:
  %".265" = phi  i64 [%".154", %".248"], [%".263", %".262"]
  %".266" = phi  i64 [%".261", %".248"], [%".154", %".262"]
  %".267" = trunc i64 %".265" to i32
  %".268" = getelementptr inbounds i32, ptr %"array.6", i64 %".157"
  store i32 %".267", ptr %".268"
  %".269" = add i64 %".153", 1
  br label %".152"
.270:
  %".271" = add i64 %".17", %".22"
  br label %".10"
.272:
  store i64 %".12", ptr %"array.7"
  %".273" = getelementptr inbounds i64, ptr %"array.7", i64 1
  store i64 %".11", ptr %".273"
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")

declare i64 @"llvm.smax.i64"(i64 %"number", i64 %"number.1")

declare void @"llvm.prefetch.p0"(ptr %"array", i32 %"number", i32 %"number.1", i32 %"number.2")

declare i64 @"llvm.umin.i64"(i64 %"number", i64 %"number.1")
