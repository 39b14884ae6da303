// RUN: diablo-opt %s --split-input-file --verify-diagnostics

// Types of what is read and written.

%v = "test.op"() : () -> f64
// expected-error @+1 {{but got i64}}
%x = "diablo.var"(%v) <{sym_name = "x"}> : (f64) -> !diablo.ref<i64>

// -----

%x = "test.op"() : () -> f64
// expected-error @+1 {{expected the type of a variable, !diablo.ref<…>}}
%y = diablo.load %x : f64

// -----

%x = "test.op"() : () -> !diablo.ref<f64>
// expected-error @+1 {{the result must be what is read, f64}}
%y = "diablo.load"(%x) : (!diablo.ref<f64>) -> i64

// -----

%x, %i = "test.op"() : () -> (!diablo.ref<f64>, index)
// expected-error @+1 {{only an array or a map can be indexed, and the variable is !diablo.ref<f64>}}
%y = diablo.load %x[%i] : !diablo.ref<f64>

// -----

%A, %i = "test.op"() : () -> (!diablo.ref<tensor<?x?xf64>>, index)
// expected-error @+1 {{expected no indices or one for each of 2 dimensions, got 1}}
%y = diablo.load %A[%i] : !diablo.ref<tensor<?x?xf64>>

// -----

%A, %i = "test.op"() : () -> (!diablo.ref<tensor<?x?xf64>>, index)
// expected-error @+1 {{expected no indices or one for each of 2 dimensions, got 1}}
%y = "diablo.load"(%A, %i) : (!diablo.ref<tensor<?x?xf64>>, index) -> f64

// -----

%A, %i = "test.op"() : () -> (!diablo.ref<tensor<?xf64>>, i64)
// expected-error @+1 {{operand is used with type index, but has been previously used or defined with type i64}}
%y = diablo.load %A[%i] : !diablo.ref<tensor<?xf64>>

// -----

%A, %i, %v = "test.op"() : () -> (!diablo.ref<tensor<?xf64>>, index, i64)
// expected-error @+1 {{operand is used with type f64, but has been previously used or defined with type i64}}
diablo.store %v, %A[%i] : !diablo.ref<tensor<?xf64>>

// -----

%A, %v = "test.op"() : () -> (!diablo.ref<tensor<?xf64>>, f64)
// expected-error @+1 {{the value is f64, but the destination holds tensor<?xf64>}}
"diablo.store"(%v, %A) : (f64, !diablo.ref<tensor<?xf64>>) -> ()

// -----

%x, %v = "test.op"() : () -> (!diablo.ref<f64>, i64)
// expected-error @+1 {{the value is i64, but the destination holds f64}}
"diablo.accumulate"(%v, %x) <{monoid = "add"}> : (i64, !diablo.ref<f64>) -> ()

// -----

%x, %v = "test.op"() : () -> (!diablo.ref<f64>, f64)
// expected-error @+1 {{monoid 'and' is not defined on f64}}
diablo.accumulate and %v, %x : !diablo.ref<f64>

// -----

%A, %v = "test.op"() : () -> (!diablo.ref<tensor<?xf64>>, tensor<?xf64>)
// expected-error @+1 {{monoid 'add' is not defined on tensor<?xf64>}}
diablo.accumulate add %v, %A : !diablo.ref<tensor<?xf64>>

// -----

// Loops.

%n = "test.op"() : () -> index
// expected-error @+1 {{the step of a range cannot be 0}}
diablo.for %i = %n to %n step 0 {
}

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{expected a body with arguments (index), got (i64)}}
"diablo.for"(%n, %n) ({
^bb0(%i: i64):
}) : (index, index) -> ()

// -----

%A = "test.op"() : () -> tensor<?xf64>
// expected-error @+1 {{expected 2 variables: (index, f64)}}
diablo.foreach %a in %A : tensor<?xf64> {
}

// -----

%A = "test.op"() : () -> tensor<?xf64>
// expected-error @+1 {{expected a body with arguments (index, f64), got (f64)}}
"diablo.foreach"(%A) ({
^bb0(%a: f64):
}) : (tensor<?xf64>) -> ()

// -----

%x = "test.op"() : () -> f64
// expected-error @+1 {{expected a bag or a ranked tensor to run over}}
diablo.foreach %a in %x : f64 {
}

// -----

