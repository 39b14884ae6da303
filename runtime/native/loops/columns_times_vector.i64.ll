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
  %".31" = getelementptr inbounds i64, ptr %".1", i64 %".7"
  %".32" = load i64, ptr %".31"
  br label %".14"
.14:
  %".21" = phi  i64 [%".7", %".13"], [%".56", %".18"]
  %".22" = phi  i64 [%".32", %".13"], [%".38", %".18"]
  %".34" = icmp slt i64 %".21", %".8"
  br i1 %".34", label %".15", label %".19"
.15:
  %".36" = add i64 %".21", 1
  %".37" = getelementptr inbounds i64, ptr %".1", i64 %".36"
  %".38" = load i64, ptr %".37"
  %".39" = getelementptr inbounds double, ptr %".4", i64 %".21"
  %".40" = load double, ptr %".39"
  br label %".16"
.16:
  %".23" = phi  i64 [%".22", %".15"], [%".54", %".17"]
  %".42" = icmp slt i64 %".23", %".38"
  br i1 %".42", label %".17", label %".18"
.17:
  %".44" = getelementptr inbounds i64, ptr %".2", i64 %".23"
  %".45" = load i64, ptr %".44"
  %".46" = getelementptr inbounds double, ptr %".3", i64 %".23"
  %".47" = load double, ptr %".46"
  %".48" = fmul double %".47", %".40"
  %".49" = getelementptr inbounds double, ptr %".5", i64 %".45"
  %".50" = load double, ptr %".49"
  %".51" = fadd double %".50", %".48"
  %".52" = getelementptr inbounds double, ptr %".5", i64 %".45"
  store double %".51", ptr %".52"
  %".54" = add i64 %".23", 1
  br label %".16"
.18:
  %".56" = add i64 %".21", 1
  br label %".14"
.19:
  ret void
}
