; Written by `python -m diablo.tools.loop_code` from list_order.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"order_lists"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", ptr noalias %"array.4", i1 %"number", i64 %"number.1", i64 %"number.2",
    i64 %"number.3")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number.2", %".1"], [%".78", %".77"]
  %".4" = icmp slt i64 %".3", %"number.3"
  br i1 %".4", label %".5", label %".79"
.5:
  %".6" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  %".7" = load i64, ptr %".6"
  %".8" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  %".9" = load i64, ptr %".8"
  %".10" = getelementptr inbounds i64, ptr %"array.3", i64 %".3"
  %".11" = load i64, ptr %".10"
  %".12" = add i64 %".3", 1
  %".13" = getelementptr inbounds i64, ptr %"array.3", i64 %".12"
  %".14" = load i64, ptr %".13"
  %".15" = sub i64 %".14", %".11"
  %".16" = icmp sle i64 %".15", %"number.1"
  %".17" = icmp sgt i64 %".15", 0
  %".18" = and i1 %".16", %".17"
  br i1 %".18", label %".19", label %".77"
.19:
  br label %".20"
.20:
  %".21" = phi  i64 [0, %".19"], [%".75", %".73"]
  %".22" = phi  i64 [0, %".19"], [%".74", %".73"]
  %".23" = icmp slt i64 %".21", %".9"
  br i1 %".23", label %".24", label %".76"
.24:
  %".25" = add i64 %".7", %".21"
  %".26" = getelementptr inbounds double, ptr %"array", i64 %".25"
  %".27" = load double, ptr %".26"
  %".28" = fcmp ord double %".27", %".27"
  %".29" = icmp eq i64 %".22", %".15"
  %".30" = sub i64 %".15", 1
  %".31" = select  i1 %".29", i64 %".30", i64 %".22"
  %".32" = add i64 %".11", %".31"
  %".33" = getelementptr inbounds double, ptr %"array.4", i64 %".32"
  %".34" = load double, ptr %".33"
  %".35" = fcmp olt double %".27", %".34"
  %".36" = fcmp ogt double %".27", %".34"
  %".37" = select  i1 %"number", i1 %".36", i1 %".35"
  %".38" = fcmp uno double %".34", %".34"
  %".39" = and i1 %".38", %".28"
  %".40" = or i1 %".37", %".39"
  %".41" = xor i1 %".29", -1
  %".42" = or i1 %".41", %".40"
  br i1 %".42", label %".43", label %".72"
.43:
  br label %".44"
.44:
  %".45" = phi  i64 [%".31", %".43"], [%".61", %".59"]
  %".46" = icmp sgt i64 %".45", 0
  %".47" = sub i64 %".45", 1
  %".48" = call i64 @"llvm.smax.i64"(i64 %".47", i64 0)
  %".49" = add i64 %".11", %".48"
  %".50" = getelementptr inbounds double, ptr %"array.4", i64 %".49"
  %".51" = load double, ptr %".50"
  %".52" = fcmp olt double %".27", %".51"
  %".53" = fcmp ogt double %".27", %".51"
  %".54" = select  i1 %"number", i1 %".53", i1 %".52"
  %".55" = fcmp uno double %".51", %".51"
  %".56" = and i1 %".55", %".28"
  %".57" = or i1 %".54", %".56"
  %".58" = and i1 %".46", %".57"
  br i1 %".58", label %".59", label %".67"
.59:
  %".60" = phi  i64 [%".45", %".44"]
  %".61" = sub i64 %".60", 1
  %".62" = add i64 %".11", %".61"
  %".63" = getelementptr inbounds double, ptr %"array.4", i64 %".62"
  %".64" = load double, ptr %".63"
  %".65" = add i64 %".11", %".60"
  %".66" = getelementptr inbounds double, ptr %"array.4", i64 %".65"
  store double %".64", ptr %".66"
  br label %".44"
.67:
  %".68" = add i64 %".11", %".45"
  %".69" = getelementptr inbounds double, ptr %"array.4", i64 %".68"
  store double %".27", ptr %".69"
  %".70" = add i64 %".22", 1
  %".71" = call i64 @"llvm.smin.i64"(i64 %".70", i64 %".15")
  br label %".73"
.72:
  br label %".73"
.73:
  %".74" = phi  i64 [%".71", %".67"], [%".22", %".72"]
  %".75" = add i64 %".21", 1
  br label %".20"
.76:
  br label %".77"
.77:
  %".78" = add i64 %".3", 1
  br label %".2"
.79:
  ret void
}

declare i64 @"llvm.smax.i64"(i64 %"number", i64 %"number.1")

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")
