// RUN: diablo-opt %s -p collect-together,number-kernels --split-input-file --remarks 2>%t | filecheck %s
// RUN: filecheck %s --input-file %t --check-prefix=REMARK

!rows = !comprehension.bag<i64, f64, i64>
!pairs = !comprehension.bag<index, f64>

// The key that both compute travels once, and the driver takes each list's columns.
func.func @both(%R: !spark.rdd<[], [!rows]>) {
  %a = spark.map @kernel_0(%R) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [!pairs]>
  %x = spark.collect %a : !spark.rdd<[], [!pairs]> -> !pairs
  %b = spark.map @kernel_1(%R) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [!pairs]>
  %y = spark.collect %b : !spark.rdd<[], [!pairs]> -> !pairs
  "test.op"(%x, %y) : (!pairs, !pairs) -> ()
  func.return
}
func.func private @kernel_0(%rows: !rows) -> !pairs {
  %0 = tensor_block.project %rows[0, 1] : !rows -> !comprehension.bag<i64, f64>
  %1 = tensor_block.extend %0 to [2, 1] : !comprehension.bag<i64, f64> -> !pairs {
  ^bb0(%k: i64, %v: f64):
    %i = arith.index_cast %k : i64 to index
    tensor_block.yield %i : index
  }
  func.return %1 : !pairs
}
func.func private @kernel_1(%rows: !rows) -> !pairs {
  %one = arith.constant 1.0 : f64
  %0 = tensor_block.extend %rows to [3, 4] : !rows -> !pairs {
  ^bb0(%k: i64, %v: f64, %n: i64):
    %i = arith.index_cast %k : i64 to index
    %w = arith.addf %v, %one : f64
    tensor_block.yield %i, %w : index, f64
  }
  func.return %0 : !pairs
}
// CHECK-LABEL: func.func @both
// CHECK-NEXT:    %[[M:.*]] = spark.map @kernel_0(%R)
// CHECK-NEXT:    %[[C:.*]] = spark.collect %[[M]]
// CHECK-NEXT:    %x = func.call @kernel_1(%[[C]])
// CHECK-NEXT:    %y = func.call @kernel_2(%[[C]])
// CHECK-NEXT:    "test.op"(%x, %y)
// CHECK:       func.func private @kernel_0
// CHECK-NEXT:    tensor_block.extend %rows to [3, 1, 4]
// CHECK:           arith.index_cast
// CHECK-NOT:       arith.index_cast
// CHECK:       func.func private @kernel_1
// CHECK-NEXT:    tensor_block.project %{{.*}}[0, 1]
// CHECK:       func.func private @kernel_2
// CHECK-NEXT:    tensor_block.project %{{.*}}[0, 2]
// REMARK:      the columns of 2 lists are brought to the driver by one job

// -----

!rows = !comprehension.bag<i64, f64, i64>
!pairs = !comprehension.bag<i64, f64>

// Nothing is computed: columns are chosen.
func.func @chosen(%R: !spark.rdd<[], [!rows]>) {
  %a = spark.map @kernel_0(%R) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [!pairs]>
  %x = spark.collect %a : !spark.rdd<[], [!pairs]> -> !pairs
  %b = spark.map @kernel_1(%R) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [!comprehension.bag<i64>]>
  %y = spark.collect %b : !spark.rdd<[], [!comprehension.bag<i64>]> -> !comprehension.bag<i64>
  "test.op"(%x, %y) : (!pairs, !comprehension.bag<i64>) -> ()
  func.return
}
func.func private @kernel_0(%rows: !rows) -> !pairs {
  %0 = tensor_block.project %rows[2, 1] : !rows -> !pairs
  func.return %0 : !pairs
}
func.func private @kernel_1(%rows: !rows) -> !comprehension.bag<i64> {
  %0 = tensor_block.project %rows[2] : !rows -> !comprehension.bag<i64>
  func.return %0 : !comprehension.bag<i64>
}
// CHECK-LABEL: func.func @chosen
// CHECK:         spark.collect
// CHECK-NOT:     spark.collect
// CHECK:         tensor_block.project %{{.*}}[2, 1] : {{.*}} -> !comprehension.bag<i64, f64>

// -----

!rows = !comprehension.bag<i64, i64>
!one = !comprehension.bag<i64>

