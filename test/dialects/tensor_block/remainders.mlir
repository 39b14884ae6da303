// Indices that wrap around at a symbol, and what is no place of an array.
// RUN: diablo-opt %s --split-input-file --verify-diagnostics | diablo-opt --split-input-file | filecheck %s

// CHECK: tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%n) ins(%v[(2 * d0 + d1 - 1) mod s0, d1] : tensor<?x?xf64>)
%n, %v = "test.op"() : () -> (index, tensor<?x?xf64>)
%r = tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%n)
    ins(%v[(2 * d0 + d1 - 1) mod s0, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
^bb0(%i: index, %j: index, %a: f64):
  tensor_block.yield %a : f64
}

// -----

%n, %v = "test.op"() : () -> (index, tensor<?xf64>)
// expected-error @+1 {{expected a symbol or a positive number}}
%r = tensor_block.map parallel(d0 < %n) ins(%v[(d0 - 1) mod 0] : tensor<?xf64>) -> tensor<?xf64> {
^bb0(%i: index, %a: f64):
  tensor_block.yield %a : f64
}
