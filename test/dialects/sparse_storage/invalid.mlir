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

// Loops.

%a = "test.op"() : () -> (!sparse_storage.region<2>)
// expected-error @+1 {{[0, 0] is no order of 2 dimensions}}
sparse_storage.iterate %a order [0, 0] : !sparse_storage.region<2> {
^bb0(%i: index, %j: index, %p: index):
  sparse_storage.yield
}

// -----

%a = "test.op"() : () -> (!sparse_storage.region<2>)
// expected-error @+1 {{[0] is no order of a region of rank 2}}
sparse_storage.iterate %a order [0] : !sparse_storage.region<2> {
^bb0(%i: index, %j: index, %p: index):
  sparse_storage.yield
}

// -----

%a = "test.op"() : () -> (!sparse_storage.region<2>)
// expected-error @+1 {{expected a body with arguments (index, index, index), got (index)}}
sparse_storage.iterate %a : !sparse_storage.region<2> {
^bb0(%i: index):
  sparse_storage.yield
}

// -----

%a = "test.op"() : () -> (!sparse_storage.region<1>)
// expected-error @+1 {{the body must end with 'sparse_storage.yield'}}
sparse_storage.iterate %a : !sparse_storage.region<1> {
^bb0(%i: index, %p: index):
  "test.termop"() : () -> ()
}

// -----

%a, %b = "test.op"() : () -> (!sparse_storage.region<1>, f64)
// expected-error @+1 {{the body must yield (f64), but it yields (index)}}
%s = sparse_storage.iterate %a init(%b : f64) : !sparse_storage.region<1> {
^bb0(%i: index, %p: index, %acc: f64):
  sparse_storage.yield %i : index
}

// -----

%a, %b = "test.op"() : () -> (!sparse_storage.region<1>, f64)
// expected-error @+1 {{a loop that carries (f64) cannot give (i64)}}
%s = "sparse_storage.iterate"(%a, %b) ({
^bb0(%i: index, %p: index, %acc: f64):
  sparse_storage.yield %acc : f64
}) : (!sparse_storage.region<1>, f64) -> i64

// -----

%a = "test.op"() : () -> (!sparse_storage.region<1>)
// expected-error @+1 {{regions are iterated together by union or intersect, got 'join'}}
sparse_storage.coiterate join (%a, %a) : !sparse_storage.region<1>, !sparse_storage.region<1> {
^bb0(%i: index, %p: index, %q: index, %x: i1, %y: i1):
  sparse_storage.yield
}

// -----

%a = "test.op"() : () -> (!sparse_storage.region<1>)
// expected-error @+1 {{the strategy is one of auto, merge, gallop, lookup, got 'guess'}}
sparse_storage.coiterate intersect guess (%a, %a) : !sparse_storage.region<1>, !sparse_storage.region<1> {
^bb0(%i: index, %p: index, %q: index, %x: i1, %y: i1):
  sparse_storage.yield
}

// -----

%a = "test.op"() : () -> (!sparse_storage.region<1>)
// expected-error @+1 {{a union is merged, not found by 'lookup'}}
sparse_storage.coiterate union lookup (%a, %a) : !sparse_storage.region<1>, !sparse_storage.region<1> {
^bb0(%i: index, %p: index, %q: index, %x: i1, %y: i1):
  sparse_storage.yield
}

// -----

%a = "test.op"() : () -> (!sparse_storage.region<1>)
// expected-error @+1 {{there is no region to iterate over}}
"sparse_storage.coiterate"() <{kind = "union", strategy = "auto", operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0:
  sparse_storage.yield
}) : () -> ()

// -----

%a, %b = "test.op"() : () -> (!sparse_storage.region<1>, !sparse_storage.region<2>)
// expected-error @+1 {{the regions have different ranks, 1 and 2}}
sparse_storage.coiterate union (%a, %b) : !sparse_storage.region<1>, !sparse_storage.region<2> {
^bb0(%i: index, %p: index, %q: index, %x: i1, %y: i1):
  sparse_storage.yield
}

// -----

%a = "test.op"() : () -> (!sparse_storage.region<1>)
// expected-error @+1 {{expected a body with arguments (index, index, index, i1, i1), got (index, index, index)}}
sparse_storage.coiterate union (%a, %a) : !sparse_storage.region<1>, !sparse_storage.region<1> {
^bb0(%i: index, %p: index, %q: index):
  sparse_storage.yield
}

// -----

func.func @f() {
  // expected-error @+1 {{'sparse_storage.yield' expects parent op to be one of 'sparse_storage.iterate', 'sparse_storage.coiterate', 'sparse_storage.region_where'}}
  sparse_storage.yield
}
