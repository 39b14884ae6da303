; Written by `python -m diablo.tools.loop_code` from string_contents.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"find_in_strings"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4",
    ptr noalias %".5", i64 %".6", ptr noalias %".7")
{
.8:
  %".9" = call i64 @"llvm.smin.i64"(i64 %".6", i64 8)
  %".10" = sub i64 8, %".9"
  %".11" = mul i64 %".10", 8
  br label %".12"
.12:
  %".13" = phi  i64 [0, %".8"], [%".32", %".29"]
  %".14" = phi  i64 [0, %".8"], [%".31", %".29"]
  %".15" = icmp slt i64 %".13", 8
  br i1 %".15", label %".16", label %".33"
.16:
  br label %".17"
.17:
  %".18" = phi  i64 [0, %".16"], [%".28", %".21"]
  %".19" = phi  i64 [0, %".16"], [%".27", %".21"]
  %".20" = icmp slt i64 %".18", 4
  br i1 %".20", label %".21", label %".29"
.21:
  %".22" = add i64 %".13", %".18"
  %".23" = getelementptr inbounds i8, ptr %".5", i64 %".22"
  %".24" = load i8, ptr %".23"
  %".25" = zext i8 %".24" to i64
  %".26" = shl i64 %".19", 8
  %".27" = or i64 %".26", %".25"
  %".28" = add i64 %".18", 1
  br label %".17"
.29:
  %".30" = shl i64 %".14", 32
  %".31" = or i64 %".30", %".19"
  %".32" = add i64 %".13", 4
  br label %".12"
.33:
  %".34" = icmp ule i64 %".11", 63
  %".35" = lshr i64 %".14", %".11"
  %".36" = select  i1 %".34", i64 %".35", i64 0
  br label %".37"
.37:
  %".38" = phi  i64 [0, %".33"], [%".109", %".105"]
  %".39" = icmp slt i64 %".38", %".4"
  br i1 %".39", label %".40", label %".110"
.40:
  %".41" = getelementptr inbounds i64, ptr %".2", i64 %".38"
  %".42" = load i64, ptr %".41"
  %".43" = getelementptr inbounds i64, ptr %".3", i64 %".38"
  %".44" = load i64, ptr %".43"
  %".45" = sub i64 %".44", %".6"
  br label %".46"
.46:
  %".47" = phi  i64 [0, %".40"], [%".104", %".103"]
  %".48" = phi  i1 [0, %".40"], [%".102", %".103"]
  %".49" = icmp sle i64 %".47", %".45"
  %".50" = xor i1 %".48", -1
  %".51" = and i1 %".49", %".50"
  br i1 %".51", label %".52", label %".105"
.52:
  %".53" = phi  i64 [%".47", %".46"]
  %".54" = phi  i1 [%".48", %".46"]
  %".55" = add i64 %".42", %".53"
  br label %".56"
.56:
  %".57" = phi  i64 [0, %".52"], [%".77", %".74"]
  %".58" = phi  i64 [0, %".52"], [%".76", %".74"]
  %".59" = icmp slt i64 %".57", 8
  br i1 %".59", label %".60", label %".78"
.60:
  %".61" = add i64 %".55", %".57"
  br label %".62"
.62:
  %".63" = phi  i64 [0, %".60"], [%".73", %".66"]
  %".64" = phi  i64 [0, %".60"], [%".72", %".66"]
  %".65" = icmp slt i64 %".63", 4
  br i1 %".65", label %".66", label %".74"
.66:
  %".67" = add i64 %".61", %".63"
  %".68" = getelementptr inbounds i8, ptr %".1", i64 %".67"
  %".69" = load i8, ptr %".68"
  %".70" = zext i8 %".69" to i64
  %".71" = shl i64 %".64", 8
  %".72" = or i64 %".71", %".70"
  %".73" = add i64 %".63", 1
  br label %".62"
.74:
  %".75" = shl i64 %".58", 32
  %".76" = or i64 %".75", %".64"
  %".77" = add i64 %".57", 4
  br label %".56"
.78:
  %".79" = icmp ule i64 %".11", 63
  %".80" = lshr i64 %".58", %".11"
  %".81" = select  i1 %".79", i64 %".80", i64 0
  %".82" = icmp eq i64 %".81", %".36"
  br i1 %".82", label %".83", label %".100"
.83:
  br label %".84"
.84:
  %".85" = phi  i64 [8, %".83"], [%".98", %".89"]
  %".86" = phi  i1 [-1, %".83"], [%".97", %".89"]
  %".87" = icmp slt i64 %".85", %".6"
  %".88" = and i1 %".87", %".86"
  br i1 %".88", label %".89", label %".99"
.89:
  %".90" = phi  i64 [%".85", %".84"]
  %".91" = phi  i1 [%".86", %".84"]
  %".92" = add i64 %".55", %".90"
  %".93" = getelementptr inbounds i8, ptr %".1", i64 %".92"
  %".94" = load i8, ptr %".93"
  %".95" = getelementptr inbounds i8, ptr %".5", i64 %".90"
  %".96" = load i8, ptr %".95"
  %".97" = icmp eq i8 %".94", %".96"
  %".98" = add i64 %".90", 1
  br label %".84"
.99:
  br label %".101"
.100:
  br label %".101"
.101:
  %".102" = phi  i1 [%".86", %".99"], [0, %".100"]
  br label %".103"
.103:
  %".104" = add i64 %".53", 1
  br label %".46"
.105:
  %".106" = add i64 %".47", -1
  %".107" = select  i1 %".48", i64 %".106", i64 -1
  %".108" = getelementptr inbounds i64, ptr %".7", i64 %".38"
  store i64 %".107", ptr %".108"
  %".109" = add i64 %".38", 1
  br label %".37"
.110:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %".1", i64 %".2")
