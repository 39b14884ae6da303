// Keys `2 * i + a`: an array with a dimension for i and one for a.
// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --remarks 2>&1 | filecheck %s
// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce,convert-tensor-block-to-spark,canonicalize,dce | filecheck %s --check-prefix SPARK

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// CHECK:       remark: keys interleave two indices: an array of more dimensions, seen as one
// CHECK-NOT:   remark: keys interleave

// CHECK-LABEL: func.func @twice
// CHECK:         %[[N:.*]] = arith.index_cast %n : i64 to index
// CHECK:         %[[R:.*]] = tensor_block.map parallel(d0 < %[[N]], d1 < %{{.*}})
// CHECK-SAME:      tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
// CHECK:         tensor.collapse_shape %[[R]] {{\[\[0 : i64, 1 : i64\]\]}}
// SPARK-LABEL: func.func @twice
// SPARK:         spark.interleave %{{.*}} [2] dims(%{{.*}}) : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>
func.func @twice(%n: i64) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %both = arith.constant 2 : i64
  %m = arith.muli %n, %both : i64
  %size = arith.index_cast %m : i64 to index
  %k = arith.index_cast %n : i64 to index
  %last = arith.subi %k, %one : index
  %r = comprehension.build (%size) : !vector {
    %i = comprehension.range %zero to %last
    %a = comprehension.range %zero to %one
    %first = arith.muli %i, %two : index
    %key = arith.addi %first, %a : index
    %j = arith.index_cast %a : index to i64
    %x = arith.sitofp %j : i64 to f64
    comprehension.yield (%key) %x
  }
  func.return %r : !vector
}

// Two pairs of indices have the same key: not one to one.
// CHECK-LABEL: func.func @overlapping
// CHECK-NOT:     tensor.collapse_shape
// SPARK-LABEL: func.func @overlapping
func.func @overlapping(%n: i64) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %both = arith.constant 2 : i64
  %m = arith.muli %n, %both : i64
  %size = arith.index_cast %m : i64 to index
  %k = arith.index_cast %n : i64 to index
  %r = comprehension.build (%size) : !vector {
    %i = comprehension.range %zero to %k
    %a = comprehension.range %zero to %two
    %first = arith.muli %i, %two : index
    %key = arith.addi %first, %a : index
    %j = arith.index_cast %a : index to i64
    %x = arith.sitofp %j : i64 to f64
    comprehension.yield (%key) %x
  }
  func.return %r : !vector
}

// The size need not be a multiple of two.
// CHECK-LABEL: func.func @odd
// CHECK-NOT:     tensor.collapse_shape
func.func @odd(%size: index) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %r = comprehension.build (%size) : !vector {
    %i = comprehension.range %zero to %size
    %a = comprehension.range %zero to %one
    %first = arith.muli %i, %two : index
    %key = arith.addi %first, %a : index
    %j = arith.index_cast %a : index to i64
    %x = arith.sitofp %j : i64 to f64
    comprehension.yield (%key) %x
  }
  func.return %r : !vector
}
