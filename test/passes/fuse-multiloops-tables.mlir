// Tables keep their extents where generators go or change places.
// RUN: diablo-opt %s -p fuse-multiloops | filecheck %s

// CHECK-LABEL: func.func @unused
// CHECK-NEXT:    %b = multiloop.loop points(d0 < %n) into(%l) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
// CHECK-NEXT:    ^bb{{[0-9]+}}(%i: index, %e: f64, %greatest: !multiloop.table<max : f64>):
// CHECK-NEXT:      multiloop.emit %greatest[%i : index](%e : f64)
// CHECK-NEXT:    }
func.func @unused(%x: tensor<?xf64>, %n: index, %m: index, %l: index) -> tensor<?xf64> {
  %a, %b = multiloop.loop points(d0 < %n) into(%m, %l) ins(%x[d0] : tensor<?xf64>)
      -> tensor<?xf64>, tensor<?xf64> {
  ^bb0(%i: index, %e: f64, %sums: !multiloop.table<add : f64>,
       %greatest: !multiloop.table<max : f64>):
    multiloop.emit %sums[%i : index](%e : f64)
    multiloop.emit %greatest[%i : index](%e : f64)
  }
  func.return %b : tensor<?xf64>
}

// CHECK-LABEL: func.func @other_order
// CHECK-NEXT:    %b, %a = multiloop.loop points(d0 < %n) into(%l, %l, %m) ins(%x[d0] : tensor<?xf64>)
// CHECK-NEXT:    ^bb{{[0-9]+}}(%i: index, %e: f64, %greatest: !multiloop.table<max : f64, 2>, %sums: !multiloop.table<add : f64>):
func.func @other_order(%x: tensor<?xf64>, %n: index, %m: index, %l: index)
    -> (tensor<?x?xf64>, tensor<?xf64>) {
  %a, %b = multiloop.loop points(d0 < %n) into(%m, %l, %l) ins(%x[d0] : tensor<?xf64>)
      -> tensor<?xf64>, tensor<?x?xf64> {
  ^bb0(%i: index, %e: f64, %sums: !multiloop.table<add : f64>,
       %greatest: !multiloop.table<max : f64, 2>):
    multiloop.emit %sums[%i : index](%e : f64)
    multiloop.emit %greatest[%i, %i : index, index](%e : f64)
  }
  func.return %b, %a : tensor<?x?xf64>, tensor<?xf64>
}
