; Written by `python -m diablo.tools.loop_code` from column_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"columns_times_vector"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", ptr noalias %".5", i64 %".6", i64 %".7", i64 %".8")
{
.9:
  br label %".10"
.10:
  %".11" = phi  i64 [0, %".9"], [%".15", %".13"]
  %".12" = icmp slt i64 %".11", %".6"
  br i1 %".12", label %".13", label %".16"
.13:
  %".14" = getelementptr inbounds double, ptr %".5", i64 %".11"
  store double              0x0, ptr %".14"
  %".15" = add i64 %".11", 1
  br label %".10"
.16:
  %".17" = getelementptr inbounds i64, ptr %".1", i64 %".7"
  %".18" = load i64, ptr %".17"
  br label %".19"
.19:
  %".20" = phi  i64 [%".7", %".16"], [%".44", %".43"]
  %".21" = phi  i64 [%".18", %".16"], [%".26", %".43"]
  %".22" = icmp slt i64 %".20", %".8"
  br i1 %".22", label %".23", label %".45"
.23:
  %".24" = add i64 %".20", 1
  %".25" = getelementptr inbounds i64, ptr %".1", i64 %".24"
  %".26" = load i64, ptr %".25"
  %".27" = getelementptr inbounds double, ptr %".4", i64 %".20"
  %".28" = load double, ptr %".27"
  br label %".29"
.29:
  %".30" = phi  i64 [%".21", %".23"], [%".42", %".32"]
  %".31" = icmp slt i64 %".30", %".26"
  br i1 %".31", label %".32", label %".43"
.32:
  %".33" = getelementptr inbounds i64, ptr %".2", i64 %".30"
  %".34" = load i64, ptr %".33"
  %".35" = getelementptr inbounds double, ptr %".3", i64 %".30"
  %".36" = load double, ptr %".35"
  %".37" = fmul double %".36", %".28"
  %".38" = getelementptr inbounds double, ptr %".5", i64 %".34"
  %".39" = load double, ptr %".38"
  %".40" = fadd double %".39", %".37"
  %".41" = getelementptr inbounds double, ptr %".5", i64 %".34"
  store double %".40", ptr %".41"
  %".42" = add i64 %".30", 1
  br label %".29"
.43:
  %".44" = add i64 %".20", 1
  br label %".19"
.45:
  ret void
}
