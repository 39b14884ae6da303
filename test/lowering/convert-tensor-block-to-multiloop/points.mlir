// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop --split-input-file | filecheck %s
// RUN: diablo-opt %s -p 'convert-tensor-block-to-multiloop{points=true}' --split-input-file | filecheck %s --check-prefix=POINTS

// A map emits each element to its place.
// CHECK-LABEL: func.func @map
// CHECK:         %r = multiloop.loop points(d0 < %n, d1 < %m) offsets(%x, %y)
// CHECK-SAME:        ins(%A[d0, d1 - 1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
// CHECK-NEXT:    ^bb{{.*}}(%i: index, %j: index, %a: f64, %all: !multiloop.place<f64, 2>):
// CHECK-NEXT:      %b = arith.addf %a, %a : f64
// CHECK-NEXT:      multiloop.emit %all[%i, %j : index, index](%b : f64)
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<?x?xf64>
func.func @map(%A: tensor<?x?xf64>, %n: index, %m: index, %x: index, %y: index) -> tensor<?x?xf64> {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m) offsets(%x, %y)
      ins(%A[d0, d1 - 1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %a: f64):
    %b = arith.addf %a, %a : f64
    tensor_block.yield %b : f64
  }
  func.return %r : tensor<?x?xf64>
}

// -----

// A fold emits to a table of the indices that it keeps: those of a tile are counted from where it begins.
// CHECK-LABEL: func.func @fold
// CHECK:         %r = multiloop.loop points(d0 < %n, d1 < %m) offsets(%x, %y) into(%n)
// CHECK:         ^bb{{.*}}(%i: index, %j: index, %a: f64, %all: !multiloop.table<max : f64>):
// CHECK-NEXT:      %[[K:.*]] = arith.subi %i, %x : index
// CHECK-NEXT:      multiloop.emit %all[%[[K]] : index](%a : f64)
// CHECK:         %s = multiloop.loop points(d0 < %n, d1 < %m)
// CHECK-SAME:        -> f64 {
// CHECK-NEXT:    ^bb{{.*}}(%i_1: index, %j_1: index, %a_1: f64, %{{.*}}: !multiloop.reduce<add : f64>):
func.func @fold(%A: tensor<?x?xf64>, %n: index, %m: index, %x: index, %y: index) -> (tensor<?xf64>, f64) {
  %r = tensor_block.reduce max parallel(d0 < %n) reduced(d1 < %m) offsets(%x, %y)
      ins(%A[d0, d1] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  %s = tensor_block.reduce add reduced(d0 < %n, d1 < %m) ins(%A[d0, d1] : tensor<?x?xf64>) -> f64 {
  ^bb0(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %r, %s : tensor<?xf64>, f64
}

// -----

// What is scattered goes to a table by the index that is computed.
// CHECK-LABEL: func.func @scatter
// CHECK:         %h = multiloop.loop points(d0 < %n) into(%k) ins(%v[d0] : tensor<?xi64>) -> tensor<?xi64> {
// CHECK-NEXT:    ^bb{{.*}}(%i: index, %x: i64, %all: !multiloop.table<add : i64>):
// CHECK-NEXT:      %bin = arith.index_cast %x : i64 to index
// CHECK-NEXT:      multiloop.emit %all[%bin : index](%x : i64)
func.func @scatter(%v: tensor<?xi64>, %n: index, %k: index) -> tensor<?xi64> {
  %h = tensor_block.scatter_reduce add reduced(d0 < %n) into(%k) ins(%v[d0] : tensor<?xi64>) -> tensor<?xi64> {
  ^bb0(%i: index, %x: i64):
    %bin = arith.index_cast %x : i64 to index
    tensor_block.yield %bin, %x : index, i64
  }
  func.return %h : tensor<?xi64>
}

// -----

// Sparse arrays have another level, and so have arrays of known extents.
// CHECK-LABEL: func.func @sparse
// CHECK:         tensor_block.map
// CHECK-LABEL: func.func @known
// CHECK:         tensor_block.map
func.func @sparse(%S: tensor<?xf64, #tensor_block.storage<dense = 0>>, %n: index) -> tensor<?xf64> {
  %r = tensor_block.map parallel(d0 < %n)
      ins(%S[d0] : tensor<?xf64, #tensor_block.storage<dense = 0>>) -> tensor<?xf64> {
  ^bb0(%i: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %r : tensor<?xf64>
}
func.func @known(%x: tensor<?xf64>, %n: index) -> tensor<3xf64> {
  %r = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<3xf64> {
  ^bb0(%i: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %r : tensor<3xf64>
}

// -----

// With `points` rows stay as they are.
// CHECK-LABEL: func.func @rows
// CHECK:         multiloop.loop rows
// POINTS-LABEL: func.func @rows
// POINTS:         tensor_block.project
func.func @rows(%R: !comprehension.bag<f64, i64>) -> !comprehension.bag<i64> {
  %r = tensor_block.project %R [1] : !comprehension.bag<f64, i64> -> !comprehension.bag<i64>
  func.return %r : !comprehension.bag<i64>
}
