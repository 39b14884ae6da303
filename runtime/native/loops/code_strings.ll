; Written by `python -m diablo.tools.loop_code` from string_codes.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"code_strings"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4",
    ptr noalias %".5", i64 %".6", ptr noalias %".7", ptr noalias %".8", i64 %".9",
    ptr noalias %".10", ptr noalias %".11", ptr noalias %".12", i64 %".13")
{
.14:
  %".15" = icmp eq i64 %".13", 0
  %".16" = getelementptr inbounds i64, ptr %".11", i64 0
  %".17" = load i64, ptr %".16"
  %".18" = getelementptr inbounds i64, ptr %".11", i64 1
  %".19" = load i64, ptr %".18"
  br label %".20"
.20:
  %".21" = phi  i64 [%".19", %".14"], [%".203", %".200"]
  %".22" = phi  i64 [%".17", %".14"], [%".199", %".200"]
  %".23" = icmp slt i64 %".21", %".4"
  %".24" = icmp slt i64 %".22", %".9"
  %".25" = and i1 %".23", %".24"
  br i1 %".25", label %".26", label %".204"
.26:
  %".27" = phi  i64 [%".21", %".20"]
  %".28" = phi  i64 [%".22", %".20"]
  %".29" = getelementptr inbounds i64, ptr %".2", i64 %".27"
  %".30" = load i64, ptr %".29"
  %".31" = getelementptr inbounds i64, ptr %".3", i64 %".27"
  %".32" = load i64, ptr %".31"
  %".33" = getelementptr inbounds i8, ptr %".1", i64 %".30"
  %".34" = load i64, ptr %".33", align 1
  %".35" = call i64 @"llvm.smin.i64"(i64 %".32", i64 8)
  %".36" = sub i64 8, %".35"
  %".37" = mul i64 %".36", 8
  %".38" = icmp ule i64 %".37", 63
  %".39" = lshr i64 -1, %".37"
  %".40" = select  i1 %".38", i64 %".39", i64 0
  %".41" = and i64 %".34", %".40"
  %".42" = icmp ne i64 %".32", 0
  %".43" = select  i1 %".42", i64 %".41", i64 0
  %".44" = add i64 %".30", 8
  %".45" = sub i64 %".32", 8
  %".46" = icmp sgt i64 %".45", 0
  %".47" = select  i1 %".46", i64 %".45", i64 8
  %".48" = getelementptr inbounds i8, ptr %".1", i64 %".44"
  %".49" = load i64, ptr %".48", align 1
  %".50" = call i64 @"llvm.smin.i64"(i64 %".47", i64 8)
  %".51" = sub i64 8, %".50"
  %".52" = mul i64 %".51", 8
  %".53" = icmp ule i64 %".52", 63
  %".54" = lshr i64 -1, %".52"
  %".55" = select  i1 %".53", i64 %".54", i64 0
  %".56" = and i64 %".49", %".55"
  %".57" = select  i1 %".46", i64 %".56", i64 0
  %".58" = xor i64 %".32", %".43"
  %".59" = mul i64 %".58", -7046029254386353131
  %".60" = lshr i64 %".59", 32
  %".61" = xor i64 %".59", %".60"
  %".62" = xor i64 %".61", %".57"
  %".63" = mul i64 %".62", -7046029254386353131
  %".64" = lshr i64 %".63", 32
  %".65" = xor i64 %".63", %".64"
  br label %".66"
.66:
  %".67" = phi  i64 [16, %".26"], [%".86", %".70"]
  %".68" = phi  i64 [%".65", %".26"], [%".85", %".70"]
  %".69" = icmp slt i64 %".67", %".32"
  br i1 %".69", label %".70", label %".87"
.70:
  %".71" = add i64 %".30", %".67"
  %".72" = getelementptr inbounds i8, ptr %".1", i64 %".71"
  %".73" = load i64, ptr %".72", align 1
  %".74" = sub i64 %".32", %".67"
  %".75" = call i64 @"llvm.smin.i64"(i64 %".74", i64 8)
  %".76" = sub i64 8, %".75"
  %".77" = mul i64 %".76", 8
  %".78" = icmp ule i64 %".77", 63
  %".79" = lshr i64 -1, %".77"
  %".80" = select  i1 %".78", i64 %".79", i64 0
  %".81" = and i64 %".73", %".80"
  %".82" = xor i64 %".68", %".81"
  %".83" = mul i64 %".82", -7046029254386353131
  %".84" = lshr i64 %".83", 32
  %".85" = xor i64 %".83", %".84"
  %".86" = add i64 %".67", 8
  br label %".66"
.87:
  %".88" = mul i64 %".68", -7046029254386353131
  %".89" = lshr i64 %".88", 32
  %".90" = and i64 %".68", %".6"
  br label %".91"
.91:
  %".92" = phi  i64 [%".90", %".87"], [%".177", %".173"]
  %".93" = getelementptr inbounds i64, ptr %".5", i64 %".92"
  %".94" = load i64, ptr %".93"
  %".95" = icmp ne i64 %".94", -1
  br i1 %".95", label %".96", label %".169"
.96:
  %".97" = lshr i64 %".94", 32
  %".98" = icmp eq i64 %".97", %".89"
  br i1 %".98", label %".99", label %".165"
.99:
  %".100" = and i64 %".94", 4294967295
  %".101" = mul i64 %".100", 4
  %".102" = add i64 %".101", 1
  %".103" = add i64 %".101", 2
  %".104" = add i64 %".101", 3
  %".105" = getelementptr inbounds i64, ptr %".7", i64 %".102"
  %".106" = load i64, ptr %".105"
  %".107" = getelementptr inbounds i64, ptr %".7", i64 %".103"
  %".108" = load i64, ptr %".107"
  %".109" = getelementptr inbounds i64, ptr %".7", i64 %".104"
  %".110" = load i64, ptr %".109"
  %".111" = xor i64 %".32", %".106"
  %".112" = xor i64 %".43", %".108"
  %".113" = xor i64 %".57", %".110"
  %".114" = or i64 %".112", %".113"
  %".115" = or i64 %".111", %".114"
  %".116" = icmp eq i64 %".115", 0
  br i1 %".116", label %".117", label %".161"
.117:
  %".118" = getelementptr inbounds i64, ptr %".7", i64 %".101"
  %".119" = load i64, ptr %".118"
  br label %".120"
.120:
  %".121" = phi  i64 [16, %".117"], [%".159", %".148"]
  %".122" = phi  i1 [0, %".117"], [%".158", %".148"]
  %".123" = icmp slt i64 %".121", %".32"
  %".124" = xor i1 %".122", -1
  %".125" = and i1 %".123", %".124"
  br i1 %".125", label %".126", label %".160"
.126:
  %".127" = phi  i64 [%".121", %".120"]
  %".128" = phi  i1 [%".122", %".120"]
  %".129" = add i64 %".30", %".127"
  %".130" = add i64 %".119", %".127"
  %".131" = getelementptr inbounds i8, ptr %".1", i64 %".129"
  %".132" = load i64, ptr %".131", align 1
  br label %".133"
.133:
  %".134" = phi  i64 [0, %".126"], [%".147", %".137"]
  %".135" = phi  i64 [0, %".126"], [%".146", %".137"]
  %".136" = icmp slt i64 %".134", 8
  br i1 %".136", label %".137", label %".148"
.137:
  %".138" = add i64 %".130", %".134"
  %".139" = getelementptr inbounds i8, ptr %".12", i64 %".138"
  %".140" = load i8, ptr %".139"
  %".141" = zext i8 %".140" to i64
  %".142" = mul i64 %".134", 8
  %".143" = icmp ule i64 %".142", 63
  %".144" = shl i64 %".141", %".142"
  %".145" = select  i1 %".143", i64 %".144", i64 0
  %".146" = or i64 %".135", %".145"
  %".147" = add i64 %".134", 1
  br label %".133"
.148:
  %".149" = xor i64 %".132", %".135"
  %".150" = sub i64 %".32", %".127"
  %".151" = call i64 @"llvm.smin.i64"(i64 %".150", i64 8)
  %".152" = sub i64 8, %".151"
  %".153" = mul i64 %".152", 8
  %".154" = icmp ule i64 %".153", 63
  %".155" = lshr i64 -1, %".153"
  %".156" = select  i1 %".154", i64 %".155", i64 0
  %".157" = and i64 %".149", %".156"
  %".158" = icmp ne i64 %".157", 0
  %".159" = add i64 %".127", 8
  br label %".120"
.160:
  br label %".162"
.161:
  br label %".162"
.162:
  %".163" = phi  i1 [%".122", %".160"], [-1, %".161"]
  br label %".164"
.164:
  br label %".166"
.165:
  br label %".166"
.166:
  %".167" = phi  i1 [%".163", %".164"], [-1, %".165"]
  br label %".168"
.168:
  br label %".170"
.169:
  br label %".170"
.170:
  %".171" = phi  i1 [%".167", %".168"], [0, %".169"]
  br label %".172"
.172:
  br i1 %".171", label %".173", label %".178"
.173:
  %".174" = phi  i64 [%".92", %".172"]
  %".175" = phi  i64 [%".94", %".172"]
  %".176" = add i64 %".174", 1
  %".177" = and i64 %".176", %".6"
  br label %".91"
.178:
  %".179" = icmp eq i64 %".94", -1
  %".180" = and i1 %".179", %".15"
  br i1 %".180", label %".181", label %".195"
.181:
  %".182" = shl i64 %".89", 32
  %".183" = or i64 %".182", %".28"
  %".184" = getelementptr inbounds i64, ptr %".5", i64 %".92"
  store i64 %".183", ptr %".184"
  %".185" = getelementptr inbounds i64, ptr %".8", i64 %".28"
  store i64 %".68", ptr %".185"
  %".186" = mul i64 %".28", 4
  %".187" = add i64 %".186", 1
  %".188" = add i64 %".186", 2
  %".189" = add i64 %".186", 3
  %".190" = getelementptr inbounds i64, ptr %".7", i64 %".186"
  store i64 %".30", ptr %".190"
  %".191" = getelementptr inbounds i64, ptr %".7", i64 %".187"
  store i64 %".32", ptr %".191"
  %".192" = getelementptr inbounds i64, ptr %".7", i64 %".188"
  store i64 %".43", ptr %".192"
  %".193" = getelementptr inbounds i64, ptr %".7", i64 %".189"
  store i64 %".57", ptr %".193"
  %".194" = add i64 %".28", 1
  br label %".197"
.195:
  %".196" = and i64 %".94", 4294967295
  br label %".197"
.197:
  %".198" = phi  i64 [%".28", %".181"], [%".196", %".195"]
  %".199" = phi  i64 [%".194", %".181"], [%".28", %".195"]
  br label %".200"
.200:
  %".201" = trunc i64 %".198" to i32
  %".202" = getelementptr inbounds i32, ptr %".10", i64 %".27"
  store i32 %".201", ptr %".202"
  %".203" = add i64 %".27", 1
  br label %".20"
.204:
  %".205" = getelementptr inbounds i64, ptr %".11", i64 0
  store i64 %".22", ptr %".205"
  %".206" = getelementptr inbounds i64, ptr %".11", i64 1
  store i64 %".21", ptr %".206"
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %".1", i64 %".2")
