// RUN: diablo-opt %s --split-input-file --verify-diagnostics

%A = "test.op"() : () -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
// expected-error @+1 {{only dense arrays are placed}}
%B = comprehension.place %A : tensor<?x?xf64, #tensor_block.tiles<dense = 1>> -> tensor<?x?xf64>

// -----

%A = "test.op"() : () -> tensor<?xf64>
// expected-error @+1 {{the result must be tensor<?xf64, #tensor_block.tiles<dense = 1>>}}
%B = comprehension.place %A : tensor<?xf64> -> tensor<?xf64>
