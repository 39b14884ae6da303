; Written by `python -m diablo.tools.loop_code` from row_merging.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"union_of_rows"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", ptr noalias %"array.4", ptr noalias %"array.5", ptr noalias %"array.6",
    ptr noalias %"array.7", i64 %"number", i64 %"number.1", i64 %"number.2")
{
.1:
  %".2" = getelementptr inbounds i32, ptr %"array", i64 %"number.1"
  %".3" = load i32, ptr %".2"
  %".4" = zext i32 %".3" to i64
  %".5" = getelementptr inbounds i32, ptr %"array.2", i64 %"number.1"
  %".6" = load i32, ptr %".5"
  %".7" = zext i32 %".6" to i64
  br label %".8"
.8:
  %".9" = phi  i64 [%"number.1", %".1"], [%".83", %".80"]
  %".10" = phi  i64 [%".4", %".1"], [%".18", %".80"]
  %".11" = phi  i64 [%".7", %".1"], [%".21", %".80"]
  %".12" = phi  i64 [%"number", %".1"], [%".69", %".80"]
  %".13" = icmp slt i64 %".9", %"number.2"
  br i1 %".13", label %".14", label %".84"
.14:
  %".15" = add i64 %".9", 1
  %".16" = getelementptr inbounds i32, ptr %"array", i64 %".15"
  %".17" = load i32, ptr %".16"
  %".18" = zext i32 %".17" to i64
  %".19" = getelementptr inbounds i32, ptr %"array.2", i64 %".15"
  %".20" = load i32, ptr %".19"
  %".21" = zext i32 %".20" to i64
  br label %".22"
.22:
  %".23" = phi  i64 [%".10", %".14"], [%".49", %".29"]
  %".24" = phi  i64 [%".11", %".14"], [%".50", %".29"]
  %".25" = phi  i64 [%".12", %".14"], [%".51", %".29"]
  %".26" = icmp slt i64 %".23", %".18"
  %".27" = icmp slt i64 %".24", %".21"
  %".28" = and i1 %".26", %".27"
  br i1 %".28", label %".29", label %".52"
.29:
  %".30" = phi  i64 [%".23", %".22"]
  %".31" = phi  i64 [%".24", %".22"]
  %".32" = phi  i64 [%".25", %".22"]
  %".33" = getelementptr inbounds i32, ptr %"array.1", i64 %".30"
  %".34" = load i32, ptr %".33"
  %".35" = getelementptr inbounds i32, ptr %"array.3", i64 %".31"
  %".36" = load i32, ptr %".35"
  %".37" = icmp sle i32 %".34", %".36"
  %".38" = icmp sge i32 %".34", %".36"
  %".39" = call i32 @"llvm.smin.i32"(i32 %".34", i32 %".36")
  %".40" = getelementptr inbounds i32, ptr %"array.4", i64 %".32"
  store i32 %".39", ptr %".40"
  %".41" = trunc i64 %".30" to i32
  %".42" = select  i1 %".37", i32 %".41", i32 -1
  %".43" = getelementptr inbounds i32, ptr %"array.5", i64 %".32"
  store i32 %".42", ptr %".43"
  %".44" = trunc i64 %".31" to i32
  %".45" = select  i1 %".38", i32 %".44", i32 -1
  %".46" = getelementptr inbounds i32, ptr %"array.6", i64 %".32"
  store i32 %".45", ptr %".46"
  %".47" = zext i1 %".37" to i64
  %".48" = zext i1 %".38" to i64
  %".49" = add i64 %".30", %".47"
  %".50" = add i64 %".31", %".48"
  %".51" = add i64 %".32", 1
  br label %".22"
.52:
  br label %".53"
.53:
  %".54" = phi  i64 [%".23", %".52"], [%".65", %".57"]
  %".55" = phi  i64 [%".25", %".52"], [%".64", %".57"]
  %".56" = icmp slt i64 %".54", %".18"
  br i1 %".56", label %".57", label %".66"
.57:
  %".58" = getelementptr inbounds i32, ptr %"array.1", i64 %".54"
  %".59" = load i32, ptr %".58"
  %".60" = getelementptr inbounds i32, ptr %"array.4", i64 %".55"
  store i32 %".59", ptr %".60"
  %".61" = trunc i64 %".54" to i32
  %".62" = getelementptr inbounds i32, ptr %"array.5", i64 %".55"
  store i32 %".61", ptr %".62"
  %".63" = getelementptr inbounds i32, ptr %"array.6", i64 %".55"
  store i32 -1, ptr %".63"
  %".64" = add i64 %".55", 1
  %".65" = add i64 %".54", 1
  br label %".53"
.66:
  br label %".67"
.67:
  %".68" = phi  i64 [%".24", %".66"], [%".79", %".71"]
  %".69" = phi  i64 [%".55", %".66"], [%".78", %".71"]
  %".70" = icmp slt i64 %".68", %".21"
  br i1 %".70", label %".71", label %".80"
.71:
  %".72" = getelementptr inbounds i32, ptr %"array.3", i64 %".68"
  %".73" = load i32, ptr %".72"
  %".74" = getelementptr inbounds i32, ptr %"array.4", i64 %".69"
  store i32 %".73", ptr %".74"
  %".75" = getelementptr inbounds i32, ptr %"array.5", i64 %".69"
  store i32 -1, ptr %".75"
  %".76" = trunc i64 %".68" to i32
  %".77" = getelementptr inbounds i32, ptr %"array.6", i64 %".69"
  store i32 %".76", ptr %".77"
  %".78" = add i64 %".69", 1
  %".79" = add i64 %".68", 1
  br label %".67"
.80:
  %".81" = trunc i64 %".69" to i32
  %".82" = getelementptr inbounds i32, ptr %"array.7", i64 %".9"
  store i32 %".81", ptr %".82"
  %".83" = add i64 %".9", 1
  br label %".8"
.84:
  ret void
}

declare i32 @"llvm.smin.i32"(i32 %"number", i32 %"number.1")
