// RUN: diablo-opt %s -p convert-native-loops --remarks 2>&1 | filecheck %s

!matrix = tensor<?x?xf64>
!vector = tensor<?xf64>

// What a row folds is known before two maps, which go through it in one loop: what is behind the
// copy of a row is no array. One test says that all lies inside and is equally long.
func.func private @loop_0(%U: !matrix, %V: !matrix, %i: index, %end: index, %n: index, %m: index) -> (!matrix, !matrix) {
  %one = arith.constant 1 : index
  %W, %X, %last = scf.while (%A = %U, %B = %V, %k = %i) : (!matrix, !matrix, index) -> (!matrix, !matrix, index) {
    %p = arith.cmpi slt, %k, %end : index
    scf.condition(%p) %A, %B, %k : !matrix, !matrix, index
  } do {
  ^bb0(%A: !matrix, %B: !matrix, %k: index):
    %s = func.call @dot(%m, %A, %B, %k) : (index, !matrix, !matrix, index) -> f64
    %t = arith.addf %s, %s : f64
    %R = func.call @copy(%m, %A, %k) : (index, !matrix, index) -> !vector
    %C = func.call @add(%n, %m, %A, %B, %k, %t) {in_place = 2 : i64} : (index, index, !matrix, !matrix, index, f64) -> !matrix
    %D = func.call @take(%n, %m, %B, %R, %k) {in_place = 2 : i64} : (index, index, !matrix, !vector, index) -> !matrix
    %next = arith.addi %k, %one : index
    scf.yield %C, %D, %next : !matrix, !matrix, index
  }
  func.return %W, %X : !matrix, !matrix
}
func.func private @dot(%m: index, %A: !matrix, %B: !matrix, %k: index) -> f64 {
  %r = tensor_block.reduce add reduced(d0 < %m) symbols(%k) ins(%A[s0, d0] : !matrix, %B[s0, d0] : !matrix) -> f64 {
  ^bb0(%j: index, %a: f64, %b: f64):
    %x = arith.mulf %a, %b : f64
    tensor_block.yield %x : f64
  }
  func.return %r : f64
}
func.func private @copy(%m: index, %A: !matrix, %k: index) -> !vector {
  %r = tensor_block.map parallel(d0 < %m) symbols(%k) ins(%A[s0, d0] : !matrix) -> !vector {
  ^bb0(%j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %r : !vector
}
func.func private @add(%n: index, %m: index, %A: !matrix, %B: !matrix, %k: index, %t: f64) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : !matrix, %B[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %there = arith.cmpi eq, %i, %k : index
    %x = scf.if %there -> (f64) {
      %y = arith.mulf %t, %b : f64
      %z = arith.addf %a, %y : f64
      scf.yield %z : f64
    } else {
      scf.yield %a : f64
    }
    tensor_block.yield %x : f64
  }
  func.return %r : !matrix
}
func.func private @take(%n: index, %m: index, %B: !matrix, %R: !vector, %k: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%B[d0, d1] : !matrix, %R[d1] : !vector) -> !matrix {
  ^bb0(%i: index, %j: index, %b: f64, %c: f64):
    %there = arith.cmpi eq, %i, %k : index
    %x = scf.if %there -> (f64) {
      %y = arith.subf %b, %c : f64
      scf.yield %y : f64
    } else {
      scf.yield %b : f64
    }
    tensor_block.yield %x : f64
  }
  func.return %r : !matrix
}
// CHECK:       remark: 3 kernels go through their rows in one loop
// CHECK-LABEL: func.func private @loop_0
// CHECK:         ^{{.*}}(%[[K:.*]]: index):
// CHECK:           %[[ALIKE:.*]] = func.call @llvm.expect.i1(
// CHECK-NEXT:      scf.if %[[ALIKE]] {
// CHECK:             %[[S:.*]] = scf.for %[[J:.*]] = %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (f64) {
// CHECK-NEXT:          %[[A:.*]] = memref.load %U[%[[K]], %[[J]]]
// CHECK-NEXT:          %[[B:.*]] = memref.load %V[%[[K]], %[[J]]]
// CHECK-NEXT:          arith.mulf %[[A]], %[[B]] : f64
// CHECK-NEXT:          arith.addf %[[ACC]],
// CHECK-NEXT:          scf.yield
// CHECK-NEXT:        }
// CHECK-NEXT:        %[[T:.*]] = arith.addf %[[S]], %[[S]] : f64
// CHECK:             scf.for %[[J:.*]] = %{{.*}} {
// CHECK-NEXT:          %[[A:.*]] = memref.load %U[%[[K]], %[[J]]]
// CHECK-NEXT:          %[[B:.*]] = memref.load %V[%[[K]], %[[J]]]
// CHECK-NEXT:          %[[Y:.*]] = arith.mulf %[[T]], %[[B]] : f64
// CHECK-NEXT:          %[[Z:.*]] = arith.addf %[[A]], %[[Y]] : f64
// CHECK-NEXT:          memref.store %[[Z]], %U[%[[K]], %[[J]]]
// CHECK-NEXT:          %[[Y:.*]] = arith.subf %[[B]], %[[A]] : f64
// CHECK-NEXT:          memref.store %[[Y]], %V[%[[K]], %[[J]]]
// CHECK-NEXT:        }
// CHECK-NEXT:      } else {
// CHECK:             memref.store %{{.*}}, %R[

