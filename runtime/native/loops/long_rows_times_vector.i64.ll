; Written by `python -m diablo.tools.loop_code` from long_rows.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"long_rows_times_vector"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", ptr noalias %".4", ptr noalias %".5", i64 %".6", i64 %".7")
{
.9:
  %".25" = getelementptr inbounds i64, ptr %".1", i64 %".6"
  %".26" = load i64, ptr %".25"
  br label %".10"
.10:
  %".19" = phi  i64 [%".6", %".9"], [%".87", %".17"]
  %".20" = phi  i64 [%".26", %".9"], [%".32", %".17"]
  %".28" = icmp slt i64 %".19", %".7"
  br i1 %".28", label %".11", label %".18"
.11:
  %".30" = add i64 %".19", 1
  %".31" = getelementptr inbounds i64, ptr %".1", i64 %".30"
  %".32" = load i64, ptr %".31"
  %".33" = sub i64 %".32", %".20"
  %".34" = and i64 %".33", 3
  %".35" = sub i64 %".32", %".34"
  br label %".12"
.12:
  %".21" = phi  i64 [%".20", %".11"], [%".66", %".13"]
  %".22" = phi  <4 x double> [<double              0x0, double              0x0, double              0x0, double              0x0>, %".11"], [%".65", %".13"]
  %".37" = icmp slt i64 %".21", %".35"
  br i1 %".37", label %".13", label %".14"
.13:
  %".39" = add i64 %".21", 1
  %".40" = add i64 %".21", 2
  %".41" = add i64 %".21", 3
  %".42" = getelementptr inbounds i64, ptr %".2", i64 %".21"
  %".43" = load i64, ptr %".42"
  %".44" = getelementptr inbounds i64, ptr %".2", i64 %".39"
  %".45" = load i64, ptr %".44"
  %".46" = getelementptr inbounds i64, ptr %".2", i64 %".40"
  %".47" = load i64, ptr %".46"
  %".48" = getelementptr inbounds i64, ptr %".2", i64 %".41"
  %".49" = load i64, ptr %".48"
  %".50" = getelementptr inbounds double, ptr %".4", i64 %".43"
  %".51" = load double, ptr %".50"
  %".52" = getelementptr inbounds double, ptr %".4", i64 %".45"
  %".53" = load double, ptr %".52"
  %".54" = getelementptr inbounds double, ptr %".4", i64 %".47"
  %".55" = load double, ptr %".54"
  %".56" = getelementptr inbounds double, ptr %".4", i64 %".49"
  %".57" = load double, ptr %".56"
  %".58" = insertelement <4 x double> <double              0x0, double              0x0, double              0x0, double              0x0>, double %".51", i64 0
  %".59" = insertelement <4 x double> %".58", double %".53", i64 1
  %".60" = insertelement <4 x double> %".59", double %".55", i64 2
  %".61" = insertelement <4 x double> %".60", double %".57", i64 3
  %".62" = getelementptr inbounds double, ptr %".3", i64 %".21"
  %".63" = load <4 x double>, ptr %".62", align 8
  %".64" = fmul contract <4 x double> %".63", %".61"
  %".65" = fadd contract <4 x double> %".22", %".64"
  %".66" = add i64 %".21", 4
  br label %".12"
.14:
  %".68" = shufflevector <4 x double> %".22", <4 x double> %".22", <2 x i32> <i32 0, i32 1>
  %".69" = shufflevector <4 x double> %".22", <4 x double> %".22", <2 x i32> <i32 2, i32 3>
  %".70" = fadd <2 x double> %".68", %".69"
  %".71" = call double @"llvm.vector.reduce.fadd.v2f64"(double 0x8000000000000000, <2 x double> %".70")
  br label %".15"
.15:
  %".23" = phi  i64 [%".35", %".14"], [%".83", %".16"]
  %".24" = phi  double [%".71", %".14"], [%".82", %".16"]
  %".73" = icmp slt i64 %".23", %".32"
  br i1 %".73", label %".16", label %".17"
.16:
  %".75" = getelementptr inbounds i64, ptr %".2", i64 %".23"
  %".76" = load i64, ptr %".75"
  %".77" = getelementptr inbounds double, ptr %".4", i64 %".76"
  %".78" = load double, ptr %".77"
  %".79" = getelementptr inbounds double, ptr %".3", i64 %".23"
  %".80" = load double, ptr %".79"
  %".81" = fmul contract double %".80", %".78"
  %".82" = fadd contract double %".24", %".81"
  %".83" = add i64 %".23", 1
  br label %".15"
.17:
  %".85" = getelementptr inbounds double, ptr %".5", i64 %".19"
  store double %".24", ptr %".85"
  %".87" = add i64 %".19", 1
  br label %".10"
.18:
  ret void
}

declare double @"llvm.vector.reduce.fadd.v2f64"(double %".1", <2 x double> %".2")
