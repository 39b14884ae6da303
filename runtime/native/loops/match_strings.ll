; Written by `python -m diablo.tools.loop_code` from string_pairs.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"match_strings"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", ptr noalias %"array.4", ptr noalias %"array.5", i64 %"number",
    i64 %"number.1", i64 %"number.2", i64 %"number.3", i64 %"number.4", i64 %"number.5",
    ptr noalias %"array.6")
{
.1:
  %".2" = icmp ne i64 %"number.2", 0
  br label %".3"
.3:
  %".4" = phi  i64 [%"number.4", %".1"], [%".62", %".61"]
  %".5" = icmp slt i64 %".4", %"number.5"
  br i1 %".5", label %".6", label %".63"
.6:
  %".7" = getelementptr inbounds i64, ptr %"array.1", i64 %".4"
  %".8" = load i64, ptr %".7"
  %".9" = getelementptr inbounds i64, ptr %"array.2", i64 %".4"
  %".10" = load i64, ptr %".9"
  %".11" = mul i64 %".4", %"number"
  %".12" = mul i64 %".4", %"number.1"
  br label %".13"
.13:
  %".14" = phi  i64 [0, %".6"], [%".60", %".54"]
  %".15" = icmp slt i64 %".14", %"number.1"
  br i1 %".15", label %".16", label %".61"
.16:
  %".17" = add i64 %".11", %".14"
  %".18" = getelementptr inbounds i64, ptr %"array.4", i64 %".17"
  %".19" = load i64, ptr %".18"
  %".20" = getelementptr inbounds i64, ptr %"array.5", i64 %".17"
  %".21" = load i64, ptr %".20"
  %".22" = sub i64 %".10", %".21"
  %".23" = icmp eq i64 %".22", 0
  %".24" = icmp sgt i64 %".22", 0
  %".25" = and i1 %".24", %".2"
  %".26" = or i1 %".23", %".25"
  %".27" = mul i64 %".22", %"number.3"
  %".28" = add i64 %".8", %".27"
  %".29" = select  i1 %".26", i64 %".21", i64 0
  br label %".30"
.30:
  %".31" = phi  i64 [0, %".16"], [%".53", %".36"]
  %".32" = phi  i64 [0, %".16"], [%".52", %".36"]
  %".33" = icmp slt i64 %".31", %".29"
  %".34" = icmp eq i64 %".32", 0
  %".35" = and i1 %".33", %".34"
  br i1 %".35", label %".36", label %".54"
.36:
  %".37" = phi  i64 [%".31", %".30"]
  %".38" = phi  i64 [%".32", %".30"]
  %".39" = add i64 %".28", %".37"
  %".40" = add i64 %".19", %".37"
  %".41" = getelementptr inbounds i8, ptr %"array", i64 %".39"
  %".42" = load i64, ptr %".41", align 1
  %".43" = getelementptr inbounds i8, ptr %"array.3", i64 %".40"
  %".44" = load i64, ptr %".43", align 1
  %".45" = xor i64 %".42", %".44"
  %".46" = sub i64 %".29", %".37"
  %".47" = call i64 @"llvm.smin.i64"(i64 %".46", i64 8)
  %".48" = sub i64 8, %".47"
  %".49" = mul i64 %".48", 8
  %".50" = icmp ule i64 %".49", 63
  %".51" = shl i64 %".45", %".49"
  %".52" = select  i1 %".50", i64 %".51", i64 0
  %".53" = add i64 %".37", 8
  br label %".30"
.54:
  %".55" = icmp eq i64 %".32", 0
  %".56" = and i1 %".55", %".26"
  %".57" = zext i1 %".56" to i8
  %".58" = add i64 %".12", %".14"
  %".59" = getelementptr inbounds i8, ptr %"array.6", i64 %".58"
  store i8 %".57", ptr %".59"
  %".60" = add i64 %".14", 1
  br label %".13"
.61:
  %".62" = add i64 %".4", 1
  br label %".3"
.63:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")
