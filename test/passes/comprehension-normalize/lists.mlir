// RUN: diablo-opt %s -p comprehension-normalize,dce | filecheck %s
// RUN: diablo-opt %s -p comprehension-normalize --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK
// Lists in rows, lists of one row, and lists that are better built.

// A list of one row is the row; a comprehension without qualifiers has one.
// CHECK-LABEL: func.func @one
// CHECK-NEXT:    %[[N:.*]] = arith.constant 2 : i64
// CHECK-NEXT:    func.return %x, %[[N]], %x
func.func @one(%x: i64) -> (i64, i64, i64) {
  %one = comprehension.collect : !comprehension.bag<i64> {
    comprehension.yield %x
  }
  %s = comprehension.aggregate add : i64 {
    %y = comprehension.each %one : !comprehension.bag<i64>
    comprehension.yield %y
  }
  %two = comprehension.list (%x), (%x) : !comprehension.bag<i64>
  %n = comprehension.length %two : !comprehension.bag<i64>
  %single = comprehension.list (%x) : !comprehension.bag<i64>
  %t = comprehension.reduce add %single : !comprehension.bag<i64>
  func.return %s, %n, %t : i64, i64, i64
}

// A nested list that is read once is taken in; a list that a row holds is folded as it is, with
// several columns in a group.
// CHECK-LABEL: func.func @nested
// CHECK:           %k, %v = comprehension.each %L
// CHECK-NEXT:      %s = comprehension.reduce add %v
// CHECK-NEXT:      %t = comprehension.aggregate max : i64 {
// CHECK-NEXT:        %x = comprehension.each %v
// CHECK-NEXT:        %y = arith.addi %x, %k
// CHECK-NEXT:        comprehension.yield %y
// CHECK-NEXT:      }
// CHECK-NEXT:      comprehension.yield %s, %t
// CHECK:           %[[P:.*]] = arith.muli %a, %b : i64
// CHECK-NEXT:      %{{.*}}, %[[PS:.*]] = comprehension.group_by keys(%b) values(%[[P]]) : i64, !comprehension.bag<i64>
// CHECK-NEXT:      %u = comprehension.reduce add %[[PS]]
func.func @nested(%L: !comprehension.bag<i64, !comprehension.bag<i64>>, %R: !comprehension.bag<i64, i64>) -> (!comprehension.bag<i64, i64>, i64) {
  %r = comprehension.collect : !comprehension.bag<i64, i64> {
    %k, %v = comprehension.each %L : !comprehension.bag<i64, !comprehension.bag<i64>>
    %s = comprehension.reduce add %v : !comprehension.bag<i64>
    %rows = comprehension.collect : !comprehension.bag<i64> {
      %x = comprehension.each %v : !comprehension.bag<i64>
      %y = arith.addi %x, %k : i64
      comprehension.yield %y
    }
    %t = comprehension.aggregate max : i64 {
      %z = comprehension.each %rows : !comprehension.bag<i64>
      comprehension.yield %z
    }
    comprehension.yield %s, %t
  }
  %m = comprehension.aggregate max : i64 {
    %a, %b = comprehension.each %R : !comprehension.bag<i64, i64>
    %g, %rows = comprehension.group_by keys(%b) values(%a, %b) : i64, !comprehension.bag<i64, i64>
    %u = comprehension.aggregate add : i64 {
      %c, %d = comprehension.each %rows : !comprehension.bag<i64, i64>
      %p = arith.muli %c, %d : i64
      comprehension.yield %p
    }
    comprehension.yield %u
  }
  func.return %r, %m : !comprehension.bag<i64, i64>, i64
}

// A guard in the fold of a group, with a monoid of the program's own: its identity otherwise.
comprehension.monoid @sums : tuple<f64, i64> identity [0.5 : f64, 7 : i64] {
^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
  comprehension.yield %x
}
// CHECK-LABEL: func.func @own
// CHECK:           %x, %y = comprehension.each %R
// CHECK:           %[[C:.*]] = arith.constant 5.000000e-01 : f64
// CHECK-NEXT:      %[[D:.*]] = arith.constant 7 : i64
// CHECK-NEXT:      %[[I:.*]] = comprehension.pack %[[C]], %[[D]] : tuple<f64, i64>
// CHECK-NEXT:      %[[V:.*]] = arith.select %{{.*}}, %{{.*}}, %[[I]] : tuple<f64, i64>
// CHECK-NEXT:      comprehension.group_by keys(%y) values(%[[V]])
// CHECK-NEXT:      comprehension.reduce @sums
func.func @own(%R: !comprehension.bag<f64, i64>, %c: i1) -> tuple<f64, i64> {
  %m = comprehension.aggregate @sums : tuple<f64, i64> {
    %x, %y = comprehension.each %R : !comprehension.bag<f64, i64>
    %g, %rows = comprehension.group_by keys(%y) values(%x, %y) : i64, !comprehension.bag<f64, i64>
    %u = comprehension.aggregate @sums : tuple<f64, i64> {
      %a, %b = comprehension.each %rows : !comprehension.bag<f64, i64>
      comprehension.guard %c
      %p = comprehension.pack %a, %b : tuple<f64, i64>
      comprehension.yield %p
    }
    comprehension.yield %u
  }
  func.return %m : tuple<f64, i64>
}

