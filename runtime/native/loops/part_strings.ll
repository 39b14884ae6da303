; Written by `python -m diablo.tools.loop_code` from string_codes.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"part_strings"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4",
    i64 %".5", ptr noalias %".6", ptr noalias %".7", i64 %".8", ptr noalias %".9",
    ptr noalias %".10", ptr noalias %".11", ptr noalias %".12")
{
.13:
  %".14" = icmp ne i64 %".8", 0
  br label %".15"
.15:
  %".16" = phi  i64 [%".4", %".13"], [%".49", %".43"]
  %".17" = icmp slt i64 %".16", %".5"
  br i1 %".17", label %".18", label %".50"
.18:
  %".19" = getelementptr inbounds i64, ptr %".2", i64 %".16"
  %".20" = load i64, ptr %".19"
  %".21" = getelementptr inbounds i64, ptr %".3", i64 %".16"
  %".22" = load i64, ptr %".21"
  %".23" = getelementptr inbounds i8, ptr %".6", i64 %".16"
  %".24" = load i8, ptr %".23"
  %".25" = zext i8 %".24" to i64
  %".26" = getelementptr inbounds i64, ptr %".7", i64 %".25"
  %".27" = load i64, ptr %".26"
  %".28" = add i64 %".27", 1
  %".29" = getelementptr inbounds i64, ptr %".7", i64 %".25"
  store i64 %".28", ptr %".29"
  %".30" = mul i64 %".27", 16
  br i1 %".14", label %".31", label %".43"
.31:
  br label %".32"
.32:
  %".33" = phi  i64 [0, %".31"], [%".41", %".35"]
  %".34" = icmp slt i64 %".33", 16
  br i1 %".34", label %".35", label %".42"
.35:
  %".36" = add i64 %".20", %".33"
  %".37" = add i64 %".30", %".33"
  %".38" = getelementptr inbounds i8, ptr %".1", i64 %".36"
  %".39" = load i8, ptr %".38"
  %".40" = getelementptr inbounds i8, ptr %".9", i64 %".37"
  store i8 %".39", ptr %".40"
  %".41" = add i64 %".33", 1
  br label %".32"
.42:
  br label %".43"
.43:
  %".44" = select  i1 %".14", i64 %".30", i64 %".20"
  %".45" = getelementptr inbounds i64, ptr %".10", i64 %".27"
  store i64 %".44", ptr %".45"
  %".46" = getelementptr inbounds i64, ptr %".11", i64 %".27"
  store i64 %".22", ptr %".46"
  %".47" = trunc i64 %".16" to i32
  %".48" = getelementptr inbounds i32, ptr %".12", i64 %".27"
  store i32 %".47", ptr %".48"
  %".49" = add i64 %".16", 1
  br label %".15"
.50:
  ret void
}
