// Arrays that are made of what all workers have are made in the tiles that they are read with.
// RUN: diablo-opt %s --split-input-file -p place-arrays,convert-tensor-block-to-spark,canonicalize,cse,dce --remarks 2>&1 | filecheck %s

!tiles = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// The product behind the sum of two arrays: these are brought together, and the product is not.
// CHECK:       remark: this is made in the tiles that it is read with
// CHECK-LABEL: func.func @three
// CHECK-NOT:     spark.tiles
// CHECK:         %[[GROUPS:.*]] = spark.cogroup %A_{{.*}}, %{{.*}} :
// CHECK-NEXT:    %E = spark.map_groups @kernel_0(%[[GROUPS]]) dims(%n, %m, %l) indexing_maps[(d0, d1, d2) -> (d0, d1), (d0, d1, d2) -> (d0, d1)] captures(%{{.*}}, %{{.*}}, %x : {{.*}}) crops[(d0, d1, d2) -> (d0, d2), (d0, d1, d2) -> (d2, d1)]
// CHECK:       func.func private @kernel_0(%i_origin: index, %j_origin: index, %k_origin: index, %i_extent: index, %j_extent: index, %k_extent: index, %A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %P: tensor<?x?xf64>, %Q: tensor<?x?xf64>, %x: f64)
// CHECK-NEXT:    %[[PQ:.*]] = tensor_block.reduce add parallel(d0 < %i_extent, d1 < %j_extent) reduced(d2 < %k_extent) ins(%P[d0, d2] : {{.*}}, %Q[d2, d1]
// CHECK:         tensor_block.map parallel(d0 < %i_extent, d1 < %j_extent) ins(%A[d0, d1] : {{.*}}, %[[PQ]][d0, d1] : {{.*}}, %B[d0, d1]
func.func @three(%A: !tiles, %B: !tiles, %P: tensor<?x?xf64>, %Q: tensor<?x?xf64>, %x: f64) -> !tiles {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %n = tensor.dim %A, %0 : !tiles
  %m = tensor.dim %A, %1 : !tiles
  %l = tensor.dim %P, %1 : tensor<?x?xf64>
  %pq = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l) ins(%P[d0, d2] : tensor<?x?xf64>, %Q[d2, d1] : tensor<?x?xf64>) -> !tiles {
  ^bb0(%i: index, %j: index, %k: index, %p: f64, %q: f64):
    %z = arith.mulf %p, %q : f64
    tensor_block.yield %z : f64
  }
  %E = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : !tiles, %pq[d0, d1] : !tiles, %B[d0, d1] : !tiles) -> !tiles {
  ^bb0(%i: index, %j: index, %a: f64, %p: f64, %b: f64):
    %y = arith.subf %a, %p : f64
    %z = arith.mulf %y, %b : f64
    %w = arith.mulf %z, %x : f64
    tensor_block.yield %w : f64
  }
  func.return %E : !tiles
}

// -----

!tiles = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// Not so if something else reads it as well, and where it is copied to other keys.
// CHECK-NOT:   this is made in the tiles
// CHECK-LABEL: func.func @twice
// CHECK-COUNT-2: spark.cogroup
func.func @twice(%A: !tiles, %p: tensor<?x?xf64>) -> (!tiles, !tiles) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %n = tensor.dim %A, %0 : !tiles
  %m = tensor.dim %A, %1 : !tiles
  %P = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%p[d0, d1] : tensor<?x?xf64>) -> !tiles {
  ^bb0(%i: index, %j: index, %a: f64):
    %z = arith.mulf %a, %a : f64
    tensor_block.yield %z : f64
  }
  %B = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : !tiles, %P[d0, d1] : !tiles) -> !tiles {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %z = arith.addf %a, %b : f64
    tensor_block.yield %z : f64
  }
  %C = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %n) ins(%A[d0, d2] : !tiles, %P[d2, d1] : !tiles) -> !tiles {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %z = arith.mulf %a, %b : f64
    tensor_block.yield %z : f64
  }
  func.return %B, %C : !tiles, !tiles
}
