; Written by `python -m diablo.tools.loop_code` from typed_row_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"complex128_rows_times_vector"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", ptr noalias %"array.4", i64 %"number",
    i64 %"number.1")
{
.1:
  %".2" = getelementptr inbounds i32, ptr %"array", i64 %"number"
  %".3" = load i32, ptr %".2"
  %".4" = zext i32 %".3" to i64
  br label %".5"
.5:
  %".6" = phi  i64 [%"number", %".1"], [%".49", %".44"]
  %".7" = phi  i64 [%".4", %".1"], [%".13", %".44"]
  %".8" = icmp slt i64 %".6", %"number.1"
  br i1 %".8", label %".9", label %".50"
.9:
  %".10" = add i64 %".6", 1
  %".11" = getelementptr inbounds i32, ptr %"array", i64 %".10"
  %".12" = load i32, ptr %".11"
  %".13" = zext i32 %".12" to i64
  br label %".14"
.14:
  %".15" = phi  i64 [%".7", %".9"], [%".43", %".19"]
  %".16" = phi  double [             0x0, %".9"], [%".41", %".19"]
  %".17" = phi  double [             0x0, %".9"], [%".42", %".19"]
  %".18" = icmp slt i64 %".15", %".13"
  br i1 %".18", label %".19", label %".44"
.19:
  %".20" = getelementptr inbounds i32, ptr %"array.1", i64 %".15"
  %".21" = load i32, ptr %".20"
  %".22" = zext i32 %".21" to i64
  %".23" = add i64 %".22", %".22"
  %".24" = add i64 %".23", 1
  %".25" = add i64 %".15", %".15"
  %".26" = add i64 %".25", 1
  %".27" = getelementptr inbounds double, ptr %"array.3", i64 %".23"
  %".28" = load double, ptr %".27"
  %".29" = getelementptr inbounds double, ptr %"array.3", i64 %".24"
  %".30" = load double, ptr %".29"
  %".31" = getelementptr inbounds double, ptr %"array.2", i64 %".25"
  %".32" = load double, ptr %".31"
  %".33" = getelementptr inbounds double, ptr %"array.2", i64 %".26"
  %".34" = load double, ptr %".33"
  %".35" = fmul double %".32", %".28"
  %".36" = fmul double %".34", %".30"
  %".37" = fmul double %".32", %".30"
  %".38" = fmul double %".34", %".28"
  %".39" = fsub double %".35", %".36"
  %".40" = fadd double %".37", %".38"
  %".41" = fadd double %".16", %".39"
  %".42" = fadd double %".17", %".40"
  %".43" = add i64 %".15", 1
  br label %".14"
.44:
  %".45" = add i64 %".6", %".6"
  %".46" = add i64 %".45", 1
  %".47" = getelementptr inbounds double, ptr %"array.4", i64 %".45"
  store double %".16", ptr %".47"
  %".48" = getelementptr inbounds double, ptr %"array.4", i64 %".46"
  store double %".17", ptr %".48"
  %".49" = add i64 %".6", 1
  br label %".5"
.50:
  ret void
}
