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
