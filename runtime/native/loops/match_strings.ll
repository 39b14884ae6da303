; Written by `python -m diablo.tools.loop_code` from string_pairs.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"match_strings"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", ptr noalias %".5", ptr noalias %".6", i64 %".7", i64 %".8", i64 %".9",
    i64 %".10", i64 %".11", ptr noalias %".12")
{
.13:
  %".14" = icmp ne i64 %".8", 0
  br label %".15"
.15:
  %".16" = phi  i64 [%".10", %".13"], [%".93", %".88"]
  %".17" = icmp slt i64 %".16", %".11"
  br i1 %".17", label %".18", label %".94"
.18:
  %".19" = getelementptr inbounds i64, ptr %".2", i64 %".16"
  %".20" = load i64, ptr %".19"
  %".21" = getelementptr inbounds i64, ptr %".3", i64 %".16"
  %".22" = load i64, ptr %".21"
  %".23" = mul i64 %".16", %".7"
  %".24" = getelementptr inbounds i64, ptr %".5", i64 %".23"
  %".25" = load i64, ptr %".24"
  %".26" = getelementptr inbounds i64, ptr %".6", i64 %".23"
  %".27" = load i64, ptr %".26"
  %".28" = sub i64 %".22", %".27"
  %".29" = icmp eq i64 %".28", 0
  %".30" = icmp sgt i64 %".28", 0
  %".31" = and i1 %".30", %".14"
  %".32" = or i1 %".29", %".31"
  %".33" = mul i64 %".28", %".9"
  %".34" = add i64 %".20", %".33"
  %".35" = select  i1 %".32", i64 %".27", i64 0
  br label %".36"
.36:
  %".37" = phi  i64 [0, %".18"], [%".87", %".78"]
  %".38" = phi  i64 [0, %".18"], [%".86", %".78"]
  %".39" = icmp slt i64 %".37", %".35"
  %".40" = icmp eq i64 %".38", 0
  %".41" = and i1 %".39", %".40"
  br i1 %".41", label %".42", label %".88"
.42:
  %".43" = phi  i64 [%".37", %".36"]
  %".44" = phi  i64 [%".38", %".36"]
  %".45" = add i64 %".34", %".43"
  %".46" = add i64 %".25", %".43"
  br label %".47"
.47:
  %".48" = phi  i64 [0, %".42"], [%".61", %".51"]
  %".49" = phi  i64 [0, %".42"], [%".60", %".51"]
  %".50" = icmp slt i64 %".48", 8
  br i1 %".50", label %".51", label %".62"
.51:
  %".52" = add i64 %".45", %".48"
  %".53" = getelementptr inbounds i8, ptr %".1", i64 %".52"
  %".54" = load i8, ptr %".53"
  %".55" = zext i8 %".54" to i64
  %".56" = mul i64 %".48", 8
  %".57" = icmp ule i64 %".56", 63
  %".58" = shl i64 %".55", %".56"
  %".59" = select  i1 %".57", i64 %".58", i64 0
  %".60" = or i64 %".49", %".59"
  %".61" = add i64 %".48", 1
  br label %".47"
.62:
  br label %".63"
.63:
  %".64" = phi  i64 [0, %".62"], [%".77", %".67"]
  %".65" = phi  i64 [0, %".62"], [%".76", %".67"]
  %".66" = icmp slt i64 %".64", 8
  br i1 %".66", label %".67", label %".78"
.67:
  %".68" = add i64 %".46", %".64"
  %".69" = getelementptr inbounds i8, ptr %".4", i64 %".68"
  %".70" = load i8, ptr %".69"
  %".71" = zext i8 %".70" to i64
  %".72" = mul i64 %".64", 8
  %".73" = icmp ule i64 %".72", 63
  %".74" = shl i64 %".71", %".72"
  %".75" = select  i1 %".73", i64 %".74", i64 0
  %".76" = or i64 %".65", %".75"
  %".77" = add i64 %".64", 1
  br label %".63"
.78:
  %".79" = xor i64 %".49", %".65"
  %".80" = sub i64 %".35", %".43"
  %".81" = call i64 @"llvm.smin.i64"(i64 %".80", i64 8)
  %".82" = sub i64 8, %".81"
  %".83" = mul i64 %".82", 8
  %".84" = icmp ule i64 %".83", 63
  %".85" = shl i64 %".79", %".83"
  %".86" = select  i1 %".84", i64 %".85", i64 0
  %".87" = add i64 %".43", 8
  br label %".36"
.88:
  %".89" = icmp eq i64 %".38", 0
  %".90" = and i1 %".89", %".32"
  %".91" = zext i1 %".90" to i8
  %".92" = getelementptr inbounds i8, ptr %".12", i64 %".16"
  store i8 %".91", ptr %".92"
  %".93" = add i64 %".16", 1
  br label %".15"
.94:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %".1", i64 %".2")
