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
  %".9" = add i64 %"number.1", 1
  br label %".10"
.10:
  %".11" = phi  i64 [%".5", %".1"], [%".262", %".261"]
  %".12" = phi  i64 [%".3", %".1"], [%".148", %".261"]
  %".13" = icmp slt i64 %".11", %"number"
  %".14" = icmp slt i64 %".12", %"number.2"
  %".15" = and i1 %".13", %".14"
  br i1 %".15", label %".16", label %".263"
.16:
  %".17" = phi  i64 [%".11", %".10"]
  %".18" = phi  i64 [%".12", %".10"]
  %".19" = sub i64 %"number", %".17"
  %".20" = sub i64 %"number.2", %".18"
  %".21" = call i64 @"llvm.smin.i64"(i64 %".19", i64 %".20")
  %".22" = call i64 @"llvm.smin.i64"(i64 %".21", i64 128)
  br label %".23"
.23:
  %".24" = phi  i64 [0, %".16"], [%".69", %".27"]
  %".25" = phi  i64 [0, %".16"], [%".68", %".27"]
  %".26" = icmp slt i64 %".24", %".22"
  br i1 %".26", label %".27", label %".70"
.27:
  %".28" = add i64 %".17", %".24"
  %".29" = getelementptr inbounds i64, ptr %"array.1", i64 %".28"
  %".30" = load i64, ptr %".29"
  %".31" = getelementptr inbounds i64, ptr %"array.2", i64 %".28"
  %".32" = load i64, ptr %".31"
  %".33" = getelementptr inbounds i8, ptr %"array", i64 %".30"
  %".34" = load i64, ptr %".33", align 1
  %".35" = call i64 @"llvm.smin.i64"(i64 %".32", i64 8)
  %".36" = sub i64 8, %".35"
  %".37" = mul i64 %".36", 8
  %".38" = and i64 %".37", 63
  %".39" = icmp ule i64 %".38", 63
  %".40" = lshr i64 -1, %".38"
  %".41" = select  i1 %".39", i64 %".40", i64 0
  %".42" = and i64 %".34", %".41"
  %".43" = icmp ne i64 %".32", 0
  %".44" = select  i1 %".43", i64 %".42", i64 0
  %".45" = add i64 %".30", 8
  %".46" = sub i64 %".32", 8
  %".47" = icmp sgt i64 %".46", 0
  %".48" = getelementptr inbounds i8, ptr %"array", i64 %".45"
  %".49" = load i64, ptr %".48", align 1
  %".50" = call i64 @"llvm.smin.i64"(i64 %".46", i64 8)
  %".51" = sub i64 8, %".50"
  %".52" = mul i64 %".51", 8
  %".53" = and i64 %".52", 63
  %".54" = icmp ule i64 %".53", 63
  %".55" = lshr i64 -1, %".53"
  %".56" = select  i1 %".54", i64 %".55", i64 0
  %".57" = and i64 %".49", %".56"
  %".58" = select  i1 %".47", i64 %".57", i64 0
  %".59" = xor i64 %".32", %".44"
  %".60" = mul i64 %".59", -7046029254386353131
  %".61" = lshr i64 %".60", 32
  %".62" = xor i64 %".60", %".61"
  %".63" = xor i64 %".62", %".58"
  %".64" = mul i64 %".63", -7046029254386353131
  %".65" = getelementptr inbounds i64, i64* %".6", i64 %".24"
  store i64 %".44", i64* %".65"
  %".66" = getelementptr inbounds i64, i64* %".7", i64 %".24"
  store i64 %".58", i64* %".66"
  %".67" = getelementptr inbounds i64, i64* %".8", i64 %".24"
  store i64 %".64", i64* %".67"
  %".68" = call i64 @"llvm.smax.i64"(i64 %".25", i64 %".32")
  %".69" = add i64 %".24", 1
  br label %".23"
.70:
  %".71" = icmp sgt i64 %".25", 16
  br i1 %".71", label %".72", label %".112"
