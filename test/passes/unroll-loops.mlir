// RUN: diablo-opt %s -p unroll-loops --remarks 2>&1 | filecheck %s
// RUN: diablo-opt %s -p 'unroll-loops{most-ops=30}' --remarks 2>&1 | filecheck %s --check-prefix=FEW
// RUN: diablo-opt %s -p unroll-loops,forward-elements,prune-control-flow | filecheck %s --check-prefix=THEN

// Loops of few iterations that step through an array of arrays.

!vector = tensor<?xf64>
!vectors = tensor<?x!vector>

// CHECK: remark: the loop is written out: its iterations are 2
// CHECK: remark: the loop is written out: its iterations are 3
// CHECK: remark: the loop is written out: its iterations are 3
// CHECK: remark: the loop is written out: its iterations are 2
// CHECK: remark: the loop is written out: its iterations are 1
// FEW: remark: the loop is not written out: it would be 48 operations

// Each iteration makes one of the element behind it, half as long.
func.func @coarser(%V: !vector) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %n = arith.constant 8 : index
  %none = func.call @zeros(%one) : (index) -> !vector
  %R = tensor.splat %none[%three] : !vectors
  %first = func.call @zeros(%n) : (index) -> !vector
  %R0 = tensor.insert %first into %R[%two] : !vectors
  %k, %m, %R1 = scf.while (%l = %two, %size = %n, %A = %R0) : (index, index, !vectors) -> (index, index, !vectors) {
    %p = arith.cmpi sgt, %l, %zero : index
    scf.condition(%p) %l, %size, %A : index, index, !vectors
  } do {
  ^bb0(%l: index, %size: index, %A: !vectors):
    %next = arith.subi %l, %one : index
    %half = arith.divsi %size, %two : index
    %x = tensor.extract %A[%l] : !vectors
    %y = func.call @half(%half, %x) : (index, !vector) -> !vector
    %B = tensor.insert %y into %A[%next] : !vectors
    scf.yield %next, %half, %B : index, index, !vectors
  }
  %last = tensor.extract %R1[%zero] : !vectors
  func.return %last : !vector
}
func.func private @zeros(%n: index) -> !vector {
  %r = tensor_block.map parallel(d0 < %n) ins() -> !vector {
  ^bb0(%d: index):
    %v = arith.constant 0.0 : f64
    tensor_block.yield %v : f64
  }
  func.return %r : !vector
}
func.func private @half(%n: index, %A: !vector) -> !vector {
  %r = tensor_block.map parallel(d0 < %n) ins(%A[2 * d0] : !vector) -> !vector {
  ^bb0(%d: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @coarser
// CHECK-NOT:     scf.while
// CHECK:         %[[X:.*]] = tensor.extract %{{.*}}[%{{.*}}] : tensor<?xtensor<?xf64>>
// CHECK-NEXT:    %[[Y:.*]] = func.call @half(%half, %[[X]])
// CHECK-NEXT:    tensor.insert %[[Y]] into
// CHECK:         tensor.extract
// CHECK-NEXT:    func.call @half(%half_1,
// CHECK:         func.return
// THEN-LABEL:  func.func @coarser
// THEN:          %[[FIRST:.*]] = func.call @zeros(%n)
// THEN-NEXT:     %[[HALF:.*]] = arith.constant 4 : index
// THEN-NEXT:     %[[Y:.*]] = func.call @half(%[[HALF]], %[[FIRST]])
// THEN-NEXT:     %[[HALF2:.*]] = arith.constant 2 : index
// THEN-NEXT:     %[[Z:.*]] = func.call @half(%[[HALF2]], %[[Y]])
// THEN-NEXT:     func.return %[[Z]]

// The outer loop says where the inner one ends.
func.func @triangle(%R: !vectors, %one: !vector) -> !vectors {
  %zero = arith.constant 0 : index
  %step = arith.constant 1 : index
  %three = arith.constant 3 : index
  %k, %S = scf.while (%i = %zero, %A = %R) : (index, !vectors) -> (index, !vectors) {
    %p = arith.cmpi slt, %i, %three : index
    scf.condition(%p) %i, %A : index, !vectors
  } do {
  ^bb0(%i: index, %A: !vectors):
    %a = tensor.insert %one into %A[%i] : !vectors
    %j, %B = scf.while (%l = %i, %C = %a) : (index, !vectors) -> (index, !vectors) {
      %p = arith.cmpi slt, %l, %three : index
      scf.condition(%p) %l, %C : index, !vectors
    } do {
    ^bb0(%l: index, %C: !vectors):
      %next = arith.addi %l, %step : index
      %D = tensor.insert %one into %C[%next] : !vectors
      scf.yield %next, %D : index, !vectors
    }
    %next = arith.addi %i, %step : index
    scf.yield %next, %B : index, !vectors
  }
  func.return %S : !vectors
}
// CHECK-LABEL: func.func @triangle
// CHECK-NOT:     scf.while
// CHECK:         func.return

// How often a loop runs is not known; an element that is the same one in each iteration; numbers;
// more iterations than are written out; a loop whose state is saved.
func.func @stays(%R: !vectors, %n: index, %V: !vector, %s: f64) -> (!vectors, !vectors, !vector, !vectors, !vectors) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %many = arith.constant 17 : index
  %a, %S = scf.while (%i = %zero, %A = %R) : (index, !vectors) -> (index, !vectors) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %A : index, !vectors
  } do {
  ^bb0(%i: index, %A: !vectors):
    %B = tensor.insert %V into %A[%i] : !vectors
    %next = arith.addi %i, %one : index
    scf.yield %next, %B : index, !vectors
  }
  %b, %T = scf.while (%i = %zero, %A = %R) : (index, !vectors) -> (index, !vectors) {
    %p = arith.cmpi slt, %i, %three : index
    scf.condition(%p) %i, %A : index, !vectors
  } do {
  ^bb0(%i: index, %A: !vectors):
    %B = tensor.insert %V into %A[%n] : !vectors
    %next = arith.addi %i, %one : index
    scf.yield %next, %B : index, !vectors
  }
  %c, %W = scf.while (%i = %zero, %A = %V) : (index, !vector) -> (index, !vector) {
    %p = arith.cmpi slt, %i, %three : index
    scf.condition(%p) %i, %A : index, !vector
  } do {
  ^bb0(%i: index, %A: !vector):
    %B = tensor.insert %s into %A[%i] : !vector
    %next = arith.addi %i, %one : index
    scf.yield %next, %B : index, !vector
  }
  %d, %X = scf.while (%i = %zero, %A = %R) : (index, !vectors) -> (index, !vectors) {
    %p = arith.cmpi slt, %i, %many : index
    scf.condition(%p) %i, %A : index, !vectors
  } do {
  ^bb0(%i: index, %A: !vectors):
    %B = tensor.insert %V into %A[%i] : !vectors
    %next = arith.addi %i, %one : index
    scf.yield %next, %B : index, !vectors
  }
  %e, %Y = scf.while (%i = %zero, %A = %R) : (index, !vectors) -> (index, !vectors) {
    %p = arith.cmpi slt, %i, %three : index
    scf.condition(%p) %i, %A : index, !vectors
  } do {
  ^bb0(%i: index, %A: !vectors):
    %B = tensor.insert %V into %A[%i] : !vectors
    %next = arith.addi %i, %one : index
    scf.yield %next, %B : index, !vectors
  } attributes {checkpoint = 0 : i64}
  func.return %S, %T, %W, %X, %Y : !vectors, !vectors, !vector, !vectors, !vectors
}
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-5: scf.while
