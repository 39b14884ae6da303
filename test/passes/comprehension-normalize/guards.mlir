// RUN: diablo-opt %s -p comprehension-normalize | filecheck %s
// Guards are single conditions.

// An `&&` becomes two guards, and what its right side computes stands behind the first.
// CHECK-LABEL: func.func @unfolded
// CHECK:           %x = comprehension.each %xs
// CHECK-NEXT:      %y = comprehension.each %xs
// CHECK-NEXT:      %p = arith.cmpi ne, %x, %zero : i64
// CHECK-NEXT:      comprehension.guard %p
// CHECK-NEXT:      %d = arith.divsi %y, %x : i64
// CHECK-NEXT:      %q = arith.cmpi sgt, %d, %zero : i64
// CHECK-NEXT:      comprehension.guard %q
// CHECK-NEXT:      comprehension.guard %r
// CHECK-NEXT:      comprehension.yield %y
func.func @unfolded(%xs: !comprehension.bag<i64>, %zero: i64, %r: i1) -> i64 {
  %s = comprehension.aggregate add : i64 {
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
    %and = arith.andi %c, %r : i1
    comprehension.guard %and
    comprehension.yield %y
  }
  func.return %s : i64
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

// What always holds goes away.
// CHECK-LABEL: func.func @certain
// CHECK:           comprehension.range
// CHECK-NOT:       comprehension.guard
// CHECK:           comprehension.yield
func.func @certain(%p: i1, %n: index) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %R = comprehension.build (%n) : tensor<?xf64> {
    %i = comprehension.range %zero to %n
    %true = arith.constant true
    %or = arith.ori %p, %true : i1
    comprehension.guard %or
    %x = arith.constant 1.0 : f64
    comprehension.yield (%i) %x
  }
  func.return %R : tensor<?xf64>
}
