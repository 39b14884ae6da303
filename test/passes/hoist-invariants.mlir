// RUN: diablo-opt %s -p hoist-invariants | filecheck %s
// RUN: diablo-opt %s -p 'hoist-invariants{elements=true}' | filecheck %s --check-prefix=ELEMENTS
// RUN: diablo-opt %s -p hoist-invariants --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK

// CHECK-LABEL: func.func @moves
// CHECK:         %last = arith.subi %n,
// CHECK:         comprehension.build
// CHECK-NEXT:      arith.constant
// CHECK-NEXT:      arith.constant
// CHECK-NEXT:      %i = comprehension.range %{{.*}} to %last
// CHECK-NEXT:      %varying = arith.addi %i, %n
func.func @moves(%n: index) -> tensor<?xindex> {
  %v = comprehension.build (%n) : tensor<?xindex> {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %last = arith.subi %n, %one : index
    %i = comprehension.range %zero to %last
    %varying = arith.addi %i, %n : index
    comprehension.yield (%i) %varying
  }
  func.return %v : tensor<?xindex>
}

// Held back: a division that no row evaluates must not happen.
// CHECK-LABEL: func.func @may_trap
// CHECK-NEXT:    comprehension.collect
// CHECK-NEXT:      comprehension.each
// CHECK-NEXT:      arith.divsi
func.func @may_trap(%a: i64, %b: i64, %rows: !comprehension.bag<i64>) -> !comprehension.bag<i64> {
  %v = comprehension.collect : !comprehension.bag<i64> {
    %x = comprehension.each %rows : !comprehension.bag<i64>
    %q = arith.divsi %a, %b : i64
    comprehension.yield %q
  }
  func.return %v : !comprehension.bag<i64>
}

// A nested comprehension that no row changes is computed once, and comes out of all that are
// around it; what can fail comes out where it is evaluated in any case.
// REMARK:        remark: this does not vary with the rows around it and is computed once
// CHECK-LABEL: func.func @nested
// CHECK:         %q = arith.divsi %{{.*}}, %b : i64
// CHECK-NEXT:    %s = comprehension.aggregate add : i64 {
// CHECK:         %r = comprehension.collect
// CHECK:           %u = comprehension.aggregate add
// CHECK-NEXT:        %w = comprehension.each
// CHECK-NEXT:        arith.addi %w, %s
func.func @nested(%b: i64, %rows: !comprehension.bag<i64>) -> !comprehension.bag<i64> {
  %r = comprehension.collect : !comprehension.bag<i64> {
    %one = arith.constant 1 : i64
    %q = arith.divsi %one, %b : i64
    %x = comprehension.each %rows : !comprehension.bag<i64>
    %u = comprehension.aggregate add : i64 {
      %w = comprehension.each %rows : !comprehension.bag<i64>
      %s = comprehension.aggregate add : i64 {
        %y = comprehension.each %rows : !comprehension.bag<i64>
        comprehension.yield %y
      }
      %t = arith.addi %w, %s : i64
      %v = arith.muli %t, %x : i64
      comprehension.yield %v
    }
    %z = arith.addi %u, %q : i64
    comprehension.yield %z
  }
  func.return %r : !comprehension.bag<i64>
}

// Held back: it varies with the row, or can fail where there may be no row.
// REMARK:        remark: this does not vary with the rows around it, but it can fail
// CHECK-LABEL: func.func @varying
// CHECK-NEXT:    comprehension.collect
// CHECK:           comprehension.each %rows
// CHECK-NEXT:      comprehension.aggregate add
// CHECK:           comprehension.aggregate max
func.func @varying(%b: i64, %rows: !comprehension.bag<i64>) -> !comprehension.bag<i64, i64> {
  %r = comprehension.collect : !comprehension.bag<i64, i64> {
    %x = comprehension.each %rows : !comprehension.bag<i64>
    %s = comprehension.aggregate add : i64 {
      %y = comprehension.each %rows : !comprehension.bag<i64>
      %q = arith.divsi %y, %b : i64
      comprehension.yield %q
    }
    %t = comprehension.aggregate max : i64 {
      %y = comprehension.each %rows : !comprehension.bag<i64>
      %q = arith.addi %y, %x : i64
      comprehension.yield %q
    }
    comprehension.yield %s, %t
  }
  func.return %r : !comprehension.bag<i64, i64>
}