// A map whose keys are distinct is taken in like a list.
// CHECK-LABEL: func.func @distinct
// CHECK-NEXT:    %s = comprehension.aggregate add : i64 {
// CHECK-NEXT:      comprehension.each %R
// CHECK-NEXT:      comprehension.group_by
func.func @distinct(%R: !comprehension.bag<i64, i64>) -> i64 {
  %map = comprehension.collect : !comprehension.bag<keys = 1, i64, i64> {
    %a, %b = comprehension.each %R : !comprehension.bag<i64, i64>
    %g, %bs = comprehension.group_by keys(%a) values(%b) : i64, !comprehension.bag<i64>
    %t = comprehension.reduce add %bs : !comprehension.bag<i64>
    comprehension.yield (%g) %t
  }
  %s = comprehension.aggregate add : i64 {
    %k, %v = comprehension.each %map : !comprehension.bag<keys = 1, i64, i64>
    comprehension.yield %v
  }
  func.return %s : i64
}

// Held back: a map drops rows with equal keys, and logarithms are not computed once per row of
// the other generator.
// REMARK:        remark: the list is built before it is read: it keeps one of the rows with equal keys
// REMARK:        remark: the list is built before it is read: it is read several times and not cheap to compute again
// CHECK-LABEL: func.func @kept
// CHECK-NEXT:    %map = comprehension.collect
// CHECK:         %logs = comprehension.collect
// CHECK:           comprehension.each %logs
func.func @kept(%R: !comprehension.bag<i64, i64>, %A: tensor<?xf64>) -> (i64, f64) {
  %map = comprehension.collect : !comprehension.bag<keys = 1, i64, i64> {
    %a, %b = comprehension.each %R : !comprehension.bag<i64, i64>
    comprehension.yield (%a) %b
  }
  %s = comprehension.aggregate add : i64 {
    %k, %v = comprehension.each %map : !comprehension.bag<keys = 1, i64, i64>
    comprehension.yield %v
  }
  %logs = comprehension.collect : !comprehension.bag<f64> {
    %i, %x = comprehension.each %A : tensor<?xf64>
    %l = math.log %x : f64
    comprehension.yield %l
  }
  %t = comprehension.aggregate add : f64 {
    %k, %v = comprehension.each %R : !comprehension.bag<i64, i64>
    %l = comprehension.each %logs : !comprehension.bag<f64>
    comprehension.yield %l
  }
  func.return %s, %t : i64, f64
}

// An array that is built from a list without rows is zero everywhere.
// CHECK-LABEL: func.func @zeros
// CHECK-NOT:     comprehension.list
// CHECK:         %[[ROWS:.*]] = arith.subi %n, %{{.*}} : index
// CHECK:         %[[COLUMNS:.*]] = arith.subi %m, %{{.*}} : index
// CHECK:         comprehension.build (%n, %m) : tensor<?x?xf64> {
// CHECK-NEXT:      %[[I:.*]] = comprehension.range %{{.*}} to %[[ROWS]]
// CHECK-NEXT:      %[[J:.*]] = comprehension.range %{{.*}} to %[[COLUMNS]]
// CHECK-NEXT:      %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:      comprehension.yield (%[[I]], %[[J]]) %[[ZERO]]
func.func @zeros(%n: index, %m: index, %w: index) -> tensor<?x?xf64> {
  %none = comprehension.list : !comprehension.bag<index, f64>
  %r = comprehension.build (%n, %m) : tensor<?x?xf64> {
    %k = comprehension.range %w to %m
    %i, %x = comprehension.each %none : !comprehension.bag<index, f64>
    %y = arith.addf %x, %x : f64
    comprehension.yield (%i, %k) %y
  }
  func.return %r : tensor<?x?xf64>
}

// A sparse one stores nothing, and the empty strings of another are made from the list: both stay.
// CHECK-LABEL: func.func @others
// CHECK:         %[[NONE:.*]] = comprehension.list
// CHECK:         comprehension.each %[[NONE]]
// CHECK:         comprehension.each
func.func @others(%n: index) -> (tensor<?xf64, #tensor_block.storage<dense = 0>>, tensor<?x!comprehension.string>) {
  %none = comprehension.list : !comprehension.bag<index, f64>
  %r = comprehension.build (%n) : tensor<?xf64, #tensor_block.storage<dense = 0>> {
    %i, %x = comprehension.each %none : !comprehension.bag<index, f64>
    comprehension.yield (%i) %x
  }
  %texts = comprehension.list : !comprehension.bag<index, !comprehension.string>
  %s = comprehension.build (%n) : tensor<?x!comprehension.string> {
    %i, %x = comprehension.each %texts : !comprehension.bag<index, !comprehension.string>
    comprehension.yield (%i) %x
  }
  func.return %r, %s : tensor<?xf64, #tensor_block.storage<dense = 0>>, tensor<?x!comprehension.string>
}