// Held back: the second map reads at the next place what the first one writes. They are two loops.
func.func private @loop_1(%U: !vector, %V: !vector, %i: index, %end: index, %m: index) -> (!vector, !vector) {
  %one = arith.constant 1 : index
  %W, %X, %last = scf.while (%A = %U, %B = %V, %k = %i) : (!vector, !vector, index) -> (!vector, !vector, index) {
    %p = arith.cmpi slt, %k, %end : index
    scf.condition(%p) %A, %B, %k : !vector, !vector, index
  } do {
  ^bb0(%A: !vector, %B: !vector, %k: index):
    %C = func.call @twice(%m, %A) {in_place = 1 : i64} : (index, !vector) -> !vector
    %D = func.call @beside(%m, %B, %C) {in_place = 1 : i64} : (index, !vector, !vector) -> !vector
    %next = arith.addi %k, %one : index
    scf.yield %C, %D, %next : !vector, !vector, index
  }
  func.return %W, %X : !vector, !vector
}
func.func private @twice(%m: index, %A: !vector) -> !vector {
  %r = tensor_block.map parallel(d0 < %m) ins(%A[d0] : !vector) -> !vector {
  ^bb0(%j: index, %a: f64):
    %x = arith.addf %a, %a : f64
    tensor_block.yield %x : f64
  }
  func.return %r : !vector
}
func.func private @beside(%m: index, %B: !vector, %C: !vector) -> !vector {
  %r = tensor_block.map parallel(d0 < %m) ins(%B[d0] : !vector, %C[d0 + 1] : !vector) -> !vector {
  ^bb0(%j: index, %b: f64, %c: f64):
    %x = arith.addf %b, %c : f64
    tensor_block.yield %x : f64
  }
  func.return %r : !vector
}
// CHECK-NOT:     kernels go through their rows
// CHECK-LABEL: func.func private @loop_1
// CHECK:           %[[ALIKE:.*]] = func.call @llvm.expect.i1(
// CHECK-NEXT:      scf.if %[[ALIKE]] {
// CHECK:             scf.for
// CHECK-NEXT:          memref.load %U
// CHECK-NEXT:          arith.addf
// CHECK-NEXT:          memref.store %{{.*}}, %U
// CHECK-NEXT:        }
// CHECK:             scf.for
// CHECK-NEXT:          memref.load %V
// CHECK:               memref.store %{{.*}}, %V
// CHECK:           } else {

// Held back: where the second row lies is known by what the first one folds.
func.func private @loop_2(%U: !matrix, %i: index, %end: index, %n: index, %m: index) -> !matrix {
  %one = arith.constant 1 : index
  %W, %last = scf.while (%A = %U, %k = %i) : (!matrix, index) -> (!matrix, index) {
    %p = arith.cmpi slt, %k, %end : index
    scf.condition(%p) %A, %k : !matrix, index
  } do {
  ^bb0(%A: !matrix, %k: index):
    %s = func.call @count(%m, %A, %k) : (index, !matrix, index) -> i64
    %row = arith.index_cast %s : i64 to index
    %C = func.call @clear(%n, %m, %A, %row) {in_place = 2 : i64} : (index, index, !matrix, index) -> !matrix
    %next = arith.addi %k, %one : index
    scf.yield %C, %next : !matrix, index
  }
  func.return %W : !matrix
}
func.func private @count(%m: index, %A: !matrix, %k: index) -> i64 {
  %r = tensor_block.reduce add reduced(d0 < %m) symbols(%k) ins(%A[s0, d0] : !matrix) -> i64 {
  ^bb0(%j: index, %a: f64):
    %x = arith.fptosi %a : f64 to i64
    tensor_block.yield %x : i64
  }
  func.return %r : i64
}
func.func private @clear(%n: index, %m: index, %A: !matrix, %k: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64):
    %zero = arith.constant 0.0 : f64
    %there = arith.cmpi eq, %i, %k : index
    %x = scf.if %there -> (f64) {
      scf.yield %zero : f64
    } else {
      scf.yield %a : f64
    }
    tensor_block.yield %x : f64
  }
  func.return %r : !matrix
}
// CHECK-LABEL: func.func private @loop_2
// CHECK-NOT:       llvm.expect
// CHECK:         func.return