%x = "test.op"() : () -> f64
// expected-error @+1 {{expected a bag or a ranked tensor to run over, got f64}}
"diablo.foreach"(%x) ({
^bb0(%a: f64):
}) : (f64) -> ()

// -----

// Maps.

%M, %i = "test.op"() : () -> (!diablo.ref<!comprehension.bag<keys = 2, i64, i64, f64>>, i64)
// expected-error @+1 {{expected no indices or 2 for the key of a map with one value, got 1}}
%y = diablo.load %M[%i] : !diablo.ref<!comprehension.bag<keys = 2, i64, i64, f64>>

// -----

%M, %i = "test.op"() : () -> (!diablo.ref<!comprehension.bag<keys = 1, i64>>, i64)
// expected-error @+1 {{expected no indices or 1 for the key of a map with one value, got 1}}
%y = diablo.load %M[%i] : !diablo.ref<!comprehension.bag<keys = 1, i64>>

// -----

%L, %i = "test.op"() : () -> (!diablo.ref<!comprehension.bag<i64>>, i64)
// expected-error @+1 {{only an array or a map can be indexed, and the variable is !diablo.ref<!comprehension.bag<i64>>}}
%y = diablo.load %L[%i] : !diablo.ref<!comprehension.bag<i64>>

// -----

%M, %i = "test.op"() : () -> (!diablo.ref<!comprehension.bag<keys = 1, i64, f64>>, index)
// expected-error @+1 {{operand is used with type i64, but has been previously used or defined with type index}}
%y = diablo.load %M[%i] : !diablo.ref<!comprehension.bag<keys = 1, i64, f64>>

// -----

%M, %i = "test.op"() : () -> (!diablo.ref<!comprehension.bag<keys = 1, i64, f64>>, index)
// expected-error @+1 {{the indices of !diablo.ref<!comprehension.bag<keys = 1, i64, f64>> are (i64), got (index)}}
%y = "diablo.load"(%M, %i) : (!diablo.ref<!comprehension.bag<keys = 1, i64, f64>>, index) -> f64

// -----

%v, %A, %i = "test.op"() : () -> (f64, !diablo.ref<tensor<?xf64>>, i64)
// expected-error @+1 {{the indices of !diablo.ref<tensor<?xf64>> are (index), got (i64)}}
"diablo.accumulate"(%v, %A, %i) <{monoid = "add"}> : (f64, !diablo.ref<tensor<?xf64>>, i64) -> ()

// -----

%v, %T, %i = "test.op"() : () -> (f64, !diablo.ref<tensor<?xtuple<i64, f64>>>, index)
// expected-error @+1 {{tuple<i64, f64> has no part 1 size 2}}
diablo.store %v, %T[%i] part 1 size 2 : !diablo.ref<tensor<?xtuple<i64, f64>>>

// -----

%v, %T, %i = "test.op"() : () -> (f64, !diablo.ref<tensor<?xtuple<i64, f64>>>, index)
// expected-error @+1 {{the value is f64, but the destination holds i64}}
"diablo.store"(%v, %T, %i) <{part = array<i64: 0, 1>}> : (f64, !diablo.ref<tensor<?xtuple<i64, f64>>>, index) -> ()

// -----

%v, %T, %i = "test.op"() : () -> (f64, !diablo.ref<tensor<?xtuple<i64, f64>>>, index)
// expected-error @+1 {{a part is a first leaf and a number of leaves}}
"diablo.store"(%v, %T, %i) <{part = array<i64: 0>}> : (f64, !diablo.ref<tensor<?xtuple<i64, f64>>>, index) -> ()

// -----

%t, %x = "test.op"() : () -> (tuple<f64, i64>, !diablo.ref<f64>)
// expected-error @+1 {{the value is tuple<f64, i64>, but the destination holds tuple<f64>}}
"diablo.accumulate_parts"(%t, %x) <{monoid = "@argmin", operandSegmentSizes = array<i32: 1, 1, 0>}> : (tuple<f64, i64>, !diablo.ref<f64>) -> ()

// -----

%t, %x = "test.op"() : () -> (tuple<f64>, f64)
// expected-error @+1 {{expected the types of variables, !diablo.ref<…>}}
diablo.accumulate_parts @argmin %t, %x : f64

// -----

