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
  %".28" = phi  i64 [%"number.4", %".26"], [%".128", %".125"]
  %".29" = icmp slt i64 %".28", %"number.5"
  br i1 %".29", label %".30", label %".129"
.30:
  %".31" = add i64 %".28", 1
  %".32" = getelementptr inbounds i32, ptr %"array.1", i64 %".28"
  %".33" = load i32, ptr %".32"
  %".34" = zext i32 %".33" to i64
  %".35" = getelementptr inbounds i32, ptr %"array.1", i64 %".31"
  %".36" = load i32, ptr %".35"
  %".37" = zext i32 %".36" to i64
  %".38" = sub i64 %".37", %".34"
  %".39" = sub i64 %".34", %"number"
  %".40" = sub i64 %".38", %"number.1"
  %".41" = icmp eq i64 %".40", 0
  %".42" = icmp sgt i64 %".40", 0
  %".43" = and i1 %".42", %".2"
  %".44" = or i1 %".41", %".43"
  %".45" = mul i64 %".40", %"number.3"
  %".46" = select  i1 %".44", i64 %".45", i64 0
  %".47" = add i64 %".39", %".46"
  br label %".48"
.48:
  %".49" = phi  i64 [0, %".30"], [%".62", %".52"]
  %".50" = phi  i64 [0, %".30"], [%".61", %".52"]
  %".51" = icmp slt i64 %".49", 8
  br i1 %".51", label %".52", label %".63"
.52:
  %".53" = add i64 %".47", %".49"
  %".54" = getelementptr inbounds i8, ptr %"array", i64 %".53"
  %".55" = load i8, ptr %".54"
  %".56" = zext i8 %".55" to i64
  %".57" = mul i64 %".49", 8
  %".58" = icmp ule i64 %".57", 63
  %".59" = shl i64 %".56", %".57"
  %".60" = select  i1 %".58", i64 %".59", i64 0
  %".61" = or i64 %".50", %".60"
  %".62" = add i64 %".49", 1
  br label %".48"
.63:
  %".64" = xor i64 %".50", %".14"
  %".65" = and i64 %".64", %".11"
  %".66" = icmp eq i64 %".65", 0
  %".67" = and i1 %".66", %".44"
  br i1 %".67", label %".68", label %".122"
.68:
  br label %".69"
.69:
  %".70" = phi  i64 [8, %".68"], [%".119", %".110"]
  %".71" = phi  i64 [0, %".68"], [%".118", %".110"]
  %".72" = icmp slt i64 %".70", %"number.1"
  %".73" = icmp eq i64 %".71", 0
  %".74" = and i1 %".72", %".73"
  br i1 %".74", label %".75", label %".120"
.75:
  %".76" = phi  i64 [%".70", %".69"]
  %".77" = phi  i64 [%".71", %".69"]
  %".78" = add i64 %".47", %".76"
  br label %".79"
.79:
  %".80" = phi  i64 [0, %".75"], [%".93", %".83"]
  %".81" = phi  i64 [0, %".75"], [%".92", %".83"]
  %".82" = icmp slt i64 %".80", 8
  br i1 %".82", label %".83", label %".94"
.83:
  %".84" = add i64 %".78", %".80"
  %".85" = getelementptr inbounds i8, ptr %"array", i64 %".84"
  %".86" = load i8, ptr %".85"
  %".87" = zext i8 %".86" to i64
  %".88" = mul i64 %".80", 8
  %".89" = icmp ule i64 %".88", 63
  %".90" = shl i64 %".87", %".88"
  %".91" = select  i1 %".89", i64 %".90", i64 0
  %".92" = or i64 %".81", %".91"
  %".93" = add i64 %".80", 1
  br label %".79"
.94:
  br label %".95"
.95:
  %".96" = phi  i64 [0, %".94"], [%".109", %".99"]
  %".97" = phi  i64 [0, %".94"], [%".108", %".99"]
  %".98" = icmp slt i64 %".96", 8
  br i1 %".98", label %".99", label %".110"
.99:
  %".100" = add i64 %".76", %".96"
  %".101" = getelementptr inbounds i8, ptr %"array.2", i64 %".100"
  %".102" = load i8, ptr %".101"
  %".103" = zext i8 %".102" to i64
  %".104" = mul i64 %".96", 8
  %".105" = icmp ule i64 %".104", 63
  %".106" = shl i64 %".103", %".104"
  %".107" = select  i1 %".105", i64 %".106", i64 0
  %".108" = or i64 %".97", %".107"
  %".109" = add i64 %".96", 1
  br label %".95"
.110:
  %".111" = xor i64 %".81", %".97"
  %".112" = sub i64 %"number.1", %".76"
  %".113" = call i64 @"llvm.smin.i64"(i64 %".112", i64 8)
  %".114" = sub i64 8, %".113"
  %".115" = mul i64 %".114", 8
  %".116" = icmp ule i64 %".115", 63
  %".117" = shl i64 %".111", %".115"
  %".118" = select  i1 %".116", i64 %".117", i64 0
  %".119" = add i64 %".76", 8
  br label %".69"
.120:
  %".121" = icmp eq i64 %".71", 0
  br label %".123"
.122:
  br label %".123"
.123:
  %".124" = phi  i1 [%".121", %".120"], [0, %".122"]
  br label %".125"
.125:
  %".126" = zext i1 %".124" to i8
  %".127" = getelementptr inbounds i8, ptr %"array.3", i64 %".28"
  store i8 %".126", ptr %".127"
  %".128" = add i64 %".28", 1
  br label %".27"
.129:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")

declare i64 @"llvm.smax.i64"(i64 %"number", i64 %"number.1")
