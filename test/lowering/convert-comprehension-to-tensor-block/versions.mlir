// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --remarks 2>&1 | filecheck %s

// CHECK: remark: two versions: array algebra if the arrays cover the result, else rows
// CHECK: remark: evaluated over rows, not as array algebra: an array is smaller than the result

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// How large %A is shows only while the program runs.
// CHECK-LABEL: func.func @unknown
// CHECK-DAG:     %[[ROWS:.*]] = tensor.dim %A, %c0
// CHECK-DAG:     %[[COLUMNS:.*]] = tensor.dim %A, %c1
// CHECK:         %[[T1:.*]] = arith.cmpi sge, %[[COLUMNS]], %m
// CHECK:         %[[T2:.*]] = arith.cmpi sge, %[[ROWS]], %n
// CHECK:         %[[COVERS:.*]] = arith.andi %[[T1]], %[[T2]]
// CHECK:         scf.if %[[COVERS]]
// CHECK-NEXT:      tensor_block.map parallel(d0 < %m, d1 < %n) ins(%A[d1, d0]
// CHECK:         } else {
// CHECK-NEXT:      tensor_block.to_bag %A
// CHECK:           tensor_block.from_bag %{{.*}} extents(%m, %n)
func.func @unknown(%n: index, %m: index, %A: !matrix) -> !matrix {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %A, %c0 : !matrix
  %columns = tensor.dim %A, %c1 : !matrix
  %r = comprehension.build (%m, %n) : !matrix {
    %i, %j, %a = comprehension.each %A : !matrix
    %b = arith.mulf %a, %a : f64
    comprehension.yield (%j, %i) %b
  }
  func.return %r : !matrix
}

// An array that is too small for the result needs no second version: the rest stays zero.
// CHECK-LABEL: func.func @smaller
// CHECK-NOT:     scf.if
// CHECK:         tensor_block.from_bag
func.func @smaller(%v: !vector {diablo.shape = array<i64: 4>}) -> !vector {
  %n = arith.constant 9 : index
  %r = comprehension.build (%n) : !vector {
    %i, %x = comprehension.each %v : !vector
    comprehension.yield (%i) %x
  }
  func.return %r : !vector
}

// An assertion that the extents are equal makes the second version needless.
// CHECK-LABEL: func.func @asserted
// CHECK-NOT:     scf.if
// CHECK:         tensor_block.map
func.func @asserted(%m: index, %A: !vector) -> !vector {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %A, %c0 : !vector
  %one = arith.constant 1 : index
  %n = arith.subi %m, %one : index
  %same = arith.cmpi eq, %n, %rows : index
  cf.assert %same, "not as long as n"
  %r = comprehension.build (%n) : !vector {
    %i, %a = comprehension.each %A : !vector
    comprehension.yield (%i) %a
  }
  func.return %r : !vector
}
