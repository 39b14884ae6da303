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
  %".3" = phi  i64 [%"number", %".1"], [%".43", %".5"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".44"
.5:
  %".6" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  %".7" = load i64, ptr %".6"
  %".8" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  %".9" = load i64, ptr %".8"
  %".10" = call i64 @"llvm.smin.i64"(i64 %".9", i64 8)
  %".11" = sub i64 %".9", %".10"
  %".12" = add i64 %".7", %".11"
  %".13" = getelementptr inbounds i8, ptr %"array", i64 %".7"
  %".14" = load i64, ptr %".13", align 1
  %".15" = getelementptr inbounds i8, ptr %"array", i64 %".12"
  %".16" = load i64, ptr %".15", align 1
  %".17" = sub i64 8, %".10"
  %".18" = mul i64 %".17", 8
  %".19" = icmp ule i64 %".18", 63
  %".20" = shl i64 %".14", %".18"
  %".21" = select  i1 %".19", i64 %".20", i64 0
  %".22" = icmp ule i64 %".18", 63
  %".23" = shl i64 %".16", %".18"
  %".24" = select  i1 %".22", i64 %".23", i64 0
  %".25" = icmp ne i64 %".9", 0
  %".26" = select  i1 %".25", i64 %".21", i64 0
  %".27" = select  i1 %".25", i64 %".24", i64 0
  %".28" = xor i64 %".26", %".9"
  %".29" = mul i64 %".28", -7046029254386353131
  %".30" = lshr i64 %".29", 32
  %".31" = xor i64 %".29", %".30"
  %".32" = xor i64 %".31", %".27"
  %".33" = mul i64 %".32", -7046029254386353131
  %".34" = lshr i64 %".33", 32
  %".35" = mul i64 %".34", %"number.2"
  %".36" = lshr i64 %".35", 32
  %".37" = trunc i64 %".36" to i8
  %".38" = getelementptr inbounds i8, ptr %"array.3", i64 %".3"
  store i8 %".37", ptr %".38"
  %".39" = getelementptr inbounds i64, ptr %"array.4", i64 %".36"
  %".40" = load i64, ptr %".39"
  %".41" = add i64 %".40", 1
  %".42" = getelementptr inbounds i64, ptr %"array.4", i64 %".36"
  store i64 %".41", ptr %".42"
  %".43" = add i64 %".3", 1
  br label %".2"
.44:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")
