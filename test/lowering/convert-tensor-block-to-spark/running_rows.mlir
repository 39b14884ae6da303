// What runs along all rows of this process is a loop over them, with what is done before and behind.
// RUN: diablo-opt %s -p 'convert-tensor-block-to-spark{whole=true}' | filecheck %s
// RUN: diablo-opt %s -p 'convert-tensor-block-to-spark{whole=true}' -t pyspark | filecheck %s --check-prefix=PYTHON
// RUN: diablo-opt %s -p convert-tensor-block-to-spark | filecheck %s --check-prefix=APART

!rows = !comprehension.bag<f64>
!more = !comprehension.bag<f64, f64>

// CHECK-LABEL: func.func @main
// CHECK:         %[[ROWS:.*]] = spark.parallelize %L whole
// CHECK-NEXT:    %[[SUMS:.*]] = spark.map @kernel_0(%[[ROWS]])
// CHECK-NEXT:    %{{.*}} = spark.fold add %[[SUMS]]
// CHECK-NEXT:    %roots = spark.map @kernel_1(%[[ROWS]])
// CHECK-NEXT:    %once = spark.map @kernel_2(%roots)
// CHECK-NEXT:    %again = spark.map @kernel_3(%once)
// CHECK-NEXT:    spark.window_rows %[[ROWS]] keys [0]
// CHECK-NEXT:    spark.window_rows %[[ROWS]] keys [] by [0]
// CHECK-NEXT:    spark.window_rows %[[ROWS]] keys [] by [] functions [scan add 0, size]
// CHECK:         spark.window_rows %both keys [] by [] functions [scan add 0]
// CHECK:       func.func private @kernel_0(
// CHECK-NEXT:    tensor_block.extend
// CHECK:         tensor_block.window %twice keys [] by [] functions [number, scan add 1]
// CHECK-NEXT:    tensor_block.filter
// CHECK:         tensor_block.fold
// PYTHON-LABEL: def main(
// PYTHON:         L = distribute_rows(sc, L, None)
// PYTHON:       def kernel_0(
// PYTHON:         running = rows.window(twice, (), (), (("number",), ("scan", "add", 1)))
// PYTHON:         kernel_0, LLVM["kernel_0"], "(f64) -> f64(add) ~scan(f64;add) over 0 weight 1"
// APART:         spark.parallelize %L :
// APART:         spark.window_rows %{{.*}} keys [] by [] functions [number, scan add 1]
func.func @main(%L: !rows) -> (f64, !comprehension.bag<f64, f64, f64, f64>, !more, !more, !comprehension.bag<f64, f64, i64>, !more) {
  %twice = tensor_block.extend %L : !rows -> !more {
  ^bb0(%x: f64):
    %y = arith.addf %x, %x : f64
    tensor_block.yield %y : f64
  }
  %running = tensor_block.window %twice keys [] by [] functions [number, scan add 1]
      : !more -> !comprehension.bag<f64, f64, i64, f64>
  %some = tensor_block.filter %running : !comprehension.bag<f64, f64, i64, f64> {
  ^bb0(%x: f64, %y: f64, %k: i64, %s: f64):
    %p = arith.cmpf ogt, %s, %x : f64
    tensor_block.yield %p : i1
  }
  %sums = tensor_block.project %some[3] : !comprehension.bag<f64, f64, i64, f64> -> !rows
  %total = tensor_block.fold add %sums : !rows

  // Functions are not computed twice, nor is what is scanned scanned again in one loop.
  %roots = tensor_block.extend %L : !rows -> !more {
  ^bb0(%x: f64):
    %y = math.sqrt %x : f64
    tensor_block.yield %y : f64
  }
  %once = tensor_block.window %roots keys [] by [] functions [scan add 1]
      : !more -> !comprehension.bag<f64, f64, f64>
  %again = tensor_block.window %once keys [] by [] functions [scan add 2]
      : !comprehension.bag<f64, f64, f64> -> !comprehension.bag<f64, f64, f64, f64>

  // Groups, another order, other functions and rows of several batches are brought together.
  %groups = tensor_block.window %L keys [0] by [] functions [scan add 0] : !rows -> !more
  %ordered = tensor_block.window %L keys [] by [0] functions [scan add 0] : !rows -> !more
  %others = tensor_block.window %L keys [] by [] functions [scan add 0, size]
      : !rows -> !comprehension.bag<f64, f64, i64>
  %both = tensor_block.concat %L, %L : !rows, !rows -> !rows
  %several = tensor_block.window %both keys [] by [] functions [scan add 0] : !rows -> !more
  func.return %total, %again, %groups, %ordered, %others, %several
      : f64, !comprehension.bag<f64, f64, f64, f64>, !more, !more, !comprehension.bag<f64, f64, i64>, !more
}