%t, %A, %x, %i = "test.op"() : () -> (tuple<f64, f64>, !diablo.ref<tensor<?xf64>>, !diablo.ref<f64>, index)
// expected-error @+1 {{only an array or a map can be indexed}}
diablo.accumulate_parts @argmin %t, %A, %x [%i] : !diablo.ref<tensor<?xf64>>, !diablo.ref<f64>

// -----

%t, %x = "test.op"() : () -> (tuple<f64>, !diablo.ref<f64>)
// expected-error @+1 {{the value is tuple<f64>, but the destination holds tuple<f64, i64>}}
"diablo.accumulate_parts"(%t, %x) <{monoid = "@argmin", further = array<i64: 0>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tuple<f64>, !diablo.ref<f64>) -> ()

// -----

%t, %T, %i = "test.op"() : () -> (tuple<f64, f64>, !diablo.ref<tensor<?xtuple<i64, f64>>>, index)
// expected-error @+1 {{tuple<i64, f64> has no part 2 size 1}}
"diablo.accumulate_parts"(%t, %T, %T, %i) <{monoid = "@argmin", parts = array<i64: 1, 2>, operandSegmentSizes = array<i32: 1, 2, 1>}> : (tuple<f64, f64>, !diablo.ref<tensor<?xtuple<i64, f64>>>, !diablo.ref<tensor<?xtuple<i64, f64>>>, index) -> ()

// -----

%t, %T, %i = "test.op"() : () -> (tuple<f64, f64>, !diablo.ref<tensor<?xtuple<i64, f64>>>, index)
// expected-error @+1 {{each part is written once}}
"diablo.accumulate_parts"(%t, %T, %T, %i) <{monoid = "@argmin", parts = array<i64: 1, 1>, operandSegmentSizes = array<i32: 1, 2, 1>}> : (tuple<f64, f64>, !diablo.ref<tensor<?xtuple<i64, f64>>>, !diablo.ref<tensor<?xtuple<i64, f64>>>, index) -> ()

// -----

%t, %T, %i = "test.op"() : () -> (tuple<f64>, !diablo.ref<tensor<?xtuple<i64, f64>>>, index)
// expected-error @+1 {{expected a part for each of 1 variables, got 2}}
"diablo.accumulate_parts"(%t, %T, %i) <{monoid = "@argmin", parts = array<i64: 1, 0>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tuple<f64>, !diablo.ref<tensor<?xtuple<i64, f64>>>, index) -> ()

// -----

%i = "test.op"() : () -> index
// expected-error @+1 {{the step is a number or a value, not both}}
"diablo.for"(%i, %i, %i) <{step = 2 : i64}> ({
^bb0(%j: index):
}) : (index, index, index) -> ()

// -----

%M = "test.op"() : () -> !comprehension.bag<keys = 1, i64, f64>
// expected-error @+1 {{only the rows of a list are sorted}}
diablo.foreach ordered sorted %k, %v in %M : !comprehension.bag<keys = 1, i64, f64> {
}

// -----

%L = "test.op"() : () -> !comprehension.bag<!comprehension.bag<i64>, f64>
// expected-error @+1 {{the first column is no scalar, by which rows can be sorted}}
diablo.foreach ordered sorted %k, %v in %L : !comprehension.bag<!comprehension.bag<i64>, f64> {
}

// -----

%v = "test.op"() : () -> f64
// expected-error @+1 {{only values of maps that are tuples have parts, not f64}}
%x = diablo.var "x" = %v absent [unit] : f64

// -----

!map = !comprehension.bag<keys = 1, i64, tuple<i64, f64>>
%m = "test.op"() : () -> !map
// expected-error @+1 {{tuple<i64, f64> has 2 parts, absent 1}}
%x = diablo.var "x" = %m absent [unit] : !map

// -----

!map = !comprehension.bag<keys = 1, i64, tuple<i64, f64>>
%m = "test.op"() : () -> !map
// expected-error @+1 {{absent parts are constants of tuple<i64, f64>, not 1 : i64}}
%x = diablo.var "x" = %m absent [unit, 1 : i64] : !map

// -----

// What is required is the value, where a Boolean holds.

%v, %i = "test.op"() : () -> (f64, i64)
// expected-error @+1 {{operand is used with type i1, but has been previously used or defined with type i64}}
%x = diablo.require %v if %i : f64

// -----

%v, %c = "test.op"() : () -> (f64, i1)
// expected-error @+1 {{but got i64}}
%x = "diablo.require"(%v, %c) : (f64, i1) -> i64
