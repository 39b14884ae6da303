// RUN: diablo-opt %s -p prune-control-flow | filecheck %s

// CHECK-LABEL: func.func @unread
// CHECK:         %k = scf.while (%a = %{{.*}}) : (i64) -> i64 {
// CHECK:           scf.condition(%{{.*}}) %a : i64
// CHECK:         ^bb0(%a1: i64):
// CHECK-NEXT:      arith.addi
// CHECK-NEXT:      scf.yield %{{.*}} : i64
// CHECK-NOT:     arith.mulf
func.func @unread(%one: i64, %ten: i64, %x0: f64) -> i64 {
  %k, %x = scf.while (%a = %one, %b = %x0) : (i64, f64) -> (i64, f64) {
    %c = arith.cmpi slt, %a, %ten : i64
    scf.condition(%c) %a, %b : i64, f64
  } do {
  ^bb0(%a1: i64, %b1: f64):
    %a2 = arith.addi %a1, %one : i64
    %f = arith.sitofp %a1 : i64 to f64
    %b2 = arith.mulf %f, %f : f64
    scf.yield %a2, %b2 : i64, f64
  }
  func.return %k : i64
}

// Held back: the next iteration reads %b1, the condition reads %d.
// CHECK-LABEL: func.func @read
// CHECK:         scf.while (%a = %{{.*}}, %b = %{{.*}}, %d = %{{.*}}) : (i64, f64, i64)
func.func @read(%one: i64, %ten: i64, %x0: f64) -> i64 {
  %k, %x, %y = scf.while (%a = %one, %b = %x0, %d = %one) : (i64, f64, i64) -> (i64, f64, i64) {
    %c = arith.cmpi slt, %d, %ten : i64
    scf.condition(%c) %a, %b, %d : i64, f64, i64
  } do {
  ^bb0(%a1: i64, %b1: f64, %d1: i64):
    %a2 = arith.addi %a1, %one : i64
    %b2 = arith.mulf %b1, %b1 : f64
    %i = arith.fptosi %b2 : f64 to i64
    scf.yield %a2, %b2, %i : i64, f64, i64
  }
  func.return %k : i64
}

// Held back: %go decides whether the loop goes on, %a is also carried in the place of %b.
// CHECK-LABEL: func.func @condition
// CHECK:         scf.while (%go = %{{.*}}, %a = %{{.*}}, %b = %{{.*}})
func.func @condition(%one: i64, %ten: i64, %true: i1) -> i64 {
  %last, %k, %j = scf.while (%go = %true, %a = %one, %b = %one) : (i1, i64, i64) -> (i1, i64, i64) {
    scf.condition(%go) %go, %a, %a : i1, i64, i64
  } do {
  ^bb0(%go1: i1, %a1: i64, %b1: i64):
    %b2 = arith.addi %b1, %one : i64
    %next = arith.cmpi slt, %b2, %ten : i64
    scf.yield %next, %b2, %b2 : i1, i64, i64
  }
  func.return %j : i64
}

// A value that only its own next one is computed with goes, and so do two that only each other are.
// CHECK-LABEL: func.func @computed_for_itself
// CHECK:         %k = scf.while (%a = %{{.*}}) : (i64) -> i64 {
// CHECK:         ^bb0(%a1: i64):
// CHECK-NEXT:      arith.addi
// CHECK-NEXT:      scf.yield %{{.*}} : i64
func.func @computed_for_itself(%one: i64, %ten: i64, %c: i1) -> i64 {
  %k, %x, %y, %z = scf.while (%a = %one, %b = %one, %d = %ten, %e = %one) : (i64, i64, i64, i64) -> (i64, i64, i64, i64) {
    %more = arith.cmpi slt, %a, %ten : i64
    scf.condition(%more) %a, %b, %d, %e : i64, i64, i64, i64
  } do {
  ^bb0(%a1: i64, %b1: i64, %d1: i64, %e1: i64):
    %a2 = arith.addi %a1, %one : i64
    %b2 = arith.muli %b1, %ten : i64
    %d2 = scf.if %c -> (i64) {
      %t = arith.addi %e1, %ten : i64
      scf.yield %t : i64
    } else {
      scf.yield %one : i64
    }
    %e2 = arith.addi %d1, %one : i64
    scf.yield %a2, %b2, %d2, %e2 : i64, i64, i64, i64
  }
  func.return %k : i64
}

// Held back: what has an effect reads %b1.
// CHECK-LABEL: func.func @read_by_an_effect
// CHECK:         scf.while (%a = %{{.*}}, %b = %{{.*}}) : (i64, i64)
func.func @read_by_an_effect(%one: i64, %ten: i64) -> i64 {
  %k, %x = scf.while (%a = %one, %b = %one) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi slt, %a, %ten : i64
    scf.condition(%more) %a, %b : i64, i64
  } do {
  ^bb0(%a1: i64, %b1: i64):
    %a2 = arith.addi %a1, %one : i64
    %b2 = arith.muli %b1, %ten : i64
    "test.op"(%b2) : (i64) -> ()
    scf.yield %a2, %b2 : i64, i64
  }
  func.return %k : i64
}

