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
  %".19" = phi  i64 [%"number.4", %".1"], [%".70", %".66"]
  %".20" = icmp slt i64 %".19", %"number.5"
  br i1 %".20", label %".21", label %".71"
.21:
  %".22" = add i64 %".19", 1
  %".23" = getelementptr inbounds i32, ptr %"array.1", i64 %".19"
  %".24" = load i32, ptr %".23"
  %".25" = zext i32 %".24" to i64
  %".26" = getelementptr inbounds i32, ptr %"array.1", i64 %".22"
  %".27" = load i32, ptr %".26"
  %".28" = zext i32 %".27" to i64
  %".29" = sub i64 %".28", %".25"
  %".30" = sub i64 %".25", %"number"
  %".31" = sub i64 %".29", %"number.1"
  %".32" = icmp eq i64 %".31", 0
  %".33" = icmp sgt i64 %".31", 0
  %".34" = and i1 %".33", %".2"
  %".35" = or i1 %".32", %".34"
  %".36" = mul i64 %".31", %"number.3"
  %".37" = select  i1 %".35", i64 %".36", i64 0
  %".38" = add i64 %".30", %".37"
  %".39" = getelementptr inbounds i8, ptr %"array", i64 %".38"
  %".40" = load i64, ptr %".39", align 1
  %".41" = select  i1 %".35", i64 %".15", i64 0
  %".42" = add i64 %".38", %".41"
  %".43" = getelementptr inbounds i8, ptr %"array", i64 %".42"
  %".44" = load i64, ptr %".43", align 1
  %".45" = xor i64 %".40", %".13"
  %".46" = xor i64 %".44", %".17"
  %".47" = or i64 %".45", %".46"
  %".48" = and i64 %".47", %".11"
  %".49" = select  i1 %".35", i64 %".48", i64 -1
  br label %".50"
.50:
  %".51" = phi  i64 [8, %".21"], [%".65", %".56"]
  %".52" = phi  i64 [%".49", %".21"], [%".64", %".56"]
  %".53" = icmp slt i64 %".51", %".15"
  %".54" = icmp eq i64 %".52", 0
  %".55" = and i1 %".53", %".54"
  br i1 %".55", label %".56", label %".66"
.56:
  %".57" = phi  i64 [%".51", %".50"]
  %".58" = phi  i64 [%".52", %".50"]
  %".59" = add i64 %".38", %".57"
  %".60" = getelementptr inbounds i8, ptr %"array", i64 %".59"
  %".61" = load i64, ptr %".60", align 1
  %".62" = getelementptr inbounds i8, ptr %"array.2", i64 %".57"
  %".63" = load i64, ptr %".62", align 1
  %".64" = xor i64 %".61", %".63"
  %".65" = add i64 %".57", 8
  br label %".50"
.66:
  %".67" = icmp eq i64 %".52", 0
  %".68" = zext i1 %".67" to i8
  %".69" = getelementptr inbounds i8, ptr %"array.3", i64 %".19"
  store i8 %".68", ptr %".69"
  %".70" = add i64 %".19", 1
  br label %".18"
.71:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")

declare i64 @"llvm.smax.i64"(i64 %"number", i64 %"number.1")
