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
// expected-error @+1 {{'mul' on f64 is not done in one step}}
simt.atomic mul %x, %h[%i] : memref<?xf64>

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

// -----

%keys, %places, %bits = "test.op"() : () -> (memref<?xi32>, memref<?xindex>, index)
// expected-error @+1 {{the keys are a line of i64, got memref<?xi32>}}
simt.sort %keys, %places, %bits : memref<?xi32>, memref<?xindex>

// -----

%keys, %places, %bits = "test.op"() : () -> (memref<?xi64>, memref<?x?xindex>, index)
// expected-error @+1 {{the places are a line of index, got memref<?x?xindex>}}
simt.sort %keys, %places, %bits : memref<?xi64>, memref<?x?xindex>

// -----

%t, %p, %x, %n = "test.op"() : () -> (memref<?xi32>, memref<?xi32>, memref<?xf64>, index)
// expected-error @+1 {{the starts are a memref<?x?xi32>, got memref<?xi32>}}
simt.sliced_product %t, %t, %p, %x, %x, %x, %n, %n, %n {most = 7} : memref<?xi32>, memref<?xi32>, memref<?xi32>, memref<?xf64>, memref<?xf64>, memref<?xf64>

// -----

%t, %p, %x, %n = "test.op"() : () -> (memref<?x?xi32>, memref<?xi64>, memref<?xf64>, index)
// expected-error @+1 {{the places are a memref<?xi32>, got memref<?xi64>}}
simt.sliced_product %t, %t, %p, %x, %x, %x, %n, %n, %n {most = 7} : memref<?x?xi32>, memref<?x?xi32>, memref<?xi64>, memref<?xf64>, memref<?xf64>, memref<?xf64>

// -----

%t, %p, %x, %y, %n = "test.op"() : () -> (memref<?x?xi32>, memref<?xi32>, memref<?xf64>, memref<?xf32>, index)
// expected-error @+1 {{values and vectors are lines of one float, got memref<?xf32>}}
simt.sliced_product %t, %t, %p, %x, %x, %y, %n, %n, %n {most = 7} : memref<?x?xi32>, memref<?x?xi32>, memref<?xi32>, memref<?xf64>, memref<?xf64>, memref<?xf32>

// -----

%t, %p, %x, %n = "test.op"() : () -> (memref<?x?xi32>, memref<?xi32>, memref<?xf64>, index)
// expected-error @+1 {{a window has from 1 to 32767 columns, got 32768}}
simt.sliced_product %t, %t, %p, %x, %x, %x, %n, %n, %n {most = 32768} : memref<?x?xi32>, memref<?x?xi32>, memref<?xi32>, memref<?xf64>, memref<?xf64>, memref<?xf64>
