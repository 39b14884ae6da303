// RUN: diablo-opt %s --split-input-file --verify-diagnostics

%r, %n = "test.op"() : () -> (!spark.rdd<[index, index], [tensor<?x?xf64>]>, index)
// expected-error @+1 {{expected one dimension for each of 2 coordinates of the key, got 1}}
%s = spark.slice %r[*, %n] dims(%n) : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index, index], [tensor<?x?xf64>]>, index)
// expected-error @+1 {{the result must be !spark.rdd<[index], [tensor<?xf64>]>, got !spark.rdd<[index, index], [tensor<?x?xf64>]>}}
%s = spark.slice %r[*, %n] dims(%n, %n) : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index, index], [tensor<?x?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index, index], [tensor<?x?xf64>]>, index)
// expected-error @+1 {{the result must be !spark.rdd<[index], [tensor<?xf64>]>, got tensor<?xf64>}}
%s = spark.slice %r[*, %n] dims(%n, %n) : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> tensor<?xf64>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?x?xf64>]>, index)
// expected-error @+1 {{a slice is cut out of an array or its tiles, got !spark.rdd<[index], [tensor<?x?xf64>]>}}
%s = spark.slice %r[%n] dims(%n) : !spark.rdd<[index], [tensor<?x?xf64>]> -> !spark.rdd<[], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index, index], [tensor<?x?xf64>]>, index)
// expected-error @+1 {{a slice fixes some of 2 dimensions and leaves some, got 2}}
%s = spark.slice %r[%n, %n] dims(%n, %n) : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[], [tensor<f64>]>

// -----

%a, %n = "test.op"() : () -> (tensor<?x?xf64>, index)
// expected-error @+1 {{expected one dimension for each of 0 coordinates of the key, got 2}}
%s = spark.slice %a[*, %n] dims(%n, %n) : tensor<?x?xf64> -> tensor<?xf64>
