// RUN: cd %S && diablo-opt elements.mlir -p place-arrays,convert-tensor-block-to-spark | filecheck elements.mlir
// RUN: cd %S && diablo-opt elements.mlir -p place-arrays,convert-tensor-block-to-spark -t pyspark | filecheck elements.mlir --check-prefix PYTHON

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// One element of a distributed array; an assertion stays with the driver, and so does the read of
// what the driver was given.
// CHECK:       %v_1 = spark.parallelize %v
// CHECK:       cf.assert %{{.*}}, "nothing there"
// CHECK-NEXT:  %x = spark.extract %w[%i] dims(%{{.*}}) : !spark.rdd<[index], [tensor<?xf64>]> -> f64
// CHECK-NEXT:  %y = tensor.extract %v[%i]
// CHECK-NEXT:  func.return %x, %y
// PYTHON:      v_1 = distribute(sc, v, block_size)
// PYTHON:      require(n != 0, {{.*}}nothing there"
// PYTHON:      x = element(
// PYTHON:      y = local_element(
// PYTHON:      return (x, y)
func.func @main(%v: !vector, %i: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %v, %c0 : !vector
  %w = tensor_block.map parallel(d0 < %n) ins(%v[d0] : !vector) -> !vector {
  ^bb0(%j: index, %a: f64):
    %b = arith.addf %a, %a : f64
    tensor_block.yield %b : f64
  }
  %some = arith.cmpi ne, %n, %c0 : index
  cf.assert %some, "nothing there"
  %x = tensor.extract %w[%i] : !vector
  %y = tensor.extract %v[%i] : !vector
  func.return %x, %y : f64, f64
}
