// RUN: diablo-opt %s -p flatten-groups --split-input-file --remarks 2>%t | filecheck %s
// RUN: filecheck %s --input-file %t --check-prefix=REMARK

!rows = !comprehension.bag<i64, i64, f64>
!pairs = !comprehension.bag<i64, f64>
!nested = !comprehension.bag<i64, !pairs>

// What is computed of a row before it is grouped again is computed in the rows themselves; the key
// of the outer group is known in the inner one.
func.func @sums(%L: !rows, %c: i64) -> !nested {
  %R = comprehension.collect : !nested {
    %k, %l, %x = comprehension.each %L : !rows
    %p = arith.cmpi sgt, %k, %c : i64
    comprehension.guard %p
    %g, %b = comprehension.group_by keys(%k) values(%l, %x) : i64, !pairs
    %r = comprehension.collect : !pairs {
      %l1, %x1 = comprehension.each %b : !pairs
      %m = arith.addi %l1, %c : i64
      %h, %xs = comprehension.group_by keys(%m) values(%x1) : i64, !comprehension.bag<f64>
      %s = comprehension.reduce add %xs : !comprehension.bag<f64>
      %n = arith.addi %h, %g : i64
      comprehension.yield %n, %s
    }
    comprehension.yield %g, %r
  }
  func.return %R : !nested
}
// CHECK-LABEL: func.func @sums
// CHECK-NEXT:    %[[F:.*]] = comprehension.collect : !comprehension.bag<i64, i64, f64> {
// CHECK-NEXT:      %[[K:.*]], %[[L:.*]], %[[X:.*]] = comprehension.each %L
// CHECK-NEXT:      arith.cmpi sgt, %[[K]], %c
// CHECK-NEXT:      comprehension.guard
// CHECK-NEXT:      %[[M:.*]] = arith.addi %[[L]], %c
// CHECK-NEXT:      %[[G:.*]], %[[H:.*]], %[[XS:.*]] = comprehension.group_by keys(%[[K]], %[[M]]) values(%[[X]])
// CHECK-NEXT:      %[[S:.*]] = comprehension.reduce add %[[XS]]
// CHECK-NEXT:      %[[N:.*]] = arith.addi %[[H]], %[[G]]
// CHECK-NEXT:      comprehension.yield %[[G]], %[[N]], %[[S]]
// CHECK-NEXT:    }
// CHECK-NEXT:    comprehension.collect
// CHECK-NEXT:      %[[K1:.*]], %[[N1:.*]], %[[S1:.*]] = comprehension.each %[[F]]
// CHECK-NEXT:      %[[G1:.*]], %[[R:.*]] = comprehension.group_by keys(%[[K1]]) values(%[[N1]], %[[S1]])
// CHECK-NEXT:      comprehension.yield %[[G1]], %[[R]]
// CHECK-NEXT:    }
// REMARK:      remark: groups that are grouped again are made by all keys at once

// -----

!rows = !comprehension.bag<i64, i64, f64>
!pairs = !comprehension.bag<i64, f64>

// How many different numbers each group has.
func.func @distinct(%L: !rows) -> !comprehension.bag<i64, i64> {
  %R = comprehension.collect : !comprehension.bag<i64, i64> {
    %k, %l, %x = comprehension.each %L : !rows
    %g, %b = comprehension.group_by keys(%k) values(%l, %x) : i64, !pairs
    %n = comprehension.aggregate add : i64 {
      %l1, %x1 = comprehension.each %b : !pairs
      %h, %xs = comprehension.group_by keys(%l1) values(%x1) : i64, !comprehension.bag<f64>
      %one = arith.constant 1 : i64
      comprehension.yield %one
    }
    comprehension.yield %g, %n
  }
  func.return %R : !comprehension.bag<i64, i64>
}
// CHECK-LABEL: func.func @distinct
// CHECK:         comprehension.group_by keys(%k, %l) values(%x)
// CHECK:         %[[G:.*]], %[[B:.*]] = comprehension.group_by keys(%{{.*}}) values(%{{.*}}) :
// CHECK-NEXT:    %n = comprehension.reduce add %[[B]] : !comprehension.bag<i64>
// CHECK-NEXT:    comprehension.yield %[[G]], %n
// REMARK:      remark: groups that are grouped again are made by all keys at once

