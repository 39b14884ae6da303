; Written by `python -m diablo.tools.loop_code` from string_pairs.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"compare_strings"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", ptr noalias %"array.4", ptr noalias %"array.5", i64 %"number",
    i64 %"number.1", i64 %"number.2", ptr noalias %"array.6")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [0, %".1"], [%".105", %".104"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".106"
.5:
  %".6" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  %".7" = load i64, ptr %".6"
  %".8" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  %".9" = load i64, ptr %".8"
  %".10" = mul i64 %".3", %"number"
  %".11" = mul i64 %".3", %"number.2"
  br label %".12"
.12:
  %".13" = phi  i64 [0, %".5"], [%".103", %".92"]
  %".14" = icmp slt i64 %".13", %"number.2"
  br i1 %".14", label %".15", label %".104"
.15:
  %".16" = add i64 %".10", %".13"
  %".17" = getelementptr inbounds i64, ptr %"array.4", i64 %".16"
  %".18" = load i64, ptr %".17"
  %".19" = getelementptr inbounds i64, ptr %"array.5", i64 %".16"
  %".20" = load i64, ptr %".19"
  %".21" = call i64 @"llvm.smin.i64"(i64 %".9", i64 %".20")
  br label %".22"
.22:
  %".23" = phi  i64 [0, %".15"], [%".91", %".80"]
  %".24" = phi  i64 [0, %".15"], [%".87", %".80"]
  %".25" = phi  i64 [0, %".15"], [%".90", %".80"]
  %".26" = icmp slt i64 %".23", %".21"
  %".27" = icmp eq i64 %".24", %".25"
  %".28" = and i1 %".26", %".27"
  br i1 %".28", label %".29", label %".92"
.29:
  %".30" = phi  i64 [%".23", %".22"]
  %".31" = phi  i64 [%".24", %".22"]
  %".32" = phi  i64 [%".25", %".22"]
  %".33" = add i64 %".7", %".30"
  %".34" = add i64 %".18", %".30"
  br label %".35"
.35:
  %".36" = phi  i64 [0, %".29"], [%".56", %".53"]
  %".37" = phi  i64 [0, %".29"], [%".55", %".53"]
  %".38" = icmp slt i64 %".36", 8
  br i1 %".38", label %".39", label %".57"
.39:
  %".40" = add i64 %".33", %".36"
  br label %".41"
.41:
  %".42" = phi  i64 [0, %".39"], [%".52", %".45"]
  %".43" = phi  i64 [0, %".39"], [%".51", %".45"]
  %".44" = icmp slt i64 %".42", 4
  br i1 %".44", label %".45", label %".53"
.45:
  %".46" = add i64 %".40", %".42"
  %".47" = getelementptr inbounds i8, ptr %"array", i64 %".46"
  %".48" = load i8, ptr %".47"
  %".49" = zext i8 %".48" to i64
  %".50" = shl i64 %".43", 8
  %".51" = or i64 %".50", %".49"
  %".52" = add i64 %".42", 1
  br label %".41"
.53:
  %".54" = shl i64 %".37", 32
  %".55" = or i64 %".54", %".43"
  %".56" = add i64 %".36", 4
  br label %".35"
.57:
  br label %".58"
.58:
  %".59" = phi  i64 [0, %".57"], [%".79", %".76"]
  %".60" = phi  i64 [0, %".57"], [%".78", %".76"]
  %".61" = icmp slt i64 %".59", 8
  br i1 %".61", label %".62", label %".80"
.62:
  %".63" = add i64 %".34", %".59"
  br label %".64"
.64:
  %".65" = phi  i64 [0, %".62"], [%".75", %".68"]
  %".66" = phi  i64 [0, %".62"], [%".74", %".68"]
  %".67" = icmp slt i64 %".65", 4
  br i1 %".67", label %".68", label %".76"
.68:
  %".69" = add i64 %".63", %".65"
  %".70" = getelementptr inbounds i8, ptr %"array.3", i64 %".69"
  %".71" = load i8, ptr %".70"
  %".72" = zext i8 %".71" to i64
  %".73" = shl i64 %".66", 8
  %".74" = or i64 %".73", %".72"
  %".75" = add i64 %".65", 1
  br label %".64"
.76:
  %".77" = shl i64 %".60", 32
  %".78" = or i64 %".77", %".66"
  %".79" = add i64 %".59", 4
  br label %".58"
.80:
  %".81" = sub i64 %".21", %".30"
  %".82" = call i64 @"llvm.smin.i64"(i64 %".81", i64 8)
  %".83" = sub i64 8, %".82"
  %".84" = mul i64 %".83", 8
  %".85" = icmp ule i64 %".84", 63
  %".86" = lshr i64 %".37", %".84"
  %".87" = select  i1 %".85", i64 %".86", i64 0
  %".88" = icmp ule i64 %".84", 63
  %".89" = lshr i64 %".60", %".84"
  %".90" = select  i1 %".88", i64 %".89", i64 0
  %".91" = add i64 %".30", 8
  br label %".22"
.92:
  %".93" = icmp ult i64 %".24", %".25"
  %".94" = icmp ugt i64 %".24", %".25"
  %".95" = icmp slt i64 %".9", %".20"
  %".96" = icmp sgt i64 %".9", %".20"
  %".97" = select  i1 %".96", i8 1, i8 0
  %".98" = select  i1 %".95", i8 -1, i8 %".97"
  %".99" = select  i1 %".94", i8 1, i8 %".98"
  %".100" = select  i1 %".93", i8 -1, i8 %".99"
  %".101" = add i64 %".11", %".13"
  %".102" = getelementptr inbounds i8, ptr %"array.6", i64 %".101"
  store i8 %".100", ptr %".102"
  %".103" = add i64 %".13", 1
  br label %".12"
.104:
  %".105" = add i64 %".3", 1
  br label %".2"
.106:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")
