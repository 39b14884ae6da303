; Written by `python -m diablo.tools.loop_code` from string_pairs.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"compare_strings"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", ptr noalias %".5", ptr noalias %".6", i64 %".7", i64 %".8",
    ptr noalias %".9")
{
.10:
  br label %".11"
.11:
  %".12" = phi  i64 [0, %".10"], [%".85", %".75"]
  %".13" = icmp slt i64 %".12", %".8"
  br i1 %".13", label %".14", label %".86"
.14:
  %".15" = getelementptr inbounds i64, ptr %".2", i64 %".12"
  %".16" = load i64, ptr %".15"
  %".17" = getelementptr inbounds i64, ptr %".3", i64 %".12"
  %".18" = load i64, ptr %".17"
  %".19" = mul i64 %".12", %".7"
  %".20" = getelementptr inbounds i64, ptr %".5", i64 %".19"
  %".21" = load i64, ptr %".20"
  %".22" = getelementptr inbounds i64, ptr %".6", i64 %".19"
  %".23" = load i64, ptr %".22"
  %".24" = call i64 @"llvm.smin.i64"(i64 %".18", i64 %".23")
  br label %".25"
.25:
  %".26" = phi  i64 [0, %".14"], [%".74", %".63"]
  %".27" = phi  i64 [0, %".14"], [%".70", %".63"]
  %".28" = phi  i64 [0, %".14"], [%".73", %".63"]
  %".29" = icmp slt i64 %".26", %".24"
  %".30" = icmp eq i64 %".27", %".28"
  %".31" = and i1 %".29", %".30"
  br i1 %".31", label %".32", label %".75"
.32:
  %".33" = phi  i64 [%".26", %".25"]
  %".34" = phi  i64 [%".27", %".25"]
  %".35" = phi  i64 [%".28", %".25"]
  %".36" = add i64 %".16", %".33"
  %".37" = add i64 %".21", %".33"
  br label %".38"
.38:
  %".39" = phi  i64 [0, %".32"], [%".49", %".42"]
  %".40" = phi  i64 [0, %".32"], [%".48", %".42"]
  %".41" = icmp slt i64 %".39", 8
  br i1 %".41", label %".42", label %".50"
.42:
  %".43" = add i64 %".36", %".39"
  %".44" = getelementptr inbounds i8, ptr %".1", i64 %".43"
  %".45" = load i8, ptr %".44"
  %".46" = zext i8 %".45" to i64
  %".47" = shl i64 %".40", 8
  %".48" = or i64 %".47", %".46"
  %".49" = add i64 %".39", 1
  br label %".38"
.50:
  br label %".51"
.51:
  %".52" = phi  i64 [0, %".50"], [%".62", %".55"]
  %".53" = phi  i64 [0, %".50"], [%".61", %".55"]
  %".54" = icmp slt i64 %".52", 8
  br i1 %".54", label %".55", label %".63"
.55:
  %".56" = add i64 %".37", %".52"
  %".57" = getelementptr inbounds i8, ptr %".4", i64 %".56"
  %".58" = load i8, ptr %".57"
  %".59" = zext i8 %".58" to i64
  %".60" = shl i64 %".53", 8
  %".61" = or i64 %".60", %".59"
  %".62" = add i64 %".52", 1
  br label %".51"
.63:
  %".64" = sub i64 %".24", %".33"
  %".65" = call i64 @"llvm.smin.i64"(i64 %".64", i64 8)
  %".66" = sub i64 8, %".65"
  %".67" = mul i64 %".66", 8
  %".68" = icmp ule i64 %".67", 63
  %".69" = lshr i64 %".40", %".67"
  %".70" = select  i1 %".68", i64 %".69", i64 0
  %".71" = icmp ule i64 %".67", 63
  %".72" = lshr i64 %".53", %".67"
  %".73" = select  i1 %".71", i64 %".72", i64 0
  %".74" = add i64 %".33", 8
  br label %".25"
.75:
  %".76" = icmp ult i64 %".27", %".28"
  %".77" = icmp ugt i64 %".27", %".28"
  %".78" = icmp slt i64 %".18", %".23"
  %".79" = icmp sgt i64 %".18", %".23"
  %".80" = select  i1 %".79", i8 1, i8 0
  %".81" = select  i1 %".78", i8 -1, i8 %".80"
  %".82" = select  i1 %".77", i8 1, i8 %".81"
  %".83" = select  i1 %".76", i8 -1, i8 %".82"
  %".84" = getelementptr inbounds i8, ptr %".9", i64 %".12"
  store i8 %".83", ptr %".84"
  %".85" = add i64 %".12", 1
  br label %".11"
.86:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %".1", i64 %".2")
