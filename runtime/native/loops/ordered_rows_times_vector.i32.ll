; Written by `python -m diablo.tools.loop_code` from row_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"ordered_rows_times_vector"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", ptr noalias %".4", ptr noalias %".5", ptr noalias %".6", i64 %".7", i64 %".8")
{
.10:
  br label %".11"
.11:
  %".17" = phi  i64 [%".7", %".10"], [%".51", %".15"]
  %".21" = icmp slt i64 %".17", %".8"
  br i1 %".21", label %".12", label %".16"
.12:
  %".23" = and i64 %".17", -256
  %".24" = getelementptr inbounds i8, ptr %".1", i64 %".17"
  %".25" = load i8, ptr %".24"
  %".26" = zext i8 %".25" to i64
  %".27" = or i64 %".23", %".26"
  %".28" = getelementptr inbounds i32, ptr %".2", i64 %".27"
  %".29" = load i32, ptr %".28"
  %".30" = zext i32 %".29" to i64
  %".31" = add i64 %".27", 1
  %".32" = getelementptr inbounds i32, ptr %".2", i64 %".31"
  %".33" = load i32, ptr %".32"
  %".34" = zext i32 %".33" to i64
  br label %".13"
.13:
  %".18" = phi  i64 [%".30", %".12"], [%".47", %".14"]
  %".19" = phi  double [             0x0, %".12"], [%".46", %".14"]
  %".36" = icmp slt i64 %".18", %".34"
  br i1 %".36", label %".14", label %".15"
.14:
  %".38" = getelementptr inbounds i32, ptr %".3", i64 %".18"
  %".39" = load i32, ptr %".38"
  %".40" = zext i32 %".39" to i64
  %".41" = getelementptr inbounds double, ptr %".5", i64 %".40"
  %".42" = load double, ptr %".41"
  %".43" = getelementptr inbounds double, ptr %".4", i64 %".18"
  %".44" = load double, ptr %".43"
  %".45" = fmul double %".44", %".42"
  %".46" = fadd double %".19", %".45"
  %".47" = add i64 %".18", 1
  br label %".13"
.15:
  %".49" = getelementptr inbounds double, ptr %".6", i64 %".27"
  store double %".19", ptr %".49"
  %".51" = add i64 %".17", 1
  br label %".11"
.16:
  ret void
}
