// RUN: diablo-opt %s --split-input-file --verify-diagnostics

%x = "test.op"() : () -> f64
// expected-error @+1 {{the mask of a shuffle is from 1 to 31, got 32}}
%y = simt.shuffle_xor %x, 32 : f64

// -----

%x = "test.op"() : () -> f64
// expected-error @+1 {{the mask of a shuffle is from 1 to 31, got 0}}
%y = simt.shuffle_xor %x, 0 : f64

// -----

%h, %i, %x = "test.op"() : () -> (memref<?xf64>, index, f64)
// expected-error @+1 {{'add' on f64 is not done in one step}}
simt.atomic add %x, %h[%i] : memref<?xf64>

// -----

%h, %i, %x = "test.op"() : () -> (memref<?xi64>, index, i64)
// expected-error @+1 {{'mul' on i64 is not done in one step}}
simt.atomic mul %x, %h[%i] : memref<?xi64>

// -----

%h, %i, %x = "test.op"() : () -> (memref<?xi64>, index, i64)
// expected-error @+1 {{'or' on i64 is not done in one step}}
simt.atomic or %x, %h[%i] : memref<?xi64>

// -----

%h, %i, %x = "test.op"() : () -> (memref<?x?xi64>, index, i64)
// expected-error @+1 {{an element of memref<?x?xi64> has 2 indices, got 1}}
simt.atomic add %x, %h[%i] : memref<?x?xi64>

// -----

%h, %i, %x = "test.op"() : () -> (memref<?xi64>, index, i32)
// expected-error @+1 {{i32 is combined with an element of memref<?xi64>}}
"simt.atomic"(%x, %h, %i) <{monoid = "add"}> : (i32, memref<?xi64>, index) -> ()

// -----

%h, %i, %x = "test.op"() : () -> (memref<?xi64>, index, i64)
// expected-error @+1 {{a buffer is expected}}
simt.atomic add %x, %h[%i] : i64
