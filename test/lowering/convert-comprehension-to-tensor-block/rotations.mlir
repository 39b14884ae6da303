// Indices that wrap around: arrays are read at remainders; what keys that do so write is rotated.
// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --remarks 2>&1 | filecheck %s

// CHECK:     remark: its indices wrap around: the array is rotated as a whole
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
// CHECK:         tensor_block.map parallel(d0 < %nine) ins(%v[(d0 + 3) mod 9] :
// CHECK-NEXT:    ^bb0(%i: index, %x: f64):
// CHECK-NEXT:      tensor_block.yield %x

// Neighbours on both sides, where the size is known when the program runs, and every other one:
// one op, which reads each of them in place. `n - 1` more is one less; that the array has n
// elements is asked, but not whether n is positive: there is no point otherwise.
func.func @neighbours(%n: index, %v: !vector) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %last = arith.subi %n, %one : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    %next = arith.addi %i, %one : index
    %k = arith.remsi %next, %n : index
    %j, %x = comprehension.each %v full : !vector
    %e = arith.cmpi eq, %j, %k : index
    comprehension.guard %e
    %far = arith.addi %i, %last : index
    %k_1 = arith.remsi %far, %n : index
    %j_1, %x_1 = comprehension.each %v full : !vector
    %e_1 = arith.cmpi eq, %j_1, %k_1 : index
    comprehension.guard %e_1
    %twice = arith.muli %i, %two : index
    %k_2 = arith.remsi %twice, %n : index
    %j_2, %x_2 = comprehension.each %v full : !vector
    %e_2 = arith.cmpi eq, %j_2, %k_2 : index
    comprehension.guard %e_2
    %s = arith.addf %x, %x_1 : f64
    %t = arith.addf %s, %x_2 : f64
    comprehension.yield (%i) %t
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @neighbours
// CHECK:         %[[SIZE:.*]] = tensor.dim %v
// CHECK:         %[[LONG:.*]] = arith.cmpi sge, %[[SIZE]], %n : index
// CHECK:         %[[V:.*]] = scf.if %[[LONG]]
// CHECK-NEXT:      scf.yield %v
// CHECK:         tensor_block.map parallel(d0 < %n) symbols(%n) ins(%[[V]][(d0 + 1) mod s0] : {{.*}}, %[[V]][(d0 - 1) mod s0] : {{.*}}, %[[V]][(2 * d0) mod s0] :
// CHECK:         scf.if %[[LONG]]
// CHECK:         } else {
// CHECK:           arith.remsi
// CHECK:           arith.cmpi slt, %{{.*}}, %[[SIZE]]

// What may be negative has a negative remainder, where nothing is: no rotation, but a tested read.
func.func @negative(%n: index, %v: !vector) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    %before = arith.subi %i, %one : index
    %k = arith.remsi %before, %n : index
    %j, %x = comprehension.each %v full : !vector
    %e = arith.cmpi eq, %j, %k : index
    comprehension.guard %e
    comprehension.yield (%i) %x
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @negative
// CHECK-NOT:     mod
// CHECK:         tensor_block.map parallel(d0 < %n) ->
// CHECK:           %[[AT:.*]] = arith.remsi
// CHECK:           scf.if
// CHECK-NEXT:        tensor.extract %v[%[[AT]]]

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
// CHECK:           tensor_block.map {{.*}} symbols(%[[ONE:.*]], %n) ins(%v[(d0 - s0) mod s1] :
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

// The array is shorter than the indices wrap around: no rotation either.
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
// CHECK:         %[[AT:.*]] = arith.remsi
// CHECK-NEXT:    %[[BELOW:.*]] = arith.cmpi slt, %[[AT]]
// CHECK-NEXT:    scf.if %[[BELOW]]
// CHECK-NEXT:      tensor.extract %v[%[[AT]]]

// Groups by `i % m`: nothing is moved, and the array is expected to have more elements than there
// are groups. With a shift it is a rotation that adds.
func.func @groups(%m: index, %v: !vector) -> (!vector, !vector) {
  %one = arith.constant 1 : index
  %r = comprehension.build (%m) : !vector {
    %i, %x = comprehension.each %v : !vector
    %k = arith.remsi %i, %m : index
    %g, %b = comprehension.group_by keys(%k) values(%x) : index, !comprehension.bag<f64>
    %s = comprehension.reduce add %b : !comprehension.bag<f64>
    comprehension.yield (%g) %s
  }
  %t = comprehension.build (%m) : !vector {
    %i, %x = comprehension.each %v : !vector
    %next = arith.addi %i, %one : index
    %k = arith.remsi %next, %m : index
    %g, %b = comprehension.group_by keys(%k) values(%x) : index, !comprehension.bag<f64>
    %s = comprehension.reduce add %b : !comprehension.bag<f64>
    comprehension.yield (%g) %s
  }
  func.return %r, %t : !vector, !vector
}
// CHECK-LABEL: func.func @groups
// CHECK-NOT:     tensor_block.map
// CHECK:         tensor_block.scatter_reduce add
// CHECK:         tensor_block.map {{.*}} symbols(
