// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --remarks 2>&1 | filecheck %s

// CHECK: remark: evaluated over rows, not as array algebra: a generator runs over the rows of a list

!rows = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!counts = tensor<?xi64, #tensor_block.tiles<dense = 1>>

// A group-by on the result's index fills the array while it folds.
func.func @count(%n: index, %G: !comprehension.bag<i64, i64>) -> !counts {
  %r = comprehension.build (%n) : !counts {
    %i, %j = comprehension.each %G : !comprehension.bag<i64, i64>
    %one = arith.constant 1 : i64
    %g, %ones = comprehension.group_by keys(%i) values(%one) : i64, !comprehension.bag<i64>
    %s = comprehension.reduce add %ones : !comprehension.bag<i64>
    %k = arith.index_cast %g : i64 to index
    comprehension.yield (%k) %s
  }
  func.return %r : !counts
}
// CHECK-LABEL: func.func @count
// CHECK:         tensor_block.extend %G
// CHECK:         %[[ROWS:.*]] = tensor_block.project %{{.*}}[0, 3]
// CHECK-NEXT:    tensor_block.from_bag add %[[ROWS]] extents(%n)
// CHECK-NOT:     group_reduce

// An array joined to a list on its index is looked up.
func.func @weights(%n: index, %G: !comprehension.bag<i64, i64>, %C: !counts {diablo.shape = array<i64: 9>}) -> !rows {
  %one = arith.constant 1.0 : f64
  %r = comprehension.build (%n, %n) : !rows {
    %i, %j = comprehension.each %G : !comprehension.bag<i64, i64>
    %ii, %c = comprehension.each %C : !counts
    %i2 = arith.index_cast %ii : index to i64
    %eq = arith.cmpi eq, %i2, %i : i64
    comprehension.guard %eq
    %f = arith.sitofp %c : i64 to f64
    %w = arith.divf %one, %f : f64
    %x = arith.index_cast %i : i64 to index
    %y = arith.index_cast %j : i64 to index
    comprehension.yield (%x, %y) %w
  }
  func.return %r : !rows
}
// CHECK-LABEL: func.func @weights
// CHECK:         tensor_block.lookup %{{.*}}[0] in %C :
// CHECK:         tensor_block.extend
// CHECK:           arith.divf
// CHECK:         tensor_block.from_bag %{{.*}} extents(%n, %n)

// Two lists are joined; a guard filters before what it protects is computed, and of one list that
// list alone, before it is joined.
func.func @join(%L: !comprehension.bag<i64, i64>, %R: !comprehension.bag<i64, i64>) -> i64 {
  %zero = arith.constant 0 : i64
  %r = comprehension.aggregate add : i64 {
    %a, %x = comprehension.each %L : !comprehension.bag<i64, i64>
    %b, %y = comprehension.each %R : !comprehension.bag<i64, i64>
    %eq = arith.cmpi eq, %a, %b : i64
    comprehension.guard %eq
    %nonzero = arith.cmpi ne, %y, %zero : i64
    comprehension.guard %nonzero
    %q = arith.divsi %x, %y : i64
    comprehension.yield %q
  }
  func.return %r : i64
}
// CHECK-LABEL: func.func @join
// CHECK:         %[[SOME:.*]] = tensor_block.filter %R
// CHECK:           arith.cmpi ne
// CHECK:         tensor_block.join %L[0], %[[SOME]][0]
// CHECK:         tensor_block.extend
// CHECK:           arith.divsi
// CHECK:         tensor_block.fold add

