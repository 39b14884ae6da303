; Written by `python -m diablo.tools.loop_code` from long_rows.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"long_rows_times_vector"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", ptr noalias %".5", i64 %".6", i64 %".7")
{
.8:
  %".9" = getelementptr inbounds i32, ptr %".1", i64 %".6"
  %".10" = load i32, ptr %".9"
  %".11" = zext i32 %".10" to i64
  br label %".12"
.12:
  %".13" = phi  i64 [%".6", %".8"], [%".83", %".81"]
  %".14" = phi  i64 [%".11", %".8"], [%".20", %".81"]
  %".15" = icmp slt i64 %".13", %".7"
  br i1 %".15", label %".16", label %".84"
.16:
  %".17" = add i64 %".13", 1
  %".18" = getelementptr inbounds i32, ptr %".1", i64 %".17"
  %".19" = load i32, ptr %".18"
  %".20" = zext i32 %".19" to i64
  %".21" = sub i64 %".20", %".14"
  %".22" = and i64 %".21", 3
  %".23" = sub i64 %".20", %".22"
  br label %".24"
.24:
  %".25" = phi  i64 [%".14", %".16"], [%".60", %".28"]
  %".26" = phi  <4 x double> [<double              0x0, double              0x0,
    double              0x0, double              0x0>, %".16"], [%".59", %".28"]
  %".27" = icmp slt i64 %".25", %".23"
  br i1 %".27", label %".28", label %".61"
.28:
  %".29" = add i64 %".25", 1
  %".30" = add i64 %".25", 2
  %".31" = add i64 %".25", 3
  %".32" = getelementptr inbounds i32, ptr %".2", i64 %".25"
  %".33" = load i32, ptr %".32"
  %".34" = zext i32 %".33" to i64
  %".35" = getelementptr inbounds i32, ptr %".2", i64 %".29"
  %".36" = load i32, ptr %".35"
  %".37" = zext i32 %".36" to i64
  %".38" = getelementptr inbounds i32, ptr %".2", i64 %".30"
  %".39" = load i32, ptr %".38"
  %".40" = zext i32 %".39" to i64
  %".41" = getelementptr inbounds i32, ptr %".2", i64 %".31"
  %".42" = load i32, ptr %".41"
  %".43" = zext i32 %".42" to i64
  %".44" = getelementptr inbounds double, ptr %".4", i64 %".34"
  %".45" = load double, ptr %".44"
  %".46" = getelementptr inbounds double, ptr %".4", i64 %".37"
  %".47" = load double, ptr %".46"
  %".48" = getelementptr inbounds double, ptr %".4", i64 %".40"
  %".49" = load double, ptr %".48"
  %".50" = getelementptr inbounds double, ptr %".4", i64 %".43"
  %".51" = load double, ptr %".50"
  %".52" = insertelement <4 x double> <double              0x0, double              0x0,
    double              0x0, double              0x0>, double %".45", i64 0
  %".53" = insertelement <4 x double> %".52", double %".47", i64 1
  %".54" = insertelement <4 x double> %".53", double %".49", i64 2
  %".55" = insertelement <4 x double> %".54", double %".51", i64 3
  %".56" = getelementptr inbounds double, ptr %".3", i64 %".25"
  %".57" = load <4 x double>, ptr %".56", align 8
  %".58" = fmul contract <4 x double> %".57", %".55"
  %".59" = fadd contract <4 x double> %".26", %".58"
  %".60" = add i64 %".25", 4
  br label %".24"
.61:
  %".62" = shufflevector <4 x double> %".26", <4 x double> %".26", <2 x i32> <i32 0, i32 1>
  %".63" = shufflevector <4 x double> %".26", <4 x double> %".26", <2 x i32> <i32 2, i32 3>
  %".64" = fadd <2 x double> %".62", %".63"
  %".65" = call double @"llvm.vector.reduce.fadd.v2f64"(double 0x8000000000000000,
    <2 x double> %".64")
  br label %".66"
.66:
  %".67" = phi  i64 [%".23", %".61"], [%".80", %".70"]
  %".68" = phi  double [%".65", %".61"], [%".79", %".70"]
  %".69" = icmp slt i64 %".67", %".20"
  br i1 %".69", label %".70", label %".81"
.70:
  %".71" = getelementptr inbounds i32, ptr %".2", i64 %".67"
  %".72" = load i32, ptr %".71"
  %".73" = zext i32 %".72" to i64
  %".74" = getelementptr inbounds double, ptr %".4", i64 %".73"
  %".75" = load double, ptr %".74"
  %".76" = getelementptr inbounds double, ptr %".3", i64 %".67"
  %".77" = load double, ptr %".76"
  %".78" = fmul contract double %".77", %".75"
  %".79" = fadd contract double %".68", %".78"
  %".80" = add i64 %".67", 1
  br label %".66"
.81:
  %".82" = getelementptr inbounds double, ptr %".5", i64 %".13"
  store double %".68", ptr %".82"
  %".83" = add i64 %".13", 1
  br label %".12"
.84:
  ret void
}

declare double @"llvm.vector.reduce.fadd.v2f64"(double %".1", <2 x double> %".2")
