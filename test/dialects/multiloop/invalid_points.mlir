// RUN: diablo-opt %s --split-input-file --verify-diagnostics

%n, %A = "test.op"() : () -> (index, tensor<?x?xf64>)
// expected-error @+1 {{the body must begin with the arguments (index, f64), got (index, i64, !multiloop.reduce<add : f64>)}}
%s = multiloop.loop points(d0 < %n) ins(%A[d0, d0] : tensor<?x?xf64>) -> f64 {
^bb0(%i: index, %a: i64, %all: !multiloop.reduce<add : f64>):
}

// -----

%n, %A = "test.op"() : () -> (index, tensor<?x?xf64>)
// expected-error @+1 {{the map of input 0 gives 1 indices for tensor<?x?xf64>}}
%s = multiloop.loop points(d0 < %n) ins(%A[d0] : tensor<?x?xf64>) -> f64 {
^bb0(%i: index, %a: f64, %all: !multiloop.reduce<add : f64>):
}

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{!multiloop.place<f64> has a place for each of the source's 2 dimensions}}
%v = multiloop.loop points(d0 < %n, d1 < %n) -> tensor<?xf64> {
^bb0(%i: index, %j: index, %all: !multiloop.place<f64>):
}

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{!multiloop.place<f64, 2> has a place for each of the source's 1 dimensions}}
%v = multiloop.loop range(%n, %n : index, index) -> tensor<?x?xf64> {
^bb0(%i: index, %all: !multiloop.place<f64, 2>):
}

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{the tables have 1 dimensions, but 'into' has 0 extents}}
%v = multiloop.loop points(d0 < %n) -> tensor<?xf64> {
^bb0(%i: index, %all: !multiloop.table<add : f64>):
}

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{expected no offsets or one for each of 2 extents, got 1}}
multiloop.loop points(d0 < %n, d1 < %n) offsets(%n) {
^bb0(%i: index, %j: index):
}

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{there are symbols, but nothing is read}}
multiloop.loop points(d0 < %n) symbols(%n) {
^bb0(%i: index):
}

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{points alone have extents, not range}}
"multiloop.loop"(%n, %n, %n) <{source = "range", operandSegmentSizes = array<i32: 2, 1, 0, 0, 0>}> ({
^bb0(%i: index):
}) : (index, index, index) -> ()

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{unknown monoid 'both', expected one of add, mul, min, max, and, or}}
%v = multiloop.loop points(d0 < %n) into(%n) -> tensor<?xf64> {
^bb0(%i: index, %all: !multiloop.table<both : f64>):
}

// -----

// expected-error @+1 {{an array has no negative number of dimensions, got -1}}
%v = "test.op"() : () -> !multiloop.place<f64, -1>

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{points alone have extents, not range}}
%v = "multiloop.loop"(%n, %n, %n) <{source = "range",
    operandSegmentSizes = array<i32: 2, 0, 0, 0, 1>}> ({
^bb0(%i: index, %all: !multiloop.table<add : f64>):
}) : (index, index, index) -> tensor<?xf64>
