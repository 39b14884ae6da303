; Written by `python -m diablo.tools.loop_code` from string_pairs.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"copy_strings"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    i64 %"number", ptr noalias %"array.3", ptr noalias %"array.4", ptr noalias %"array.5",
    i64 %"number.1", i64 %"number.2", ptr noalias %"array.6", ptr noalias %"array.7")
{
.1:
  %".2" = getelementptr inbounds i64, ptr %"array.7", i64 %"number.2"
  %".3" = load i64, ptr %".2"
  %".4" = sub i64 %".3", 8
  br label %".5"
.5:
  %".6" = phi  i64 [0, %".1"], [%".87", %".86"]
  %".7" = icmp slt i64 %".6", %"number.2"
  br i1 %".7", label %".8", label %".88"
.8:
  %".9" = getelementptr inbounds i64, ptr %"array.7", i64 %".6"
  %".10" = load i64, ptr %".9"
  %".11" = mul i64 %".6", %"number"
  %".12" = getelementptr inbounds i64, ptr %"array.1", i64 %".11"
  %".13" = load i64, ptr %".12"
  %".14" = getelementptr inbounds i64, ptr %"array.2", i64 %".11"
  %".15" = load i64, ptr %".14"
  %".16" = add i64 %".10", %".15"
  %".17" = mul i64 %".6", %"number.1"
  %".18" = getelementptr inbounds i64, ptr %"array.4", i64 %".17"
  %".19" = load i64, ptr %".18"
  %".20" = getelementptr inbounds i64, ptr %"array.5", i64 %".17"
  %".21" = load i64, ptr %".20"
  %".22" = add i64 %".16", %".21"
  %".23" = icmp sle i64 %".22", %".4"
  br i1 %".23", label %".24", label %".63"
.24:
  br label %".25"
.25:
  %".26" = phi  i64 [0, %".24"], [%".42", %".41"]
  %".27" = icmp slt i64 %".26", %".15"
  br i1 %".27", label %".28", label %".43"
.28:
  %".29" = add i64 %".13", %".26"
  %".30" = add i64 %".10", %".26"
  br label %".31"
.31:
  %".32" = phi  i64 [0, %".28"], [%".40", %".34"]
  %".33" = icmp slt i64 %".32", 8
  br i1 %".33", label %".34", label %".41"
.34:
  %".35" = add i64 %".29", %".32"
  %".36" = add i64 %".30", %".32"
  %".37" = getelementptr inbounds i8, ptr %"array", i64 %".35"
  %".38" = load i8, ptr %".37"
  %".39" = getelementptr inbounds i8, ptr %"array.6", i64 %".36"
  store i8 %".38", ptr %".39"
  %".40" = add i64 %".32", 1
  br label %".31"
.41:
  %".42" = add i64 %".26", 8
  br label %".25"
.43:
  br label %".44"
.44:
  %".45" = phi  i64 [0, %".43"], [%".61", %".60"]
  %".46" = icmp slt i64 %".45", %".21"
  br i1 %".46", label %".47", label %".62"
.47:
  %".48" = add i64 %".19", %".45"
  %".49" = add i64 %".16", %".45"
  br label %".50"
.50:
  %".51" = phi  i64 [0, %".47"], [%".59", %".53"]
  %".52" = icmp slt i64 %".51", 8
  br i1 %".52", label %".53", label %".60"
.53:
  %".54" = add i64 %".48", %".51"
  %".55" = add i64 %".49", %".51"
  %".56" = getelementptr inbounds i8, ptr %"array.3", i64 %".54"
  %".57" = load i8, ptr %".56"
  %".58" = getelementptr inbounds i8, ptr %"array.6", i64 %".55"
  store i8 %".57", ptr %".58"
  %".59" = add i64 %".51", 1
  br label %".50"
.60:
  %".61" = add i64 %".45", 8
  br label %".44"
.62:
  br label %".86"
.63:
  br label %".64"
.64:
  %".65" = phi  i64 [0, %".63"], [%".73", %".67"]
  %".66" = icmp slt i64 %".65", %".15"
  br i1 %".66", label %".67", label %".74"
.67:
  %".68" = add i64 %".13", %".65"
  %".69" = add i64 %".10", %".65"
  %".70" = getelementptr inbounds i8, ptr %"array", i64 %".68"
  %".71" = load i8, ptr %".70"
  %".72" = getelementptr inbounds i8, ptr %"array.6", i64 %".69"
  store i8 %".71", ptr %".72"
  %".73" = add i64 %".65", 1
  br label %".64"
.74:
  br label %".75"
.75:
  %".76" = phi  i64 [0, %".74"], [%".84", %".78"]
  %".77" = icmp slt i64 %".76", %".21"
  br i1 %".77", label %".78", label %".85"
.78:
  %".79" = add i64 %".19", %".76"
  %".80" = add i64 %".16", %".76"
  %".81" = getelementptr inbounds i8, ptr %"array.3", i64 %".79"
  %".82" = load i8, ptr %".81"
  %".83" = getelementptr inbounds i8, ptr %"array.6", i64 %".80"
  store i8 %".82", ptr %".83"
  %".84" = add i64 %".76", 1
  br label %".75"
.85:
  br label %".86"
.86:
  %".87" = add i64 %".6", 1
  br label %".5"
.88:
  ret void
}
