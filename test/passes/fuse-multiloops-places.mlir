// What is fused keeps its place: the loop that of the first one, all in it its own.
// RUN: diablo-opt %s -p fuse-multiloops --print-debuginfo | filecheck %s

// CHECK-LABEL: func.func @places
// CHECK-NEXT:    %s = multiloop.loop rows(%x : !comprehension.bag<f64>) -> f64 {
// CHECK-NEXT:    ^bb{{[0-9]+}}(%a: f64 loc("a.diablo":1:2), %sum: !multiloop.reduce<add : f64> loc("a.diablo":2:2)):
// CHECK-NEXT:      %e = math.exp %a : f64 loc("a.diablo":1:3)
// CHECK-NEXT:      %r = math.sqrt %e : f64 loc("a.diablo":2:3)
// CHECK-NEXT:      multiloop.emit %sum(%r : f64) loc("a.diablo":2:4)
// CHECK-NEXT:    } loc("a.diablo":1:1)
func.func @places(%x: !comprehension.bag<f64>) -> f64 {
  %p = multiloop.loop rows(%x : !comprehension.bag<f64>) -> !comprehension.bag<f64> {
  ^bb0(%a: f64 loc("a.diablo":1:2), %all: !multiloop.collect<f64>):
    %e = math.exp %a : f64 loc("a.diablo":1:3)
    multiloop.emit %all(%e : f64)
  } loc("a.diablo":1:1)
  %s = multiloop.loop rows(%p : !comprehension.bag<f64>) -> f64 {
  ^bb0(%b: f64, %sum: !multiloop.reduce<add : f64> loc("a.diablo":2:2)):
    %r = math.sqrt %b : f64 loc("a.diablo":2:3)
    multiloop.emit %sum(%r : f64) loc("a.diablo":2:4)
  } loc("a.diablo":2:1)
  func.return %s : f64
}
