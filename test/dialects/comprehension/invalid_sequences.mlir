// RUN: diablo-opt %s --split-input-file --verify-diagnostics

%L = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{rows of 2 columns cannot ascend by 3 of them}}
%rows, %n = comprehension.sequence %L sorted 3 : !comprehension.bag<i64, f64>

// -----

%L = "test.op"() : () -> !comprehension.bag<i64, !comprehension.bag<f64>>
// expected-error @+1 {{rows ascend by columns of scalars alone}}
%rows, %n = comprehension.sequence %L sorted 2 : !comprehension.bag<i64, !comprehension.bag<f64>>

// -----

%L = "test.op"() : () -> !comprehension.bag<i64>
// expected-error @+1 {{the rows must be those of !comprehension.bag<i64>}}
%rows, %n = "comprehension.sequence"(%L)
    : (!comprehension.bag<i64>) -> (!comprehension.sequence<f64>, index)

// -----

%A = "test.op"() : () -> tensor<?xf64>
// expected-error @+1 {{expected the type of a bag}}
%rows, %n = comprehension.sequence %A : tensor<?xf64>

// -----

%rows, %k = "test.op"() : () -> (!comprehension.sequence<i64, f64>, index)
// expected-error @+1 {{the values must be (i64, f64)}}
%x = "comprehension.row"(%rows, %k) : (!comprehension.sequence<i64, f64>, index) -> f64

// -----

%rows, %k = "test.op"() : () -> (!comprehension.bag<i64>, index)
// expected-error @+1 {{expected the type of a sequence}}
%x = comprehension.row %rows[%k] : !comprehension.bag<i64>

// -----

%rows = "test.op"() : () -> !comprehension.bag<i64>
// expected-error @+1 {{expected the type of a sequence}}
%x = comprehension.column 0 of %rows : !comprehension.bag<i64>

// -----

%rows = "test.op"() : () -> !comprehension.sequence<i64, f64>
// expected-error @+1 {{rows of 2 columns have no column 2}}
%x = comprehension.column 2 of %rows : !comprehension.sequence<i64, f64>

// -----

%rows = "test.op"() : () -> !comprehension.sequence<!comprehension.string>
// expected-error @+1 {{a column of !comprehension.string is no vector}}
%x = comprehension.column 0 of %rows : !comprehension.sequence<!comprehension.string>

// -----

%rows = "test.op"() : () -> !comprehension.sequence<i64>
// expected-error @+1 {{the vector must have elements of i64}}
%x = "comprehension.column"(%rows) <{number = 0 : i64}>
    : (!comprehension.sequence<i64>) -> tensor<?xf64>
