// RUN: diablo-opt %s --split-input-file --verify-diagnostics

// Arrays.

%a = "test.op"() : () -> (tensor<?xf64>)
// expected-error @+1 {{expected a sparse array, got tensor<?xf64>}}
%r, %v = sparse_storage.unpack %a : tensor<?xf64> -> !sparse_storage.region<1>, memref<?xf64>

// -----

%a = "test.op"() : () -> (tensor<?x?xf64, #tensor_block.storage<dense = 1>>)
// expected-error @+1 {{a region of rank 1 cannot be that of tensor<?x?xf64, #tensor_block.storage<dense = 1>>}}
%r, %v = sparse_storage.unpack %a : tensor<?x?xf64, #tensor_block.storage<dense = 1>> -> !sparse_storage.region<1>, memref<?xf64>

// -----

%a = "test.op"() : () -> (tensor<?x?xf64, #tensor_block.storage<dense = 1>>)
// expected-error @+1 {{the values of tensor<?x?xf64, #tensor_block.storage<dense = 1>> are memref<?xf64>, got none}}
%r = sparse_storage.unpack %a : tensor<?x?xf64, #tensor_block.storage<dense = 1>> -> !sparse_storage.region<2>

// -----

%a = "test.op"() : () -> (tensor<?x?xf64, #tensor_block.storage<dense = 1>>)
// expected-error @+1 {{the values of tensor<?x?xf64, #tensor_block.storage<dense = 1>> are memref<?xf64>, got memref<?xi64>}}
%r, %v = sparse_storage.unpack %a : tensor<?x?xf64, #tensor_block.storage<dense = 1>> -> !sparse_storage.region<2>, memref<?xi64>

// -----

%a, %b = "test.op"() : () -> (!sparse_storage.region<1>, memref<?xi1>)
// expected-error @+1 {{the stored elements of tensor<?xi1, #tensor_block.storage<dense = 0>> are true and have no values}}
%r = sparse_storage.pack %a, %b : !sparse_storage.region<1>, memref<?xi1> -> tensor<?xi1, #tensor_block.storage<dense = 0>>

// -----

%a = "test.op"() : () -> (tensor<?xf64>)
// expected-error @+1 {{expected a sparse array, got tensor<?xf64>}}
%z = sparse_storage.implicit %a : tensor<?xf64> -> f64

// -----

%a = "test.op"() : () -> (tensor<?x?xf64, #tensor_block.storage<dense = 1>>)
// expected-error @+1 {{the implicit value is f64, got i64}}
%z = sparse_storage.implicit %a : tensor<?x?xf64, #tensor_block.storage<dense = 1>> -> i64

// -----

// Regions.

%a = "test.op"() : () -> (index)
// expected-error @+1 {{a box of 1 extents cannot have rank 2}}
%r = sparse_storage.box %a : !sparse_storage.region<2, #sparse_storage.layout<form = full>>

// -----

%a = "test.op"() : () -> (index)
// expected-error @+1 {{a box is #sparse_storage.layout<form = full>, got #sparse_storage.layout<form = auto>}}
%r = sparse_storage.box %a : !sparse_storage.region<1>

// -----

%a, %b = "test.op"() : () -> (!sparse_storage.region<2>, i1)
// expected-error @+1 {{a part of a region of rank 2 cannot have rank 1}}
%r = sparse_storage.region_where %a : !sparse_storage.region<2> -> !sparse_storage.region<1> {
^bb0(%i: index, %j: index, %p: index):
  sparse_storage.yield %b : i1
}

// -----

%a, %b = "test.op"() : () -> (!sparse_storage.region<2>, i1)
// expected-error @+1 {{expected a body with arguments (index, index, index), got (index, index)}}
%r = sparse_storage.region_where %a : !sparse_storage.region<2> -> !sparse_storage.region<2> {
^bb0(%i: index, %j: index):
  sparse_storage.yield %b : i1
}

// -----

%a, %b = "test.op"() : () -> (!sparse_storage.region<2>, f64)
// expected-error @+1 {{the body must yield (i1), but it yields (f64)}}
%r = sparse_storage.region_where %a : !sparse_storage.region<2> -> !sparse_storage.region<2> {
^bb0(%i: index, %j: index, %p: index):
  sparse_storage.yield %b : f64
}

// -----

%a, %b = "test.op"() : () -> (!sparse_storage.region<2>, index)
// expected-error @+1 {{a slice that fixes 1 of 2 dimensions cannot have rank 2}}
%r = sparse_storage.slice %a[%b, *] : !sparse_storage.region<2> -> !sparse_storage.region<2>

// -----

%a, %b = "test.op"() : () -> (!sparse_storage.region<2>, index)
// expected-error @+1 {{a slice is a region}}
%r = sparse_storage.slice %a[%b, *] : !sparse_storage.region<2> -> f64

// -----

%a, %b = "test.op"() : () -> (!sparse_storage.region<2>, index)
// expected-error @+1 {{1 dimensions are fixed at 2 indices}}
%r = "sparse_storage.slice"(%a, %b, %b) <{dimensions = array<i64: 0>}> : (!sparse_storage.region<2>, index, index) -> !sparse_storage.region<1>

// -----

%a, %b = "test.op"() : () -> (!sparse_storage.region<2>, index)
// expected-error @+1 {{dimension 2 is out of range, there are 2}}
%r = "sparse_storage.slice"(%a, %b) <{dimensions = array<i64: 2>}> : (!sparse_storage.region<2>, index) -> !sparse_storage.region<1>

// -----

%a, %b = "test.op"() : () -> (!sparse_storage.region<2>, index)
// expected-error @+1 {{the dimensions of a slice must ascend}}
%r = "sparse_storage.slice"(%a, %b, %b) <{dimensions = array<i64: 1, 0>}> : (!sparse_storage.region<2>, index, index) -> !sparse_storage.region<0>

// -----

// Positions.

%a, %b = "test.op"() : () -> (!sparse_storage.region<2>, index)
// expected-error @+1 {{a region of rank 2 is looked up with 2 indices, got 1}}
%p, %f = sparse_storage.lookup %a[%b] : !sparse_storage.region<2>

// -----

%a, %b = "test.op"() : () -> (!sparse_storage.region<2>, index)
// expected-error @+1 {{dimension 2 is out of range, there are 2}}
%p, %f = sparse_storage.step %a along 2 from %b : !sparse_storage.region<2>

// -----

%a, %b = "test.op"() : () -> (tensor<?xf64>, index)
// expected-error @+1 {{expected the type of a vector in memory}}
%e = sparse_storage.value %a[%b] : tensor<?xf64>

// -----

%a, %b = "test.op"() : () -> (memref<?x?xf64>, index)
// expected-error @+1 {{values are a vector, got memref<?x?xf64>}}
%e = sparse_storage.value %a[%b] : memref<?x?xf64>

// -----

%a, %b = "test.op"() : () -> (memref<?xf64>, index)
// expected-error @+1 {{an element of memref<?xf64> cannot be i64}}
%e = "sparse_storage.value"(%a, %b) : (memref<?xf64>, index) -> i64

// -----

%a, %b = "test.op"() : () -> (tensor<?xi32>, index)
// expected-error @+1 {{expected the type of a vector in memory}}
%e = sparse_storage.read_index %a[%b] : tensor<?xi32>

// -----

%a, %b = "test.op"() : () -> (memref<?x?xi32>, index)
// expected-error @+1 {{indices are a vector of words of 8 to 64 bits, got memref<?x?xi32>}}
%e = sparse_storage.read_index %a[%b] : memref<?x?xi32>

// -----

%a, %b = "test.op"() : () -> (memref<?xf64>, index)
// expected-error @+1 {{indices are a vector of words of 8 to 64 bits, got memref<?xf64>}}
%e = sparse_storage.read_index %a[%b] : memref<?xf64>

// -----

func.func @f() {
  // expected-error @+1 {{'sparse_storage.yield' expects parent op 'sparse_storage.region_where'}}
  sparse_storage.yield
}
