// RUN: diablo-opt %s -p canonicalize,cse | filecheck %s

!matrix = tensor<?x?xf64>
!rows = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>

// (B.t @ A.t).t, the sum of B[k,j]*A[i,k] and A @ B are one product.
// CHECK-LABEL: func.func @products(
// CHECK-NEXT:    %p = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l) ins(%A[d0, d2] : {{.*}}, %B[d2, d1] : {{.*}}) ->
// CHECK-NEXT:    ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
// CHECK-NEXT:      %v = arith.mulf %a, %b : f64
// CHECK:         func.return %p, %p, %p
func.func @products(%n: index, %m: index, %l: index, %A: !matrix, %B: !matrix) -> (!matrix, !matrix, !matrix) {
  %t = tensor_block.reduce add parallel(d0 < %m, d1 < %n) reduced(d2 < %l)
      ins(%B[d2, d0] : !matrix, %A[d1, d2] : !matrix) -> !matrix {
  ^bb0(%j: index, %i: index, %k: index, %b: f64, %a: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  %p = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%t[d1, d0] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %e: f64):
    tensor_block.yield %e : f64
  }
  %q = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l)
      ins(%B[d2, d1] : !matrix, %A[d0, d2] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %b: f64, %a: f64):
    %v = arith.mulf %b, %a : f64
    tensor_block.yield %v : f64
  }
  %r = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l)
      ins(%A[d0, d2] : !matrix, %B[d2, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %v = arith.mulf %b, %a : f64
    tensor_block.yield %v : f64
  }
  func.return %p, %q, %r : !matrix, !matrix, !matrix
}

// Any fold is made transposed, with what its body reads of indices.
// CHECK-LABEL: func.func @indices(
// CHECK-NEXT:    %p = tensor_block.reduce max parallel(d0 < %n, d1 < %m) reduced(d2 < %l) symbols(%s) ins(%A[d0, d2 + s0] :
// CHECK-NEXT:    ^bb0(%i: index, %j: index, %k: index, %a: f64):
// CHECK-NEXT:      %c = arith.cmpi slt, %j, %i : index
func.func @indices(%n: index, %m: index, %l: index, %s: index, %A: !matrix) -> !matrix {
  %t = tensor_block.reduce max parallel(d0 < %m, d1 < %n) reduced(d2 < %l) symbols(%s)
      ins(%A[d1, d2 + s0] : !matrix) -> !matrix {
  ^bb0(%j: index, %i: index, %k: index, %a: f64):
    %c = arith.cmpi slt, %j, %i : index
    %z = arith.constant 0.0 : f64
    %v = arith.select %c, %a, %z : f64
    tensor_block.yield %v : f64
  }
  %p = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%t[d1, d0] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %e: f64):
    tensor_block.yield %e : f64
  }
  func.return %p : !matrix
}

// What somebody else reads stays, and so does what is read in part, changed, or stored in rows.
// CHECK-LABEL: func.func @kept(
// CHECK:         %[[T:.*]] = tensor_block.reduce add
// CHECK:         tensor_block.map {{.*}} ins(%[[T]][d1, d0]
// CHECK:         %[[U:.*]] = tensor_block.reduce add
// CHECK:         tensor_block.map parallel(d0 < %n, d1 < %l) ins(%[[U]][d1, d0]
// CHECK:         %[[V:.*]] = tensor_block.reduce add
// CHECK:         tensor_block.map {{.*}} ins(%[[V]][d1, d0]
// CHECK:         %[[W:.*]] = tensor_block.reduce add
// CHECK:         tensor_block.map {{.*}} ins(%[[W]][d1, d0]
func.func @kept(%n: index, %m: index, %l: index, %A: !matrix)
    -> (!matrix, !matrix, !matrix, !matrix, !rows) {
  %t = tensor_block.reduce add parallel(d0 < %m, d1 < %n) reduced(d2 < %l)
      ins(%A[d1, d2] : !matrix, %A[d2, d0] : !matrix) -> !matrix {
  ^bb0(%j: index, %i: index, %k: index, %a: f64, %b: f64):
    %v = arith.addf %a, %b : f64
    tensor_block.yield %v : f64
  }
  %p = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%t[d1, d0] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %e: f64):
    tensor_block.yield %e : f64
  }
  %u = tensor_block.reduce add parallel(d0 < %m, d1 < %n) reduced(d2 < %n)
      ins(%A[d1, d2] : !matrix) -> !matrix {
  ^bb0(%j: index, %i: index, %k: index, %a: f64):
    tensor_block.yield %a : f64
  }
  %q = tensor_block.map parallel(d0 < %n, d1 < %l) ins(%u[d1, d0] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %e: f64):
    tensor_block.yield %e : f64
  }
  %x = tensor_block.reduce add parallel(d0 < %m, d1 < %n) reduced(d2 < %m)
      ins(%A[d1, d2] : !matrix) -> !matrix {
  ^bb0(%j: index, %i: index, %k: index, %a: f64):
    tensor_block.yield %a : f64
  }
  %r = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%x[d1, d0] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %e: f64):
    %twice = arith.addf %e, %e : f64
    tensor_block.yield %twice : f64
  }
  %y = tensor_block.reduce add parallel(d0 < %m, d1 < %n) reduced(d2 < %l)
      ins(%A[d1, d2] : !matrix) -> !rows {
  ^bb0(%j: index, %i: index, %k: index, %a: f64):
    tensor_block.yield %a : f64
  }
  %s = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%y[d1, d0] : !rows) -> !rows {
  ^bb0(%i: index, %j: index, %e: f64):
    tensor_block.yield %e : f64
  }
  func.return %t, %p, %q, %r, %s : !matrix, !matrix, !matrix, !matrix, !rows
}

