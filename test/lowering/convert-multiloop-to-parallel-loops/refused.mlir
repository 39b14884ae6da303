// What stays as it is, and why.
// RUN: diablo-opt %s -p convert-multiloop-to-parallel-loops --remarks 2>&1 | filecheck %s

// CHECK: remark: no loops that threads can share: it has 2 loops
// CHECK: func.func @two
// CHECK: multiloop.loop
func.func @two(%rows: !comprehension.bag<f64>) -> (f64, f64) {
  %r = multiloop.loop rows(%rows : !comprehension.bag<f64>) -> f64 {
  ^bb0(%x: f64, %all: !multiloop.reduce<max : f64>):
    multiloop.emit %all(%x : f64)
  }
  %s = multiloop.loop rows(%rows : !comprehension.bag<f64>) -> f64 {
  ^bb0(%x: f64, %all: !multiloop.reduce<min : f64>):
    multiloop.emit %all(%x : f64)
  }
  func.return %r, %s : f64, f64
}
