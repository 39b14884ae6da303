// RUN: diablo-opt %s -p convert-native-loops | filecheck %s

!matrix = tensor<?x?xf64>

// A map that keeps all but one row is one row, and no loop over rows; it is no row if that is not
// there. One that keeps all but some rows has the loop.
func.func private @loop_0(%U: !matrix, %V: !matrix, %k: index, %end: index, %n: index, %m: index) -> (!matrix, !matrix) {
  %one = arith.constant 1 : index
  %W, %X, %last = scf.while (%A = %U, %B = %V, %i = %k) : (!matrix, !matrix, index) -> (!matrix, !matrix, index) {
    %p = arith.cmpi slt, %i, %end : index
    scf.condition(%p) %A, %B, %i : !matrix, !matrix, index
  } do {
  ^bb0(%A: !matrix, %B: !matrix, %i: index):
    %C = func.call @row(%n, %m, %A, %i) {in_place = 2 : i64} : (index, index, !matrix, index) -> !matrix
    %D = func.call @rows(%n, %m, %B, %i) {in_place = 2 : i64} : (index, index, !matrix, index) -> !matrix
    %next = arith.addi %i, %one : index
    scf.yield %C, %D, %next : !matrix, !matrix, index
  }
  func.return %W, %X : !matrix, !matrix
}
func.func private @row(%n: index, %m: index, %A: !matrix, %k: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64):
    %there = arith.cmpi eq, %i, %k : index
    %x = scf.if %there -> (f64) {
      %y = arith.addf %a, %a : f64
      scf.yield %y : f64
    } else {
      scf.yield %a : f64
    }
    tensor_block.yield %x : f64
  }
  func.return %r : !matrix
}
func.func private @rows(%n: index, %m: index, %A: !matrix, %k: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64):
    %there = arith.cmpi sge, %i, %k : index
    %x = scf.if %there -> (f64) {
      %y = arith.addf %a, %a : f64
      scf.yield %y : f64
    } else {
      scf.yield %a : f64
    }
    tensor_block.yield %x : f64
  }
  func.return %r : !matrix
}
// CHECK-LABEL: func.func private @loop_0
// CHECK:         ^{{.*}}(%[[I:.*]]: index):
// CHECK:           %[[SOME:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : index
// CHECK-NEXT:      scf.if %[[SOME]] {
// CHECK:             scf.for %[[J:.*]] =
// CHECK-NEXT:          memref.load %U[%[[I]], %[[J]]]
// CHECK-NEXT:          arith.addf
// CHECK-NEXT:          memref.store %{{.*}}, %U[%[[I]], %[[J]]]
// CHECK-NOT:         scf.for
// CHECK:           memref.dim %V
// CHECK:           scf.for %[[ROW:.*]] =
// CHECK:             scf.for %[[J:.*]] =
// CHECK-NEXT:          memref.load %V[%[[ROW]], %[[J]]]