// The second division fails where the first list has been asked about; a filter makes fewer rows.
func.func @apart(%R: !spark.rdd<[], [!rows]>) {
  %a = spark.map @kernel_0(%R) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [!one]>
  %x = spark.collect %a : !spark.rdd<[], [!one]> -> !one
  %b = spark.map @kernel_1(%R) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [!one]>
  %y = spark.collect %b : !spark.rdd<[], [!one]> -> !one
  %c = spark.map @kernel_2(%R) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [!rows]>
  %z = spark.collect %c : !spark.rdd<[], [!rows]> -> !rows
  "test.op"(%x, %y, %z) : (!one, !one, !rows) -> ()
  func.return
}
func.func private @kernel_0(%rows: !rows) -> !one {
  %0 = tensor_block.project %rows[0] : !rows -> !one
  func.return %0 : !one
}
func.func private @kernel_1(%rows: !rows) -> !one {
  %0 = tensor_block.extend %rows to [2] : !rows -> !one {
  ^bb0(%k: i64, %n: i64):
    %q = arith.divsi %k, %n : i64
    tensor_block.yield %q : i64
  }
  func.return %0 : !one
}
func.func private @kernel_2(%rows: !rows) -> !rows {
  %0 = tensor_block.filter %rows : !rows {
  ^bb0(%k: i64, %n: i64):
    %p = arith.cmpi slt, %k, %n : i64
    tensor_block.yield %p : i1
  }
  func.return %0 : !rows
}
// CHECK-LABEL: func.func @apart
// CHECK:         spark.collect
// CHECK:         spark.collect
// CHECK:         spark.collect
// CHECK:         func.return

// -----

!rows = !comprehension.bag<i64, f64>
!one = !comprehension.bag<i64>

// The second list is wanted on a condition only.
func.func @condition(%R: !spark.rdd<[], [!rows]>, %p: i1) {
  %a = spark.map @kernel_0(%R) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [!one]>
  %x = spark.collect %a : !spark.rdd<[], [!one]> -> !one
  %y = scf.if %p -> (!one) {
    %b = spark.map @kernel_0(%R) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [!one]>
    %z = spark.collect %b : !spark.rdd<[], [!one]> -> !one
    scf.yield %z : !one
  } else {
    scf.yield %x : !one
  }
  "test.op"(%x, %y) : (!one, !one) -> ()
  func.return
}
func.func private @kernel_0(%rows: !rows) -> !one {
  %0 = tensor_block.project %rows[0] : !rows -> !one
  func.return %0 : !one
}
// CHECK-LABEL: func.func @condition
// CHECK:         spark.collect
// CHECK:         spark.collect

// -----

!rows = !comprehension.bag<i64, i64>
!one = !comprehension.bag<i64>

// Both lists are wanted on a condition only, which stands behind their kernels.
func.func @outside(%R: !spark.rdd<[], [!rows]>, %p: i1) {
  %a = spark.map @kernel_0(%R) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [!one]>
  %b = spark.map @kernel_1(%R) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [!one]>
  %e = "test.op"() : () -> !one
  %x, %y = scf.if %p -> (!one, !one) {
    %c = spark.collect %a : !spark.rdd<[], [!one]> -> !one
    %d = spark.collect %b : !spark.rdd<[], [!one]> -> !one
    scf.yield %c, %d : !one, !one
  } else {
    scf.yield %e, %e : !one, !one
  }
  "test.op"(%x, %y) : (!one, !one) -> ()
  func.return
}
func.func private @kernel_0(%rows: !rows) -> !one {
  %0 = tensor_block.project %rows[0] : !rows -> !one
  func.return %0 : !one
}
func.func private @kernel_1(%rows: !rows) -> !one {
  %0 = tensor_block.project %rows[1] : !rows -> !one
  func.return %0 : !one
}
// CHECK-LABEL: func.func @outside
// CHECK:         scf.if
// CHECK-NEXT:      spark.collect
// CHECK-NEXT:      spark.collect

// -----

!rows = !comprehension.bag<i64, i64>
!one = !comprehension.bag<i64>

// The job stays behind what is asserted before the first list is wanted.
func.func @asserted(%R: !spark.rdd<[], [!rows]>, %p: i1) {
  %a = spark.map @kernel_0(%R) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [!one]>
  cf.assert %p, "not here"
  %x = spark.collect %a : !spark.rdd<[], [!one]> -> !one
  %b = spark.map @kernel_1(%R) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [!one]>
  %y = spark.collect %b : !spark.rdd<[], [!one]> -> !one
  "test.op"(%x, %y) : (!one, !one) -> ()
  func.return
}
func.func private @kernel_0(%rows: !rows) -> !one {
  %0 = tensor_block.extend %rows to [2] : !rows -> !one {
  ^bb0(%k: i64, %n: i64):
    %q = arith.divsi %k, %n : i64
    tensor_block.yield %q : i64
  }
  func.return %0 : !one
}
func.func private @kernel_1(%rows: !rows) -> !one {
  %0 = tensor_block.project %rows[1] : !rows -> !one
  func.return %0 : !one
}
// CHECK-LABEL: func.func @asserted
// CHECK-NEXT:    cf.assert
// CHECK-NEXT:    spark.map
// CHECK-NEXT:    spark.collect
// CHECK-NOT:     spark.collect

// -----

!rows = !comprehension.bag<i64, i64>
!one = !comprehension.bag<i64>

