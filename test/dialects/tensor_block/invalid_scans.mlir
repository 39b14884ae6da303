// RUN: diablo-opt %s --split-input-file --verify-diagnostics

%A = "test.op"() : () -> tensor<?x?xf64>
// expected-error @+1 {{dimension 2 is out of range, there are 2}}
%s = tensor_block.scan add %A along 2 : tensor<?x?xf64>

// -----

%A = "test.op"() : () -> tensor<?x?xf64, #tensor_block.storage<dense = 1>>
// expected-error @+1 {{only dense arrays are scanned}}
%s = tensor_block.scan add %A along 0 : tensor<?x?xf64, #tensor_block.storage<dense = 1>>

// -----

%A = "test.op"() : () -> tensor<?xf64>
// expected-error @+1 {{monoid 'and' is not defined on f64}}
%s = tensor_block.scan and %A along 0 : tensor<?xf64>

// -----

%n = "test.op"() : () -> index
%A = "test.op"() : () -> tensor<?x?xf64>
// expected-error @+1 {{an array of 2 dimensions has 2 extents, got 1}}
%s = tensor_block.scan add %A along 1 dims(%n) : tensor<?x?xf64>
