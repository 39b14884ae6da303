; Written by `python -m diablo.tools.loop_code` from sparse_times_sparse.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"sparse_times_sparse"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", ptr noalias %".5", ptr noalias %".6", ptr noalias %".7", ptr noalias %".8",
    ptr noalias %".9", ptr noalias %".10", ptr noalias %".11", ptr noalias %".12", i64 %".13",
    i64 %".14", i64 %".15", i64 %".16")
{
.17:
  br label %".18"
.18:
  %".19" = phi  i64 [%".15", %".17"], [%".132", %".129"]
  %".20" = phi  i64 [%".14", %".17"], [%".84", %".129"]
  %".21" = icmp slt i64 %".19", %".16"
  br i1 %".21", label %".22", label %".133"
.22:
  %".23" = add i64 %".19", 1
  %".24" = getelementptr inbounds i32, ptr %".1", i64 %".19"
  %".25" = load i32, ptr %".24"
  %".26" = zext i32 %".25" to i64
  %".27" = getelementptr inbounds i32, ptr %".1", i64 %".23"
  %".28" = load i32, ptr %".27"
  %".29" = zext i32 %".28" to i64
  br label %".30"
.30:
  %".31" = phi  i64 [%".26", %".22"], [%".80", %".79"]
  %".32" = icmp slt i64 %".31", %".29"
  br i1 %".32", label %".33", label %".81"
.33:
  %".34" = getelementptr inbounds i32, ptr %".2", i64 %".31"
  %".35" = load i32, ptr %".34"
  %".36" = zext i32 %".35" to i64
  %".37" = getelementptr inbounds float, ptr %".3", i64 %".31"
  %".38" = load float, ptr %".37"
  %".39" = add i64 %".36", 1
  %".40" = getelementptr inbounds i32, ptr %".4", i64 %".36"
  %".41" = load i32, ptr %".40"
  %".42" = zext i32 %".41" to i64
  %".43" = getelementptr inbounds i32, ptr %".4", i64 %".39"
  %".44" = load i32, ptr %".43"
  %".45" = zext i32 %".44" to i64
  br label %".46"
.46:
  %".47" = phi  i64 [%".42", %".33"], [%".78", %".49"]
  %".48" = icmp slt i64 %".47", %".45"
  br i1 %".48", label %".49", label %".79"
.49:
  %".50" = getelementptr inbounds i32, ptr %".5", i64 %".47"
  %".51" = load i32, ptr %".50"
  %".52" = zext i32 %".51" to i64
  %".53" = getelementptr inbounds float, ptr %".6", i64 %".47"
  %".54" = load float, ptr %".53"
  %".55" = fmul float %".38", %".54"
  %".56" = getelementptr inbounds float, ptr %".10", i64 %".52"
  %".57" = load float, ptr %".56"
  %".58" = fadd float %".57", %".55"
  %".59" = getelementptr inbounds float, ptr %".10", i64 %".52"
  store float %".58", ptr %".59"
  %".60" = lshr i64 %".52", 6
  %".61" = and i64 %".52", 63
  %".62" = icmp ule i64 %".61", 63
  %".63" = shl i64 1, %".61"
  %".64" = select  i1 %".62", i64 %".63", i64 0
  %".65" = getelementptr inbounds i64, ptr %".11", i64 %".60"
  %".66" = load i64, ptr %".65"
  %".67" = or i64 %".66", %".64"
  %".68" = getelementptr inbounds i64, ptr %".11", i64 %".60"
  store i64 %".67", ptr %".68"
  %".69" = lshr i64 %".60", 6
  %".70" = and i64 %".60", 63
  %".71" = icmp ule i64 %".70", 63
  %".72" = shl i64 1, %".70"
  %".73" = select  i1 %".71", i64 %".72", i64 0
  %".74" = getelementptr inbounds i64, ptr %".12", i64 %".69"
  %".75" = load i64, ptr %".74"
  %".76" = or i64 %".75", %".73"
  %".77" = getelementptr inbounds i64, ptr %".12", i64 %".69"
  store i64 %".76", ptr %".77"
  %".78" = add i64 %".47", 1
  br label %".46"
.79:
  %".80" = add i64 %".31", 1
  br label %".30"
.81:
  br label %".82"
.82:
  %".83" = phi  i64 [0, %".81"], [%".128", %".127"]
  %".84" = phi  i64 [%".20", %".81"], [%".93", %".127"]
  %".85" = icmp slt i64 %".83", %".13"
  br i1 %".85", label %".86", label %".129"
.86:
  %".87" = getelementptr inbounds i64, ptr %".12", i64 %".83"
  %".88" = load i64, ptr %".87"
  %".89" = getelementptr inbounds i64, ptr %".12", i64 %".83"
  store i64 0, ptr %".89"
  %".90" = shl i64 %".83", 6
  br label %".91"
.91:
  %".92" = phi  i64 [%".88", %".86"], [%".126", %".124"]
  %".93" = phi  i64 [%".84", %".86"], [%".106", %".124"]
  %".94" = icmp ne i64 %".92", 0
  br i1 %".94", label %".95", label %".127"
.95:
  %".96" = phi  i64 [%".92", %".91"]
  %".97" = phi  i64 [%".93", %".91"]
  %".98" = call i64 @"llvm.cttz.i64"(i64 %".96", i1 0)
  %".99" = or i64 %".90", %".98"
  %".100" = getelementptr inbounds i64, ptr %".11", i64 %".99"
  %".101" = load i64, ptr %".100"
  %".102" = getelementptr inbounds i64, ptr %".11", i64 %".99"
  store i64 0, ptr %".102"
  %".103" = shl i64 %".99", 6
  br label %".104"
.104:
  %".105" = phi  i64 [%".101", %".95"], [%".123", %".108"]
  %".106" = phi  i64 [%".97", %".95"], [%".121", %".108"]
  %".107" = icmp ne i64 %".105", 0
  br i1 %".107", label %".108", label %".124"
.108:
  %".109" = phi  i64 [%".105", %".104"]
  %".110" = phi  i64 [%".106", %".104"]
  %".111" = call i64 @"llvm.cttz.i64"(i64 %".109", i1 0)
  %".112" = or i64 %".103", %".111"
  %".113" = getelementptr inbounds float, ptr %".10", i64 %".112"
  %".114" = load float, ptr %".113"
  %".115" = getelementptr inbounds float, ptr %".10", i64 %".112"
  store float              0x0, ptr %".115"
  %".116" = trunc i64 %".112" to i32
  %".117" = getelementptr inbounds i32, ptr %".7", i64 %".110"
  store i32 %".116", ptr %".117"
  %".118" = getelementptr inbounds float, ptr %".8", i64 %".110"
  store float %".114", ptr %".118"
  %".119" = fcmp une float %".114",              0x0
  %".120" = zext i1 %".119" to i64
  %".121" = add i64 %".110", %".120"
  %".122" = add i64 %".109", -1
  %".123" = and i64 %".109", %".122"
  br label %".104"
.124:
  %".125" = add i64 %".96", -1
  %".126" = and i64 %".96", %".125"
  br label %".91"
.127:
  %".128" = add i64 %".83", 1
  br label %".82"
.129:
  %".130" = trunc i64 %".84" to i32
  %".131" = getelementptr inbounds i32, ptr %".9", i64 %".19"
  store i32 %".130", ptr %".131"
  %".132" = add i64 %".19", 1
  br label %".18"
.133:
  ret void
}

declare i64 @"llvm.cttz.i64"(i64 %".1", i1 %".2")
