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
  %".6" = alloca i64, i64 128, align 16
  %".7" = alloca i64, i64 128, align 16
  %".8" = alloca i64, i64 128, align 16
  br label %".9"
.9:
  %".10" = phi  i64 [%".5", %".1"], [%".252", %".251"]
  %".11" = phi  i64 [%".3", %".1"], [%".124", %".251"]
  %".12" = icmp slt i64 %".10", %"number"
  %".13" = icmp slt i64 %".11", %"number.2"
  %".14" = and i1 %".12", %".13"
  br i1 %".14", label %".15", label %".253"
.15:
  %".16" = phi  i64 [%".10", %".9"]
  %".17" = phi  i64 [%".11", %".9"]
  %".18" = sub i64 %"number", %".16"
  %".19" = sub i64 %"number.2", %".17"
  %".20" = call i64 @"llvm.smin.i64"(i64 %".18", i64 %".19")
  %".21" = call i64 @"llvm.smin.i64"(i64 %".20", i64 128)
  br label %".22"
.22:
  %".23" = phi  i64 [0, %".15"], [%".91", %".87"]
  %".24" = icmp slt i64 %".23", %".21"
  br i1 %".24", label %".25", label %".92"
.25:
  %".26" = add i64 %".16", %".23"
  %".27" = getelementptr inbounds i64, ptr %"array.1", i64 %".26"
  %".28" = load i64, ptr %".27"
  %".29" = getelementptr inbounds i64, ptr %"array.2", i64 %".26"
  %".30" = load i64, ptr %".29"
  %".31" = getelementptr inbounds i8, ptr %"array", i64 %".28"
  %".32" = load i64, ptr %".31", align 1
  %".33" = call i64 @"llvm.smin.i64"(i64 %".30", i64 8)
  %".34" = sub i64 8, %".33"
  %".35" = mul i64 %".34", 8
  %".36" = and i64 %".35", 63
  %".37" = icmp ule i64 %".36", 63
  %".38" = lshr i64 -1, %".36"
  %".39" = select  i1 %".37", i64 %".38", i64 0
  %".40" = and i64 %".32", %".39"
  %".41" = icmp ne i64 %".30", 0
  %".42" = select  i1 %".41", i64 %".40", i64 0
  %".43" = add i64 %".28", 8
  %".44" = sub i64 %".30", 8
  %".45" = icmp sgt i64 %".44", 0
  %".46" = getelementptr inbounds i8, ptr %"array", i64 %".43"
  %".47" = load i64, ptr %".46", align 1
  %".48" = call i64 @"llvm.smin.i64"(i64 %".44", i64 8)
  %".49" = sub i64 8, %".48"
  %".50" = mul i64 %".49", 8
  %".51" = and i64 %".50", 63
  %".52" = icmp ule i64 %".51", 63
  %".53" = lshr i64 -1, %".51"
  %".54" = select  i1 %".52", i64 %".53", i64 0
  %".55" = and i64 %".47", %".54"
  %".56" = select  i1 %".45", i64 %".55", i64 0
  %".57" = xor i64 %".30", %".42"
  %".58" = mul i64 %".57", -7046029254386353131
  %".59" = lshr i64 %".58", 32
  %".60" = xor i64 %".58", %".59"
  %".61" = xor i64 %".60", %".56"
  %".62" = mul i64 %".61", -7046029254386353131
  %".63" = lshr i64 %".62", 32
  %".64" = xor i64 %".62", %".63"
  br label %".65"
.65:
  %".66" = phi  i64 [16, %".25"], [%".86", %".69"]
  %".67" = phi  i64 [%".64", %".25"], [%".85", %".69"]
  %".68" = icmp slt i64 %".66", %".30"
  br i1 %".68", label %".69", label %".87"
.69:
  %".70" = add i64 %".28", %".66"
  %".71" = getelementptr inbounds i8, ptr %"array", i64 %".70"
  %".72" = load i64, ptr %".71", align 1
  %".73" = sub i64 %".30", %".66"
  %".74" = call i64 @"llvm.smin.i64"(i64 %".73", i64 8)
  %".75" = sub i64 8, %".74"
  %".76" = mul i64 %".75", 8
  %".77" = and i64 %".76", 63
  %".78" = icmp ule i64 %".77", 63
  %".79" = lshr i64 -1, %".77"
  %".80" = select  i1 %".78", i64 %".79", i64 0
  %".81" = and i64 %".72", %".80"
  %".82" = xor i64 %".67", %".81"
  %".83" = mul i64 %".82", -7046029254386353131
  %".84" = lshr i64 %".83", 32
  %".85" = xor i64 %".83", %".84"
  %".86" = add i64 %".66", 8
  br label %".65"
.87:
  %".88" = getelementptr inbounds i64, i64* %".6", i64 %".23"
  store i64 %".42", i64* %".88"
  %".89" = getelementptr inbounds i64, i64* %".7", i64 %".23"
  store i64 %".56", i64* %".89"
  %".90" = getelementptr inbounds i64, i64* %".8", i64 %".23"
  store i64 %".67", i64* %".90"
  %".91" = add i64 %".23", 1
  br label %".22"
