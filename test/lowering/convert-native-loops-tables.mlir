// RUN: diablo-opt %s -p outline-native-loops,convert-native-loops --remarks 2>&1 | filecheck %s

// Rows of hash tables are found and put by functions of the process, which are handed a row: a word
// for each column. Its buffer is made once.
func.func @count(%n: i64, %s: f64, %t: !comprehension.table<keys = 1, i64, f64>) -> f64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i_end, %s_end = scf.while (%i = %zero, %a = %s) : (i64, f64) -> (i64, f64) {
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %i, %a : i64, f64
  } do {
  ^bb0(%i: i64, %a: f64):
    %v, %found = comprehension.find %t[%i] : !comprehension.table<keys = 1, i64, f64>
    cf.assert %found, "no such key"
    %b = arith.addf %a, %v : f64
    comprehension.put (%b) into %t[%i] : !comprehension.table<keys = 1, i64, f64>
    %next = arith.addi %i, %one : i64
    scf.yield %next, %b : i64, f64
  }
  func.return %s_end : f64
}

// -0.0 is found as 0.0. NaN is no key that is found, but by what is grouped.
func.func @floats(%n: i64, %x: f64, %t: !comprehension.table<keys = 1, f64, i1>) -> (i1, i1, i64) {
  %zero = arith.constant 0 : i64
  %no = arith.constant false
  %i_end, %f, %g, %c = scf.while (%i = %zero, %f = %no, %g = %no, %c = %zero)
      : (i64, i1, i1, i64) -> (i64, i1, i1, i64) {
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %i, %f, %g, %c : i64, i1, i1, i64
  } do {
  ^bb0(%i: i64, %f: i1, %g: i1, %c: i64):
    %a, %found = comprehension.find %t[%x] : !comprehension.table<keys = 1, f64, i1>
    %b, %grouped = comprehension.find grouped %t[%x] : !comprehension.table<keys = 1, f64, i1>
    %size = comprehension.size %t : !comprehension.table<keys = 1, f64, i1>
    %one = arith.constant 1 : i64
    %next = arith.addi %i, %one : i64
    scf.yield %next, %found, %b, %size : i64, i1, i1, i64
  }
  func.return %f, %g, %c : i1, i1, i64
}

// A loop that writes to a table does something though nothing reads what it ends with.
func.func @write(%n: i64, %t: !comprehension.table<keys = 2, i64, i32>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i_end = scf.while (%i = %zero) : (i64) -> i64 {
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %i : i64
  } do {
  ^bb0(%i: i64):
    %narrow = arith.trunci %i : i64 to i32
    comprehension.put () into %t[%i, %narrow] : !comprehension.table<keys = 2, i64, i32>
    %next = arith.addi %i, %one : i64
    scf.yield %next : i64
  }
  func.return
}

// Strings are no words, and numbers without a sign have none here.
func.func @strings(%n: i64, %k: !comprehension.string, %u: ui8,
                   %t: !comprehension.table<keys = 1, !comprehension.string, i64>,
                   %w: !comprehension.table<keys = 1, ui8, i64>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i_end = scf.while (%i = %zero) : (i64) -> i64 {
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %i : i64
  } do {
  ^bb0(%i: i64):
    comprehension.put (%i) into %t[%k] : !comprehension.table<keys = 1, !comprehension.string, i64>
    %next = arith.addi %i, %one : i64
    scf.yield %next : i64
  }
  %j_end = scf.while (%i = %zero) : (i64) -> i64 {
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %i : i64
  } do {
  ^bb0(%i: i64):
    comprehension.put (%i) into %w[%u] : !comprehension.table<keys = 1, ui8, i64>
    %next = arith.addi %i, %one : i64
    scf.yield %next : i64
  }
  func.return
}

