// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s

%n, %m = "test.op"() : () -> (index, index)
%q = "test.op"() : () -> f64
%rows = "test.op"() : () -> !comprehension.bag<i64, f64, i1>
%rdd = "test.op"() : () -> !spark.rdd<[], [!comprehension.bag<i64, f64>]>

// CHECK:      tensor_block.window %rows keys [0] by [1 desc] functions [number, size, first_peer, last_peer, peers_before] : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<i64, f64, i1, i64, i64, i64, i64, i64>
%0 = tensor_block.window %rows keys [0] by [1 desc] functions [number, size, first_peer, last_peer, peers_before] : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<i64, f64, i1, i64, i64, i64, i64, i64>
// CHECK-NEXT: tensor_block.window %rows keys [] by [0, 1] functions [shift 1 by %n, first 2, last 0] : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<i64, f64, i1, f64, i1, i1, i64>
%1 = tensor_block.window %rows keys [] by [0, 1] functions [shift 1 by %n, first 2, last 0] : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<i64, f64, i1, f64, i1, i1, i64>
// CHECK-NEXT: tensor_block.window %rows keys [2, 0] by [] functions [scan add 1, fold max 0 of %n, whole or 2, fold min 1 of %m] {a = 1 : i64} : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<i64, f64, i1, f64, i64, i1, f64>
%2 = tensor_block.window %rows keys [2, 0] by [] functions [scan add 1, fold max 0 of %n, whole or 2, fold min 1 of %m] {a = 1} : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<i64, f64, i1, f64, i64, i1, f64>
// CHECK-NEXT: spark.window_rows %rdd keys [0] by [1 desc] functions [shift 1 by %n] : !spark.rdd<[], [!comprehension.bag<i64, f64>]> -> !spark.rdd<[], [!comprehension.bag<i64, f64, f64, i1>]>
%3 = spark.window_rows %rdd keys [0] by [1 desc] functions [shift 1 by %n] : !spark.rdd<[], [!comprehension.bag<i64, f64>]> -> !spark.rdd<[], [!comprehension.bag<i64, f64, f64, i1>]>
// CHECK-NEXT: tensor_block.window %rows keys [0] by [] functions [quantile linear 1 at %q, shift 1 by %n, quantile nearest 1 at %q] : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<i64, f64, i1, f64, f64, i1, f64>
%4 = tensor_block.window %rows keys [0] by [] functions [quantile linear 1 at %q, shift 1 by %n, quantile nearest 1 at %q] : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<i64, f64, i1, f64, f64, i1, f64>
