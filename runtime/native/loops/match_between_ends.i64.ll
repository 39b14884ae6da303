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
  %".12" = getelementptr inbounds i8, ptr %"array.2", i64 0
  %".13" = load i64, ptr %".12", align 1
  %".14" = sub i64 %"number.1", 8
  %".15" = call i64 @"llvm.smax.i64"(i64 %".14", i64 0)
  %".16" = getelementptr inbounds i8, ptr %"array.2", i64 %".15"
  %".17" = load i64, ptr %".16", align 1
  br label %".18"
.18:
  %".19" = phi  i64 [%"number.4", %".1"], [%".68", %".64"]
  %".20" = icmp slt i64 %".19", %"number.5"
  br i1 %".20", label %".21", label %".69"
.21:
  %".22" = add i64 %".19", 1
  %".23" = getelementptr inbounds i64, ptr %"array.1", i64 %".19"
  %".24" = load i64, ptr %".23"
  %".25" = getelementptr inbounds i64, ptr %"array.1", i64 %".22"
  %".26" = load i64, ptr %".25"
  %".27" = sub i64 %".26", %".24"
  %".28" = sub i64 %".24", %"number"
  %".29" = sub i64 %".27", %"number.1"
  %".30" = icmp eq i64 %".29", 0
  %".31" = icmp sgt i64 %".29", 0
  %".32" = and i1 %".31", %".2"
  %".33" = or i1 %".30", %".32"
  %".34" = mul i64 %".29", %"number.3"
  %".35" = select  i1 %".33", i64 %".34", i64 0
  %".36" = add i64 %".28", %".35"
  %".37" = getelementptr inbounds i8, ptr %"array", i64 %".36"
  %".38" = load i64, ptr %".37", align 1
  %".39" = select  i1 %".33", i64 %".15", i64 0
  %".40" = add i64 %".36", %".39"
  %".41" = getelementptr inbounds i8, ptr %"array", i64 %".40"
  %".42" = load i64, ptr %".41", align 1
  %".43" = xor i64 %".38", %".13"
  %".44" = xor i64 %".42", %".17"
  %".45" = or i64 %".43", %".44"
  %".46" = and i64 %".45", %".11"
  %".47" = select  i1 %".33", i64 %".46", i64 -1
  br label %".48"
.48:
  %".49" = phi  i64 [8, %".21"], [%".63", %".54"]
  %".50" = phi  i64 [%".47", %".21"], [%".62", %".54"]
  %".51" = icmp slt i64 %".49", %".15"
  %".52" = icmp eq i64 %".50", 0
  %".53" = and i1 %".51", %".52"
  br i1 %".53", label %".54", label %".64"
.54:
  %".55" = phi  i64 [%".49", %".48"]
  %".56" = phi  i64 [%".50", %".48"]
  %".57" = add i64 %".36", %".55"
  %".58" = getelementptr inbounds i8, ptr %"array", i64 %".57"
  %".59" = load i64, ptr %".58", align 1
  %".60" = getelementptr inbounds i8, ptr %"array.2", i64 %".55"
  %".61" = load i64, ptr %".60", align 1
  %".62" = xor i64 %".59", %".61"
  %".63" = add i64 %".55", 8
  br label %".48"
.64:
  %".65" = icmp eq i64 %".50", 0
  %".66" = zext i1 %".65" to i8
  %".67" = getelementptr inbounds i8, ptr %"array.3", i64 %".19"
  store i8 %".66", ptr %".67"
  %".68" = add i64 %".19", 1
  br label %".18"
.69:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")

declare i64 @"llvm.smax.i64"(i64 %"number", i64 %"number.1")
