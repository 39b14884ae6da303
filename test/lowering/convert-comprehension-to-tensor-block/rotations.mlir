// Indices that wrap around: the array is rotated, and read where it is aligned.
// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --remarks 2>&1 | filecheck %s

// CHECK:     remark: indices that wrap around: the array is rotated as a whole
// CHECK:     remark: two versions: array algebra if the arrays cover the result, else rows

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// Everything is known: a read from three further on.
func.func @read(%v: !vector {diablo.shape = array<i64: 9>}) -> !vector {
  %zero = arith.constant 0 : index
  %three = arith.constant 3 : index
  %eight = arith.constant 8 : index
  %nine = arith.constant 9 : index
  %r = comprehension.build (%nine) : !vector {
    %i = comprehension.range %zero to %eight
    %next = arith.addi %i, %three : index
    %k = arith.remsi %next, %nine : index
    %j, %x = comprehension.each %v full : !vector
    %e = arith.cmpi eq, %j, %k : index
    comprehension.guard %e
    comprehension.yield (%i) %x
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @read
// CHECK-NOT:     scf.if
// CHECK:         tensor_block.map parallel(d0 < %nine) symbols(%[[BY:.*]], %[[BACK:.*]]) ins(%v[d0 + s0] : {{.*}}, %v[d0 + s1] :
// CHECK:           arith.cmpi slt
// CHECK:           arith.select

// A write to the next index: read from the one before. What is not known is asked while running.
func.func @write(%n: index, %v: !vector) -> !vector {
  %one = arith.constant 1 : index
  %r = comprehension.build (%n) : !vector {
    %i, %x = comprehension.each %v : !vector
    %next = arith.addi %i, %one : index
    %k = arith.remsi %next, %n : index
    comprehension.yield (%k) %x
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @write
// CHECK:         scf.if
// CHECK:           tensor_block.map {{.*}} ins(%v[d0 + s0] : {{.*}}, %v[d0 + s1] :
// CHECK:         } else {
// CHECK:           tensor_block.from_bag

// The index is seen by itself: it is not that of the rotated array, and rows do it.
func.func @seen(%v: !vector {diablo.shape = array<i64: 9>}) -> !vector {
  %one = arith.constant 1 : index
  %nine = arith.constant 9 : index
  %r = comprehension.build (%nine) : !vector {
    %i, %x = comprehension.each %v : !vector
    %next = arith.addi %i, %one : index
    %k = arith.remsi %next, %nine : index
    %w = arith.index_cast %i : index to i64
    %f = arith.sitofp %w : i64 to f64
    %y = arith.mulf %f, %x : f64
    comprehension.yield (%k) %y
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @seen
// CHECK-NOT:     symbols
// CHECK:         tensor_block.from_bag

// The array is shorter than the indices wrap around.
func.func @short(%v: !vector {diablo.shape = array<i64: 5>}) -> !vector {
  %zero = arith.constant 0 : index
  %three = arith.constant 3 : index
  %eight = arith.constant 8 : index
  %nine = arith.constant 9 : index
  %r = comprehension.build (%nine) : !vector {
    %i = comprehension.range %zero to %eight
    %next = arith.addi %i, %three : index
    %k = arith.remsi %next, %nine : index
    %j, %x = comprehension.each %v full : !vector
    %e = arith.cmpi eq, %j, %k : index
    comprehension.guard %e
    comprehension.yield (%i) %x
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @short
// CHECK-NOT:     symbols
// CHECK:         tensor_block.lookup
