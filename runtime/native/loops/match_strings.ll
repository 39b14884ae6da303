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
  %".16" = phi  i64 [%".10", %".13"], [%".65", %".60"]
  %".17" = icmp slt i64 %".16", %".11"
  br i1 %".17", label %".18", label %".66"
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
  %".37" = phi  i64 [0, %".18"], [%".59", %".42"]
  %".38" = phi  i64 [0, %".18"], [%".58", %".42"]
  %".39" = icmp slt i64 %".37", %".35"
  %".40" = icmp eq i64 %".38", 0
  %".41" = and i1 %".39", %".40"
  br i1 %".41", label %".42", label %".60"
.42:
  %".43" = phi  i64 [%".37", %".36"]
  %".44" = phi  i64 [%".38", %".36"]
  %".45" = add i64 %".34", %".43"
  %".46" = add i64 %".25", %".43"
  %".47" = getelementptr inbounds i8, ptr %".1", i64 %".45"
  %".48" = load i64, ptr %".47", align 1
  %".49" = getelementptr inbounds i8, ptr %".4", i64 %".46"
  %".50" = load i64, ptr %".49", align 1
  %".51" = xor i64 %".48", %".50"
  %".52" = sub i64 %".35", %".43"
  %".53" = call i64 @"llvm.smin.i64"(i64 %".52", i64 8)
  %".54" = sub i64 8, %".53"
  %".55" = mul i64 %".54", 8
  %".56" = icmp ule i64 %".55", 63
  %".57" = shl i64 %".51", %".55"
  %".58" = select  i1 %".56", i64 %".57", i64 0
  %".59" = add i64 %".43", 8
  br label %".36"
.60:
  %".61" = icmp eq i64 %".38", 0
  %".62" = and i1 %".61", %".32"
  %".63" = zext i1 %".62" to i8
  %".64" = getelementptr inbounds i8, ptr %".12", i64 %".16"
  store i8 %".63", ptr %".64"
  %".65" = add i64 %".16", 1
  br label %".15"
.66:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %".1", i64 %".2")