// What never changes is what the loop is given, also where two such values change places.
// CHECK-LABEL: func.func @unchanged
// CHECK:         %k = scf.while (%a = %one) : (i64) -> i64 {
// CHECK-NEXT:      arith.cmpi slt, %a, %ten
// CHECK:         ^bb0(%a1: i64):
// CHECK-NEXT:      %a2 = arith.addi %a1, %ten : i64
// CHECK-NEXT:      %a3 = arith.addi %a2, %n : i64
// CHECK-NEXT:      %a4 = arith.addi %a3, %n : i64
// CHECK:         func.return %k, %ten, %n : i64, i64, i64
func.func @unchanged(%one: i64, %ten: i64, %n: i64) -> (i64, i64, i64) {
  %k, %x, %y, %z = scf.while (%a = %one, %b = %ten, %d = %n, %e = %n) : (i64, i64, i64, i64) -> (i64, i64, i64, i64) {
    %more = arith.cmpi slt, %a, %b : i64
    scf.condition(%more) %a, %b, %d, %e : i64, i64, i64, i64
  } do {
  ^bb0(%a1: i64, %b1: i64, %d1: i64, %e1: i64):
    %a2 = arith.addi %a1, %b1 : i64
    %a3 = arith.addi %a2, %d1 : i64
    %a4 = arith.addi %a3, %e1 : i64
    scf.yield %a4, %ten, %e1, %d1 : i64, i64, i64, i64
  }
  func.return %k, %x, %y : i64, i64, i64
}

// Two that begin and go on alike are one. Held back: what begins alike alone, or goes on alike
// alone, and what changes places with something else.
// CHECK-LABEL: func.func @alike
// CHECK:         %k, %y, %z, %v, %w = scf.while (%a = %one, %d = %one, %e = %ten, %f = %one, %g = %ten)
// CHECK:         "test.op"(%k, %k, %y, %z, %v, %w)
func.func @alike(%one: i64, %ten: i64) {
  %k, %x, %y, %z, %v, %w = scf.while (%a = %one, %b = %one, %d = %one, %e = %ten, %f = %one, %g = %ten) : (i64, i64, i64, i64, i64, i64) -> (i64, i64, i64, i64, i64, i64) {
    %more = arith.cmpi slt, %a, %ten : i64
    scf.condition(%more) %a, %b, %d, %e, %f, %g : i64, i64, i64, i64, i64, i64
  } do {
  ^bb0(%a1: i64, %b1: i64, %d1: i64, %e1: i64, %f1: i64, %g1: i64):
    %a2 = arith.addi %a1, %b1 : i64
    %d2 = arith.muli %d1, %ten : i64
    scf.yield %a2, %a2, %d2, %a2, %g1, %f1 : i64, i64, i64, i64, i64, i64
  }
  "test.op"(%k, %x, %y, %z, %v, %w) : (i64, i64, i64, i64, i64, i64) -> ()
  func.return
}

// Results of a branch that are unread, the same in both arms, and those of a result before them.
// CHECK-LABEL: func.func @branch
// CHECK:         %[[R:.*]] = scf.if %c -> (f64) {
// CHECK-NEXT:      scf.yield %x : f64
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %y : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    "test.op"(%[[R]], %n, %[[R]])
func.func @branch(%c: i1, %n: index, %x: f64, %y: f64) {
  %0, %1, %2, %3 = scf.if %c -> (f64, index, f64, f64) {
    %4 = arith.addf %x, %y : f64
    scf.yield %x, %n, %4, %x : f64, index, f64, f64
  } else {
    scf.yield %y, %n, %x, %y : f64, index, f64, f64
  }
  "test.op"(%0, %1, %3) : (f64, index, f64) -> ()
  func.return
}

// A branch that only chooses what nothing reads goes; held back: one with an effect, and results
// that one arm alone gives twice.
// CHECK-LABEL: func.func @branches
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      "test.op"(%x)
// CHECK-NEXT:    }
// CHECK-NEXT:    %0, %1 = scf.if %c -> (f64, f64) {
func.func @branches(%c: i1, %x: f64, %y: f64, %z: f64) {
  %0 = scf.if %c -> (f64) {
    scf.yield %x : f64
  } else {
    scf.yield %y : f64
  }
  %1 = scf.if %c -> (f64) {
    "test.op"(%x) : (f64) -> ()
    scf.yield %x : f64
  } else {
    scf.yield %y : f64
  }
  %2, %3 = scf.if %c -> (f64, f64) {
    scf.yield %x, %x : f64, f64
  } else {
    scf.yield %y, %z : f64, f64
  }
  "test.op"(%2, %3) : (f64, f64) -> ()
  func.return
}

// An extent that begins as one array's and goes on as another's, which is equal, is not carried; one
// that may be another is.
// CHECK-LABEL: func.func @equal_extents
// CHECK:         %[[N:.*]] = tensor.dim %A
// CHECK:         scf.while (%a = %{{.*}}, %d = %{{.*}}) : (index, index)
// CHECK:           arith.addi %a{{.*}}, %[[N]] : index
func.func @equal_extents(%A: tensor<?xf64> {diablo.shape = array<i64: 64>}, %B: tensor<?xf64> {diablo.shape = array<i64: 64>},
                         %C: tensor<?xf64>, %ten: index) -> (index, index) {
  %zero = arith.constant 0 : index
  %n = tensor.dim %A, %zero : tensor<?xf64>
  %m = tensor.dim %B, %zero : tensor<?xf64>
  %l = tensor.dim %C, %zero : tensor<?xf64>
  %k, %x, %y = scf.while (%a = %zero, %b = %n, %d = %n) : (index, index, index) -> (index, index, index) {
    %c = arith.cmpi slt, %a, %ten : index
    scf.condition(%c) %a, %b, %d : index, index, index
  } do {
  ^bb0(%a1: index, %b1: index, %d1: index):
    %a2 = arith.addi %a1, %b1 : index
    %a3 = arith.addi %a2, %d1 : index
    scf.yield %a3, %m, %l : index, index, index
  }
  func.return %k, %y : index, index
}