.72:
  br label %".73"
.73:
  %".74" = phi  i64 [0, %".72"], [%".110", %".108"]
  %".75" = icmp slt i64 %".74", %".22"
  br i1 %".75", label %".76", label %".111"
.76:
  %".77" = add i64 %".17", %".74"
  %".78" = getelementptr inbounds i64, ptr %"array.1", i64 %".77"
  %".79" = load i64, ptr %".78"
  %".80" = getelementptr inbounds i64, ptr %"array.2", i64 %".77"
  %".81" = load i64, ptr %".80"
  %".82" = getelementptr inbounds i64, i64* %".8", i64 %".74"
  %".83" = load i64, i64* %".82"
  %".84" = lshr i64 %".83", 32
  %".85" = xor i64 %".83", %".84"
  br label %".86"
.86:
  %".87" = phi  i64 [16, %".76"], [%".107", %".90"]
  %".88" = phi  i64 [%".85", %".76"], [%".106", %".90"]
  %".89" = icmp slt i64 %".87", %".81"
  br i1 %".89", label %".90", label %".108"
.90:
  %".91" = add i64 %".79", %".87"
  %".92" = getelementptr inbounds i8, ptr %"array", i64 %".91"
  %".93" = load i64, ptr %".92", align 1
  %".94" = sub i64 %".81", %".87"
  %".95" = call i64 @"llvm.smin.i64"(i64 %".94", i64 8)
  %".96" = sub i64 8, %".95"
  %".97" = mul i64 %".96", 8
  %".98" = and i64 %".97", 63
  %".99" = icmp ule i64 %".98", 63
  %".100" = lshr i64 -1, %".98"
  %".101" = select  i1 %".99", i64 %".100", i64 0
  %".102" = and i64 %".93", %".101"
  %".103" = xor i64 %".88", %".102"
  %".104" = mul i64 %".103", -7046029254386353131
  %".105" = lshr i64 %".104", 32
  %".106" = xor i64 %".104", %".105"
  %".107" = add i64 %".87", 8
  br label %".86"
.108:
  %".109" = getelementptr inbounds i64, i64* %".8", i64 %".74"
  store i64 %".88", i64* %".109"
  %".110" = add i64 %".74", 1
  br label %".73"
.111:
  br label %".112"
.112:
  %".113" = icmp sge i64 %".18", 4096
  br i1 %".113", label %".114", label %".145"
.114:
  br label %".115"
.115:
  %".116" = phi  i64 [0, %".114"], [%".125", %".118"]
  %".117" = icmp slt i64 %".116", %".22"
  br i1 %".117", label %".118", label %".126"
.118:
  %".119" = getelementptr inbounds i64, i64* %".8", i64 %".116"
  %".120" = load i64, i64* %".119"
  %".121" = lshr i64 %".120", 32
  %".122" = mul i64 %".121", %".9"
  %".123" = lshr i64 %".122", 32
  %".124" = getelementptr inbounds i64, ptr %"array.3", i64 %".123"
  call void @"llvm.prefetch.p0"(ptr %".124", i32 0, i32 3, i32 1)
  %".125" = add i64 %".116", 1
  br label %".115"
.126:
  %".127" = sub i64 %".18", 1
  br label %".128"
.128:
  %".129" = phi  i64 [0, %".126"], [%".143", %".131"]
  %".130" = icmp slt i64 %".129", %".22"
  br i1 %".130", label %".131", label %".144"
.131:
  %".132" = getelementptr inbounds i64, i64* %".8", i64 %".129"
  %".133" = load i64, i64* %".132"
  %".134" = lshr i64 %".133", 32
  %".135" = mul i64 %".134", %".9"
  %".136" = lshr i64 %".135", 32
  %".137" = getelementptr inbounds i64, ptr %"array.3", i64 %".136"
  %".138" = load i64, ptr %".137"
  %".139" = and i64 %".138", 4294967295
  %".140" = call i64 @"llvm.umin.i64"(i64 %".139", i64 %".127")
  %".141" = mul i64 %".140", 4
  %".142" = getelementptr inbounds i64, ptr %"array.4", i64 %".141"
  call void @"llvm.prefetch.p0"(ptr %".142", i32 0, i32 3, i32 1)
  %".143" = add i64 %".129", 1
  br label %".128"
