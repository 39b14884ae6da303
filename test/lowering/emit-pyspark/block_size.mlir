// Where there is no array, what is iterated over says how large blocks are.
// RUN: diablo-opt %s -t pyspark | filecheck %s

// CHECK-LABEL: def main(sc, n, *, block_size=None):
// CHECK:         block_size = choose_block_size(sc, block_size, points=[(n, n)])
// CHECK:         tiles(sc, (n, n), block_size)
func.func @main(%n: index {diablo.name = "n"}) -> f64 {
  %t = spark.tiles dims(%n, %n) : !spark.rdd<[index, index], []>
  %p = spark.map @kernel(%t) dims(%n, %n) to_keys [] : !spark.rdd<[index, index], []> -> !spark.rdd<[], [f64]>
  %s = spark.fold add %p : !spark.rdd<[], [f64]> -> f64
  func.return %s : f64
}
func.func private @kernel(%i0: index, %j0: index, %i: index, %j: index) -> f64 {
  %x = arith.constant 1.0 : f64
  func.return %x : f64
}
