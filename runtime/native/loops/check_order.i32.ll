; Written by `python -m diablo.tools.loop_code` from row_checks.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"check_order"(ptr noalias %"array", ptr noalias %"array.1", i64 %"number",
    ptr noalias %"array.2", i64 %"number.1", i64 %"number.2", i64 %"number.3", i64 %"number.4")
{
.1:
  %".2" = sub i64 %"number.2", %"number.1"
  %".3" = sub i64 %"number.4", %"number.3"
  %".4" = udiv i64 %".2", 16384
  %".5" = add i64 %".4", 1
  br label %".6"
.6:
  %".7" = phi  i64 [0, %".1"], [%".67", %".66"]
  %".8" = phi  i32 [0, %".1"], [%".20", %".66"]
  %".9" = phi  i32 [0, %".1"], [%".41", %".66"]
  %".10" = icmp slt i64 %".7", %".5"
  br i1 %".10", label %".11", label %".68"
.11:
  %".12" = add i64 %".7", 1
  %".13" = mul i64 %".7", 16384
  %".14" = add i64 %"number.1", %".13"
  %".15" = call i64 @"llvm.umax.i64"(i64 %".14", i64 1)
  %".16" = add i64 %".14", 16384
  %".17" = call i64 @"llvm.umin.i64"(i64 %".16", i64 %"number.2")
  br label %".18"
.18:
  %".19" = phi  i64 [%".15", %".11"], [%".31", %".22"]
  %".20" = phi  i32 [%".8", %".11"], [%".30", %".22"]
  %".21" = icmp slt i64 %".19", %".17"
  br i1 %".21", label %".22", label %".32"
.22:
  %".23" = getelementptr inbounds i32, ptr %"array.1", i64 %".19"
  %".24" = load i32, ptr %".23"
  %".25" = sub i64 %".19", 1
  %".26" = getelementptr inbounds i32, ptr %"array.1", i64 %".25"
  %".27" = load i32, ptr %".26"
  %".28" = icmp sle i32 %".24", %".27"
  %".29" = zext i1 %".28" to i32
  %".30" = add i32 %".20", %".29"
  %".31" = add i64 %".19", 1
  br label %".18"
.32:
  %".33" = mul i64 %".3", %".7"
  %".34" = mul i64 %".3", %".12"
  %".35" = udiv i64 %".33", %".5"
  %".36" = udiv i64 %".34", %".5"
  %".37" = add i64 %"number.3", %".35"
  %".38" = add i64 %"number.3", %".36"
  br label %".39"
.39:
  %".40" = phi  i64 [%".37", %".32"], [%".65", %".43"]
  %".41" = phi  i32 [%".9", %".32"], [%".64", %".43"]
  %".42" = icmp slt i64 %".40", %".38"
  br i1 %".42", label %".43", label %".66"
.43:
  %".44" = add i64 %".40", 1
  %".45" = getelementptr inbounds i32, ptr %"array", i64 %".40"
  %".46" = load i32, ptr %".45"
  %".47" = zext i32 %".46" to i64
  %".48" = getelementptr inbounds i32, ptr %"array", i64 %".44"
  %".49" = load i32, ptr %".48"
  %".50" = zext i32 %".49" to i64
  %".51" = icmp ugt i64 %".47", 0
  %".52" = icmp ult i64 %".47", %".50"
  %".53" = and i1 %".51", %".52"
  %".54" = select  i1 %".53", i64 %".47", i64 1
  %".55" = sub i64 %".54", 1
  %".56" = select  i1 %".53", i64 %".54", i64 0
  %".57" = getelementptr inbounds i32, ptr %"array.1", i64 %".56"
  %".58" = load i32, ptr %".57"
  %".59" = getelementptr inbounds i32, ptr %"array.1", i64 %".55"
  %".60" = load i32, ptr %".59"
  %".61" = icmp sle i32 %".58", %".60"
  %".62" = and i1 %".61", %".53"
  %".63" = zext i1 %".62" to i32
  %".64" = add i32 %".41", %".63"
  %".65" = add i64 %".40", 1
  br label %".39"
.66:
  %".67" = add i64 %".7", 1
  br label %".6"
.68:
  %".69" = sext i32 %".8" to i64
  %".70" = sext i32 %".9" to i64
  store i64 %".69", ptr %"array.2"
  %".71" = getelementptr inbounds i64, ptr %"array.2", i64 1
  store i64 %".70", ptr %".71"
  ret void
}

declare i64 @"llvm.umax.i64"(i64 %"number", i64 %"number.1")

declare i64 @"llvm.umin.i64"(i64 %"number", i64 %"number.1")
