// RUN: diablo-opt %s -p canonicalize | filecheck %s

// A guard that always holds goes away; one that never does stays.
// CHECK-LABEL: func.func @guards
// CHECK:           comprehension.each
// CHECK-NEXT:      %false = arith.constant false
// CHECK-NEXT:      comprehension.guard %false
// CHECK-NEXT:      comprehension.guard %c
// CHECK-NEXT:      comprehension.yield %a
func.func @guards(%A: tensor<?xf64>, %c: i1) -> f64 {
  %s = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %A : tensor<?xf64>
    %true = arith.constant true
    comprehension.guard %true
    %false = arith.constant false
    comprehension.guard %false
    comprehension.guard %c
    comprehension.yield %a
  }
  func.return %s : f64
}
