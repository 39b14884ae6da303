; Written by `python -m diablo.tools.loop_code` from sparse_times_sparse.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"sparse_times_sparse"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", ptr noalias %".4", ptr noalias %".5", ptr noalias %".6", ptr noalias %".7", ptr noalias %".8", ptr noalias %".9", ptr noalias %".10", ptr noalias %".11", ptr noalias %".12", i64 %".13", i64 %".14", i64 %".15", i64 %".16")
{
.18:
  br label %".19"
.19:
  %".37" = phi  i64 [%".15", %".18"], [%".160", %".35"]
  %".38" = phi  i64 [%".14", %".18"], [%".42", %".35"]
  %".52" = icmp slt i64 %".37", %".16"
  br i1 %".52", label %".20", label %".36"
.20:
  %".54" = add i64 %".37", 1
  %".55" = getelementptr inbounds i32, ptr %".1", i64 %".37"
  %".56" = load i32, ptr %".55"
  %".57" = zext i32 %".56" to i64
  %".58" = getelementptr inbounds i32, ptr %".1", i64 %".54"
  %".59" = load i32, ptr %".58"
  %".60" = zext i32 %".59" to i64
  br label %".21"
.21:
  %".39" = phi  i64 [%".57", %".20"], [%".112", %".25"]
  %".62" = icmp slt i64 %".39", %".60"
  br i1 %".62", label %".22", label %".26"
.22:
  %".64" = getelementptr inbounds i32, ptr %".2", i64 %".39"
  %".65" = load i32, ptr %".64"
  %".66" = zext i32 %".65" to i64
  %".67" = getelementptr inbounds float, ptr %".3", i64 %".39"
  %".68" = load float, ptr %".67"
  %".69" = add i64 %".66", 1
  %".70" = getelementptr inbounds i32, ptr %".4", i64 %".66"
  %".71" = load i32, ptr %".70"
  %".72" = zext i32 %".71" to i64
  %".73" = getelementptr inbounds i32, ptr %".4", i64 %".69"
  %".74" = load i32, ptr %".73"
  %".75" = zext i32 %".74" to i64
  br label %".23"
.23:
  %".40" = phi  i64 [%".72", %".22"], [%".110", %".24"]
  %".77" = icmp slt i64 %".40", %".75"
  br i1 %".77", label %".24", label %".25"
.24:
  %".79" = getelementptr inbounds i32, ptr %".5", i64 %".40"
  %".80" = load i32, ptr %".79"
  %".81" = zext i32 %".80" to i64
  %".82" = getelementptr inbounds float, ptr %".6", i64 %".40"
  %".83" = load float, ptr %".82"
  %".84" = fmul float %".68", %".83"
  %".85" = getelementptr inbounds float, ptr %".10", i64 %".81"
  %".86" = load float, ptr %".85"
  %".87" = fadd float %".86", %".84"
  %".88" = getelementptr inbounds float, ptr %".10", i64 %".81"
  store float %".87", ptr %".88"
  %".90" = lshr i64 %".81", 6
  %".91" = and i64 %".81", 63
  %".92" = icmp ule i64 %".91", 63
  %".93" = shl i64 1, %".91"
  %".94" = select  i1 %".92", i64 %".93", i64 0
  %".95" = getelementptr inbounds i64, ptr %".11", i64 %".90"
  %".96" = load i64, ptr %".95"
  %".97" = or i64 %".96", %".94"
  %".98" = getelementptr inbounds i64, ptr %".11", i64 %".90"
  store i64 %".97", ptr %".98"
  %".100" = lshr i64 %".90", 6
  %".101" = and i64 %".90", 63
  %".102" = icmp ule i64 %".101", 63
  %".103" = shl i64 1, %".101"
  %".104" = select  i1 %".102", i64 %".103", i64 0
  %".105" = getelementptr inbounds i64, ptr %".12", i64 %".100"
  %".106" = load i64, ptr %".105"
  %".107" = or i64 %".106", %".104"
  %".108" = getelementptr inbounds i64, ptr %".12", i64 %".100"
  store i64 %".107", ptr %".108"
  %".110" = add i64 %".40", 1
  br label %".23"
.25:
  %".112" = add i64 %".39", 1
  br label %".21"
.26:
  br label %".27"
.27:
  %".41" = phi  i64 [0, %".26"], [%".155", %".34"]
  %".42" = phi  i64 [%".38", %".26"], [%".44", %".34"]
  %".115" = icmp slt i64 %".41", %".13"
  br i1 %".115", label %".28", label %".35"
.28:
  %".117" = getelementptr inbounds i64, ptr %".12", i64 %".41"
  %".118" = load i64, ptr %".117"
  %".119" = getelementptr inbounds i64, ptr %".12", i64 %".41"
  store i64 0, ptr %".119"
  %".121" = shl i64 %".41", 6
  br label %".29"
.29:
  %".43" = phi  i64 [%".118", %".28"], [%".153", %".33"]
  %".44" = phi  i64 [%".42", %".28"], [%".48", %".33"]
  %".123" = icmp ne i64 %".43", 0
  br i1 %".123", label %".30", label %".34"
.30:
  %".45" = phi  i64 [%".43", %".29"]
  %".46" = phi  i64 [%".44", %".29"]
  %".125" = call i64 @"llvm.cttz.i64"(i64 %".45", i1 0)
  %".126" = or i64 %".121", %".125"
  %".127" = getelementptr inbounds i64, ptr %".11", i64 %".126"
  %".128" = load i64, ptr %".127"
  %".129" = getelementptr inbounds i64, ptr %".11", i64 %".126"
  store i64 0, ptr %".129"
  %".131" = shl i64 %".126", 6
  br label %".31"
.31:
  %".47" = phi  i64 [%".128", %".30"], [%".150", %".32"]
  %".48" = phi  i64 [%".46", %".30"], [%".148", %".32"]
  %".133" = icmp ne i64 %".47", 0
  br i1 %".133", label %".32", label %".33"
.32:
  %".49" = phi  i64 [%".47", %".31"]
  %".50" = phi  i64 [%".48", %".31"]
  %".135" = call i64 @"llvm.cttz.i64"(i64 %".49", i1 0)
  %".136" = or i64 %".131", %".135"
  %".137" = getelementptr inbounds float, ptr %".10", i64 %".136"
  %".138" = load float, ptr %".137"
  %".139" = getelementptr inbounds float, ptr %".10", i64 %".136"
  store float              0x0, ptr %".139"
  %".141" = trunc i64 %".136" to i32
  %".142" = getelementptr inbounds i32, ptr %".7", i64 %".50"
  store i32 %".141", ptr %".142"
  %".144" = getelementptr inbounds float, ptr %".8", i64 %".50"
  store float %".138", ptr %".144"
  %".146" = fcmp une float %".138",              0x0
  %".147" = zext i1 %".146" to i64
  %".148" = add i64 %".50", %".147"
  %".149" = add i64 %".49", -1
  %".150" = and i64 %".49", %".149"
  br label %".31"
.33:
  %".152" = add i64 %".45", -1
  %".153" = and i64 %".45", %".152"
  br label %".29"
.34:
  %".155" = add i64 %".41", 1
  br label %".27"
.35:
  %".157" = trunc i64 %".42" to i32
  %".158" = getelementptr inbounds i32, ptr %".9", i64 %".37"
  store i32 %".157", ptr %".158"
  %".160" = add i64 %".37", 1
  br label %".19"
.36:
  ret void
}

declare i64 @"llvm.cttz.i64"(i64 %".1", i1 %".2")
