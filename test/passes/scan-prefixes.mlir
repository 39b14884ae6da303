// RUN: diablo-opt %s -p scan-prefixes --remarks 2>&1 | filecheck %s

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// CHECK: remark: what is folded up to an index is one scan, which each row reads
// CHECK: remark: this is folded anew for each row: its terms depend on the index that they are folded up to

// The sums of the elements up to each index.
// CHECK-LABEL: func.func @sums
// CHECK:         %[[T:.*]] = comprehension.build (%[[N:.*]]) : [[V:.*]] {
// CHECK:         %[[S:.*]] = tensor_block.scan add %[[T]] along 0 : [[V]]
// CHECK-NEXT:    comprehension.build (%[[N]]) : [[V]] {
// CHECK:           %[[I:.*]], %s = comprehension.each %[[S]] : [[V]]
// CHECK-NOT:       comprehension.aggregate
// CHECK:           comprehension.yield (%[[I]]) %s
func.func @sums(%x: !vector) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %x, %zero : !vector
  %last = arith.subi %n, %one : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    %s = comprehension.aggregate add : f64 {
      %j = comprehension.range %zero to %i
      %jj, %a = comprehension.each %x full : !vector
      %eq = arith.cmpi eq, %jj, %j : index
      comprehension.guard %eq
      comprehension.yield %a
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}

// The greatest element from each index on, by a test: where the last index is read there is none.
// CHECK-LABEL: func.func @behind
// CHECK:         %[[S:.*]] = tensor_block.scan max %{{.*}} along 0 reverse
// CHECK:           %[[E:.*]], %[[FOUND:.*]] = comprehension.probe %[[S]][%{{.*}}]
// CHECK:           arith.select %[[FOUND]], %[[E]], %{{.*}} : f64
func.func @behind(%x: !vector) -> !vector {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : !vector
  %r = comprehension.build (%n) : !vector {
    %i, %x_i = comprehension.each %x : !vector
    %s = comprehension.aggregate max : f64 {
      %j, %a = comprehension.each %x full : !vector
      %p = arith.cmpi sgt, %j, %i : index
      comprehension.guard %p
      comprehension.yield %a
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}

// An update, for each row of a matrix.
// CHECK-LABEL: func.func @rows
// CHECK:         tensor_block.scan add %{{.*}} along 1
// CHECK:         comprehension.merge add %R
func.func @rows(%A: !matrix, %R: !matrix) -> !matrix {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %A, %zero : !matrix
  %m = tensor.dim %A, %one : !matrix
  %last_row = arith.subi %n, %one : index
  %last = arith.subi %m, %one : index
  %r = comprehension.merge add %R : !matrix {
    %i = comprehension.range %zero to %last_row
    %j = comprehension.range %zero to %last
    %k = comprehension.range %zero to %j
    %ii, %kk, %a = comprehension.each %A full : !matrix
    %p = arith.cmpi eq, %ii, %i : index
    comprehension.guard %p
    %q = arith.cmpi eq, %kk, %k : index
    comprehension.guard %q
    comprehension.yield (%i, %j) %a
  }
  func.return %r : !matrix
}

// The product with a triangle: each row has terms of its own.
// CHECK-LABEL: func.func @triangle
// CHECK-NOT:     tensor_block.scan
func.func @triangle(%A: !matrix) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %A, %zero : !matrix
  %last = arith.subi %n, %one : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    %s = comprehension.aggregate add : f64 {
      %j = comprehension.range %zero to %i
      %ii, %jj, %a = comprehension.each %A full : !matrix
      %p = arith.cmpi eq, %ii, %i : index
      comprehension.guard %p
      %q = arith.cmpi eq, %jj, %j : index
      comprehension.guard %q
      comprehension.yield %a
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}

// A bound that may lie far behind the array: no array is made as long as that, and what lies behind
// the last term is what is folded up to it.
// CHECK-LABEL: func.func @far
// CHECK:         %[[LAST:.*]] = arith.minsi
// CHECK:         comprehension.build
// CHECK:         tensor_block.scan add
// CHECK:         arith.minsi
// CHECK-NEXT:    comprehension.probe
func.func @far(%x: tensor<?xf64>, %n: index, %k: index) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %R = comprehension.build (%n) : tensor<?xf64> {
    %i = comprehension.range %zero to %last
    %end = arith.addi %i, %k : index
    %s = comprehension.aggregate add : f64 {
      %j = comprehension.range %zero to %end
      %jj, %v = comprehension.each %x : tensor<?xf64>
      %same = arith.cmpi eq, %jj, %j : index
      comprehension.guard %same
      comprehension.yield %v
    }
    comprehension.yield (%i) %s
  }
  func.return %R : tensor<?xf64>
}

// A range that ends before the rows do: its end is that of the terms, though the array is no longer
// than the result.
// CHECK-LABEL: func.func @ends
// CHECK:         %[[LAST:.*]] = arith.minsi
// CHECK:         comprehension.build
// CHECK:         tensor_block.scan add
// CHECK:         arith.minsi
// CHECK-NEXT:    comprehension.probe
func.func @ends(%x: tensor<?xf64>, %n: index, %end: index) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %R = comprehension.build (%n) : tensor<?xf64> {
    %i = comprehension.range %zero to %last
    %s = comprehension.aggregate add : f64 {
      %j = comprehension.range %zero to %end
      %upto = arith.cmpi sle, %j, %i : index
      comprehension.guard %upto
      %jj, %v = comprehension.each %x : tensor<?xf64>
      %same = arith.cmpi eq, %jj, %j : index
      comprehension.guard %same
      comprehension.yield %v
    }
    comprehension.yield (%i) %s
  }
  func.return %R : tensor<?xf64>
}
