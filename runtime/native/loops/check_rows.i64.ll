; Written by `python -m diablo.tools.loop_code` from row_checks.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"check_rows"(ptr noalias %"array", ptr noalias %"array.1", i64 %"number",
    ptr noalias %"array.2", i64 %"number.1", i64 %"number.2", i64 %"number.3", i64 %"number.4")
{
.1:
  %".2" = getelementptr inbounds i64, ptr %"array.1", i64 %"number.1"
  %".3" = load i64, ptr %".2"
  %".4" = icmp sgt i64 %"number.1", 0
  %".5" = zext i1 %".4" to i64
  %".6" = sub i64 %"number.1", %".5"
  %".7" = getelementptr inbounds i64, ptr %"array.1", i64 %".6"
  %".8" = load i64, ptr %".7"
  %".9" = icmp sle i64 %".3", %".8"
  %".10" = and i1 %".4", %".9"
  %".11" = zext i1 %".10" to i64
  %".12" = add i64 %"number.1", 1
  br label %".13"
.13:
  %".14" = phi  i64 [%".12", %".1"], [%".28", %".18"]
  %".15" = phi  i64 [%".3", %".1"], [%".24", %".18"]
  %".16" = phi  i64 [%".11", %".1"], [%".27", %".18"]
  %".17" = icmp slt i64 %".14", %"number.2"
  br i1 %".17", label %".18", label %".29"
.18:
  %".19" = getelementptr inbounds i64, ptr %"array.1", i64 %".14"
  %".20" = load i64, ptr %".19"
  %".21" = sub i64 %".14", 1
  %".22" = getelementptr inbounds i64, ptr %"array.1", i64 %".21"
  %".23" = load i64, ptr %".22"
  %".24" = call i64 @"llvm.umax.i64"(i64 %".15", i64 %".20")
  %".25" = icmp sle i64 %".20", %".23"
  %".26" = zext i1 %".25" to i64
  %".27" = add i64 %".16", %".26"
  %".28" = add i64 %".14", 1
  br label %".13"
.29:
  br label %".30"
.30:
  %".31" = phi  i64 [%"number.3", %".29"], [%".63", %".62"]
  %".32" = phi  i64 [0, %".29"], [%".61", %".62"]
  %".33" = phi  i1 [0, %".29"], [%".44", %".62"]
  %".34" = icmp slt i64 %".31", %"number.4"
  br i1 %".34", label %".35", label %".64"
.35:
  %".36" = add i64 %".31", 1
  %".37" = getelementptr inbounds i64, ptr %"array", i64 %".31"
  %".38" = load i64, ptr %".37"
  %".39" = getelementptr inbounds i64, ptr %"array", i64 %".36"
  %".40" = load i64, ptr %".39"
  %".41" = icmp ugt i64 %".38", %".40"
  %".42" = icmp ugt i64 %".40", %"number"
  %".43" = or i1 %".41", %".42"
  %".44" = or i1 %".33", %".43"
  %".45" = icmp ugt i64 %".38", 0
  %".46" = icmp ult i64 %".38", %".40"
  %".47" = icmp ule i64 %".40", %"number"
  %".48" = and i1 %".45", %".46"
  %".49" = and i1 %".48", %".47"
  br i1 %".49", label %".50", label %".59"
.50:
  %".51" = getelementptr inbounds i64, ptr %"array.1", i64 %".38"
  %".52" = load i64, ptr %".51"
  %".53" = sub i64 %".38", 1
  %".54" = getelementptr inbounds i64, ptr %"array.1", i64 %".53"
  %".55" = load i64, ptr %".54"
  %".56" = icmp sle i64 %".52", %".55"
  %".57" = zext i1 %".56" to i64
  %".58" = add i64 %".32", %".57"
  br label %".60"
.59:
  br label %".60"
.60:
  %".61" = phi  i64 [%".58", %".50"], [%".32", %".59"]
  br label %".62"
.62:
  %".63" = add i64 %".31", 1
  br label %".30"
.64:
  %".65" = zext i1 %".33" to i64
  %".66" = getelementptr inbounds i64, ptr %"array.2", i64 0
  store i64 %".15", ptr %".66"
  %".67" = getelementptr inbounds i64, ptr %"array.2", i64 1
  store i64 %".16", ptr %".67"
  %".68" = getelementptr inbounds i64, ptr %"array.2", i64 2
  store i64 %".32", ptr %".68"
  %".69" = getelementptr inbounds i64, ptr %"array.2", i64 3
  store i64 %".65", ptr %".69"
  ret void
}

declare i64 @"llvm.umax.i64"(i64 %"number", i64 %"number.1")
