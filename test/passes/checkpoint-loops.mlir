// RUN: diablo-opt %s -p checkpoint-loops --remarks 2>&1 | filecheck %s

// Outermost loops are numbered, whatever they stand in; loops within loops, and those of functions
// that are called, are not: what stands within an iteration is done again.

// CHECK: remark: the state of this loop is saved between its iterations
// CHECK: remark: the state of this loop is saved between its iterations
// CHECK-NOT: remark:

// CHECK-LABEL: func.func @main
// CHECK:         scf.while (%i = %zero)
// CHECK:           scf.while (%j = %i_1)
// CHECK:             scf.yield %k
// CHECK-NEXT:      }
// CHECK-NOT:       checkpoint
// CHECK:           scf.yield
// CHECK-NEXT:    } attributes {checkpoint = 0 : i64}
// CHECK:         scf.if
// CHECK:           scf.while
// CHECK:           attributes {checkpoint = 1 : i64}
func.func @main(%n: index, %go: i1) -> (index, index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = scf.while (%i = %zero) : (index) -> index {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i : index
  } do {
  ^bb0(%i: index):
    %b = scf.while (%j = %i) : (index) -> index {
      %p = arith.cmpi slt, %j, %n : index
      scf.condition(%p) %j : index
    } do {
    ^bb1(%j: index):
      %k = arith.addi %j, %one : index
      scf.yield %k : index
    }
    %k = arith.addi %b, %one : index
    scf.yield %k : index
  }
  %c = scf.if %go -> (index) {
    %d = scf.while (%i = %a) : (index) -> index {
      %p = arith.cmpi slt, %i, %n : index
      scf.condition(%p) %i : index
    } do {
    ^bb0(%i: index):
      %k = arith.addi %i, %one : index
      scf.yield %k : index
    }
    scf.yield %d : index
  } else {
    scf.yield %a : index
  }
  func.return %a, %c : index, index
}

// CHECK-LABEL: func.func private @called
// CHECK:         scf.while
// CHECK-NOT:     checkpoint
func.func private @called(%n: index) -> index {
  %a = scf.while (%i = %n) : (index) -> index {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i : index
  } do {
  ^bb0(%i: index):
    scf.yield %n : index
  }
  func.return %a : index
}