.144:
  br label %".145"
.145:
  br label %".146"
.146:
  %".147" = phi  i64 [0, %".145"], [%".260", %".255"]
  %".148" = phi  i64 [%".18", %".145"], [%".257", %".255"]
  %".149" = icmp slt i64 %".147", %".22"
  br i1 %".149", label %".150", label %".261"
.150:
  %".151" = add i64 %".17", %".147"
  %".152" = getelementptr inbounds i64, ptr %"array.1", i64 %".151"
  %".153" = load i64, ptr %".152"
  %".154" = getelementptr inbounds i64, ptr %"array.2", i64 %".151"
  %".155" = load i64, ptr %".154"
  %".156" = getelementptr inbounds i64, i64* %".6", i64 %".147"
  %".157" = load i64, i64* %".156"
  %".158" = getelementptr inbounds i64, i64* %".7", i64 %".147"
  %".159" = load i64, i64* %".158"
  %".160" = getelementptr inbounds i64, i64* %".8", i64 %".147"
  %".161" = load i64, i64* %".160"
  %".162" = lshr i64 %".161", 32
  %".163" = mul i64 %".162", %".9"
  %".164" = lshr i64 %".163", 32
  br label %".165"
.165:
  %".166" = phi  i64 [%".164", %".150"], [%".235", %".231"]
  %".167" = getelementptr inbounds i64, ptr %"array.3", i64 %".166"
  %".168" = load i64, ptr %".167"
  %".169" = icmp ne i64 %".168", -1
  br i1 %".169", label %".170", label %".228"
.170:
  %".171" = lshr i64 %".168", 32
  %".172" = icmp eq i64 %".171", %".162"
  br i1 %".172", label %".173", label %".225"
.173:
  %".174" = and i64 %".168", 4294967295
  %".175" = mul i64 %".174", 4
  %".176" = add i64 %".175", 1
  %".177" = add i64 %".175", 2
  %".178" = add i64 %".175", 3
  %".179" = getelementptr inbounds i64, ptr %"array.4", i64 %".176"
  %".180" = load i64, ptr %".179"
  %".181" = getelementptr inbounds i64, ptr %"array.4", i64 %".177"
  %".182" = load i64, ptr %".181"
  %".183" = getelementptr inbounds i64, ptr %"array.4", i64 %".178"
  %".184" = load i64, ptr %".183"
  %".185" = xor i64 %".155", %".180"
  %".186" = xor i64 %".157", %".182"
  %".187" = xor i64 %".159", %".184"
  %".188" = or i64 %".186", %".187"
  %".189" = or i64 %".185", %".188"
  %".190" = icmp eq i64 %".189", 0
  br i1 %".190", label %".191", label %".222"
.191:
  %".192" = getelementptr inbounds i64, ptr %"array.4", i64 %".175"
  %".193" = load i64, ptr %".192"
  br label %".194"
.194:
  %".195" = phi  i64 [16, %".191"], [%".220", %".200"]
  %".196" = phi  i1 [0, %".191"], [%".219", %".200"]
  %".197" = icmp slt i64 %".195", %".155"
  %".198" = xor i1 %".196", -1
  %".199" = and i1 %".197", %".198"
  br i1 %".199", label %".200", label %".221"
