; Written by `python -m diablo.tools.loop_code` from row_merging.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"meet_of_rows"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", ptr noalias %".4", ptr noalias %".5", ptr noalias %".6", ptr noalias %".7", ptr noalias %".8", i64 %".9", i64 %".10", i64 %".11")
{
.13:
  %".30" = getelementptr inbounds i32, ptr %".1", i64 %".10"
  %".31" = load i32, ptr %".30"
  %".32" = zext i32 %".31" to i64
  %".33" = getelementptr inbounds i32, ptr %".3", i64 %".10"
  %".34" = load i32, ptr %".33"
  %".35" = zext i32 %".34" to i64
  br label %".14"
.14:
  %".20" = phi  i64 [%".10", %".13"], [%".76", %".18"]
  %".21" = phi  i64 [%".32", %".13"], [%".42", %".18"]
  %".22" = phi  i64 [%".35", %".13"], [%".45", %".18"]
  %".23" = phi  i64 [%".9", %".13"], [%".26", %".18"]
  %".37" = icmp slt i64 %".20", %".11"
  br i1 %".37", label %".15", label %".19"
.15:
  %".39" = add i64 %".20", 1
  %".40" = getelementptr inbounds i32, ptr %".1", i64 %".39"
  %".41" = load i32, ptr %".40"
  %".42" = zext i32 %".41" to i64
  %".43" = getelementptr inbounds i32, ptr %".3", i64 %".39"
  %".44" = load i32, ptr %".43"
  %".45" = zext i32 %".44" to i64
  br label %".16"
.16:
  %".24" = phi  i64 [%".21", %".15"], [%".69", %".17"]
  %".25" = phi  i64 [%".22", %".15"], [%".70", %".17"]
  %".26" = phi  i64 [%".23", %".15"], [%".71", %".17"]
  %".47" = icmp slt i64 %".24", %".42"
  %".48" = icmp slt i64 %".25", %".45"
  %".49" = and i1 %".47", %".48"
  br i1 %".49", label %".17", label %".18"
.17:
  %".27" = phi  i64 [%".24", %".16"]
  %".28" = phi  i64 [%".25", %".16"]
  %".29" = phi  i64 [%".26", %".16"]
  %".51" = getelementptr inbounds i32, ptr %".2", i64 %".27"
  %".52" = load i32, ptr %".51"
  %".53" = getelementptr inbounds i32, ptr %".4", i64 %".28"
  %".54" = load i32, ptr %".53"
  %".55" = icmp sle i32 %".52", %".54"
  %".56" = icmp sge i32 %".52", %".54"
  %".57" = getelementptr inbounds i32, ptr %".5", i64 %".29"
  store i32 %".52", ptr %".57"
  %".59" = trunc i64 %".27" to i32
  %".60" = getelementptr inbounds i32, ptr %".6", i64 %".29"
  store i32 %".59", ptr %".60"
  %".62" = trunc i64 %".28" to i32
  %".63" = getelementptr inbounds i32, ptr %".7", i64 %".29"
  store i32 %".62", ptr %".63"
  %".65" = and i1 %".55", %".56"
  %".66" = zext i1 %".55" to i64
  %".67" = zext i1 %".56" to i64
  %".68" = zext i1 %".65" to i64
  %".69" = add i64 %".27", %".66"
  %".70" = add i64 %".28", %".67"
  %".71" = add i64 %".29", %".68"
  br label %".16"
.18:
  %".73" = trunc i64 %".26" to i32
  %".74" = getelementptr inbounds i32, ptr %".8", i64 %".20"
  store i32 %".73", ptr %".74"
  %".76" = add i64 %".20", 1
  br label %".14"
.19:
  ret void
}
