// A group of operations in strips is one kernel and one job.
// RUN: diablo-opt %s -p convert-tensor-block-to-spark | filecheck %s
// RUN: diablo-opt %s -p "convert-tensor-block-to-spark,elide-shuffles" | filecheck %s --check-prefix=ZIP

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// Of what is read along the strips a kernel gets its part, of %w the whole; %p and the sums come to the driver.
// CHECK-LABEL: func.func @chain
// CHECK-DAG:     %[[Y:.*]] = spark.broadcast %y
// CHECK-DAG:     %[[W:.*]] = spark.broadcast %w
// CHECK:         %[[S:.*]] = spark.strips %X along 0 dims(%[[N:.*]], %[[M:.*]]) : tensor<?x?xf64
// CHECK-NEXT:    %[[P:.*]] = spark.map @kernel_0(%[[S]]) dims(%n, %m) captures(%[[Y]], %[[W]], %a {{.*}}) crops[(d0, d1) -> (d0)]
// CHECK-SAME:      -> !spark.rdd<[index], [tensor<?xf64>, tensor<?xf64>, f64]>
// CHECK-NEXT:    %p, %g, %s = spark.collect_strips %[[P]] along [0, -1, -1] folded [add, max] dims(%m)
// CHECK-NEXT:    func.return %p, %g, %s
func.func @chain(%X: !matrix, %y: tensor<?xf64>, %w: tensor<?xf64>, %a: f64, %n: index, %m: index)
    -> (tensor<?xf64>, tensor<?xf64>, f64) {
  %p = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m) ins(%X[d0, d1] : !matrix, %w[d1] : tensor<?xf64>) -> tensor<?xf64> attributes {tensor_block.strips = array<i64: 0, 0>} {
  ^bb0(%i: index, %j: index, %b: f64, %c: f64):
    %d = arith.mulf %b, %c : f64
    tensor_block.yield %d : f64
  }
  %e = tensor_block.map parallel(d0 < %n) ins(%p[d0] : tensor<?xf64>, %y[d0] : tensor<?xf64>) -> tensor<?xf64> attributes {tensor_block.strips = array<i64: 0, 0>} {
  ^bb0(%i: index, %b: f64, %c: f64):
    %d = arith.subf %b, %c : f64
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f64
    %h = arith.mulf %a, %f : f64
    %r = arith.addf %d, %h : f64
    tensor_block.yield %r : f64
  }
  %g = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n) ins(%X[d1, d0] : !matrix, %e[d1] : tensor<?xf64>) -> tensor<?xf64> attributes {tensor_block.strips = array<i64: 0, 1>} {
  ^bb0(%i: index, %j: index, %b: f64, %c: f64):
    %d = arith.mulf %b, %c : f64
    tensor_block.yield %d : f64
  }
  %s = tensor_block.reduce max reduced(d0 < %n) ins(%e[d0] : tensor<?xf64>) -> f64 attributes {tensor_block.strips = array<i64: 0, 0>} {
  ^bb0(%i: index, %b: f64):
    tensor_block.yield %b : f64
  }
  func.return %p, %g, %s : tensor<?xf64>, tensor<?xf64>, f64
}

// Strips of several arrays meet as tiles do: those of a vector are its tiles. What is wanted in
// tiles is distributed again.
// CHECK-LABEL: func.func @several
// CHECK:         %[[V:.*]] = spark.parallelize %v
// CHECK:         %[[S:.*]] = spark.strips %X along 1
// CHECK:         %[[G:.*]] = spark.cogroup %[[S]], %[[V]] grid(%n)
// CHECK-NEXT:    %[[P:.*]] = spark.map_groups @kernel_{{.*}}(%[[G]]) dims(%n, %m) indexing_maps[(d0, d1) -> (d0), (d0, d1) -> (d0)]
// CHECK-NEXT:    %[[R:.*]] = spark.collect_strips %[[P]] along [-1] folded [add] dims(%m)
// CHECK-NEXT:    spark.parallelize %[[R]]
// ZIP-LABEL:   func.func @several
// ZIP:           spark.cogroup %{{.*}}, %{{.*}} grid(%n) zipped
func.func @several(%X: !matrix, %v: !vector, %n: index, %m: index) -> !vector {
  %g = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n) ins(%X[d0, d1] : !matrix, %v[d1] : !vector) -> !vector attributes {tensor_block.strips = array<i64: 0, 1>} {
  ^bb0(%i: index, %j: index, %b: f64, %c: f64):
    %d = arith.mulf %b, %c : f64
    tensor_block.yield %d : f64
  }
  func.return %g : !vector
}

// Tiles that an operation makes become strips; nothing of the first operation is copied.
// CHECK-LABEL: func.func @made
// CHECK:         %[[T:.*]] = spark.map @
// CHECK:         %[[S:.*]] = spark.strips %[[T]] along 0 dims(%n, %m) : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index], [tensor<?x?xf64>]>
func.func @made(%X: !matrix, %w: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %T = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%X[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %b: f64):
    %c = arith.addf %b, %b : f64
    tensor_block.yield %c : f64
  }
  %p = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m) ins(%T[d0, d1] : !matrix, %w[d1] : tensor<?xf64>) -> tensor<?xf64> attributes {tensor_block.strips = array<i64: 0, 0>} {
  ^bb0(%i: index, %j: index, %b: f64, %c: f64):
    %d = arith.mulf %b, %c : f64
    tensor_block.yield %d : f64
  }
  func.return %p : tensor<?xf64>
}

// CHECK-LABEL: func.func private @kernel_0(%row_origin: index, %m_origin: index, %row_extent: index, %m_extent: index, %X: tensor<?x?xf64>, %y: tensor<?xf64>, %w: tensor<?xf64>, %a: f64)
// CHECK-NEXT:    %p = tensor_block.reduce add parallel(d0 < %row_extent) reduced(d1 < %m_extent) ins(%X[d0, d1] : {{.*}}, %w[d1]
// CHECK:         tensor_block.map parallel(d0 < %row_extent) offsets(%row_origin) ins(%p[d0] : {{.*}}, %y[d0]
// CHECK:         tensor_block.reduce add parallel(d0 < %m_extent) reduced(d1 < %row_extent)
// CHECK:         tensor_block.reduce max reduced(d0 < %row_extent)
// CHECK:         func.return %p, %{{.*}}, %{{.*}} : tensor<?xf64>, tensor<?xf64>, f64
