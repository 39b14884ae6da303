; Written by `python -m diablo.tools.loop_code` from masked_sparse_times_sparse.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"masked_sparse_times_sparse"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", ptr noalias %".4", ptr noalias %".5", ptr noalias %".6", ptr noalias %".7", ptr noalias %".8", ptr noalias %".9", ptr noalias %".10", ptr noalias %".11", ptr noalias %".12", i64 %".13", i64 %".14")
{
.16:
  %".42" = getelementptr inbounds i32, ptr %".7", i64 %".13"
  %".43" = load i32, ptr %".42"
  %".44" = zext i32 %".43" to i64
  br label %".17"
.17:
  %".34" = phi  i64 [%".13", %".16"], [%".141", %".32"]
  %".35" = phi  i64 [%".44", %".16"], [%".41", %".32"]
  %".46" = icmp slt i64 %".34", %".14"
  br i1 %".46", label %".18", label %".33"
.18:
  %".48" = add i64 %".34", 1
  %".49" = getelementptr inbounds i32, ptr %".7", i64 %".34"
  %".50" = load i32, ptr %".49"
  %".51" = zext i32 %".50" to i64
  %".52" = getelementptr inbounds i32, ptr %".7", i64 %".48"
  %".53" = load i32, ptr %".52"
  %".54" = zext i32 %".53" to i64
  br label %".19"
.19:
  %".36" = phi  i64 [%".51", %".18"], [%".67", %".20"]
  %".37" = phi  i64 [1, %".18"], [%".66", %".20"]
  %".56" = icmp slt i64 %".36", %".54"
  br i1 %".56", label %".20", label %".21"
.20:
  %".58" = getelementptr inbounds i32, ptr %".8", i64 %".36"
  %".59" = load i32, ptr %".58"
  %".60" = zext i32 %".59" to i64
  %".61" = trunc i64 %".37" to i32
  %".62" = getelementptr inbounds i32, ptr %".12", i64 %".60"
  store i32 %".61", ptr %".62"
  %".64" = getelementptr inbounds double, ptr %".10", i64 %".36"
  store double              0x0, ptr %".64"
  %".66" = add i64 %".37", 1
  %".67" = add i64 %".36", 1
  br label %".19"
.21:
  %".69" = getelementptr inbounds i32, ptr %".1", i64 %".34"
  %".70" = load i32, ptr %".69"
  %".71" = zext i32 %".70" to i64
  %".72" = getelementptr inbounds i32, ptr %".1", i64 %".48"
  %".73" = load i32, ptr %".72"
  %".74" = zext i32 %".73" to i64
  %".75" = icmp slt i64 %".51", %".54"
  %".76" = select  i1 %".75", i64 %".74", i64 %".71"
  %".77" = sub i64 %".51", 1
  br label %".22"
.22:
  %".38" = phi  i64 [%".71", %".21"], [%".116", %".28"]
  %".79" = icmp slt i64 %".38", %".76"
  br i1 %".79", label %".23", label %".29"
.23:
  %".81" = getelementptr inbounds i32, ptr %".2", i64 %".38"
  %".82" = load i32, ptr %".81"
  %".83" = zext i32 %".82" to i64
  %".84" = getelementptr inbounds double, ptr %".3", i64 %".38"
  %".85" = load double, ptr %".84"
  %".86" = add i64 %".83", 1
  %".87" = getelementptr inbounds i32, ptr %".4", i64 %".83"
  %".88" = load i32, ptr %".87"
  %".89" = zext i32 %".88" to i64
  %".90" = getelementptr inbounds i32, ptr %".4", i64 %".86"
  %".91" = load i32, ptr %".90"
  %".92" = zext i32 %".91" to i64
  br label %".24"
.24:
  %".39" = phi  i64 [%".89", %".23"], [%".114", %".27"]
  %".94" = icmp slt i64 %".39", %".92"
  br i1 %".94", label %".25", label %".28"
.25:
  %".96" = getelementptr inbounds i32, ptr %".5", i64 %".39"
  %".97" = load i32, ptr %".96"
  %".98" = zext i32 %".97" to i64
  %".99" = getelementptr inbounds i32, ptr %".12", i64 %".98"
  %".100" = load i32, ptr %".99"
  %".101" = zext i32 %".100" to i64
  %".102" = icmp ne i64 %".101", 0
  br i1 %".102", label %".26", label %".27"
.26:
  %".104" = getelementptr inbounds double, ptr %".6", i64 %".39"
  %".105" = load double, ptr %".104"
  %".106" = fmul double %".85", %".105"
  %".107" = add i64 %".77", %".101"
  %".108" = getelementptr inbounds double, ptr %".10", i64 %".107"
  %".109" = load double, ptr %".108"
  %".110" = fadd double %".109", %".106"
  %".111" = getelementptr inbounds double, ptr %".10", i64 %".107"
  store double %".110", ptr %".111"
  br label %".27"
.27:
  %".114" = add i64 %".39", 1
  br label %".24"
.28:
  %".116" = add i64 %".38", 1
  br label %".22"
.29:
  br label %".30"
.30:
  %".40" = phi  i64 [%".51", %".29"], [%".136", %".31"]
  %".41" = phi  i64 [%".35", %".29"], [%".135", %".31"]
  %".119" = icmp slt i64 %".40", %".54"
  br i1 %".119", label %".31", label %".32"
.31:
  %".121" = getelementptr inbounds i32, ptr %".8", i64 %".40"
  %".122" = load i32, ptr %".121"
  %".123" = zext i32 %".122" to i64
  %".124" = getelementptr inbounds i32, ptr %".12", i64 %".123"
  store i32 0, ptr %".124"
  %".126" = getelementptr inbounds double, ptr %".10", i64 %".40"
  %".127" = load double, ptr %".126"
  %".128" = trunc i64 %".123" to i32
  %".129" = getelementptr inbounds i32, ptr %".9", i64 %".41"
  store i32 %".128", ptr %".129"
  %".131" = getelementptr inbounds double, ptr %".10", i64 %".41"
  store double %".127", ptr %".131"
  %".133" = fcmp une double %".127",              0x0
  %".134" = zext i1 %".133" to i64
  %".135" = add i64 %".41", %".134"
  %".136" = add i64 %".40", 1
  br label %".30"
.32:
  %".138" = trunc i64 %".41" to i32
  %".139" = getelementptr inbounds i32, ptr %".11", i64 %".34"
  store i32 %".138", ptr %".139"
  %".141" = add i64 %".34", 1
  br label %".17"
.33:
  ret void
}
