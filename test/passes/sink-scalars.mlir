// Numbers that kernels have made are computed with in the kernels that take the results.
// RUN: diablo-opt %s -p sink-scalars --remarks 2>&1 | filecheck %s

!array = tensor<?xf64>

// CHECK:       remark: alpha is computed in the kernel: what it is made of is on the device

// CHECK-LABEL: func.func @main
func.func @main(%n: index, %v: !array, %rate: f64) -> (!array, !array, !array, f64) {
  // CHECK:      %s = func.call @total(%n, %v)
  %s = func.call @total(%n, %v) : (index, !array) -> f64
  // CHECK-NEXT: %t = func.call @total(%n, %v)
  %t = func.call @total(%n, %v) : (index, !array) -> f64
  // The places of other operands stay, one of which is that of the result.
  // CHECK-NEXT: %a = func.call @kernel_0(%n, %s, %v, %t) {in_place = 2 : i64}
  %alpha = arith.divf %s, %t : f64
  %a = func.call @scaled(%n, %alpha, %v) {in_place = 2 : i64} : (index, f64, !array) -> !array
  // What no kernel has made is the driver's, and the kernel as it was.
  // CHECK-NEXT: %half = arith.constant
  // CHECK-NEXT: %beta = arith.mulf %rate, %half
  // CHECK-NEXT: %b = func.call @scaled(%n, %beta, %v)
  %half = arith.constant 0.5 : f64
  %beta = arith.mulf %rate, %half : f64
  %b = func.call @scaled(%n, %beta, %v) : (index, f64, !array) -> !array
  // A number that the driver wants as well is computed by both.
  // CHECK-NEXT: %gamma = arith.mulf %s, %s
  // CHECK-NEXT: %c = func.call @kernel_1(%n, %s, %v)
  %gamma = arith.mulf %s, %s : f64
  %c = func.call @scaled(%n, %gamma, %v) : (index, f64, !array) -> !array
  func.return %a, %b, %c, %gamma : !array, !array, !array, f64
}
func.func private @total(%n: index, %v: !array) -> f64 {
  %s = tensor_block.reduce add reduced(d0 < %n) ins(%v[d0] : !array) -> f64 {
  ^body(%i: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %s : f64
}
// CHECK:       func.func private @scaled(%n: index, %alpha: f64, %v: tensor<?xf64>)
// CHECK:       func.func private @kernel_1(%n: index, %s: f64, %v: tensor<?xf64>)
// CHECK-NEXT:    %gamma = arith.mulf %s, %s
// CHECK:       func.func private @kernel_0(%n: index, %s: f64, %v: tensor<?xf64>, %t: f64)
// CHECK-NEXT:    %alpha = arith.divf %s, %t
func.func private @scaled(%n: index, %alpha: f64, %v: !array) -> !array {
  %r = tensor_block.map parallel(d0 < %n) ins(%v[d0] : !array) -> !array {
  ^body(%i: index, %x: f64):
    %y = arith.mulf %alpha, %x : f64
    tensor_block.yield %y : f64
  }
  func.return %r : !array
}

// A sum that was added up in 64 bits is rounded by who takes it.
func.func @rounded(%x: tensor<?xcomplex<f32>>, %n: index) -> tensor<?xcomplex<f32>> {
  %s = func.call @wide_total(%x, %n) : (tensor<?xcomplex<f32>>, index) -> complex<f64>
  %r = comprehension.to_complex %s : complex<f64> -> complex<f32>
  %y = func.call @scaled_by(%x, %r, %n) : (tensor<?xcomplex<f32>>, complex<f32>, index) -> tensor<?xcomplex<f32>>
  func.return %y : tensor<?xcomplex<f32>>
}
func.func private @wide_total(%x: tensor<?xcomplex<f32>>, %n: index) -> complex<f64> {
  %s = tensor_block.reduce add reduced(d0 < %n) ins(%x[d0] : tensor<?xcomplex<f32>>) -> complex<f64> {
  ^bb0(%i: index, %a: complex<f32>):
    %w = comprehension.to_complex %a : complex<f32> -> complex<f64>
    tensor_block.yield %w : complex<f64>
  }
  func.return %s : complex<f64>
}
func.func private @scaled_by(%x: tensor<?xcomplex<f32>>, %r: complex<f32>, %n: index) -> tensor<?xcomplex<f32>> {
  %y = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  ^bb0(%i: index, %a: complex<f32>):
    %b = complex.mul %a, %r : complex<f32>
    tensor_block.yield %b : complex<f32>
  }
  func.return %y : tensor<?xcomplex<f32>>
}
// CHECK-LABEL: func.func @rounded
// CHECK-NOT:     comprehension.to_complex
// CHECK:         func.return
// CHECK:       func.func private @scaled_by({{.*}}complex<f64>
// CHECK:         comprehension.to_complex %{{.*}} : complex<f64> -> complex<f32>
