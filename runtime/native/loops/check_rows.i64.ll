; Written by `python -m diablo.tools.loop_code` from row_checks.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"check_rows"(ptr noalias %".1", ptr noalias %".2", i64 %".3", ptr noalias %".4",
    i64 %".5", i64 %".6", i64 %".7", i64 %".8")
{
.9:
  %".10" = getelementptr inbounds i64, ptr %".2", i64 %".5"
  %".11" = load i64, ptr %".10"
  %".12" = icmp sgt i64 %".5", 0
  %".13" = zext i1 %".12" to i64
  %".14" = sub i64 %".5", %".13"
  %".15" = getelementptr inbounds i64, ptr %".2", i64 %".14"
  %".16" = load i64, ptr %".15"
  %".17" = icmp sle i64 %".11", %".16"
  %".18" = and i1 %".12", %".17"
  %".19" = zext i1 %".18" to i64
  %".20" = add i64 %".5", 1
  br label %".21"
.21:
  %".22" = phi  i64 [%".20", %".9"], [%".36", %".26"]
  %".23" = phi  i64 [%".11", %".9"], [%".32", %".26"]
  %".24" = phi  i64 [%".19", %".9"], [%".35", %".26"]
  %".25" = icmp slt i64 %".22", %".6"
  br i1 %".25", label %".26", label %".37"
.26:
  %".27" = getelementptr inbounds i64, ptr %".2", i64 %".22"
  %".28" = load i64, ptr %".27"
  %".29" = sub i64 %".22", 1
  %".30" = getelementptr inbounds i64, ptr %".2", i64 %".29"
  %".31" = load i64, ptr %".30"
  %".32" = call i64 @"llvm.umax.i64"(i64 %".23", i64 %".28")
  %".33" = icmp sle i64 %".28", %".31"
  %".34" = zext i1 %".33" to i64
  %".35" = add i64 %".24", %".34"
  %".36" = add i64 %".22", 1
  br label %".21"
.37:
  br label %".38"
.38:
  %".39" = phi  i64 [%".7", %".37"], [%".71", %".70"]
  %".40" = phi  i64 [0, %".37"], [%".69", %".70"]
  %".41" = phi  i1 [0, %".37"], [%".52", %".70"]
  %".42" = icmp slt i64 %".39", %".8"
  br i1 %".42", label %".43", label %".72"
.43:
  %".44" = add i64 %".39", 1
  %".45" = getelementptr inbounds i64, ptr %".1", i64 %".39"
  %".46" = load i64, ptr %".45"
  %".47" = getelementptr inbounds i64, ptr %".1", i64 %".44"
  %".48" = load i64, ptr %".47"
  %".49" = icmp ugt i64 %".46", %".48"
  %".50" = icmp ugt i64 %".48", %".3"
  %".51" = or i1 %".49", %".50"
  %".52" = or i1 %".41", %".51"
  %".53" = icmp ugt i64 %".46", 0
  %".54" = icmp ult i64 %".46", %".48"
  %".55" = icmp ule i64 %".48", %".3"
  %".56" = and i1 %".53", %".54"
  %".57" = and i1 %".56", %".55"
  br i1 %".57", label %".58", label %".67"
.58:
  %".59" = getelementptr inbounds i64, ptr %".2", i64 %".46"
  %".60" = load i64, ptr %".59"
  %".61" = sub i64 %".46", 1
  %".62" = getelementptr inbounds i64, ptr %".2", i64 %".61"
  %".63" = load i64, ptr %".62"
  %".64" = icmp sle i64 %".60", %".63"
  %".65" = zext i1 %".64" to i64
  %".66" = add i64 %".40", %".65"
  br label %".68"
.67:
  br label %".68"
.68:
  %".69" = phi  i64 [%".66", %".58"], [%".40", %".67"]
  br label %".70"
.70:
  %".71" = add i64 %".39", 1
  br label %".38"
.72:
  %".73" = zext i1 %".41" to i64
  %".74" = getelementptr inbounds i64, ptr %".4", i64 0
  store i64 %".23", ptr %".74"
  %".75" = getelementptr inbounds i64, ptr %".4", i64 1
  store i64 %".24", ptr %".75"
  %".76" = getelementptr inbounds i64, ptr %".4", i64 2
  store i64 %".40", ptr %".76"
  %".77" = getelementptr inbounds i64, ptr %".4", i64 3
  store i64 %".73", ptr %".77"
  ret void
}

declare i64 @"llvm.umax.i64"(i64 %".1", i64 %".2")
