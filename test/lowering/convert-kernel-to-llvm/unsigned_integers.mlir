// RUN: diablo-opt %s -p convert-kernel-to-llvm | filecheck %s

// Types lose the sign that their ops say.
func.func private @unsigned(%a: memref<?xui8>, %b: memref<?xf64>, %i: index, %r: memref<?xui16>) {
  %limit = comprehension.unsigned 200 : ui8
  %x = memref.load %a[%i] : memref<?xui8>
  %y = memref.load %b[%i] : memref<?xf64>
  %least = arith.minui %x, %limit : ui8
  %wide = arith.extui %least : ui8 to ui16
  %whole = arith.fptoui %y : f64 to ui16
  %sum = arith.addi %wide, %whole : ui16
  memref.store %sum, %r[%i] : memref<?xui16>
  func.return
}
// CHECK-LABEL: llvm.func @unsigned
// CHECK:         %[[C:.*]] = llvm.mlir.constant(-56 : i8) : i8
// CHECK:         %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK:         %[[L:.*]] = llvm.call_intrinsic "llvm.umin.i8"
// CHECK-NEXT:    %[[W:.*]] = llvm.zext %[[L]] : i8 to i16
// CHECK-NEXT:    %[[F:.*]] = llvm.call_intrinsic "llvm.fptoui.sat.i16.f64"
// CHECK-NEXT:    %[[S:.*]] = llvm.add %[[W]], %[[F]] : i16
// CHECK:         llvm.store %[[S]], %{{.*}} : i16, !llvm.ptr
