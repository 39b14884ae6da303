; Written by `python -m diablo.tools.loop_code` from row_checks.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"check_rows"(ptr noalias %"array", ptr noalias %"array.1", i64 %"number",
    ptr noalias %"array.2", i64 %"number.1", i64 %"number.2", i64 %"number.3", i64 %"number.4")
{
.1:
  %".2" = getelementptr inbounds i32, ptr %"array.1", i64 %"number.1"
  %".3" = load i32, ptr %".2"
  %".4" = icmp sgt i64 %"number.1", 0
  %".5" = zext i1 %".4" to i64
  %".6" = sub i64 %"number.1", %".5"
  %".7" = getelementptr inbounds i32, ptr %"array.1", i64 %".6"
  %".8" = load i32, ptr %".7"
  %".9" = icmp sle i32 %".3", %".8"
  %".10" = and i1 %".4", %".9"
  %".11" = zext i1 %".10" to i32
  %".12" = add i64 %"number.1", 1
  br label %".13"
.13:
  %".14" = phi  i64 [%".12", %".1"], [%".28", %".18"]
  %".15" = phi  i32 [%".3", %".1"], [%".24", %".18"]
  %".16" = phi  i32 [%".11", %".1"], [%".27", %".18"]
  %".17" = icmp slt i64 %".14", %"number.2"
  br i1 %".17", label %".18", label %".29"
.18:
  %".19" = getelementptr inbounds i32, ptr %"array.1", i64 %".14"
  %".20" = load i32, ptr %".19"
  %".21" = sub i64 %".14", 1
  %".22" = getelementptr inbounds i32, ptr %"array.1", i64 %".21"
  %".23" = load i32, ptr %".22"
  %".24" = call i32 @"llvm.umax.i32"(i32 %".15", i32 %".20")
  %".25" = icmp sle i32 %".20", %".23"
  %".26" = zext i1 %".25" to i32
  %".27" = add i32 %".16", %".26"
  %".28" = add i64 %".14", 1
  br label %".13"
.29:
  br label %".30"
.30:
  %".31" = phi  i64 [%"number.3", %".29"], [%".65", %".64"]
  %".32" = phi  i32 [0, %".29"], [%".63", %".64"]
  %".33" = phi  i1 [0, %".29"], [%".46", %".64"]
  %".34" = icmp slt i64 %".31", %"number.4"
  br i1 %".34", label %".35", label %".66"
.35:
  %".36" = add i64 %".31", 1
  %".37" = getelementptr inbounds i32, ptr %"array", i64 %".31"
  %".38" = load i32, ptr %".37"
  %".39" = zext i32 %".38" to i64
  %".40" = getelementptr inbounds i32, ptr %"array", i64 %".36"
  %".41" = load i32, ptr %".40"
  %".42" = zext i32 %".41" to i64
  %".43" = icmp ugt i64 %".39", %".42"
  %".44" = icmp ugt i64 %".42", %"number"
  %".45" = or i1 %".43", %".44"
  %".46" = or i1 %".33", %".45"
  %".47" = icmp ugt i64 %".39", 0
  %".48" = icmp ult i64 %".39", %".42"
  %".49" = icmp ule i64 %".42", %"number"
  %".50" = and i1 %".47", %".48"
  %".51" = and i1 %".50", %".49"
  br i1 %".51", label %".52", label %".61"
.52:
  %".53" = getelementptr inbounds i32, ptr %"array.1", i64 %".39"
  %".54" = load i32, ptr %".53"
  %".55" = sub i64 %".39", 1
  %".56" = getelementptr inbounds i32, ptr %"array.1", i64 %".55"
  %".57" = load i32, ptr %".56"
  %".58" = icmp sle i32 %".54", %".57"
  %".59" = zext i1 %".58" to i32
  %".60" = add i32 %".32", %".59"
  br label %".62"
.61:
  br label %".62"
.62:
  %".63" = phi  i32 [%".60", %".52"], [%".32", %".61"]
  br label %".64"
.64:
  %".65" = add i64 %".31", 1
  br label %".30"
.66:
  %".67" = sext i32 %".15" to i64
  %".68" = sext i32 %".16" to i64
  %".69" = sext i32 %".32" to i64
  %".70" = zext i1 %".33" to i64
  %".71" = getelementptr inbounds i64, ptr %"array.2", i64 0
  store i64 %".67", ptr %".71"
  %".72" = getelementptr inbounds i64, ptr %"array.2", i64 1
  store i64 %".68", ptr %".72"
  %".73" = getelementptr inbounds i64, ptr %"array.2", i64 2
  store i64 %".69", ptr %".73"
  %".74" = getelementptr inbounds i64, ptr %"array.2", i64 3
  store i64 %".70", ptr %".74"
  ret void
}

declare i32 @"llvm.umax.i32"(i32 %"number", i32 %"number.1")
