// RUN: diablo-opt %s -p fuse-producers,dce | filecheck %s
// RUN: diablo-opt %s -p fuse-producers --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK

!vector = tensor<?xf64>
!matrix = tensor<?x?xf64>

// Through a transposition; the elements are computed where the guard has let the row through.
// REMARK:        remark: the elements of B are computed where they are read
// CHECK-LABEL: func.func @fused
// CHECK-NOT:     %B
// CHECK:         %s = comprehension.aggregate add : f64 {
// CHECK-NEXT:      %zero = arith.constant 0 : index
// CHECK-NEXT:      %i = comprehension.range %zero to %last
// CHECK-NEXT:      %j = comprehension.range %zero to %last
// CHECK-NEXT:      %p = arith.cmpi slt, %j, %i : index
// CHECK-NEXT:      comprehension.guard %p
// CHECK-NEXT:      %x = comprehension.random 0 seed(%seed) at(%i, %j)
// CHECK-NEXT:      comprehension.yield %x
func.func @fused(%n: index, %seed: i64) -> f64 {
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %B = comprehension.build (%n, %n) : !matrix {
    %zero = arith.constant 0 : index
    %i = comprehension.range %zero to %last
    %j = comprehension.range %zero to %last
    %x = comprehension.random 0 seed(%seed) at(%i, %j)
    comprehension.yield (%j, %i) %x
  }
  %s = comprehension.aggregate add : f64 {
    %i, %j, %b = comprehension.each %B full : !matrix
    %p = arith.cmpi slt, %i, %j : index
    comprehension.guard %p
    comprehension.yield %b
  }
  func.return %s : f64
}

// Elements that nothing uses are computed above a group: below it no value of a row may stand.
// REMARK:        remark: the elements of B are computed where they are read
// CHECK-LABEL: func.func @unused
// CHECK-NOT:     %B
// CHECK:         %C = comprehension.build (%n) : tensor<?xindex> {
// CHECK-NEXT:      %i = comprehension.range %zero to %last
// CHECK-NEXT:      %g, %is = comprehension.group_by keys(%i) values(%i) : index, !comprehension.bag<index>
func.func @unused(%n: index) -> tensor<?xindex> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %B = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    %k = arith.index_cast %i : index to i64
    %b = arith.sitofp %k : i64 to f64
    comprehension.yield (%i) %b
  }
  %C = comprehension.build (%n) : tensor<?xindex> {
    %i, %b = comprehension.each %B full : !vector
    %g, %is = comprehension.group_by keys(%i) values(%i) : index, !comprehension.bag<index>
    %least = comprehension.aggregate min : index {
      %k = comprehension.each %is : !comprehension.bag<index>
      comprehension.yield %k
    }
    comprehension.yield (%g) %least
  }
  func.return %C : tensor<?xindex>
}

// Held back: without the blocks of B the work would not be distributed; into a tiled result, or
// from tiled arrays, it is.
// REMARK:        remark: B is built before it is read: its blocks are what distributes the work
// REMARK:        remark: the elements of C are computed where they are read
// CHECK-LABEL: func.func @tiled
// CHECK:         %B = comprehension.build
// CHECK:           comprehension.each %B
// CHECK-NOT:     %C
// CHECK:         %D = comprehension.build
// CHECK-NOT:     %C
!tiled = tensor<?xf64, #tensor_block.tiles<dense = 1>>
func.func @tiled(%n: index, %x: f64) -> (f64, !tiled) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %B = comprehension.build (%n) : !tiled {
    %i = comprehension.range %zero to %last
    comprehension.yield (%i) %x
  }
  %s = comprehension.aggregate add : f64 {
    %i, %b = comprehension.each %B : !tiled
    comprehension.yield %b
  }
  %C = comprehension.build (%n) : !tiled {
    %i = comprehension.range %zero to %last
    comprehension.yield (%i) %x
  }
  %D = comprehension.build (%n) : !tiled {
    %i, %c = comprehension.each %C : !tiled
    %y = arith.addf %c, %c : f64
    comprehension.yield (%i) %y
  }
  func.return %s, %D : f64, !tiled
}

// Held back: read twice, per row of another array, with a gap, failing, a factor of a product.
// REMARK:        remark: A is built before it is read: it is read in more than one place
// REMARK:        remark: B is built before it is read: its elements are read several times
// REMARK:        remark: C is built before it is read: it is not built with one row for each index
// REMARK:        remark: D is built before it is read: computing an element can fail
// REMARK:        remark: E is built before it is read: it may be a factor of a product that is one operation
// CHECK-LABEL: func.func @kept
// CHECK:         %A = comprehension.build
// CHECK:         %B = comprehension.build
// CHECK:         %C = comprehension.build
// CHECK:         %D = comprehension.build
// CHECK:         %E = comprehension.build
func.func @kept(%n: index, %V: !vector, %k: i64) -> (f64, f64, f64, f64, i64, f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %x = arith.constant 2.0 : f64
  %A = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    comprehension.yield (%i) %x
  }
  %s0 = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %A : !vector
    comprehension.yield %a
  }
  %s1 = comprehension.aggregate max : f64 {
    %i, %a = comprehension.each %A : !vector
    comprehension.yield %a
  }
  %B = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    comprehension.yield (%i) %x
  }
  %s2 = comprehension.aggregate max : f64 {
    %i, %v = comprehension.each %V : !vector
    %j, %b = comprehension.each %B : !vector
    comprehension.yield %b
  }
  %C = comprehension.build (%n) : !vector {
    %i = comprehension.range %one to %last
    comprehension.yield (%i) %x
  }
  %s3 = comprehension.aggregate max : f64 {
    %i, %c = comprehension.each %C : !vector
    comprehension.yield %c
  }
  %D = comprehension.build (%n) : tensor<?xi64> {
    %i = comprehension.range %zero to %last
    %q = arith.divsi %k, %k : i64
    comprehension.yield (%i) %q
  }
  %s4 = comprehension.aggregate max : i64 {
    %i, %d = comprehension.each %D : tensor<?xi64>
    comprehension.yield %d
  }
  %E = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    comprehension.yield (%i) %x
  }
  %s5 = comprehension.aggregate add : f64 {
    %i, %v = comprehension.each %V : !vector
    %j, %e = comprehension.each %E : !vector
    %p = arith.cmpi eq, %i, %j : index
    comprehension.guard %p
    %w = arith.mulf %v, %e : f64
    comprehension.yield %w
  }
  func.return %s0, %s1, %s2, %s3, %s4, %s5 : f64, f64, f64, f64, i64, f64
}
