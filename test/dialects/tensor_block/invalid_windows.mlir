// RUN: diablo-opt %s --split-input-file --verify-diagnostics

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{there is no column 2 in rows of 2 columns}}
%s = tensor_block.window %r keys [2] by [] functions [number] : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, i64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{there is no column 7 in rows of 2 columns}}
%s = tensor_block.window %r keys [] by [] functions [first 7] : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, i64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{there is no function 'lag' of windows: number, size, first_peer, last_peer, peers_before, shift, first, last, whole, scan, fold, quantile}}
%s = tensor_block.window %r keys [] by [] functions [lag 1] : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, i64>

// -----

%r = "test.op"() : () -> f64
// expected-error @+1 {{expected a bag of rows}}
%s = tensor_block.window %r keys [] by [] functions [number] : f64 -> f64

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{the result must be !comprehension.bag<i64, f64, f64>, got !comprehension.bag<i64, f64, i64>}}
%s = tensor_block.window %r keys [] by [] functions [scan add 1] : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, i64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, complex<f64>>
// expected-error @+1 {{complex numbers have no order}}
%s = tensor_block.window %r keys [1] by [] functions [number] : !comprehension.bag<i64, complex<f64>> -> !comprehension.bag<i64, complex<f64>, i64>

// -----

%r = "test.op"() : () -> !comprehension.bag<!comprehension.bag<f64>>
// expected-error @+1 {{rows are compared by columns of scalars, got (!comprehension.bag<f64>)}}
%s = tensor_block.window %r keys [] by [0] functions [number] : !comprehension.bag<!comprehension.bag<f64>> -> !comprehension.bag<!comprehension.bag<f64>, i64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{'@own' is no built-in monoid}}
%s = tensor_block.window %r keys [] by [] functions [scan @own 1] : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, f64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{monoid 'or' is not defined on f64}}
%s = tensor_block.window %r keys [] by [] functions [whole or 1] : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, f64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64>
// expected-error @+1 {{1 functions take a number of rows, and there are 0}}
%s = "tensor_block.window"(%r) <{keys = array<i64>, places = array<i64>, descending = [], functions = [#tensor_block.window_function<shift 0>]}> : (!comprehension.bag<i64>) -> !comprehension.bag<i64, i64, i1>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64>
// expected-error @+1 {{each column by which rows are ordered has a direction}}
%s = "tensor_block.window"(%r) <{keys = array<i64>, places = array<i64: 0>, descending = [], functions = [#tensor_block.window_function<number>]}> : (!comprehension.bag<i64>) -> !comprehension.bag<i64, i64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64>
// expected-error @+1 {{key column 3 is out of range, there are 1}}
%s = "tensor_block.window"(%r) <{keys = array<i64: 3>, places = array<i64>, descending = [], functions = [#tensor_block.window_function<number>]}> : (!comprehension.bag<i64>) -> !comprehension.bag<i64, i64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64>
// expected-error @+1 {{the result must have the columns (i64, i64)}}
%s = "tensor_block.window"(%r) <{keys = array<i64>, places = array<i64>, descending = [], functions = [#tensor_block.window_function<number>]}> : (!comprehension.bag<i64>) -> !comprehension.bag<i64>

// -----

%r, %q = "test.op"() : () -> (!comprehension.bag<i64, f64>, f64)
// expected-error @+1 {{quantiles are of numbers of f64, not i64}}
%s = tensor_block.window %r keys [] by [] functions [quantile linear 0 at %q] : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, i64>

// -----

%r, %q = "test.op"() : () -> (!comprehension.bag<i64, f64>, f64)
// expected-error @+1 {{column 7 is out of range, there are 2}}
%s = "tensor_block.window"(%r, %q) <{keys = array<i64>, places = array<i64>, descending = [], functions = [#tensor_block.window_function<quantile linear 7>]}> : (!comprehension.bag<i64, f64>, f64) -> !comprehension.bag<i64, f64, f64>

// -----

%r, %q = "test.op"() : () -> (!comprehension.bag<i64, f64>, f64)
// expected-error @+1 {{a quantile is linear, lower, higher, nearest, midpoint, not 'cubic'}}
%s = tensor_block.window %r keys [] by [] functions [quantile cubic 1 at %q] : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, f64>

// -----

%r, %q = "test.op"() : () -> (!comprehension.bag<i64, f64>, f64)
// expected-error @+1 {{the number of 'shift' is an index, got f64}}
%s = "tensor_block.window"(%r, %q) <{keys = array<i64>, places = array<i64>, descending = [], functions = [#tensor_block.window_function<shift 0>]}> : (!comprehension.bag<i64, f64>, f64) -> !comprehension.bag<i64, f64, i64, i1>

// -----

%r = "test.op"() : () -> !spark.rdd<[index], [f64]>
// expected-error @+1 {{expected an RDD of rows, got !spark.rdd<[index], [f64]>}}
%s = spark.window_rows %r keys [] by [] functions [number] : !spark.rdd<[index], [f64]> -> !spark.rdd<[], [!comprehension.bag<i64>]>
