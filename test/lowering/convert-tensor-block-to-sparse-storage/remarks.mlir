// Kernels over sparse tiles that stay as they are, and why.
// RUN: diablo-opt %s -p convert-tensor-block-to-sparse-storage --split-input-file --verify-diagnostics | filecheck %s

!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
// CHECK-LABEL: func.func private @largest
// CHECK:         tensor_block.reduce max
// expected-remark @+1 {{'largest' does not run over regions: tensor_block.reduce: elements that are not stored contribute}}
func.func private @largest(%A: !rows, %n: index, %m: index) -> f64 {
  %r = tensor_block.reduce max reduced(d0 < %n, d1 < %m) ins(%A[d0, d1] : !rows) -> f64 {
  ^bb0(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %r : f64
}

// -----

!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
// CHECK-LABEL: func.func private @sum_of_patterns
// CHECK:         tensor_block.map
// expected-remark @+1 {{'sum_of_patterns' does not run over regions: tensor_block.map: no input has the pattern of the result}}
func.func private @sum_of_patterns(%A: !rows, %B: !rows, %n: index, %m: index) -> !rows {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : !rows, %B[d0, d1] : !rows) -> !rows {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %v = arith.addf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %r : !rows
}

// -----

!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
// CHECK-LABEL: func.func private @products
// expected-remark @+1 {{'products' does not run over regions: tensor_block.reduce: the identity of 'mul' would be stored everywhere}}
func.func private @products(%A: !rows, %n: index, %m: index, %k: index) -> !rows {
  %r = tensor_block.reduce mul parallel(d0 < %n, d1 < %m) reduced(d2 < %k) ins(%A[d0, d1] : !rows) -> !rows {
  ^bb0(%i: index, %j: index, %l: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %r : !rows
}

// -----

!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
// CHECK-LABEL: func.func private @beside
// expected-remark @+1 {{'beside' does not run over regions: tensor_block.reduce: a sparse input is read beside the point}}
func.func private @beside(%A: !rows, %n: index, %m: index) -> f64 {
  %r = tensor_block.reduce add reduced(d0 < %n, d1 < %m) ins(%A[d0 - 1, d1] : !rows) -> f64 {
  ^bb0(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %r : f64
}

// -----

!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
// CHECK-LABEL: func.func private @dense_result
// The dense form of a tile is made by the tile itself.
// expected-remark @+1 {{'dense_result' does not run over regions: tensor_block.map: elements that are not stored give elements of the result}}
func.func private @dense_result(%A: !rows, %n: index, %m: index) -> tensor<?x?xf64> {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : !rows) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %r : tensor<?x?xf64>
}

// -----

!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
// CHECK-LABEL: func.func private @made_rows
// expected-remark @+1 {{'made_rows' does not run over regions: rows are not folded}}
func.func private @made_rows(%A: !rows) -> !comprehension.bag<index, index, f64> {
  %r = tensor_block.to_bag %A : !rows -> !comprehension.bag<index, index, f64>
  func.return %r : !comprehension.bag<index, index, f64>
}

// -----

!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
// CHECK-LABEL: func.func private @rows_used_twice
// expected-remark @+1 {{'rows_used_twice' does not run over regions: tensor_block.fold: its rows are used more than once}}
func.func private @rows_used_twice(%A: !rows) -> (f64, f64) {
  %bag = tensor_block.to_bag %A : !rows -> !comprehension.bag<index, index, f64>
  %values = tensor_block.project %bag[2] : !comprehension.bag<index, index, f64> -> !comprehension.bag<f64>
  %r = tensor_block.fold add %values : !comprehension.bag<f64>
  %s = tensor_block.fold max %values : !comprehension.bag<f64>
  func.return %r, %s : f64, f64
}
