// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block | filecheck %s

!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
!dense = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!integers = tensor<?x?xi64, #tensor_block.tiles<dense = 1>>

// What %A stores may be infinite where %B stores nothing, so both are tested.
// CHECK-LABEL: func.func @total
// CHECK:         tensor_block.reduce add
// CHECK:           arith.cmpf une
// CHECK:           arith.cmpf une
// CHECK:           scf.if
// CHECK-NEXT:        arith.mulf
func.func @total(%A: !sparse, %B: !sparse) -> f64 {
  %sum = comprehension.aggregate add : f64 {
    %i, %j, %a = comprehension.each %A : !sparse
    %k, %l, %b = comprehension.each %B : !sparse
    %0 = arith.cmpi eq, %k, %i : index
    comprehension.guard %0
    %1 = arith.cmpi eq, %l, %j : index
    comprehension.guard %1
    %v = arith.mulf %a, %b : f64
    comprehension.yield %v
  }
  func.return %sum : f64
}

// A dense array has ordinary zeros: one array is gone through.
// CHECK-LABEL: func.func @with_dense
// CHECK:         tensor_block.reduce add
// CHECK-NOT:       arith.cmpf
// CHECK:           arith.mulf
func.func @with_dense(%A: !sparse, %B: !dense) -> f64 {
  %sum = comprehension.aggregate add : f64 {
    %i, %j, %a = comprehension.each %A : !sparse
    %k, %l, %b = comprehension.each %B : !dense
    %0 = arith.cmpi eq, %k, %i : index
    comprehension.guard %0
    %1 = arith.cmpi eq, %l, %j : index
    comprehension.guard %1
    %v = arith.mulf %a, %b : f64
    comprehension.yield %v
  }
  func.return %sum : f64
}

// No integer is infinite.
// CHECK-LABEL: func.func @integers
// CHECK:         tensor_block.reduce add
// CHECK-NOT:       arith.cmpi
// CHECK:           arith.muli
func.func @integers(%A: !integers, %B: !integers) -> i64 {
  %sum = comprehension.aggregate add : i64 {
    %i, %j, %a = comprehension.each %A : !integers
    %k, %l, %b = comprehension.each %B : !integers
    %0 = arith.cmpi eq, %k, %i : index
    comprehension.guard %0
    %1 = arith.cmpi eq, %l, %j : index
    comprehension.guard %1
    %v = arith.muli %a, %b : i64
    comprehension.yield %v
  }
  func.return %sum : i64
}

// Libraries multiply matrices where both store elements.
// CHECK-LABEL: func.func @matrices
// CHECK:         tensor_block.reduce add parallel
// CHECK-NOT:       arith.cmpf
// CHECK:           arith.mulf
func.func @matrices(%A: !sparse, %B: !sparse, %n: index) -> !dense {
  %C = comprehension.build (%n, %n) : !dense {
    %i, %k, %a = comprehension.each %A : !sparse
    %l, %j, %b = comprehension.each %B : !sparse
    %0 = arith.cmpi eq, %l, %k : index
    comprehension.guard %0
    %v = arith.mulf %a, %b : f64
    %p, %q, %bag = comprehension.group_by keys(%i, %j) values(%v) : index, index, !comprehension.bag<f64>
    %sum = comprehension.reduce add %bag : !comprehension.bag<f64>
    comprehension.yield (%p, %q) %sum
  }
  func.return %C : !dense
}
