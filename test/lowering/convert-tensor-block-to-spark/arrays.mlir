// How each op over an iteration space is distributed.
// RUN: diablo-opt %s --split-input-file -p convert-tensor-block-to-spark | filecheck %s

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// Elements come from indices: a kernel on every tile's place. The index is a tile's origin
// plus what the kernel counts; a constant is repeated in the kernel, %x is passed to it.
func.func @indices(%x: f64, %n: index) -> !matrix {
  %two = arith.constant 2.0 : f64
  %A = tensor_block.map parallel(d0 < %n, d1 < %n) -> !matrix {
  ^bb0(%i: index, %j: index):
    %k = arith.index_cast %i : index to i64
    %y = arith.sitofp %k : i64 to f64
    %z = arith.mulf %y, %x : f64
    %v = arith.mulf %z, %two : f64
    tensor_block.yield %v : f64
  }
  func.return %A : !matrix
}
// CHECK-LABEL: func.func @indices
// CHECK:         %[[TILES:.*]] = spark.tiles dims(%n, %n)
// CHECK-NEXT:    %A = spark.map @kernel_0(%[[TILES]]) dims(%n, %n) captures(%x : f64)
// CHECK-NEXT:    spark.collect %A dims(%n, %n)
// CHECK:       func.func private @kernel_0(%i_origin: index, %j_origin: index, %i_extent: index, %j_extent: index, %x: f64) -> tensor<?x?xf64>
// CHECK-NEXT:    arith.constant 2.000000e+00
// CHECK-NEXT:    tensor_block.map parallel(d0 < %i_extent, d1 < %j_extent) offsets(%i_origin, %j_origin) -> tensor<?x?xf64>

// -----

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// One input with every dimension: its tiles stay, and get new keys.
func.func @transpose(%A: !matrix, %n: index, %m: index) -> !matrix {
  %B = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d1, d0] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %B : !matrix
}
// The dimensions %n and %m are not known to be those of %A, which may be larger.
// CHECK-LABEL: func.func @transpose
// CHECK:         %[[A:.*]] = spark.parallelize %A
// CHECK:         %[[IN:.*]] = spark.crop %[[A]] dims(%m, %n)
// CHECK-NEXT:    %B = spark.map @kernel_0(%[[IN]]) dims(%m, %n) to_keys [1, 0]
// CHECK:       func.func private @kernel_0(%j_origin: index, %i_origin: index, %j_extent: index, %i_extent: index, %A: tensor<?x?xf64>)
// CHECK-NEXT:    tensor_block.map parallel(d0 < %i_extent, d1 < %j_extent) ins(%A[d1, d0] : tensor<?x?xf64>)

// -----

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// Elementwise: equal keys meet, nothing is copied.
func.func @sum(%A: !matrix, %B: !matrix) -> !matrix {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %A, %c0 : !matrix
  %m = tensor.dim %A, %c1 : !matrix
  %C = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : !matrix, %B[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    tensor_block.yield %c : f64
  }
  func.return %C : !matrix
}
// CHECK-LABEL: func.func @sum
// CHECK:         %n = tensor.dim %A
// CHECK:         %[[A:.*]] = spark.parallelize %A
// CHECK-NEXT:    %[[B:.*]] = spark.parallelize %B
// CHECK-NEXT:    %[[INSIDE:.*]] = spark.crop %[[B]] dims(%n, %m)
// CHECK-NEXT:    %[[GROUPS:.*]] = spark.cogroup %[[A]], %[[INSIDE]]
// CHECK-NEXT:    spark.map_groups @kernel_0(%[[GROUPS]]) dims(%n, %m)
// CHECK-NOT:     spark.rekey

