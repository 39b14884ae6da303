// Why an op is distributed as it is.
// RUN: diablo-opt %s -p convert-tensor-block-to-spark --remarks 2>&1 | filecheck %s

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

func.func @main(%A: !matrix, %B: !matrix, %x: !vector, %n: index) -> (!matrix, !matrix, !vector) {
  // CHECK: remarks.mlir:{{.*}}remark: tiles of equal coordinates meet: nothing is copied
  %S = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%A[d0, d1] : !matrix, %B[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    tensor_block.yield %c : f64
  }
  // CHECK: remark: tiles of 2 inputs are copied to where they are needed: no input has the tiles that the result is made of
  %P = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n) ins(%A[d0, d2] : !matrix, %A[d2, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  // CHECK: remark: a vector is sent to every worker, so that the larger arrays need not move
  %y = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n) ins(%A[d0, d1] : !matrix, %x[d1] : !vector) -> !vector {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  func.return %S, %P, %y : !matrix, !matrix, !vector
}

!bag = !comprehension.bag<i64, f64>

func.func @joins(%G: !bag, %H: !bag) -> !comprehension.bag<i64, f64, i64, f64> {
  // CHECK: remark: the right side is sent to every worker: there are no keys to hash
  %P = tensor_block.join %G[], %H[] : !bag, !bag -> !comprehension.bag<i64, f64, i64, f64>
  func.return %P : !comprehension.bag<i64, f64, i64, f64>
}
