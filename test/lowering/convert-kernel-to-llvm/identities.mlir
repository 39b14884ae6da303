// RUN: diablo-opt %s -p convert-kernel-to-llvm -t llvm-ir | filecheck %s

// Sums of integers with zero and products with one are their other side, one after the other;
// floats keep theirs, which make 0.0 of -0.0. Names count what is defined, in its order.
// CHECK:       define void @"identities"(ptr noalias %".1", i64 %".2", ptr noalias %".3", i64 %".4", i64 %".5",
// CHECK-NEXT:      i64 %".6")
// CHECK-NEXT:  {
// CHECK-NEXT:  .7:
// CHECK-NEXT:    %".8" = sub i64 0, %".5"
// CHECK-NEXT:    %".9" = getelementptr inbounds i64, ptr %".1", i64 %".5"
// CHECK-NEXT:    store i64 %".8", ptr %".9"
// CHECK-NEXT:    %".10" = getelementptr inbounds double, ptr %".3", i64 %".6"
// CHECK-NEXT:    %".11" = load double, ptr %".10"
// CHECK-NEXT:    %".12" = fadd double %".11", {{ *}}0x0
// CHECK-NEXT:    %".13" = getelementptr inbounds double, ptr %".3", i64 %".5"
// CHECK-NEXT:    store double %".12", ptr %".13"
// CHECK-NEXT:    ret void
func.func @identities(%a: memref<?xi64>, %b: memref<?xf64>, %i: index, %j: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f64
  %0 = arith.addi %i, %zero : index
  %1 = arith.subi %0, %zero : index
  %2 = arith.muli %one, %1 : index
  %3 = arith.subi %zero, %2 : index
  %4 = arith.index_cast %3 : index to i64
  memref.store %4, %a[%2] : memref<?xi64>
  %5 = arith.addi %zero, %j : index
  %6 = memref.load %b[%5] : memref<?xf64>
  %7 = arith.addf %6, %none : f64
  memref.store %7, %b[%2] : memref<?xf64>
  func.return
}