.92:
  %".93" = icmp sge i64 %".17", 4096
  br i1 %".93", label %".94", label %".121"
.94:
  br label %".95"
.95:
  %".96" = phi  i64 [0, %".94"], [%".103", %".98"]
  %".97" = icmp slt i64 %".96", %".21"
  br i1 %".97", label %".98", label %".104"
.98:
  %".99" = getelementptr inbounds i64, i64* %".8", i64 %".96"
  %".100" = load i64, i64* %".99"
  %".101" = and i64 %".100", %"number.1"
  %".102" = getelementptr inbounds i64, ptr %"array.3", i64 %".101"
  call void @"llvm.prefetch.p0"(ptr %".102", i32 0, i32 3, i32 1)
  %".103" = add i64 %".96", 1
  br label %".95"
.104:
  %".105" = sub i64 %".17", 1
  br label %".106"
.106:
  %".107" = phi  i64 [0, %".104"], [%".119", %".109"]
  %".108" = icmp slt i64 %".107", %".21"
  br i1 %".108", label %".109", label %".120"
.109:
  %".110" = getelementptr inbounds i64, i64* %".8", i64 %".107"
  %".111" = load i64, i64* %".110"
  %".112" = and i64 %".111", %"number.1"
  %".113" = getelementptr inbounds i64, ptr %"array.3", i64 %".112"
  %".114" = load i64, ptr %".113"
  %".115" = and i64 %".114", 4294967295
  %".116" = call i64 @"llvm.umin.i64"(i64 %".115", i64 %".105")
  %".117" = mul i64 %".116", 4
  %".118" = getelementptr inbounds i64, ptr %"array.4", i64 %".117"
  call void @"llvm.prefetch.p0"(ptr %".118", i32 0, i32 3, i32 1)
  %".119" = add i64 %".107", 1
  br label %".106"
.120:
  br label %".121"
.121:
  br label %".122"
.122:
  %".123" = phi  i64 [0, %".121"], [%".250", %".245"]
  %".124" = phi  i64 [%".17", %".121"], [%".247", %".245"]
  %".125" = icmp slt i64 %".123", %".21"
  br i1 %".125", label %".126", label %".251"
.126:
  %".127" = add i64 %".16", %".123"
  %".128" = getelementptr inbounds i64, ptr %"array.1", i64 %".127"
  %".129" = load i64, ptr %".128"
  %".130" = getelementptr inbounds i64, ptr %"array.2", i64 %".127"
  %".131" = load i64, ptr %".130"
  %".132" = getelementptr inbounds i64, i64* %".6", i64 %".123"
  %".133" = load i64, i64* %".132"
  %".134" = getelementptr inbounds i64, i64* %".7", i64 %".123"
  %".135" = load i64, i64* %".134"
  %".136" = getelementptr inbounds i64, i64* %".8", i64 %".123"
  %".137" = load i64, i64* %".136"
  %".138" = mul i64 %".137", -7046029254386353131
  %".139" = lshr i64 %".138", 32
  %".140" = and i64 %".137", %"number.1"
  br label %".141"
.141:
  %".142" = phi  i64 [%".140", %".126"], [%".225", %".221"]
  %".143" = getelementptr inbounds i64, ptr %"array.3", i64 %".142"
  %".144" = load i64, ptr %".143"
  %".145" = icmp ne i64 %".144", -1
  br i1 %".145", label %".146", label %".218"
.146:
  %".147" = lshr i64 %".144", 32
  %".148" = icmp eq i64 %".147", %".139"
  br i1 %".148", label %".149", label %".215"
.149:
  %".150" = and i64 %".144", 4294967295
  %".151" = mul i64 %".150", 4
  %".152" = add i64 %".151", 1
  %".153" = add i64 %".151", 2
  %".154" = add i64 %".151", 3
  %".155" = getelementptr inbounds i64, ptr %"array.4", i64 %".152"
  %".156" = load i64, ptr %".155"
  %".157" = getelementptr inbounds i64, ptr %"array.4", i64 %".153"
  %".158" = load i64, ptr %".157"
  %".159" = getelementptr inbounds i64, ptr %"array.4", i64 %".154"
  %".160" = load i64, ptr %".159"
  %".161" = xor i64 %".131", %".156"
  %".162" = xor i64 %".133", %".158"
  %".163" = xor i64 %".135", %".160"
  %".164" = or i64 %".162", %".163"
  %".165" = or i64 %".161", %".164"
  %".166" = icmp eq i64 %".165", 0
  br i1 %".166", label %".167", label %".212"
.167:
  %".168" = getelementptr inbounds i64, ptr %"array.4", i64 %".151"
  %".169" = load i64, ptr %".168"
  br label %".170"
.170:
  %".171" = phi  i64 [16, %".167"], [%".210", %".198"]
  %".172" = phi  i1 [0, %".167"], [%".209", %".198"]
  %".173" = icmp slt i64 %".171", %".131"
  %".174" = xor i1 %".172", -1
  %".175" = and i1 %".173", %".174"
  br i1 %".175", label %".176", label %".211"
