; Written by `python -m diablo.tools.loop_code` from row_checks.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"check_rows"(ptr noalias %".1", ptr noalias %".2", i64 %".3", ptr noalias %".4",
    i64 %".5", i64 %".6", i64 %".7", i64 %".8")
{
.9:
  %".10" = getelementptr inbounds i32, ptr %".2", i64 %".5"
  %".11" = load i32, ptr %".10"
  %".12" = icmp sgt i64 %".5", 0
  %".13" = zext i1 %".12" to i64
  %".14" = sub i64 %".5", %".13"
  %".15" = getelementptr inbounds i32, ptr %".2", i64 %".14"
  %".16" = load i32, ptr %".15"
  %".17" = icmp sle i32 %".11", %".16"
  %".18" = and i1 %".12", %".17"
  %".19" = zext i1 %".18" to i32
  %".20" = add i64 %".5", 1
  br label %".21"
.21:
  %".22" = phi  i64 [%".20", %".9"], [%".36", %".26"]
  %".23" = phi  i32 [%".11", %".9"], [%".32", %".26"]
  %".24" = phi  i32 [%".19", %".9"], [%".35", %".26"]
  %".25" = icmp slt i64 %".22", %".6"
  br i1 %".25", label %".26", label %".37"
.26:
  %".27" = getelementptr inbounds i32, ptr %".2", i64 %".22"
  %".28" = load i32, ptr %".27"
  %".29" = sub i64 %".22", 1
  %".30" = getelementptr inbounds i32, ptr %".2", i64 %".29"
  %".31" = load i32, ptr %".30"
  %".32" = call i32 @"llvm.umax.i32"(i32 %".23", i32 %".28")
  %".33" = icmp sle i32 %".28", %".31"
  %".34" = zext i1 %".33" to i32
  %".35" = add i32 %".24", %".34"
  %".36" = add i64 %".22", 1
  br label %".21"
.37:
  br label %".38"
.38:
  %".39" = phi  i64 [%".7", %".37"], [%".73", %".72"]
  %".40" = phi  i32 [0, %".37"], [%".71", %".72"]
  %".41" = phi  i1 [0, %".37"], [%".54", %".72"]
  %".42" = icmp slt i64 %".39", %".8"
  br i1 %".42", label %".43", label %".74"
.43:
  %".44" = add i64 %".39", 1
  %".45" = getelementptr inbounds i32, ptr %".1", i64 %".39"
  %".46" = load i32, ptr %".45"
  %".47" = zext i32 %".46" to i64
  %".48" = getelementptr inbounds i32, ptr %".1", i64 %".44"
  %".49" = load i32, ptr %".48"
  %".50" = zext i32 %".49" to i64
  %".51" = icmp ugt i64 %".47", %".50"
  %".52" = icmp ugt i64 %".50", %".3"
  %".53" = or i1 %".51", %".52"
  %".54" = or i1 %".41", %".53"
  %".55" = icmp ugt i64 %".47", 0
  %".56" = icmp ult i64 %".47", %".50"
  %".57" = icmp ule i64 %".50", %".3"
  %".58" = and i1 %".55", %".56"
  %".59" = and i1 %".58", %".57"
  br i1 %".59", label %".60", label %".69"
.60:
  %".61" = getelementptr inbounds i32, ptr %".2", i64 %".47"
  %".62" = load i32, ptr %".61"
  %".63" = sub i64 %".47", 1
  %".64" = getelementptr inbounds i32, ptr %".2", i64 %".63"
  %".65" = load i32, ptr %".64"
  %".66" = icmp sle i32 %".62", %".65"
  %".67" = zext i1 %".66" to i32
  %".68" = add i32 %".40", %".67"
  br label %".70"
.69:
  br label %".70"
.70:
  %".71" = phi  i32 [%".68", %".60"], [%".40", %".69"]
  br label %".72"
.72:
  %".73" = add i64 %".39", 1
  br label %".38"
.74:
  %".75" = sext i32 %".23" to i64
  %".76" = sext i32 %".24" to i64
  %".77" = sext i32 %".40" to i64
  %".78" = zext i1 %".41" to i64
  %".79" = getelementptr inbounds i64, ptr %".4", i64 0
  store i64 %".75", ptr %".79"
  %".80" = getelementptr inbounds i64, ptr %".4", i64 1
  store i64 %".76", ptr %".80"
  %".81" = getelementptr inbounds i64, ptr %".4", i64 2
  store i64 %".77", ptr %".81"
  %".82" = getelementptr inbounds i64, ptr %".4", i64 3
  store i64 %".78", ptr %".82"
  ret void
}

declare i32 @"llvm.umax.i32"(i32 %".1", i32 %".2")
