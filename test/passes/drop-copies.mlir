// RUN: diablo-opt %s -p drop-copies --split-input-file | filecheck %s
// RUN: diablo-opt %s -p drop-copies --split-input-file --remarks 2>&1 | filecheck %s --check-prefix=REMARK

!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 0>>

// What is in the array has indices within its bounds.
// CHECK-LABEL: func.func @slice
// CHECK:         %[[S:.*]] = tensor_block.slice
// CHECK-NEXT:    func.return %[[S]]
// REMARK:      remark: this is a copy of S, which is used itself
func.func @slice(%A: !sparse, %k: index) -> !vector {
  %zero = arith.constant 0 : index
  %n = tensor.dim %A, %zero : !sparse
  %S = tensor_block.slice %A[*, %k] : !sparse -> !vector
  %B = comprehension.build (%n) : !vector {
    %i, %a = comprehension.each %S : !vector
    %p = arith.cmpi sge, %i, %zero : index
    comprehension.guard %p
    %q = arith.cmpi sgt, %n, %i : index
    comprehension.guard %q
    comprehension.yield (%i) %a
  }
  func.return %B : !vector
}

// -----

!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
!dense = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// Not what is stored otherwise, transposed, computed with, filtered, or of another size.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-5: comprehension.build
// REMARK-NOT:  remark
func.func @others(%A: !sparse, %k: index) -> (!dense, !sparse, !sparse, !sparse, !sparse) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %A, %zero : !sparse
  %m = tensor.dim %A, %one : !sparse
  %B = comprehension.build (%n, %m) : !dense {
    %i, %j, %a = comprehension.each %A : !sparse
    comprehension.yield (%i, %j) %a
  }
  %C = comprehension.build (%m, %n) : !sparse {
    %i, %j, %a = comprehension.each %A : !sparse
    comprehension.yield (%j, %i) %a
  }
  %D = comprehension.build (%n, %m) : !sparse {
    %i, %j, %a = comprehension.each %A : !sparse
    %b = arith.addf %a, %a : f64
    comprehension.yield (%i, %j) %b
  }
  %E = comprehension.build (%n, %m) : !sparse {
    %i, %j, %a = comprehension.each %A : !sparse
    %p = arith.cmpi slt, %i, %k : index
    comprehension.guard %p
    comprehension.yield (%i, %j) %a
  }
  %F = comprehension.build (%n, %k) : !sparse {
    %i, %j, %a = comprehension.each %A : !sparse
    comprehension.yield (%i, %j) %a
  }
  func.return %B, %C, %D, %E, %F : !dense, !sparse, !sparse, !sparse, !sparse
}

// A comprehension without a generator.
// CHECK-LABEL: func.func @one_row
// CHECK:         comprehension.build
func.func @one_row(%n: index, %k: index, %x: f64) -> !sparse {
  %B = comprehension.build (%n, %n) : !sparse {
    comprehension.yield (%k, %k) %x
  }
  func.return %B : !sparse
}
