// RUN: diablo-opt %s -p read-elements --remarks 2>&1 | filecheck %s
// RUN: diablo-opt %s -p read-elements,update-in-place | filecheck %s --check-prefix=PLACE

// An element of an array that a kernel reads at one place, and writes at others.

!matrix = tensor<?x?xf64>

// CHECK: remark: an element is read once, before what writes to its array

func.func @scale(%n: index, %k: index) -> !matrix {
  %A = func.call @make(%n) : (index) -> !matrix
  %B = func.call @divide(%n, %A, %A, %k) : (index, !matrix, !matrix, index) -> !matrix
  func.return %B : !matrix
}
func.func private @make(%n: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) -> !matrix {
  ^bb0(%i: index, %j: index):
    %one = arith.constant 1.0 : f64
    tensor_block.yield %one : f64
  }
  func.return %r : !matrix
}
func.func private @divide(%n: index, %A: !matrix, %B: !matrix, %k: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%k)
      ins(%A[s0, s0 + 1] : !matrix, %B[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %p: f64, %b: f64):
    %q = arith.divf %b, %p : f64
    tensor_block.yield %q : f64
  }
  func.return %r : !matrix
}
// CHECK-LABEL: func.func @scale
// CHECK:         %[[A:.*]] = func.call @make
// CHECK:         %[[ROWS:.*]] = tensor.dim %[[A]], %{{.*}}
// CHECK-NEXT:    %[[ROW:.*]] = arith.cmpi ult, %k, %[[ROWS]] : index
// CHECK:         %[[NEXT:.*]] = arith.addi %k, %{{.*}} : index
// CHECK:         arith.cmpi ult, %[[NEXT]], %{{.*}} : index
// CHECK-NEXT:    %[[IN:.*]] = arith.andi
// CHECK-NEXT:    %[[P:.*]] = scf.if %[[IN]] -> (f64) {
// CHECK-NEXT:      %[[E:.*]] = tensor.extract %[[A]][%k, %[[NEXT]]] : tensor<?x?xf64>
// CHECK-NEXT:      scf.yield %[[E]] : f64
// CHECK-NEXT:    } else {
// CHECK-NEXT:      arith.constant 0.000000e+00 : f64
// CHECK:         func.call @divide(%n, %[[A]], %k, %[[P]]) : (index, tensor<?x?xf64>, index, f64)
// CHECK:       func.func private @divide(%n: index, %B: tensor<?x?xf64>, %k: index, %[[G:.*]]: f64)
// CHECK:         ins(%B[d0, d1] : tensor<?x?xf64>)
// CHECK:           arith.divf %{{.*}}, %[[G]] : f64
// PLACE-LABEL: func.func @scale
// PLACE:         func.call @divide({{.*}}) {in_place = 1 : i64}

// Held back: the array is read at one place and is not written.
func.func @other(%n: index, %k: index, %A: !matrix, %B: !matrix) -> !matrix {
  %C = func.call @divide_other(%n, %A, %B, %k) : (index, !matrix, !matrix, index) -> !matrix
  func.return %C : !matrix
}
func.func private @divide_other(%n: index, %A: !matrix, %B: !matrix, %k: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%k)
      ins(%A[s0, s0] : !matrix, %B[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %p: f64, %b: f64):
    %q = arith.divf %b, %p : f64
    tensor_block.yield %q : f64
  }
  func.return %r : !matrix
}
// CHECK-LABEL: func.func @other
// CHECK:         func.call @divide_other(%n, %A, %B, %k)

// Held back: a row of the array is read.
func.func @row(%n: index, %k: index, %A: !matrix) -> !matrix {
  %C = func.call @divide_row(%n, %A, %A, %k) : (index, !matrix, !matrix, index) -> !matrix
  func.return %C : !matrix
}
func.func private @divide_row(%n: index, %A: !matrix, %B: !matrix, %k: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%k)
      ins(%A[s0, d1] : !matrix, %B[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %p: f64, %b: f64):
    %q = arith.divf %b, %p : f64
    tensor_block.yield %q : f64
  }
  func.return %r : !matrix
}
// CHECK-LABEL: func.func @row
// CHECK:         func.call @divide_row(%n, %A, %A, %k)

