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
  %".9" = phi  i64 [0, %".7"], [%".58", %".55"]
  %".10" = icmp slt i64 %".9", %".4"
  br i1 %".10", label %".11", label %".59"
.11:
  %".12" = getelementptr inbounds i64, ptr %".2", i64 %".9"
  %".13" = load i64, ptr %".12"
  %".14" = getelementptr inbounds i64, ptr %".3", i64 %".9"
  %".15" = load i64, ptr %".14"
  %".16" = sub i64 %".15", %".5"
  %".17" = icmp sgt i64 %".16", 0
  br i1 %".17", label %".18", label %".52"
.18:
  %".19" = add i64 %".13", %".5"
  br label %".20"
.20:
  %".21" = phi  i64 [0, %".18"], [%".41", %".38"]
  %".22" = phi  i64 [0, %".18"], [%".40", %".38"]
  %".23" = icmp slt i64 %".21", 8
  br i1 %".23", label %".24", label %".42"
.24:
  %".25" = add i64 %".19", %".21"
  br label %".26"
.26:
  %".27" = phi  i64 [0, %".24"], [%".37", %".30"]
  %".28" = phi  i64 [0, %".24"], [%".36", %".30"]
  %".29" = icmp slt i64 %".27", 4
  br i1 %".29", label %".30", label %".38"
.30:
  %".31" = add i64 %".25", %".27"
  %".32" = getelementptr inbounds i8, ptr %".1", i64 %".31"
  %".33" = load i8, ptr %".32"
  %".34" = zext i8 %".33" to i64
  %".35" = shl i64 %".28", 8
  %".36" = or i64 %".35", %".34"
  %".37" = add i64 %".27", 1
  br label %".26"
.38:
  %".39" = shl i64 %".22", 32
  %".40" = or i64 %".39", %".28"
  %".41" = add i64 %".21", 4
  br label %".20"
.42:
  %".43" = call i64 @"llvm.smin.i64"(i64 %".16", i64 8)
  %".44" = sub i64 8, %".43"
  %".45" = mul i64 %".44", 8
  %".46" = icmp ule i64 %".45", 63
  %".47" = lshr i64 %".22", %".45"
  %".48" = select  i1 %".46", i64 %".47", i64 0
  %".49" = icmp ule i64 %".45", 63
  %".50" = shl i64 %".48", %".45"
  %".51" = select  i1 %".49", i64 %".50", i64 0
  br label %".53"
.52:
  br label %".53"
.53:
  %".54" = phi  i64 [%".51", %".42"], [0, %".52"]
  br label %".55"
.55:
  %".56" = xor i64 %".54", -9223372036854775808
  %".57" = getelementptr inbounds i64, ptr %".6", i64 %".9"
  store i64 %".56", ptr %".57"
  %".58" = add i64 %".9", 1
  br label %".8"
.59:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %".1", i64 %".2")
