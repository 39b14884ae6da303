// RUN: diablo-opt %s -t numpy --split-input-file | filecheck %s

// A convolution with channels: the weights have dimensions of the result that the data have not.
!array = tensor<?x?x?x?xf64>
func.func private @channels(%m: index, %n: index, %X: !array, %W: !array) -> !array {
  %r = tensor_block.reduce add parallel(d0 < %m, d1 < %m, d2 < %n, d3 < %n) reduced(d4 < %m, d5 < %m, d6 < %m) ins(%X[d0, d4, 2 * d2 + d5, d3 + d6 - 1] : !array, %W[d1, d4, d5, d6] : !array) -> !array {
  ^bb0(%b: index, %o: index, %i: index, %j: index, %c: index, %p: index, %q: index, %x: f64, %w: f64):
    %v = arith.mulf %w, %x : f64
    tensor_block.yield %v : f64
  }
  func.return %r : !array
}
// CHECK-LABEL: def channels(m, n, X, W):
// CHECK:         r = window_products.product(
// CHECK-NEXT:        X,
// CHECK-NEXT:        W,
// CHECK-NEXT:        (m, m, n, n, m, m, m),
// CHECK-NEXT:        4,
// CHECK-NEXT:        (({0: 1}, 0), ({4: 1}, 0), ({2: 2, 5: 1}, 0), ({3: 1, 6: 1}, -1)),
// CHECK-NEXT:        (1, 4, 5, 6)

// -----

// What a body tests for at the borders is said as limits of an axis.
!matrix = tensor<?x?xf64>
func.func private @borders(%m: index, %n: index, %k: i64, %X: !matrix, %W: tensor<?x?x?xf64>) -> !matrix {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1 : index
  %r = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %m, d3 < %m) ins(%W[d1, d2, d3] : tensor<?x?x?xf64>, %X[d2, d0 + d3 - 1] : !matrix) -> !matrix {
  ^bb0(%i: index, %o: index, %c: index, %q: index, %w: f64, %x: f64):
    %s = arith.addi %i, %q : index
    %least = arith.cmpi sge, %s, %one : index
    %place = arith.index_cast %s : index to i64
    %below = arith.cmpi slt, %place, %k : i64
    %inside = arith.andi %least, %below : i1
    %v = scf.if %inside -> (f64) {
      %p = arith.mulf %w, %x : f64
      scf.yield %p : f64
    } else {
      scf.yield %zero : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %r : !matrix
}
// CHECK-LABEL: def borders(m, n, k, X, W):
// CHECK:         (({2: 1}, 0), ({0: 1, 3: 1}, -1)),
// CHECK-NEXT:    (1, 2, 3),
// CHECK-NEXT:    ((1, 0, None), (1, None, k - 1))

// -----

// Held back: a convolution without channels, one for each channel, another fold, and a bound on
// something else than an index of the data.
!matrix = tensor<?x?xf64>
func.func private @others(%m: index, %n: index, %X: !matrix, %V: tensor<?xf64>, %W: !matrix) -> (tensor<?xf64>, !matrix, !matrix, !matrix) {
  %zero = arith.constant 0.0 : f64
  %alone = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m) ins(%V[d0 + d1] : tensor<?xf64>, %V[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %p: index, %x: f64, %w: f64):
    %v = arith.mulf %x, %w : f64
    tensor_block.yield %v : f64
  }
  %each = tensor_block.reduce add parallel(d0 < %m, d1 < %n) reduced(d2 < %m) ins(%X[d0, d1 + d2] : !matrix, %W[d0, d2] : !matrix) -> !matrix {
  ^bb0(%o: index, %i: index, %p: index, %x: f64, %w: f64):
    %v = arith.mulf %x, %w : f64
    tensor_block.yield %v : f64
  }
  %most = tensor_block.reduce max parallel(d0 < %m, d1 < %n) reduced(d2 < %m) ins(%V[d1 + d2] : tensor<?xf64>, %W[d0, d2] : !matrix) -> !matrix {
  ^bb0(%o: index, %i: index, %p: index, %x: f64, %w: f64):
    %v = arith.mulf %x, %w : f64
    tensor_block.yield %v : f64
  }
  %bound = tensor_block.reduce add parallel(d0 < %m, d1 < %n) reduced(d2 < %m) ins(%V[d1 + d2] : tensor<?xf64>, %W[d0, d2] : !matrix) -> !matrix {
  ^bb0(%o: index, %i: index, %p: index, %x: f64, %w: f64):
    %less = arith.cmpi slt, %o, %i : index
    %v = scf.if %less -> (f64) {
      %t = arith.mulf %x, %w : f64
      scf.yield %t : f64
    } else {
      scf.yield %zero : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %alone, %each, %most, %bound : tensor<?xf64>, !matrix, !matrix, !matrix
}
// CHECK-LABEL: def others(
// CHECK-NOT:     window_products.product
// CHECK:         return
