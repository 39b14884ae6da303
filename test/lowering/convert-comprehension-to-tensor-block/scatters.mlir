// Computed keys that the result's dimensions bound: tables, no rows.
// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --remarks 2>&1 | filecheck %s

// CHECK-NOT: evaluated over rows
// CHECK:     remark: computed keys: reduced into a table of the result's dimensions, not by sorting
// CHECK:     remark: evaluated over rows, not as array algebra: a key is computed, and a table of 70000 elements is too large for 9 points

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!counts = tensor<?xi64, #tensor_block.tiles<dense = 1>>

// A sum: the table is the result.
func.func @sums(%n: index, %v: !vector, %k: !counts {diablo.shape = array<i64: 5>}) -> !vector {
  %ten = arith.constant 3 : i64
  %r = comprehension.build (%n) : !vector {
    %i, %x = comprehension.each %v : !vector
    %j, %y = comprehension.each %k : !counts
    %e = arith.cmpi eq, %i, %j : index
    comprehension.guard %e
    %key = arith.remsi %y, %ten : i64
    %g, %xs = comprehension.group_by keys(%key) values(%x) : i64, !comprehension.bag<f64>
    %s = comprehension.reduce add %xs : !comprehension.bag<f64>
    %index = arith.index_cast %g : i64 to index
    comprehension.yield (%index) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @sums
// CHECK:         %[[TABLE:.*]] = tensor_block.scatter_reduce add reduced(d0 < %{{.*}}) into(%n) ins(%v[d0] : {{.*}}, %k[d0] :
// CHECK-NEXT:    ^bb0(
// CHECK:           arith.remsi
// CHECK:           tensor_block.yield %{{.*}}, %x : index, f64
// CHECK-NOT:     tensor_block.map
// CHECK:         return %[[TABLE]]

// A mean behind a guard: the count tells which keys there are.
func.func @means(%n: index, %v: !vector) -> !vector {
  %zero = arith.constant 0.0 : f64
  %unit = arith.constant 1.0 : f64
  %r = comprehension.build (%n) : !vector {
    %i, %x = comprehension.each %v : !vector
    %positive = arith.cmpf ogt, %x, %zero : f64
    comprehension.guard %positive
    %key = arith.fptosi %x : f64 to i64
    %g, %xs, %ones = comprehension.group_by keys(%key) values(%x, %unit) : i64, !comprehension.bag<f64>, !comprehension.bag<f64>
    %s = comprehension.reduce add %xs : !comprehension.bag<f64>
    %c = comprehension.reduce add %ones : !comprehension.bag<f64>
    %mean = arith.divf %s, %c : f64
    %index = arith.index_cast %g : i64 to index
    comprehension.yield (%index) %mean
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @means
// CHECK:         %[[SUMS:.*]] = tensor_block.scatter_reduce add
// CHECK:           scf.if %{{.*}} -> (index, f64)
// CHECK:             arith.constant -1 : index
// CHECK:         %[[COUNTS:.*]] = tensor_block.scatter_reduce add
// CHECK-NOT:     tensor_block.scatter_reduce or
// CHECK:         tensor_block.map parallel(d0 < %n) ins(%[[SUMS]][d0] : {{.*}}, %[[COUNTS]][d0] :
// CHECK:           arith.cmpf ogt
// CHECK:           scf.if
// CHECK:             arith.divf

// The largest: a second table tells which keys there are.
func.func @largest(%n: index, %v: !vector) -> !vector {
  %r = comprehension.build (%n) : !vector {
    %i, %x = comprehension.each %v : !vector
    %key = arith.fptosi %x : f64 to i64
    %g, %xs = comprehension.group_by keys(%key) values(%x) : i64, !comprehension.bag<f64>
    %s = comprehension.reduce max %xs : !comprehension.bag<f64>
    %index = arith.index_cast %g : i64 to index
    comprehension.yield (%index) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @largest
// CHECK:         tensor_block.scatter_reduce max
// CHECK:         tensor_block.scatter_reduce or
// CHECK:         tensor_block.map

// An update at an index that is looked up, in two dimensions.
func.func @update(%C: !matrix, %k: !counts, %v: !vector) -> !matrix {
  %two = arith.constant 2 : index
  %r = comprehension.merge add %C : !matrix {
    %i, %x = comprehension.each %v : !vector
    %j, %y = comprehension.each %k full : !counts
    %e = arith.cmpi eq, %j, %i : index
    comprehension.guard %e
    %row = arith.index_cast %y : i64 to index
    %column = arith.remsi %i, %two : index
    comprehension.yield (%row, %column) %x
  }
  func.return %r : !matrix
}
// CHECK-LABEL: func.func @update
// CHECK:         %[[TABLE:.*]] = tensor_block.scatter_reduce add reduced(d0 < %{{.*}}) into(%{{.*}}, %{{.*}})
// CHECK:         tensor_block.map {{.*}} ins(%C[d0, d1] : {{.*}}, %[[TABLE]][d0, d1] :

// Sums along the diagonals: the key adds two indices.
func.func @diagonals(%n: index, %A: !matrix) -> !vector {
  %r = comprehension.build (%n) : !vector {
    %i, %j, %a = comprehension.each %A : !matrix
    %k = arith.addi %i, %j : index
    %g, %as = comprehension.group_by keys(%k) values(%a) : index, !comprehension.bag<f64>
    %s = comprehension.reduce add %as : !comprehension.bag<f64>
    comprehension.yield (%g) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @diagonals
// CHECK:         tensor_block.scatter_reduce add reduced(d0 < %{{.*}}, d1 < %{{.*}}) into(%n) ins(%A[d0, d1] :

// A guard after the groups: what it drops keeps the implicit value.
func.func @having(%n: index, %v: !counts) -> !counts {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %r = comprehension.build (%n) : !counts {
    %i, %x = comprehension.each %v : !counts
    %g, %ones = comprehension.group_by keys(%x) values(%one) : i64, !comprehension.bag<i64>
    %c = comprehension.reduce add %ones : !comprehension.bag<i64>
    %often = arith.cmpi sge, %c, %two : i64
    comprehension.guard %often
    %index = arith.index_cast %g : i64 to index
    comprehension.yield (%index) %c
  }
  func.return %r : !counts
}
// CHECK-LABEL: func.func @having
// CHECK:         %[[TABLE:.*]] = tensor_block.scatter_reduce add
// CHECK:         tensor_block.map {{.*}} ins(%[[TABLE]][d0] :
// CHECK:           %often = arith.cmpi sge, %[[COUNT:.*]], %two : i64
// CHECK-NEXT:      %{{.*}} = scf.if %often -> (i64) {
// CHECK-NEXT:        scf.yield %[[COUNT]] : i64

// A table that is huge beside the data: rows.
func.func @huge(%v: !vector {diablo.shape = array<i64: 9>}) -> !vector {
  %n = arith.constant 70000 : index
  %r = comprehension.build (%n) : !vector {
    %i, %x = comprehension.each %v : !vector
    %key = arith.fptosi %x : f64 to i64
    %g, %xs = comprehension.group_by keys(%key) values(%x) : i64, !comprehension.bag<f64>
    %s = comprehension.reduce add %xs : !comprehension.bag<f64>
    %index = arith.index_cast %g : i64 to index
    comprehension.yield (%index) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @huge
// CHECK-NOT:     scatter_reduce
// CHECK:         tensor_block.from_bag add
