// Sparse maps whose results have regions of their own: rows are merged, and their vectors returned.
// RUN: diablo-opt %s -p 'convert-tensor-block-to-sparse-storage{merged=true exact=true}' --split-input-file --verify-diagnostics | filecheck %s

// CHECK-LABEL: func.func private @sum(
// CHECK-SAME:    %place: index {sparse_storage.split}) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xf64>)
// CHECK:         multiloop.loop range(%begin, %end : index, index) -> index {
// CHECK-NEXT:    ^bb{{.*}}(%i: index, %[[counts:.*]]: !multiloop.scan<add : index>):
// CHECK:           multiloop.loop union(%{{.*}}, %{{.*}} : {{.*}}) {
// CHECK-NEXT:      ^bb{{.*}}(%j: index, %{{.*}}: index, %{{.*}}: index, %{{.*}}: i1, %{{.*}}: i1):
// CHECK:             %s = arith.addf %a, %b
// CHECK:             %[[stored:.*]] = arith.cmpf une, %s, %
// CHECK:             %[[count:.*]] = multiloop.emit %[[counts]](%[[step:.*]] : index)
// CHECK-NEXT:        %[[before:.*]] = arith.subi %[[count]], %[[step]]
// CHECK-NEXT:        %[[k:.*]] = arith.addi %place, %[[before]]
// CHECK:             memref.store %{{.*}}, %r_indices[%[[k]]]
// CHECK-NEXT:        memref.store %s, %r_values[%[[k]]]
// CHECK:           memref.store %{{.*}}, %r_ends[%i]
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
func.func private @sum(%n: index, %m: index, %A: !rows, %B: !rows) -> !rows {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : !rows, %B[d0, d1] : !rows) -> !rows {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %s = arith.addf %a, %b : f64
    tensor_block.yield %s : f64
  }
  func.return %r : !rows
}

// -----

// What both have to store, and integers.
// CHECK-LABEL: func.func private @product(
// CHECK:         multiloop.loop intersect(
// CHECK:           %s = arith.muli %a, %b
// CHECK:           arith.cmpi ne, %s, %
!rows = tensor<?x?xi32, #tensor_block.storage<dense = 1>>
func.func private @product(%n: index, %m: index, %A: !rows, %B: !rows) -> !rows {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : !rows, %B[d0, d1] : !rows) -> !rows {
  ^bb0(%i: index, %j: index, %a: i32, %b: i32):
    %s = arith.muli %a, %b : i32
    tensor_block.yield %s : i32
  }
  func.return %r : !rows
}

// -----

// An array that is stored where another one is has no part in it; a transposed one cannot be merged.
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
// CHECK-LABEL: func.func private @transposed
// CHECK:         tensor_block.map
// expected-remark @+1 {{'transposed' does not run over regions: tensor_block.map: no inputs are merged}}
func.func private @transposed(%n: index, %A: !rows, %B: !rows) -> !rows {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%A[d0, d1] : !rows, %B[d1, d0] : !rows) -> !rows {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %s = arith.addf %a, %b : f64
    tensor_block.yield %s : f64
  }
  func.return %r : !rows
}

// -----

!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
// CHECK-LABEL: func.func private @twice
// CHECK:         tensor_block.map
// expected-remark @+1 {{'twice' does not run over regions: tensor_block.map: no inputs are merged}}
func.func private @twice(%n: index, %m: index, %A: !rows) -> !rows {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : !rows, %A[d0, d1] : !rows) -> !rows {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %s = arith.addf %a, %b : f64
    tensor_block.yield %s : f64
  }
  func.return %r : !rows
}

// -----

!rows = tensor<?x?xi1, #tensor_block.storage<dense = 1>>
// CHECK-LABEL: func.func private @booleans
// CHECK:         tensor_block.map
// expected-remark @+1 {{'booleans' does not run over regions: an array of Booleans has no values}}
func.func private @booleans(%n: index, %m: index, %A: !rows, %B: !rows) -> !rows {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : !rows, %B[d0, d1] : !rows) -> !rows {
  ^bb0(%i: index, %j: index, %a: i1, %b: i1):
    %s = arith.ori %a, %b : i1
    tensor_block.yield %s : i1
  }
  func.return %r : !rows
}

// -----

!cube = tensor<?x?x?xf64, #tensor_block.storage<dense = 1>>
// CHECK-LABEL: func.func private @cubes
// CHECK:         tensor_block.map
// expected-remark @+1 {{'cubes' does not run over regions: what is merged is no matrix with dense rows}}
func.func private @cubes(%n: index, %m: index, %k: index, %A: !cube, %B: !cube) -> !cube {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m, d2 < %k) ins(%A[d0, d1, d2] : !cube, %B[d0, d1, d2] : !cube) -> !cube {
  ^bb0(%i: index, %j: index, %l: index, %a: f64, %b: f64):
    %s = arith.addf %a, %b : f64
    tensor_block.yield %s : f64
  }
  func.return %r : !cube
}

// -----

// One of those that are united is not zero, so it need not be tested; whether a certain one is, has.
// CHECK-LABEL: func.func private @words(
// CHECK:         multiloop.loop union(
// CHECK-NOT:       arith.ori
// CHECK:           %[[there:.*]] = arith.cmpi ne, %a, %
// CHECK-NOT:       arith.ori
// CHECK:           %[[one:.*]] = arith.select %[[there]], %a, %x
// CHECK-NEXT:      %s = arith.addi %[[one]], %b
// CHECK-NOT:       arith.select
// CHECK:           memref.store %s, %r_values
!rows = tensor<?x?xi64, #tensor_block.storage<dense = 1>>
func.func private @words(%n: index, %m: index, %x: i64, %A: !rows, %B: !rows) -> !rows {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : !rows, %B[d0, d1] : !rows) -> !rows {
  ^bb0(%i: index, %j: index, %a: i64, %b: i64):
    %zero = arith.constant 0 : i64
    %in_a = arith.cmpi ne, %a, %zero : i64
    %in_b = arith.cmpi ne, %b, %zero : i64
    %one = arith.select %in_a, %a, %x : i64
    %s = arith.addi %one, %b : i64
    %some = arith.ori %in_a, %in_b : i1
    %word = arith.select %some, %s, %zero : i64
    tensor_block.yield %word : i64
  }
  func.return %r : !rows
}
