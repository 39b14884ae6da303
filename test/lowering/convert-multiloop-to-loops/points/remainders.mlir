// Indices that wrap around: rows once, the middle of a row without tests, its ends one by one.
// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop,convert-multiloop-to-loops,canonicalize,cse | filecheck %s

func.func @around(%v: tensor<?x?xf64>, %n: index) -> tensor<?x?xf64> {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%n)
      ins(%v[d0, d1] : tensor<?x?xf64>, %v[(d0 - 1) mod s0, (d1 + 1) mod s0] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %s = arith.addf %a, %b : f64
    tensor_block.yield %s : f64
  }
  func.return %r : tensor<?x?xf64>
}
// CHECK-LABEL: func.func @around
// CHECK:         scf.for %i =
// CHECK:           %[[ROW:.*]] = scf.if
// CHECK:             arith.remsi
// CHECK:           scf.for %j = %{{.*}} to %[[LOW:.*]] step
// CHECK:             arith.remsi
// CHECK:           scf.for %j_1 = %[[LOW]] to %[[HIGH:.*]] step
// CHECK-NOT:         scf.if
// CHECK:             memref.load %v[%i, %j_1]
// CHECK-NOT:         scf.if
// CHECK:             memref.load %v[%[[ROW]], %
// CHECK:             memref.store
// CHECK:           scf.for %j_2 = %[[HIGH]] to %n step
// CHECK:             arith.remsi