// Equal floats are joined as equal integers are; other comparisons filter all pairs.
func.func @floats(%L: !comprehension.bag<f64, i64>, %R: !comprehension.bag<f64, i64>) -> i64 {
  %r = comprehension.aggregate add : i64 {
    %a, %x = comprehension.each %L : !comprehension.bag<f64, i64>
    %b, %y = comprehension.each %R : !comprehension.bag<f64, i64>
    %eq = arith.cmpf oeq, %a, %b : f64
    comprehension.guard %eq
    comprehension.yield %x
  }
  %s = comprehension.aggregate add : i64 {
    %c, %x1 = comprehension.each %L : !comprehension.bag<f64, i64>
    %d, %y1 = comprehension.each %R : !comprehension.bag<f64, i64>
    %le = arith.cmpf ule, %c, %d : f64
    comprehension.guard %le
    comprehension.yield %x1
  }
  %t = arith.addi %r, %s : i64
  func.return %t : i64
}
// CHECK-LABEL: func.func @floats
// CHECK:         tensor_block.join %{{.*}}[0], %{{.*}}[0]
// CHECK-NOT:     tensor_block.filter
// CHECK:         tensor_block.join %{{.*}}[], %{{.*}}[]
// CHECK:         tensor_block.filter
// CHECK:           arith.cmpf ule

// A group with several reductions and a condition on the groups.
func.func @having(%L: !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64> {
  %limit = arith.constant 2.0 : f64
  %r = comprehension.collect : !comprehension.bag<i64, f64> {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %g, %xs = comprehension.group_by keys(%k) values(%x) : i64, !comprehension.bag<f64>
    %s = comprehension.reduce add %xs : !comprehension.bag<f64>
    %m = comprehension.reduce max %xs : !comprehension.bag<f64>
    %large = arith.cmpf ogt, %m, %limit : f64
    comprehension.guard %large
    %d = arith.subf %s, %m : f64
    comprehension.yield (%g) %d
  }
  func.return %r : !comprehension.bag<i64, f64>
}
// CHECK-LABEL: func.func @having
// CHECK:         tensor_block.group_reduce %{{.*}} keys 1 monoids(add, max)
// CHECK:         tensor_block.filter
// CHECK:         tensor_block.extend
// CHECK:         tensor_block.project %{{.*}}[0, 3]

// A range whose end depends on another generator; the guard filters before it is computed.
func.func @triangle(%n: index) -> !comprehension.bag<index, index> {
  %zero = arith.constant 0 : index
  %twelve = arith.constant 12 : index
  %r = comprehension.collect : !comprehension.bag<index, index> {
    %i = comprehension.range %zero to %n
    %nonzero = arith.cmpi ne, %i, %zero : index
    comprehension.guard %nonzero
    %end = arith.divsi %twelve, %i : index
    %j = comprehension.range %i to %end
    comprehension.yield %i, %j
  }
  func.return %r : !comprehension.bag<index, index>
}
// CHECK-LABEL: func.func @triangle
// CHECK:         tensor_block.range %zero to %n
// CHECK:         tensor_block.filter
// CHECK:           arith.cmpi ne
// CHECK:         tensor_block.expand
// CHECK:           arith.divsi

// An equality that no join enforces filters before the guard that it protects.
func.func @equality_first(%L: !comprehension.bag<i64, i64>) -> i64 {
  %two = arith.constant 2 : i64
  %six = arith.constant 6 : i64
  %r = comprehension.aggregate add : i64 {
    %i, %x = comprehension.each %L : !comprehension.bag<i64, i64>
    %eq = arith.cmpi eq, %i, %two : i64
    comprehension.guard %eq
    %q = arith.divsi %six, %i : i64
    %large = arith.cmpi sgt, %q, %two : i64
    comprehension.guard %large
    comprehension.yield %x
  }
  func.return %r : i64
}
// CHECK-LABEL: func.func @equality_first
// CHECK:         tensor_block.filter %L
// CHECK:           arith.cmpi eq
// CHECK:         tensor_block.filter
// CHECK:           arith.divsi

// A guard that could fail waits for the join before it: rows without a partner never reach it.
func.func @join_first(%L: !comprehension.bag<i64, i64>, %R: !comprehension.bag<i64, i64>) -> i64 {
  %two = arith.constant 2 : i64
  %six = arith.constant 6 : i64
  %r = comprehension.aggregate add : i64 {
    %i, %x = comprehension.each %L : !comprehension.bag<i64, i64>
    %j, %y = comprehension.each %R : !comprehension.bag<i64, i64>
    %positive = arith.cmpi sgt, %j, %two : i64
    comprehension.guard %positive
    %eq = arith.cmpi eq, %j, %i : i64
    comprehension.guard %eq
    %q = arith.divsi %six, %i : i64
    %large = arith.cmpi sgt, %q, %two : i64
    comprehension.guard %large
    comprehension.yield %x
  }
  func.return %r : i64
}
// CHECK-LABEL: func.func @join_first
// CHECK:         tensor_block.filter %R
// CHECK:           arith.cmpi sgt
// CHECK:         tensor_block.join
// CHECK:         tensor_block.filter
// CHECK:           arith.divsi

// A range that goes down: its first index is the greatest.
func.func @downwards(%v: !vector {diablo.shape = array<i64: 9>}) -> !comprehension.bag<f64> {
  %eight = arith.constant 8 : index
  %one = arith.constant 1 : index
  %r = comprehension.collect : !comprehension.bag<f64> {
    %i = comprehension.range %eight to %one step -3
    %j, %x = comprehension.each %v full : !vector
    %eq = arith.cmpi eq, %j, %i : index
    comprehension.guard %eq
    comprehension.yield %x
  }
  func.return %r : !comprehension.bag<f64>
}
// CHECK-LABEL: func.func @downwards
// CHECK:         tensor_block.filter
// CHECK:           arith.cmpi sge, %i, %one
// CHECK:           arith.cmpi sle, %i, %eight
// CHECK:           arith.remsi

// An index in a range that varies: the range is gone through, and the array looked up.
func.func @band(%D: tensor<?x?xf64, #tensor_block.tiles<dense = 2>>, %n: index)
    -> !comprehension.bag<f64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = comprehension.collect : !comprehension.bag<f64> {
    %i = comprehension.range %zero to %n
    %before = arith.subi %i, %one : index
    %after = arith.addi %i, %one : index
    %j = comprehension.range %before to %after
    %ii, %jj, %x = comprehension.each %D full : tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
    %row = arith.cmpi eq, %ii, %i : index
    comprehension.guard %row
    %column = arith.cmpi eq, %jj, %j : index
    comprehension.guard %column
    comprehension.yield %x
  }
  func.return %r : !comprehension.bag<f64>
}
// CHECK-LABEL: func.func @band
// CHECK:         %[[I:.*]] = tensor_block.range %zero to %n
// CHECK-NEXT:    %[[J:.*]] = tensor_block.expand %[[I]]
// CHECK:         tensor_block.lookup %[[J]][0, 1] in %D

// The same over what a sparse array stores: its elements are few as well.
func.func @stored_band(%D: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %n: index)
    -> !comprehension.bag<f64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = comprehension.collect : !comprehension.bag<f64> {
    %i = comprehension.range %zero to %n
    %before = arith.subi %i, %one : index
    %after = arith.addi %i, %one : index
    %j = comprehension.range %before to %after
    %ii, %jj, %x = comprehension.each %D : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
    %row = arith.cmpi eq, %ii, %i : index
    comprehension.guard %row
    %column = arith.cmpi eq, %jj, %j : index
    comprehension.guard %column
    comprehension.yield %x
  }
  func.return %r : !comprehension.bag<f64>
}
// CHECK-LABEL: func.func @stored_band
// CHECK-NOT:     tensor_block.range
// CHECK:         %[[ENTRIES:.*]] = tensor_block.to_bag %D
// CHECK:         tensor_block.filter %[[ENTRIES]]

