// How much a sparse array stores says how large its blocks may be.
// RUN: diablo-opt %s -t pyspark | filecheck %s

// CHECK:       def main(sc, S, A, *, block_size=None):
// CHECK-NEXT:    block_size = choose_block_size(sc, block_size, dense=[A.shape], sparse=[S], of=("S", "A"))
!sparse = tensor<?x?xf64, #tensor_block.storage<dense = 0>>
!dense = tensor<?x?xf64>
func.func @main(%S: !sparse {diablo.name = "S"}, %A: !dense {diablo.name = "A"}) -> f64 {
  %s = spark.parallelize %S : !sparse -> !spark.rdd<[index, index], [!sparse]>
  %a = spark.parallelize %A : !dense -> !spark.rdd<[index, index], [!dense]>
  %0 = arith.constant 0 : index
  %n = tensor.dim %A, %0 : !dense
  %g = spark.cogroup %s, %a grid(%n, %n) : !spark.rdd<[index, index], [!sparse]>, !spark.rdd<[index, index], [!dense]> -> !spark.rdd<[index, index], [!spark.group<!sparse>, !spark.group<!dense>]>
  %p = spark.map_groups @kernel(%g) dims(%n, %n) indexing_maps[(d0, d1) -> (d0, d1), (d0, d1) -> (d0, d1)] to_keys [] : !spark.rdd<[index, index], [!spark.group<!sparse>, !spark.group<!dense>]> -> !spark.rdd<[], [f64]>
  %r = spark.fold add %p : !spark.rdd<[], [f64]> -> f64
  func.return %r : f64
}
func.func private @kernel(%i0: index, %j0: index, %i: index, %j: index, %s: !sparse, %a: !dense) -> f64 {
  %x = arith.constant 1.0 : f64
  func.return %x : f64
}
