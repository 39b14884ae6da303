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

// What a scan gives hangs on how often something is emitted to it.
// CHECK-LABEL: func.func @scan
// CHECK:           %a = multiloop.emit %running(%i : index)
// CHECK-NEXT:      %b = multiloop.emit %running(%i : index)
// CHECK-NEXT:      multiloop.emit %all(%b : index)
func.func @scan(%n: index) -> !comprehension.bag<index> {
  %last, %rows = multiloop.loop range(%n, %n : index, index) -> index, !comprehension.bag<index> {
  ^bb0(%i: index, %running: !multiloop.scan<add : index>, %all: !multiloop.collect<index>):
    %a = multiloop.emit %running(%i : index)
    %b = multiloop.emit %running(%i : index)
    multiloop.emit %all(%b : index)
  }
  func.return %rows : !comprehension.bag<index>
}