// -----

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// A product of matrices: rows and columns of tiles are copied to the tiles of the result.
func.func @product(%A: !matrix, %B: !matrix, %n: index, %m: index, %l: index) -> !matrix {
  %C = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l) ins(%A[d0, d2] : !matrix, %B[d2, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  func.return %C : !matrix
}
// CHECK-LABEL: func.func @product
// CHECK:         %[[A:.*]] = spark.rekey %{{.*}}[0, -1] dims(%n, %m)
// CHECK-NEXT:    %[[B:.*]] = spark.rekey %{{.*}}[-1, 1] dims(%n, %m)
// CHECK-NEXT:    %[[GROUPS:.*]] = spark.cogroup %[[A]], %[[B]]
// CHECK-NEXT:    %C = spark.map_groups add @kernel_0(%[[GROUPS]]) dims(%n, %m, %l) indexing_maps[(d0, d1, d2) -> (d0, d2), (d0, d1, d2) -> (d2, d1)]
// CHECK-NOT:     reduce_by_key

// -----

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// A transposed matrix by a vector: the matrix does not move. The vector is broadcast and cut
// to the tile's rows, and the partial results of a column are added.
func.func @matrix_vector(%E: !matrix, %Q: !vector, %n: index) -> !vector {
  %P = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n) ins(%E[d1, d0] : !matrix, %Q[d1] : !vector) -> !vector {
  ^bb0(%i: index, %j: index, %e: f64, %q: f64):
    %v = arith.mulf %e, %q : f64
    tensor_block.yield %v : f64
  }
  func.return %P : !vector
}
// CHECK-LABEL: func.func @matrix_vector
// CHECK:         %[[Q:.*]] = spark.broadcast
// CHECK-NEXT:    %[[E:.*]] = spark.crop
// CHECK-NEXT:    %[[PART:.*]] = spark.map @kernel_0(%[[E]]) dims(%n, %n) captures(%[[Q]] : !spark.broadcast<tensor<?xf64>>) crops[(d0, d1) -> (d0)] to_keys [1]
// CHECK-NEXT:    %P = spark.reduce_by_key add %[[PART]]
// CHECK-NOT:     spark.cogroup

// -----

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

func.func @row_sums(%A: !matrix, %n: index, %m: index) -> !vector {
  %s = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m) ins(%A[d0, d1] : !matrix) -> !vector {
  ^bb0(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %s : !vector
}
// CHECK-LABEL: func.func @row_sums
// CHECK:         %[[PART:.*]] = spark.map @kernel_0(%{{.*}}) dims(%n, %m) to_keys [0]
// CHECK-NEXT:    %s = spark.reduce_by_key add %[[PART]]

// -----

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// A full fold of two arrays: equal keys meet, and a scalar of each goes to the driver.
func.func @dot(%x: !vector, %y: !vector, %n: index) -> f64 {
  %s = tensor_block.reduce add reduced(d0 < %n) ins(%x[d0] : !vector, %y[d0] : !vector) -> f64 {
  ^bb0(%i: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %s : f64
}
// CHECK-LABEL: func.func @dot
// CHECK:         %[[PART:.*]] = spark.map_groups @kernel_0(%{{.*}}) dims(%n) {{.*}}to_keys [] {{.*}}-> !spark.rdd<[], [f64]>
// CHECK-NEXT:    %s = spark.fold add %[[PART]]
// CHECK-NEXT:    func.return %s : f64

// -----

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// An outer product: no input enumerates the tiles of the result, so both are copied to them.
func.func @outer(%x: !vector, %y: !vector, %n: index, %m: index) -> !matrix {
  %A = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%x[d0] : !vector, %y[d1] : !vector) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  func.return %A : !matrix
}
// CHECK-LABEL: func.func @outer
// CHECK:         %[[X:.*]] = spark.rekey %{{.*}}[0, -1] dims(%n, %m)
// CHECK-NEXT:    %[[Y:.*]] = spark.rekey %{{.*}}[-1, 0] dims(%n, %m)
// CHECK-NEXT:    %[[GROUPS:.*]] = spark.cogroup %[[X]], %[[Y]]
// CHECK-NEXT:    %A = spark.map_groups @kernel_0(%[[GROUPS]]) dims(%n, %m) indexing_maps[(d0, d1) -> (d0), (d0, d1) -> (d1)]

// -----

// Local arrays stay with the driver, which calls the kernel; beside a distributed array they
// are broadcast. Partial sums for the driver alone are not reduced by key.
func.func @local(%v: tensor<?xf64>, %A: tensor<?x?xf64, #tensor_block.tiles<dense = 2>>, %n: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %w = tensor_block.map parallel(d0 < %n) ins(%v[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %a: f64):
    %b = arith.addf %a, %a : f64
    tensor_block.yield %b : f64
  }
  %s = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n) ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 2>>, %w[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %p = arith.mulf %a, %b : f64
    tensor_block.yield %p : f64
  }
  func.return %w, %s : tensor<?xf64>, tensor<?xf64>
}
// CHECK-LABEL: func.func @local
// CHECK:         %w = func.call @kernel_0(%n, %v)
// CHECK-NEXT:    %[[W:.*]] = spark.broadcast %w
// CHECK:         spark.map @kernel_1(%{{.*}}) dims(%n, %n) captures(%[[W]] : !spark.broadcast<tensor<?xf64>>) crops[(d0, d1) -> (d1)] to_keys [0]
// CHECK-NOT:     spark.reduce_by_key
// CHECK:         %s = spark.collect %{{.*}} dims(%n) folded "add" : {{.*}} -> tensor<?xf64>
// CHECK-NEXT:    func.return %w, %s

