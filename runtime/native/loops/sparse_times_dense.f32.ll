; Written by `python -m diablo.tools.loop_code` from sparse_times_dense.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"sparse_times_dense"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", i64 %".5", ptr noalias %".6", i64 %".7", i64 %".8", i64 %".9")
{
.10:
  br label %".11"
.11:
  %".12" = phi  i64 [%".8", %".10"], [%".58", %".57"]
  %".13" = icmp slt i64 %".12", %".9"
  br i1 %".13", label %".14", label %".59"
.14:
  %".15" = add i64 %".12", 1
  %".16" = getelementptr inbounds i32, ptr %".1", i64 %".12"
  %".17" = load i32, ptr %".16"
  %".18" = zext i32 %".17" to i64
  %".19" = getelementptr inbounds i32, ptr %".1", i64 %".15"
  %".20" = load i32, ptr %".19"
  %".21" = zext i32 %".20" to i64
  %".22" = mul i64 %".12", %".7"
  br label %".23"
.23:
  %".24" = phi  i64 [0, %".14"], [%".29", %".26"]
  %".25" = icmp slt i64 %".24", %".7"
  br i1 %".25", label %".26", label %".30"
.26:
  %".27" = add i64 %".22", %".24"
  %".28" = getelementptr inbounds float, ptr %".6", i64 %".27"
  store float              0x0, ptr %".28"
  %".29" = add i64 %".24", 1
  br label %".23"
.30:
  br label %".31"
.31:
  %".32" = phi  i64 [%".18", %".30"], [%".56", %".55"]
  %".33" = icmp slt i64 %".32", %".21"
  br i1 %".33", label %".34", label %".57"
.34:
  %".35" = getelementptr inbounds i32, ptr %".2", i64 %".32"
  %".36" = load i32, ptr %".35"
  %".37" = zext i32 %".36" to i64
  %".38" = getelementptr inbounds float, ptr %".3", i64 %".32"
  %".39" = load float, ptr %".38"
  %".40" = mul i64 %".37", %".5"
  br label %".41"
.41:
  %".42" = phi  i64 [0, %".34"], [%".54", %".44"]
  %".43" = icmp slt i64 %".42", %".7"
  br i1 %".43", label %".44", label %".55"
.44:
  %".45" = add i64 %".40", %".42"
  %".46" = add i64 %".22", %".42"
  %".47" = getelementptr inbounds float, ptr %".4", i64 %".45"
  %".48" = load float, ptr %".47"
  %".49" = fmul float %".39", %".48"
  %".50" = getelementptr inbounds float, ptr %".6", i64 %".46"
  %".51" = load float, ptr %".50"
  %".52" = fadd float %".51", %".49"
  %".53" = getelementptr inbounds float, ptr %".6", i64 %".46"
  store float %".52", ptr %".53"
  %".54" = add i64 %".42", 1
  br label %".41"
.55:
  %".56" = add i64 %".32", 1
  br label %".31"
.57:
  %".58" = add i64 %".12", 1
  br label %".11"
.59:
  ret void
}
