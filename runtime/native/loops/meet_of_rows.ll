; Written by `python -m diablo.tools.loop_code` from row_merging.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"meet_of_rows"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", ptr noalias %".5", ptr noalias %".6", ptr noalias %".7", ptr noalias %".8",
    i64 %".9", i64 %".10", i64 %".11")
{
.12:
  %".13" = getelementptr inbounds i32, ptr %".1", i64 %".10"
  %".14" = load i32, ptr %".13"
  %".15" = zext i32 %".14" to i64
  %".16" = getelementptr inbounds i32, ptr %".3", i64 %".10"
  %".17" = load i32, ptr %".16"
  %".18" = zext i32 %".17" to i64
  br label %".19"
.19:
  %".20" = phi  i64 [%".10", %".12"], [%".65", %".62"]
  %".21" = phi  i64 [%".15", %".12"], [%".29", %".62"]
  %".22" = phi  i64 [%".18", %".12"], [%".32", %".62"]
  %".23" = phi  i64 [%".9", %".12"], [%".36", %".62"]
  %".24" = icmp slt i64 %".20", %".11"
  br i1 %".24", label %".25", label %".66"
.25:
  %".26" = add i64 %".20", 1
  %".27" = getelementptr inbounds i32, ptr %".1", i64 %".26"
  %".28" = load i32, ptr %".27"
  %".29" = zext i32 %".28" to i64
  %".30" = getelementptr inbounds i32, ptr %".3", i64 %".26"
  %".31" = load i32, ptr %".30"
  %".32" = zext i32 %".31" to i64
  br label %".33"
.33:
  %".34" = phi  i64 [%".21", %".25"], [%".59", %".40"]
  %".35" = phi  i64 [%".22", %".25"], [%".60", %".40"]
  %".36" = phi  i64 [%".23", %".25"], [%".61", %".40"]
  %".37" = icmp slt i64 %".34", %".29"
  %".38" = icmp slt i64 %".35", %".32"
  %".39" = and i1 %".37", %".38"
  br i1 %".39", label %".40", label %".62"
.40:
  %".41" = phi  i64 [%".34", %".33"]
  %".42" = phi  i64 [%".35", %".33"]
  %".43" = phi  i64 [%".36", %".33"]
  %".44" = getelementptr inbounds i32, ptr %".2", i64 %".41"
  %".45" = load i32, ptr %".44"
  %".46" = getelementptr inbounds i32, ptr %".4", i64 %".42"
  %".47" = load i32, ptr %".46"
  %".48" = icmp sle i32 %".45", %".47"
  %".49" = icmp sge i32 %".45", %".47"
  %".50" = getelementptr inbounds i32, ptr %".5", i64 %".43"
  store i32 %".45", ptr %".50"
  %".51" = trunc i64 %".41" to i32
  %".52" = getelementptr inbounds i32, ptr %".6", i64 %".43"
  store i32 %".51", ptr %".52"
  %".53" = trunc i64 %".42" to i32
  %".54" = getelementptr inbounds i32, ptr %".7", i64 %".43"
  store i32 %".53", ptr %".54"
  %".55" = and i1 %".48", %".49"
  %".56" = zext i1 %".48" to i64
  %".57" = zext i1 %".49" to i64
  %".58" = zext i1 %".55" to i64
  %".59" = add i64 %".41", %".56"
  %".60" = add i64 %".42", %".57"
  %".61" = add i64 %".43", %".58"
  br label %".33"
.62:
  %".63" = trunc i64 %".36" to i32
  %".64" = getelementptr inbounds i32, ptr %".8", i64 %".20"
  store i32 %".63", ptr %".64"
  %".65" = add i64 %".20", 1
  br label %".19"
.66:
  ret void
}