// -----

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// An array that elements read anywhere is sent to every worker, or gathered for the driver.
func.func @inside(%v: !vector, %n: index) -> (!vector, tensor<?xf64>) {
  %r = tensor_block.map parallel(d0 < %n) -> !vector {
  ^bb0(%i: index):
    %x, %found = comprehension.probe %v[%i] : !vector
    tensor_block.yield %x : f64
  }
  %s = tensor_block.map parallel(d0 < %n) -> tensor<?xf64> {
  ^bb0(%i: index):
    %x = tensor.extract %v[%i] : !vector
    tensor_block.yield %x : f64
  }
  func.return %r, %s : !vector, tensor<?xf64>
}
// CHECK-LABEL: func.func @inside
// CHECK:         %[[WHOLE:.*]] = spark.broadcast %{{.*}} dims(%{{.*}}) : {{.*}} -> !spark.broadcast<tensor<?xf64>>
// CHECK-NEXT:    %[[TILES:.*]] = spark.tiles dims(%n)
// CHECK-NEXT:    %r = spark.map @kernel_0(%[[TILES]]) dims(%n) captures(%[[WHOLE]] : !spark.broadcast<tensor<?xf64>>)
// CHECK:         %[[LOCAL:.*]] = spark.collect {{.*}} -> tensor<?xf64>
// CHECK-NEXT:    func.call @kernel_1(%n, %[[LOCAL]])
// CHECK:       func.func private @kernel_0(%{{.*}}: index, %{{.*}}: index, %v: tensor<?xf64>)

// -----

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>

// A product with a matrix of the driver: tiles stay where they are, and parts of the result are
// combined. Those of a sparse matrix are less than parts of a dense result, and move.
func.func @thin(%A: !matrix, %S: !sparse, %Q: tensor<?x?xf64>, %n: index, %m: index, %l: index) -> (!matrix, !matrix) {
  %C = tensor_block.reduce add parallel(d0 < %n, d1 < %l) reduced(d2 < %m) ins(%A[d2, d0] : !matrix, %Q[d2, d1] : tensor<?x?xf64>) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  %D = tensor_block.reduce add parallel(d0 < %n, d1 < %l) reduced(d2 < %m) ins(%S[d0, d2] : !sparse, %Q[d2, d1] : tensor<?x?xf64>) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  func.return %C, %D : !matrix, !matrix
}
// CHECK-LABEL: func.func @thin
// CHECK:         %[[COPIES:.*]] = spark.replicate %{{.*}} dims(%l) : {{.*}} -> !spark.rdd<[index, index, index], [tensor<?x?xf64>]>
// CHECK-NEXT:    %[[PARTS:.*]] = spark.map @kernel_0(%[[COPIES]]) dims(%m, %n, %l) captures({{.*}}) crops[(d0, d1, d2) -> (d0, d2)] to_keys [1, 2]
// CHECK-NEXT:    spark.reduce_by_key add %[[PARTS]]
// CHECK:         spark.rekey %{{.*}}[0, -1] dims(%n, %l)