.200:
  %".201" = phi  i64 [%".195", %".194"]
  %".202" = phi  i1 [%".196", %".194"]
  %".203" = add i64 %".153", %".201"
  %".204" = add i64 %".193", %".201"
  %".205" = getelementptr inbounds i8, ptr %"array", i64 %".203"
  %".206" = load i64, ptr %".205", align 1
  %".207" = getelementptr inbounds i8, ptr %"array.8", i64 %".204"
  %".208" = load i64, ptr %".207", align 1
  %".209" = xor i64 %".206", %".208"
  %".210" = sub i64 %".155", %".201"
  %".211" = call i64 @"llvm.smin.i64"(i64 %".210", i64 8)
  %".212" = sub i64 8, %".211"
  %".213" = mul i64 %".212", 8
  %".214" = and i64 %".213", 63
  %".215" = icmp ule i64 %".214", 63
  %".216" = lshr i64 -1, %".214"
  %".217" = select  i1 %".215", i64 %".216", i64 0
  %".218" = and i64 %".209", %".217"
  %".219" = icmp ne i64 %".218", 0
  %".220" = add i64 %".201", 8
  br label %".194"
.221:
  br label %".223"
.222:
  br label %".223"
.223:
  %".224" = phi  i1 [%".196", %".221"], [-1, %".222"]
  br label %".226"
.225:
  br label %".226"
.226:
  %".227" = phi  i1 [%".224", %".223"], [-1, %".225"]
  br label %".229"
.228:
  br label %".229"
.229:
  %".230" = phi  i1 [%".227", %".226"], [0, %".228"]
  br i1 %".230", label %".231", label %".236"
.231:
  %".232" = phi  i64 [%".166", %".229"]
  %".233" = phi  i64 [%".168", %".229"]
  %".234" = add i64 %".232", 1
  %".235" = and i64 %".234", %"number.1"
  br label %".165"
.236:
  %".237" = icmp eq i64 %".168", -1
  %".238" = and i1 %".237", %".2"
  br i1 %".238", label %".239", label %".253"
.239:
  %".240" = shl i64 %".162", 32
  %".241" = or i64 %".240", %".148"
  %".242" = getelementptr inbounds i64, ptr %"array.3", i64 %".166"
  store i64 %".241", ptr %".242"
  %".243" = getelementptr inbounds i64, ptr %"array.5", i64 %".148"
  store i64 %".161", ptr %".243"
  %".244" = mul i64 %".148", 4
  %".245" = add i64 %".244", 1
  %".246" = add i64 %".244", 2
  %".247" = add i64 %".244", 3
  %".248" = getelementptr inbounds i64, ptr %"array.4", i64 %".244"
  store i64 %".153", ptr %".248"
  %".249" = getelementptr inbounds i64, ptr %"array.4", i64 %".245"
  store i64 %".155", ptr %".249"
  %".250" = getelementptr inbounds i64, ptr %"array.4", i64 %".246"
  store i64 %".157", ptr %".250"
  %".251" = getelementptr inbounds i64, ptr %"array.4", i64 %".247"
  store i64 %".159", ptr %".251"
  %".252" = add i64 %".148", 1
  br label %".255"
.253:
  %".254" = and i64 %".168", 4294967295
  br label %".255"
.255:
  %".256" = phi  i64 [%".148", %".239"], [%".254", %".253"]
  %".257" = phi  i64 [%".252", %".239"], [%".148", %".253"]
  %".258" = trunc i64 %".256" to i32
  %".259" = getelementptr inbounds i32, ptr %"array.6", i64 %".151"
  store i32 %".258", ptr %".259"
  %".260" = add i64 %".147", 1
  br label %".146"
.261:
  %".262" = add i64 %".17", %".22"
  br label %".10"
.263:
  store i64 %".12", ptr %"array.7"
  %".264" = getelementptr inbounds i64, ptr %"array.7", i64 1
  store i64 %".11", ptr %".264"
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")

declare i64 @"llvm.smax.i64"(i64 %"number", i64 %"number.1")

declare void @"llvm.prefetch.p0"(ptr %"array", i32 %"number", i32 %"number.1", i32 %"number.2")

declare i64 @"llvm.umin.i64"(i64 %"number", i64 %"number.1")
