// RUN: diablo-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{a list is no map}}
%L = comprehension.constant_list [array<i64: 1>, array<i64: 1>] : !comprehension.bag<keys = 1, i64, i64>

// -----

// expected-error @+1 {{expected data for 2 columns, got 1}}
%L = comprehension.constant_list [array<i64: 1>] : !comprehension.bag<i64, f64>

// -----

// expected-error @+1 {{the columns have different numbers of rows}}
%L = comprehension.constant_list [array<i64: 1>, array<i64: 1, 2>] : !comprehension.bag<i64, i64>

// -----

// expected-error @+1 {{this is no column of f64: array<i64: 1>}}
%L = comprehension.constant_list [array<i64: 1>] : !comprehension.bag<f64>

// -----

// expected-error @+1 {{this is no column of !comprehension.string: array<i64: 1>}}
%L = comprehension.constant_list [array<i64: 1>] : !comprehension.bag<!comprehension.string>

// -----

// expected-error @+1 {{this is no column of !comprehension.bag<i64>}}
%L = comprehension.constant_list [[array<i64: 0, 1>]] : !comprehension.bag<!comprehension.bag<i64>>

// -----

// expected-error @+1 {{the bags of 2 rows begin at 0, ascend, and end at 2}}
%L = comprehension.constant_list [[array<i64: 0, 1>, [array<i64: 5, 6>]]] : !comprehension.bag<!comprehension.bag<i64>>
