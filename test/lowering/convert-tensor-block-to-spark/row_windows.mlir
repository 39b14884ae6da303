// RUN: diablo-opt %s -p convert-tensor-block-to-spark | filecheck %s
// RUN: diablo-opt %s -p tensor-block-to-spark -t pyspark | filecheck %s --check-prefix=TEXT

// Rows of a group are brought together by a function of the runtime, across all batches.
// CHECK-LABEL: func.func @main
// CHECK:         %[[ROWS:.*]] = spark.parallelize %A
// CHECK:         spark.window_rows %[[ROWS]] keys [0] by [1 desc] functions [number, scan add 1, shift 1 by %{{.*}}] : !spark.rdd<[], [!comprehension.bag<i64, f64>]> -> !spark.rdd<[], [!comprehension.bag<i64, f64, i64, f64, f64, i1>]>
// TEXT: window_rows({{.*}}, (0,), ((1, True),), (("number",), ("scan", "add", 1), ("shift", 1, {{.*}})))
func.func @main(%A: !comprehension.bag<i64, f64> {diablo.name = "A"}, %n: i64 {diablo.name = "n"}) -> !comprehension.bag<i64, f64, i64, f64, f64, i1> {
  %by = arith.index_cast %n : i64 to index
  %1 = tensor_block.window %A keys [0] by [1 desc] functions [number, scan add 1, shift 1 by %by] : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, i64, f64, f64, i1>
  func.return %1 : !comprehension.bag<i64, f64, i64, f64, f64, i1>
}
