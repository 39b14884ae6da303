// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block{whole=true},canonicalize,cse,dce | filecheck %s

// Conditions that are the same for all that is folded.

!vector = tensor<?xindex, #tensor_block.tiles<dense = 1>>
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// The element is read where the place lies inside, so that is tested around the read.
func.func @may_fail(%A: !matrix, %x: !vector, %k: index) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %i, %p = comprehension.each %x : !vector
    %row, %column, %v = comprehension.each %A : !matrix
    %at = arith.cmpi eq, %row, %p : index
    comprehension.guard %at
    %same = arith.cmpi eq, %column, %k : index
    comprehension.guard %same
    comprehension.yield %v
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @may_fail
// CHECK:         tensor_block.reduce add
// CHECK:           scf.if
// CHECK:             scf.if
// CHECK-NEXT:          %v = tensor.extract %A

// Held back: what cannot fail is folded, and the one test is of the sum.
func.func @cannot_fail(%A: !matrix, %k: index) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %row, %column, %v = comprehension.each %A : !matrix
    %same = arith.cmpi eq, %column, %k : index
    comprehension.guard %same
    comprehension.yield %v
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @cannot_fail
// CHECK:         tensor_block.reduce add
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      tensor_block.yield %v
// CHECK:         %r = scf.if
