// Products of matrices that BLAS adds to arrays as it makes them.
// RUN: diablo-opt %s --split-input-file -p accumulate-products,update-in-place --remarks 2>&1 | filecheck %s
// RUN: diablo-opt %s --split-input-file -p accumulate-products,update-in-place -t pyspark | filecheck %s --check-prefix PYTHON

// CHECK:      remark: BLAS adds a product to an array as it makes it
// CHECK:      remark: BLAS adds a product to an array as it makes it
// CHECK:      remark: computed in the memory of D: it dies here
// CHECK:      remark: BLAS adds a product to an array as it makes it
// CHECK-NOT:  computed in the memory
// CHECK:      remark: a product is added to an array by itself: it is used elsewhere
// CHECK:      remark: BLAS adds a product to an array as it makes it
// CHECK:      remark: BLAS adds a product to an array as it makes it
// CHECK:      remark: a product is added to an array by itself: it may be of other extents

// An argument is the caller's, and copied.
!matrix = tensor<?x?xf64>
func.func @main(%n: index, %A: !matrix, %B: !matrix, %R: !matrix) -> !matrix {
  %p = func.call @product(%n, %A, %B) : (index, !matrix, !matrix) -> !matrix
  %c = func.call @minus(%n, %R, %p) : (index, !matrix, !matrix) -> !matrix
  func.return %c : !matrix
}
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %c = func.call @product_minus(%n, %A, %B, %R) : (
// PYTHON:        c = product_minus(n, A, B, R)
// PYTHON-LABEL: def product_minus(n, A, B, R):
// PYTHON:         c = matrix_products.added(A[:n, :n], B[:n, :n].T, R, -1.0, 1.0)
func.func private @product(%n: index, %A: !matrix, %B: !matrix) -> !matrix {
  %p = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n) ins(%A[d0, d2] : !matrix, %B[d1, d2] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %p : !matrix
}
func.func private @minus(%n: index, %R: !matrix, %p: !matrix) -> !matrix {
  %c = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%R[d0, d1] : !matrix, %p[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %r: f64, %v: f64):
    %d = arith.subf %r, %v : f64
    tensor_block.yield %d : f64
  }
  func.return %c : !matrix
}

// -----

// An array that dies is added to where it is; what is taken off is multiplied by a value.
!matrix = tensor<?x?xf64>
func.func @main(%n: index, %x: f64, %A: !matrix, %B: !matrix, %R: !matrix) -> !matrix {
  %D = func.call @thrice(%n, %R, %R) : (index, !matrix, !matrix) -> !matrix
  %p = func.call @product(%n, %A, %B) : (index, !matrix, !matrix) -> !matrix
  %c = func.call @scaled(%n, %x, %p, %D) : (index, f64, !matrix, !matrix) -> !matrix
  func.return %c : !matrix
}
// CHECK-LABEL: func.func @main
// CHECK:         %c = func.call @product_scaled(%n, %A, %B, %x, %D) {in_place = 4 : i64}
// PYTHON:        c = into(D, product_scaled, n, A, B, x, D)
// PYTHON-LABEL: def product_scaled(n, A, B, x, R):
// PYTHON:         c = matrix_products.added(A[:n, :n], B[:n, :n].T, R, x, -2.5)
func.func private @product(%n: index, %A: !matrix, %B: !matrix) -> !matrix {
  %p = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n) ins(%A[d0, d2] : !matrix, %B[d1, d2] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %p : !matrix
}
func.func private @scaled(%n: index, %x: f64, %p: !matrix, %R: !matrix) -> !matrix {
  %factor = arith.constant 2.5 : f64
  %c = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%p[d0, d1] : !matrix, %R[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %v: f64, %r: f64):
    %s = arith.mulf %factor, %r : f64
    %t = arith.mulf %v, %x : f64
    %d = arith.subf %t, %s : f64
    tensor_block.yield %d : f64
  }
  func.return %c : !matrix
}
func.func private @thrice(%n: index, %R: !matrix, %p: !matrix) -> !matrix {
  %factor = arith.constant 3.0 : f64
  %c = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%R[d0, d1] : !matrix, %p[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %r: f64, %v: f64):
    %d = arith.subf %r, %v : f64
    %e = arith.mulf %factor, %d : f64
    tensor_block.yield %e : f64
  }
  func.return %c : !matrix
}

// -----

