// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block | filecheck %s
// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK

!rows = !comprehension.bag<index, index, f64>
!dense = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
!region = tensor<?x?xi1, #tensor_block.tiles<dense = 1>>

// Rows of a list, of which those count that are in the region.
// REMARK: its rows lie within R: it may share its indices
// CHECK-LABEL: func.func @listed
// CHECK:         %A = tensor_block.from_bag %{{.*}} extents(%n, %m) within(%R : tensor<?x?xi1, #tensor_block.tiles<dense = 1>>)
func.func @listed(%L: !rows, %R: !region) -> !sparse {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %R, %zero : !region
  %m = tensor.dim %R, %one : !region
  %A = comprehension.build (%n, %m) : !sparse {
    %i, %j, %v = comprehension.each %L : !rows
    %k, %l, %r = comprehension.each %R : !region
    %same_i = arith.cmpi eq, %k, %i : index
    comprehension.guard %same_i
    %same_j = arith.cmpi eq, %l, %j : index
    comprehension.guard %same_j
    comprehension.yield (%i, %j) %v
  }
  func.return %A : !sparse
}

// The region is probed. The region comes before an array that holds the indices as well.
// REMARK: its rows lie within R: it may share its indices
// CHECK-LABEL: func.func @probed
// CHECK:         tensor_block.from_bag add %{{.*}} dest(%A : {{.*}}) within(%R : tensor<?x?xi1, #tensor_block.tiles<dense = 1>>)
func.func @probed(%L: !rows, %R: !region, %S: !sparse) -> !sparse {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %R, %zero : !region
  %m = tensor.dim %R, %one : !region
  %v0 = arith.constant 5.0 : f64
  %A = comprehension.build (%n, %m) : !sparse {
    %i, %j, %r = comprehension.each %R : !region
    comprehension.yield (%i, %j) %v0
  }
  %B = comprehension.merge add %A : !sparse {
    %i, %j, %v = comprehension.each %L : !rows
    %r, %inside = comprehension.probe %R[%i, %j] : !region
    comprehension.guard %r
    %k, %l, %s = comprehension.each %S : !sparse
    %same_i = arith.cmpi eq, %k, %i : index
    comprehension.guard %same_i
    %same_j = arith.cmpi eq, %l, %j : index
    comprehension.guard %same_j
    %w = arith.mulf %v, %s : f64
    comprehension.yield (%i, %j) %w
  }
  func.return %B : !sparse
}

// Held back: the result has other dimensions, has its rows elsewhere, or is dense.
// CHECK-LABEL: func.func @elsewhere
// CHECK-COUNT-3: tensor_block.from_bag
// CHECK-NOT:     within
// CHECK:         return
func.func @elsewhere(%L: !rows, %R: !region, %n: index, %D: !dense) -> (!sparse, !sparse, !dense) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rows = tensor.dim %R, %zero : !region
  %columns = tensor.dim %R, %one : !region
  %A = comprehension.build (%n, %n) : !sparse {
    %i, %j, %v = comprehension.each %L : !rows
    %r, %inside = comprehension.probe %R[%i, %j] : !region
    comprehension.guard %r
    comprehension.yield (%i, %j) %v
  }
  %B = comprehension.build (%rows, %columns) : !sparse {
    %i, %j, %v = comprehension.each %L : !rows
    %r, %inside = comprehension.probe %R[%j, %i] : !region
    comprehension.guard %r
    comprehension.yield (%i, %j) %v
  }
  %C = comprehension.merge %D : !dense {
    %i, %j, %v = comprehension.each %L : !rows
    %r, %inside = comprehension.probe %R[%i, %j] : !region
    comprehension.guard %r
    comprehension.yield (%i, %j) %v
  }
  func.return %A, %B, %C : !sparse, !sparse, !dense
}
