// Calls of kernels whose result takes the memory of an array that dies with the call.
// RUN: diablo-opt %s -p update-in-place --remarks 2>&1 | filecheck %s
// RUN: diablo-opt %s --split-input-file -p update-in-place -t pyspark | filecheck %s --check-prefix PYTHON

!array = tensor<?xf64>

// CHECK:       remark: computed in the memory of a: it dies here
// CHECK:       remark: not computed in the memory of e: it is used or kept elsewhere

// CHECK-LABEL: func.func @main
func.func @main(%n: index, %v: !array, %k: index, %l: index) -> (!array, !array, !array) {
  // The argument is the caller's.
  // CHECK:      %a = func.call @scaled(%n, %v) :
  // PYTHON:     a = scaled(n, v)
  %a = func.call @scaled(%n, %v) : (index, !array) -> !array
  // CHECK-NEXT: %b = func.call @total(%n, %a, %v) {in_place = 1 : i64}
  // PYTHON:     b = into(a, total, n, a, v)
  %b = func.call @total(%n, %a, %v) : (index, !array, !array) -> !array

  // A neighbour may have been written before it is read.
  // CHECK-NEXT: %c = func.call @shifted(%n, %b) :
  %c = func.call @shifted(%n, %b) : (index, !array) -> !array
  // What is read beside the point must not be the same array either.
  // CHECK-NEXT: %d = func.call @smoothed(%n, %c, %c) :
  %d = func.call @smoothed(%n, %c, %c) : (index, !array, !array) -> !array
  // CHECK-NEXT: %e = func.call @smoothed(%n, %c, %d) {in_place = 1 : i64}
  %e = func.call @smoothed(%n, %c, %d) : (index, !array, !array) -> !array

  // Used later.
  // CHECK-NEXT: %f = func.call @scaled(%n, %e) :
  %f = func.call @scaled(%n, %e) : (index, !array) -> !array

  // Kept in an array of arrays.
  // CHECK-NEXT: %R = tensor.splat %f
  %R = tensor.splat %f[%n] : tensor<?x!array>
  // CHECK-NEXT: %g = func.call @scaled(%n, %f) :
  %g = func.call @scaled(%n, %f) : (index, !array) -> !array
  // CHECK-NEXT: %h = tensor.extract
  %h = tensor.extract %R[%l] : tensor<?x!array>
  // CHECK-NEXT: %p = func.call @scaled(%n, %h) :
  %p = func.call @scaled(%n, %h) : (index, !array) -> !array
  func.return %e, %g, %p : !array, !array, !array
}

func.func private @scaled(%n: index, %x: !array) -> !array {
  %r = tensor_block.map parallel(d0 < %n) ins(%x[d0] : !array) -> !array {
  ^bb0(%i: index, %e: f64):
    %y = arith.mulf %e, %e : f64
    tensor_block.yield %y : f64
  }
  func.return %r : !array
}

func.func private @total(%n: index, %x: !array, %y: !array) -> !array {
  %r = tensor_block.map parallel(d0 < %n) ins(%x[d0] : !array, %y[d0] : !array) -> !array {
  ^bb0(%i: index, %e: f64, %f: f64):
    %z = arith.addf %e, %f : f64
    tensor_block.yield %z : f64
  }
  func.return %r : !array
}

func.func private @shifted(%n: index, %x: !array) -> !array {
  %r = tensor_block.map parallel(d0 < %n) ins(%x[d0] : !array, %x[d0 - 1] : !array) -> !array {
  ^bb0(%i: index, %e: f64, %f: f64):
    %z = arith.addf %e, %f : f64
    tensor_block.yield %z : f64
  }
  func.return %r : !array
}

func.func private @smoothed(%n: index, %x: !array, %y: !array) -> !array {
  %r = tensor_block.map parallel(d0 < %n) ins(%x[d0] : !array, %y[d0 - 1] : !array) -> !array {
  ^bb0(%i: index, %e: f64, %f: f64):
    %z = arith.addf %e, %f : f64
    tensor_block.yield %z : f64
  }
  func.return %r : !array
}
