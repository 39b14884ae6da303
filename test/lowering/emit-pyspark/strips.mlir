// Strips of the driver's arrays and of tiles, and what comes to the driver of each; blocks are as
// long as one axis asks for.
// RUN: diablo-opt %s -t pyspark | filecheck %s

// CHECK-LABEL: def main(sc, A, n, m, *, block_size=None):
// CHECK:         block_size = choose_block_size(
// CHECK:             dense=[A.shape, (n,)],
// CHECK-NEXT:        strips=[(m, n), (n, m)],
// CHECK:         columns = strips(sc, A, 1, block_size)
// CHECK:         C = gather_strips(columns, 1)
// CHECK:         tiles_1 = distribute(sc, A, block_size)
// CHECK:         rows_1 = tiles_to_strips(tiles_1, 0, (n, m), block_size, np.float64)
// CHECK:         P, sums, most = gather_strips(parts_1, 0, ("add", (m,)), ("max", ()))
// CHECK-NEXT:    return (P, sums, most, C)
func.func @main(%A: tensor<?x?xf64> {diablo.name = "A"}, %n: index {diablo.name = "n"}, %m: index {diablo.name = "m"}) -> (tensor<?x?xf64>, tensor<?xf64>, f64, tensor<?x?xf64>) {
  %columns = spark.strips %A along 1 dims(%n, %m) : tensor<?x?xf64> -> !spark.rdd<[index], [tensor<?x?xf64>]>
  %C = spark.collect_strips %columns along [1] folded [] : !spark.rdd<[index], [tensor<?x?xf64>]> -> tensor<?x?xf64>
  %tiles = spark.parallelize %A : tensor<?x?xf64> -> !spark.rdd<[index, index], [tensor<?x?xf64>]>
  %rows = spark.strips %tiles along 0 dims(%n, %m) : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index], [tensor<?x?xf64>]>
  %parts = spark.map @kernel(%rows) dims(%n, %m) : !spark.rdd<[index], [tensor<?x?xf64>]> -> !spark.rdd<[index], [tensor<?x?xf64>, tensor<?xf64>, f64]>
  %P, %sums, %most = spark.collect_strips %parts along [0, -1, -1] folded [add, max] dims(%m) : !spark.rdd<[index], [tensor<?x?xf64>, tensor<?xf64>, f64]> -> tensor<?x?xf64>, tensor<?xf64>, f64
  func.return %P, %sums, %most, %C : tensor<?x?xf64>, tensor<?xf64>, f64, tensor<?x?xf64>
}
func.func private @kernel(%i0: index, %j0: index, %n: index, %m: index, %A: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?xf64>, f64) {
  %s = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n) ins(%A[d1, d0] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %b: f64):
    tensor_block.yield %b : f64
  }
  %t = tensor_block.reduce max reduced(d0 < %n, d1 < %m) ins(%A[d0, d1] : tensor<?x?xf64>) -> f64 {
  ^bb0(%i: index, %j: index, %b: f64):
    tensor_block.yield %b : f64
  }
  func.return %A, %s, %t : tensor<?x?xf64>, tensor<?xf64>, f64
}
