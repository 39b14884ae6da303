; Written by `python -m diablo.tools.loop_code` from long_rows.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"long_rows_times_vector"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", ptr noalias %"array.4", i64 %"number",
    i64 %"number.1")
{
.1:
  %".2" = getelementptr inbounds i64, ptr %"array", i64 %"number"
  %".3" = load i64, ptr %".2"
  br label %".4"
.4:
  %".5" = phi  i64 [%"number", %".1"], [%".69", %".67"]
  %".6" = phi  i64 [%".3", %".1"], [%".11", %".67"]
  %".7" = icmp slt i64 %".5", %"number.1"
  br i1 %".7", label %".8", label %".70"
.8:
  %".9" = add i64 %".5", 1
  %".10" = getelementptr inbounds i64, ptr %"array", i64 %".9"
  %".11" = load i64, ptr %".10"
  %".12" = sub i64 %".11", %".6"
  %".13" = and i64 %".12", 3
  %".14" = sub i64 %".11", %".13"
  br label %".15"
.15:
  %".16" = phi  i64 [%".6", %".8"], [%".47", %".19"]
  %".17" = phi  <4 x double> [<double              0x0, double              0x0,
    double              0x0, double              0x0>, %".8"], [%".46", %".19"]
  %".18" = icmp slt i64 %".16", %".14"
  br i1 %".18", label %".19", label %".48"
.19:
  %".20" = add i64 %".16", 1
  %".21" = add i64 %".16", 2
  %".22" = add i64 %".16", 3
  %".23" = getelementptr inbounds i64, ptr %"array.1", i64 %".16"
  %".24" = load i64, ptr %".23"
  %".25" = getelementptr inbounds i64, ptr %"array.1", i64 %".20"
  %".26" = load i64, ptr %".25"
  %".27" = getelementptr inbounds i64, ptr %"array.1", i64 %".21"
  %".28" = load i64, ptr %".27"
  %".29" = getelementptr inbounds i64, ptr %"array.1", i64 %".22"
  %".30" = load i64, ptr %".29"
  %".31" = getelementptr inbounds double, ptr %"array.3", i64 %".24"
  %".32" = load double, ptr %".31"
  %".33" = getelementptr inbounds double, ptr %"array.3", i64 %".26"
  %".34" = load double, ptr %".33"
  %".35" = getelementptr inbounds double, ptr %"array.3", i64 %".28"
  %".36" = load double, ptr %".35"
  %".37" = getelementptr inbounds double, ptr %"array.3", i64 %".30"
  %".38" = load double, ptr %".37"
  %".39" = insertelement <4 x double> <double              0x0, double              0x0,
    double              0x0, double              0x0>, double %".32", i64 0
  %".40" = insertelement <4 x double> %".39", double %".34", i64 1
  %".41" = insertelement <4 x double> %".40", double %".36", i64 2
  %".42" = insertelement <4 x double> %".41", double %".38", i64 3
  %".43" = getelementptr inbounds double, ptr %"array.2", i64 %".16"
  %".44" = load <4 x double>, ptr %".43", align 8
  %".45" = fmul contract <4 x double> %".44", %".42"
  %".46" = fadd contract <4 x double> %".17", %".45"
  %".47" = add i64 %".16", 4
  br label %".15"
.48:
  %".49" = shufflevector <4 x double> %".17", <4 x double> %".17", <2 x i32> <i32 0, i32 1>
  %".50" = shufflevector <4 x double> %".17", <4 x double> %".17", <2 x i32> <i32 2, i32 3>
  %".51" = fadd <2 x double> %".49", %".50"
  %".52" = call double @"llvm.vector.reduce.fadd.v2f64"(double 0x8000000000000000,
    <2 x double> %".51")
  br label %".53"
.53:
  %".54" = phi  i64 [%".14", %".48"], [%".66", %".57"]
  %".55" = phi  double [%".52", %".48"], [%".65", %".57"]
  %".56" = icmp slt i64 %".54", %".11"
  br i1 %".56", label %".57", label %".67"
.57:
  %".58" = getelementptr inbounds i64, ptr %"array.1", i64 %".54"
  %".59" = load i64, ptr %".58"
  %".60" = getelementptr inbounds double, ptr %"array.3", i64 %".59"
  %".61" = load double, ptr %".60"
  %".62" = getelementptr inbounds double, ptr %"array.2", i64 %".54"
  %".63" = load double, ptr %".62"
  %".64" = fmul contract double %".63", %".61"
  %".65" = fadd contract double %".55", %".64"
  %".66" = add i64 %".54", 1
  br label %".53"
.67:
  %".68" = getelementptr inbounds double, ptr %"array.4", i64 %".5"
  store double %".55", ptr %".68"
  %".69" = add i64 %".5", 1
  br label %".4"
.70:
  ret void
}

declare double @"llvm.vector.reduce.fadd.v2f64"(double %"number", <2 x double> %"number.1")
