; Written by `python -m diablo.tools.loop_code` from string_contents.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"words_of_strings"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4",
    i64 %".5", ptr noalias %".6")
{
.7:
  br label %".8"
.8:
  %".9" = phi  i64 [0, %".7"], [%".48", %".45"]
  %".10" = icmp slt i64 %".9", %".4"
  br i1 %".10", label %".11", label %".49"
.11:
  %".12" = getelementptr inbounds i64, ptr %".2", i64 %".9"
  %".13" = load i64, ptr %".12"
  %".14" = getelementptr inbounds i64, ptr %".3", i64 %".9"
  %".15" = load i64, ptr %".14"
  %".16" = sub i64 %".15", %".5"
  %".17" = icmp sgt i64 %".16", 0
  br i1 %".17", label %".18", label %".42"
.18:
  %".19" = add i64 %".13", %".5"
  br label %".20"
.20:
  %".21" = phi  i64 [0, %".18"], [%".31", %".24"]
  %".22" = phi  i64 [0, %".18"], [%".30", %".24"]
  %".23" = icmp slt i64 %".21", 8
  br i1 %".23", label %".24", label %".32"
.24:
  %".25" = add i64 %".19", %".21"
  %".26" = getelementptr inbounds i8, ptr %".1", i64 %".25"
  %".27" = load i8, ptr %".26"
  %".28" = zext i8 %".27" to i64
  %".29" = shl i64 %".22", 8
  %".30" = or i64 %".29", %".28"
  %".31" = add i64 %".21", 1
  br label %".20"
.32:
  %".33" = call i64 @"llvm.smin.i64"(i64 %".16", i64 8)
  %".34" = sub i64 8, %".33"
  %".35" = mul i64 %".34", 8
  %".36" = icmp ule i64 %".35", 63
  %".37" = lshr i64 %".22", %".35"
  %".38" = select  i1 %".36", i64 %".37", i64 0
  %".39" = icmp ule i64 %".35", 63
  %".40" = shl i64 %".38", %".35"
  %".41" = select  i1 %".39", i64 %".40", i64 0
  br label %".43"
.42:
  br label %".43"
.43:
  %".44" = phi  i64 [%".41", %".32"], [0, %".42"]
  br label %".45"
.45:
  %".46" = xor i64 %".44", -9223372036854775808
  %".47" = getelementptr inbounds i64, ptr %".6", i64 %".9"
  store i64 %".46", ptr %".47"
  %".48" = add i64 %".9", 1
  br label %".8"
.49:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %".1", i64 %".2")
