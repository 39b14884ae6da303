// RUN: diablo-opt %s -p merge-arguments --split-input-file | filecheck %s

// What all calls give a kernel twice, it takes once.
// CHECK-LABEL: func.func @main
// CHECK:         func.call @kernel_0(%n, %v) : (index, tensor<?xf64>) -> tensor<?xf64>
// CHECK:         func.call @kernel_0(%m, %w) : (index, tensor<?xf64>) -> tensor<?xf64>
// CHECK-LABEL: func.func private @kernel_0(%i: index, %x: tensor<?xf64>) -> tensor<?xf64> {
// CHECK-NEXT:    %{{.*}} = tensor_block.map parallel(d0 < %i) symbols(%i) ins(%x[d0] : tensor<?xf64>, %x[(d0 + 1) mod s0] : tensor<?xf64>)
func.func @main(%n: index, %m: index, %v: tensor<?xf64>, %w: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>) {
  %a = func.call @kernel_0(%n, %v, %v, %n)
      : (index, tensor<?xf64>, tensor<?xf64>, index) -> tensor<?xf64>
  %b = func.call @kernel_0(%m, %w, %w, %m)
      : (index, tensor<?xf64>, tensor<?xf64>, index) -> tensor<?xf64>
  func.return %a, %b : tensor<?xf64>, tensor<?xf64>
}
func.func private @kernel_0(%i: index, %x: tensor<?xf64>, %y: tensor<?xf64>, %s: index)
    -> tensor<?xf64> {
  %r = tensor_block.map parallel(d0 < %i) symbols(%s)
      ins(%x[d0] : tensor<?xf64>, %y[(d0 + 1) mod s0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%k: index, %p: f64, %q: f64):
    %t = arith.addf %p, %q : f64
    tensor_block.yield %t : f64
  }
  func.return %r : tensor<?xf64>
}

// -----

// One call gives it two arrays, another one updates an array in place; a product has two.
// CHECK-LABEL: func.func @main
// CHECK:         func.call @kernel_0(%n, %v, %v)
// CHECK:         func.call @kernel_0(%n, %v, %w)
// CHECK:         func.call @kernel_1(%v, %v) {in_place = 1 : i64}
// CHECK:         func.call @kernel_2(%n, %v, %v)
// CHECK-LABEL: func.func private @kernel_0(%i: index, %x: tensor<?xf64>, %y: tensor<?xf64>)
// CHECK-LABEL: func.func private @kernel_1(%x: tensor<?xf64>, %y: tensor<?xf64>)
// CHECK-LABEL: func.func private @kernel_2(%i: index, %x: tensor<?xf64>, %y: tensor<?xf64>)
func.func @main(%n: index, %v: tensor<?xf64>, %w: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64) {
  %a = func.call @kernel_0(%n, %v, %v) : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %b = func.call @kernel_0(%n, %v, %w) : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %c = func.call @kernel_1(%v, %v) {in_place = 1 : i64}
      : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %d = func.call @kernel_2(%n, %v, %v) : (index, tensor<?xf64>, tensor<?xf64>) -> f64
  func.return %a, %b, %c, %d : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64
}
func.func private @kernel_0(%i: index, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  func.return %y : tensor<?xf64>
}
func.func private @kernel_1(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  func.return %y : tensor<?xf64>
}
func.func private @kernel_2(%i: index, %x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %r = tensor_block.reduce add reduced(d0 < %i)
      ins(%x[d0] : tensor<?xf64>, %y[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%k: index, %p: f64, %q: f64):
    %t = arith.mulf %p, %q : f64
    tensor_block.yield %t : f64
  }
  func.return %r : f64
}
