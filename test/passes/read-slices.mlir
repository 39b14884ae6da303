// RUN: diablo-opt %s -p read-slices --remarks 2>&1 | filecheck %s
// RUN: diablo-opt %s -p read-slices,update-in-place | filecheck %s --check-prefix=PLACE

// Rows of a matrix change places: the first is written when the second wants it. The slice is as
// long as who reads it wants it, with zeros where the matrix has no such column.

!matrix = tensor<?x?xf64>
!vector = tensor<?xf64>

// CHECK: remark: what is read later of the slice that this writes is read before

// CHECK-LABEL: func.func @exchange(
// CHECK:         %[[IN:.*]] = arith.cmpi ult, %[[K:.*]], %{{.*}} : index
// CHECK:         %[[M:.*]] = tensor.dim %{{.*}}, %{{.*}} : tensor<?x?xf64>
// CHECK:         %[[END:.*]] = arith.select %[[IN]], %[[M]], %{{.*}} : index
// CHECK-NEXT:    %[[ROW:.*]] = func.call @second_slice_0(%n, %[[A:.*]], %[[K]], %[[END]]) : (index, tensor<?x?xf64>, index, index) -> tensor<?xf64>
// CHECK-NEXT:    %[[B:.*]] = func.call @first(%n, %[[A]], %[[A]], %[[K]], %p)
// CHECK-NEXT:    %[[C:.*]] = func.call @second(%n, %[[B]], %[[K]], %p, %[[ROW]])
// PLACE-LABEL: func.func @exchange(
// PLACE:         func.call @first({{.*}}) {in_place = 1 : i64}
// PLACE:         func.call @second({{.*}}) {in_place = 1 : i64}
func.func @exchange(%given: !matrix, %n: index, %p: index) -> !matrix {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %k, %A = scf.while (%i = %zero, %X = %given) : (index, !matrix) -> (index, !matrix) {
    %q = arith.cmpi slt, %i, %n : index
    scf.condition(%q) %i, %X : index, !matrix
  } do {
  ^bb0(%i: index, %X: !matrix):
    %Y = func.call @first(%n, %X, %X, %i, %p) : (index, !matrix, !matrix, index, index) -> !matrix
    %Z = func.call @second(%n, %X, %Y, %i, %p) : (index, !matrix, !matrix, index, index) -> !matrix
    %next = arith.addi %i, %one : index
    scf.yield %next, %Z : index, !matrix
  }
  func.return %A : !matrix
}

// Held back: the whole matrix is read behind.
// CHECK-LABEL: func.func @whole(
// CHECK-NOT:     slice
// CHECK:         func.call @third(
// PLACE-LABEL: func.func @whole(
// PLACE:         func.call @third(%n, %{{.*}}, %{{.*}}, %{{.*}}, %p) : (
func.func @whole(%given: !matrix, %n: index, %p: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  %k, %A, %s = scf.while (%i = %zero, %X = %given, %t = %start) : (index, !matrix, f64) -> (index, !matrix, f64) {
    %q = arith.cmpi slt, %i, %n : index
    scf.condition(%q) %i, %X, %t : index, !matrix, f64
  } do {
  ^bb0(%i: index, %X: !matrix, %t: f64):
    %Y = func.call @third(%n, %X, %X, %i, %p) : (index, !matrix, !matrix, index, index) -> !matrix
    %u = func.call @sum(%n, %X) : (index, !matrix) -> f64
    %next = arith.addi %i, %one : index
    scf.yield %next, %Y, %u : index, !matrix, f64
  }
  func.return %s : f64
}

// Held back: where the row is shows only when the matrix has been written.
// CHECK-LABEL: func.func @later(
// CHECK-NOT:     slice
// CHECK:         func.call @fourth(
func.func @later(%given: !matrix, %n: index, %p: index) -> !matrix {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %k, %A = scf.while (%i = %zero, %X = %given) : (index, !matrix) -> (index, !matrix) {
    %q = arith.cmpi slt, %i, %n : index
    scf.condition(%q) %i, %X : index, !matrix
  } do {
  ^bb0(%i: index, %X: !matrix):
    %Y = func.call @fourth(%n, %X, %X, %i, %p) : (index, !matrix, !matrix, index, index) -> !matrix
    %found = func.call @place(%n, %Y) : (index, !matrix) -> index
    %Z = func.call @fifth(%n, %X, %Y, %found, %p) : (index, !matrix, !matrix, index, index) -> !matrix
    %next = arith.addi %i, %one : index
    scf.yield %next, %Z : index, !matrix
  }
  func.return %A : !matrix
}

