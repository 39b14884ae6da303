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
  %".12" = load i64, ptr %"array.2", align 1
  %".13" = sub i64 %"number.1", 8
  %".14" = call i64 @"llvm.smax.i64"(i64 %".13", i64 0)
  %".15" = getelementptr inbounds i8, ptr %"array.2", i64 %".14"
  %".16" = load i64, ptr %".15", align 1
  br label %".17"
.17:
  %".18" = phi  i64 [%"number.4", %".1"], [%".67", %".63"]
  %".19" = icmp slt i64 %".18", %"number.5"
  br i1 %".19", label %".20", label %".68"
.20:
  %".21" = add i64 %".18", 1
  %".22" = getelementptr inbounds i64, ptr %"array.1", i64 %".18"
  %".23" = load i64, ptr %".22"
  %".24" = getelementptr inbounds i64, ptr %"array.1", i64 %".21"
  %".25" = load i64, ptr %".24"
  %".26" = sub i64 %".25", %".23"
  %".27" = sub i64 %".23", %"number"
  %".28" = sub i64 %".26", %"number.1"
  %".29" = icmp eq i64 %".28", 0
  %".30" = icmp sgt i64 %".28", 0
  %".31" = and i1 %".30", %".2"
  %".32" = or i1 %".29", %".31"
  %".33" = mul i64 %".28", %"number.3"
  %".34" = select  i1 %".32", i64 %".33", i64 0
  %".35" = add i64 %".27", %".34"
  %".36" = getelementptr inbounds i8, ptr %"array", i64 %".35"
  %".37" = load i64, ptr %".36", align 1
  %".38" = select  i1 %".32", i64 %".14", i64 0
  %".39" = add i64 %".35", %".38"
  %".40" = getelementptr inbounds i8, ptr %"array", i64 %".39"
  %".41" = load i64, ptr %".40", align 1
  %".42" = xor i64 %".37", %".12"
  %".43" = xor i64 %".41", %".16"
  %".44" = or i64 %".42", %".43"
  %".45" = and i64 %".44", %".11"
  %".46" = select  i1 %".32", i64 %".45", i64 -1
  br label %".47"
.47:
  %".48" = phi  i64 [8, %".20"], [%".62", %".53"]
  %".49" = phi  i64 [%".46", %".20"], [%".61", %".53"]
  %".50" = icmp slt i64 %".48", %".14"
  %".51" = icmp eq i64 %".49", 0
  %".52" = and i1 %".50", %".51"
  br i1 %".52", label %".53", label %".63"
.53:
  %".54" = phi  i64 [%".48", %".47"]
  %".55" = phi  i64 [%".49", %".47"]
  %".56" = add i64 %".35", %".54"
  %".57" = getelementptr inbounds i8, ptr %"array", i64 %".56"
  %".58" = load i64, ptr %".57", align 1
  %".59" = getelementptr inbounds i8, ptr %"array.2", i64 %".54"
  %".60" = load i64, ptr %".59", align 1
  %".61" = xor i64 %".58", %".60"
  %".62" = add i64 %".54", 8
  br label %".47"
.63:
  %".64" = icmp eq i64 %".49", 0
  %".65" = zext i1 %".64" to i8
  %".66" = getelementptr inbounds i8, ptr %"array.3", i64 %".18"
  store i8 %".65", ptr %".66"
  %".67" = add i64 %".18", 1
  br label %".17"
.68:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")

declare i64 @"llvm.smax.i64"(i64 %"number", i64 %"number.1")
