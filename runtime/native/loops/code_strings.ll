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
  %".8" = phi  i64 [%".6", %".1"], [%".246", %".243"]
  %".9" = phi  i64 [%".4", %".1"], [%".242", %".243"]
  %".10" = icmp slt i64 %".8", %"number"
  %".11" = icmp slt i64 %".9", %"number.2"
  %".12" = and i1 %".10", %".11"
  br i1 %".12", label %".13", label %".247"
.13:
  %".14" = phi  i64 [%".8", %".7"]
  %".15" = phi  i64 [%".9", %".7"]
  %".16" = getelementptr inbounds i64, ptr %"array.1", i64 %".14"
  %".17" = load i64, ptr %".16"
  %".18" = getelementptr inbounds i64, ptr %"array.2", i64 %".14"
  %".19" = load i64, ptr %".18"
  br label %".20"
.20:
  %".21" = phi  i64 [0, %".13"], [%".34", %".24"]
  %".22" = phi  i64 [0, %".13"], [%".33", %".24"]
  %".23" = icmp slt i64 %".21", 8
  br i1 %".23", label %".24", label %".35"
.24:
  %".25" = add i64 %".17", %".21"
  %".26" = getelementptr inbounds i8, ptr %"array", i64 %".25"
  %".27" = load i8, ptr %".26"
  %".28" = zext i8 %".27" to i64
  %".29" = mul i64 %".21", 8
  %".30" = icmp ule i64 %".29", 63
  %".31" = shl i64 %".28", %".29"
  %".32" = select  i1 %".30", i64 %".31", i64 0
  %".33" = or i64 %".22", %".32"
  %".34" = add i64 %".21", 1
  br label %".20"
.35:
  %".36" = call i64 @"llvm.smin.i64"(i64 %".19", i64 8)
  %".37" = sub i64 8, %".36"
  %".38" = mul i64 %".37", 8
  %".39" = icmp ule i64 %".38", 63
  %".40" = lshr i64 -1, %".38"
  %".41" = select  i1 %".39", i64 %".40", i64 0
  %".42" = and i64 %".22", %".41"
  %".43" = icmp ne i64 %".19", 0
  %".44" = select  i1 %".43", i64 %".42", i64 0
  %".45" = add i64 %".17", 8
  %".46" = sub i64 %".19", 8
  %".47" = icmp sgt i64 %".46", 0
  %".48" = select  i1 %".47", i64 %".46", i64 8
  br label %".49"
.49:
  %".50" = phi  i64 [0, %".35"], [%".63", %".53"]
  %".51" = phi  i64 [0, %".35"], [%".62", %".53"]
  %".52" = icmp slt i64 %".50", 8
  br i1 %".52", label %".53", label %".64"
.53:
  %".54" = add i64 %".45", %".50"
  %".55" = getelementptr inbounds i8, ptr %"array", i64 %".54"
  %".56" = load i8, ptr %".55"
  %".57" = zext i8 %".56" to i64
  %".58" = mul i64 %".50", 8
  %".59" = icmp ule i64 %".58", 63
  %".60" = shl i64 %".57", %".58"
  %".61" = select  i1 %".59", i64 %".60", i64 0
  %".62" = or i64 %".51", %".61"
  %".63" = add i64 %".50", 1
  br label %".49"
.64:
  %".65" = call i64 @"llvm.smin.i64"(i64 %".48", i64 8)
  %".66" = sub i64 8, %".65"
  %".67" = mul i64 %".66", 8
  %".68" = icmp ule i64 %".67", 63
  %".69" = lshr i64 -1, %".67"
  %".70" = select  i1 %".68", i64 %".69", i64 0
  %".71" = and i64 %".51", %".70"
  %".72" = select  i1 %".47", i64 %".71", i64 0
  %".73" = xor i64 %".19", %".44"
  %".74" = mul i64 %".73", -7046029254386353131
  %".75" = lshr i64 %".74", 32
  %".76" = xor i64 %".74", %".75"
  %".77" = xor i64 %".76", %".72"
  %".78" = mul i64 %".77", -7046029254386353131
  %".79" = lshr i64 %".78", 32
  %".80" = xor i64 %".78", %".79"
  br label %".81"
.81:
  %".82" = phi  i64 [16, %".64"], [%".115", %".102"]
  %".83" = phi  i64 [%".80", %".64"], [%".114", %".102"]
  %".84" = icmp slt i64 %".82", %".19"
  br i1 %".84", label %".85", label %".116"
.85:
  %".86" = add i64 %".17", %".82"
  br label %".87"
