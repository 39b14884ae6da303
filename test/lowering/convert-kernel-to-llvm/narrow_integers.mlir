// RUN: diablo-opt %s -p convert-kernel-to-llvm | filecheck %s

// Integers have the width of their type in memory and in registers.
func.func private @narrow(%a: memref<?xi8>, %b: memref<?xf64>, %i: index, %r: memref<?xi16>) {
  %x = memref.load %a[%i] : memref<?xi8>
  %y = memref.load %b[%i] : memref<?xf64>
  %number = arith.index_cast %i : index to i8
  %sum = arith.addi %x, %number : i8
  %size = math.absi %sum : i8
  %wide = arith.extsi %size : i8 to i16
  %whole = arith.fptosi %y : f64 to i16
  %most = arith.maxsi %wide, %whole : i16
  memref.store %most, %r[%i] : memref<?xi16>
  func.return
}
// CHECK-LABEL: llvm.func @narrow
// CHECK:         %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK:         %[[N:.*]] = llvm.trunc %i : i64 to i8
// CHECK-NEXT:    %[[S:.*]] = llvm.add %[[X]], %[[N]] : i8
// CHECK:         %[[A:.*]] = llvm.call_intrinsic "llvm.abs.i8"(%[[S]], %{{.*}}) : (i8, i1) -> i8
// CHECK-NEXT:    %[[W:.*]] = llvm.sext %[[A]] : i8 to i16
// CHECK-NEXT:    %[[F:.*]] = llvm.call_intrinsic "llvm.fptosi.sat.i16.f64"
// CHECK-NEXT:    %[[M:.*]] = llvm.call_intrinsic "llvm.smax.i16"(%[[W]], %[[F]]) : (i16, i16) -> i16
// CHECK:         llvm.store %[[M]], %{{.*}} : i16, !llvm.ptr
