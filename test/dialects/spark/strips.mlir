// RUN: diablo-opt %s --split-input-file --verify-diagnostics | diablo-opt --split-input-file | filecheck %s

// CHECK:      spark.strips %A along 1 dims(%n, %m) : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index], [tensor<?x?xf64>]>
// CHECK-NEXT: spark.strips %B along 0 dims(%n, %m) : tensor<?x?xf64, #tensor_block.tiles<dense = 2>> -> !spark.rdd<[index], [tensor<?x?xf64>]>
%A, %B, %n, %m = "test.op"() : () -> (!spark.rdd<[index, index], [tensor<?x?xf64>]>, tensor<?x?xf64, #tensor_block.tiles<dense = 2>>, index, index)
%a = spark.strips %A along 1 dims(%n, %m) : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index], [tensor<?x?xf64>]>
%b = spark.strips %B along 0 dims(%n, %m) : tensor<?x?xf64, #tensor_block.tiles<dense = 2>> -> !spark.rdd<[index], [tensor<?x?xf64>]>
// CHECK:      spark.collect_strips %parts along [0, -1, -1] folded [add, max] dims(%n) : !spark.rdd<[index], [tensor<?x?xf64>, tensor<?xf64>, f64]> -> tensor<?x?xf64>, tensor<?xf64>, f64
%parts = "test.op"() : () -> !spark.rdd<[index], [tensor<?x?xf64>, tensor<?xf64>, f64]>
%x, %y, %z = spark.collect_strips %parts along [0, -1, -1] folded [add, max] dims(%n) : !spark.rdd<[index], [tensor<?x?xf64>, tensor<?xf64>, f64]> -> tensor<?x?xf64>, tensor<?xf64>, f64
// CHECK:      spark.collect_strips %rows along [0] folded [] : !spark.rdd<[index], [tensor<?xf64>]> -> tensor<?xf64>
%rows = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
%r = spark.collect_strips %rows along [0] folded [] : !spark.rdd<[index], [tensor<?xf64>]> -> tensor<?xf64>

// -----

%A, %n = "test.op"() : () -> (!spark.rdd<[index, index], [tensor<?x?xf64>]>, index)
// expected-error @+1 {{there is no axis 2 of an array of rank 2}}
%a = spark.strips %A along 2 dims(%n, %n) : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index], [tensor<?x?xf64>]>

// -----

%A, %n = "test.op"() : () -> (!spark.rdd<[index, index], [tensor<?x?xf64>]>, index)
// expected-error @+1 {{expected one dimension for each of 2 dimensions of the array, got 1}}
%a = spark.strips %A along 0 dims(%n) : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index], [tensor<?x?xf64>]>

// -----

%A, %n = "test.op"() : () -> (!spark.rdd<[], [!comprehension.bag<i64>]>, index)
// expected-error @+1 {{what is cut is an array or its tiles, got}}
%a = spark.strips %A along 0 dims(%n) : !spark.rdd<[], [!comprehension.bag<i64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%A, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{there are 1 values, and 2 axes}}
%a = spark.collect_strips %A along [0, 0] folded [] : !spark.rdd<[index], [tensor<?xf64>]> -> tensor<?xf64>

// -----

%A = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
// expected-error @+1 {{there is no axis 1 of tensor<?xf64>}}
%a = spark.collect_strips %A along [1] folded [] : !spark.rdd<[index], [tensor<?xf64>]> -> tensor<?xf64>

// -----

%A = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
// expected-error @+1 {{expected one monoid for each axis that is -1}}
%a = spark.collect_strips %A along [0] folded [add] : !spark.rdd<[index], [tensor<?xf64>]> -> tensor<?xf64>

// -----

%A = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
// expected-error @+1 {{expected one dimension for each of 1 dimensions of what is folded, got 0}}
%a = spark.collect_strips %A along [-1] folded [add] : !spark.rdd<[index], [tensor<?xf64>]> -> tensor<?xf64>

// -----

%A = "test.op"() : () -> !spark.rdd<[index, index], [tensor<?xf64>]>
// expected-error @+1 {{expected an RDD of strips, got}}
%a = spark.collect_strips %A along [0] folded [] : !spark.rdd<[index, index], [tensor<?xf64>]> -> tensor<?xf64>

// -----

%A = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
// expected-error @+1 {{expected an RDD of f64, got}}
%a = spark.collect_strips %A along [0] folded [] : !spark.rdd<[index], [tensor<?xf64>]> -> f64
