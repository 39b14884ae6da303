// Every op, in the custom and the generic form, comes back as it was.
// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @arrays
// CHECK-NEXT:    %R, %a = sparse_storage.unpack %A : tensor<?x?xf64, #tensor_block.storage<dense = 1>> -> !sparse_storage.region<2>, memref<?xf64>
// CHECK-NEXT:    %Q = sparse_storage.unpack %P : tensor<?xi1, #tensor_block.storage<dense = 0>> -> !sparse_storage.region<1>
// CHECK-NEXT:    %zero = sparse_storage.implicit %A : tensor<?x?xf64, #tensor_block.storage<dense = 1>> -> f64
// CHECK-NEXT:    %n = sparse_storage.size %R : !sparse_storage.region<2>
// CHECK-NEXT:    %B = sparse_storage.pack %R, %a : !sparse_storage.region<2>, memref<?xf64> -> tensor<?x?xf64, #tensor_block.storage<dense = 1>>
// CHECK-NEXT:    %C = sparse_storage.pack %Q : !sparse_storage.region<1> -> tensor<?xi1, #tensor_block.storage<dense = 0>>
// GENERIC-LABEL: sym_name = "arrays"
// GENERIC:         "sparse_storage.unpack"(%A)
func.func @arrays(%A: tensor<?x?xf64, #tensor_block.storage<dense = 1>>, %P: tensor<?xi1, #tensor_block.storage<dense = 0>>) {
  %R, %a = sparse_storage.unpack %A : tensor<?x?xf64, #tensor_block.storage<dense = 1>> -> !sparse_storage.region<2>, memref<?xf64>
  %Q = sparse_storage.unpack %P : tensor<?xi1, #tensor_block.storage<dense = 0>> -> !sparse_storage.region<1>
  %zero = sparse_storage.implicit %A : tensor<?x?xf64, #tensor_block.storage<dense = 1>> -> f64
  %n = sparse_storage.size %R : !sparse_storage.region<2>
  %B = sparse_storage.pack %R, %a : !sparse_storage.region<2>, memref<?xf64> -> tensor<?x?xf64, #tensor_block.storage<dense = 1>>
  %C = sparse_storage.pack %Q : !sparse_storage.region<1> -> tensor<?xi1, #tensor_block.storage<dense = 0>>
  func.return
}

// CHECK-LABEL: func.func @regions
// CHECK-NEXT:    %all = sparse_storage.box %n, %m : !sparse_storage.region<2, #sparse_storage.layout<form = full>>
// CHECK-NEXT:    %diagonal = sparse_storage.region_where %all : !sparse_storage.region<2, #sparse_storage.layout<form = full>> -> !sparse_storage.region<2> {
// CHECK-NEXT:    ^bb0(%i: index, %j: index, %p: index):
// CHECK-NEXT:      %equal = arith.cmpi eq, %i, %j : index
// CHECK-NEXT:      sparse_storage.yield %equal : i1
// CHECK-NEXT:    }
// CHECK-NEXT:    %row = sparse_storage.slice %diagonal[%n, *] : !sparse_storage.region<2> -> !sparse_storage.region<1>
// CHECK-NEXT:    %column = sparse_storage.slice %diagonal[*, %m] : !sparse_storage.region<2> -> !sparse_storage.region<1>
// CHECK-NEXT:    %same = sparse_storage.slice %diagonal[*, *] : !sparse_storage.region<2> -> !sparse_storage.region<2>
// CHECK-NEXT:    %q, %found = sparse_storage.lookup %diagonal[%n, %m] : !sparse_storage.region<2>
// CHECK-NEXT:    %below, %is_below = sparse_storage.step %diagonal along 0 from %q : !sparse_storage.region<2>
// CHECK-NEXT:    %left, %is_left = sparse_storage.step %diagonal along 1 backwards from %below : !sparse_storage.region<2>
// GENERIC-LABEL: sym_name = "regions"
// GENERIC:         "sparse_storage.slice"(%diagonal, %n) <{dimensions = array<i64: 0>}>
// GENERIC:         "sparse_storage.step"(%diagonal, %below) <{dimension = 1 : i64, backwards}>
func.func @regions(%n: index, %m: index) {
  %all = sparse_storage.box %n, %m : !sparse_storage.region<2, #sparse_storage.layout<form = full>>
  %diagonal = sparse_storage.region_where %all : !sparse_storage.region<2, #sparse_storage.layout<form = full>> -> !sparse_storage.region<2> {
  ^bb0(%i: index, %j: index, %p: index):
    %equal = arith.cmpi eq, %i, %j : index
    sparse_storage.yield %equal : i1
  }
  %row = sparse_storage.slice %diagonal[%n, *] : !sparse_storage.region<2> -> !sparse_storage.region<1>
  %column = sparse_storage.slice %diagonal[*, %m] : !sparse_storage.region<2> -> !sparse_storage.region<1>
  %same = sparse_storage.slice %diagonal[*, *] : !sparse_storage.region<2> -> !sparse_storage.region<2>
  %q, %found = sparse_storage.lookup %diagonal[%n, %m] : !sparse_storage.region<2>
  %below, %is_below = sparse_storage.step %diagonal along 0 from %q : !sparse_storage.region<2>
  %left, %is_left = sparse_storage.step %diagonal along 1 backwards from %below : !sparse_storage.region<2>
  func.return
}

// CHECK-LABEL: func.func @words
// CHECK-NEXT:    %i = sparse_storage.read_index %b[%n] : memref<?xi8>
// CHECK-NEXT:    %j = sparse_storage.read_index %w[%i] : memref<?xindex>
// GENERIC-LABEL: sym_name = "words"
// GENERIC:         "sparse_storage.read_index"(%b, %n) : (memref<?xi8>, index) -> index
func.func @words(%b: memref<?xi8>, %w: memref<?xindex>, %n: index) {
  %i = sparse_storage.read_index %b[%n] : memref<?xi8>
  %j = sparse_storage.read_index %w[%i] : memref<?xindex>
  func.return
}
