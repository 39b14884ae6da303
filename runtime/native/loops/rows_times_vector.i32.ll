; Written by `python -m diablo.tools.loop_code` from row_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"rows_times_vector"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", ptr noalias %".4", ptr noalias %".5", i64 %".6", i64 %".7")
{
.9:
  %".20" = getelementptr inbounds i32, ptr %".1", i64 %".6"
  %".21" = load i32, ptr %".20"
  %".22" = zext i32 %".21" to i64
  br label %".10"
.10:
  %".16" = phi  i64 [%".6", %".9"], [%".46", %".14"]
  %".17" = phi  i64 [%".22", %".9"], [%".29", %".14"]
  %".24" = icmp slt i64 %".16", %".7"
  br i1 %".24", label %".11", label %".15"
.11:
  %".26" = add i64 %".16", 1
  %".27" = getelementptr inbounds i32, ptr %".1", i64 %".26"
  %".28" = load i32, ptr %".27"
  %".29" = zext i32 %".28" to i64
  br label %".12"
.12:
  %".18" = phi  i64 [%".17", %".11"], [%".42", %".13"]
  %".19" = phi  double [             0x0, %".11"], [%".41", %".13"]
  %".31" = icmp slt i64 %".18", %".29"
  br i1 %".31", label %".13", label %".14"
.13:
  %".33" = getelementptr inbounds i32, ptr %".2", i64 %".18"
  %".34" = load i32, ptr %".33"
  %".35" = zext i32 %".34" to i64
  %".36" = getelementptr inbounds double, ptr %".4", i64 %".35"
  %".37" = load double, ptr %".36"
  %".38" = getelementptr inbounds double, ptr %".3", i64 %".18"
  %".39" = load double, ptr %".38"
  %".40" = fmul double %".39", %".37"
  %".41" = fadd double %".19", %".40"
  %".42" = add i64 %".18", 1
  br label %".12"
.14:
  %".44" = getelementptr inbounds double, ptr %".5", i64 %".16"
  store double %".19", ptr %".44"
  %".46" = add i64 %".16", 1
  br label %".10"
.15:
  ret void
}
