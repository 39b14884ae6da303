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

// Of 64 bits, the halved word is converted where LLVM would see a sign, rounded once.
func.func private @floats(%a: ui64, %r: memref<f32>) {
  %x = arith.uitofp %a : ui64 to f32
  memref.store %x, %r[] : memref<f32>
  func.return
}
// CHECK-LABEL: llvm.func @floats
// CHECK:         %[[LOST:.*]] = llvm.and %{{.*}}, %{{.*}} : i64
// CHECK:         %[[SHIFTED:.*]] = llvm.lshr %{{.*}}, %{{.*}} : i64
// CHECK-NEXT:    %[[HALF:.*]] = llvm.or %[[SHIFTED]], %[[LOST]] : i64
// CHECK:         %[[LARGE:.*]] = llvm.icmp "slt" %{{.*}}, %{{.*}} : i64
// CHECK-NEXT:    %[[WORD:.*]] = llvm.select %[[LARGE]], %[[HALF]], %{{.*}}
// CHECK-NEXT:    %[[WHOLE:.*]] = llvm.sitofp %[[WORD]] : i64 to f32
// CHECK-NEXT:    %[[TWICE:.*]] = llvm.fadd %[[WHOLE]], %[[WHOLE]]
// CHECK-NEXT:    llvm.select %[[LARGE]], %[[TWICE]], %[[WHOLE]]
