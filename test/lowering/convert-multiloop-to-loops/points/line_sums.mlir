// Sums over neighbouring rows that recur along a row are computed once per row.
// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop,convert-multiloop-to-loops,canonicalize,cse --remarks 2>&1 | filecheck %s

// CHECK: remark: sums over neighbouring rows are computed once per row: 4 of 8 additions saved at each point
// CHECK-NOT: remark

// Nine points with one coefficient, which may be a value known when the program runs.
func.func @box(%u: tensor<?x?xf64>, %n: index, %m: index, %c: f64) -> tensor<?x?xf64> {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m)
      ins(%u[d0, d1] : tensor<?x?xf64>, %u[d0, d1 + 1] : tensor<?x?xf64>, %u[d0, d1 + 2] : tensor<?x?xf64>,
          %u[d0 + 1, d1] : tensor<?x?xf64>, %u[d0 + 1, d1 + 1] : tensor<?x?xf64>, %u[d0 + 1, d1 + 2] : tensor<?x?xf64>,
          %u[d0 + 2, d1] : tensor<?x?xf64>, %u[d0 + 2, d1 + 1] : tensor<?x?xf64>, %u[d0 + 2, d1 + 2] : tensor<?x?xf64>)
      -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %a0: f64, %a1: f64, %a2: f64, %b0: f64, %b1: f64, %b2: f64, %c0: f64, %c1: f64, %c2: f64):
    %0 = arith.mulf %c, %a0 : f64
    %1 = arith.addf %a1, %a2 : f64
    %2 = arith.addf %1, %b0 : f64
    %3 = arith.addf %2, %b1 : f64
    %4 = arith.addf %3, %b2 : f64
    %5 = arith.addf %4, %c0 : f64
    %6 = arith.addf %5, %c1 : f64
    %7 = arith.addf %6, %c2 : f64
    %8 = arith.mulf %7, %c : f64
    %9 = arith.addf %0, %8 : f64
    tensor_block.yield %9 : f64
  }
  func.return %r : tensor<?x?xf64>
}
// CHECK-LABEL: func.func @box
// CHECK:         %line0 = memref.alloca() {{.*}} : memref<1024xf64>
// CHECK:         scf.for %strip =
// CHECK:           scf.for
// CHECK-COUNT-3:     memref.load %u[
// CHECK:             memref.store %{{.*}}, %line0[
// CHECK:           scf.for %j{{.*}} =
// CHECK-COUNT-3:     memref.load %line0[
// CHECK:             arith.mulf %{{.*}}, %c fastmath<contract>
// CHECK-NOT:         arith.mulf
// CHECK:             memref.store

// Five points have no sum that recurs.
func.func @cross(%u: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m)
      ins(%u[d0, d1 + 1] : tensor<?x?xf64>, %u[d0 + 1, d1] : tensor<?x?xf64>, %u[d0 + 1, d1 + 1] : tensor<?x?xf64>,
          %u[d0 + 1, d1 + 2] : tensor<?x?xf64>, %u[d0 + 2, d1 + 1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64, %c: f64, %d: f64, %e: f64):
    %0 = arith.addf %a, %b : f64
    %1 = arith.addf %0, %c : f64
    %2 = arith.addf %1, %d : f64
    %3 = arith.addf %2, %e : f64
    tensor_block.yield %3 : f64
  }
  func.return %r : tensor<?x?xf64>
}
// CHECK-LABEL: func.func @cross
// CHECK-NOT:     memref.alloca

// Nor have differences: the rows that they are of have sums that recur, but these are large where
// the differences are small.
func.func @differences(%u: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m)
      ins(%u[d0, d1] : tensor<?x?xf64>, %u[d0, d1 + 1] : tensor<?x?xf64>, %u[d0, d1 + 2] : tensor<?x?xf64>,
          %u[d0 + 1, d1 + 1] : tensor<?x?xf64>,
          %u[d0 + 2, d1] : tensor<?x?xf64>, %u[d0 + 2, d1 + 1] : tensor<?x?xf64>, %u[d0 + 2, d1 + 2] : tensor<?x?xf64>)
      -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %a0: f64, %a1: f64, %a2: f64, %b: f64, %c0: f64, %c1: f64, %c2: f64):
    %0 = arith.subf %a0, %b : f64
    %1 = arith.subf %a1, %b : f64
    %2 = arith.subf %a2, %b : f64
    %3 = arith.subf %c0, %b : f64
    %4 = arith.subf %c1, %b : f64
    %5 = arith.subf %c2, %b : f64
    %6 = arith.addf %0, %1 : f64
    %7 = arith.addf %6, %2 : f64
    %8 = arith.addf %7, %3 : f64
    %9 = arith.addf %8, %4 : f64
    %10 = arith.addf %9, %5 : f64
    tensor_block.yield %10 : f64
  }
  func.return %r : tensor<?x?xf64>
}
// CHECK-LABEL: func.func @differences
// CHECK-NOT:     memref.alloca
// CHECK-COUNT-6: arith.subf
