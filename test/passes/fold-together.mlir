// RUN: diablo-opt %s -p fold-together,number-kernels --split-input-file --remarks 2>%t | filecheck %s
// RUN: filecheck %s --input-file %t --check-prefix=REMARK

!rows = !comprehension.bag<f64, i64>
!column = !comprehension.bag<f64>

// One job goes through the rows for both; what takes columns of them is done for each.
func.func @both(%R: !spark.rdd<[], [!rows]>, %x: f64) -> (i64, f64) {
  %V = spark.map @kernel_0(%R) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [!column]>
  %a = spark.map @kernel_1(%V) captures(%x : f64) : !spark.rdd<[], [!column]> -> !spark.rdd<[], [f64]>
  %sum = spark.fold add %a : !spark.rdd<[], [f64]> -> f64
  %b = spark.map @kernel_2(%R) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [i64]>
  %most = spark.fold max %b : !spark.rdd<[], [i64]> -> i64
  func.return %most, %sum : i64, f64
}
func.func private @kernel_0(%rows: !rows) -> !column {
  %0 = tensor_block.project %rows[0] : !rows -> !column
  func.return %0 : !column
}
func.func private @kernel_1(%rows: !column, %x: f64) -> f64 {
  %0 = tensor_block.extend %rows to [1] : !column -> !column {
  ^bb0(%v: f64):
    %w = arith.subf %v, %x : f64
    tensor_block.yield %w : f64
  }
  %1 = tensor_block.fold add %0 : !column
  func.return %1 : f64
}
func.func private @kernel_2(%rows: !rows) -> i64 {
  %0 = tensor_block.project %rows[1] : !rows -> !comprehension.bag<i64>
  %1 = tensor_block.fold max %0 : !comprehension.bag<i64>
  func.return %1 : i64
}
// CHECK-LABEL: func.func @both
// CHECK-NEXT:    %[[M:.*]] = spark.map @kernel_0(%R) captures(%x : f64) : {{.*}} -> !spark.rdd<[], [f64, i64]>
// CHECK-NEXT:    %sum, %most = spark.fold_all [add, max] %[[M]]
// CHECK-NEXT:    func.return %most, %sum
// CHECK:       func.func private @kernel_0(%rows: !comprehension.bag<f64, i64>, %x: f64) -> (f64, i64) {
// CHECK-NEXT:    %[[V:.*]] = tensor_block.project %rows[0]
// CHECK-NEXT:    tensor_block.extend %[[V]]
// CHECK:         arith.subf %v, %x
// CHECK:         tensor_block.fold add
// CHECK-NEXT:    tensor_block.project %rows[1]
// CHECK:         func.return %{{.*}}, %{{.*}} : f64, i64
// REMARK: 2 folds of the same rows are one job

// -----

!rows = !comprehension.bag<f64>

// The second takes what the first gives; it is another job.
func.func @mean_first(%R: !spark.rdd<[], [!rows]>) -> f64 {
  %a = spark.map @kernel_0(%R) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [f64]>
  %sum = spark.fold add %a : !spark.rdd<[], [f64]> -> f64
  %b = spark.map @kernel_1(%R) captures(%sum : f64) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [f64]>
  %most = spark.fold max %b : !spark.rdd<[], [f64]> -> f64
  func.return %most : f64
}
func.func private @kernel_0(%rows: !rows) -> f64 {
  %0 = tensor_block.fold add %rows : !rows
  func.return %0 : f64
}
func.func private @kernel_1(%rows: !rows, %x: f64) -> f64 {
  %0 = tensor_block.extend %rows to [1] : !rows -> !rows {
  ^bb0(%v: f64):
    %w = arith.subf %v, %x : f64
    tensor_block.yield %w : f64
  }
  %1 = tensor_block.fold max %0 : !rows
  func.return %1 : f64
}
// CHECK-LABEL: func.func @mean_first
// CHECK:         spark.fold add
// CHECK:         spark.fold max

// -----

!rows = !comprehension.bag<i64>

// What can fail is not done before what may protect it; and other rows are another job.
func.func @apart(%R: !spark.rdd<[], [!rows]>, %S: !spark.rdd<[], [!rows]>) -> (i64, i64, i64) {
  %a = spark.map @kernel_0(%R) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [i64]>
  %x = spark.fold add %a : !spark.rdd<[], [i64]> -> i64
  %b = spark.map @kernel_1(%R) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [i64]>
  %y = spark.fold add %b : !spark.rdd<[], [i64]> -> i64
  %c = spark.map @kernel_0(%S) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [i64]>
  %z = spark.fold add %c : !spark.rdd<[], [i64]> -> i64
  func.return %x, %y, %z : i64, i64, i64
}
func.func private @kernel_0(%rows: !rows) -> i64 {
  %0 = tensor_block.fold add %rows : !rows
  func.return %0 : i64
}
func.func private @kernel_1(%rows: !rows) -> i64 {
  %0 = tensor_block.extend %rows to [1] : !rows -> !rows {
  ^bb0(%v: i64):
    %w = arith.divsi %v, %v : i64
    tensor_block.yield %w : i64
  }
  %1 = tensor_block.fold add %0 : !rows
  func.return %1 : i64
}
// CHECK-LABEL: func.func @apart
// CHECK-NOT:     spark.fold_all
// CHECK:         func.return
