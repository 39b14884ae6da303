// RUN: diablo-opt %s -p convert-tensor-block-to-spark | filecheck %s
// RUN: diablo-opt %s -p 'convert-tensor-block-to-spark{whole=true}' | filecheck %s --check-prefix=WHOLE
// RUN: diablo-opt %s -p convert-tensor-block-to-spark --remarks 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: diablo-opt %s -p convert-tensor-block-to-spark -t pyspark | filecheck %s --check-prefix=PYTHON
// RUN: diablo-opt %s -p 'convert-tensor-block-to-spark{whole=true}' -t pyspark | filecheck %s --check-prefix=LOCAL

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// Tiles are scanned where they are, and an array of the driver by a kernel.
// CHECK-LABEL: func.func @main
// CHECK:         spark.scan add %{{.*}} along 1 reverse dims(%{{.*}}, %{{.*}}) : !spark.rdd<[index, index], [tensor<?x?xf64>]>
// REMARK:        remark: each tile is folded for the tiles behind it, and then scanned where it is
// WHOLE-LABEL: func.func @main
// WHOLE:         func.call @kernel_0(%[[N:.*]], %[[M:.*]], %A) : (index, index, tensor<?x?xf64>) -> tensor<?x?xf64>
// WHOLE:       func.func private @kernel_0(%extent: index, %extent_1: index, %A: tensor<?x?xf64>)
// WHOLE-NEXT:    %s = tensor_block.scan add %A along 1 reverse dims(%extent, %extent_1) : tensor<?x?xf64>
// PYTHON-LABEL: def main(sc, A, *, block_size=None):
// PYTHON:         s = scan_tiles(A, "add", 1, (A_dim0, A_dim1), block_size, reverse=True)
// LOCAL-LABEL: def main(sc, A, *, block_size=None):
// LOCAL:         s = kernel_0(A_dim0, A_dim1, A)
// LOCAL:       def kernel_0(extent, extent_1, A):
// LOCAL:         s = scan(A[:extent, :extent_1], "add", 1, reverse=True)
func.func @main(%A: !matrix) -> !matrix {
  %s = tensor_block.scan add %A along 1 reverse : !matrix
  func.return %s : !matrix
}
