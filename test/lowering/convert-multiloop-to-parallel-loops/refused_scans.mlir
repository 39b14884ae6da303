// A scan of what another one gives stays as it is.
// RUN: diablo-opt %s -p convert-multiloop-to-parallel-loops --remarks 2>&1 | filecheck %s

// CHECK: remark: no loops that threads can share: what scans give is scanned, folded or left out
// CHECK: func.func @scanned_twice
// CHECK: multiloop.loop
func.func @scanned_twice(%rows: !comprehension.bag<f64>) -> f64 {
  %a, %b = multiloop.loop rows(%rows : !comprehension.bag<f64>) -> f64, f64 {
  ^bb0(%x: f64, %sums: !multiloop.scan<add : f64>, %again: !multiloop.scan<add : f64>):
    %sum = multiloop.emit %sums(%x : f64)
    %twice = multiloop.emit %again(%sum : f64)
  }
  func.return %b : f64
}
