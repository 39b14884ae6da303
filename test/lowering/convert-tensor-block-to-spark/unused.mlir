// RUN: diablo-opt %s -p convert-tensor-block-to-spark | filecheck %s

// What nothing uses is not computed, and its kernel takes no name from another.

// CHECK-LABEL: func.func @main
// CHECK: spark.map @kernel_0
// CHECK-NOT: spark.map
// CHECK: func.func private @kernel_0
// CHECK: arith.addi
// CHECK-NOT: func.func
func.func @main(%n : index) -> tensor<?xi64, #tensor_block.tiles<dense = 1>> {
  %unused = tensor_block.map parallel(d0 < %n) -> tensor<?xi64, #tensor_block.tiles<dense = 1>> {
  ^bb0(%i : index):
    %0 = arith.index_cast %i : index to i64
    tensor_block.yield %0 : i64
  }
  %used = tensor_block.map parallel(d0 < %n) -> tensor<?xi64, #tensor_block.tiles<dense = 1>> {
  ^bb0(%i : index):
    %0 = arith.index_cast %i : index to i64
    %1 = arith.addi %0, %0 : i64
    tensor_block.yield %1 : i64
  }
  func.return %used : tensor<?xi64, #tensor_block.tiles<dense = 1>>
}
