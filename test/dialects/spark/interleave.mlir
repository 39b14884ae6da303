// RUN: diablo-opt %s --split-input-file --verify-diagnostics | diablo-opt --split-input-file | filecheck %s

// CHECK: spark.interleave %a [2, 1] dims(%n, %n) : !spark.rdd<[index, index, index], [tensor<?x?x?xf64>]> -> !spark.rdd<[index, index], [tensor<?x?xf64>]>
%a, %n = "test.op"() : () -> (!spark.rdd<[index, index, index], [tensor<?x?x?xf64>]>, index)
%b = spark.interleave %a [2, 1] dims(%n, %n) : !spark.rdd<[index, index, index], [tensor<?x?x?xf64>]> -> !spark.rdd<[index, index], [tensor<?x?xf64>]>

// -----

%a, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{the factors are those of 2 dimensions, and the input has 1}}
%b = spark.interleave %a [2] dims(%n) : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%a, %n = "test.op"() : () -> (!spark.rdd<[index, index], [tensor<?x?xf64>]>, index)
// expected-error @+1 {{expected positive factors, got [-2]}}
%b = spark.interleave %a [-2] dims(%n) : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%a, %n = "test.op"() : () -> (!spark.rdd<[index, index], [tensor<?x?xf64>]>, index)
// expected-error @+1 {{expected one dimension for each of 1 factors, got 2}}
%b = spark.interleave %a [2] dims(%n, %n) : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%a, %n = "test.op"() : () -> (!spark.rdd<[index, index], [!comprehension.bag<i64>]>, index)
// expected-error @+1 {{expected an RDD of tiles, got}}
%b = spark.interleave %a [2] dims(%n) : !spark.rdd<[index, index], [!comprehension.bag<i64>]> -> !spark.rdd<[index], [tensor<?xf64>]>
