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

// CHECK-LABEL: func.func @loops
// CHECK-NEXT:    sparse_storage.iterate %R : !sparse_storage.region<2> {
// CHECK-NEXT:    ^bb0(%i: index, %j: index, %p: index):
// CHECK-NEXT:      %e = sparse_storage.value %a[%p] : memref<?xf64>
// CHECK-NEXT:      sparse_storage.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    %s, %c = sparse_storage.iterate %R order [1, 0] backwards init(%z : f64, %n : index) : !sparse_storage.region<2> {
// CHECK:         sparse_storage.yield %s{{.*}}, %c{{.*}} : f64, index
// CHECK:         %u = sparse_storage.coiterate union (%S, %T) init(%z : f64) : !sparse_storage.region<1>, !sparse_storage.region<1> {
// CHECK-NEXT:    ^bb0(%i{{.*}}: index, %p{{.*}}: index, %q: index, %in_s: i1, %in_t: i1, %acc: f64):
// CHECK-NEXT:      sparse_storage.yield %acc : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    sparse_storage.coiterate intersect gallop (%S, %T) : !sparse_storage.region<1>, !sparse_storage.region<1> {
func.func @loops(%R: !sparse_storage.region<2>, %S: !sparse_storage.region<1>, %T: !sparse_storage.region<1>, %a: memref<?xf64>, %z: f64, %n: index) {
  sparse_storage.iterate %R : !sparse_storage.region<2> {
  ^bb0(%i: index, %j: index, %p: index):
    %e = sparse_storage.value %a[%p] : memref<?xf64>
    sparse_storage.yield
  }
  %s, %c = sparse_storage.iterate %R order [1, 0] backwards init(%z : f64, %n : index) : !sparse_storage.region<2> {
  ^bb0(%i: index, %j: index, %p: index, %s_1: f64, %c_1: index):
    sparse_storage.yield %s_1, %c_1 : f64, index
  }
  %u = sparse_storage.coiterate union (%S, %T) init(%z : f64) : !sparse_storage.region<1>, !sparse_storage.region<1> {
  ^bb0(%i: index, %p: index, %q: index, %in_s: i1, %in_t: i1, %acc: f64):
    sparse_storage.yield %acc : f64
  }
  sparse_storage.coiterate intersect gallop (%S, %T) : !sparse_storage.region<1>, !sparse_storage.region<1> {
  ^bb0(%i: index, %p: index, %q: index, %in_s: i1, %in_t: i1):
    sparse_storage.yield
  }
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