// CHECK-LABEL: func.func private @first(
func.func private @first(%n: index, %A: !matrix, %B: !matrix, %k: index, %p: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%p)
      ins(%A[d0, d1] : !matrix, %B[s0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %here = arith.cmpi eq, %i, %k : index
    %v = scf.if %here -> (f64) {
      scf.yield %b : f64
    } else {
      scf.yield %a : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %r : !matrix
}
// CHECK-LABEL: func.func private @second_slice_0(
// CHECK-SAME:    %{{.*}}: index, %[[X:.*]]: tensor<?x?xf64>, %{{.*}}: index, %[[END:.*]]: index) -> tensor<?xf64>
// CHECK-NEXT:    tensor_block.map parallel(d0 < %{{.*}}) symbols(%{{.*}}) ins(%[[X]][s0, d0] : tensor<?x?xf64>) -> tensor<?xf64>
// CHECK-NEXT:    ^bb0(%[[I:.*]]: index, %[[V:.*]]: f64):
// CHECK-NEXT:      %[[TEST:.*]] = arith.cmpi slt, %[[I]], %[[END]] : index
// CHECK-NEXT:      scf.if %[[TEST]] -> (f64) {
// CHECK-NEXT:        scf.yield %[[V]] : f64
// CHECK-LABEL: func.func private @second(
// CHECK-SAME:    %n: index, %B: tensor<?x?xf64>, %k: index, %p: index, %[[ROW:.*]]: tensor<?xf64>)
// CHECK-NEXT:    tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%k) ins(%[[ROW]][d1] : tensor<?xf64>, %B[d0, d1] : tensor<?x?xf64>)
func.func private @second(%n: index, %A: !matrix, %B: !matrix, %k: index, %p: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%k)
      ins(%A[s0, d1] : !matrix, %B[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %here = arith.cmpi eq, %i, %p : index
    %v = scf.if %here -> (f64) {
      scf.yield %a : f64
    } else {
      scf.yield %b : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %r : !matrix
}
func.func private @third(%n: index, %A: !matrix, %B: !matrix, %k: index, %p: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%p)
      ins(%A[d0, d1] : !matrix, %B[s0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %here = arith.cmpi eq, %i, %k : index
    %v = scf.if %here -> (f64) {
      scf.yield %b : f64
    } else {
      scf.yield %a : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %r : !matrix
}
func.func private @fourth(%n: index, %A: !matrix, %B: !matrix, %k: index, %p: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%p)
      ins(%A[d0, d1] : !matrix, %B[s0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %here = arith.cmpi eq, %i, %k : index
    %v = scf.if %here -> (f64) {
      scf.yield %b : f64
    } else {
      scf.yield %a : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %r : !matrix
}
func.func private @fifth(%n: index, %A: !matrix, %B: !matrix, %k: index, %p: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%k)
      ins(%A[s0, d1] : !matrix, %B[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %here = arith.cmpi eq, %i, %p : index
    %v = scf.if %here -> (f64) {
      scf.yield %a : f64
    } else {
      scf.yield %b : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %r : !matrix
}
func.func private @sum(%n: index, %A: !matrix) -> f64 {
  %r = tensor_block.reduce add reduced(d0 < %n, d1 < %n) ins(%A[d0, d1] : !matrix) -> f64 {
  ^bb0(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %r : f64
}
func.func private @place(%n: index, %A: !matrix) -> index {
  %r = tensor_block.reduce max reduced(d0 < %n) ins(%A[d0, d0] : !matrix) -> index {
  ^bb0(%i: index, %a: f64):
    tensor_block.yield %i : index
  }
  func.return %r : index
}
