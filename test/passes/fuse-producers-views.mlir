// RUN: diablo-opt %s -p fuse-producers,dce --remarks 2>&1 | filecheck %s

// Transposed arrays that products read are views.

!vector = tensor<?xf64>
!matrix = tensor<?x?xf64>
!sparse = tensor<?x?xf64, #tensor_block.storage<dense = 0>>

// CHECK: remark: a view: the array is read in another order
// CHECK: remark: a view: the array is read in another order
// CHECK-NOT: remark: a view

// Read twice, for the product of a matrix with itself.
func.func @gram(%A: !matrix) -> !matrix {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %A, %zero : !matrix
  %m = tensor.dim %A, %one : !matrix
  %T = comprehension.build (%m, %n) : !matrix {
    %i, %j, %a = comprehension.each %A : !matrix
    comprehension.yield (%j, %i) %a
  }
  %R = comprehension.build (%m, %m) : !matrix {
    %j, %i, %a = comprehension.each %T : !matrix
    %l, %k, %b = comprehension.each %T full : !matrix
    %eq = arith.cmpi eq, %k, %i : index
    comprehension.guard %eq
    %p = arith.mulf %a, %b : f64
    %gj, %gl, %ps = comprehension.group_by keys(%j, %l) values(%p) : index, index, !comprehension.bag<f64>
    %s = comprehension.reduce add %ps : !comprehension.bag<f64>
    comprehension.yield (%gj, %gl) %s
  }
  func.return %R : !matrix
}
// CHECK-LABEL: func.func @gram
// CHECK-NOT:     %T
// CHECK:         comprehension.build (%m, %m)
// CHECK-NEXT:      %[[I:.*]], %[[J:.*]], %[[A:.*]] = comprehension.each %A : tensor<?x?xf64>
// CHECK-NEXT:      %[[K:.*]], %[[L:.*]], %[[B:.*]] = comprehension.each %A full : tensor<?x?xf64>
// CHECK-NEXT:      arith.cmpi eq, %[[K]], %[[I]] : index
// CHECK:           comprehension.group_by keys(%[[J]], %[[L]])

// Held back: it is a result as well, an array of other elements, a part, or sparse.
func.func @kept(%A: !matrix, %S: !sparse, %x: !vector, %k: index) -> (!matrix, f64, f64, f64, f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2.0 : f64
  %n = tensor.dim %A, %zero : !matrix
  %m = tensor.dim %A, %one : !matrix
  %sn = tensor.dim %S, %zero : !sparse
  %sm = tensor.dim %S, %one : !sparse
  %T = comprehension.build (%m, %n) : !matrix {
    %i, %j, %a = comprehension.each %A : !matrix
    comprehension.yield (%j, %i) %a
  }
  %r = comprehension.aggregate add : f64 {
    %j, %i, %a = comprehension.each %T : !matrix
    %ii, %v = comprehension.each %x : !vector
    %eq = arith.cmpi eq, %ii, %i : index
    comprehension.guard %eq
    %p = arith.mulf %a, %v : f64
    comprehension.yield %p
  }
  %T2 = comprehension.build (%m, %n) : !matrix {
    %i, %j, %a = comprehension.each %A : !matrix
    %b = arith.mulf %a, %two : f64
    comprehension.yield (%j, %i) %b
  }
  %r2 = comprehension.aggregate add : f64 {
    %j, %i, %a = comprehension.each %T2 : !matrix
    %ii, %v = comprehension.each %x : !vector
    %eq = arith.cmpi eq, %ii, %i : index
    comprehension.guard %eq
    %p = arith.mulf %a, %v : f64
    comprehension.yield %p
  }
  %T3 = comprehension.build (%m, %k) : !matrix {
    %i, %j, %a = comprehension.each %A : !matrix
    comprehension.yield (%j, %i) %a
  }
  %r3 = comprehension.aggregate add : f64 {
    %j, %i, %a = comprehension.each %T3 : !matrix
    %ii, %v = comprehension.each %x : !vector
    %eq = arith.cmpi eq, %ii, %i : index
    comprehension.guard %eq
    %p = arith.mulf %a, %v : f64
    comprehension.yield %p
  }
  %T4 = comprehension.build (%sm, %sn) : !sparse {
    %i, %j, %a = comprehension.each %S : !sparse
    comprehension.yield (%j, %i) %a
  }
  %r4 = comprehension.aggregate add : f64 {
    %j, %i, %a = comprehension.each %T4 : !sparse
    %ii, %v = comprehension.each %x : !vector
    %eq = arith.cmpi eq, %ii, %i : index
    comprehension.guard %eq
    %p = arith.mulf %a, %v : f64
    comprehension.yield %p
  }
  func.return %T, %r, %r2, %r3, %r4 : !matrix, f64, f64, f64, f64
}
// CHECK-LABEL: func.func @kept
// CHECK:         comprehension.each %T
// CHECK:         comprehension.each %T2
// CHECK:         comprehension.each %T3
// CHECK:         comprehension.each %T4
