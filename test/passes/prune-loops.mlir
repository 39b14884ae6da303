// RUN: diablo-opt %s -p prune-loops | filecheck %s

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
