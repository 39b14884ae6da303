// RUN: diablo-opt %s -p convert-diablo-to-comprehension | filecheck %s
// A variable may have any name; what holds its value is named as far as MLIR allows.

// CHECK-LABEL: func.func @space
// CHECK:         %my_total = arith.addf %x, %x : f64
// CHECK-NEXT:    func.return %my_total
func.func @space(%x: f64) -> f64 {
  %t = diablo.var "my total" = %x : f64
  diablo.accumulate add %x, %t : !diablo.ref<f64>
  %r = diablo.load %t : !diablo.ref<f64>
  func.return %r : f64
}
