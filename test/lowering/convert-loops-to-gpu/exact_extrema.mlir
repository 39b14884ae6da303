// The greatest and the least float at computed places, as integers that compare alike.
// RUN: diablo-opt %s -p convert-loops-to-gpu,canonicalize,cse --split-input-file | filecheck %s

// NaN is beyond the end; of what is below zero all bits but the sign are turned.
// CHECK-LABEL: sym_name = "least_kernels"
// CHECK:         memref.store %{{.*}}, %word[%{{.*}}] : memref<?xi32>
// CHECK:       sym_name = "least_0"
// CHECK:         %[[NAN:.*]] = arith.cmpf uno, %[[E:.*]], %{{.*}} : f32
// CHECK:         %[[BITS:.*]] = arith.bitcast %[[E]] : f32 to i32
// CHECK:         %[[TURNED:.*]] = arith.xori %[[BITS]], %{{.*}} : i32
// CHECK:         %[[BELOW:.*]] = arith.cmpi slt, %[[BITS]], %{{.*}} : i32
// CHECK-NEXT:    %[[WORD:.*]] = arith.select %[[BELOW]], %[[TURNED]], %[[BITS]] : i32
// CHECK:         %[[OWN:.*]] = arith.select %[[NAN]], %{{.*}}, %[[WORD]] : i32
// CHECK:         simt.atomic min %[[OWN]], %word[%place{{.*}}] : memref<?xi32>
// CHECK:       sym_name = "least_1"
// CHECK:         %[[FOUND:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK-NEXT:    %[[BEFORE:.*]] = memref.load %r[%{{.*}}] : memref<?xf32>
// CHECK-NEXT:    arith.minimumf %[[BEFORE]], %[[FOUND]]
// CHECK:       sym_name = "least_2"
// CHECK-LABEL: func.func @least(
func.func @least(%k: memref<?xindex>, %x: memref<?xf32>, %n: index, %r: memref<?xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %bins = memref.dim %r, %zero : memref<?xf32>
  scf.for %i = %zero to %n step %one {
    %place = memref.load %k[%i] : memref<?xindex>
    %e = memref.load %x[%i] : memref<?xf32>
    %in = arith.cmpi ult, %place, %bins : index
    scf.if %in {
      %old = memref.load %r[%place] : memref<?xf32>
      %new = arith.minimumf %old, %e : f32
      memref.store %new, %r[%place] : memref<?xf32>
    }
  }
  func.return
}
