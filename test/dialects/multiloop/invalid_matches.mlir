// RUN: diablo-opt %s --split-input-file --verify-diagnostics

%R, %k = "test.op"() : () -> (!comprehension.bag<f64, i64>, i64)
// expected-error @+1 {{column 2 is out of range, there are 2}}
multiloop.loop matches[2](%R, %k : !comprehension.bag<f64, i64>, i64) {
^bb0(%x: f64, %y: i64):
}

// -----

%R, %k = "test.op"() : () -> (!comprehension.bag<f64, i64>, i64)
// expected-error @+1 {{the key has (f64), got (i64)}}
multiloop.loop matches[0](%R, %k : !comprehension.bag<f64, i64>, i64) {
^bb0(%x: f64, %y: i64):
}

// -----

%R, %k = "test.op"() : () -> (!comprehension.bag<f64, i64>, i64)
// expected-error @+1 {{the key has (i64, f64), got (i64)}}
multiloop.loop matches[1, 0](%R, %k : !comprehension.bag<f64, i64>, i64) {
^bb0(%x: f64, %y: i64):
}

// -----

%R = "test.op"() : () -> !comprehension.bag<f64, i64>
// expected-error @+1 {{the key has (), got ()}}
multiloop.loop matches[](%R : !comprehension.bag<f64, i64>) {
^bb0(%x: f64, %y: i64):
}

// -----

%k = "test.op"() : () -> i64
// expected-error @+1 {{what matches are rows of a bag, not of (i64, i64)}}
multiloop.loop matches[0](%k, %k : i64, i64) {
^bb0(%x: f64, %y: i64):
}

// -----

%R, %k = "test.op"() : () -> (!comprehension.bag<f64, i64>, i64)
// expected-error @+1 {{'[' expected}}
multiloop.loop matches(%R, %k : !comprehension.bag<f64, i64>, i64) {
^bb0(%x: f64, %y: i64):
}

// -----

%R = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{a loop over what matches a key has columns, and no other has}}
"multiloop.loop"(%R) <{source = "rows", columns = array<i64: 0>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> ({
^bb0(%x: f64):
}) : (!comprehension.bag<f64>) -> ()

// -----

%R, %x = "test.op"() : () -> (!comprehension.bag<f64>, f64)
// expected-error @+1 {{a loop over what matches a key has columns, and no other has}}
"multiloop.loop"(%R, %x) <{source = "matches", operandSegmentSizes = array<i32: 2, 0, 0, 0, 0>}> ({
^bb0(%y: f64):
}) : (!comprehension.bag<f64>, f64) -> ()