// An index that may trap (`V[i % n]`) is computed for the rows that reach it: each then looks one
// element up.
!reals = tensor<?xf64>
// CHECK-LABEL: func.func @wrapped_reads
// CHECK:         %[[I:.*]] = tensor_block.range
// CHECK-NOT:     join
// CHECK:         tensor_block.lookup
// CHECK-NOT:     join
// CHECK:         tensor_block.lookup
// CHECK:         return
func.func @wrapped_reads(%V: !reals, %n: i64, %last: index) -> !comprehension.bag<f64> {
  %0 = arith.constant 0 : index
  %r = comprehension.collect : !comprehension.bag<f64> {
    %i = comprehension.range %0 to %last
    %w = arith.index_cast %i : index to i64
    %m = arith.remsi %w, %n : i64
    %k = arith.index_cast %m : i64 to index
    %p, %v = comprehension.each %V full : !reals
    %eq = arith.cmpi eq, %p, %k : index
    comprehension.guard %eq
    %two = arith.constant 2 : i64
    %x = arith.addi %w, %two : i64
    %mx = arith.remsi %x, %n : i64
    %kx = arith.index_cast %mx : i64 to index
    %q, %u = comprehension.each %V full : !reals
    %eq2 = arith.cmpi eq, %q, %kx : index
    comprehension.guard %eq2
    %s = arith.addf %v, %u : f64
    %positive = arith.cmpf ogt, %s, %v : f64
    comprehension.guard %positive
    comprehension.yield () %s
  }
  func.return %r : !comprehension.bag<f64>
}

