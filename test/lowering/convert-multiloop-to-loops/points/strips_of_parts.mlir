// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop,convert-multiloop-to-loops | filecheck %s

// In each strip, the sums of the columns that are asked for, and of no others.
func.func private @sums(%n: index, %A: tensor<?x?xf64>, %low: index, %high: index) -> tensor<?xf64> {
  %s = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n) ins(%A[d1, d0] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %k: index, %a: f64):
    %behind = arith.cmpi sge, %i, %low : index
    %before = arith.cmpi slt, %i, %high : index
    %in = arith.andi %behind, %before : i1
    %v = scf.if %in -> (f64) {
      scf.yield %a : f64
    } else {
      %zero = arith.constant 0.0 : f64
      scf.yield %zero : f64
    }
    tensor_block.yield %v : f64
  }
  %r = tensor_block.map parallel(d0 < %n) ins(%s[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %t: f64):
    %h = arith.mulf %t, %t : f64
    tensor_block.yield %h : f64
  }
  func.return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func private @sums
// CHECK:         scf.for %[[STRIP:.*]] =
// CHECK:           scf.for %[[K:.*]] = %{{.*}} to %n
// CHECK:             %[[FIRST:.*]] = arith.maxsi %[[STRIP]], %low : index
// CHECK:             scf.for %[[I:.*]] = %
// CHECK:               memref.load %A[%[[K]], %[[I]]]
// CHECK-NOT:           arith.cmpi
// CHECK:               arith.addf
