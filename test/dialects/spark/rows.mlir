// The ops on rows without a kernel, in the custom and the generic form, come back as they were.
// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s

!map = !comprehension.bag<keys = 1, !comprehension.string, i64>
!rows = !spark.rdd<[], [!comprehension.bag<!comprehension.string, i64>]>
!routed = !spark.rdd<[index], [!comprehension.bag<f64, index>]>
!indexed = !spark.rdd<[], [!comprehension.bag<f64, index>]>

// A map is distributed as its rows, and a kernel may give it as a map.
func.func private @updated(!comprehension.bag<!comprehension.string, i64>) -> !map

// CHECK-LABEL: func.func @rows
// CHECK:         %R = spark.parallelize %m : !comprehension.bag<keys = 1, !comprehension.string, i64> -> !spark.rdd<[], [!comprehension.bag<!comprehension.string, i64>]>
// CHECK-NEXT:    %N = spark.number %R : !spark.rdd<[], [!comprehension.bag<!comprehension.string, i64>]> -> !spark.rdd<[], [!comprehension.bag<!comprehension.string, i64, i64>]>
// CHECK-NEXT:    %U = spark.union %R, %R : !spark.rdd<[], [!comprehension.bag<!comprehension.string, i64>]>
// CHECK-NEXT:    %x, %found = spark.probe %U[%k : !comprehension.string] : !spark.rdd<[], [!comprehension.bag<!comprehension.string, i64>]> -> i64
// CHECK-NEXT:    %y, %inside = spark.probe %v[%n : index] dims(%n) : !spark.rdd<[index], [tensor<?xf64>]> -> f64
// CHECK-NEXT:    %M = spark.map @updated(%R) : !spark.rdd<[], [!comprehension.bag<!comprehension.string, i64>]> -> !spark.rdd<[], [!comprehension.bag<!comprehension.string, i64>]>
// CHECK-NEXT:    %c = spark.collect %M : !spark.rdd<[], [!comprehension.bag<!comprehension.string, i64>]> -> !comprehension.bag<keys = 1, !comprehension.string, i64>
// CHECK-NEXT:    %T = spark.route %I[1] dims(%n) keep : !spark.rdd<[], [!comprehension.bag<f64, index>]> -> !spark.rdd<[index], [!comprehension.bag<f64, index>]>
func.func @rows(%m: !map, %k: !comprehension.string, %v: !spark.rdd<[index], [tensor<?xf64>]>, %n: index, %I: !indexed) {
  %R = spark.parallelize %m : !map -> !rows
  %N = spark.number %R : !rows -> !spark.rdd<[], [!comprehension.bag<!comprehension.string, i64, i64>]>
  %U = spark.union %R, %R : !rows
  %x, %found = spark.probe %U[%k : !comprehension.string] : !rows -> i64
  %y, %inside = spark.probe %v[%n : index] dims(%n) : !spark.rdd<[index], [tensor<?xf64>]> -> f64
  %M = spark.map @updated(%R) : !rows -> !rows
  %c = spark.collect %M : !rows -> !map
  %T = spark.route %I[1] dims(%n) keep : !indexed -> !routed
  func.return
}
