// RUN: diablo-opt %s -p cse | filecheck %s

// What is cut out, copied and brought to tiles twice of one array is so once.
// CHECK-LABEL: func.func @same_tiles
// CHECK-COUNT-1: spark.crop
// CHECK-COUNT-1: spark.replicate
// CHECK-COUNT-1: spark.window
// CHECK-NOT:     = spark.
// CHECK:         func.return %a, %a, %b, %b, %c, %c
func.func @same_tiles(%v: !spark.rdd<[index], [tensor<?xf64>]>, %n: index, %one: index) -> (
    !spark.rdd<[index], [tensor<?xf64>]>, !spark.rdd<[index], [tensor<?xf64>]>,
    !spark.rdd<[index, index], [tensor<?xf64>]>, !spark.rdd<[index, index], [tensor<?xf64>]>,
    !spark.rdd<[index], [tensor<?xf64>]>, !spark.rdd<[index], [tensor<?xf64>]>) {
  %a = spark.crop %v dims(%n) : !spark.rdd<[index], [tensor<?xf64>]>
  %a2 = spark.crop %v dims(%n) : !spark.rdd<[index], [tensor<?xf64>]>
  %b = spark.replicate %a dims(%n)
      : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index, index], [tensor<?xf64>]>
  %b2 = spark.replicate %a2 dims(%n)
      : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index, index], [tensor<?xf64>]>
  %c = spark.window %a dims(%n) over(%n) affine_map<(d0) -> (d0)> from(%one) to(%one)
      : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>
  %c2 = spark.window %a2 dims(%n) over(%n) affine_map<(d0) -> (d0)> from(%one) to(%one)
      : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>
  func.return %a, %a2, %b, %b2, %c, %c2 : !spark.rdd<[index], [tensor<?xf64>]>,
      !spark.rdd<[index], [tensor<?xf64>]>, !spark.rdd<[index, index], [tensor<?xf64>]>,
      !spark.rdd<[index, index], [tensor<?xf64>]>, !spark.rdd<[index], [tensor<?xf64>]>,
      !spark.rdd<[index], [tensor<?xf64>]>
}
