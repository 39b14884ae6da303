// Slices: a dimension that is left keeps its storage, but one dimension stays sparse.
// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s

// CHECK-LABEL: func.func @slices
// CHECK-NEXT:    %row = tensor_block.slice %A[%i, *] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>> -> tensor<?xf64, #tensor_block.tiles<dense = 0>>
// CHECK-NEXT:    %column = tensor_block.slice %A[*, %i] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>> -> tensor<?xf64, #tensor_block.tiles<dense = 0>>
// CHECK-NEXT:    %plane = tensor_block.slice %B[*, %i, *] {e} : tensor<4x?x8xi64, #tensor_block.tiles<dense = 2, block = [2, 2, 3]>> -> tensor<4x8xi64, #tensor_block.tiles<dense = 1, block = [2, 3]>>
// CHECK-NEXT:    %line = tensor_block.slice %C[%i, *, %i] : tensor<?x?x?xf64> -> tensor<?xf64>
// CHECK-NEXT:    %local = tensor_block.slice %D[*, %i, *] : tensor<?x?x?xi1, #tensor_block.storage<dense = 0>> -> tensor<?x?xi1, #tensor_block.storage<dense = 0>>
func.func @slices(
    %A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>,
    %B: tensor<4x?x8xi64, #tensor_block.tiles<dense = 2, block = [2, 2, 3]>>,
    %C: tensor<?x?x?xf64>, %D: tensor<?x?x?xi1, #tensor_block.storage<dense = 0>>, %i: index) {
  %row = tensor_block.slice %A[%i, *] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>> -> tensor<?xf64, #tensor_block.tiles<dense = 0>>
  %column = tensor_block.slice %A[*, %i] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>> -> tensor<?xf64, #tensor_block.tiles<dense = 0>>
  %plane = tensor_block.slice %B[*, %i, *] {e} : tensor<4x?x8xi64, #tensor_block.tiles<dense = 2, block = [2, 2, 3]>> -> tensor<4x8xi64, #tensor_block.tiles<dense = 1, block = [2, 3]>>
  %line = tensor_block.slice %C[%i, *, %i] : tensor<?x?x?xf64> -> tensor<?xf64>
  %local = tensor_block.slice %D[*, %i, *] : tensor<?x?x?xi1, #tensor_block.storage<dense = 0>> -> tensor<?x?xi1, #tensor_block.storage<dense = 0>>
  func.return
}
