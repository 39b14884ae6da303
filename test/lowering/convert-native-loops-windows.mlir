// A sum of products over windows is three jobs: data and weights are brought together, and BLAS
// multiplies.
// RUN: diablo-opt %s -p outline-native-loops,convert-native-loops{jobs=true} | filecheck %s
// RUN: diablo-opt %s -p outline-native-loops --remarks 2>&1 | filecheck %s --check-prefix REMARK

// CHECK-LABEL: func.func private @loop_0_loops
// CHECK:         scf.while
// CHECK-COUNT-3: func.call @diablo_share_call
// CHECK-NOT:     func.call @diablo_share_call(
// CHECK:         func.return
// REMARK:      remark: the loop is machine code once it has run a while
func.func @main(%n: index, %m: i64, %x: tensor<?x?xf64>, %w: tensor<?x?x?xf64>, %Y: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %y = scf.while (%i = %zero, %y = %Y) : (i64, tensor<?x?xf64>) -> (i64, tensor<?x?xf64>) {
    %p = arith.cmpi slt, %i, %m : i64
    scf.condition(%p) %i, %y : i64, tensor<?x?xf64>
  } do {
  ^bb0(%i: i64, %y: tensor<?x?xf64>):
    %z = func.call @filtered(%n, %y, %w) : (index, tensor<?x?xf64>, tensor<?x?x?xf64>) -> tensor<?x?xf64>
    %next = arith.addi %i, %one : i64
    scf.yield %next, %z : i64, tensor<?x?xf64>
  }
  func.return %y : tensor<?x?xf64>
}
func.func private @filtered(%n: index, %x: tensor<?x?xf64>, %w: tensor<?x?x?xf64>) -> tensor<?x?xf64> {
  %two = arith.constant 2 : index
  %y = tensor_block.reduce add parallel(d0 < %two, d1 < %n) reduced(d2 < %two, d3 < %two)
      ins(%x[d2, d1 + d3] : tensor<?x?xf64>, %w[d0, d2, d3] : tensor<?x?x?xf64>) -> tensor<?x?xf64> {
  ^body(%o: index, %i: index, %c: index, %p: index, %a: f64, %b: f64):
    %t = arith.mulf %a, %b : f64
    tensor_block.yield %t : f64
  }
  func.return %y : tensor<?x?xf64>
}
