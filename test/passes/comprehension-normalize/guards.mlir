// RUN: diablo-opt %s -p comprehension-normalize | filecheck %s
// Guards are single conditions, right behind the generator that binds what they need.

// CHECK-LABEL: func.func @floated
// CHECK:           %i = comprehension.range %lo to %hi
// CHECK-NEXT:      %p = arith.cmpi ne, %i, %lo : index
// CHECK-NEXT:      comprehension.guard %p
// CHECK-NEXT:      %j = comprehension.range %lo to %hi
// CHECK-NEXT:      %q = arith.cmpi slt, %i, %j : index
// CHECK-NEXT:      comprehension.guard %q
// CHECK-NEXT:      comprehension.yield %j
func.func @floated(%lo: index, %hi: index) -> index {
  %r = comprehension.aggregate max : index {
    %i = comprehension.range %lo to %hi
    %j = comprehension.range %lo to %hi
    %q = arith.cmpi slt, %i, %j : index
    %p = arith.cmpi ne, %i, %lo : index
    %and = arith.andi %q, %p : i1
    comprehension.guard %and
    comprehension.yield %j
  }
  func.return %r : index
}

// A division never moves above the guard that protects it, and an unfolded `&&` stays in order.
// CHECK-LABEL: func.func @protected
// CHECK:           %x = comprehension.each %xs
// CHECK-NEXT:      %p = arith.cmpi ne, %x, %zero : i64
// CHECK-NEXT:      comprehension.guard %p
// CHECK-NEXT:      %y = comprehension.each %xs
// CHECK-NEXT:      %d = arith.divsi %y, %x : i64
// CHECK-NEXT:      %q = arith.cmpi sgt, %d, %zero : i64
// CHECK-NEXT:      comprehension.guard %q
// CHECK-NEXT:      %[[D:.*]] = arith.divsi %y, %x : i64
// CHECK-NEXT:      %e = arith.remsi %zero, %x : i64
// CHECK-NEXT:      %[[S:.*]] = arith.cmpi eq, %e, %zero : i64
// CHECK-NEXT:      comprehension.guard %[[S]]
// CHECK-NEXT:      comprehension.yield %[[D]]
func.func @protected(%xs: !comprehension.bag<i64>, %zero: i64) -> i64 {
  %r = comprehension.aggregate add : i64 {
    %x = comprehension.each %xs : !comprehension.bag<i64>
    %y = comprehension.each %xs : !comprehension.bag<i64>
    %p = arith.cmpi ne, %x, %zero : i64
    %c = scf.if %p -> (i1) {
      %d = arith.divsi %y, %x : i64
      %q = arith.cmpi sgt, %d, %zero : i64
      scf.yield %q : i1
    } else {
      %false = arith.constant false
      scf.yield %false : i1
    }
    comprehension.guard %c
    %d2 = arith.divsi %y, %x : i64
    %e = arith.remsi %zero, %x : i64
    %s = arith.cmpi eq, %e, %zero : i64
    comprehension.guard %s
    comprehension.yield %d2
  }
  func.return %r : i64
}

// The negated condition of an else branch.
// CHECK-LABEL: func.func @negated
// CHECK:           %i = comprehension.range
// CHECK-NEXT:      %[[P:.*]] = arith.cmpi ne, %i, %lo : index
// CHECK-NEXT:      comprehension.guard %[[P]]
// CHECK-NEXT:      %[[Q:.*]] = arith.cmpi sge, %i, %hi : index
// CHECK-NEXT:      comprehension.guard %[[Q]]
// CHECK-NEXT:      comprehension.yield %i
func.func @negated(%lo: index, %hi: index) -> index {
  %true = arith.constant true
  %r = comprehension.aggregate max : index {
    %i = comprehension.range %lo to %hi
    %p = arith.cmpi eq, %i, %lo : index
    %q = arith.cmpi slt, %i, %hi : index
    %or = arith.ori %p, %q : i1
    %not = arith.xori %or, %true : i1
    comprehension.guard %not
    comprehension.guard %true
    comprehension.yield %i
  }
  func.return %r : index
}

// A guard on a group stays behind the group_by.
// CHECK-LABEL: func.func @group
// CHECK:           comprehension.group_by
// CHECK-NEXT:      %p = arith.cmpi ne
// CHECK-NEXT:      comprehension.guard %p
func.func @group(%lo: index, %hi: index) -> index {
  %r = comprehension.aggregate max : index {
    %i = comprehension.range %lo to %hi
    %g = comprehension.group_by keys(%i) : index
    %p = arith.cmpi ne, %g, %lo : index
    comprehension.guard %p
    comprehension.yield %g
  }
  func.return %r : index
}
