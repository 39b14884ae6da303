; Written by `python -m diablo.tools.loop_code` from row_sorting.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"sort_lists"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", ptr noalias %"array.4", ptr noalias %"array.5", ptr noalias %"array.6",
    i64 %"number", i64 %"number.1", i64 %"number.2", i64 %"number.3")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number.2", %".1"], [%".71", %".68"]
  %".4" = phi  i64 [%"number.1", %".1"], [%".52", %".68"]
  %".5" = icmp slt i64 %".3", %"number.3"
  br i1 %".5", label %".6", label %".72"
.6:
  %".7" = add i64 %".3", 1
  %".8" = getelementptr inbounds i32, ptr %"array", i64 %".3"
  %".9" = load i32, ptr %".8"
  %".10" = zext i32 %".9" to i64
  %".11" = getelementptr inbounds i32, ptr %"array", i64 %".7"
  %".12" = load i32, ptr %".11"
  %".13" = zext i32 %".12" to i64
  %".14" = sub i64 %".13", %".10"
  %".15" = icmp sle i64 %".14", %"number"
  br i1 %".15", label %".16", label %".48"
.16:
  br label %".17"
.17:
  %".18" = phi  i64 [%".10", %".16"], [%".36", %".34"]
  %".19" = icmp slt i64 %".18", %".13"
  br i1 %".19", label %".20", label %".37"
.20:
  %".21" = getelementptr inbounds i64, ptr %"array.1", i64 %".18"
  %".22" = load i64, ptr %".21"
  br label %".23"
.23:
  %".24" = phi  i64 [%".10", %".20"], [%".33", %".27"]
  %".25" = phi  i64 [0, %".20"], [%".32", %".27"]
  %".26" = icmp slt i64 %".24", %".13"
  br i1 %".26", label %".27", label %".34"
.27:
  %".28" = getelementptr inbounds i64, ptr %"array.1", i64 %".24"
  %".29" = load i64, ptr %".28"
  %".30" = icmp slt i64 %".29", %".22"
  %".31" = zext i1 %".30" to i64
  %".32" = add i64 %".25", %".31"
  %".33" = add i64 %".24", 1
  br label %".23"
.34:
  %".35" = getelementptr inbounds i64, ptr %"array.6", i64 %".25"
  store i64 %".22", ptr %".35"
  %".36" = add i64 %".18", 1
  br label %".17"
.37:
  br label %".38"
.38:
  %".39" = phi  i64 [0, %".37"], [%".46", %".41"]
  %".40" = icmp slt i64 %".39", %".14"
  br i1 %".40", label %".41", label %".47"
.41:
  %".42" = getelementptr inbounds i64, ptr %"array.6", i64 %".39"
  %".43" = load i64, ptr %".42"
  %".44" = add i64 %".10", %".39"
  %".45" = getelementptr inbounds i64, ptr %"array.1", i64 %".44"
  store i64 %".43", ptr %".45"
  %".46" = add i64 %".39", 1
  br label %".38"
.47:
  br label %".48"
.48:
  br label %".49"
.49:
  %".50" = phi  i64 [%".10", %".48"], [%".67", %".54"]
  %".51" = phi  i32 [-1, %".48"], [%".60", %".54"]
  %".52" = phi  i64 [%".4", %".48"], [%".66", %".54"]
  %".53" = icmp slt i64 %".50", %".13"
  br i1 %".53", label %".54", label %".68"
.54:
  %".55" = getelementptr inbounds i64, ptr %"array.1", i64 %".50"
  %".56" = load i64, ptr %".55"
  %".57" = trunc i64 %".56" to i32
  %".58" = getelementptr inbounds i32, ptr %"array.2", i64 %".50"
  store i32 %".57", ptr %".58"
  %".59" = lshr i64 %".56", 32
  %".60" = trunc i64 %".59" to i32
  %".61" = icmp ne i32 %".60", %".51"
  %".62" = getelementptr inbounds i32, ptr %"array.3", i64 %".52"
  store i32 %".60", ptr %".62"
  %".63" = trunc i64 %".50" to i32
  %".64" = getelementptr inbounds i32, ptr %"array.4", i64 %".52"
  store i32 %".63", ptr %".64"
  %".65" = zext i1 %".61" to i64
  %".66" = add i64 %".52", %".65"
  %".67" = add i64 %".50", 1
  br label %".49"
.68:
  %".69" = trunc i64 %".52" to i32
  %".70" = getelementptr inbounds i32, ptr %"array.5", i64 %".3"
  store i32 %".69", ptr %".70"
  %".71" = add i64 %".3", 1
  br label %".2"
.72:
  ret void
}