// A table that is made in an iteration, or carried, may be another one each time.
func.func @made(%n: i64, %rows: !comprehension.bag<i64, i64>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i_end = scf.while (%i = %zero) : (i64) -> i64 {
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %i : i64
  } do {
  ^bb0(%i: i64):
    %t = comprehension.table %rows
        : !comprehension.bag<i64, i64> -> !comprehension.table<keys = 1, i64, i64>
    comprehension.put (%i) into %t[%i] : !comprehension.table<keys = 1, i64, i64>
    %next = arith.addi %i, %one : i64
    scf.yield %next : i64
  }
  func.return
}
func.func @carried(%n: i64, %t: !comprehension.table<keys = 1, i64, i64>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i_end, %t_end = scf.while (%i = %zero, %u = %t)
      : (i64, !comprehension.table<keys = 1, i64, i64>)
        -> (i64, !comprehension.table<keys = 1, i64, i64>) {
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %i, %u : i64, !comprehension.table<keys = 1, i64, i64>
  } do {
  ^bb0(%i: i64, %u: !comprehension.table<keys = 1, i64, i64>):
    comprehension.put (%i) into %u[%i] : !comprehension.table<keys = 1, i64, i64>
    %next = arith.addi %i, %one : i64
    scf.yield %next, %u : i64, !comprehension.table<keys = 1, i64, i64>
  }
  func.return
}

// CHECK: remark: the loop is machine code once it has run a while
// CHECK: remark: the loop is machine code once it has run a while
// CHECK: remark: the loop is machine code once it has run a while
// CHECK: remark: the loop stays with Python: a hash table has a column of !comprehension.string
// CHECK: remark: the loop stays with Python: a hash table has a column of ui8
// CHECK: remark: the loop stays with Python: comprehension.table is not done in machine code within a loop
// CHECK: remark: the loop stays with Python: a hash table is carried

// CHECK-LABEL: func.func @write
// CHECK:         func.call @loop_2(%zero, %n, %t)

// CHECK-LABEL: func.func private @loop_0_loops(
// CHECK-SAME:      %t: memref<?xi64>
// CHECK-SAME:      %index0: memref<i64>
// CHECK:         %row = memref.alloca() : memref<2xi64>
// CHECK:         scf.while
// CHECK:           memref.store %i_2, %row[%{{.*}}] : memref<2xi64>
// CHECK-NEXT:      %[[ROW:.*]] = "memref.cast"(%row) : (memref<2xi64>) -> memref<?xi64>
// CHECK-NEXT:      %[[ANSWER:.*]] = func.call @diablo_find_row(%t, %[[ROW]])
// CHECK:           %found = arith.cmpi ne, %[[ANSWER]]
// CHECK:           %[[WORD:.*]] = memref.load %row
// CHECK-NEXT:      %v = arith.bitcast %[[WORD]] : i64 to f64
// The key that is not there is told with the failure.
// CHECK:           memref.store %i_2, %index0[]
// CHECK:           cf.assert %found, "the call ends"
// CHECK:           %[[SUM:.*]] = arith.bitcast %b : f64 to i64
// CHECK:           memref.store %i_2, %row
// CHECK:           memref.store %[[SUM]], %row
// CHECK:           func.call @diablo_put_row(%t
// CHECK:           cf.assert

// CHECK-LABEL: func.func private @loop_1_loops(
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:    %[[PLUS:.*]] = arith.addf %x, %[[ZERO]] : f64
// CHECK-NEXT:    %[[BITS:.*]] = arith.bitcast %[[PLUS]] : f64 to i64
// CHECK-NEXT:    %[[NUMBER:.*]] = arith.cmpf oeq, %x, %x : f64
// CHECK-NEXT:    %[[NAN:.*]] = arith.constant 9221120237041090560 : i64
// CHECK-NEXT:    arith.select %[[NUMBER]], %[[BITS]], %[[NAN]] : i64
// CHECK:         func.call @diablo_find_row
// CHECK:         %[[HAS:.*]] = arith.cmpi ne
// CHECK:         %[[IS:.*]] = arith.cmpf oeq, %x, %x : f64
// CHECK-NEXT:    %found = arith.andi %[[HAS]], %[[IS]] : i1
// CHECK:         func.call @diablo_find_row
// CHECK:         %grouped = arith.cmpi ne
// CHECK-NOT:     arith.cmpf
// CHECK:         func.call @diablo_count_rows(%t) : (memref<?xi64>) -> i64

// CHECK-LABEL: func.func private @loop_2_loops(
// CHECK:         %[[WIDE:.*]] = arith.extsi %narrow : i32 to i64
// CHECK:         memref.store %i_2, %row
// CHECK:         memref.store %[[WIDE]], %row
// CHECK:         func.call @diablo_put_row

// CHECK:       func.func private @diablo_find_row(memref<?xi64>, memref<?xi64>) -> i64
