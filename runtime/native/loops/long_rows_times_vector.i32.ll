; Written by `python -m diablo.tools.loop_code` from long_rows.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"long_rows_times_vector"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", ptr noalias %"array.4", i64 %"number",
    i64 %"number.1")
{
.1:
  %".2" = getelementptr inbounds i32, ptr %"array", i64 %"number"
  %".3" = load i32, ptr %".2"
  %".4" = zext i32 %".3" to i64
  br label %".5"
.5:
  %".6" = phi  i64 [%"number", %".1"], [%".76", %".74"]
  %".7" = phi  i64 [%".4", %".1"], [%".13", %".74"]
  %".8" = icmp slt i64 %".6", %"number.1"
  br i1 %".8", label %".9", label %".77"
.9:
  %".10" = add i64 %".6", 1
  %".11" = getelementptr inbounds i32, ptr %"array", i64 %".10"
  %".12" = load i32, ptr %".11"
  %".13" = zext i32 %".12" to i64
  %".14" = sub i64 %".13", %".7"
  %".15" = and i64 %".14", 3
  %".16" = sub i64 %".13", %".15"
  br label %".17"
.17:
  %".18" = phi  i64 [%".7", %".9"], [%".53", %".21"]
  %".19" = phi  <4 x double> [<double              0x0, double              0x0,
    double              0x0, double              0x0>, %".9"], [%".52", %".21"]
  %".20" = icmp slt i64 %".18", %".16"
  br i1 %".20", label %".21", label %".54"
.21:
  %".22" = add i64 %".18", 1
  %".23" = add i64 %".18", 2
  %".24" = add i64 %".18", 3
  %".25" = getelementptr inbounds i32, ptr %"array.1", i64 %".18"
  %".26" = load i32, ptr %".25"
  %".27" = zext i32 %".26" to i64
  %".28" = getelementptr inbounds i32, ptr %"array.1", i64 %".22"
  %".29" = load i32, ptr %".28"
  %".30" = zext i32 %".29" to i64
  %".31" = getelementptr inbounds i32, ptr %"array.1", i64 %".23"
  %".32" = load i32, ptr %".31"
  %".33" = zext i32 %".32" to i64
  %".34" = getelementptr inbounds i32, ptr %"array.1", i64 %".24"
  %".35" = load i32, ptr %".34"
  %".36" = zext i32 %".35" to i64
  %".37" = getelementptr inbounds double, ptr %"array.3", i64 %".27"
  %".38" = load double, ptr %".37"
  %".39" = getelementptr inbounds double, ptr %"array.3", i64 %".30"
  %".40" = load double, ptr %".39"
  %".41" = getelementptr inbounds double, ptr %"array.3", i64 %".33"
  %".42" = load double, ptr %".41"
  %".43" = getelementptr inbounds double, ptr %"array.3", i64 %".36"
  %".44" = load double, ptr %".43"
  %".45" = insertelement <4 x double> <double              0x0, double              0x0,
    double              0x0, double              0x0>, double %".38", i64 0
  %".46" = insertelement <4 x double> %".45", double %".40", i64 1
  %".47" = insertelement <4 x double> %".46", double %".42", i64 2
  %".48" = insertelement <4 x double> %".47", double %".44", i64 3
  %".49" = getelementptr inbounds double, ptr %"array.2", i64 %".18"
  %".50" = load <4 x double>, ptr %".49", align 8
  %".51" = fmul contract <4 x double> %".50", %".48"
  %".52" = fadd contract <4 x double> %".19", %".51"
  %".53" = add i64 %".18", 4
  br label %".17"
.54:
  %".55" = shufflevector <4 x double> %".19", <4 x double> %".19", <2 x i32> <i32 0, i32 1>
  %".56" = shufflevector <4 x double> %".19", <4 x double> %".19", <2 x i32> <i32 2, i32 3>
  %".57" = fadd <2 x double> %".55", %".56"
  %".58" = call double @"llvm.vector.reduce.fadd.v2f64"(double 0x8000000000000000,
    <2 x double> %".57")
  br label %".59"
.59:
  %".60" = phi  i64 [%".16", %".54"], [%".73", %".63"]
  %".61" = phi  double [%".58", %".54"], [%".72", %".63"]
  %".62" = icmp slt i64 %".60", %".13"
  br i1 %".62", label %".63", label %".74"
.63:
  %".64" = getelementptr inbounds i32, ptr %"array.1", i64 %".60"
  %".65" = load i32, ptr %".64"
  %".66" = zext i32 %".65" to i64
  %".67" = getelementptr inbounds double, ptr %"array.3", i64 %".66"
  %".68" = load double, ptr %".67"
  %".69" = getelementptr inbounds double, ptr %"array.2", i64 %".60"
  %".70" = load double, ptr %".69"
  %".71" = fmul contract double %".70", %".68"
  %".72" = fadd contract double %".61", %".71"
  %".73" = add i64 %".60", 1
  br label %".59"
.74:
  %".75" = getelementptr inbounds double, ptr %"array.4", i64 %".6"
  store double %".61", ptr %".75"
  %".76" = add i64 %".6", 1
  br label %".5"
.77:
  ret void
}

declare double @"llvm.vector.reduce.fadd.v2f64"(double %"number", <2 x double> %"number.1")
