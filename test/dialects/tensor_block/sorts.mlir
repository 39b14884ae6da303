// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s

%k = "test.op"() : () -> index
%rows = "test.op"() : () -> !comprehension.bag<i64, f64, i1>
%rdd = "test.op"() : () -> !spark.rdd<[], [!comprehension.bag<i64, f64>]>

// CHECK:      tensor_block.sort %rows by [0, 1 desc] : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<i64, f64, i1>
%0 = tensor_block.sort %rows by [0, 1 desc] : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<i64, f64, i1>
// CHECK-NEXT: tensor_block.sort %rows by [1 desc] limit(%k) to [1, 0] : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<f64, i64>
%1 = tensor_block.sort %rows by [1 desc] limit(%k) to [1, 0] : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<f64, i64>
// CHECK-NEXT: tensor_block.sort %rows by [] limit(%k) {a = 1 : i64} : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<i64, f64, i1>
%2 = tensor_block.sort %rows by [] limit(%k) {a = 1} : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<i64, f64, i1>
// CHECK-NEXT: spark.sort %rdd by [1 desc, 0] : !spark.rdd<[], [!comprehension.bag<i64, f64>]> -> !spark.rdd<[], [!comprehension.bag<i64, f64>]>
%3 = spark.sort %rdd by [1 desc, 0] : !spark.rdd<[], [!comprehension.bag<i64, f64>]> -> !spark.rdd<[], [!comprehension.bag<i64, f64>]>
// CHECK-NEXT: spark.sort %rdd by [1 desc] limit(%k) to [0] : !spark.rdd<[], [!comprehension.bag<i64, f64>]> -> !spark.rdd<[], [!comprehension.bag<i64>]>
%4 = spark.sort %rdd by [1 desc] limit(%k) to [0] : !spark.rdd<[], [!comprehension.bag<i64, f64>]> -> !spark.rdd<[], [!comprehension.bag<i64>]>
// CHECK-NEXT: spark.sort %rdd by [1] to [2, 1] : !spark.rdd<[], [!comprehension.bag<i64, f64>]> -> !spark.rdd<[], [!comprehension.bag<index, f64>]>
%5 = spark.sort %rdd by [1] to [2, 1] : !spark.rdd<[], [!comprehension.bag<i64, f64>]> -> !spark.rdd<[], [!comprehension.bag<index, f64>]>
