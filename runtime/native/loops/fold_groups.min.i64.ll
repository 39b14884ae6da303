; Written by `python -m diablo.tools.loop_code` from group_folds.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"fold_groups"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", ptr noalias %".5", i64 %".6", i64 %".7", i64 %".8")
{
.9:
  %".10" = getelementptr inbounds i64, ptr %".4", i64 %".6"
  %".11" = load i64, ptr %".10"
  br label %".12"
.12:
  %".13" = phi  i64 [%".7", %".9"], [%".72", %".71"]
  %".14" = icmp slt i64 %".13", %".8"
  br i1 %".14", label %".15", label %".73"
.15:
  %".16" = add i64 %".13", 1
  %".17" = getelementptr inbounds i64, ptr %".1", i64 %".13"
  %".18" = load i64, ptr %".17"
  %".19" = getelementptr inbounds i64, ptr %".1", i64 %".16"
  %".20" = load i64, ptr %".19"
  %".21" = sub i64 %".20", %".18"
  %".22" = call i64 @"llvm.smin.i64"(i64 %".21", i64 %".6")
  %".23" = add i64 %".22", 1
  br label %".24"
.24:
  %".25" = phi  i64 [0, %".15"], [%".29", %".27"]
  %".26" = icmp slt i64 %".25", %".23"
  br i1 %".26", label %".27", label %".30"
.27:
  %".28" = getelementptr inbounds i64, ptr %".4", i64 %".25"
  store i64 %".11", ptr %".28"
  %".29" = add i64 %".25", 1
  br label %".24"
.30:
  br label %".31"
.31:
  %".32" = phi  i64 [%".18", %".30"], [%".70", %".69"]
  %".33" = icmp slt i64 %".32", %".20"
  br i1 %".33", label %".34", label %".71"
.34:
  %".35" = sub i64 %".20", %".32"
  %".36" = call i64 @"llvm.smin.i64"(i64 %".35", i64 %".6")
  br label %".37"
.37:
  %".38" = phi  i64 [0, %".34"], [%".55", %".41"]
  %".39" = phi  i64 [%".11", %".34"], [%".48", %".41"]
  %".40" = icmp slt i64 %".38", %".36"
  br i1 %".40", label %".41", label %".56"
.41:
  %".42" = add i64 %".32", %".38"
  %".43" = getelementptr inbounds i32, ptr %".2", i64 %".42"
  %".44" = load i32, ptr %".43"
  %".45" = zext i32 %".44" to i64
  %".46" = getelementptr inbounds i64, ptr %".3", i64 %".45"
  %".47" = load i64, ptr %".46"
  %".48" = call i64 @"llvm.smin.i64"(i64 %".39", i64 %".47")
  %".49" = add i64 %".38", 1
  %".50" = getelementptr inbounds i64, ptr %".4", i64 %".49"
  %".51" = load i64, ptr %".50"
  %".52" = call i64 @"llvm.smin.i64"(i64 %".51", i64 %".48")
  %".53" = getelementptr inbounds i64, ptr %".5", i64 %".45"
  store i64 %".52", ptr %".53"
  %".54" = getelementptr inbounds i64, ptr %".4", i64 %".38"
  store i64 %".47", ptr %".54"
  %".55" = add i64 %".38", 1
  br label %".37"
.56:
  br label %".57"
.57:
  %".58" = phi  i64 [0, %".56"], [%".68", %".61"]
  %".59" = phi  i64 [%".11", %".56"], [%".66", %".61"]
  %".60" = icmp slt i64 %".58", %".36"
  br i1 %".60", label %".61", label %".69"
.61:
  %".62" = sub i64 %".36", %".58"
  %".63" = sub i64 %".62", 1
  %".64" = getelementptr inbounds i64, ptr %".4", i64 %".63"
  %".65" = load i64, ptr %".64"
  %".66" = call i64 @"llvm.smin.i64"(i64 %".59", i64 %".65")
  %".67" = getelementptr inbounds i64, ptr %".4", i64 %".63"
  store i64 %".66", ptr %".67"
  %".68" = add i64 %".58", 1
  br label %".57"
.69:
  %".70" = add i64 %".32", %".6"
  br label %".31"
.71:
  %".72" = add i64 %".13", 1
  br label %".12"
.73:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %".1", i64 %".2")
