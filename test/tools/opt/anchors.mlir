// An anchor says which ops the passes inside run on: those directly in the op around it.
// RUN: diablo-opt %s --pass-pipeline='builtin.module(func.func(cse))' | filecheck %s --check-prefix=OUTER
// RUN: diablo-opt %s --pass-pipeline='builtin.module(builtin.module(func.func(cse)))' | filecheck %s --check-prefix=INNER
// RUN: diablo-opt %s --pass-pipeline='builtin.module(any(cse))' | filecheck %s --check-prefix=BOTH

// OUTER-LABEL: func.func @outer
// OUTER-NEXT:    %[[V:.*]] = arith.addi
// OUTER-NEXT:    func.return %[[V]], %[[V]]
// OUTER-LABEL: func.func @inner
// OUTER-COUNT-2: arith.addi

// INNER-LABEL: func.func @outer
// INNER-COUNT-2: arith.addi
// INNER-LABEL: func.func @inner
// INNER-NEXT:    %[[V:.*]] = arith.addi
// INNER-NEXT:    func.return %[[V]], %[[V]]

// BOTH-LABEL: func.func @outer
// BOTH-NEXT:    %[[V:.*]] = arith.addi
// BOTH-NEXT:    func.return %[[V]], %[[V]]
// BOTH-LABEL: func.func @inner
// BOTH-NEXT:    %[[V:.*]] = arith.addi
// BOTH-NEXT:    func.return %[[V]], %[[V]]
func.func @outer(%a: i64, %b: i64) -> (i64, i64) {
  %x = arith.addi %a, %b : i64
  %y = arith.addi %a, %b : i64
  func.return %x, %y : i64, i64
}
builtin.module {
  func.func @inner(%a: i64, %b: i64) -> (i64, i64) {
    %x = arith.addi %a, %b : i64
    %y = arith.addi %a, %b : i64
    func.return %x, %y : i64, i64
  }
}
