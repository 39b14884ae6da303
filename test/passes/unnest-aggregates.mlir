// RUN: diablo-opt %s -p unnest-aggregates --remarks 2>&1 | filecheck %s

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// CHECK: remark: nested: the sums for all indices are one array, which each row reads

// The product of a matrix and a vector, written as a sum for each index.
func.func @product(%n: index, %A: !matrix, %v: !vector) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    %half = arith.constant 0.5 : f64
    %s = comprehension.aggregate add : f64 {
      %ii, %j, %a = comprehension.each %A : !matrix
      %eq = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eq
      %jj, %x = comprehension.each %v : !vector
      %eqj = arith.cmpi eq, %jj, %j : index
      comprehension.guard %eqj
      %p = arith.mulf %a, %x : f64
      %h = arith.mulf %p, %half : f64
      comprehension.yield %h
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @product
// CHECK:         %[[SUMS:.*]] = comprehension.build (%n) : tensor<?xf64, #tensor_block.tiles<dense = 1>> {
// CHECK:           %[[G:.*]], %[[PS:.*]] = comprehension.group_by keys(%ii) values(%h)
// CHECK-NEXT:      %[[S:.*]] = comprehension.reduce add %[[PS]]
// CHECK-NEXT:      comprehension.yield (%[[G]]) %[[S]]
// CHECK:         comprehension.build (%n)
// CHECK:           comprehension.range
// CHECK:           %{{.*}}, %s = comprehension.each %[[SUMS]] full
// CHECK:           comprehension.yield (%i) %s

// Two indices, those of an array.
func.func @matrix(%n: index, %A: !matrix {diablo.shape = array<i64: 8, 8>}, %B: !matrix {diablo.shape = array<i64: 8, 8>}) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %d0 = tensor.dim %A, %zero : !matrix
  %d1 = tensor.dim %A, %one : !matrix
  %r = comprehension.aggregate add : f64 {
    %i, %j, %a = comprehension.each %A : !matrix
    %s = comprehension.aggregate add : f64 {
      %k, %l, %b = comprehension.each %B : !matrix
      %eqk = arith.cmpi eq, %j, %k : index
      comprehension.guard %eqk
      %eql = arith.cmpi eq, %l, %i : index
      comprehension.guard %eql
      comprehension.yield %b
    }
    %p = arith.mulf %a, %s : f64
    comprehension.yield %p
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @matrix
// CHECK:         comprehension.build (%d1, %d0)
// CHECK:           comprehension.group_by keys(%k, %l)
// CHECK:         comprehension.aggregate add
// CHECK-NOT:       comprehension.aggregate

// Held back: zero is no neutral element of max.
func.func @greatest(%n: index, %A: !matrix) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    %s = comprehension.aggregate max : f64 {
      %ii, %j, %a = comprehension.each %A : !matrix
      %eq = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eq
      comprehension.yield %a
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @greatest
// CHECK:         comprehension.aggregate max
// CHECK-NOT:     group_by

// Held back: the sum uses the outer row in another way.
func.func @scaled(%n: index, %A: !matrix, %v: !vector) -> !vector {
  %r = comprehension.build (%n) : !vector {
    %i, %x = comprehension.each %v : !vector
    %s = comprehension.aggregate add : f64 {
      %ii, %j, %a = comprehension.each %A : !matrix
      %eq = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eq
      %p = arith.mulf %a, %x : f64
      comprehension.yield %p
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @scaled
// CHECK:         comprehension.aggregate add
// CHECK-NOT:     group_by

// Held back: the indices go further than any dimension that is known.
func.func @further(%n: index, %m: index, %A: !matrix) -> !vector {
  %zero = arith.constant 0 : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %m
    %s = comprehension.aggregate add : f64 {
      %ii, %j, %a = comprehension.each %A : !matrix
      %eq = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eq
      comprehension.yield %a
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @further
// CHECK:         comprehension.aggregate add
// CHECK-NOT:     group_by
