// RUN: diablo-opt %s -p slice-generators,cse,dce --split-input-file | filecheck %s
// RUN: diablo-opt %s -p slice-generators --split-input-file --remarks 2>&1 | filecheck %s --check-prefix=REMARK

// A column, at an index that is known when the program runs.
// CHECK-LABEL: func.func @column
// CHECK-NEXT:    %[[K:.*]] = arith.index_cast %k : i64 to index
// CHECK-NEXT:    %A_slice = tensor_block.slice %A[*, %[[K]]]
// CHECK-NEXT:    %s = comprehension.aggregate add : f64 {
// CHECK-NEXT:      %i, %a = comprehension.each %A_slice : tensor<?xf64, #tensor_block.tiles<dense = 0>>
// CHECK-NEXT:      comprehension.yield %a
// REMARK:      remark: a slice of A is read, at an index of dimension 1
func.func @column(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %k: i64) -> f64 {
  %s = comprehension.aggregate add : f64 {
    %i, %j, %a = comprehension.each %A : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
    %c = arith.index_cast %k : i64 to index
    %p = arith.cmpi eq, %j, %c : index
    comprehension.guard %p
    comprehension.yield %a
  }
  func.return %s : f64
}

// -----

// Through another generator and a sum, where both are sliced; the index has its value elsewhere.
// CHECK-LABEL: func.func @through_others
// CHECK:         %B_slice = tensor_block.slice %B[%k, *]
// CHECK-NEXT:    %[[NEXT:.*]] = arith.addi %k, %one : index
// CHECK-NEXT:    %A_slice = tensor_block.slice %A[*, %[[NEXT]]]
// CHECK-NEXT:    %s = comprehension.collect : !comprehension.bag<index, index, f64> {
// CHECK-NEXT:      %j, %b = comprehension.each %B_slice
// CHECK-NEXT:      %l, %a = comprehension.each %A_slice
// CHECK-NEXT:      comprehension.yield %k, %[[NEXT]], %a
func.func @through_others(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %B: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %k: index) -> !comprehension.bag<index, index, f64> {
  %one = arith.constant 1 : index
  %s = comprehension.collect : !comprehension.bag<index, index, f64> {
    %i, %j, %b = comprehension.each %B : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
    %l, %m, %a = comprehension.each %A : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
    %p = arith.cmpi eq, %i, %k : index
    comprehension.guard %p
    %n = arith.addi %i, %one : index
    %q = arith.cmpi eq, %m, %n : index
    comprehension.guard %q
    comprehension.yield %i, %m, %a
  }
  func.return %s : !comprehension.bag<index, index, f64>
}

// -----

// Several dimensions; one is left even if all indices are fixed.
// CHECK-LABEL: func.func @some_and_all
// CHECK:         %A_slice = tensor_block.slice %A[%k, *, %m]
// CHECK:           comprehension.each %A_slice
// CHECK:         %A_slice_1 = tensor_block.slice %A[%k, %m, *]
// CHECK:           %j, %{{.*}} = comprehension.each %A_slice_1
// CHECK-NEXT:      %[[P:.*]] = arith.cmpi eq, %j, %k : index
// CHECK-NEXT:      comprehension.guard %[[P]]
// REMARK:      remark: a slice of A is read, at an index of dimensions 0 and 2
// REMARK:      remark: a slice of A is read, at an index of dimensions 0 and 1
// REMARK:      remark: a slice of A is read, at an index of dimension 1
func.func @some_and_all(%A: tensor<?x?x?xf64, #tensor_block.tiles<dense = 2>>, %k: index, %m: index) -> (f64, f64) {
  %s = comprehension.aggregate add : f64 {
    %h, %i, %j, %a = comprehension.each %A : tensor<?x?x?xf64, #tensor_block.tiles<dense = 2>>
    %p = arith.cmpi eq, %h, %k : index
    comprehension.guard %p
    %q = arith.cmpi eq, %m, %j : index
    comprehension.guard %q
    comprehension.yield %a
  }
  %t = comprehension.aggregate add : f64 {
    %h, %i, %j, %a = comprehension.each %A : tensor<?x?x?xf64, #tensor_block.tiles<dense = 2>>
    %o = arith.cmpi eq, %h, %k : index
    comprehension.guard %o
    %p = arith.cmpi eq, %i, %m : index
    comprehension.guard %p
    %q = arith.cmpi eq, %j, %k : index
    comprehension.guard %q
    comprehension.yield %a
  }
  func.return %s, %t : f64, f64
}

// -----

// A generator over all indices does not run outside of the array.
// CHECK-LABEL: func.func @full
// CHECK:         %[[IN:.*]] = arith.cmpi ult, %k, %m : index
// CHECK-NEXT:    %A_slice = tensor_block.slice %A[*, %k]
// CHECK-NEXT:    %s = comprehension.aggregate min : f64 {
// CHECK-NEXT:      comprehension.guard %[[IN]]
// CHECK-NEXT:      %i, %a = comprehension.each %A_slice full
func.func @full(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %k: index) -> (f64, index) {
  %c = arith.constant 1 : index
  %m = tensor.dim %A, %c : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  %s = comprehension.aggregate min : f64 {
    %i, %j, %a = comprehension.each %A full : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
    %p = arith.cmpi eq, %j, %k : index
    comprehension.guard %p
    comprehension.yield %a
  }
  func.return %s, %m : f64, index
}

// -----

// Not where the index varies with the rows of a comprehension around, nor in dense arrays, nor
// in a vector, of which nothing would be left.
// CHECK-LABEL: func.func @varying
// CHECK-NOT:     tensor_block.slice
// CHECK:         func.return
// REMARK-NOT:  a slice
func.func @varying(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %D: tensor<?x?xf64, #tensor_block.tiles<dense = 2>>, %v: tensor<?xf64, #tensor_block.tiles<dense = 0>>, %n: index) -> (!comprehension.bag<index, f64>, f64, f64) {
  %zero = arith.constant 0 : index
  %sums = comprehension.collect : !comprehension.bag<index, f64> {
    %k = comprehension.range %zero to %n
    %s = comprehension.aggregate add : f64 {
      %i, %j, %a = comprehension.each %A : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
      %p = arith.cmpi eq, %j, %k : index
      comprehension.guard %p
      comprehension.yield %a
    }
    comprehension.yield %k, %s
  }
  %t = comprehension.aggregate add : f64 {
    %i, %j, %a = comprehension.each %D : tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
    %p = arith.cmpi eq, %j, %n : index
    comprehension.guard %p
    comprehension.yield %a
  }
  %u = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %v : tensor<?xf64, #tensor_block.tiles<dense = 0>>
    %p = arith.cmpi eq, %i, %n : index
    comprehension.guard %p
    comprehension.yield %a
  }
  func.return %sums, %t, %u : !comprehension.bag<index, f64>, f64, f64
}

// -----

// Nor where a division in front of the test would no longer fail.
// CHECK-LABEL: func.func @failing
// CHECK-NOT:     tensor_block.slice
// REMARK:      remark: this is no slice: an operation in front of the test can fail
func.func @failing(%A: tensor<?x?xi64, #tensor_block.tiles<dense = 1>>, %k: index) -> i64 {
  %one = arith.constant 1 : i64
  %s = comprehension.aggregate add : i64 {
    %i, %j, %a = comprehension.each %A : tensor<?x?xi64, #tensor_block.tiles<dense = 1>>
    %b = arith.subi %a, %one : i64
    %c = arith.divsi %a, %b : i64
    %p = arith.cmpi eq, %j, %k : index
    comprehension.guard %p
    comprehension.yield %c
  }
  func.return %s : i64
}
