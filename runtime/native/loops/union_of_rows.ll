; Written by `python -m diablo.tools.loop_code` from row_merging.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"union_of_rows"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
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
  %".20" = phi  i64 [%".10", %".12"], [%".94", %".91"]
  %".21" = phi  i64 [%".15", %".12"], [%".29", %".91"]
  %".22" = phi  i64 [%".18", %".12"], [%".32", %".91"]
  %".23" = phi  i64 [%".9", %".12"], [%".80", %".91"]
  %".24" = icmp slt i64 %".20", %".11"
  br i1 %".24", label %".25", label %".95"
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
  %".34" = phi  i64 [%".21", %".25"], [%".60", %".40"]
  %".35" = phi  i64 [%".22", %".25"], [%".61", %".40"]
  %".36" = phi  i64 [%".23", %".25"], [%".62", %".40"]
  %".37" = icmp slt i64 %".34", %".29"
  %".38" = icmp slt i64 %".35", %".32"
  %".39" = and i1 %".37", %".38"
  br i1 %".39", label %".40", label %".63"
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
  %".50" = call i32 @"llvm.smin.i32"(i32 %".45", i32 %".47")
  %".51" = getelementptr inbounds i32, ptr %".5", i64 %".43"
  store i32 %".50", ptr %".51"
  %".52" = trunc i64 %".41" to i32
  %".53" = select  i1 %".48", i32 %".52", i32 -1
  %".54" = getelementptr inbounds i32, ptr %".6", i64 %".43"
  store i32 %".53", ptr %".54"
  %".55" = trunc i64 %".42" to i32
  %".56" = select  i1 %".49", i32 %".55", i32 -1
  %".57" = getelementptr inbounds i32, ptr %".7", i64 %".43"
  store i32 %".56", ptr %".57"
  %".58" = zext i1 %".48" to i64
  %".59" = zext i1 %".49" to i64
  %".60" = add i64 %".41", %".58"
  %".61" = add i64 %".42", %".59"
  %".62" = add i64 %".43", 1
  br label %".33"
.63:
  br label %".64"
.64:
  %".65" = phi  i64 [%".34", %".63"], [%".76", %".68"]
  %".66" = phi  i64 [%".36", %".63"], [%".75", %".68"]
  %".67" = icmp slt i64 %".65", %".29"
  br i1 %".67", label %".68", label %".77"
.68:
  %".69" = getelementptr inbounds i32, ptr %".2", i64 %".65"
  %".70" = load i32, ptr %".69"
  %".71" = getelementptr inbounds i32, ptr %".5", i64 %".66"
  store i32 %".70", ptr %".71"
  %".72" = trunc i64 %".65" to i32
  %".73" = getelementptr inbounds i32, ptr %".6", i64 %".66"
  store i32 %".72", ptr %".73"
  %".74" = getelementptr inbounds i32, ptr %".7", i64 %".66"
  store i32 -1, ptr %".74"
  %".75" = add i64 %".66", 1
  %".76" = add i64 %".65", 1
  br label %".64"
.77:
  br label %".78"
.78:
  %".79" = phi  i64 [%".35", %".77"], [%".90", %".82"]
  %".80" = phi  i64 [%".66", %".77"], [%".89", %".82"]
  %".81" = icmp slt i64 %".79", %".32"
  br i1 %".81", label %".82", label %".91"
.82:
  %".83" = getelementptr inbounds i32, ptr %".4", i64 %".79"
  %".84" = load i32, ptr %".83"
  %".85" = getelementptr inbounds i32, ptr %".5", i64 %".80"
  store i32 %".84", ptr %".85"
  %".86" = getelementptr inbounds i32, ptr %".6", i64 %".80"
  store i32 -1, ptr %".86"
  %".87" = trunc i64 %".79" to i32
  %".88" = getelementptr inbounds i32, ptr %".7", i64 %".80"
  store i32 %".87", ptr %".88"
  %".89" = add i64 %".80", 1
  %".90" = add i64 %".79", 1
  br label %".78"
.91:
  %".92" = trunc i64 %".80" to i32
  %".93" = getelementptr inbounds i32, ptr %".8", i64 %".20"
  store i32 %".92", ptr %".93"
  %".94" = add i64 %".20", 1
  br label %".19"
.95:
  ret void
}

declare i32 @"llvm.smin.i32"(i32 %".1", i32 %".2")