.176:
  %".177" = phi  i64 [%".171", %".170"]
  %".178" = phi  i1 [%".172", %".170"]
  %".179" = add i64 %".129", %".177"
  %".180" = add i64 %".169", %".177"
  %".181" = getelementptr inbounds i8, ptr %"array", i64 %".179"
  %".182" = load i64, ptr %".181", align 1
  br label %".183"
.183:
  %".184" = phi  i64 [0, %".176"], [%".197", %".187"]
  %".185" = phi  i64 [0, %".176"], [%".196", %".187"]
  %".186" = icmp slt i64 %".184", 8
  br i1 %".186", label %".187", label %".198"
.187:
  %".188" = add i64 %".180", %".184"
  %".189" = getelementptr inbounds i8, ptr %"array.8", i64 %".188"
  %".190" = load i8, ptr %".189"
  %".191" = zext i8 %".190" to i64
  %".192" = mul i64 %".184", 8
  %".193" = icmp ule i64 %".192", 63
  %".194" = shl i64 %".191", %".192"
  %".195" = select  i1 %".193", i64 %".194", i64 0
  %".196" = or i64 %".185", %".195"
  %".197" = add i64 %".184", 1
  br label %".183"
.198:
  %".199" = xor i64 %".182", %".185"
  %".200" = sub i64 %".131", %".177"
  %".201" = call i64 @"llvm.smin.i64"(i64 %".200", i64 8)
  %".202" = sub i64 8, %".201"
  %".203" = mul i64 %".202", 8
  %".204" = and i64 %".203", 63
  %".205" = icmp ule i64 %".204", 63
  %".206" = lshr i64 -1, %".204"
  %".207" = select  i1 %".205", i64 %".206", i64 0
  %".208" = and i64 %".199", %".207"
  %".209" = icmp ne i64 %".208", 0
  %".210" = add i64 %".177", 8
  br label %".170"
.211:
  br label %".213"
.212:
  br label %".213"
.213:
  %".214" = phi  i1 [%".172", %".211"], [-1, %".212"]
  br label %".216"
.215:
  br label %".216"
.216:
  %".217" = phi  i1 [%".214", %".213"], [-1, %".215"]
  br label %".219"
.218:
  br label %".219"
.219:
  %".220" = phi  i1 [%".217", %".216"], [0, %".218"]
  br i1 %".220", label %".221", label %".226"
.221:
  %".222" = phi  i64 [%".142", %".219"]
  %".223" = phi  i64 [%".144", %".219"]
  %".224" = add i64 %".222", 1
  %".225" = and i64 %".224", %"number.1"
  br label %".141"
.226:
  %".227" = icmp eq i64 %".144", -1
  %".228" = and i1 %".227", %".2"
  br i1 %".228", label %".229", label %".243"
.229:
  %".230" = shl i64 %".139", 32
  %".231" = or i64 %".230", %".124"
  %".232" = getelementptr inbounds i64, ptr %"array.3", i64 %".142"
  store i64 %".231", ptr %".232"
  %".233" = getelementptr inbounds i64, ptr %"array.5", i64 %".124"
  store i64 %".137", ptr %".233"
  %".234" = mul i64 %".124", 4
  %".235" = add i64 %".234", 1
  %".236" = add i64 %".234", 2
  %".237" = add i64 %".234", 3
  %".238" = getelementptr inbounds i64, ptr %"array.4", i64 %".234"
  store i64 %".129", ptr %".238"
  %".239" = getelementptr inbounds i64, ptr %"array.4", i64 %".235"
  store i64 %".131", ptr %".239"
  %".240" = getelementptr inbounds i64, ptr %"array.4", i64 %".236"
  store i64 %".133", ptr %".240"
  %".241" = getelementptr inbounds i64, ptr %"array.4", i64 %".237"
  store i64 %".135", ptr %".241"
  %".242" = add i64 %".124", 1
  br label %".245"
.243:
  %".244" = and i64 %".144", 4294967295
  br label %".245"
.245:
  %".246" = phi  i64 [%".124", %".229"], [%".244", %".243"]
  %".247" = phi  i64 [%".242", %".229"], [%".124", %".243"]
  %".248" = trunc i64 %".246" to i32
  %".249" = getelementptr inbounds i32, ptr %"array.6", i64 %".127"
  store i32 %".248", ptr %".249"
  %".250" = add i64 %".123", 1
  br label %".122"
.251:
  %".252" = add i64 %".16", %".21"
  br label %".9"
.253:
  store i64 %".11", ptr %"array.7"
  %".254" = getelementptr inbounds i64, ptr %"array.7", i64 1
  store i64 %".10", ptr %".254"
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")

declare void @"llvm.prefetch.p0"(ptr %"array", i32 %"number", i32 %"number.1", i32 %"number.2")

declare i64 @"llvm.umin.i64"(i64 %"number", i64 %"number.1")
