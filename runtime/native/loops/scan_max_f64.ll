; Written by `python -m diablo.tools.loop_code` from scans.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"scan_max_f64"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4", i64 %".5", i64 %".6", i64 %".7", i64 %".8", i64 %".9", i64 %".10", i64 %".11", i64 %".12")
{
.14:
  %".39" = add i64 %".11", 1
  %".40" = icmp eq i64 %".39", %".12"
  br label %".15"
.15:
  %".33" = phi  i64 [%".9", %".14"], [%".102", %".31"]
  %".42" = icmp slt i64 %".33", %".10"
  br i1 %".42", label %".16", label %".32"
.16:
  %".44" = mul i64 %".33", %".4"
  %".45" = add i64 %".44", %".5"
  %".46" = mul i64 %".33", %".8"
  br i1 %".40", label %".17", label %".21"
.17:
  %".48" = add i64 %".46", %".11"
  %".49" = getelementptr inbounds double, ptr %".3", i64 %".48"
  %".50" = load double, ptr %".49"
  %".51" = add i64 %".45", %".11"
  br label %".18"
.18:
  %".34" = phi  i64 [0, %".17"], [%".62", %".19"]
  %".35" = phi  double [%".50", %".17"], [%".59", %".19"]
  %".53" = icmp slt i64 %".34", %".7"
  br i1 %".53", label %".19", label %".20"
.19:
  %".55" = mul i64 %".34", %".6"
  %".56" = add i64 %".51", %".55"
  %".57" = getelementptr inbounds double, ptr %".1", i64 %".56"
  %".58" = load double, ptr %".57"
  %".59" = call double @"llvm.maximum.f64"(double %".35", double %".58")
  %".60" = getelementptr inbounds double, ptr %".2", i64 %".56"
  store double %".59", ptr %".60"
  %".62" = add i64 %".34", 1
  br label %".18"
.20:
  br label %".31"
.21:
  br label %".22"
.22:
  %".36" = phi  i64 [%".11", %".21"], [%".77", %".23"]
  %".66" = icmp slt i64 %".36", %".12"
  br i1 %".66", label %".23", label %".24"
.23:
  %".68" = add i64 %".46", %".36"
  %".69" = getelementptr inbounds double, ptr %".3", i64 %".68"
  %".70" = load double, ptr %".69"
  %".71" = add i64 %".45", %".36"
  %".72" = getelementptr inbounds double, ptr %".1", i64 %".71"
  %".73" = load double, ptr %".72"
  %".74" = call double @"llvm.maximum.f64"(double %".70", double %".73")
  %".75" = getelementptr inbounds double, ptr %".2", i64 %".71"
  store double %".74", ptr %".75"
  %".77" = add i64 %".36", 1
  br label %".22"
.24:
  br label %".25"
.25:
  %".37" = phi  i64 [1, %".24"], [%".99", %".29"]
  %".80" = icmp slt i64 %".37", %".7"
  br i1 %".80", label %".26", label %".30"
.26:
  %".82" = mul i64 %".37", %".6"
  %".83" = add i64 %".45", %".82"
  %".84" = sub i64 %".83", %".6"
  br label %".27"
.27:
  %".38" = phi  i64 [%".11", %".26"], [%".97", %".28"]
  %".86" = icmp slt i64 %".38", %".12"
  br i1 %".86", label %".28", label %".29"
.28:
  %".88" = add i64 %".83", %".38"
  %".89" = add i64 %".84", %".38"
  %".90" = getelementptr inbounds double, ptr %".2", i64 %".89"
  %".91" = load double, ptr %".90"
  %".92" = getelementptr inbounds double, ptr %".1", i64 %".88"
  %".93" = load double, ptr %".92"
  %".94" = call double @"llvm.maximum.f64"(double %".91", double %".93")
  %".95" = getelementptr inbounds double, ptr %".2", i64 %".88"
  store double %".94", ptr %".95"
  %".97" = add i64 %".38", 1
  br label %".27"
.29:
  %".99" = add i64 %".37", 1
  br label %".25"
.30:
  br label %".31"
.31:
  %".102" = add i64 %".33", 1
  br label %".15"
.32:
  ret void
}

declare double @"llvm.maximum.f64"(double %".1", double %".2")