.87:
  %".88" = phi  i64 [0, %".85"], [%".101", %".91"]
  %".89" = phi  i64 [0, %".85"], [%".100", %".91"]
  %".90" = icmp slt i64 %".88", 8
  br i1 %".90", label %".91", label %".102"
.91:
  %".92" = add i64 %".86", %".88"
  %".93" = getelementptr inbounds i8, ptr %"array", i64 %".92"
  %".94" = load i8, ptr %".93"
  %".95" = zext i8 %".94" to i64
  %".96" = mul i64 %".88", 8
  %".97" = icmp ule i64 %".96", 63
  %".98" = shl i64 %".95", %".96"
  %".99" = select  i1 %".97", i64 %".98", i64 0
  %".100" = or i64 %".89", %".99"
  %".101" = add i64 %".88", 1
  br label %".87"
.102:
  %".103" = sub i64 %".19", %".82"
  %".104" = call i64 @"llvm.smin.i64"(i64 %".103", i64 8)
  %".105" = sub i64 8, %".104"
  %".106" = mul i64 %".105", 8
  %".107" = icmp ule i64 %".106", 63
  %".108" = lshr i64 -1, %".106"
  %".109" = select  i1 %".107", i64 %".108", i64 0
  %".110" = and i64 %".89", %".109"
  %".111" = xor i64 %".83", %".110"
  %".112" = mul i64 %".111", -7046029254386353131
  %".113" = lshr i64 %".112", 32
  %".114" = xor i64 %".112", %".113"
  %".115" = add i64 %".82", 8
  br label %".81"
.116:
  %".117" = mul i64 %".83", -7046029254386353131
  %".118" = lshr i64 %".117", 32
  %".119" = and i64 %".83", %"number.1"
  br label %".120"
.120:
  %".121" = phi  i64 [%".119", %".116"], [%".220", %".216"]
  %".122" = getelementptr inbounds i64, ptr %"array.3", i64 %".121"
  %".123" = load i64, ptr %".122"
  %".124" = icmp ne i64 %".123", -1
  br i1 %".124", label %".125", label %".212"
.125:
  %".126" = lshr i64 %".123", 32
  %".127" = icmp eq i64 %".126", %".118"
  br i1 %".127", label %".128", label %".208"
.128:
  %".129" = and i64 %".123", 4294967295
  %".130" = mul i64 %".129", 4
  %".131" = add i64 %".130", 1
  %".132" = add i64 %".130", 2
  %".133" = add i64 %".130", 3
  %".134" = getelementptr inbounds i64, ptr %"array.4", i64 %".131"
  %".135" = load i64, ptr %".134"
  %".136" = getelementptr inbounds i64, ptr %"array.4", i64 %".132"
  %".137" = load i64, ptr %".136"
  %".138" = getelementptr inbounds i64, ptr %"array.4", i64 %".133"
  %".139" = load i64, ptr %".138"
  %".140" = xor i64 %".19", %".135"
  %".141" = xor i64 %".44", %".137"
  %".142" = xor i64 %".72", %".139"
  %".143" = or i64 %".141", %".142"
  %".144" = or i64 %".140", %".143"
  %".145" = icmp eq i64 %".144", 0
  br i1 %".145", label %".146", label %".204"
.146:
  %".147" = getelementptr inbounds i64, ptr %"array.4", i64 %".130"
  %".148" = load i64, ptr %".147"
  br label %".149"
.149:
  %".150" = phi  i64 [16, %".146"], [%".202", %".191"]
  %".151" = phi  i1 [0, %".146"], [%".201", %".191"]
  %".152" = icmp slt i64 %".150", %".19"
  %".153" = xor i1 %".151", -1
  %".154" = and i1 %".152", %".153"
  br i1 %".154", label %".155", label %".203"
.155:
  %".156" = phi  i64 [%".150", %".149"]
  %".157" = phi  i1 [%".151", %".149"]
  %".158" = add i64 %".17", %".156"
  %".159" = add i64 %".148", %".156"
  br label %".160"
.160:
  %".161" = phi  i64 [0, %".155"], [%".174", %".164"]
  %".162" = phi  i64 [0, %".155"], [%".173", %".164"]
  %".163" = icmp slt i64 %".161", 8
  br i1 %".163", label %".164", label %".175"
.164:
  %".165" = add i64 %".158", %".161"
  %".166" = getelementptr inbounds i8, ptr %"array", i64 %".165"
  %".167" = load i8, ptr %".166"
  %".168" = zext i8 %".167" to i64
  %".169" = mul i64 %".161", 8
  %".170" = icmp ule i64 %".169", 63
  %".171" = shl i64 %".168", %".169"
  %".172" = select  i1 %".170", i64 %".171", i64 0
  %".173" = or i64 %".162", %".172"
  %".174" = add i64 %".161", 1
  br label %".160"
