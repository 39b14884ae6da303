; Written by `python -m diablo.tools.loop_code` from string_pairs.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"compare_strings"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", ptr noalias %".5", ptr noalias %".6", i64 %".7", i64 %".8",
    ptr noalias %".9")
{
.10:
  br label %".11"
.11:
  %".12" = phi  i64 [0, %".10"], [%".105", %".95"]
  %".13" = icmp slt i64 %".12", %".8"
  br i1 %".13", label %".14", label %".106"
.14:
  %".15" = getelementptr inbounds i64, ptr %".2", i64 %".12"
  %".16" = load i64, ptr %".15"
  %".17" = getelementptr inbounds i64, ptr %".3", i64 %".12"
  %".18" = load i64, ptr %".17"
  %".19" = mul i64 %".12", %".7"
  %".20" = getelementptr inbounds i64, ptr %".5", i64 %".19"
  %".21" = load i64, ptr %".20"
  %".22" = getelementptr inbounds i64, ptr %".6", i64 %".19"
  %".23" = load i64, ptr %".22"
  %".24" = call i64 @"llvm.smin.i64"(i64 %".18", i64 %".23")
  br label %".25"
.25:
  %".26" = phi  i64 [0, %".14"], [%".94", %".83"]
  %".27" = phi  i64 [0, %".14"], [%".90", %".83"]
  %".28" = phi  i64 [0, %".14"], [%".93", %".83"]
  %".29" = icmp slt i64 %".26", %".24"
  %".30" = icmp eq i64 %".27", %".28"
  %".31" = and i1 %".29", %".30"
  br i1 %".31", label %".32", label %".95"
.32:
  %".33" = phi  i64 [%".26", %".25"]
  %".34" = phi  i64 [%".27", %".25"]
  %".35" = phi  i64 [%".28", %".25"]
  %".36" = add i64 %".16", %".33"
  %".37" = add i64 %".21", %".33"
  br label %".38"
.38:
  %".39" = phi  i64 [0, %".32"], [%".59", %".56"]
  %".40" = phi  i64 [0, %".32"], [%".58", %".56"]
  %".41" = icmp slt i64 %".39", 8
  br i1 %".41", label %".42", label %".60"
.42:
  %".43" = add i64 %".36", %".39"
  br label %".44"
.44:
  %".45" = phi  i64 [0, %".42"], [%".55", %".48"]
  %".46" = phi  i64 [0, %".42"], [%".54", %".48"]
  %".47" = icmp slt i64 %".45", 4
  br i1 %".47", label %".48", label %".56"
.48:
  %".49" = add i64 %".43", %".45"
  %".50" = getelementptr inbounds i8, ptr %".1", i64 %".49"
  %".51" = load i8, ptr %".50"
  %".52" = zext i8 %".51" to i64
  %".53" = shl i64 %".46", 8
  %".54" = or i64 %".53", %".52"
  %".55" = add i64 %".45", 1
  br label %".44"
.56:
  %".57" = shl i64 %".40", 32
  %".58" = or i64 %".57", %".46"
  %".59" = add i64 %".39", 4
  br label %".38"
.60:
  br label %".61"
.61:
  %".62" = phi  i64 [0, %".60"], [%".82", %".79"]
  %".63" = phi  i64 [0, %".60"], [%".81", %".79"]
  %".64" = icmp slt i64 %".62", 8
  br i1 %".64", label %".65", label %".83"
.65:
  %".66" = add i64 %".37", %".62"
  br label %".67"
.67:
  %".68" = phi  i64 [0, %".65"], [%".78", %".71"]
  %".69" = phi  i64 [0, %".65"], [%".77", %".71"]
  %".70" = icmp slt i64 %".68", 4
  br i1 %".70", label %".71", label %".79"
.71:
  %".72" = add i64 %".66", %".68"
  %".73" = getelementptr inbounds i8, ptr %".4", i64 %".72"
  %".74" = load i8, ptr %".73"
  %".75" = zext i8 %".74" to i64
  %".76" = shl i64 %".69", 8
  %".77" = or i64 %".76", %".75"
  %".78" = add i64 %".68", 1
  br label %".67"
.79:
  %".80" = shl i64 %".63", 32
  %".81" = or i64 %".80", %".69"
  %".82" = add i64 %".62", 4
  br label %".61"
.83:
  %".84" = sub i64 %".24", %".33"
  %".85" = call i64 @"llvm.smin.i64"(i64 %".84", i64 8)
  %".86" = sub i64 8, %".85"
  %".87" = mul i64 %".86", 8
  %".88" = icmp ule i64 %".87", 63
  %".89" = lshr i64 %".40", %".87"
  %".90" = select  i1 %".88", i64 %".89", i64 0
  %".91" = icmp ule i64 %".87", 63
  %".92" = lshr i64 %".63", %".87"
  %".93" = select  i1 %".91", i64 %".92", i64 0
  %".94" = add i64 %".33", 8
  br label %".25"
.95:
  %".96" = icmp ult i64 %".27", %".28"
  %".97" = icmp ugt i64 %".27", %".28"
  %".98" = icmp slt i64 %".18", %".23"
  %".99" = icmp sgt i64 %".18", %".23"
  %".100" = select  i1 %".99", i8 1, i8 0
  %".101" = select  i1 %".98", i8 -1, i8 %".100"
  %".102" = select  i1 %".97", i8 1, i8 %".101"
  %".103" = select  i1 %".96", i8 -1, i8 %".102"
  %".104" = getelementptr inbounds i8, ptr %".9", i64 %".12"
  store i8 %".103", ptr %".104"
  %".105" = add i64 %".12", 1
  br label %".11"
.106:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %".1", i64 %".2")
