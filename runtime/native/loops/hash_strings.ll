; Written by `python -m diablo.tools.loop_code` from string_codes.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"hash_strings"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    i64 %"number", i64 %"number.1", i64 %"number.2", ptr noalias %"array.3",
    ptr noalias %"array.4")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".71", %".44"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".72"
.5:
  %".6" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  %".7" = load i64, ptr %".6"
  %".8" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  %".9" = load i64, ptr %".8"
  %".10" = call i64 @"llvm.smin.i64"(i64 %".9", i64 8)
  %".11" = sub i64 %".9", %".10"
  %".12" = add i64 %".7", %".11"
  br label %".13"
.13:
  %".14" = phi  i64 [0, %".5"], [%".27", %".17"]
  %".15" = phi  i64 [0, %".5"], [%".26", %".17"]
  %".16" = icmp slt i64 %".14", 8
  br i1 %".16", label %".17", label %".28"
.17:
  %".18" = add i64 %".7", %".14"
  %".19" = getelementptr inbounds i8, ptr %"array", i64 %".18"
  %".20" = load i8, ptr %".19"
  %".21" = zext i8 %".20" to i64
  %".22" = mul i64 %".14", 8
  %".23" = icmp ule i64 %".22", 63
  %".24" = shl i64 %".21", %".22"
  %".25" = select  i1 %".23", i64 %".24", i64 0
  %".26" = or i64 %".15", %".25"
  %".27" = add i64 %".14", 1
  br label %".13"
.28:
  br label %".29"
.29:
  %".30" = phi  i64 [0, %".28"], [%".43", %".33"]
  %".31" = phi  i64 [0, %".28"], [%".42", %".33"]
  %".32" = icmp slt i64 %".30", 8
  br i1 %".32", label %".33", label %".44"
.33:
  %".34" = add i64 %".12", %".30"
  %".35" = getelementptr inbounds i8, ptr %"array", i64 %".34"
  %".36" = load i8, ptr %".35"
  %".37" = zext i8 %".36" to i64
  %".38" = mul i64 %".30", 8
  %".39" = icmp ule i64 %".38", 63
  %".40" = shl i64 %".37", %".38"
  %".41" = select  i1 %".39", i64 %".40", i64 0
  %".42" = or i64 %".31", %".41"
  %".43" = add i64 %".30", 1
  br label %".29"
.44:
  %".45" = sub i64 8, %".10"
  %".46" = mul i64 %".45", 8
  %".47" = icmp ule i64 %".46", 63
  %".48" = shl i64 %".15", %".46"
  %".49" = select  i1 %".47", i64 %".48", i64 0
  %".50" = icmp ule i64 %".46", 63
  %".51" = shl i64 %".31", %".46"
  %".52" = select  i1 %".50", i64 %".51", i64 0
  %".53" = icmp ne i64 %".9", 0
  %".54" = select  i1 %".53", i64 %".49", i64 0
  %".55" = select  i1 %".53", i64 %".52", i64 0
  %".56" = xor i64 %".54", %".9"
  %".57" = mul i64 %".56", -7046029254386353131
  %".58" = lshr i64 %".57", 32
  %".59" = xor i64 %".57", %".58"
  %".60" = xor i64 %".59", %".55"
  %".61" = mul i64 %".60", -7046029254386353131
  %".62" = lshr i64 %".61", 32
  %".63" = mul i64 %".62", %"number.2"
  %".64" = lshr i64 %".63", 32
  %".65" = trunc i64 %".64" to i8
  %".66" = getelementptr inbounds i8, ptr %"array.3", i64 %".3"
  store i8 %".65", ptr %".66"
  %".67" = getelementptr inbounds i64, ptr %"array.4", i64 %".64"
  %".68" = load i64, ptr %".67"
  %".69" = add i64 %".68", 1
  %".70" = getelementptr inbounds i64, ptr %"array.4", i64 %".64"
  store i64 %".69", ptr %".70"
  %".71" = add i64 %".3", 1
  br label %".2"
.72:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")