// Held back: the kernel is called twice.
func.func @twice(%n: index, %k: index, %A: !matrix, %B: !matrix) -> (!matrix, !matrix) {
  %C = func.call @divide_twice(%n, %A, %A, %k) : (index, !matrix, !matrix, index) -> !matrix
  %D = func.call @divide_twice(%n, %A, %B, %k) : (index, !matrix, !matrix, index) -> !matrix
  func.return %C, %D : !matrix, !matrix
}
func.func private @divide_twice(%n: index, %A: !matrix, %B: !matrix, %k: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%k)
      ins(%A[s0, s0] : !matrix, %B[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %p: f64, %b: f64):
    %q = arith.divf %b, %p : f64
    tensor_block.yield %q : f64
  }
  func.return %r : !matrix
}
// CHECK-LABEL: func.func @twice
// CHECK:         func.call @divide_twice(%n, %A, %A, %k)

// A column is computed alone: what is read of it is the element at the point.
func.func @column(%n: index, %k: index, %A: !matrix) -> !matrix {
  %C = func.call @divide_column(%n, %A, %A, %k, %k) : (index, !matrix, !matrix, index, index) -> !matrix
  func.return %C : !matrix
}
func.func private @divide_column(%n: index, %A: !matrix, %B: !matrix, %k: index, %l: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%k)
      ins(%A[d0, s0] : !matrix, %B[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %at = arith.cmpi eq, %j, %l : index
    %v = scf.if %at -> (f64) {
      %q = arith.addf %a, %a : f64
      scf.yield %q : f64
    } else {
      scf.yield %b : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %r : !matrix
}
// CHECK-LABEL: func.func @column
// CHECK:         func.call @divide_column(%n, %A, %k, %k)
// CHECK:       func.func private @divide_column
// CHECK:         ins(%B[d0, d1] : tensor<?x?xf64>)
// CHECK:           arith.addf %b, %b : f64

// Held back: it is another column, or one that the call does not show to be the same.
func.func @columns(%n: index, %k: index, %l: index, %A: !matrix) -> !matrix {
  %C = func.call @divide_columns(%n, %A, %A, %k, %l) : (index, !matrix, !matrix, index, index) -> !matrix
  func.return %C : !matrix
}
func.func private @divide_columns(%n: index, %A: !matrix, %B: !matrix, %k: index, %l: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%k)
      ins(%A[d0, s0] : !matrix, %B[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %at = arith.cmpi eq, %j, %l : index
    %v = scf.if %at -> (f64) {
      %q = arith.addf %a, %a : f64
      scf.yield %q : f64
    } else {
      scf.yield %b : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %r : !matrix
}
// CHECK-LABEL: func.func @columns
// CHECK:         func.call @divide_columns(%n, %A, %A, %k, %l)

// Held back: the element decides, or is what others keep.
func.func @kept(%n: index, %k: index, %A: !matrix) -> !matrix {
  %C = func.call @divide_kept(%n, %A, %A, %k) : (index, !matrix, !matrix, index) -> !matrix
  func.return %C : !matrix
}
func.func private @divide_kept(%n: index, %A: !matrix, %B: !matrix, %k: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%k)
      ins(%A[d0, s0] : !matrix, %B[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %at = arith.cmpi eq, %j, %k : index
    %v = scf.if %at -> (f64) {
      %q = arith.addf %b, %b : f64
      scf.yield %q : f64
    } else {
      scf.yield %a : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %r : !matrix
}
// CHECK-LABEL: func.func @kept
// CHECK:         func.call @divide_kept(%n, %A, %A, %k)
