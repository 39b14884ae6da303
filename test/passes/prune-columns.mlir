// RUN: diablo-opt %s -p prune-columns | filecheck %s
// RUN: diablo-opt %s -p prune-columns --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK

!rows = !comprehension.bag<i64, f64, i64>

// Two readers, each of one column; the third column goes, and so does one of a bag.
// REMARK:        remark: 1 of the columns of all are read nowhere and dropped
// CHECK-LABEL: func.func @collected
// CHECK:         %all = comprehension.collect : !comprehension.bag<i64, f64> {
// CHECK:           comprehension.yield %{{.*}}, %{{.*}}
// CHECK:           %{{.*}}, %{{.*}} = comprehension.each %all : !comprehension.bag<i64, f64>
// CHECK:           %{{.*}}, %{{.*}} = comprehension.each %all : !comprehension.bag<i64, f64>
// CHECK:           comprehension.group_by keys(%{{.*}}) values(%{{.*}}) : i64, !comprehension.bag<f64>
// CHECK-NEXT:      %v = comprehension.each %xs : !comprehension.bag<f64>
func.func @collected(%rows: !rows) -> (i64, f64, f64) {
  %all = comprehension.collect : !rows {
    %k, %x, %l = comprehension.each %rows : !rows
    comprehension.yield %k, %x, %l
  }
  %s = comprehension.aggregate add : i64 {
    %k, %x, %l = comprehension.each %all : !rows
    comprehension.yield %k
  }
  %t = comprehension.aggregate add : f64 {
    %k, %x, %l = comprehension.each %all : !rows
    comprehension.yield %x
  }
  %u = comprehension.aggregate add : f64 {
    %k, %x, %l = comprehension.each %rows : !rows
    %g, %xs = comprehension.group_by keys(%k) values(%l, %x) : i64, !comprehension.bag<i64, f64>
    %m, %v = comprehension.each %xs : !comprehension.bag<i64, f64>
    comprehension.yield %v
  }
  func.return %s, %t, %u : i64, f64, f64
}

// Through a conditional and a loop; a list written down; one of which just the length is asked.
// CHECK-LABEL: func.func @carried
// CHECK:         %a = comprehension.list (%k), (%l) : !comprehension.bag<i64>
// CHECK:         %b = scf.if %c -> (!comprehension.bag<i64>) {
// CHECK:         } else {
// CHECK:           %d = comprehension.collect : !comprehension.bag<i64>
// CHECK:         scf.while (%{{.*}} = %b) : (!comprehension.bag<i64>) -> !comprehension.bag<i64> {
// CHECK:         ^bb0(%{{.*}}: !comprehension.bag<i64>):
// CHECK:         %e = comprehension.list (%k) : !comprehension.bag<i64>
func.func @carried(%rows: !rows, %c: i1, %k: i64, %l: i64, %x: f64) -> (i64, i64) {
  %a = comprehension.list (%k, %x), (%l, %x) : !comprehension.bag<i64, f64>
  %b = scf.if %c -> (!comprehension.bag<i64, f64>) {
    scf.yield %a : !comprehension.bag<i64, f64>
  } else {
    %d = comprehension.collect : !comprehension.bag<i64, f64> {
      %i, %y, %j = comprehension.each %rows : !rows
      comprehension.yield %j, %y
    }
    scf.yield %d : !comprehension.bag<i64, f64>
  }
  %r = scf.while (%p = %b) : (!comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64> {
    scf.condition(%c) %p : !comprehension.bag<i64, f64>
  } do {
  ^bb0(%q: !comprehension.bag<i64, f64>):
    scf.yield %q : !comprehension.bag<i64, f64>
  }
  %s = comprehension.aggregate add : i64 {
    %i, %y = comprehension.each %r : !comprehension.bag<i64, f64>
    comprehension.yield %i
  }
  %e = comprehension.list (%k, %x) : !comprehension.bag<i64, f64>
  %n = comprehension.length %e : !comprehension.bag<i64, f64>
  func.return %s, %n : i64, i64
}

// Held back: the caller sees the list; the key of a map; a list that comes from the caller.
// REMARK:        remark: 2 of the columns of all stay: it is a result
// CHECK-LABEL: func.func @kept
// CHECK:         %all = comprehension.collect : !comprehension.bag<i64, f64, i64>
// CHECK:         %map = comprehension.collect : !comprehension.bag<keys = 1, i64, f64>
// CHECK:         scf.if %c -> (!comprehension.bag<i64, f64, i64>)
func.func @kept(%rows: !rows, %c: i1) -> (!rows, f64, f64, i64) {
  %all = comprehension.collect : !rows {
    %k, %x, %l = comprehension.each %rows : !rows
    comprehension.yield %k, %x, %l
  }
  %s = comprehension.aggregate add : f64 {
    %k, %x, %l = comprehension.each %all : !rows
    comprehension.yield %x
  }
  %map = comprehension.collect : !comprehension.bag<keys = 1, i64, f64> {
    %k, %x, %l = comprehension.each %rows : !rows
    comprehension.yield (%k) %x
  }
  %t = comprehension.aggregate add : f64 {
    %k, %x = comprehension.each %map : !comprehension.bag<keys = 1, i64, f64>
    comprehension.yield %x
  }
  %b = scf.if %c -> (!rows) {
    scf.yield %rows : !rows
  } else {
    %d = comprehension.collect : !rows {
      %k, %x, %l = comprehension.each %rows : !rows
      comprehension.yield %l, %x, %k
    }
    scf.yield %d : !rows
  }
  %u = comprehension.aggregate add : i64 {
    %k, %x, %l = comprehension.each %b : !rows
    comprehension.yield %k
  }
  func.return %all, %s, %t, %u : !rows, f64, f64, i64
}

// One of two lists is the caller's, whose columns cannot be dropped.
// REMARK:        remark: 2 of the columns of d stay: the caller passes it
// CHECK-LABEL: func.func @from_the_caller
// CHECK:         comprehension.list (%k, %x, %k) : !comprehension.bag<i64, f64, i64>
func.func @from_the_caller(%rows: !rows, %c: i1, %k: i64, %x: f64) -> i64 {
  %b = scf.if %c -> (!rows) {
    scf.yield %rows : !rows
  } else {
    %d = comprehension.list (%k, %x, %k) : !rows
    scf.yield %d : !rows
  }
  %u = comprehension.aggregate add : i64 {
    %i, %y, %l = comprehension.each %b : !rows
    comprehension.yield %i
  }
  func.return %u : i64
}

// CHECK-LABEL: func.func @constants
// CHECK:         comprehension.constant_list [array<i64: 3, 4>] : !comprehension.bag<i64>
func.func @constants() -> i64 {
  %d = comprehension.constant_list [array<i64: 1, 2>, array<i64: 3, 4>] : !comprehension.bag<i64, i64>
  %u = comprehension.aggregate add : i64 {
    %i, %j = comprehension.each %d : !comprehension.bag<i64, i64>
    comprehension.yield %j
  }
  func.return %u : i64
}
