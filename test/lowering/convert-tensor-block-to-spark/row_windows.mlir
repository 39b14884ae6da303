// RUN: diablo-opt %s -p convert-tensor-block-to-spark | filecheck %s
// RUN: diablo-opt %s -p tensor-block-to-spark -t pyspark | filecheck %s --check-prefix=TEXT

// Rows of a group are brought together by a function of the runtime, across all batches.
// CHECK-LABEL: func.func @main
// CHECK:         %[[ROWS:.*]] = spark.parallelize %A
// CHECK:         spark.window_rows %[[ROWS]] keys [0] by [1 desc] functions [number, scan add 1, shift 1 by %{{.*}}, quantile lower 1 at %q] : !spark.rdd<[], [!comprehension.bag<i64, f64>]> -> !spark.rdd<[], [!comprehension.bag<i64, f64, i64, f64, f64, i1, f64>]>
// TEXT:      window_rows(
// TEXT-NEXT:     A,
// TEXT-NEXT:     (0,),
// TEXT-NEXT:     ((1, True),),
// TEXT-NEXT:     (("number",), ("scan", "add", 1), ("shift", 1, n), ("quantile", "lower", 1, q)),
func.func @main(%A: !comprehension.bag<i64, f64> {diablo.name = "A"}, %n: i64 {diablo.name = "n"}, %q: f64 {diablo.name = "q"}) -> !comprehension.bag<i64, f64, i64, f64, f64, i1, f64> {
  %by = arith.index_cast %n : i64 to index
  %1 = tensor_block.window %A keys [0] by [1 desc] functions [number, scan add 1, shift 1 by %by, quantile lower 1 at %q] : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, i64, f64, f64, i1, f64>
  func.return %1 : !comprehension.bag<i64, f64, i64, f64, f64, i1, f64>
}
