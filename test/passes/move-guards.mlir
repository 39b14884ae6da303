// RUN: diablo-opt %s -p move-guards | filecheck %s
// RUN: diablo-opt %s -p move-guards --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK

// A guard stands right behind the generator that binds what it needs.
// REMARK:        remark: this test is moved up to where its variables are bound
// CHECK-LABEL: func.func @moved
// CHECK:           %i = comprehension.range %lo to %hi
// CHECK-NEXT:      %p = arith.cmpi ne, %i, %lo : index
// CHECK-NEXT:      comprehension.guard %p
// CHECK-NEXT:      %j = comprehension.range %lo to %hi
// CHECK-NEXT:      %q = arith.cmpi slt, %i, %j : index
// CHECK-NEXT:      comprehension.guard %q
// CHECK-NEXT:      comprehension.yield %j
func.func @moved(%lo: index, %hi: index) -> index {
  %r = comprehension.aggregate max : index {
    %i = comprehension.range %lo to %hi
    %j = comprehension.range %lo to %hi
    %q = arith.cmpi slt, %i, %j : index
    comprehension.guard %q
    %p = arith.cmpi ne, %i, %lo : index
    comprehension.guard %p
    comprehension.yield %j
  }
  func.return %r : index
}

// Held back: a division never moves above the guard that protects it, and no guard above an
// operation that may fail.
// REMARK:        remark: this test stays where it is: it can fail
// REMARK:        remark: this test stays behind an operation that can fail
// CHECK-LABEL: func.func @protected
// CHECK:           %x = comprehension.each %xs
// CHECK-NEXT:      %p = arith.cmpi ne, %x, %zero : i64
// CHECK-NEXT:      comprehension.guard %p
// CHECK-NEXT:      %y = comprehension.each %xs
// CHECK-NEXT:      %d = arith.divsi %zero, %x : i64
// CHECK-NEXT:      %q = arith.cmpi sgt, %d, %zero : i64
// CHECK-NEXT:      comprehension.guard %q
// CHECK-NEXT:      %s = arith.cmpi sgt, %x, %zero : i64
// CHECK-NEXT:      comprehension.guard %s
// CHECK-NEXT:      comprehension.yield %d
func.func @protected(%xs: !comprehension.bag<i64>, %zero: i64) -> i64 {
  %r = comprehension.aggregate add : i64 {
    %x = comprehension.each %xs : !comprehension.bag<i64>
    %y = comprehension.each %xs : !comprehension.bag<i64>
    %p = arith.cmpi ne, %x, %zero : i64
    comprehension.guard %p
    %d = arith.divsi %zero, %x : i64
    %q = arith.cmpi sgt, %d, %zero : i64
    comprehension.guard %q
    %s = arith.cmpi sgt, %x, %zero : i64
    comprehension.guard %s
    comprehension.yield %d
  }
  func.return %r : i64
}

// Held back: a string that may be no number, a monoid of the program's own that divides.
// CHECK-LABEL: comprehension.monoid @ratio
comprehension.monoid @ratio : i64 identity 1 : i64 {
^bb0(%x: i64, %y: i64):
  %q = arith.divsi %x, %y : i64
  comprehension.yield %q
}
// CHECK-LABEL: func.func @failing
// CHECK:           comprehension.each %xs
// CHECK-NEXT:      comprehension.each %xs
// CHECK-NEXT:      comprehension.string_call "to_int"
// CHECK-NEXT:      comprehension.reduce @ratio
func.func @failing(%xs: !comprehension.bag<!comprehension.string, !comprehension.bag<i64>>) -> i64 {
  %r = comprehension.aggregate add : i64 {
    %s, %v = comprehension.each %xs : !comprehension.bag<!comprehension.string, !comprehension.bag<i64>>
    %t, %w = comprehension.each %xs : !comprehension.bag<!comprehension.string, !comprehension.bag<i64>>
    %n = comprehension.string_call "to_int"(%s) : (!comprehension.string) -> i64
    %m = comprehension.reduce @ratio %v : !comprehension.bag<i64>
    %p = arith.cmpi eq, %n, %m : i64
    comprehension.guard %p
    comprehension.yield %n
  }
  func.return %r : i64
}

