// RUN: diablo-opt %s -p convert-kernel-to-llvm -t llvm-ir | filecheck %s

// Sums of integers with zero and products with one are their other side, one after the other;
// floats keep theirs, which make 0.0 of -0.0. Names count what is defined, in its order.
// CHECK:       define void @"identities"(ptr noalias %"array", i64 %"number", ptr noalias %"array.1",
// CHECK-NEXT:      i64 %"number.1", i64 %"number.2", i64 %"number.3")
// CHECK-NEXT:  {
// CHECK-NEXT:  .1:
// CHECK-NEXT:    %".2" = sub i64 0, %"number.2"
// CHECK-NEXT:    %".3" = getelementptr inbounds i64, ptr %"array", i64 %"number.2"
// CHECK-NEXT:    store i64 %".2", ptr %".3"
// CHECK-NEXT:    %".4" = getelementptr inbounds double, ptr %"array.1", i64 %"number.3"
// CHECK-NEXT:    %".5" = load double, ptr %".4"
// CHECK-NEXT:    %".6" = fadd double %".5", {{ *}}0x0
// CHECK-NEXT:    %".7" = getelementptr inbounds double, ptr %"array.1", i64 %"number.2"
// CHECK-NEXT:    store double %".6", ptr %".7"
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

// A condition that is known takes one of its ways, with no branch.
// CHECK:       define void @"known_condition"(
// CHECK:       .1:
// CHECK-NEXT:    %".2" = getelementptr inbounds double, ptr %"array", i64 %"number.1"
// CHECK-NEXT:    store double %"number.2", ptr %".2"
// CHECK-NEXT:    ret void
func.func @known_condition(%b: memref<?xf64>, %i: index, %x: f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %test = arith.cmpi eq, %zero, %one : index
  %0 = scf.if %test -> (f64) {
    %1 = arith.addf %x, %x : f64
    scf.yield %1 : f64
  } else {
    scf.yield %x : f64
  }
  scf.if %test {
    memref.store %x, %b[%zero] : memref<?xf64>
  }
  memref.store %0, %b[%i] : memref<?xf64>
  func.return
}

// CHECK:       define void @"open_condition"(
// CHECK:         br i1
func.func @open_condition(%b: memref<?xf64>, %i: index, %x: f64) {
  %zero = arith.constant 0 : index
  %test = arith.cmpi eq, %zero, %i : index
  scf.if %test {
    memref.store %x, %b[%zero] : memref<?xf64>
  }
  func.return
}
