// RUN: diablo-opt %s --split-input-file --verify-diagnostics

%A, %i = "test.op"() : () -> (tensor<?x?xf64>, index)
// expected-error @+1 {{a slice fixes some of 2 dimensions and leaves some, got 0}}
%s = tensor_block.slice %A[*, *] : tensor<?x?xf64> -> tensor<?x?xf64>

// -----

%A, %i = "test.op"() : () -> (tensor<?x?xf64>, index)
// expected-error @+1 {{a slice fixes some of 2 dimensions and leaves some, got 2}}
%s = tensor_block.slice %A[%i, %i] : tensor<?x?xf64> -> tensor<f64>

// -----

%A, %i = "test.op"() : () -> (tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, index)
// expected-error @+1 {{this slice of tensor<?x?xf64, #tensor_block.tiles<dense = 1>> is tensor<?xf64, #tensor_block.tiles<dense = 0>>, got tensor<?xf64, #tensor_block.tiles<dense = 1>>}}
%s = tensor_block.slice %A[*, %i] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>> -> tensor<?xf64, #tensor_block.tiles<dense = 1>>

// -----

%A, %i = "test.op"() : () -> (tensor<?x?xf64>, index)
// expected-error @+1 {{1 dimensions are fixed at 2 indices}}
%s = "tensor_block.slice"(%A, %i, %i) <{dimensions = array<i64: 0>}> : (tensor<?x?xf64>, index, index) -> tensor<?xf64>

// -----

%A, %i = "test.op"() : () -> (tensor<?x?xf64>, index)
// expected-error @+1 {{dimension 2 is out of range, there are 2}}
%s = "tensor_block.slice"(%A, %i) <{dimensions = array<i64: 2>}> : (tensor<?x?xf64>, index) -> tensor<?xf64>

// -----

%A, %i = "test.op"() : () -> (tensor<?x?x?xf64>, index)
// expected-error @+1 {{the dimensions of a slice must ascend}}
%s = "tensor_block.slice"(%A, %i, %i) <{dimensions = array<i64: 1, 0>}> : (tensor<?x?x?xf64>, index, index) -> tensor<?xf64>

// -----

%A, %i = "test.op"() : () -> (f64, index)
// expected-error @+1 {{expected a ranked tensor, got f64}}
%s = "tensor_block.slice"(%A, %i) <{dimensions = array<i64: 0>}> : (f64, index) -> tensor<?xf64>
