; Written by `python -m diablo.tools.loop_code` from string_pairs.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"copy_strings"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4",
    ptr noalias %".5", ptr noalias %".6", ptr noalias %".7", i64 %".8", i64 %".9",
    ptr noalias %".10", ptr noalias %".11")
{
.12:
  br label %".13"
.13:
  %".14" = phi  i64 [0, %".12"], [%".68", %".67"]
  %".15" = icmp slt i64 %".14", %".9"
  br i1 %".15", label %".16", label %".69"
.16:
  %".17" = getelementptr inbounds i64, ptr %".11", i64 %".14"
  %".18" = load i64, ptr %".17"
  %".19" = mul i64 %".14", %".4"
  %".20" = getelementptr inbounds i64, ptr %".2", i64 %".19"
  %".21" = load i64, ptr %".20"
  %".22" = getelementptr inbounds i64, ptr %".3", i64 %".19"
  %".23" = load i64, ptr %".22"
  br label %".24"
.24:
  %".25" = phi  i64 [0, %".16"], [%".41", %".40"]
  %".26" = icmp slt i64 %".25", %".23"
  br i1 %".26", label %".27", label %".42"
.27:
  %".28" = add i64 %".21", %".25"
  %".29" = add i64 %".18", %".25"
  br label %".30"
.30:
  %".31" = phi  i64 [0, %".27"], [%".39", %".33"]
  %".32" = icmp slt i64 %".31", 8
  br i1 %".32", label %".33", label %".40"
.33:
  %".34" = add i64 %".28", %".31"
  %".35" = add i64 %".29", %".31"
  %".36" = getelementptr inbounds i8, ptr %".1", i64 %".34"
  %".37" = load i8, ptr %".36"
  %".38" = getelementptr inbounds i8, ptr %".10", i64 %".35"
  store i8 %".37", ptr %".38"
  %".39" = add i64 %".31", 1
  br label %".30"
.40:
  %".41" = add i64 %".25", 8
  br label %".24"
.42:
  %".43" = add i64 %".18", %".23"
  %".44" = mul i64 %".14", %".8"
  %".45" = getelementptr inbounds i64, ptr %".6", i64 %".44"
  %".46" = load i64, ptr %".45"
  %".47" = getelementptr inbounds i64, ptr %".7", i64 %".44"
  %".48" = load i64, ptr %".47"
  br label %".49"
.49:
  %".50" = phi  i64 [0, %".42"], [%".66", %".65"]
  %".51" = icmp slt i64 %".50", %".48"
  br i1 %".51", label %".52", label %".67"
.52:
  %".53" = add i64 %".46", %".50"
  %".54" = add i64 %".43", %".50"
  br label %".55"
.55:
  %".56" = phi  i64 [0, %".52"], [%".64", %".58"]
  %".57" = icmp slt i64 %".56", 8
  br i1 %".57", label %".58", label %".65"
.58:
  %".59" = add i64 %".53", %".56"
  %".60" = add i64 %".54", %".56"
  %".61" = getelementptr inbounds i8, ptr %".5", i64 %".59"
  %".62" = load i8, ptr %".61"
  %".63" = getelementptr inbounds i8, ptr %".10", i64 %".60"
  store i8 %".62", ptr %".63"
  %".64" = add i64 %".56", 1
  br label %".55"
.65:
  %".66" = add i64 %".50", 8
  br label %".49"
.67:
  %".68" = add i64 %".14", 1
  br label %".13"
.69:
  ret void
}
