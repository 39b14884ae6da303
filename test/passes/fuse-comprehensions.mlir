// RUN: diablo-opt %s -p fuse-comprehensions,dce | filecheck %s
// RUN: diablo-opt %s -p fuse-comprehensions --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK

!vector = tensor<?xf64>
!rows = !comprehension.bag<index, f64>

// Sums and counts by the same key: grouped once.
// REMARK:        remark: this is computed together with another comprehension over the same rows
// CHECK-LABEL: func.func @groups
// CHECK:         %[[ROWS:.*]] = comprehension.collect : !comprehension.bag<index, f64, f64> {
// CHECK-NEXT:      %k, %x = comprehension.each %rows
// CHECK-NEXT:      %y = arith.mulf %x, %x : f64
// CHECK-NEXT:      %[[G:.*]], %xs, %[[YS:.*]] = comprehension.group_by keys(%k) values(%x, %y)
// CHECK-NEXT:      %s = comprehension.reduce add %xs
// CHECK-NEXT:      %[[M:.*]] = comprehension.reduce max %[[YS]]
// CHECK-NEXT:      comprehension.yield %[[G]], %s, %[[M]]
// CHECK-NEXT:    }
// CHECK-NEXT:    %S = comprehension.build (%n) : tensor<?xf64> {
// CHECK-NEXT:      %[[I:.*]], %[[V:.*]], %{{.*}} = comprehension.each %[[ROWS]]
// CHECK-NEXT:      comprehension.yield (%[[I]]) %[[V]]
// CHECK-NEXT:    }
// CHECK-NEXT:    %M = comprehension.build (%n) : tensor<?xf64> {
// CHECK-NEXT:      %[[J:.*]], %{{.*}}, %[[W:.*]] = comprehension.each %[[ROWS]]
// CHECK-NEXT:      comprehension.yield (%[[J]]) %[[W]]
func.func @groups(%rows: !rows, %n: index) -> (!vector, !vector) {
  %S = comprehension.build (%n) : !vector {
    %k, %x = comprehension.each %rows : !rows
    %g, %xs = comprehension.group_by keys(%k) values(%x) : index, !comprehension.bag<f64>
    %s = comprehension.reduce add %xs : !comprehension.bag<f64>
    comprehension.yield (%g) %s
  }
  %M = comprehension.build (%n) : !vector {
    %k, %x = comprehension.each %rows : !rows
    %y = arith.mulf %x, %x : f64
    %g, %ys = comprehension.group_by keys(%k) values(%y) : index, !comprehension.bag<f64>
    %m = comprehension.reduce max %ys : !comprehension.bag<f64>
    comprehension.yield (%g) %m
  }
  func.return %S, %M : !vector, !vector
}

// A join, in another order.
// CHECK-LABEL: func.func @join
// CHECK:         comprehension.collect : !comprehension.bag<f64, f64> {
// CHECK-COUNT-2:   comprehension.each %rows
// CHECK:           %[[V:.*]] = arith.mulf %x, %y
// CHECK-NEXT:      %[[W:.*]] = arith.addf %{{.*}}, %{{.*}}
// CHECK-NEXT:      comprehension.yield %[[V]], %[[W]]
// CHECK:         %s = comprehension.aggregate add : f64 {
// CHECK:         %t = comprehension.aggregate max : f64 {
func.func @join(%rows: !rows) -> (f64, f64) {
  %s = comprehension.aggregate add : f64 {
    %k, %x = comprehension.each %rows : !rows
    %l, %y = comprehension.each %rows : !rows
    %p = arith.cmpi eq, %k, %l : index
    comprehension.guard %p
    %v = arith.mulf %x, %y : f64
    comprehension.yield %v
  }
  %t = comprehension.aggregate max : f64 {
    %k, %x = comprehension.each %rows : !rows
    %l, %y = comprehension.each %rows : !rows
    %p = arith.cmpi eq, %l, %k : index
    comprehension.guard %p
    %v = arith.addf %y, %x : f64
    comprehension.yield %v
  }
  func.return %s, %t : f64, f64
}

// Held back: array algebra, a single list, a division, a value that comes too late.
// REMARK:        remark: this runs over the same rows as another comprehension, but apart: over arrays, each is array algebra of its own
// REMARK:        remark: this runs over the same rows as another comprehension, but apart: to read a list twice costs less than to write another
// REMARK:        remark: this runs over the same rows as another comprehension, but apart: the second needs what is computed after the first
// REMARK:        remark: this runs over the same rows as another comprehension, but apart: the second can fail
// CHECK-LABEL: func.func @apart
// CHECK-NOT:     comprehension.collect
// CHECK:         func.return
func.func @apart(%A: !vector, %L: !comprehension.bag<i64>) -> (f64, f64, i64, i64, i64, i64, i64) {
  %s0 = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %A : !vector
    %j, %b = comprehension.each %A : !vector
    %v = arith.mulf %a, %b : f64
    comprehension.yield %v
  }
  %s1 = comprehension.aggregate max : f64 {
    %i, %a = comprehension.each %A : !vector
    %j, %b = comprehension.each %A : !vector
    %v = arith.mulf %a, %b : f64
    comprehension.yield %v
  }
  %s2 = comprehension.aggregate add : i64 {
    %x = comprehension.each %L : !comprehension.bag<i64>
    comprehension.yield %x
  }
  %s3 = comprehension.aggregate add : i64 {
    %x = comprehension.each %L : !comprehension.bag<i64>
    %y = arith.muli %x, %x : i64
    comprehension.yield %y
  }
  %s3b = comprehension.aggregate max : i64 {
    %x = comprehension.each %L : !comprehension.bag<i64>
    %y = arith.muli %x, %x : i64
    comprehension.yield %y
  }
  %s4 = comprehension.aggregate add : i64 {
    %x = comprehension.each %L : !comprehension.bag<i64>
    %y = comprehension.each %L : !comprehension.bag<i64>
    comprehension.yield %x
  }
  %s5 = comprehension.aggregate add : i64 {
    %x = comprehension.each %L : !comprehension.bag<i64>
    %y = comprehension.each %L : !comprehension.bag<i64>
    %z = arith.muli %x, %s4 : i64
    comprehension.yield %z
  }
  %s6 = comprehension.aggregate add : i64 {
    %x = comprehension.each %L : !comprehension.bag<i64>
    %y = comprehension.each %L : !comprehension.bag<i64>
    %z = arith.divsi %x, %y : i64
    comprehension.yield %z
  }
  func.return %s0, %s1, %s2, %s3b, %s4, %s5, %s6 : f64, f64, i64, i64, i64, i64, i64
}
