; Written by `python -m diablo.tools.loop_code` from string_places.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"match_between_ends"(ptr noalias %"array", ptr noalias %"array.1", i64 %"number",
    ptr noalias %"array.2", i64 %"number.1", i64 %"number.2", i64 %"number.3", i64 %"number.4",
    i64 %"number.5", ptr noalias %"array.3")
{
.1:
  %".2" = icmp ne i64 %"number.2", 0
  %".3" = icmp ne i64 %"number.1", 0
  %".4" = call i64 @"llvm.smin.i64"(i64 %"number.1", i64 8)
  %".5" = call i64 @"llvm.smax.i64"(i64 %".4", i64 1)
  %".6" = sub i64 8, %".5"
  %".7" = mul i64 %".6", 8
  %".8" = icmp ule i64 %".7", 63
  %".9" = lshr i64 -1, %".7"
  %".10" = select  i1 %".8", i64 %".9", i64 0
  %".11" = select  i1 %".3", i64 %".10", i64 0
  br label %".12"
.12:
  %".13" = phi  i64 [0, %".1"], [%".25", %".16"]
  %".14" = phi  i64 [0, %".1"], [%".24", %".16"]
  %".15" = icmp slt i64 %".13", 8
  br i1 %".15", label %".16", label %".26"
.16:
  %".17" = getelementptr inbounds i8, ptr %"array.2", i64 %".13"
  %".18" = load i8, ptr %".17"
  %".19" = zext i8 %".18" to i64
  %".20" = mul i64 %".13", 8
  %".21" = icmp ule i64 %".20", 63
  %".22" = shl i64 %".19", %".20"
  %".23" = select  i1 %".21", i64 %".22", i64 0
  %".24" = or i64 %".14", %".23"
  %".25" = add i64 %".13", 1
  br label %".12"
.26:
  br label %".27"
.27:
  %".28" = phi  i64 [%"number.4", %".26"], [%".126", %".123"]
  %".29" = icmp slt i64 %".28", %"number.5"
  br i1 %".29", label %".30", label %".127"
.30:
  %".31" = add i64 %".28", 1
  %".32" = getelementptr inbounds i64, ptr %"array.1", i64 %".28"
  %".33" = load i64, ptr %".32"
  %".34" = getelementptr inbounds i64, ptr %"array.1", i64 %".31"
  %".35" = load i64, ptr %".34"
  %".36" = sub i64 %".35", %".33"
  %".37" = sub i64 %".33", %"number"
  %".38" = sub i64 %".36", %"number.1"
  %".39" = icmp eq i64 %".38", 0
  %".40" = icmp sgt i64 %".38", 0
  %".41" = and i1 %".40", %".2"
  %".42" = or i1 %".39", %".41"
  %".43" = mul i64 %".38", %"number.3"
  %".44" = select  i1 %".42", i64 %".43", i64 0
  %".45" = add i64 %".37", %".44"
  br label %".46"
.46:
  %".47" = phi  i64 [0, %".30"], [%".60", %".50"]
  %".48" = phi  i64 [0, %".30"], [%".59", %".50"]
  %".49" = icmp slt i64 %".47", 8
  br i1 %".49", label %".50", label %".61"
.50:
  %".51" = add i64 %".45", %".47"
  %".52" = getelementptr inbounds i8, ptr %"array", i64 %".51"
  %".53" = load i8, ptr %".52"
  %".54" = zext i8 %".53" to i64
  %".55" = mul i64 %".47", 8
  %".56" = icmp ule i64 %".55", 63
  %".57" = shl i64 %".54", %".55"
  %".58" = select  i1 %".56", i64 %".57", i64 0
  %".59" = or i64 %".48", %".58"
  %".60" = add i64 %".47", 1
  br label %".46"
.61:
  %".62" = xor i64 %".48", %".14"
  %".63" = and i64 %".62", %".11"
  %".64" = icmp eq i64 %".63", 0
  %".65" = and i1 %".64", %".42"
  br i1 %".65", label %".66", label %".120"
.66:
  br label %".67"
.67:
  %".68" = phi  i64 [8, %".66"], [%".117", %".108"]
  %".69" = phi  i64 [0, %".66"], [%".116", %".108"]
  %".70" = icmp slt i64 %".68", %"number.1"
  %".71" = icmp eq i64 %".69", 0
  %".72" = and i1 %".70", %".71"
  br i1 %".72", label %".73", label %".118"
.73:
  %".74" = phi  i64 [%".68", %".67"]
  %".75" = phi  i64 [%".69", %".67"]
  %".76" = add i64 %".45", %".74"
  br label %".77"
.77:
  %".78" = phi  i64 [0, %".73"], [%".91", %".81"]
  %".79" = phi  i64 [0, %".73"], [%".90", %".81"]
  %".80" = icmp slt i64 %".78", 8
  br i1 %".80", label %".81", label %".92"
.81:
  %".82" = add i64 %".76", %".78"
  %".83" = getelementptr inbounds i8, ptr %"array", i64 %".82"
  %".84" = load i8, ptr %".83"
  %".85" = zext i8 %".84" to i64
  %".86" = mul i64 %".78", 8
  %".87" = icmp ule i64 %".86", 63
  %".88" = shl i64 %".85", %".86"
  %".89" = select  i1 %".87", i64 %".88", i64 0
  %".90" = or i64 %".79", %".89"
  %".91" = add i64 %".78", 1
  br label %".77"
.92:
  br label %".93"
.93:
  %".94" = phi  i64 [0, %".92"], [%".107", %".97"]
  %".95" = phi  i64 [0, %".92"], [%".106", %".97"]
  %".96" = icmp slt i64 %".94", 8
  br i1 %".96", label %".97", label %".108"
.97:
  %".98" = add i64 %".74", %".94"
  %".99" = getelementptr inbounds i8, ptr %"array.2", i64 %".98"
  %".100" = load i8, ptr %".99"
  %".101" = zext i8 %".100" to i64
  %".102" = mul i64 %".94", 8
  %".103" = icmp ule i64 %".102", 63
  %".104" = shl i64 %".101", %".102"
  %".105" = select  i1 %".103", i64 %".104", i64 0
  %".106" = or i64 %".95", %".105"
  %".107" = add i64 %".94", 1
  br label %".93"
.108:
  %".109" = xor i64 %".79", %".95"
  %".110" = sub i64 %"number.1", %".74"
  %".111" = call i64 @"llvm.smin.i64"(i64 %".110", i64 8)
  %".112" = sub i64 8, %".111"
  %".113" = mul i64 %".112", 8
  %".114" = icmp ule i64 %".113", 63
  %".115" = shl i64 %".109", %".113"
  %".116" = select  i1 %".114", i64 %".115", i64 0
  %".117" = add i64 %".74", 8
  br label %".67"
.118:
  %".119" = icmp eq i64 %".69", 0
  br label %".121"
.120:
  br label %".121"
.121:
  %".122" = phi  i1 [%".119", %".118"], [0, %".120"]
  br label %".123"
.123:
  %".124" = zext i1 %".122" to i8
  %".125" = getelementptr inbounds i8, ptr %"array.3", i64 %".28"
  store i8 %".124", ptr %".125"
  %".126" = add i64 %".28", 1
  br label %".27"
.127:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")

declare i64 @"llvm.smax.i64"(i64 %"number", i64 %"number.1")
