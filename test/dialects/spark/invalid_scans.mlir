// RUN: diablo-opt %s --split-input-file --verify-diagnostics

%r, %n = "test.op"() : () -> (!spark.rdd<[index, index], [tensor<?x?xf64>]>, index)
// expected-error @+1 {{expected one dimension for each of 2 coordinates of the key, got 1}}
%s = spark.scan add %r along 0 dims(%n) : !spark.rdd<[index, index], [tensor<?x?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?x?xf64>]>, index)
// expected-error @+1 {{what is scanned is an array or its tiles, got !spark.rdd<[index], [tensor<?x?xf64>]>}}
%s = spark.scan add %r along 0 dims(%n) : !spark.rdd<[index], [tensor<?x?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{dimension 1 is out of range, there are 1}}
%s = spark.scan add %r along 1 dims(%n) : !spark.rdd<[index], [tensor<?xf64>]>

// -----

%v, %n = "test.op"() : () -> (tensor<?xf64>, index)
// expected-error @+1 {{a kernel scans an array of the driver, got tensor<?xf64>}}
%s = spark.scan add %v along 0 dims(%n) : tensor<?xf64>
