// RUN: diablo-opt %s -p convert-tensor-block-to-spark | filecheck %s
// RUN: diablo-opt %s -p convert-tensor-block-to-spark -t pyspark | filecheck %s --check-prefix PYTHON

// One element of a distributed array; an assertion stays with the driver.
// CHECK:       %v_1 = spark.parallelize %v
// CHECK:       cf.assert %{{.*}}, "nothing there"
// CHECK-NEXT:  %x = spark.extract %v_1[%i] dims(%{{.*}}) : !spark.rdd<[index], [tensor<?xf64>]> -> f64
// CHECK-NEXT:  func.return %x
// PYTHON:      require(n != 0, "{{.*}}: nothing there")
// PYTHON:      x = element(
// PYTHON:      return x
func.func @main(%v: tensor<?xf64, #tensor_block.tiles<dense = 1>>, %i: index) -> f64 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %v, %c0 : tensor<?xf64, #tensor_block.tiles<dense = 1>>
  %some = arith.cmpi ne, %n, %c0 : index
  cf.assert %some, "nothing there"
  %x = tensor.extract %v[%i] : tensor<?xf64, #tensor_block.tiles<dense = 1>>
  func.return %x : f64
}

// -----

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// An array that elements read anywhere is sent to every worker, or gathered for the driver.
func.func @inside(%v: !vector, %n: index) -> (!vector, tensor<?xf64>) {
  %r = tensor_block.generate parallel(d0 < %n) -> !vector {
  ^bb0(%i: index):
    %x, %found = comprehension.probe %v[%i] : !vector
    tensor_block.yield %x : f64
  }
  %s = tensor_block.generate parallel(d0 < %n) -> tensor<?xf64> {
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