// Not where it is a factor.
!matrix = tensor<?x?xf64>
func.func @main(%n: index, %B: !matrix, %R: !matrix) -> !matrix {
  %D = func.call @thrice(%n, %R, %R) : (index, !matrix, !matrix) -> !matrix
  %p = func.call @product(%n, %D, %B) : (index, !matrix, !matrix) -> !matrix
  %c = func.call @minus(%n, %D, %p) : (index, !matrix, !matrix) -> !matrix
  func.return %c : !matrix
}
// CHECK-LABEL: func.func @main
// CHECK:         %c = func.call @product_minus(%n, %D, %B) : (
func.func private @product(%n: index, %A: !matrix, %B: !matrix) -> !matrix {
  %p = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n) ins(%A[d0, d2] : !matrix, %B[d1, d2] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %p : !matrix
}
func.func private @minus(%n: index, %R: !matrix, %p: !matrix) -> !matrix {
  %c = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%R[d0, d1] : !matrix, %p[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %r: f64, %v: f64):
    %d = arith.subf %r, %v : f64
    tensor_block.yield %d : f64
  }
  func.return %c : !matrix
}
func.func private @thrice(%n: index, %R: !matrix, %p: !matrix) -> !matrix {
  %factor = arith.constant 3.0 : f64
  %c = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%R[d0, d1] : !matrix, %p[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %r: f64, %v: f64):
    %d = arith.subf %r, %v : f64
    %e = arith.mulf %factor, %d : f64
    tensor_block.yield %e : f64
  }
  func.return %c : !matrix
}

// -----

// A product that is used elsewhere is made, and one of a sum that is multiplied as a whole.
!matrix = tensor<?x?xf64>
func.func @main(%n: index, %A: !matrix, %B: !matrix, %R: !matrix) -> (!matrix, !matrix, !matrix) {
  %p = func.call @product(%n, %A, %B) : (index, !matrix, !matrix) -> !matrix
  %c = func.call @minus(%n, %R, %p) : (index, !matrix, !matrix) -> !matrix
  %q = func.call @other(%n, %B, %A) : (index, !matrix, !matrix) -> !matrix
  %d = func.call @thrice(%n, %R, %q) : (index, !matrix, !matrix) -> !matrix
  func.return %p, %c, %d : !matrix, !matrix, !matrix
}
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %p = func.call @product(
// CHECK-NEXT:    %c = func.call @minus(
// CHECK-NEXT:    %q = func.call @other(
// CHECK-NEXT:    %d = func.call @thrice(
func.func private @product(%n: index, %A: !matrix, %B: !matrix) -> !matrix {
  %p = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n) ins(%A[d0, d2] : !matrix, %B[d1, d2] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %p : !matrix
}
func.func private @other(%n: index, %A: !matrix, %B: !matrix) -> !matrix {
  %p = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n) ins(%A[d0, d2] : !matrix, %B[d1, d2] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %p : !matrix
}
func.func private @minus(%n: index, %R: !matrix, %p: !matrix) -> !matrix {
  %c = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%R[d0, d1] : !matrix, %p[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %r: f64, %v: f64):
    %d = arith.subf %r, %v : f64
    tensor_block.yield %d : f64
  }
  func.return %c : !matrix
}
func.func private @thrice(%n: index, %R: !matrix, %p: !matrix) -> !matrix {
  %factor = arith.constant 3.0 : f64
  %c = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%R[d0, d1] : !matrix, %p[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %r: f64, %v: f64):
    %d = arith.subf %r, %v : f64
    %e = arith.mulf %factor, %d : f64
    tensor_block.yield %e : f64
  }
  func.return %c : !matrix
}

// -----

// Kernels that are called twice have two names together; of a part of a product there is all.
!matrix = tensor<?x?xf64>
func.func @main(%n: index, %m: index, %A: !matrix, %B: !matrix, %R: !matrix) -> (!matrix, !matrix, !matrix) {
  %p = func.call @product(%n, %A, %B) : (index, !matrix, !matrix) -> !matrix
  %c = func.call @minus(%n, %R, %p) : (index, !matrix, !matrix) -> !matrix
  %q = func.call @product(%n, %B, %A) : (index, !matrix, !matrix) -> !matrix
  %d = func.call @minus(%n, %R, %q) : (index, !matrix, !matrix) -> !matrix
  %r = func.call @product(%n, %A, %A) : (index, !matrix, !matrix) -> !matrix
  %e = func.call @minus(%m, %R, %r) : (index, !matrix, !matrix) -> !matrix
  func.return %c, %d, %e : !matrix, !matrix, !matrix
}
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %c = func.call @product_minus(%n, %A, %B, %R) : (
// CHECK-NEXT:    %d = func.call @product_minus_2(%n, %B, %A, %R) : (
// CHECK-NEXT:    %r = func.call @product(%n, %A, %A) : (
// CHECK-NEXT:    %e = func.call @minus(%m, %R, %r) 
// CHECK:       func.func private @product_minus(
// CHECK:       func.func private @product_minus_2(
func.func private @product(%n: index, %A: !matrix, %B: !matrix) -> !matrix {
  %p = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n) ins(%A[d0, d2] : !matrix, %B[d1, d2] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %p : !matrix
}
func.func private @minus(%n: index, %R: !matrix, %p: !matrix) -> !matrix {
  %c = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%R[d0, d1] : !matrix, %p[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %r: f64, %v: f64):
    %d = arith.subf %r, %v : f64
    tensor_block.yield %d : f64
  }
  func.return %c : !matrix
}
