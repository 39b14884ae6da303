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
  %".18" = phi  i64 [%"number.4", %".1"], [%".69", %".65"]
  %".19" = icmp slt i64 %".18", %"number.5"
  br i1 %".19", label %".20", label %".70"
.20:
  %".21" = add i64 %".18", 1
  %".22" = getelementptr inbounds i32, ptr %"array.1", i64 %".18"
  %".23" = load i32, ptr %".22"
  %".24" = zext i32 %".23" to i64
  %".25" = getelementptr inbounds i32, ptr %"array.1", i64 %".21"
  %".26" = load i32, ptr %".25"
  %".27" = zext i32 %".26" to i64
  %".28" = sub i64 %".27", %".24"
  %".29" = sub i64 %".24", %"number"
  %".30" = sub i64 %".28", %"number.1"
  %".31" = icmp eq i64 %".30", 0
  %".32" = icmp sgt i64 %".30", 0
  %".33" = and i1 %".32", %".2"
  %".34" = or i1 %".31", %".33"
  %".35" = mul i64 %".30", %"number.3"
  %".36" = select  i1 %".34", i64 %".35", i64 0
  %".37" = add i64 %".29", %".36"
  %".38" = getelementptr inbounds i8, ptr %"array", i64 %".37"
  %".39" = load i64, ptr %".38", align 1
  %".40" = select  i1 %".34", i64 %".14", i64 0
  %".41" = add i64 %".37", %".40"
  %".42" = getelementptr inbounds i8, ptr %"array", i64 %".41"
  %".43" = load i64, ptr %".42", align 1
  %".44" = xor i64 %".39", %".12"
  %".45" = xor i64 %".43", %".16"
  %".46" = or i64 %".44", %".45"
  %".47" = and i64 %".46", %".11"
  %".48" = select  i1 %".34", i64 %".47", i64 -1
  br label %".49"
.49:
  %".50" = phi  i64 [8, %".20"], [%".64", %".55"]
  %".51" = phi  i64 [%".48", %".20"], [%".63", %".55"]
  %".52" = icmp slt i64 %".50", %".14"
  %".53" = icmp eq i64 %".51", 0
  %".54" = and i1 %".52", %".53"
  br i1 %".54", label %".55", label %".65"
.55:
  %".56" = phi  i64 [%".50", %".49"]
  %".57" = phi  i64 [%".51", %".49"]
  %".58" = add i64 %".37", %".56"
  %".59" = getelementptr inbounds i8, ptr %"array", i64 %".58"
  %".60" = load i64, ptr %".59", align 1
  %".61" = getelementptr inbounds i8, ptr %"array.2", i64 %".56"
  %".62" = load i64, ptr %".61", align 1
  %".63" = xor i64 %".60", %".62"
  %".64" = add i64 %".56", 8
  br label %".49"
.65:
  %".66" = icmp eq i64 %".51", 0
  %".67" = zext i1 %".66" to i8
  %".68" = getelementptr inbounds i8, ptr %"array.3", i64 %".18"
  store i8 %".67", ptr %".68"
  %".69" = add i64 %".18", 1
  br label %".17"
.70:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")

declare i64 @"llvm.smax.i64"(i64 %"number", i64 %"number.1")