.175:
  br label %".176"
.176:
  %".177" = phi  i64 [0, %".175"], [%".190", %".180"]
  %".178" = phi  i64 [0, %".175"], [%".189", %".180"]
  %".179" = icmp slt i64 %".177", 8
  br i1 %".179", label %".180", label %".191"
.180:
  %".181" = add i64 %".159", %".177"
  %".182" = getelementptr inbounds i8, ptr %"array.8", i64 %".181"
  %".183" = load i8, ptr %".182"
  %".184" = zext i8 %".183" to i64
  %".185" = mul i64 %".177", 8
  %".186" = icmp ule i64 %".185", 63
  %".187" = shl i64 %".184", %".185"
  %".188" = select  i1 %".186", i64 %".187", i64 0
  %".189" = or i64 %".178", %".188"
  %".190" = add i64 %".177", 1
  br label %".176"
.191:
  %".192" = xor i64 %".162", %".178"
  %".193" = sub i64 %".19", %".156"
  %".194" = call i64 @"llvm.smin.i64"(i64 %".193", i64 8)
  %".195" = sub i64 8, %".194"
  %".196" = mul i64 %".195", 8
  %".197" = icmp ule i64 %".196", 63
  %".198" = lshr i64 -1, %".196"
  %".199" = select  i1 %".197", i64 %".198", i64 0
  %".200" = and i64 %".192", %".199"
  %".201" = icmp ne i64 %".200", 0
  %".202" = add i64 %".156", 8
  br label %".149"
.203:
  br label %".205"
.204:
  br label %".205"
.205:
  %".206" = phi  i1 [%".151", %".203"], [-1, %".204"]
  br label %".207"
.207:
  br label %".209"
.208:
  br label %".209"
.209:
  %".210" = phi  i1 [%".206", %".207"], [-1, %".208"]
  br label %".211"
.211:
  br label %".213"
.212:
  br label %".213"
.213:
  %".214" = phi  i1 [%".210", %".211"], [0, %".212"]
  br label %".215"
.215:
  br i1 %".214", label %".216", label %".221"
.216:
  %".217" = phi  i64 [%".121", %".215"]
  %".218" = phi  i64 [%".123", %".215"]
  %".219" = add i64 %".217", 1
  %".220" = and i64 %".219", %"number.1"
  br label %".120"
.221:
  %".222" = icmp eq i64 %".123", -1
  %".223" = and i1 %".222", %".2"
  br i1 %".223", label %".224", label %".238"
.224:
  %".225" = shl i64 %".118", 32
  %".226" = or i64 %".225", %".15"
  %".227" = getelementptr inbounds i64, ptr %"array.3", i64 %".121"
  store i64 %".226", ptr %".227"
  %".228" = getelementptr inbounds i64, ptr %"array.5", i64 %".15"
  store i64 %".83", ptr %".228"
  %".229" = mul i64 %".15", 4
  %".230" = add i64 %".229", 1
  %".231" = add i64 %".229", 2
  %".232" = add i64 %".229", 3
  %".233" = getelementptr inbounds i64, ptr %"array.4", i64 %".229"
  store i64 %".17", ptr %".233"
  %".234" = getelementptr inbounds i64, ptr %"array.4", i64 %".230"
  store i64 %".19", ptr %".234"
  %".235" = getelementptr inbounds i64, ptr %"array.4", i64 %".231"
  store i64 %".44", ptr %".235"
  %".236" = getelementptr inbounds i64, ptr %"array.4", i64 %".232"
  store i64 %".72", ptr %".236"
  %".237" = add i64 %".15", 1
  br label %".240"
.238:
  %".239" = and i64 %".123", 4294967295
  br label %".240"
.240:
  %".241" = phi  i64 [%".15", %".224"], [%".239", %".238"]
  %".242" = phi  i64 [%".237", %".224"], [%".15", %".238"]
  br label %".243"
.243:
  %".244" = trunc i64 %".241" to i32
  %".245" = getelementptr inbounds i32, ptr %"array.6", i64 %".14"
  store i32 %".244", ptr %".245"
  %".246" = add i64 %".14", 1
  br label %".7"
.247:
  %".248" = getelementptr inbounds i64, ptr %"array.7", i64 0
  store i64 %".9", ptr %".248"
  %".249" = getelementptr inbounds i64, ptr %"array.7", i64 1
  store i64 %".8", ptr %".249"
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")