// A vector comes behind the matrix; the factors of a square are in order, and sums have none.
// CHECK-LABEL: func.func @vectors(
// CHECK:         ins(%A[d0, d1] : {{.*}}, %x[d1] : {{.*}})
// CHECK:         ins(%A[d2, d0] : {{.*}}, %A[d2, d1] : {{.*}})
// CHECK:         ins(%x[d1] : {{.*}}, %A[d0, d1] : {{.*}})
func.func @vectors(%n: index, %m: index, %A: !matrix, %x: tensor<?xf64>)
    -> (tensor<?xf64>, !matrix, tensor<?xf64>) {
  %p = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%x[d1] : tensor<?xf64>, %A[d0, d1] : !matrix) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %b: f64, %a: f64):
    %v = arith.mulf %b, %a : f64
    tensor_block.yield %v : f64
  }
  %q = tensor_block.reduce add parallel(d0 < %m, d1 < %m) reduced(d2 < %n)
      ins(%A[d2, d1] : !matrix, %A[d2, d0] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %b: f64, %a: f64):
    %v = arith.mulf %b, %a : f64
    tensor_block.yield %v : f64
  }
  %r = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%x[d1] : tensor<?xf64>, %A[d0, d1] : !matrix) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %b: f64, %a: f64):
    %v = arith.addf %b, %a : f64
    tensor_block.yield %v : f64
  }
  func.return %p, %q, %r : tensor<?xf64>, !matrix, tensor<?xf64>
}

// How a product is computed has been said of its factors as they stand.
// CHECK-LABEL: func.func @told(
// CHECK:         ins(%x[d1] : {{.*}}, %A[d0, d1] : {{.*}}) -> {{.*}} attributes {tensor_block.join = "reduce"}
func.func @told(%n: index, %m: index, %A: !matrix, %x: tensor<?xf64>) -> tensor<?xf64> {
  %p = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%x[d1] : tensor<?xf64>, %A[d0, d1] : !matrix) -> tensor<?xf64>
      attributes {tensor_block.join = "reduce"} {
  ^bb0(%i: index, %j: index, %b: f64, %a: f64):
    %v = arith.mulf %b, %a : f64
    tensor_block.yield %v : f64
  }
  func.return %p : tensor<?xf64>
}

// A fold before a loop is not one in each iteration.
// CHECK-LABEL: func.func @before_a_loop(
// CHECK:         %t = tensor_block.reduce
// CHECK:         scf.for
// CHECK-NEXT:      tensor_block.map {{.*}} ins(%t[d1, d0]
func.func @before_a_loop(%n: index, %m: index, %A: !matrix, %B: !matrix) -> !matrix {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %t = tensor_block.reduce add parallel(d0 < %m, d1 < %n) reduced(d2 < %n)
      ins(%B[d2, d0] : !matrix, %A[d1, d2] : !matrix) -> !matrix {
  ^bb0(%j: index, %i: index, %k: index, %b: f64, %a: f64):
    %v = arith.mulf %b, %a : f64
    tensor_block.yield %v : f64
  }
  %r = scf.for %s = %zero to %n step %one iter_args(%last = %A) -> (!matrix) {
    %p = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%t[d1, d0] : !matrix) -> !matrix {
    ^bb0(%i: index, %j: index, %e: f64):
      tensor_block.yield %e : f64
    }
    scf.yield %p : !matrix
  }
  func.return %r : !matrix
}
