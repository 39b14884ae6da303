; Written by `python -m diablo.tools.loop_code` from row_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"ordered_rows_times_vector"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", ptr noalias %".4", ptr noalias %".5", ptr noalias %".6", i64 %".7", i64 %".8")
{
.10:
  br label %".11"
.11:
  %".17" = phi  i64 [%".7", %".10"], [%".48", %".15"]
  %".21" = icmp slt i64 %".17", %".8"
  br i1 %".21", label %".12", label %".16"
.12:
  %".23" = and i64 %".17", -256
  %".24" = getelementptr inbounds i8, ptr %".1", i64 %".17"
  %".25" = load i8, ptr %".24"
  %".26" = zext i8 %".25" to i64
  %".27" = or i64 %".23", %".26"
  %".28" = getelementptr inbounds i64, ptr %".2", i64 %".27"
  %".29" = load i64, ptr %".28"
  %".30" = add i64 %".27", 1
  %".31" = getelementptr inbounds i64, ptr %".2", i64 %".30"
  %".32" = load i64, ptr %".31"
  br label %".13"
.13:
  %".18" = phi  i64 [%".29", %".12"], [%".44", %".14"]
  %".19" = phi  double [             0x0, %".12"], [%".43", %".14"]
  %".34" = icmp slt i64 %".18", %".32"
  br i1 %".34", label %".14", label %".15"
.14:
  %".36" = getelementptr inbounds i64, ptr %".3", i64 %".18"
  %".37" = load i64, ptr %".36"
  %".38" = getelementptr inbounds double, ptr %".5", i64 %".37"
  %".39" = load double, ptr %".38"
  %".40" = getelementptr inbounds double, ptr %".4", i64 %".18"
  %".41" = load double, ptr %".40"
  %".42" = fmul double %".41", %".39"
  %".43" = fadd double %".19", %".42"
  %".44" = add i64 %".18", 1
  br label %".13"
.15:
  %".46" = getelementptr inbounds double, ptr %".6", i64 %".27"
  store double %".19", ptr %".46"
  %".48" = add i64 %".17", 1
  br label %".11"
.16:
  ret void
}
