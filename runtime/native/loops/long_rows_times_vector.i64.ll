; Written by `python -m diablo.tools.loop_code` from long_rows.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"long_rows_times_vector"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", ptr noalias %".5", i64 %".6", i64 %".7")
{
.8:
  %".9" = getelementptr inbounds i64, ptr %".1", i64 %".6"
  %".10" = load i64, ptr %".9"
  br label %".11"
.11:
  %".12" = phi  i64 [%".6", %".8"], [%".76", %".74"]
  %".13" = phi  i64 [%".10", %".8"], [%".18", %".74"]
  %".14" = icmp slt i64 %".12", %".7"
  br i1 %".14", label %".15", label %".77"
.15:
  %".16" = add i64 %".12", 1
  %".17" = getelementptr inbounds i64, ptr %".1", i64 %".16"
  %".18" = load i64, ptr %".17"
  %".19" = sub i64 %".18", %".13"
  %".20" = and i64 %".19", 3
  %".21" = sub i64 %".18", %".20"
  br label %".22"
.22:
  %".23" = phi  i64 [%".13", %".15"], [%".54", %".26"]
  %".24" = phi  <4 x double> [<double              0x0, double              0x0,
    double              0x0, double              0x0>, %".15"], [%".53", %".26"]
  %".25" = icmp slt i64 %".23", %".21"
  br i1 %".25", label %".26", label %".55"
.26:
  %".27" = add i64 %".23", 1
  %".28" = add i64 %".23", 2
  %".29" = add i64 %".23", 3
  %".30" = getelementptr inbounds i64, ptr %".2", i64 %".23"
  %".31" = load i64, ptr %".30"
  %".32" = getelementptr inbounds i64, ptr %".2", i64 %".27"
  %".33" = load i64, ptr %".32"
  %".34" = getelementptr inbounds i64, ptr %".2", i64 %".28"
  %".35" = load i64, ptr %".34"
  %".36" = getelementptr inbounds i64, ptr %".2", i64 %".29"
  %".37" = load i64, ptr %".36"
  %".38" = getelementptr inbounds double, ptr %".4", i64 %".31"
  %".39" = load double, ptr %".38"
  %".40" = getelementptr inbounds double, ptr %".4", i64 %".33"
  %".41" = load double, ptr %".40"
  %".42" = getelementptr inbounds double, ptr %".4", i64 %".35"
  %".43" = load double, ptr %".42"
  %".44" = getelementptr inbounds double, ptr %".4", i64 %".37"
  %".45" = load double, ptr %".44"
  %".46" = insertelement <4 x double> <double              0x0, double              0x0,
    double              0x0, double              0x0>, double %".39", i64 0
  %".47" = insertelement <4 x double> %".46", double %".41", i64 1
  %".48" = insertelement <4 x double> %".47", double %".43", i64 2
  %".49" = insertelement <4 x double> %".48", double %".45", i64 3
  %".50" = getelementptr inbounds double, ptr %".3", i64 %".23"
  %".51" = load <4 x double>, ptr %".50", align 8
  %".52" = fmul contract <4 x double> %".51", %".49"
  %".53" = fadd contract <4 x double> %".24", %".52"
  %".54" = add i64 %".23", 4
  br label %".22"
.55:
  %".56" = shufflevector <4 x double> %".24", <4 x double> %".24", <2 x i32> <i32 0, i32 1>
  %".57" = shufflevector <4 x double> %".24", <4 x double> %".24", <2 x i32> <i32 2, i32 3>
  %".58" = fadd <2 x double> %".56", %".57"
  %".59" = call double @"llvm.vector.reduce.fadd.v2f64"(double 0x8000000000000000,
    <2 x double> %".58")
  br label %".60"
.60:
  %".61" = phi  i64 [%".21", %".55"], [%".73", %".64"]
  %".62" = phi  double [%".59", %".55"], [%".72", %".64"]
  %".63" = icmp slt i64 %".61", %".18"
  br i1 %".63", label %".64", label %".74"
.64:
  %".65" = getelementptr inbounds i64, ptr %".2", i64 %".61"
  %".66" = load i64, ptr %".65"
  %".67" = getelementptr inbounds double, ptr %".4", i64 %".66"
  %".68" = load double, ptr %".67"
  %".69" = getelementptr inbounds double, ptr %".3", i64 %".61"
  %".70" = load double, ptr %".69"
  %".71" = fmul contract double %".70", %".68"
  %".72" = fadd contract double %".62", %".71"
  %".73" = add i64 %".61", 1
  br label %".60"
.74:
  %".75" = getelementptr inbounds double, ptr %".5", i64 %".12"
  store double %".62", ptr %".75"
  %".76" = add i64 %".12", 1
  br label %".11"
.77:
  ret void
}

declare double @"llvm.vector.reduce.fadd.v2f64"(double %".1", <2 x double> %".2")
