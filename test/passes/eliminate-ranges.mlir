// RUN: diablo-opt %s -p eliminate-ranges,dce | filecheck %s
// RUN: diablo-opt %s -p eliminate-ranges --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK

!vector = tensor<?xf64>

// The index of the array lies between the range's bounds: no test is needed.
// REMARK:        remark: this range goes away: an equality determines its index
// CHECK-LABEL: func.func @whole
// CHECK:         %B = comprehension.build (%n) : tensor<?xf64> {
// CHECK-NEXT:      %[[I:.*]], %a = comprehension.each %A full
// CHECK-NEXT:      comprehension.yield (%[[I]]) %a
func.func @whole(%n: index, %x: f64) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %A = comprehension.build (%n) : !vector {
    comprehension.yield (%zero) %x
  }
  %B = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    %j, %a = comprehension.each %A full : !vector
    %p = arith.cmpi eq, %j, %i : index
    comprehension.guard %p
    comprehension.yield (%i) %a
  }
  func.return %B : !vector
}

// A column of a list is tested against the bounds.
// CHECK-LABEL: func.func @column
// CHECK:           %k = comprehension.each %rows
// CHECK-NEXT:      %i = arith.index_cast %k : i64 to index
// CHECK-NEXT:      %[[P:.*]] = arith.cmpi sge, %i, %lo : index
// CHECK-NEXT:      comprehension.guard %[[P]]
// CHECK-NEXT:      %[[Q:.*]] = arith.cmpi sle, %i, %hi : index
// CHECK-NEXT:      comprehension.guard %[[Q]]
// CHECK:           comprehension.yield %i
func.func @column(%rows: !comprehension.bag<i64>, %lo: index, %hi: index) -> index {
  %s = comprehension.aggregate add : index {
    %i = comprehension.range %lo to %hi
    %k = comprehension.each %rows : !comprehension.bag<i64>
    %c = arith.index_cast %i : index to i64
    %p = arith.cmpi eq, %c, %k : i64
    comprehension.guard %p
    comprehension.yield %i
  }
  func.return %s : index
}

// i == 2*j + 1: the range of i goes; 0 <= 2*j + 1 is clear. A step leaves a remainder to test.
// CHECK-LABEL: func.func @affine
// CHECK:           %j = comprehension.range %{{.*}} to %n
// CHECK:           %[[D:.*]] = arith.muli %j, %{{.*}} : index
// CHECK-NEXT:      %[[ONE:.*]] = arith.constant 1 : index
// CHECK-NEXT:      %i = arith.addi %[[D]], %[[ONE]] : index
// CHECK-NEXT:      %[[Q:.*]] = arith.cmpi sle, %i, %n : index
// CHECK-NEXT:      comprehension.guard %[[Q]]
// CHECK-NEXT:      %[[S:.*]] = arith.subi %i, %{{.*}} : index
// CHECK-NEXT:      %[[THREE:.*]] = arith.constant 3 : index
// CHECK-NEXT:      %[[R:.*]] = arith.remsi %[[S]], %[[THREE]] : index
// CHECK-NEXT:      %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT:      %[[T:.*]] = arith.cmpi eq, %[[R]], %[[ZERO]] : index
// CHECK-NEXT:      comprehension.guard %[[T]]
// CHECK-NEXT:      comprehension.yield %i
func.func @affine(%n: index) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %s = comprehension.aggregate add : index {
    %i = comprehension.range %zero to %n step 3
    %j = comprehension.range %zero to %n
    %d = arith.muli %j, %two : index
    %e = arith.addi %d, %one : index
    %p = arith.cmpi eq, %i, %e : index
    comprehension.guard %p
    comprehension.yield %i
  }
  func.return %s : index
}

// 2*i == k: i is k / 2 where that has no remainder.
// CHECK-LABEL: func.func @multiple
// CHECK:           %[[R:.*]] = arith.remsi %k, %{{.*}} : index
// CHECK:           %[[P:.*]] = arith.cmpi eq, %[[R]], %{{.*}} : index
// CHECK-NEXT:      comprehension.guard %[[P]]
// CHECK-NEXT:      %[[TWO:.*]] = arith.constant 2 : index
// CHECK-NEXT:      %i = arith.divsi %k, %[[TWO]] : index
// CHECK-NEXT:      arith.cmpi sge, %i, %lo
func.func @multiple(%lo: index, %hi: index, %k: index) -> index {
  %two = arith.constant 2 : index
  %s = comprehension.aggregate add : index {
    %i = comprehension.range %lo to %hi
    %d = arith.muli %i, %two : index
    %p = arith.cmpi eq, %d, %k : index
    comprehension.guard %p
    comprehension.yield %i
  }
  func.return %s : index
}

// In a nested comprehension the index of the row around it determines the range.
// CHECK-LABEL: func.func @nested
// CHECK:           %i, %a = comprehension.each %A
// CHECK-NEXT:      comprehension.aggregate add : index {
// CHECK-NEXT:        arith.cmpi sge, %i, %lo
// CHECK-NOT:       comprehension.range
func.func @nested(%A: !vector, %lo: index, %hi: index) -> index {
  %s = comprehension.aggregate max : index {
    %i, %a = comprehension.each %A : !vector
    %t = comprehension.aggregate add : index {
      %j = comprehension.range %lo to %hi
      %p = arith.cmpi eq, %i, %j : index
      comprehension.guard %p
      comprehension.yield %j
    }
    comprehension.yield %t
  }
  func.return %s : index
}

// Held back: the range selects elements; another range depends on it; a division could fail
// in rows that never get that far.
// REMARK:        remark: this range stays although an equality determines its index: the range says which elements of an array are wanted
// REMARK:        remark: this range stays although an equality determines its index: another generator depends on its index
// REMARK:        remark: this range stays although an equality determines its index: an operation in front of the test can fail
// CHECK-LABEL: func.func @kept
// CHECK:           comprehension.range %lo to %hi
// CHECK:           %[[I:.*]] = comprehension.range %lo to %hi
// CHECK-NEXT:      comprehension.range %[[I]] to %hi
// CHECK:           comprehension.range %lo to %hi
// CHECK:           arith.divsi
func.func @kept(%A: !vector, %rows: !comprehension.bag<index>, %lo: index, %hi: index) -> (f64, index, index) {
  %s = comprehension.aggregate add : f64 {
    %i = comprehension.range %lo to %hi
    %j, %a = comprehension.each %A full : !vector
    %p = arith.cmpi eq, %j, %i : index
    comprehension.guard %p
    comprehension.yield %a
  }
  %t = comprehension.aggregate add : index {
    %i = comprehension.range %lo to %hi
    %j = comprehension.range %i to %hi step 2
    %k = comprehension.each %rows : !comprehension.bag<index>
    %p = arith.cmpi eq, %i, %k : index
    comprehension.guard %p
    comprehension.yield %j
  }
  %u = comprehension.aggregate add : index {
    %i = comprehension.range %lo to %hi
    %q = arith.divsi %hi, %i : index
    %p = arith.cmpi eq, %i, %lo : index
    comprehension.guard %p
    comprehension.yield %q
  }
  func.return %s, %t, %u : f64, index, index
}
