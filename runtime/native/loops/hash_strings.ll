; Written by `python -m diablo.tools.loop_code` from string_codes.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"hash_strings"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4",
    i64 %".5", i64 %".6", ptr noalias %".7", ptr noalias %".8")
{
.9:
  br label %".10"
.10:
  %".11" = phi  i64 [%".4", %".9"], [%".51", %".13"]
  %".12" = icmp slt i64 %".11", %".5"
  br i1 %".12", label %".13", label %".52"
.13:
  %".14" = getelementptr inbounds i64, ptr %".2", i64 %".11"
  %".15" = load i64, ptr %".14"
  %".16" = getelementptr inbounds i64, ptr %".3", i64 %".11"
  %".17" = load i64, ptr %".16"
  %".18" = call i64 @"llvm.smin.i64"(i64 %".17", i64 8)
  %".19" = sub i64 %".17", %".18"
  %".20" = add i64 %".15", %".19"
  %".21" = getelementptr inbounds i8, ptr %".1", i64 %".15"
  %".22" = load i64, ptr %".21", align 1
  %".23" = getelementptr inbounds i8, ptr %".1", i64 %".20"
  %".24" = load i64, ptr %".23", align 1
  %".25" = sub i64 8, %".18"
  %".26" = mul i64 %".25", 8
  %".27" = icmp ule i64 %".26", 63
  %".28" = shl i64 %".22", %".26"
  %".29" = select  i1 %".27", i64 %".28", i64 0
  %".30" = icmp ule i64 %".26", 63
  %".31" = shl i64 %".24", %".26"
  %".32" = select  i1 %".30", i64 %".31", i64 0
  %".33" = icmp ne i64 %".17", 0
  %".34" = select  i1 %".33", i64 %".29", i64 0
  %".35" = select  i1 %".33", i64 %".32", i64 0
  %".36" = xor i64 %".34", %".17"
  %".37" = mul i64 %".36", -7046029254386353131
  %".38" = lshr i64 %".37", 32
  %".39" = xor i64 %".37", %".38"
  %".40" = xor i64 %".39", %".35"
  %".41" = mul i64 %".40", -7046029254386353131
  %".42" = lshr i64 %".41", 32
  %".43" = mul i64 %".42", %".6"
  %".44" = lshr i64 %".43", 32
  %".45" = trunc i64 %".44" to i8
  %".46" = getelementptr inbounds i8, ptr %".7", i64 %".11"
  store i8 %".45", ptr %".46"
  %".47" = getelementptr inbounds i64, ptr %".8", i64 %".44"
  %".48" = load i64, ptr %".47"
  %".49" = add i64 %".48", 1
  %".50" = getelementptr inbounds i64, ptr %".8", i64 %".44"
  store i64 %".49", ptr %".50"
  %".51" = add i64 %".11", 1
  br label %".10"
.52:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %".1", i64 %".2")
