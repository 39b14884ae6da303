// RUN: diablo-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{0 key columns in a table of 2 columns}}
%t = "test.op"() : () -> !comprehension.table<i64, f64>

// -----

// expected-error @+1 {{rows are compared by columns of scalars, got (!comprehension.bag<i64>)}}
%t = "test.op"() : () -> !comprehension.table<keys = 1, !comprehension.bag<i64>, f64>

// -----

%m = "test.op"() : () -> !comprehension.bag<keys = 2, i64, f64>
// expected-error @+1 {{the rows must be those of !comprehension.bag<keys = 1, i64, f64>}}
%t = comprehension.table %m : !comprehension.bag<keys = 2, i64, f64>
    -> !comprehension.table<keys = 1, i64, f64>

// -----

%t, %k = "test.op"() : () -> (!comprehension.table<keys = 1, i64, f64>, i64)
// expected-error @+1 {{expected 1 keys for !comprehension.table<keys = 1, i64, f64>}}
%v, %found = comprehension.find %t[%k, %k] : !comprehension.table<keys = 1, i64, f64>

// -----

%t, %k = "test.op"() : () -> (!comprehension.table<keys = 1, i64, f64>, f64)
// expected-error @+1 {{the keys are (i64), got (f64)}}
%v, %found = "comprehension.find"(%t, %k)
    : (!comprehension.table<keys = 1, i64, f64>, f64) -> (f64, i1)

// -----

%t, %k = "test.op"() : () -> (!comprehension.table<keys = 1, i64, f64>, i64)
// expected-error @+1 {{the values must be (f64)}}
%v, %found = "comprehension.find"(%t, %k)
    : (!comprehension.table<keys = 1, i64, f64>, i64) -> (i64, i1)

// -----

%t, %k = "test.op"() : () -> (!comprehension.table<keys = 1, i64, f64>, i64)
// expected-error @+1 {{expected 1 values for !comprehension.table<keys = 1, i64, f64>}}
comprehension.put (%k, %k) into %t[%k] : !comprehension.table<keys = 1, i64, f64>

// -----

%t = "test.op"() : () -> !comprehension.table<keys = 1, i64, f64>
// expected-error @+1 {{the result must be !comprehension.bag<keys = 1, i64, f64>}}
%m = comprehension.entries %t : !comprehension.table<keys = 1, i64, f64>
    -> !comprehension.bag<keys = 2, i64, f64>

// -----

%m = "test.op"() : () -> !comprehension.bag<keys = 1, i64, f64>
// expected-error @+1 {{expected the type of a table}}
%v, %found = comprehension.find %m[%m] : !comprehension.bag<keys = 1, i64, f64>
