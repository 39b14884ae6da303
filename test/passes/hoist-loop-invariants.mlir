// RUN: diablo-opt %s -p hoist-loop-invariants,persist-reused | filecheck %s
// RUN: diablo-opt %s -p hoist-loop-invariants --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

!rows = !comprehension.bag<f64>
!numbered = !comprehension.bag<f64, i64>
!tiles = !spark.rdd<[index], [tensor<?xf64>]>

// What each iteration would make anew is made once, and kept; what may fail stays, and so do
// kernels, and what depends on the loop.
func.func @main(%n: i64, %P: !spark.rdd<[], [!rows]>, %limit: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %k = scf.while (%k0 = %zero) : (i64) -> i64 {
    %more = arith.cmpi slt, %k0, %limit : i64
    scf.condition(%more) %k0 : i64
  } do {
  ^bb0(%k1: i64):
    %one = arith.constant 1 : i64
    %m = arith.addi %n, %one : i64
    %q = arith.divsi %n, %limit : i64
    %Q = spark.number %P : !spark.rdd<[], [!rows]> -> !spark.rdd<[], [!numbered]>
    %M = spark.map @kernel_0(%Q) : !spark.rdd<[], [!numbered]> -> !spark.rdd<[], [!numbered]>
    %all = spark.collect %M : !spark.rdd<[], [!numbered]> -> !numbered
    %s = "test.op"(%all) : (!numbered) -> i64
    %t = arith.addi %s, %m : i64
    %u = arith.addi %t, %q : i64
    %v = arith.addi %k1, %u : i64
    scf.yield %v : i64
  }
  func.return %k : i64
}
func.func private @kernel_0(%rows: !numbered) -> !numbered {
  func.return %rows : !numbered
}
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %zero
// CHECK-NEXT:    %one = arith.constant 1
// CHECK-NEXT:    %m = arith.addi %n, %one
// CHECK-NEXT:    %Q = spark.number %P
// CHECK-NEXT:    %[[KEPT:.*]] = spark.persist %Q
// CHECK-NEXT:    %k = scf.while
// CHECK:         ^{{.*}}(%k1: i64):
// CHECK-NEXT:      %q = arith.divsi %n, %limit
// CHECK-NEXT:      %M = spark.map @kernel_0(%[[KEPT]])
// REMARK: remark: this is the same in each iteration: made once, before the loop

// What is sent to workers is sent once, also where an arm alone reads it if the driver has it. Held
// back in an arm: what tiles are collected for, and scalars.
func.func @arms(%c: i1, %n: index, %V: tensor<?xf64>, %T: !tiles) {
  scf.while () : () -> () {
    scf.condition(%c)
  } do {
    %t = spark.broadcast %T dims(%n) : !tiles -> !spark.broadcast<tensor<?xf64>>
    "test.op"(%t) : (!spark.broadcast<tensor<?xf64>>) -> ()
    scf.if %c {
      %v = spark.broadcast %V dims(%n) : tensor<?xf64> -> !spark.broadcast<tensor<?xf64>>
      %w = spark.broadcast %T dims(%n) : !tiles -> !spark.broadcast<tensor<?xf64>>
      %m = arith.addi %n, %n : index
      "test.op"(%v, %w, %m) : (!spark.broadcast<tensor<?xf64>>, !spark.broadcast<tensor<?xf64>>, index) -> ()
    }
    scf.yield
  }
  func.return
}
// CHECK-LABEL: func.func @arms
// CHECK-NEXT:    %t = spark.broadcast %T
// CHECK-NEXT:    %v = spark.broadcast %V
// CHECK-NEXT:    scf.while
// CHECK:           scf.if %c
// CHECK-NEXT:        %w = spark.broadcast %T
// CHECK-NEXT:        %m = arith.addi
