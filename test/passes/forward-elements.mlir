// RUN: diablo-opt %s -p forward-elements,prune-control-flow | filecheck %s

// Elements of arrays of arrays, which are what was put there.

!vector = tensor<?xf64>
!vectors = tensor<?x!vector>

// The last one that was put at a place, past others; and of a splat.
func.func @reads(%R: !vectors, %A: !vector, %B: !vector) -> (!vector, !vector) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %R1 = tensor.insert %B into %R[%one] : !vectors
  %R2 = tensor.insert %A into %R1[%one] : !vectors
  %R3 = tensor.insert %B into %R2[%two] : !vectors
  %x = tensor.extract %R3[%one] : !vectors
  %S = tensor.splat %B[%three] : !vectors
  %S1 = tensor.insert %A into %S[%one] : !vectors
  %y = tensor.extract %S1[%two] : !vectors
  func.return %x, %y : !vector, !vector
}
// CHECK-LABEL: func.func @reads
// CHECK-NEXT:    func.return %A, %B

// Not past a place that is not known, nor outside of the array, nor numbers, nor what came in.
func.func @stays(%R: !vectors, %A: !vector, %i: index, %s: f64) -> (!vector, !vector, f64, !vector) {
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %R1 = tensor.insert %A into %R[%one] : !vectors
  %R2 = tensor.insert %A into %R1[%i] : !vectors
  %x = tensor.extract %R2[%one] : !vectors
  %S = tensor.splat %A[%three] : !vectors
  %y = tensor.extract %S[%three] : !vectors
  %V = tensor.insert %s into %A[%one] : !vector
  %z = tensor.extract %V[%one] : !vector
  %w = tensor.extract %R1[%three] : !vectors
  func.return %x, %y, %z, %w : !vector, !vector, f64, !vector
}
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-4: tensor.extract

// A loop carries the elements that it writes: two of three, of which one is read by nobody before
// it is written. The others are read where they are.
func.func @carried(%A: !vector, %B: !vector, %n: index) -> !vectors {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %R = tensor.splat %A[%three] : !vectors
  %k, %R1 = scf.while (%i = %zero, %S = %R) : (index, !vectors) -> (index, !vectors) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %S : index, !vectors
  } do {
  ^bb0(%i: index, %S: !vectors):
    %x = tensor.extract %S[%zero] : !vectors
    %y = tensor.extract %S[%two] : !vectors
    %sum = func.call @sum(%three, %x, %y) : (index, !vector, !vector) -> !vector
    %S1 = tensor.insert %sum into %S[%one] : !vectors
    %z = tensor.extract %S1[%one] : !vectors
    %more = func.call @sum(%three, %z, %x) : (index, !vector, !vector) -> !vector
    %S2 = tensor.insert %more into %S1[%zero] : !vectors
    %next = arith.addi %i, %one : index
    scf.yield %next, %S2 : index, !vectors
  }
  func.return %R1 : !vectors
}
func.func private @sum(%n: index, %A: !vector, %B: !vector) -> !vector {
  %r = tensor_block.map parallel(d0 < %n) ins(%A[d0] : !vector, %B[d0] : !vector) -> !vector {
  ^bb0(%d: index, %a: f64, %b: f64):
    %v = arith.addf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @carried
// CHECK:         %[[R:.*]] = tensor.splat %A[%three]
// CHECK:         %{{.*}}, %[[X:.*]], %[[Z:.*]] = scf.while (%{{.*}} = %zero, %[[X0:.*]] = %A, %[[Z0:.*]] = %A)
// CHECK:         ^bb0(%[[I:.*]]: index, %[[X1:.*]]: tensor<?xf64>, %{{.*}}: tensor<?xf64>):
// CHECK:           %[[SUM:.*]] = func.call @sum(%three, %[[X1]], %A)
// CHECK-NEXT:      %[[MORE:.*]] = func.call @sum(%three, %[[SUM]], %[[X1]])
// CHECK:           scf.yield %{{.*}}, %[[MORE]], %[[SUM]]
// CHECK:         tensor.insert %[[X]] into %[[R]]
// CHECK:         tensor.insert %[[Z]] into

// Not where an element is at a place that is not known, where the array is used as a whole, where
// it is another one in the next iteration, and not a state that is saved.
func.func @whole(%A: !vector, %n: index, %other: !vectors) -> (!vectors, !vectors, !vectors, !vectors) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %R = tensor.splat %A[%three] : !vectors
  %k0, %R0 = scf.while (%i = %zero, %S = %R) : (index, !vectors) -> (index, !vectors) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %S : index, !vectors
  } do {
  ^bb0(%i: index, %S: !vectors):
    %S1 = tensor.insert %A into %S[%i] : !vectors
    %next = arith.addi %i, %one : index
    scf.yield %next, %S1 : index, !vectors
  }
  %k1, %R1 = scf.while (%i = %zero, %S = %R) : (index, !vectors) -> (index, !vectors) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %S : index, !vectors
  } do {
  ^bb0(%i: index, %S: !vectors):
    %S1 = tensor.insert %A into %S[%one] : !vectors
    %next = func.call @counted(%i, %S1) : (index, !vectors) -> index
    scf.yield %next, %S1 : index, !vectors
  }
  %k2, %R2 = scf.while (%i = %zero, %S = %R) : (index, !vectors) -> (index, !vectors) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %S : index, !vectors
  } do {
  ^bb0(%i: index, %S: !vectors):
    %S1 = tensor.insert %A into %other[%one] : !vectors
    %next = arith.addi %i, %one : index
    scf.yield %next, %S1 : index, !vectors
  }
  %k3, %R3 = scf.while (%i = %zero, %S = %R) : (index, !vectors) -> (index, !vectors) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %S : index, !vectors
  } do {
  ^bb0(%i: index, %S: !vectors):
    %S1 = tensor.insert %A into %S[%one] : !vectors
    %next = arith.addi %i, %one : index
    scf.yield %next, %S1 : index, !vectors
  } attributes {checkpoint = 0 : i64}
  func.return %R0, %R1, %R2, %R3 : !vectors, !vectors, !vectors, !vectors
}
func.func private @counted(index, !vectors) -> index
// CHECK-LABEL: func.func @whole
// CHECK-COUNT-4: scf.while {{.*}} : (index, tensor<?xtensor<?xf64>>) ->

// What a kernel makes of constants has extents that are constants.
func.func @extents(%A: !vector, %n: index, %R: !vectors) -> (index, index, !vectors) {
  %zero = arith.constant 0 : index
  %five = arith.constant 5 : index
  %S = tensor.insert %A into %R[%zero] : !vectors
  %B = func.call @sum(%five, %A, %A) : (index, !vector, !vector) -> !vector
  %C = func.call @sum(%n, %A, %A) : (index, !vector, !vector) -> !vector
  %b = tensor.dim %B, %zero : !vector
  %c = tensor.dim %C, %zero : !vector
  func.return %b, %c, %S : index, index, !vectors
}
// CHECK-LABEL: func.func @extents
// CHECK:         %b = arith.constant 5 : index
// CHECK:         %c = tensor.dim
// CHECK:         func.return %b, %c
