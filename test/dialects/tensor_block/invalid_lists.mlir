// RUN: diablo-opt %s --split-input-file --verify-diagnostics

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{3 key columns in a bag of 2 columns}}
%g = tensor_block.group %r keys 3 : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{what is grouped becomes bags, not f64}}
%g = tensor_block.group %r keys 1 : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{what is grouped becomes bags, not !comprehension.bag<keys = 1, f64>}}
%g = tensor_block.group %r keys 1 : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, !comprehension.bag<keys = 1, f64>>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{the keys and the columns of the bags must be (i64, f64), got (i64, i64)}}
%g = tensor_block.group %r keys 1 : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, !comprehension.bag<i64>>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{column 2 is out of range, there are 2}}
%u = tensor_block.unnest %r[2] : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{expected a column of bags to unnest, got f64}}
%u = tensor_block.unnest %r[1] : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, f64>

// -----

%r = "test.op"() : () -> !comprehension.bag<!comprehension.bag<f64>>
// expected-error @+1 {{the result must be !comprehension.bag<!comprehension.bag<f64>, f64>, got !comprehension.bag<f64>}}
%u = tensor_block.unnest %r[0] : !comprehension.bag<!comprehension.bag<f64>> -> !comprehension.bag<f64>

// -----

%r = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{the result must be !comprehension.bag<f64, i64>, got !comprehension.bag<f64, index>}}
%n = tensor_block.number %r : !comprehension.bag<f64> -> !comprehension.bag<f64, index>

// -----

%r, %s = "test.op"() : () -> (!comprehension.bag<f64>, !comprehension.bag<i64>)
// expected-error @+1 {{both sides must have the same columns, got (f64) and (i64)}}
%c = tensor_block.concat %r, %s : !comprehension.bag<f64>, !comprehension.bag<i64> -> !comprehension.bag<f64>

// -----

%r = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{the result must be !comprehension.bag<f64>, got !comprehension.bag<i64>}}
%c = tensor_block.concat %r, %r : !comprehension.bag<f64>, !comprehension.bag<f64> -> !comprehension.bag<i64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{the map must have the columns (i64, f64)}}
%m = tensor_block.to_map %r : !comprehension.bag<i64, f64> -> !comprehension.bag<keys = 1, f64, f64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{the result must be a map, got !comprehension.bag<i64, f64>}}
%m = tensor_block.to_map %r : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{expected a map to update, got !comprehension.bag<i64, f64>}}
%m = tensor_block.update %r with %r : !comprehension.bag<i64, f64>, !comprehension.bag<i64, f64>

// -----

%m, %r = "test.op"() : () -> (!comprehension.bag<keys = 1, i64, f64>, !comprehension.bag<f64>)
// expected-error @+1 {{the rows must be (i64, f64), got (f64)}}
%n = tensor_block.update %m with %r : !comprehension.bag<keys = 1, i64, f64>, !comprehension.bag<f64>

// -----

%m, %r = "test.op"() : () -> (!comprehension.bag<keys = 1, i64, f64, f64>, !comprehension.bag<i64, f64, f64>)
// expected-error @+1 {{with a monoid, the map has one value per key}}
%n = tensor_block.update add %m with %r : !comprehension.bag<keys = 1, i64, f64, f64>, !comprehension.bag<i64, f64, f64>

// -----

%m, %r = "test.op"() : () -> (!comprehension.bag<keys = 1, i64, f64>, !comprehension.bag<i64, f64>)
// expected-error @+1 {{monoid 'and' is not defined on f64}}
%n = tensor_block.update and %m with %r : !comprehension.bag<keys = 1, i64, f64>, !comprehension.bag<i64, f64>

// -----

// Joins that keep rows without a partner, and lookups that keep all rows.

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{expected a constant for each of 2 columns of the right side, got 1}}
%j = tensor_block.join %r[0], %r[0] outer [unit] : !comprehension.bag<i64, f64>, !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, i64, f64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{1 : i64 is no value of f64}}
%j = tensor_block.join %r[0], %r[0] outer [unit, 1 : i64] : !comprehension.bag<i64, f64>, !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, i64, f64>

// -----

%r, %A = "test.op"() : () -> (!comprehension.bag<index>, tensor<?xf64>)
// expected-error @+1 {{a lookup that drops no row cannot drop what is not stored}}
%l = tensor_block.lookup %r[0] in %A stored probe : !comprehension.bag<index>, tensor<?xf64> -> !comprehension.bag<index, f64, i1>

// -----

%r, %A = "test.op"() : () -> (!comprehension.bag<index>, tensor<?xf64>)
// expected-error @+1 {{the result must be !comprehension.bag<index, f64, i1>, got !comprehension.bag<index, f64>}}
%l = tensor_block.lookup %r[0] in %A probe : !comprehension.bag<index>, tensor<?xf64> -> !comprehension.bag<index, f64>

// -----

%V = "test.op"() : () -> tensor<?x!comprehension.bag<f64>>
// expected-error @+1 {{an array holds bags in tuples, not !comprehension.bag<f64>}}
%rows = tensor_block.to_bag %V : tensor<?x!comprehension.bag<f64>>
    -> !comprehension.bag<index, !comprehension.bag<f64>>
