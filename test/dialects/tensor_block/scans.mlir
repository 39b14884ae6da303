// Scans: of a dense array along one dimension, from its beginning or from its end.
// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s

// CHECK-LABEL: func.func @scans
// CHECK-NEXT:    %sums = tensor_block.scan add %A along 1 : tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
// CHECK-NEXT:    %least = tensor_block.scan min %v along 0 reverse {e} : tensor<?xi64>
func.func @scans(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 2>>, %v: tensor<?xi64>) {
  %sums = tensor_block.scan add %A along 1 : tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
  %least = tensor_block.scan min %v along 0 reverse {e} : tensor<?xi64>
  func.return
}
