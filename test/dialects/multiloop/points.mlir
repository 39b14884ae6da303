// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

// A product: a table of the first two indices.
// CHECK-LABEL: func.func @product
// CHECK:         %C = multiloop.loop points(d0 < %n, d1 < %m, d2 < %l) into(%n, %m)
// CHECK-SAME:        ins(%A[d0, d2] : tensor<?x?xf64>, %B[d2, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
// CHECK-NEXT:    ^bb{{[0-9]+}}(%i: index, %j: index, %k: index, %a: f64, %b: f64, %sums: !multiloop.table<add : f64, 2>):
// CHECK-NEXT:      %product = arith.mulf %a, %b : f64
// CHECK-NEXT:      multiloop.emit %sums[%i, %j : index, index](%product : f64)
// GENERIC:       %C = "multiloop.loop"(%A, %B, %n, %m, %l, %n, %m) <{source = "points", indexing_maps = [{{.*}}], operandSegmentSizes = array<i32: 2, 3, 0, 0, 2>}> ({
func.func @product(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %n: index, %m: index, %l: index) -> tensor<?x?xf64> {
  %C = multiloop.loop points(d0 < %n, d1 < %m, d2 < %l) into(%n, %m)
      ins(%A[d0, d2] : tensor<?x?xf64>, %B[d2, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64, %sums: !multiloop.table<add : f64, 2>):
    %product = arith.mulf %a, %b : f64
    multiloop.emit %sums[%i, %j : index, index](%product : f64)
  }
  func.return %C : tensor<?x?xf64>
}

// Generators of every kind over the points of a tile, which begins elsewhere, read beside themselves.
// CHECK-LABEL: func.func @several
// CHECK:         %means, %greatest, %bins = multiloop.loop points(d0 < %n, d1 < %m)
// CHECK-SAME:        offsets(%x, %y) symbols(%last) into(%k)
// CHECK-SAME:        ins(%A[d0, d1 - 1] : tensor<?x?xf64>, %A[-d0 + s0, d1] : tensor<?x?xf64>)
// CHECK-SAME:        -> tensor<?x?xf64>, f64, tensor<?xi64> {
// CHECK-NEXT:    ^bb{{[0-9]+}}(%i: index, %j: index, %a: f64, %b: f64, %all: !multiloop.place<f64, 2>, %max: !multiloop.reduce<max : f64>, %counts: !multiloop.table<add : i64>):
func.func @several(%A: tensor<?x?xf64>, %n: index, %m: index, %x: index, %y: index, %last: index, %k: index)
    -> (tensor<?x?xf64>, f64, tensor<?xi64>) {
  %means, %greatest, %bins = multiloop.loop points(d0 < %n, d1 < %m) offsets(%x, %y) symbols(%last) into(%k)
      ins(%A[d0, d1 - 1] : tensor<?x?xf64>, %A[-d0 + s0, d1] : tensor<?x?xf64>)
      -> tensor<?x?xf64>, f64, tensor<?xi64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64, %all: !multiloop.place<f64, 2>,
       %max: !multiloop.reduce<max : f64>, %counts: !multiloop.table<add : i64>):
    %sum = arith.addf %a, %b : f64
    multiloop.emit %all[%i, %j : index, index](%sum : f64)
    multiloop.emit %max(%a : f64)
    %one = arith.constant 1 : i64
    multiloop.emit %counts[%j : index](%one : i64)
  }
  func.return %means, %greatest, %bins : tensor<?x?xf64>, f64, tensor<?xi64>
}

// Without dimensions there is one point; without arrays it knows its index alone.
// CHECK-LABEL: func.func @little
// CHECK:         multiloop.loop points() -> f64 {
// CHECK:         multiloop.loop points(d0 < %n) -> tensor<?xindex> {
func.func @little(%n: index, %x: f64) -> (f64, tensor<?xindex>) {
  %s = multiloop.loop points() -> f64 {
  ^bb0(%all: !multiloop.reduce<add : f64>):
    multiloop.emit %all(%x : f64)
  }
  %v = multiloop.loop points(d0 < %n) -> tensor<?xindex> {
  ^bb0(%i: index, %all: !multiloop.place<index>):
    multiloop.emit %all[%i : index](%i : index)
  }
  func.return %s, %v : f64, tensor<?xindex>
}
