// RUN: diablo-opt %s -p narrow-ranges | filecheck %s
// RUN: diablo-opt %s -p narrow-ranges --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK

!pairs = !comprehension.bag<index, index>

// A band: the absolute value says two things, and the test goes away.
// REMARK:        remark: this range runs only where a test of its index can hold
// CHECK-LABEL: func.func @band
// CHECK:           %i = comprehension.range %zero to %last
// CHECK:           [[LESS:%.+]] = arith.subi %i,
// CHECK-NEXT:      [[LOW:%.+]] = arith.maxsi %zero, [[LESS]]
// CHECK:           [[MORE:%.+]] = arith.addi %i,
// CHECK-NEXT:      [[HIGH:%.+]] = arith.minsi %last, [[MORE]]
// CHECK-NEXT:      %j = comprehension.range [[LOW]] to [[HIGH]]
// CHECK-NEXT:      comprehension.yield
func.func @band(%last: index) -> !pairs {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : i64
  %r = comprehension.collect : !pairs {
    %i = comprehension.range %zero to %last
    %j = comprehension.range %zero to %last
    %ii = arith.index_cast %i : index to i64
    %jj = arith.index_cast %j : index to i64
    %d = arith.subi %ii, %jj : i64
    %a = math.absi %d : i64
    %p = arith.cmpi slt, %a, %two : i64
    comprehension.guard %p
    comprehension.yield %i, %j
  }
  func.return %r : !pairs
}

// A triangle: what is known of the bounds of %i makes the old upper bound of %j superfluous.
// CHECK-LABEL: func.func @triangle
// CHECK:           %j = comprehension.range %zero to %i
// CHECK-NEXT:      comprehension.yield
func.func @triangle(%last: index) -> !pairs {
  %zero = arith.constant 0 : index
  %r = comprehension.collect : !pairs {
    %i = comprehension.range %zero to %last
    %j = comprehension.range %zero to %last
    %p = arith.cmpi sle, %j, %i : index
    comprehension.guard %p
    comprehension.yield %i, %j
  }
  func.return %r : !pairs
}

// A band in three dimensions: each range is bounded by the one before it.
// CHECK-LABEL: func.func @rank_three
// CHECK:           %j = comprehension.range
// CHECK:           arith.subi %j,
// CHECK:           arith.addi %j,
// CHECK:           %k = comprehension.range
// CHECK-NEXT:      comprehension.yield
func.func @rank_three(%last: index) -> !comprehension.bag<index, index, index> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = comprehension.collect : !comprehension.bag<index, index, index> {
    %i = comprehension.range %zero to %last
    %j = comprehension.range %zero to %last
    %k = comprehension.range %zero to %last
    %d = arith.subi %i, %j : index
    %a = math.absi %d : index
    %p = arith.cmpi sle, %a, %one : index
    comprehension.guard %p
    %e = arith.subi %j, %k : index
    %b = math.absi %e : index
    %q = arith.cmpi sge, %one, %b : index
    comprehension.guard %q
    comprehension.yield %i, %j, %k
  }
  func.return %r : !comprehension.bag<index, index, index>
}

// 2 * j + i < c bounds j by (c - 1 - i) / 2, rounded down; where the terms are multiples of the
// factor, there is no division.
// CHECK-LABEL: func.func @multiples
// CHECK:           %j = comprehension.range
// CHECK:           arith.divsi
// CHECK:           %k = comprehension.range
// CHECK-NOT:       arith.divsi
// CHECK:           %l = comprehension.range
// CHECK-NOT:       comprehension.guard
func.func @multiples(%last: index, %c: index) -> !comprehension.bag<index, index, index> {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %five = arith.constant 5 : index
  %r = comprehension.collect : !comprehension.bag<index, index, index> {
    %j = comprehension.range %zero to %last
    %k = comprehension.range %zero to %last
    %twice_k = arith.muli %k, %two : index
    %s = arith.addi %twice_k, %j : index
    %p = arith.cmpi slt, %s, %c : index
    comprehension.guard %p
    %l = comprehension.range %zero to %last
    %twice_l = arith.muli %two, %l : index
    %t = arith.subi %twice_l, %twice_k : index
    %q = arith.cmpi sle, %t, %five : index
    comprehension.guard %q
    comprehension.yield %j, %k, %l
  }
  func.return %r : !comprehension.bag<index, index, index>
}

