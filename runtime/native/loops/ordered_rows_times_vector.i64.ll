; Written by `python -m diablo.tools.loop_code` from row_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"ordered_rows_times_vector"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", ptr noalias %"array.4", ptr noalias %"array.5",
    i64 %"number", i64 %"number.1")
{
.1:
  %".2" = getelementptr inbounds i64, ptr %"array.1", i64 %"number.1"
  %".3" = load i64, ptr %".2"
  br label %".4"
.4:
  %".5" = phi  i64 [%"number", %".1"], [%".43", %".41"]
  %".6" = icmp slt i64 %".5", %"number.1"
  br i1 %".6", label %".7", label %".44"
.7:
  %".8" = and i64 %".5", -256
  %".9" = add i64 %".5", 256
  %".10" = call i64 @"llvm.umin.i64"(i64 %".9", i64 %"number.1")
  %".11" = getelementptr inbounds i64, ptr %"array.1", i64 %".10"
  %".12" = load i64, ptr %".11"
  %".13" = icmp ult i64 %".12", %".3"
  br i1 %".13", label %".14", label %".17"
.14:
  %".15" = getelementptr inbounds double, ptr %"array.3", i64 %".12"
  call void @"llvm.prefetch.p0"(ptr %".15", i32 0, i32 3, i32 1)
  %".16" = getelementptr inbounds i64, ptr %"array.2", i64 %".12"
  call void @"llvm.prefetch.p0"(ptr %".16", i32 0, i32 3, i32 1)
  br label %".17"
.17:
  %".18" = getelementptr inbounds i8, ptr %"array", i64 %".5"
  %".19" = load i8, ptr %".18"
  %".20" = zext i8 %".19" to i64
  %".21" = or i64 %".8", %".20"
  %".22" = getelementptr inbounds i64, ptr %"array.1", i64 %".21"
  %".23" = load i64, ptr %".22"
  %".24" = add i64 %".21", 1
  %".25" = getelementptr inbounds i64, ptr %"array.1", i64 %".24"
  %".26" = load i64, ptr %".25"
  br label %".27"
.27:
  %".28" = phi  i64 [%".23", %".17"], [%".40", %".31"]
  %".29" = phi  double [             0x0, %".17"], [%".39", %".31"]
  %".30" = icmp slt i64 %".28", %".26"
  br i1 %".30", label %".31", label %".41"
.31:
  %".32" = getelementptr inbounds i64, ptr %"array.2", i64 %".28"
  %".33" = load i64, ptr %".32"
  %".34" = getelementptr inbounds double, ptr %"array.4", i64 %".33"
  %".35" = load double, ptr %".34"
  %".36" = getelementptr inbounds double, ptr %"array.3", i64 %".28"
  %".37" = load double, ptr %".36"
  %".38" = fmul double %".37", %".35"
  %".39" = fadd double %".29", %".38"
  %".40" = add i64 %".28", 1
  br label %".27"
.41:
  %".42" = getelementptr inbounds double, ptr %"array.5", i64 %".21"
  store double %".29", ptr %".42"
  %".43" = add i64 %".5", 1
  br label %".4"
.44:
  ret void
}

declare i64 @"llvm.umin.i64"(i64 %"number", i64 %"number.1")

declare void @"llvm.prefetch.p0"(ptr %"array", i32 %"number", i32 %"number.1", i32 %"number.2")
