// RUN: diablo-opt %s -p hoist-invariants | filecheck %s

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
