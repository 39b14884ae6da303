; Written by `python -m diablo.tools.loop_code` from string_contents.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"find_in_strings"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", ptr noalias %"array.4", ptr noalias %"array.5", i64 %"number",
    i64 %"number.1", i64 %"number.2", ptr noalias %"array.6")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [0, %".1"], [%".73", %".72"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".74"
.5:
  %".6" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  %".7" = load i64, ptr %".6"
  %".8" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  %".9" = load i64, ptr %".8"
  %".10" = mul i64 %".3", %"number"
  %".11" = mul i64 %".3", %"number.2"
  br label %".12"
.12:
  %".13" = phi  i64 [0, %".5"], [%".71", %".66"]
  %".14" = icmp slt i64 %".13", %"number.2"
  br i1 %".14", label %".15", label %".72"
.15:
  %".16" = add i64 %".10", %".13"
  %".17" = getelementptr inbounds i64, ptr %"array.4", i64 %".16"
  %".18" = load i64, ptr %".17"
  %".19" = getelementptr inbounds i64, ptr %"array.5", i64 %".16"
  %".20" = load i64, ptr %".19"
  %".21" = call i64 @"llvm.smin.i64"(i64 %".20", i64 8)
  %".22" = sub i64 8, %".21"
  %".23" = mul i64 %".22", 8
  %".24" = getelementptr inbounds i8, ptr %"array.3", i64 %".18"
  %".25" = load i64, ptr %".24", align 1
  %".26" = sub i64 %".9", %".20"
  br label %".27"
.27:
  %".28" = phi  i64 [0, %".15"], [%".65", %".63"]
  %".29" = phi  i1 [0, %".15"], [%".64", %".63"]
  %".30" = icmp sle i64 %".28", %".26"
  %".31" = xor i1 %".29", -1
  %".32" = and i1 %".30", %".31"
  br i1 %".32", label %".33", label %".66"
.33:
  %".34" = phi  i64 [%".28", %".27"]
  %".35" = phi  i1 [%".29", %".27"]
  %".36" = add i64 %".7", %".34"
  %".37" = getelementptr inbounds i8, ptr %"array", i64 %".36"
  %".38" = load i64, ptr %".37", align 1
  %".39" = xor i64 %".38", %".25"
  %".40" = icmp ule i64 %".23", 63
  %".41" = shl i64 %".39", %".23"
  %".42" = select  i1 %".40", i64 %".41", i64 0
  %".43" = icmp eq i64 %".42", 0
  br i1 %".43", label %".44", label %".62"
.44:
  br label %".45"
.45:
  %".46" = phi  i64 [8, %".44"], [%".60", %".50"]
  %".47" = phi  i1 [-1, %".44"], [%".59", %".50"]
  %".48" = icmp slt i64 %".46", %".20"
  %".49" = and i1 %".48", %".47"
  br i1 %".49", label %".50", label %".61"
.50:
  %".51" = phi  i64 [%".46", %".45"]
  %".52" = phi  i1 [%".47", %".45"]
  %".53" = add i64 %".36", %".51"
  %".54" = add i64 %".18", %".51"
  %".55" = getelementptr inbounds i8, ptr %"array", i64 %".53"
  %".56" = load i8, ptr %".55"
  %".57" = getelementptr inbounds i8, ptr %"array.3", i64 %".54"
  %".58" = load i8, ptr %".57"
  %".59" = icmp eq i8 %".56", %".58"
  %".60" = add i64 %".51", 1
  br label %".45"
.61:
  br label %".63"
.62:
  br label %".63"
.63:
  %".64" = phi  i1 [%".47", %".61"], [0, %".62"]
  %".65" = add i64 %".34", 1
  br label %".27"
.66:
  %".67" = add i64 %".28", -1
  %".68" = select  i1 %".29", i64 %".67", i64 -1
  %".69" = add i64 %".11", %".13"
  %".70" = getelementptr inbounds i64, ptr %"array.6", i64 %".69"
  store i64 %".68", ptr %".70"
  %".71" = add i64 %".13", 1
  br label %".12"
.72:
  %".73" = add i64 %".3", 1
  br label %".2"
.74:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")
