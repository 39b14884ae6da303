; Written by `python -m diablo.tools.loop_code` from string_contents.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"words_of_strings"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", i64 %"number", i64 %"number.1", ptr noalias %"array.3")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [0, %".1"], [%".51", %".47"]
  %".4" = icmp slt i64 %".3", %"number"
  br i1 %".4", label %".5", label %".52"
.5:
  %".6" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  %".7" = load i64, ptr %".6"
  %".8" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  %".9" = load i64, ptr %".8"
  %".10" = sub i64 %".9", %"number.1"
  %".11" = icmp sgt i64 %".10", 0
  br i1 %".11", label %".12", label %".46"
.12:
  %".13" = add i64 %".7", %"number.1"
  br label %".14"
.14:
  %".15" = phi  i64 [0, %".12"], [%".35", %".32"]
  %".16" = phi  i64 [0, %".12"], [%".34", %".32"]
  %".17" = icmp slt i64 %".15", 8
  br i1 %".17", label %".18", label %".36"
.18:
  %".19" = add i64 %".13", %".15"
  br label %".20"
.20:
  %".21" = phi  i64 [0, %".18"], [%".31", %".24"]
  %".22" = phi  i64 [0, %".18"], [%".30", %".24"]
  %".23" = icmp slt i64 %".21", 4
  br i1 %".23", label %".24", label %".32"
.24:
  %".25" = add i64 %".19", %".21"
  %".26" = getelementptr inbounds i8, ptr %"array", i64 %".25"
  %".27" = load i8, ptr %".26"
  %".28" = zext i8 %".27" to i64
  %".29" = shl i64 %".22", 8
  %".30" = or i64 %".29", %".28"
  %".31" = add i64 %".21", 1
  br label %".20"
.32:
  %".33" = shl i64 %".16", 32
  %".34" = or i64 %".33", %".22"
  %".35" = add i64 %".15", 4
  br label %".14"
.36:
  %".37" = call i64 @"llvm.smin.i64"(i64 %".10", i64 8)
  %".38" = sub i64 8, %".37"
  %".39" = mul i64 %".38", 8
  %".40" = icmp ule i64 %".39", 63
  %".41" = lshr i64 %".16", %".39"
  %".42" = select  i1 %".40", i64 %".41", i64 0
  %".43" = icmp ule i64 %".39", 63
  %".44" = shl i64 %".42", %".39"
  %".45" = select  i1 %".43", i64 %".44", i64 0
  br label %".47"
.46:
  br label %".47"
.47:
  %".48" = phi  i64 [%".45", %".36"], [0, %".46"]
  %".49" = xor i64 %".48", -9223372036854775808
  %".50" = getelementptr inbounds i64, ptr %"array.3", i64 %".3"
  store i64 %".49", ptr %".50"
  %".51" = add i64 %".3", 1
  br label %".2"
.52:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")
