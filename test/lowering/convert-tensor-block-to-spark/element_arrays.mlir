// RUN: diablo-opt %s -p convert-tensor-block-to-spark | filecheck %s

// An element that is an array has the dimensions that it is found to have, wherever the driver finds
// it.
// CHECK-LABEL: func.func @arrays
// CHECK:         %a = spark.extract %w[%i] dims(%n) : !spark.rdd<[index], [tensor<?xtensor<?xf64>>]> -> tensor<?xf64>
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[M:.*]] = tensor.dim %a, %[[ZERO]]
// CHECK:         func.return %[[M]]
func.func @arrays(%rows: !comprehension.bag<index, tensor<?xf64>>, %n: index, %i: index) -> index {
  %c0 = arith.constant 0 : index
  %w = tensor_block.from_bag %rows extents(%n) : !comprehension.bag<index, tensor<?xf64>>
      -> tensor<?xtensor<?xf64>, #tensor_block.tiles<dense = 1>>
  %a = tensor.extract %w[%i] : tensor<?xtensor<?xf64>, #tensor_block.tiles<dense = 1>>
  %m = tensor.dim %a, %c0 : tensor<?xf64>
  func.return %m : index
}