// What a guard protects waits for it, and so does one whose op comes after a generator: its rows
// may be none.
// CHECK-LABEL: func.func @protected_reads
// CHECK:         tensor_block.join
// CHECK:         tensor_block.filter
// CHECK:           arith.remsi
// CHECK:         return
func.func @protected_reads(%V: !reals, %n: i64, %last: index) -> !comprehension.bag<f64> {
  %0 = arith.constant 0 : index
  %r = comprehension.collect : !comprehension.bag<f64> {
    %i = comprehension.range %0 to %last
    %p, %v = comprehension.each %V full : !reals
    %w = arith.index_cast %i : index to i64
    %m = arith.remsi %w, %n : i64
    %k = arith.index_cast %m : i64 to index
    %eq = arith.cmpi eq, %p, %k : index
    comprehension.guard %eq
    %q, %u = comprehension.each %V full : !reals
    %s = arith.addf %v, %u : f64
    %positive = arith.cmpf ogt, %s, %v : f64
    comprehension.guard %positive
    comprehension.yield () %s
  }
  func.return %r : !comprehension.bag<f64>
}

// What stands behind a test that can fail neither drops rows before it nor is joined before it.
func.func @fails_first(%L: !comprehension.bag<i64>, %R: !comprehension.bag<i64, i64>, %m: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %r = comprehension.aggregate add : i64 {
    %a = comprehension.each %L : !comprehension.bag<i64>
    %q = arith.divsi %m, %a : i64
    %p = arith.cmpi ne, %q, %zero : i64
    comprehension.guard %p
    %b, %y = comprehension.each %R : !comprehension.bag<i64, i64>
    %eq = arith.cmpi eq, %a, %b : i64
    comprehension.guard %eq
    %nonzero = arith.cmpi ne, %a, %zero : i64
    comprehension.guard %nonzero
    comprehension.yield %y
  }
  func.return %r : i64
}
// CHECK-LABEL: func.func @fails_first
// CHECK:         tensor_block.filter %L
// CHECK:           arith.divsi
// CHECK:         %[[LEFT:.*]] = tensor_block.filter
// CHECK:           arith.cmpi ne
// CHECK:         tensor_block.join %[[LEFT]][0], %R[0]

// One by a constant cannot: what stands behind it is tested as early as it can be.
func.func @never_fails(%L: !comprehension.bag<i64>, %R: !comprehension.bag<i64, i64>, %m: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %r = comprehension.aggregate add : i64 {
    %a = comprehension.each %L : !comprehension.bag<i64>
    %b, %y = comprehension.each %R : !comprehension.bag<i64, i64>
    %s = arith.addi %a, %y : i64
    %q = arith.divsi %s, %two : i64
    %p = arith.cmpi ne, %q, %zero : i64
    comprehension.guard %p
    %eq = arith.cmpi eq, %a, %b : i64
    comprehension.guard %eq
    %nonzero = arith.cmpi ne, %y, %zero : i64
    comprehension.guard %nonzero
    comprehension.yield %y
  }
  func.return %r : i64
}
// CHECK-LABEL: func.func @never_fails
// CHECK:         %[[SOME:.*]] = tensor_block.filter %R
// CHECK:         tensor_block.join %L[0], %[[SOME]][0]
// CHECK:           arith.divsi
