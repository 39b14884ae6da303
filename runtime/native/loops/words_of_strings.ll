; Written by `python -m diablo.tools.loop_code` from string_contents.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"words_of_strings"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4", i64 %".5", ptr noalias %".6")
{
.8:
  br label %".9"
.9:
  %".19" = phi  i64 [0, %".8"], [%".60", %".17"]
  %".24" = icmp slt i64 %".19", %".4"
  br i1 %".24", label %".10", label %".18"
.10:
  %".26" = getelementptr inbounds i64, ptr %".2", i64 %".19"
  %".27" = load i64, ptr %".26"
  %".28" = getelementptr inbounds i64, ptr %".3", i64 %".19"
  %".29" = load i64, ptr %".28"
  %".30" = sub i64 %".29", %".5"
  %".31" = icmp sgt i64 %".30", 0
  br i1 %".31", label %".11", label %".15"
.11:
  %".33" = add i64 %".27", %".5"
  br label %".12"
.12:
  %".20" = phi  i64 [0, %".11"], [%".43", %".13"]
  %".21" = phi  i64 [0, %".11"], [%".42", %".13"]
  %".35" = icmp slt i64 %".20", 8
  br i1 %".35", label %".13", label %".14"
.13:
  %".37" = add i64 %".33", %".20"
  %".38" = getelementptr inbounds i8, ptr %".1", i64 %".37"
  %".39" = load i8, ptr %".38"
  %".40" = zext i8 %".39" to i64
  %".41" = shl i64 %".21", 8
  %".42" = or i64 %".41", %".40"
  %".43" = add i64 %".20", 1
  br label %".12"
.14:
  %".45" = call i64 @"llvm.smin.i64"(i64 %".30", i64 8)
  %".46" = sub i64 8, %".45"
  %".47" = mul i64 %".46", 8
  %".48" = icmp ule i64 %".47", 63
  %".49" = lshr i64 %".21", %".47"
  %".50" = select  i1 %".48", i64 %".49", i64 0
  %".51" = icmp ule i64 %".47", 63
  %".52" = shl i64 %".50", %".47"
  %".53" = select  i1 %".51", i64 %".52", i64 0
  br label %".16"
.15:
  br label %".16"
.16:
  %".22" = phi  i64 [%".53", %".14"], [0, %".15"]
  br label %".17"
.17:
  %".57" = xor i64 %".22", -9223372036854775808
  %".58" = getelementptr inbounds i64, ptr %".6", i64 %".19"
  store i64 %".57", ptr %".58"
  %".60" = add i64 %".19", 1
  br label %".9"
.18:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %".1", i64 %".2")