// What the program returns stays where it is until its caller asks for it.
func.func @returned(%R: !spark.rdd<[], [!rows]>) -> (!one, !one) {
  %a = spark.map @kernel_0(%R) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [!one]>
  %x = spark.collect %a : !spark.rdd<[], [!one]> -> !one
  %b = spark.map @kernel_1(%R) : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [!one]>
  %y = spark.collect %b : !spark.rdd<[], [!one]> -> !one
  func.return %x, %y : !one, !one
}
func.func private @kernel_0(%rows: !rows) -> !one {
  %0 = tensor_block.project %rows[0] : !rows -> !one
  func.return %0 : !one
}
func.func private @kernel_1(%rows: !rows) -> !one {
  %0 = tensor_block.project %rows[1] : !rows -> !one
  func.return %0 : !one
}
// CHECK-LABEL: func.func @returned
// CHECK:         %x = spark.collect
// CHECK:         %y = spark.collect
// CHECK-NEXT:    func.return %x, %y

// -----

!one = !comprehension.bag<i64>
!two = !comprehension.bag<i64, i64>
!three = !comprehension.bag<i64, i64, i64>

// What makes the rows for these jobs alone, row by row, is a part of their kernel. Rows that are
// read elsewhere as well are made once.
func.func @before(%R: !spark.rdd<[], [!two]>) {
  %m = spark.map @kernel_0(%R) : !spark.rdd<[], [!two]> -> !spark.rdd<[], [!three]>
  %a = spark.map @kernel_1(%m) : !spark.rdd<[], [!three]> -> !spark.rdd<[], [!one]>
  %x = spark.collect %a : !spark.rdd<[], [!one]> -> !one
  %b = spark.map @kernel_2(%m) : !spark.rdd<[], [!three]> -> !spark.rdd<[], [!one]>
  %y = spark.collect %b : !spark.rdd<[], [!one]> -> !one
  "test.op"(%x, %y) : (!one, !one) -> ()
  func.return
}
func.func private @kernel_0(%rows: !two) -> !three {
  %0 = tensor_block.extend %rows : !two -> !three {
  ^bb0(%a: i64, %b: i64):
    %c = arith.addi %a, %b : i64
    tensor_block.yield %c : i64
  }
  func.return %0 : !three
}
func.func private @kernel_1(%rows: !three) -> !one {
  %0 = tensor_block.project %rows[2] : !three -> !one
  func.return %0 : !one
}
func.func private @kernel_2(%rows: !three) -> !one {
  %0 = tensor_block.project %rows[1] : !three -> !one
  func.return %0 : !one
}
// CHECK-LABEL: func.func @before
// CHECK-NEXT:    %[[MAP:.*]] = spark.map @kernel_0(%R)
// CHECK-NEXT:    %[[ROWS:.*]] = spark.collect %[[MAP]]
// CHECK-NEXT:    func.call @kernel_1(%[[ROWS]])
// CHECK-NEXT:    func.call @kernel_2(%[[ROWS]])
// CHECK:       func.func private @kernel_0
// CHECK-NEXT:    tensor_block.extend %rows to [2, 1]

// -----

!one = !comprehension.bag<i64>
!two = !comprehension.bag<i64, i64>
!three = !comprehension.bag<i64, i64, i64>

func.func @shared(%R: !spark.rdd<[], [!two]>) {
  %m = spark.map @kernel_0(%R) : !spark.rdd<[], [!two]> -> !spark.rdd<[], [!three]>
  %a = spark.map @kernel_1(%m) : !spark.rdd<[], [!three]> -> !spark.rdd<[], [!one]>
  %x = spark.collect %a : !spark.rdd<[], [!one]> -> !one
  %b = spark.map @kernel_2(%m) : !spark.rdd<[], [!three]> -> !spark.rdd<[], [!one]>
  %y = spark.collect %b : !spark.rdd<[], [!one]> -> !one
  %z = spark.collect %m : !spark.rdd<[], [!three]> -> !three
  "test.op"(%x, %y, %z) : (!one, !one, !three) -> ()
  func.return
}
func.func private @kernel_0(%rows: !two) -> !three {
  %0 = tensor_block.extend %rows : !two -> !three {
  ^bb0(%a: i64, %b: i64):
    %c = arith.addi %a, %b : i64
    tensor_block.yield %c : i64
  }
  func.return %0 : !three
}
func.func private @kernel_1(%rows: !three) -> !one {
  %0 = tensor_block.project %rows[2] : !three -> !one
  func.return %0 : !one
}
func.func private @kernel_2(%rows: !three) -> !one {
  %0 = tensor_block.project %rows[1] : !three -> !one
  func.return %0 : !one
}
// CHECK-LABEL: func.func @shared
// CHECK-NEXT:    %[[MADE:.*]] = spark.map @kernel_0(%R)
// CHECK-NEXT:    spark.map @kernel_1(%[[MADE]])