// A guard on a group, or on nothing, stays behind the group_by.
// CHECK-LABEL: func.func @group
// CHECK:           comprehension.group_by
// CHECK-NEXT:      %p = arith.cmpi ne
// CHECK-NEXT:      comprehension.guard %p
// CHECK-NEXT:      comprehension.guard %c
func.func @group(%lo: index, %hi: index, %c: i1) -> index {
  %r = comprehension.aggregate max : index {
    %i = comprehension.range %lo to %hi
    %g = comprehension.group_by keys(%i) : index
    %p = arith.cmpi ne, %g, %lo : index
    comprehension.guard %p
    comprehension.guard %c
    comprehension.yield %g
  }
  func.return %r : index
}

// Inside a nested comprehension: a guard that only needs the row around it comes first.
// CHECK-LABEL: func.func @nested
// CHECK:           %x = comprehension.each %xs
// CHECK-NEXT:      %s = comprehension.aggregate add : i64 {
// CHECK-NEXT:        %p = arith.cmpi ne, %x, %zero : i64
// CHECK-NEXT:        comprehension.guard %p
// CHECK-NEXT:        %y = comprehension.each %xs
func.func @nested(%xs: !comprehension.bag<i64>, %zero: i64) -> i64 {
  %r = comprehension.aggregate max : i64 {
    %x = comprehension.each %xs : !comprehension.bag<i64>
    %s = comprehension.aggregate add : i64 {
      %y = comprehension.each %xs : !comprehension.bag<i64>
      %p = arith.cmpi ne, %x, %zero : i64
      comprehension.guard %p
      comprehension.yield %y
    }
    comprehension.yield %s
  }
  func.return %r : i64
}

// No guard goes past one whose condition can fail: it would keep rows from failing.
// CHECK-LABEL: func.func @fails_first
// CHECK:           %q = arith.divsi
// CHECK-NEXT:      %t = arith.cmpi ne, %q, %zero
// CHECK-NEXT:      comprehension.guard %t
// CHECK-NEXT:      %p = arith.cmpi ne, %x, %zero
// CHECK-NEXT:      comprehension.guard %p
// CHECK-NEXT:      %y = comprehension.each
func.func @fails_first(%xs: !comprehension.bag<i64>, %zero: i64) -> i64 {
  %r = comprehension.aggregate add : i64 {
    %x = comprehension.each %xs : !comprehension.bag<i64>
    %q = arith.divsi %zero, %x : i64
    %t = arith.cmpi ne, %q, %zero : i64
    comprehension.guard %t
    %y = comprehension.each %xs : !comprehension.bag<i64>
    %p = arith.cmpi ne, %x, %zero : i64
    comprehension.guard %p
    comprehension.yield %y
  }
  func.return %r : i64
}

// Nor past a range whose ends can fail for a row: it would keep that row from failing.
// CHECK-LABEL: func.func @fails_at_its_end
// CHECK:           %q = arith.divsi
// CHECK-NEXT:      comprehension.range
// CHECK-NEXT:      %p = arith.cmpi ne, %x, %zero
// CHECK-NEXT:      comprehension.guard %p
func.func @fails_at_its_end(%xs: !comprehension.bag<index>, %zero: index) -> index {
  %r = comprehension.aggregate add : index {
    %x = comprehension.each %xs : !comprehension.bag<index>
    %q = arith.divsi %zero, %x : index
    %i = comprehension.range %zero to %q
    %p = arith.cmpi ne, %x, %zero : index
    comprehension.guard %p
    comprehension.yield %i
  }
  func.return %r : index
}

// But past one whose ends are the same for all rows.
// CHECK-LABEL: func.func @fails_at_once
// CHECK:           comprehension.each
// CHECK:           comprehension.guard %p
// CHECK:           comprehension.range
func.func @fails_at_once(%xs: !comprehension.bag<index>, %zero: index, %n: index) -> index {
  %q = arith.divsi %zero, %n : index
  %r = comprehension.aggregate add : index {
    %x = comprehension.each %xs : !comprehension.bag<index>
    %i = comprehension.range %zero to %q
    %p = arith.cmpi ne, %x, %zero : index
    comprehension.guard %p
    comprehension.yield %i
  }
  func.return %r : index
}
