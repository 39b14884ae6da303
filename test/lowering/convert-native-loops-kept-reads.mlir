// RUN: diablo-opt %s -p convert-native-loops | filecheck %s

!matrix = tensor<?x?xf64>

// A map that writes behind row and column k reads these where they are: an element of the column
// is the same in a row, and read before it, if the row has any element to write.
func.func private @loop_0(%U: !matrix, %k: index, %end: index, %n: index) -> !matrix {
  %one = arith.constant 1 : index
  %V, %last = scf.while (%A = %U, %i = %k) : (!matrix, index) -> (!matrix, index) {
    %p = arith.cmpi slt, %i, %end : index
    scf.condition(%p) %A, %i : !matrix, index
  } do {
  ^bb0(%A: !matrix, %i: index):
    %B = func.call @eliminate(%n, %A, %A, %i) {in_place = 1 : i64} : (index, !matrix, !matrix, index) -> !matrix
    %next = arith.addi %i, %one : index
    scf.yield %B, %next : !matrix, index
  }
  func.return %V : !matrix
}
func.func private @eliminate(%n: index, %A: !matrix, %U: !matrix, %k: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%k) ins(%A[d0, d1] : !matrix, %U[d0, s0] : !matrix, %U[s0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64, %c: f64):
    %below = arith.cmpi sgt, %i, %k : index
    %behind = arith.cmpi sgt, %j, %k : index
    %inside = arith.andi %below, %behind : i1
    %x = scf.if %inside -> (f64) {
      %y = arith.mulf %b, %c : f64
      %z = arith.subf %a, %y : f64
      scf.yield %z : f64
    } else {
      scf.yield %a : f64
    }
    tensor_block.yield %x : f64
  }
  func.return %r : !matrix
}
// CHECK-LABEL: func.func private @loop_0
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           scf.for %j =
// CHECK:             memref.store
// CHECK:           %[[B:.*]] = scf.if %{{.*}} -> (f64) {
// CHECK-NEXT:        memref.load %U[%[[I]], %{{.*}}]
// CHECK:           scf.for %[[J:.*]] =
// CHECK-NEXT:        %[[A:.*]] = memref.load %U[%[[I]], %[[J]]]
// CHECK-NEXT:        %[[C:.*]] = memref.load %U[%{{.*}}, %[[J]]]
// CHECK-NEXT:        arith.mulf %[[B]], %[[C]]
// CHECK-NEXT:        arith.subf
// CHECK-NEXT:        memref.store %{{.*}}, %U[%[[I]], %[[J]]]

// Of an array that the kernel does not write LLVM knows it.
func.func private @loop_1(%U: !matrix, %W: !matrix, %k: index, %end: index, %n: index) -> !matrix {
  %one = arith.constant 1 : index
  %V, %last = scf.while (%A = %U, %i = %k) : (!matrix, index) -> (!matrix, index) {
    %p = arith.cmpi slt, %i, %end : index
    scf.condition(%p) %A, %i : !matrix, index
  } do {
  ^bb0(%A: !matrix, %i: index):
    %B = func.call @eliminate(%n, %A, %W, %i) {in_place = 1 : i64} : (index, !matrix, !matrix, index) -> !matrix
    %next = arith.addi %i, %one : index
    scf.yield %B, %next : !matrix, index
  }
  func.return %V : !matrix
}
// CHECK-LABEL: func.func private @loop_1
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           scf.for %j =
// CHECK:             memref.store
// CHECK:           scf.for %[[J:.*]] =
// CHECK-NEXT:        memref.load %U[%[[I]], %[[J]]]
// CHECK-NEXT:        memref.load %W[%[[I]], %
// CHECK-NEXT:        memref.load %W[%{{.*}}, %[[J]]]
