; Written by `python -m diablo.tools.loop_code` from row_products.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"ordered_rows_times_vector"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", ptr noalias %"array.4", ptr noalias %"array.5",
    i64 %"number", i64 %"number.1")
{
.1:
  %".2" = getelementptr inbounds i32, ptr %"array.1", i64 %"number.1"
  %".3" = load i32, ptr %".2"
  %".4" = zext i32 %".3" to i64
  br label %".5"
.5:
  %".6" = phi  i64 [%"number", %".1"], [%".48", %".46"]
  %".7" = icmp slt i64 %".6", %"number.1"
  br i1 %".7", label %".8", label %".49"
.8:
  %".9" = and i64 %".6", -256
  %".10" = add i64 %".6", 256
  %".11" = call i64 @"llvm.umin.i64"(i64 %".10", i64 %"number.1")
  %".12" = getelementptr inbounds i32, ptr %"array.1", i64 %".11"
  %".13" = load i32, ptr %".12"
  %".14" = zext i32 %".13" to i64
  %".15" = icmp ult i64 %".14", %".4"
  br i1 %".15", label %".16", label %".19"
.16:
  %".17" = getelementptr inbounds double, ptr %"array.3", i64 %".14"
  call void @"llvm.prefetch.p0"(ptr %".17", i32 0, i32 3, i32 1)
  %".18" = getelementptr inbounds i32, ptr %"array.2", i64 %".14"
  call void @"llvm.prefetch.p0"(ptr %".18", i32 0, i32 3, i32 1)
  br label %".19"
.19:
  %".20" = getelementptr inbounds i8, ptr %"array", i64 %".6"
  %".21" = load i8, ptr %".20"
  %".22" = zext i8 %".21" to i64
  %".23" = or i64 %".9", %".22"
  %".24" = getelementptr inbounds i32, ptr %"array.1", i64 %".23"
  %".25" = load i32, ptr %".24"
  %".26" = zext i32 %".25" to i64
  %".27" = add i64 %".23", 1
  %".28" = getelementptr inbounds i32, ptr %"array.1", i64 %".27"
  %".29" = load i32, ptr %".28"
  %".30" = zext i32 %".29" to i64
  br label %".31"
.31:
  %".32" = phi  i64 [%".26", %".19"], [%".45", %".35"]
  %".33" = phi  double [             0x0, %".19"], [%".44", %".35"]
  %".34" = icmp slt i64 %".32", %".30"
  br i1 %".34", label %".35", label %".46"
.35:
  %".36" = getelementptr inbounds i32, ptr %"array.2", i64 %".32"
  %".37" = load i32, ptr %".36"
  %".38" = zext i32 %".37" to i64
  %".39" = getelementptr inbounds double, ptr %"array.4", i64 %".38"
  %".40" = load double, ptr %".39"
  %".41" = getelementptr inbounds double, ptr %"array.3", i64 %".32"
  %".42" = load double, ptr %".41"
  %".43" = fmul double %".42", %".40"
  %".44" = fadd double %".33", %".43"
  %".45" = add i64 %".32", 1
  br label %".31"
.46:
  %".47" = getelementptr inbounds double, ptr %"array.5", i64 %".23"
  store double %".33", ptr %".47"
  %".48" = add i64 %".6", 1
  br label %".5"
.49:
  ret void
}

declare i64 @"llvm.umin.i64"(i64 %"number", i64 %"number.1")

declare void @"llvm.prefetch.p0"(ptr %"array", i32 %"number", i32 %"number.1", i32 %"number.2")
