; Written by `python -m diablo.tools.loop_code` from string_pairs.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"copy_strings"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4", ptr noalias %".5", ptr noalias %".6", ptr noalias %".7", i64 %".8", i64 %".9", ptr noalias %".10", ptr noalias %".11")
{
.13:
  br label %".14"
.14:
  %".29" = phi  i64 [0, %".13"], [%".86", %".27"]
  %".35" = icmp slt i64 %".29", %".9"
  br i1 %".35", label %".15", label %".28"
.15:
  %".37" = getelementptr inbounds i64, ptr %".11", i64 %".29"
  %".38" = load i64, ptr %".37"
  %".39" = mul i64 %".29", %".4"
  %".40" = getelementptr inbounds i64, ptr %".2", i64 %".39"
  %".41" = load i64, ptr %".40"
  %".42" = getelementptr inbounds i64, ptr %".3", i64 %".39"
  %".43" = load i64, ptr %".42"
  br label %".16"
.16:
  %".30" = phi  i64 [0, %".15"], [%".60", %".20"]
  %".45" = icmp slt i64 %".30", %".43"
  br i1 %".45", label %".17", label %".21"
.17:
  %".47" = add i64 %".41", %".30"
  %".48" = add i64 %".38", %".30"
  br label %".18"
.18:
  %".31" = phi  i64 [0, %".17"], [%".58", %".19"]
  %".50" = icmp slt i64 %".31", 8
  br i1 %".50", label %".19", label %".20"
.19:
  %".52" = add i64 %".47", %".31"
  %".53" = add i64 %".48", %".31"
  %".54" = getelementptr inbounds i8, ptr %".1", i64 %".52"
  %".55" = load i8, ptr %".54"
  %".56" = getelementptr inbounds i8, ptr %".10", i64 %".53"
  store i8 %".55", ptr %".56"
  %".58" = add i64 %".31", 1
  br label %".18"
.20:
  %".60" = add i64 %".30", 8
  br label %".16"
.21:
  %".62" = add i64 %".38", %".43"
  %".63" = mul i64 %".29", %".8"
  %".64" = getelementptr inbounds i64, ptr %".6", i64 %".63"
  %".65" = load i64, ptr %".64"
  %".66" = getelementptr inbounds i64, ptr %".7", i64 %".63"
  %".67" = load i64, ptr %".66"
  br label %".22"
.22:
  %".32" = phi  i64 [0, %".21"], [%".84", %".26"]
  %".69" = icmp slt i64 %".32", %".67"
  br i1 %".69", label %".23", label %".27"
.23:
  %".71" = add i64 %".65", %".32"
  %".72" = add i64 %".62", %".32"
  br label %".24"
.24:
  %".33" = phi  i64 [0, %".23"], [%".82", %".25"]
  %".74" = icmp slt i64 %".33", 8
  br i1 %".74", label %".25", label %".26"
.25:
  %".76" = add i64 %".71", %".33"
  %".77" = add i64 %".72", %".33"
  %".78" = getelementptr inbounds i8, ptr %".5", i64 %".76"
  %".79" = load i8, ptr %".78"
  %".80" = getelementptr inbounds i8, ptr %".10", i64 %".77"
  store i8 %".79", ptr %".80"
  %".82" = add i64 %".33", 1
  br label %".24"
.26:
  %".84" = add i64 %".32", 8
  br label %".22"
.27:
  %".86" = add i64 %".29", 1
  br label %".14"
.28:
  ret void
}
