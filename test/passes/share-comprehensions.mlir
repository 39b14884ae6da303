// RUN: diablo-opt %s -p share-comprehensions | filecheck %s
// RUN: diablo-opt %s -p share-comprehensions --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK

!vector = tensor<?xf64>

// Equal but for the order of generators, guards and operands; also one inside another.
// REMARK:        remark: this is computed already, and not computed again
// CHECK-LABEL: func.func @equal
// CHECK-NEXT:    %s = comprehension.aggregate add : f64 {
// CHECK:         }
// CHECK-NEXT:    %u = comprehension.aggregate max : f64 {
// CHECK-NEXT:      %k, %c = comprehension.each %A
// CHECK-NEXT:      %w = arith.mulf %c, %s : f64
// CHECK-NEXT:      comprehension.yield %w
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %s, %s, %u
func.func @equal(%A: !vector, %B: !vector, %lo: index) -> (f64, f64, f64) {
  %s = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %A : !vector
    %j, %b = comprehension.each %B : !vector
    %p = arith.cmpi eq, %i, %j : index
    comprehension.guard %p
    %q = arith.cmpi slt, %i, %lo : index
    comprehension.guard %q
    %v = arith.mulf %a, %b : f64
    comprehension.yield %v
  }
  %t = comprehension.aggregate add : f64 {
    %j, %b = comprehension.each %B : !vector
    %i, %a = comprehension.each %A : !vector
    %q = arith.cmpi slt, %i, %lo : index
    comprehension.guard %q
    %p = arith.cmpi eq, %j, %i : index
    comprehension.guard %p
    %v = arith.mulf %b, %a : f64
    comprehension.yield %v
  }
  %u = comprehension.aggregate max : f64 {
    %k, %c = comprehension.each %A : !vector
    %r = comprehension.aggregate add : f64 {
      %j, %b = comprehension.each %B : !vector
      %i, %a = comprehension.each %A : !vector
      %q = arith.cmpi slt, %i, %lo : index
      comprehension.guard %q
      %p = arith.cmpi eq, %j, %i : index
      comprehension.guard %p
      %v = arith.mulf %b, %a : f64
      comprehension.yield %v
    }
    %w = arith.mulf %c, %r : f64
    comprehension.yield %w
  }
  func.return %s, %t, %u : f64, f64, f64
}

// Held back: another monoid, a difference the other way round, the row of the comprehension
// around it instead of its own, and a value of rows that a group_by has folded.
// CHECK-LABEL: func.func @different
// CHECK:         comprehension.aggregate add
// CHECK:         comprehension.aggregate mul
// CHECK:         comprehension.aggregate add
// CHECK:         comprehension.aggregate max
// CHECK:           comprehension.aggregate add
// CHECK:         comprehension.aggregate max
// CHECK:           comprehension.aggregate add
// CHECK:         comprehension.aggregate max
// CHECK:           comprehension.aggregate add
// CHECK:           comprehension.group_by
// CHECK:           comprehension.aggregate add
func.func @different(%A: !vector, %B: !vector, %lo: f64) -> (f64, f64, f64, f64, f64, f64) {
  %s0 = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %A : !vector
    %v = arith.subf %a, %lo : f64
    comprehension.yield %v
  }
  %s1 = comprehension.aggregate mul : f64 {
    %i, %a = comprehension.each %A : !vector
    %v = arith.subf %a, %lo : f64
    comprehension.yield %v
  }
  %s2 = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %A : !vector
    %v = arith.subf %lo, %a : f64
    comprehension.yield %v
  }
  %s3 = comprehension.aggregate max : f64 {
    %i, %a = comprehension.each %A : !vector
    %s = comprehension.aggregate add : f64 {
      %j, %b = comprehension.each %A : !vector
      comprehension.yield %b
    }
    comprehension.yield %s
  }
  %s4 = comprehension.aggregate max : f64 {
    %i, %a = comprehension.each %A : !vector
    %s = comprehension.aggregate add : f64 {
      %j, %b = comprehension.each %A : !vector
      comprehension.yield %a
    }
    comprehension.yield %s
  }
  %s5 = comprehension.aggregate max : f64 {
    %i, %a = comprehension.each %B : !vector
    %s = comprehension.aggregate add : f64 {
      %j, %b = comprehension.each %B : !vector
      comprehension.yield %b
    }
    %g, %ss = comprehension.group_by keys(%i) values(%s) : index, !comprehension.bag<f64>
    %t = comprehension.aggregate add : f64 {
      %j, %b = comprehension.each %B : !vector
      comprehension.yield %b
    }
    comprehension.yield %t
  }
  func.return %s0, %s1, %s2, %s3, %s4, %s5 : f64, f64, f64, f64, f64, f64
}

// Equal, but the first one stands where the second does not see it.
// REMARK:        remark: this is computed again: the same stands in another branch or loop
// REMARK:        remark: this is computed again: the same stands above the group_by
// CHECK-LABEL: func.func @unseen
// CHECK:         scf.if
// CHECK:           comprehension.aggregate add
// CHECK:         } else {
// CHECK:           comprehension.aggregate add
func.func @unseen(%A: !vector, %c: i1) -> (f64, f64) {
  %s = scf.if %c -> (f64) {
    %t = comprehension.aggregate add : f64 {
      %i, %a = comprehension.each %A : !vector
      comprehension.yield %a
    }
    scf.yield %t : f64
  } else {
    %t = comprehension.aggregate add : f64 {
      %i, %a = comprehension.each %A : !vector
      comprehension.yield %a
    }
    %two = arith.addf %t, %t : f64
    scf.yield %two : f64
  }
  %m = comprehension.aggregate max : f64 {
    %i, %a = comprehension.each %A : !vector
    %u = comprehension.aggregate mul : f64 {
      %j, %b = comprehension.each %A : !vector
      comprehension.yield %b
    }
    %g, %us = comprehension.group_by keys(%i) values(%u) : index, !comprehension.bag<f64>
    %v = comprehension.aggregate mul : f64 {
      %j, %b = comprehension.each %A : !vector
      comprehension.yield %b
    }
    comprehension.yield %v
  }
  func.return %s, %m : f64, f64
}