// The condition of a loop asks for the length of a list that the loop leaves as it is; held back
// for one that it carries.
// CHECK-LABEL: func.func @lengths
// CHECK:         %[[N:.*]] = comprehension.length %rows
// CHECK-NEXT:    scf.while
// CHECK:           arith.cmpi slt, %{{.*}}, %[[N]]
// CHECK:           comprehension.length %carried
func.func @lengths(%rows: !comprehension.bag<i64>) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %last = scf.while (%i = %zero, %carried = %rows) : (i64, !comprehension.bag<i64>) -> (i64, !comprehension.bag<i64>) {
    %n = comprehension.length %rows : !comprehension.bag<i64>
    %p = arith.cmpi slt, %i, %n : i64
    %m = comprehension.length %carried : !comprehension.bag<i64>
    %q = arith.cmpi slt, %i, %m : i64
    %both = arith.andi %p, %q : i1
    scf.condition(%both) %i, %carried : i64, !comprehension.bag<i64>
  } do {
  ^bb0(%i: i64, %carried: !comprehension.bag<i64>):
    %next = arith.addi %i, %one : i64
    %other = comprehension.list (%next), (%i) : !comprehension.bag<i64>
    scf.yield %next, %other : i64, !comprehension.bag<i64>
  }
  func.return %k : i64
}

// What a condition folds of what the loop keeps is folded once; in the body only what is counted.
// CHECK-LABEL: func.func @folds
// CHECK:         %sum = comprehension.aggregate add
// CHECK:         %count = comprehension.aggregate add
// CHECK:         scf.while
// CHECK:         } do {
// CHECK:           %product = comprehension.aggregate mul
func.func @folds(%rows: !comprehension.bag<i64>) -> i64 {
  %zero = arith.constant 0 : i64
  %k = scf.while (%i = %zero) : (i64) -> i64 {
    %sum = comprehension.aggregate add : i64 {
      %x = comprehension.each %rows : !comprehension.bag<i64>
      comprehension.yield %x
    }
    %p = arith.cmpi slt, %i, %sum : i64
    scf.condition(%p) %i : i64
  } do {
  ^bb0(%i: i64):
    %count = comprehension.aggregate add : i64 {
      %one = arith.constant 1 : i64
      %x = comprehension.each %rows : !comprehension.bag<i64>
      comprehension.yield %one
    }
    %product = comprehension.aggregate mul : i64 {
      %x = comprehension.each %rows : !comprehension.bag<i64>
      comprehension.yield %x
    }
    %n = arith.addi %i, %count : i64
    %next = arith.addi %n, %product : i64
    scf.yield %next : i64
  }
  func.return %k : i64
}

// An element that says which row is written is read before, and drops all rows if it is not there.
// CHECK-LABEL: func.func @places(
// CHECK:         comprehension.merge
// CHECK-NEXT:      comprehension.each %P full
// ELEMENTS-LABEL: func.func @places(
// ELEMENTS:      %[[P:.*]], %[[IN:.*]] = comprehension.probe %P[%k] : tensor<?xi64>
// ELEMENTS-NEXT: comprehension.merge %A
// ELEMENTS-NEXT:   comprehension.guard %[[IN]]
// ELEMENTS-NEXT:   %j = comprehension.range
// ELEMENTS-NEXT:   %[[ROW:.*]] = arith.index_cast %[[P]] : i64 to index
// ELEMENTS-NEXT:   comprehension.yield (%[[ROW]], %j) %x
func.func @places(%A: tensor<?x?xf64>, %P: tensor<?xi64>, %k: index, %n: index, %x: f64) -> tensor<?x?xf64> {
  %r = comprehension.merge %A : tensor<?x?xf64> {
    %i, %p = comprehension.each %P full : tensor<?xi64>
    %q = arith.cmpi eq, %i, %k : index
    comprehension.guard %q
    %j = comprehension.range %k to %n
    %row = arith.index_cast %p : i64 to index
    comprehension.yield (%row, %j) %x
  }
  func.return %r : tensor<?x?xf64>
}

// Held back: the place is another one in each row.
// ELEMENTS-LABEL: func.func @each_its_own(
// ELEMENTS-NOT:  comprehension.probe
// ELEMENTS:      func.return
func.func @each_its_own(%A: tensor<?xf64>, %P: tensor<?xi64>, %k: index, %n: index, %x: f64) -> tensor<?xf64> {
  %r = comprehension.merge %A : tensor<?xf64> {
    %j = comprehension.range %k to %n
    %i, %p = comprehension.each %P full : tensor<?xi64>
    %q = arith.cmpi eq, %i, %j : index
    comprehension.guard %q
    %row = arith.index_cast %p : i64 to index
    comprehension.yield (%row) %x
  }
  func.return %r : tensor<?xf64>
}

// Held back: it indexes nothing; what is computed with it reads it at a fixed place.
// ELEMENTS-LABEL: func.func @value(
// ELEMENTS-NOT:  comprehension.probe
// ELEMENTS:      func.return
func.func @value(%A: tensor<?xi64>, %P: tensor<?xi64>, %k: index, %n: index) -> tensor<?xi64> {
  %r = comprehension.merge %A : tensor<?xi64> {
    %i, %p = comprehension.each %P full : tensor<?xi64>
    %q = arith.cmpi eq, %i, %k : index
    comprehension.guard %q
    %j = comprehension.range %k to %n
    comprehension.yield (%j) %p
  }
  func.return %r : tensor<?xi64>
}