// -----

!rows = !comprehension.bag<i64, i64, f64>
!pairs = !comprehension.bag<i64, f64>
!nested = !comprehension.bag<i64, !pairs>

// A group of which the guard drops every row has an empty list.
func.func @guarded(%L: !rows, %c: f64) -> !nested {
  %R = comprehension.collect : !nested {
    %k, %l, %x = comprehension.each %L : !rows
    %g, %b = comprehension.group_by keys(%k) values(%l, %x) : i64, !pairs
    %r = comprehension.collect : !pairs {
      %l1, %x1 = comprehension.each %b : !pairs
      %p = arith.cmpf ogt, %x1, %c : f64
      comprehension.guard %p
      %h, %xs = comprehension.group_by keys(%l1) values(%x1) : i64, !comprehension.bag<f64>
      %s = comprehension.reduce add %xs : !comprehension.bag<f64>
      comprehension.yield %h, %s
    }
    comprehension.yield %g, %r
  }
  func.return %R : !nested
}
// CHECK-LABEL: func.func @guarded
// CHECK:         comprehension.group_by keys(%k) values(%l, %x)
// REMARK:      remark: groups that are grouped again stay lists: rows are dropped, or added, in a group

// -----

!rows = !comprehension.bag<i64, i64, f64>
!pairs = !comprehension.bag<i64, f64>

// The rows of the group are counted as well.
func.func @counted(%L: !rows) -> !comprehension.bag<i64, !pairs> {
  %R = comprehension.collect : !comprehension.bag<i64, !pairs> {
    %k, %l, %x = comprehension.each %L : !rows
    %g, %b = comprehension.group_by keys(%k) values(%l, %x) : i64, !pairs
    %n = comprehension.length %b : !pairs
    %r = comprehension.collect : !pairs {
      %l1, %x1 = comprehension.each %b : !pairs
      %h, %xs = comprehension.group_by keys(%l1) values(%x1) : i64, !comprehension.bag<f64>
      %s = comprehension.reduce add %xs : !comprehension.bag<f64>
      comprehension.yield %h, %s
    }
    comprehension.yield %n, %r
  }
  func.return %R : !comprehension.bag<i64, !pairs>
}
// CHECK-LABEL: func.func @counted
// CHECK:         comprehension.group_by keys(%k) values(%l, %x)
// REMARK:      remark: groups that are grouped again stay lists: something else reads them too

// -----

!rows = !comprehension.bag<i64, i64, f64>
!pairs = !comprehension.bag<i64, f64>
!nested = !comprehension.bag<i64, !pairs>

// -0.0 and 0.0 are one key of a group, but rows of it have the one or the other.
func.func @by_outer(%L: !rows) -> !nested {
  %R = comprehension.collect : !nested {
    %k, %l, %x = comprehension.each %L : !rows
    %g, %b = comprehension.group_by keys(%k) values(%l, %x) : i64, !pairs
    %r = comprehension.collect : !pairs {
      %l1, %x1 = comprehension.each %b : !pairs
      %m = arith.addi %l1, %g : i64
      %h, %xs = comprehension.group_by keys(%m) values(%x1) : i64, !comprehension.bag<f64>
      %s = comprehension.reduce add %xs : !comprehension.bag<f64>
      comprehension.yield %h, %s
    }
    comprehension.yield %g, %r
  }
  func.return %R : !nested
}
// CHECK-LABEL: func.func @by_outer
// CHECK:         comprehension.group_by keys(%k) values(%l, %x)
// REMARK:      remark: groups that are grouped again stay lists: what their rows are grouped by depends on the outer group
