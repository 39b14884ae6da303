; Written by `python -m diablo.tools.loop_code` from column_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"columns_times_vector"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", ptr noalias %".4", ptr noalias %".5", i64 %".6", i64 %".7", i64 %".8")
{
.10:
  br label %".11"
.11:
  %".20" = phi  i64 [0, %".10"], [%".29", %".12"]
  %".25" = icmp slt i64 %".20", %".6"
  br i1 %".25", label %".12", label %".13"
.12:
  %".27" = getelementptr inbounds double, ptr %".5", i64 %".20"
  store double              0x0, ptr %".27"
  %".29" = add i64 %".20", 1
  br label %".11"
.13:
  %".31" = getelementptr inbounds i32, ptr %".1", i64 %".7"
  %".32" = load i32, ptr %".31"
  %".33" = zext i32 %".32" to i64
  br label %".14"
.14:
  %".21" = phi  i64 [%".7", %".13"], [%".59", %".18"]
  %".22" = phi  i64 [%".33", %".13"], [%".40", %".18"]
  %".35" = icmp slt i64 %".21", %".8"
  br i1 %".35", label %".15", label %".19"
.15:
  %".37" = add i64 %".21", 1
  %".38" = getelementptr inbounds i32, ptr %".1", i64 %".37"
  %".39" = load i32, ptr %".38"
  %".40" = zext i32 %".39" to i64
  %".41" = getelementptr inbounds double, ptr %".4", i64 %".21"
  %".42" = load double, ptr %".41"
  br label %".16"
.16:
  %".23" = phi  i64 [%".22", %".15"], [%".57", %".17"]
  %".44" = icmp slt i64 %".23", %".40"
  br i1 %".44", label %".17", label %".18"
.17:
  %".46" = getelementptr inbounds i32, ptr %".2", i64 %".23"
  %".47" = load i32, ptr %".46"
  %".48" = zext i32 %".47" to i64
  %".49" = getelementptr inbounds double, ptr %".3", i64 %".23"
  %".50" = load double, ptr %".49"
  %".51" = fmul double %".50", %".42"
  %".52" = getelementptr inbounds double, ptr %".5", i64 %".48"
  %".53" = load double, ptr %".52"
  %".54" = fadd double %".53", %".51"
  %".55" = getelementptr inbounds double, ptr %".5", i64 %".48"
  store double %".54", ptr %".55"
  %".57" = add i64 %".23", 1
  br label %".16"
.18:
  %".59" = add i64 %".21", 1
  br label %".14"
.19:
  ret void
}
