; Written by `python -m diablo.tools.loop_code` from long_rows.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"long_rows_times_vector"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", ptr noalias %".4", ptr noalias %".5", i64 %".6", i64 %".7")
{
.9:
  %".25" = getelementptr inbounds i32, ptr %".1", i64 %".6"
  %".26" = load i32, ptr %".25"
  %".27" = zext i32 %".26" to i64
  br label %".10"
.10:
  %".19" = phi  i64 [%".6", %".9"], [%".94", %".17"]
  %".20" = phi  i64 [%".27", %".9"], [%".34", %".17"]
  %".29" = icmp slt i64 %".19", %".7"
  br i1 %".29", label %".11", label %".18"
.11:
  %".31" = add i64 %".19", 1
  %".32" = getelementptr inbounds i32, ptr %".1", i64 %".31"
  %".33" = load i32, ptr %".32"
  %".34" = zext i32 %".33" to i64
  %".35" = sub i64 %".34", %".20"
  %".36" = and i64 %".35", 3
  %".37" = sub i64 %".34", %".36"
  br label %".12"
.12:
  %".21" = phi  i64 [%".20", %".11"], [%".72", %".13"]
  %".22" = phi  <4 x double> [<double              0x0, double              0x0, double              0x0, double              0x0>, %".11"], [%".71", %".13"]
  %".39" = icmp slt i64 %".21", %".37"
  br i1 %".39", label %".13", label %".14"
.13:
  %".41" = add i64 %".21", 1
  %".42" = add i64 %".21", 2
  %".43" = add i64 %".21", 3
  %".44" = getelementptr inbounds i32, ptr %".2", i64 %".21"
  %".45" = load i32, ptr %".44"
  %".46" = zext i32 %".45" to i64
  %".47" = getelementptr inbounds i32, ptr %".2", i64 %".41"
  %".48" = load i32, ptr %".47"
  %".49" = zext i32 %".48" to i64
  %".50" = getelementptr inbounds i32, ptr %".2", i64 %".42"
  %".51" = load i32, ptr %".50"
  %".52" = zext i32 %".51" to i64
  %".53" = getelementptr inbounds i32, ptr %".2", i64 %".43"
  %".54" = load i32, ptr %".53"
  %".55" = zext i32 %".54" to i64
  %".56" = getelementptr inbounds double, ptr %".4", i64 %".46"
  %".57" = load double, ptr %".56"
  %".58" = getelementptr inbounds double, ptr %".4", i64 %".49"
  %".59" = load double, ptr %".58"
  %".60" = getelementptr inbounds double, ptr %".4", i64 %".52"
  %".61" = load double, ptr %".60"
  %".62" = getelementptr inbounds double, ptr %".4", i64 %".55"
  %".63" = load double, ptr %".62"
  %".64" = insertelement <4 x double> <double              0x0, double              0x0, double              0x0, double              0x0>, double %".57", i64 0
  %".65" = insertelement <4 x double> %".64", double %".59", i64 1
  %".66" = insertelement <4 x double> %".65", double %".61", i64 2
  %".67" = insertelement <4 x double> %".66", double %".63", i64 3
  %".68" = getelementptr inbounds double, ptr %".3", i64 %".21"
  %".69" = load <4 x double>, ptr %".68", align 8
  %".70" = fmul contract <4 x double> %".69", %".67"
  %".71" = fadd contract <4 x double> %".22", %".70"
  %".72" = add i64 %".21", 4
  br label %".12"
.14:
  %".74" = shufflevector <4 x double> %".22", <4 x double> %".22", <2 x i32> <i32 0, i32 1>
  %".75" = shufflevector <4 x double> %".22", <4 x double> %".22", <2 x i32> <i32 2, i32 3>
  %".76" = fadd <2 x double> %".74", %".75"
  %".77" = call double @"llvm.vector.reduce.fadd.v2f64"(double 0x8000000000000000, <2 x double> %".76")
  br label %".15"
.15:
  %".23" = phi  i64 [%".37", %".14"], [%".90", %".16"]
  %".24" = phi  double [%".77", %".14"], [%".89", %".16"]
  %".79" = icmp slt i64 %".23", %".34"
  br i1 %".79", label %".16", label %".17"
.16:
  %".81" = getelementptr inbounds i32, ptr %".2", i64 %".23"
  %".82" = load i32, ptr %".81"
  %".83" = zext i32 %".82" to i64
  %".84" = getelementptr inbounds double, ptr %".4", i64 %".83"
  %".85" = load double, ptr %".84"
  %".86" = getelementptr inbounds double, ptr %".3", i64 %".23"
  %".87" = load double, ptr %".86"
  %".88" = fmul contract double %".87", %".85"
  %".89" = fadd contract double %".24", %".88"
  %".90" = add i64 %".23", 1
  br label %".15"
.17:
  %".92" = getelementptr inbounds double, ptr %".5", i64 %".19"
  store double %".24", ptr %".92"
  %".94" = add i64 %".19", 1
  br label %".10"
.18:
  ret void
}

declare double @"llvm.vector.reduce.fadd.v2f64"(double %".1", <2 x double> %".2")
