// With kernels=false a loop that calls a kernel stays with Python; one without is machine code.
// RUN: diablo-opt %s -p outline-native-loops{kernels=false} --remarks 2>&1 | filecheck %s
// RUN: diablo-opt %s -p outline-native-loops | filecheck %s --check-prefix ALL

// CHECK:       remark: the loop is machine code once it has run a while
// CHECK:       remark: the loop stays with Python: it calls a kernel
// CHECK-LABEL: func.func @main
// CHECK:         func.call @loop_0
// CHECK:         scf.while
// CHECK:         func.call @scaled
// ALL-LABEL:   func.func @main
// ALL:           func.call @loop_0
// ALL-NEXT:      func.call @loop_1
func.func @main(%n: index, %v: tensor<?xf64>) -> (f64, f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 1.0 : f64
  %k, %s = scf.while (%i = %zero, %t = %start) : (index, f64) -> (index, f64) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %t : index, f64
  } do {
  ^bb0(%i: index, %t: f64):
    %u = arith.addf %t, %t : f64
    %next = arith.addi %i, %one : index
    scf.yield %next, %u : index, f64
  }
  %l, %r = scf.while (%i = %zero, %t = %start) : (index, f64) -> (index, f64) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %t : index, f64
  } do {
  ^bb0(%i: index, %t: f64):
    %u = func.call @scaled(%n, %v, %t) : (index, tensor<?xf64>, f64) -> f64
    %next = arith.addi %i, %one : index
    scf.yield %next, %u : index, f64
  }
  func.return %s, %r : f64, f64
}
func.func private @scaled(%n: index, %v: tensor<?xf64>, %t: f64) -> f64 {
  %s = tensor_block.reduce add reduced(d0 < %n) ins(%v[d0] : tensor<?xf64>) -> f64 {
  ^body(%i: index, %x: f64):
    %y = arith.mulf %x, %t : f64
    tensor_block.yield %y : f64
  }
  func.return %s : f64
}
