// What is folded of a scan that some rows have no part in stays as it is.
// RUN: diablo-opt %s -p convert-multiloop-to-parallel-loops --remarks 2>&1 | filecheck %s

// CHECK: remark: no loops that threads can share: not each row is given something by a scan
// CHECK: func.func @some
// CHECK: multiloop.loop
func.func @some(%rows: !comprehension.bag<f64>, %zero: f64) -> f64 {
  %b, %a = multiloop.loop rows(%rows : !comprehension.bag<f64>) -> f64, f64 {
  ^bb0(%x: f64, %most: !multiloop.reduce<max : f64>, %sums: !multiloop.scan<add : f64>):
    %positive = arith.cmpf ogt, %x, %zero : f64
    scf.if %positive {
      %sum = multiloop.emit %sums(%x : f64)
      multiloop.emit %most(%sum : f64)
    }
  }
  func.return %b : f64
}
