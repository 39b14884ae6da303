// RUN: diablo-opt %s -p convert-kernel-to-llvm -t llvm-ir | filecheck %s

// What does not wrap around along a row is found from the pointer to the row, so that LLVM reads
// every other element by wide loads; any other place is a sum.
// CHECK:         mul nsw i64 %"number.3", 2
// CHECK-NEXT:    [[LAST:%".*"]] = add nsw i64 %{{.*}}, 1
// CHECK-NEXT:    [[START:%".*"]] = mul nsw i64 %"number.4", %"number.2"
// CHECK-NEXT:    [[ROW:%".*"]] = getelementptr inbounds double, ptr %"array", i64 [[START]]
// CHECK-NEXT:    getelementptr inbounds double, ptr [[ROW]], i64 [[LAST]]
// CHECK-NEXT:    load double
// CHECK-NEXT:    [[TWICE:%".*"]] = mul i64 %"number.3", 2
// CHECK-NEXT:    [[ANY:%".*"]] = add i64 [[TWICE]], 1
// CHECK-NEXT:    mul nsw i64 %"number.4", %"number.2"
// CHECK-NEXT:    [[PLACE:%".*"]] = add nsw i64 %{{.*}}, [[ANY]]
// CHECK-NEXT:    getelementptr inbounds double, ptr %"array", i64 [[PLACE]]
func.func @places(%a: memref<?x?xf64, strided<[?, 1]>>, %j: index, %i: index, %r: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %0 = arith.muli %j, %two overflow<nsw> : index
  %1 = arith.addi %0, %one overflow<nsw> : index
  %2 = memref.load %a[%i, %1] : memref<?x?xf64, strided<[?, 1]>>
  %3 = arith.muli %j, %two : index
  %4 = arith.addi %3, %one : index
  %5 = memref.load %a[%i, %4] : memref<?x?xf64, strided<[?, 1]>>
  %6 = arith.addf %2, %5 : f64
  memref.store %6, %r[%zero] : memref<?xf64>
  func.return
}

// A cast says how far apart elements are: the stride that is passed is not asked for.
// CHECK-LABEL: define void @"known_strides"(
// CHECK:         mul nsw i64 %{{.*}}, 2
// CHECK-NEXT:    getelementptr inbounds double
// CHECK-NEXT:    store double
func.func @known_strides(%i: index, %x: f64, %r: memref<?x?xf64, strided<[?, 1]>>) {
  %zero = arith.constant 0 : index
  %0 = "memref.cast"(%r) : (memref<?x?xf64, strided<[?, 1]>>) -> memref<?x2xf64, strided<[2, 1]>>
  memref.store %x, %0[%i, %zero] : memref<?x2xf64, strided<[2, 1]>>
  func.return
}
