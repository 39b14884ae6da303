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
  %".17" = getelementptr inbounds i32, ptr %".1", i64 %".7"
  %".18" = load i32, ptr %".17"
  %".19" = zext i32 %".18" to i64
  br label %".20"
.20:
  %".21" = phi  i64 [%".7", %".16"], [%".47", %".46"]
  %".22" = phi  i64 [%".19", %".16"], [%".28", %".46"]
  %".23" = icmp slt i64 %".21", %".8"
  br i1 %".23", label %".24", label %".48"
.24:
  %".25" = add i64 %".21", 1
  %".26" = getelementptr inbounds i32, ptr %".1", i64 %".25"
  %".27" = load i32, ptr %".26"
  %".28" = zext i32 %".27" to i64
  %".29" = getelementptr inbounds double, ptr %".4", i64 %".21"
  %".30" = load double, ptr %".29"
  br label %".31"
.31:
  %".32" = phi  i64 [%".22", %".24"], [%".45", %".34"]
  %".33" = icmp slt i64 %".32", %".28"
  br i1 %".33", label %".34", label %".46"
.34:
  %".35" = getelementptr inbounds i32, ptr %".2", i64 %".32"
  %".36" = load i32, ptr %".35"
  %".37" = zext i32 %".36" to i64
  %".38" = getelementptr inbounds double, ptr %".3", i64 %".32"
  %".39" = load double, ptr %".38"
  %".40" = fmul double %".39", %".30"
  %".41" = getelementptr inbounds double, ptr %".5", i64 %".37"
  %".42" = load double, ptr %".41"
  %".43" = fadd double %".42", %".40"
  %".44" = getelementptr inbounds double, ptr %".5", i64 %".37"
  store double %".43", ptr %".44"
  %".45" = add i64 %".32", 1
  br label %".31"
.46:
  %".47" = add i64 %".21", 1
  br label %".20"
.48:
  ret void
}
