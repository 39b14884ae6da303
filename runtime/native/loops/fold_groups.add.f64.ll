; Written by `python -m diablo.tools.loop_code` from group_folds.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"fold_groups"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", ptr noalias %"array.4", i64 %"number", i64 %"number.1",
    i64 %"number.2")
{
.1:
  %".2" = getelementptr inbounds double, ptr %"array.3", i64 %"number"
  %".3" = load double, ptr %".2"
  br label %".4"
.4:
  %".5" = phi  i64 [%"number.1", %".1"], [%".64", %".63"]
  %".6" = icmp slt i64 %".5", %"number.2"
  br i1 %".6", label %".7", label %".65"
.7:
  %".8" = add i64 %".5", 1
  %".9" = getelementptr inbounds i64, ptr %"array", i64 %".5"
  %".10" = load i64, ptr %".9"
  %".11" = getelementptr inbounds i64, ptr %"array", i64 %".8"
  %".12" = load i64, ptr %".11"
  %".13" = sub i64 %".12", %".10"
  %".14" = call i64 @"llvm.smin.i64"(i64 %".13", i64 %"number")
  %".15" = add i64 %".14", 1
  br label %".16"
.16:
  %".17" = phi  i64 [0, %".7"], [%".21", %".19"]
  %".18" = icmp slt i64 %".17", %".15"
  br i1 %".18", label %".19", label %".22"
.19:
  %".20" = getelementptr inbounds double, ptr %"array.3", i64 %".17"
  store double %".3", ptr %".20"
  %".21" = add i64 %".17", 1
  br label %".16"
.22:
  br label %".23"
.23:
  %".24" = phi  i64 [%".10", %".22"], [%".62", %".61"]
  %".25" = icmp slt i64 %".24", %".12"
  br i1 %".25", label %".26", label %".63"
.26:
  %".27" = sub i64 %".12", %".24"
  %".28" = call i64 @"llvm.smin.i64"(i64 %".27", i64 %"number")
  br label %".29"
.29:
  %".30" = phi  i64 [0, %".26"], [%".47", %".33"]
  %".31" = phi  double [%".3", %".26"], [%".40", %".33"]
  %".32" = icmp slt i64 %".30", %".28"
  br i1 %".32", label %".33", label %".48"
.33:
  %".34" = add i64 %".24", %".30"
  %".35" = getelementptr inbounds i32, ptr %"array.1", i64 %".34"
  %".36" = load i32, ptr %".35"
  %".37" = zext i32 %".36" to i64
  %".38" = getelementptr inbounds double, ptr %"array.2", i64 %".37"
  %".39" = load double, ptr %".38"
  %".40" = fadd double %".31", %".39"
  %".41" = add i64 %".30", 1
  %".42" = getelementptr inbounds double, ptr %"array.3", i64 %".41"
  %".43" = load double, ptr %".42"
  %".44" = fadd double %".43", %".40"
  %".45" = getelementptr inbounds double, ptr %"array.4", i64 %".37"
  store double %".44", ptr %".45"
  %".46" = getelementptr inbounds double, ptr %"array.3", i64 %".30"
  store double %".39", ptr %".46"
  %".47" = add i64 %".30", 1
  br label %".29"
.48:
  br label %".49"
.49:
  %".50" = phi  i64 [0, %".48"], [%".60", %".53"]
  %".51" = phi  double [%".3", %".48"], [%".58", %".53"]
  %".52" = icmp slt i64 %".50", %".28"
  br i1 %".52", label %".53", label %".61"
.53:
  %".54" = sub i64 %".28", %".50"
  %".55" = sub i64 %".54", 1
  %".56" = getelementptr inbounds double, ptr %"array.3", i64 %".55"
  %".57" = load double, ptr %".56"
  %".58" = fadd double %".51", %".57"
  %".59" = getelementptr inbounds double, ptr %"array.3", i64 %".55"
  store double %".58", ptr %".59"
  %".60" = add i64 %".50", 1
  br label %".49"
.61:
  %".62" = add i64 %".24", %"number"
  br label %".23"
.63:
  %".64" = add i64 %".5", 1
  br label %".4"
.65:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")
