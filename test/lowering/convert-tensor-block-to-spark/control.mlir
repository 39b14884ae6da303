// Control flow around distributed values, and what is kept.
// RUN: diablo-opt %s --split-input-file -p convert-tensor-block-to-spark,persist-reused | filecheck %s

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// The array that the loop carries is kept each time, and %B, which it reads, once.
func.func @loop(%A: !vector, %n: index, %limit: i64) -> !vector {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %B = tensor_block.map parallel(d0 < %n) -> !vector {
  ^bb0(%i: index):
    %x = arith.constant 1.0 : f64
    tensor_block.yield %x : f64
  }
  %C, %k = scf.while (%C0 = %B, %k0 = %zero) : (!vector, i64) -> (!vector, i64) {
    %go = arith.cmpi slt, %k0, %limit : i64
    scf.condition(%go) %C0, %k0 : !vector, i64
  } do {
  ^bb0(%C1: !vector, %k1: i64):
    %C2 = tensor_block.map parallel(d0 < %n) ins(%C1[d0] : !vector, %B[d0] : !vector) -> !vector {
    ^bb1(%i: index, %a: f64, %b: f64):
      %x = arith.addf %a, %b : f64
      tensor_block.yield %x : f64
    }
    %k2 = arith.addi %k1, %one : i64
    scf.yield %C2, %k2 : !vector, i64
  }
  func.return %C : !vector
}
// CHECK-LABEL: func.func @loop
// CHECK-NOT:     spark.parallelize
// CHECK:         %[[B:.*]] = spark.map @kernel_0
// CHECK-NEXT:    %[[KEPT:.*]] = spark.persist %[[B]]
// CHECK:         scf.while (%{{.*}} = %[[KEPT]], %{{.*}} = %zero) : (!spark.rdd<[index], [tensor<?xf64>]>, i64)
// CHECK:           spark.cogroup %C1, %[[KEPT]]
// CHECK-NEXT:      %[[NEXT:.*]] = spark.map_groups
// CHECK-NEXT:      %[[CARRIED:.*]] = spark.persist %[[NEXT]]
// CHECK:           scf.yield %[[CARRIED]], %k2
// CHECK:         spark.collect %C dims(%n)

// -----

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// An array whose dimension changes from one iteration to the next takes it along.
func.func @growing(%n: index, %limit: index) -> !vector {
  %two = arith.constant 2 : index
  %A = tensor_block.map parallel(d0 < %n) -> !vector {
  ^bb0(%i: index):
    %x = arith.constant 1.0 : f64
    tensor_block.yield %x : f64
  }
  %B, %m = scf.while (%B0 = %A, %m0 = %n) : (!vector, index) -> (!vector, index) {
    %go = arith.cmpi slt, %m0, %limit : index
    scf.condition(%go) %B0, %m0 : !vector, index
  } do {
  ^bb0(%B1: !vector, %m1: index):
    %m2 = arith.muli %m1, %two : index
    %B2 = tensor_block.map parallel(d0 < %m2) -> !vector {
    ^bb1(%i: index):
      %x = arith.constant 2.0 : f64
      tensor_block.yield %x : f64
    }
    scf.yield %B2, %m2 : !vector, index
  }
  func.return %B : !vector
}
// CHECK-LABEL: func.func @growing
// CHECK:         %B, %m, %[[DIM:.*]] = scf.while
// CHECK:           scf.yield %{{.*}}, %m2, %m2
// CHECK:         spark.collect %B dims(%[[DIM]])

// -----

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

func.func @branch(%A: !vector, %c: i1) -> !vector {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %A, %c0 : !vector
  %B = scf.if %c -> (!vector) {
    %C = tensor_block.map parallel(d0 < %n) ins(%A[d0] : !vector) -> !vector {
    ^bb0(%i: index, %a: f64):
      %x = arith.addf %a, %a : f64
      tensor_block.yield %x : f64
    }
    scf.yield %C : !vector
  } else {
    scf.yield %A : !vector
  }
  func.return %B : !vector
}
// CHECK-LABEL: func.func @branch
// CHECK:         %B = scf.if %c -> (!spark.rdd<[index], [tensor<?xf64>]>) {
// CHECK-NEXT:      %C = spark.map @kernel_0(%[[A:.*]]) dims(%n)
// CHECK-NEXT:      scf.yield %C
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %[[A]]
// CHECK:         spark.collect %B dims(%n)

// -----

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// What the driver has given is kept if a loop reads it, and not for two reads beside a loop.
func.func @given(%A: !vector, %B: !vector, %n: index, %limit: i64) -> (f64, f64, f64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %start = arith.constant 0.0 : f64
  %x = tensor_block.reduce add reduced(d0 < %n) ins(%B[d0] : !vector) -> f64 {
  ^bb0(%i: index, %b: f64):
    tensor_block.yield %b : f64
  }
  %y = tensor_block.reduce max reduced(d0 < %n) ins(%B[d0] : !vector) -> f64 {
  ^bb0(%i: index, %b: f64):
    tensor_block.yield %b : f64
  }
  %s, %k = scf.while (%s0 = %start, %k0 = %zero) : (f64, i64) -> (f64, i64) {
    %go = arith.cmpi slt, %k0, %limit : i64
    scf.condition(%go) %s0, %k0 : f64, i64
  } do {
  ^bb0(%s1: f64, %k1: i64):
    %s2 = tensor_block.reduce add reduced(d0 < %n) ins(%A[d0] : !vector) -> f64 {
    ^bb1(%i: index, %a: f64):
      %p = arith.mulf %a, %s1 : f64
      tensor_block.yield %p : f64
    }
    %k2 = arith.addi %k1, %one : i64
    scf.yield %s2, %k2 : f64, i64
  }
  func.return %x, %y, %s : f64, f64, f64
}
// CHECK-LABEL: func.func @given
// CHECK:         %[[A:.*]] = spark.parallelize %A
// CHECK-NEXT:    %[[KEPT:.*]] = spark.persist %[[A]]
// CHECK-NOT:     spark.persist
// CHECK:         scf.while
// CHECK:           spark.crop %[[KEPT]]