// The first index of a range with a step is one of the steps.
// CHECK-LABEL: func.func @steps
// CHECK:           %i = comprehension.range %zero to %last
// CHECK:           [[STEPS:%.+]] = arith.divsi
// CHECK:           [[WAY:%.+]] = arith.muli [[STEPS]],
// CHECK:           [[FIRST:%.+]] = arith.addi %zero, [[WAY]]
// CHECK:           %j = comprehension.range [[FIRST]] to %last step 3
// CHECK-NEXT:      comprehension.yield
func.func @steps(%last: index) -> !pairs {
  %zero = arith.constant 0 : index
  %r = comprehension.collect : !pairs {
    %i = comprehension.range %zero to %last
    %j = comprehension.range %zero to %last step 3
    %p = arith.cmpi sgt, %j, %i : index
    comprehension.guard %p
    comprehension.yield %i, %j
  }
  func.return %r : !pairs
}

// What the bounds say already is no test at all.
// CHECK-LABEL: func.func @implied
// CHECK:           %j = comprehension.range %i to %last
// CHECK-NEXT:      comprehension.yield
func.func @implied(%last: index) -> !pairs {
  %zero = arith.constant 0 : index
  %r = comprehension.collect : !pairs {
    %i = comprehension.range %zero to %last
    %j = comprehension.range %i to %last
    %p = arith.cmpi sge, %j, %zero : index
    comprehension.guard %p
    comprehension.yield %i, %j
  }
  func.return %r : !pairs
}

// Points beside the diagonal: bounds are known, but inside of them not all points belong to it.
// CHECK-LABEL: func.func @beside
// CHECK:           %j = comprehension.range %{{.+}} to %{{.+}}
// CHECK:           arith.cmpi eq
// CHECK:           comprehension.guard
func.func @beside(%last: index) -> !pairs {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = comprehension.collect : !pairs {
    %i = comprehension.range %zero to %last
    %j = comprehension.range %zero to %last
    %d = arith.subi %i, %j : index
    %a = math.absi %d : index
    %p = arith.cmpi eq, %a, %one : index
    comprehension.guard %p
    comprehension.yield %i, %j
  }
  func.return %r : !pairs
}

// All indices of a dense array are computed anyway: a range with a step stays simple.
// CHECK-LABEL: func.func @dense_steps
// CHECK:           %j = comprehension.range %zero to %last step 3
// CHECK:           comprehension.guard
func.func @dense_steps(%last: index, %n: index, %x: f64) -> tensor<?x?xf64> {
  %zero = arith.constant 0 : index
  %A = comprehension.build (%n, %n) : tensor<?x?xf64> {
    %i = comprehension.range %zero to %last
    %j = comprehension.range %zero to %last step 3
    %p = arith.cmpi sgt, %j, %i : index
    comprehension.guard %p
    comprehension.yield (%i, %j) %x
  }
  func.return %A : tensor<?x?xf64>
}

// These hold back: outside of a band is no range, a product of indices is no sum, a value that
// an array element decides is not known in front of the range, and an op that fails for rows
// which the test excludes must stay behind nothing.
// REMARK:        remark: this test bounds no range: an operation in front of it can fail
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-4:   comprehension.guard
func.func @kept(%last: index, %A: tensor<?xindex>) -> (!pairs, !pairs) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %r = comprehension.collect : !pairs {
    %i = comprehension.range %zero to %last
    %j = comprehension.range %zero to %last
    %d = arith.subi %i, %j : index
    %a = math.absi %d : index
    %p = arith.cmpi sgt, %a, %two : index
    comprehension.guard %p
    %m = arith.muli %i, %j : index
    %q = arith.cmpi slt, %m, %last : index
    comprehension.guard %q
    %k, %x = comprehension.each %A : tensor<?xindex>
    %s = arith.cmpi sge, %x, %j : index
    comprehension.guard %s
    comprehension.yield %i, %j
  }
  %t = comprehension.collect : !pairs {
    %i = comprehension.range %zero to %last
    %j = comprehension.range %zero to %last
    %d = arith.divsi %i, %j : index
    %p = arith.cmpi sgt, %j, %zero : index
    comprehension.guard %p
    comprehension.yield %i, %d
  }
  func.return %r, %t : !pairs, !pairs
}

// Above the greatest integer there is none to begin with.
// CHECK-LABEL: func.func @far
// CHECK:         comprehension.range %{{.*}} to %last
// CHECK-NEXT:    arith.cmpi sgt
// CHECK-NEXT:    comprehension.guard
func.func @far(%last: index) -> !pairs {
  %zero = arith.constant 0 : index
  %most = arith.constant 9223372036854775807 : index
  %r = comprehension.collect : !pairs {
    %i = comprehension.range %zero to %last
    %p = arith.cmpi sgt, %i, %most : index
    comprehension.guard %p
    comprehension.yield %i, %i
  }
  func.return %r : !pairs
}
