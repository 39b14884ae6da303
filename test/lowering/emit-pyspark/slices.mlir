// RUN: diablo-opt %s -p convert-tensor-block-to-spark -t pyspark | filecheck %s
// RUN: diablo-opt %s -p 'convert-tensor-block-to-spark{whole=true}' -t pyspark | filecheck %s --check-prefix=WHOLE

!cube = tensor<?x?x?xf64, #tensor_block.tiles<dense = 1>>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 0>>

// CHECK-LABEL: def main(sc, A, k, *, block_size=None):
// CHECK:           a = A.flatMap(slices((1, None, k), (A_dim0, A_dim1, A_dim2), block_size))
// WHOLE-LABEL: def main(sc, A, k, *, block_size=None):
// WHOLE:           a = slice_of(A, (1, None, k))
func.func @main(%A: !cube, %k: index) -> f64 {
  %one = arith.constant 1 : index
  %a = tensor_block.slice %A[%one, *, %k] : !cube -> !vector
  %rows = tensor_block.to_bag %a : !vector -> !comprehension.bag<index, f64>
  %values = tensor_block.project %rows[1] : !comprehension.bag<index, f64> -> !comprehension.bag<f64>
  %sum = tensor_block.fold add %values : !comprehension.bag<f64>
  func.return %sum : f64
}
