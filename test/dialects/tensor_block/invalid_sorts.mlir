// RUN: diablo-opt %s --split-input-file --verify-diagnostics

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{there is no column 2 in rows of 2 columns}}
%s = tensor_block.sort %r by [2] : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{there is no column 5 in rows of 2 columns}}
%s = tensor_block.sort %r by [1] to [5] : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{the result must be !comprehension.bag<f64>, got !comprehension.bag<i64>}}
%s = tensor_block.sort %r by [1] to [1] : !comprehension.bag<i64, f64> -> !comprehension.bag<i64>

// -----

%r = "test.op"() : () -> f64
// expected-error @+1 {{expected a bag of rows}}
%s = tensor_block.sort %r by [0] : f64 -> !comprehension.bag<i64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{rows are sorted by a column at least, or have a limit}}
%s = tensor_block.sort %r by [] : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, complex<f64>>
// expected-error @+1 {{complex numbers have no order}}
%s = tensor_block.sort %r by [1] : !comprehension.bag<i64, complex<f64>> -> !comprehension.bag<i64, complex<f64>>

// -----

%r = "test.op"() : () -> !comprehension.bag<!comprehension.bag<f64>>
// expected-error @+1 {{rows are compared by columns of scalars, got (!comprehension.bag<f64>)}}
%s = tensor_block.sort %r by [0] : !comprehension.bag<!comprehension.bag<f64>> -> !comprehension.bag<!comprehension.bag<f64>>

// -----

%r = "test.op"() : () -> !spark.rdd<[], [!comprehension.bag<i64, f64>]>
// expected-error @+1 {{the result must be !spark.rdd<[], [!comprehension.bag<f64>]>, got !spark.rdd<[], [!comprehension.bag<i64>]>}}
%s = spark.sort %r by [1] to [1] : !spark.rdd<[], [!comprehension.bag<i64, f64>]> -> !spark.rdd<[], [!comprehension.bag<i64>]>

// -----

%r = "test.op"() : () -> !spark.rdd<[], [!comprehension.bag<i64, f64>]>
// expected-error @+1 {{rows are sorted by a column at least, or have a limit}}
%s = spark.sort %r by [] : !spark.rdd<[], [!comprehension.bag<i64, f64>]> -> !spark.rdd<[], [!comprehension.bag<i64, f64>]>
