// RUN: diablo-opt %s -p dce | filecheck %s

// A loop whose results nothing needs goes away; one that emits to a loop around it stays.
func.func @dead(%L: !comprehension.bag<f64>) -> f64 {
  %unused = multiloop.loop rows(%L : !comprehension.bag<f64>) -> f64 {
  ^bb0(%x: f64, %s: !multiloop.reduce<max : f64>):
    multiloop.emit %s(%x : f64)
  }
  %sum = multiloop.loop rows(%L : !comprehension.bag<f64>) -> f64 {
  ^bb0(%x: f64, %s: !multiloop.reduce<add : f64>):
    multiloop.loop rows(%L : !comprehension.bag<f64>) {
    ^bb1(%y: f64):
      multiloop.emit %s(%y : f64)
    }
  }
  func.return %sum : f64
}
// CHECK-LABEL: func.func @dead
// CHECK-NOT:     max
// CHECK:         multiloop.loop rows(%L
// CHECK:           multiloop.loop rows(%L
// CHECK:             multiloop.emit
