// Loops over the rows of a bag that match a key.
// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @by_two_columns
// CHECK-NEXT:    %n = multiloop.loop matches[2, 0](%R, %k, %x : !comprehension.bag<f64, i1, i64>, i64, f64) -> i64 {
// CHECK-NEXT:    ^bb{{[0-9]+}}(%a: f64, %b: i1, %c: i64, %sum: !multiloop.reduce<add : i64>):
// GENERIC:       "multiloop.loop"(%R, %k, %x) <{source = "matches", columns = array<i64: 2, 0>, operandSegmentSizes = array<i32: 3, 0, 0, 0, 0>}>
func.func @by_two_columns(%R: !comprehension.bag<f64, i1, i64>, %k: i64, %x: f64) -> i64 {
  %n = multiloop.loop matches[2, 0](%R, %k, %x : !comprehension.bag<f64, i1, i64>, i64, f64) -> i64 {
  ^bb0(%a: f64, %b: i1, %c: i64, %sum: !multiloop.reduce<add : i64>):
    multiloop.emit %sum(%c : i64)
  }
  func.return %n : i64
}
