// RUN: diablo-opt %s -p write-elements | filecheck %s
// RUN: diablo-opt %s -p write-elements,update-in-place | filecheck %s --check-prefix=PLACE

!vector = tensor<?xf64>

// An array that nothing else sees, but that the loop carries twice, is to be two.
// CHECK-LABEL: func.func @twice
// CHECK:         %[[MADE:.*]] = func.call @zeros
// CHECK:         %[[OWN:.*]] = bufferization.alloc_tensor() copy(%[[MADE]]) : tensor<?xf64>
// CHECK-NOT:     bufferization.alloc_tensor
// CHECK:         scf.while ({{.*}}, %{{.*}} = %[[OWN]], %{{.*}} = %[[MADE]])
// PLACE-LABEL: func.func @twice
// PLACE-COUNT-2: tensor.insert %{{.*}} into %{{.*}} {in_place = 1 : i64}
func.func @twice(%n: index) -> (!vector, !vector) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2.0 : f64
  %x = arith.constant 3.0 : f64
  %Z = func.call @zeros(%n) : (index) -> !vector
  %k, %X, %Y = scf.while (%i = %zero, %A = %Z, %B = %Z) : (index, !vector, !vector) -> (index, !vector, !vector) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %A, %B : index, !vector, !vector
  } do {
  ^bb0(%i: index, %A: !vector, %B: !vector):
    %C = func.call @write(%n, %A, %i, %two) : (index, !vector, index, f64) -> !vector
    %D = func.call @write(%n, %B, %i, %x) : (index, !vector, index, f64) -> !vector
    %next = arith.addi %i, %one : index
    scf.yield %next, %C, %D : index, !vector, !vector
  }
  func.return %X, %Y : !vector, !vector
}
func.func private @zeros(%n: index) -> !vector {
  %r = tensor_block.map parallel(d0 < %n) -> !vector {
  ^bb0(%d: index):
    %v = arith.constant 0.0 : f64
    tensor_block.yield %v : f64
  }
  func.return %r : !vector
}
func.func private @write(%n: index, %A: !vector, %i: index, %s: f64) -> !vector {
  %r = tensor_block.map parallel(d0 < %n) ins(%A[d0] : !vector) -> !vector {
  ^bb0(%d: index, %a: f64):
    %p = arith.cmpi eq, %d, %i : index
    %v = scf.if %p -> (f64) {
      scf.yield %s : f64
    } else {
      scf.yield %a : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %r : !vector
}
