// Jobs of complex numbers: the parts of one that is given, and of one that each piece gives.
// RUN: diablo-opt %s -p outline-native-loops,convert-native-loops{jobs=true} | filecheck %s

// The element has two words, from twice its place on.
// CHECK-LABEL: func.func private @loop_0_loops(%{{.*}}: i64, %{{.*}}: memref<?xcomplex<f64>>, %s: complex<f64>
// CHECK:         %[[FIRST:.*]] = arith.muli
// CHECK:         %[[REAL:.*]] = func.call @diablo_word_at(%[[ARRAY:.*]], %[[FIRST]])
// CHECK-NEXT:    %[[IMAGINARY:.*]] = func.call @diablo_word_at(%[[ARRAY]], %{{.*}})
// CHECK-NEXT:    %[[X:.*]] = arith.bitcast %[[REAL]] : i64 to f64
// CHECK-NEXT:    %[[Y:.*]] = arith.bitcast %[[IMAGINARY]] : i64 to f64
// CHECK-NEXT:    %{{.*}} = complex.create %[[X]], %[[Y]] : complex<f64>
// A number that is given is its parts.
// CHECK:         complex.re %{{.*}} : complex<f64>
// CHECK-NEXT:    complex.im %{{.*}} : complex<f64>
// CHECK:         memref.store %{{.*}}, %table
// CHECK:         memref.store %{{.*}}, %table
// CHECK:         func.call @diablo_share_call
// What the pieces give is added up.
// CHECK:         func.call @diablo_share_call
// CHECK:         scf.for {{.*}} -> (complex<f64>)
// CHECK:           complex.create
// CHECK:           complex.add
func.func @main(%n: index, %m: i64, %at: index, %V: tensor<?xcomplex<f64>>, %c: complex<f64>) -> (tensor<?xcomplex<f64>>, complex<f64>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %v, %s = scf.while (%i = %zero, %v = %V, %s = %c) : (i64, tensor<?xcomplex<f64>>, complex<f64>) -> (i64, tensor<?xcomplex<f64>>, complex<f64>) {
    %p = arith.cmpi slt, %i, %m : i64
    scf.condition(%p) %i, %v, %s : i64, tensor<?xcomplex<f64>>, complex<f64>
  } do {
  ^bb0(%i: i64, %v: tensor<?xcomplex<f64>>, %s: complex<f64>):
    %e = tensor.extract %v[%at] : tensor<?xcomplex<f64>>
    %f = complex.mul %e, %s : complex<f64>
    %w = func.call @scaled(%n, %v, %f) : (index, tensor<?xcomplex<f64>>, complex<f64>) -> tensor<?xcomplex<f64>>
    %t = func.call @total(%n, %w) : (index, tensor<?xcomplex<f64>>) -> complex<f64>
    %next = arith.addi %i, %one : i64
    scf.yield %next, %w, %t : i64, tensor<?xcomplex<f64>>, complex<f64>
  }
  func.return %v, %s : tensor<?xcomplex<f64>>, complex<f64>
}
func.func private @scaled(%n: index, %v: tensor<?xcomplex<f64>>, %s: complex<f64>) -> tensor<?xcomplex<f64>> {
  %w = tensor_block.map parallel(d0 < %n) ins(%v[d0] : tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>> {
  ^body(%i: index, %x: complex<f64>):
    %y = complex.mul %x, %s : complex<f64>
    tensor_block.yield %y : complex<f64>
  }
  func.return %w : tensor<?xcomplex<f64>>
}
func.func private @total(%n: index, %v: tensor<?xcomplex<f64>>) -> complex<f64> {
  %s = tensor_block.reduce add reduced(d0 < %n) ins(%v[d0] : tensor<?xcomplex<f64>>) -> complex<f64> {
  ^body(%i: index, %x: complex<f64>):
    tensor_block.yield %x : complex<f64>
  }
  func.return %s : complex<f64>
}

// A product of complex numbers is a job, too: nothing but the jobs of the product and the map.
// CHECK-LABEL: func.func private @loop_1_loops
// CHECK:         scf.while
// CHECK:           func.call @diablo_share_call
// CHECK:           func.call @diablo_share_call
// CHECK-NOT:       func.call
// CHECK:           memref.store
func.func @power(%n: index, %m: i64, %A: tensor<?x?xcomplex<f64>>, %V: tensor<?xcomplex<f64>>, %c: complex<f64>) -> tensor<?xcomplex<f64>> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %v = scf.while (%i = %zero, %v = %V) : (i64, tensor<?xcomplex<f64>>) -> (i64, tensor<?xcomplex<f64>>) {
    %p = arith.cmpi slt, %i, %m : i64
    scf.condition(%p) %i, %v : i64, tensor<?xcomplex<f64>>
  } do {
  ^bb0(%i: i64, %v: tensor<?xcomplex<f64>>):
    %w = func.call @multiplied(%n, %A, %v) : (index, tensor<?x?xcomplex<f64>>, tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>>
    %x = func.call @scaled(%n, %w, %c) : (index, tensor<?xcomplex<f64>>, complex<f64>) -> tensor<?xcomplex<f64>>
    %next = arith.addi %i, %one : i64
    scf.yield %next, %x : i64, tensor<?xcomplex<f64>>
  }
  func.return %v : tensor<?xcomplex<f64>>
}
func.func private @multiplied(%n: index, %A: tensor<?x?xcomplex<f64>>, %v: tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>> {
  %w = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n) ins(%A[d0, d1] : tensor<?x?xcomplex<f64>>, %v[d1] : tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>> {
  ^body(%i: index, %j: index, %a: complex<f64>, %x: complex<f64>):
    %y = complex.mul %a, %x : complex<f64>
    tensor_block.yield %y : complex<f64>
  }
  func.return %w : tensor<?xcomplex<f64>>
}
