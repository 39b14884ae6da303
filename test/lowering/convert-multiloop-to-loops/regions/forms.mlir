// What a loop over a region becomes, by its layout.
// RUN: diablo-opt %s -p convert-multiloop-to-loops,canonicalize,cse --split-input-file | filecheck %s

// Rows have starts; positions are those of the entries.
// CHECK-LABEL: func.func @compressed(
// CHECK-SAME:      %A_starts: memref<?xi32>, %A_indices: memref<?xi32>, %A_values: memref<?xf64>, %A_d0: index, %A_d1: index, %zero: f64, %sum: memref<f64>)
// CHECK:         scf.for %{{.*}} = %[[zero:.*]] to %A_d0 step %[[one:.*]] iter_args(
// CHECK:           %lo = memref.load %A_starts[
// CHECK:           %hi = memref.load %A_starts[
// CHECK:           scf.for %p = %{{lo.*}} to %{{hi.*}} step
// CHECK-NEXT:        %[[narrow:.*]] = memref.load %A_indices[%p] : memref<?xi32>
// CHECK-NEXT:        %[[wide:.*]] = arith.extui %[[narrow]] : i32 to i64
// CHECK-NEXT:        %j = arith.index_cast %[[wide]] : i64 to index
// CHECK-NEXT:        %e = memref.load %A_values[%p] : memref<?xf64>
// CHECK-NEXT:        "test.op"(%j, %e)
// CHECK:         memref.store %{{.*}}, %sum[] : memref<f64>
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!compressed = !sparse_storage.region<2, #sparse_storage.layout<form = compressed, width = 32>>
func.func @compressed(%A: !rows, %zero: f64) -> f64 {
  %R, %a = sparse_storage.unpack %A : !rows -> !compressed, memref<?xf64>
  %sum = multiloop.loop stored(%R : !compressed) -> f64 {
  ^bb0(%i: index, %j: index, %p: index, %acc: !multiloop.reduce<add : f64>):
    %e = sparse_storage.value %a[%p] : memref<?xf64>
    "test.op"(%j, %e) : (index, f64) -> ()
    multiloop.emit %acc(%e : f64)
  }
  func.return %sum : f64
}

// -----

// If no index is wanted, there is one loop over the positions.
// CHECK-LABEL: func.func @positions(
// CHECK:         %[[count:.*]] = memref.dim %A_indices
// CHECK:         %sum_1 = scf.for %p = %{{.*}} to %[[count]] step %{{.*}} iter_args(%acc = %identity) -> (f64) {
// CHECK-NEXT:      %e = memref.load %A_values[%p]
// CHECK-NEXT:      %[[next:.*]] = arith.addf %acc, %e fastmath<reassoc,contract> : f64
// CHECK-NEXT:      scf.yield %[[next]] : f64
// CHECK-NEXT:    }
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!compressed = !sparse_storage.region<2, #sparse_storage.layout<form = compressed>>
func.func @positions(%A: !rows, %zero: f64) -> f64 {
  %R, %a = sparse_storage.unpack %A : !rows -> !compressed, memref<?xf64>
  %sum = multiloop.loop stored(%R : !compressed) -> f64 {
  ^bb0(%i: index, %j: index, %p: index, %acc: !multiloop.reduce<add : f64>):
    %e = sparse_storage.value %a[%p] : memref<?xf64>
    multiloop.emit %acc(%e : f64)
  }
  func.return %sum : f64
}

// -----

// Only rows with entries are visited.
// CHECK-LABEL: func.func @hypersparse(
// CHECK-SAME:      %A_lists: memref<?xi64>, %A_starts: memref<?xi64>, %A_indices: memref<?xi64>, %A_values: memref<?xf64>
// CHECK:         %[[count:.*]] = memref.dim %A_lists
// CHECK:         scf.for %[[slot:.*]] = %{{.*}} to %[[count]] step
// CHECK:           %row = memref.load %A_lists[%[[slot]]]
// CHECK:           %lo = memref.load %A_starts[%[[slot]]]
// CHECK:           scf.for %p
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!hypersparse = !sparse_storage.region<2, #sparse_storage.layout<form = hypersparse>>
func.func @hypersparse(%A: !rows) {
  %R, %a = sparse_storage.unpack %A : !rows -> !hypersparse, memref<?xf64>
  multiloop.loop stored(%R : !hypersparse) {
  ^bb0(%i: index, %j: index, %p: index):
    "test.op"(%i, %j, %p) : (index, index, index) -> ()
  }
  func.return
}

// -----

// CHECK-LABEL: func.func @coordinates(
// CHECK-SAME:      %A_flat: memref<?xi64>, %A_values: memref<?xf64>, %A_d0: index, %A_d1: index)
// CHECK:         %[[count:.*]] = memref.dim %A_flat
// CHECK:         scf.for %p = %{{.*}} to %[[count]] step
// CHECK-NEXT:      %[[place:.*]] = memref.load %A_flat[%p]
// CHECK-NEXT:      %[[flat:.*]] = arith.index_cast %[[place]]
// CHECK-NEXT:      %j = arith.remui %[[flat]], %A_d1 : index
// CHECK-NEXT:      %i = arith.divui %[[flat]], %A_d1 : index
// CHECK-NEXT:      "test.op"(%i, %j, %p)
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!coordinates = !sparse_storage.region<2, #sparse_storage.layout<form = coordinates>>
func.func @coordinates(%A: !rows) {
  %R, %a = sparse_storage.unpack %A : !rows -> !coordinates, memref<?xf64>
  multiloop.loop stored(%R : !coordinates) {
  ^bb0(%i: index, %j: index, %p: index):
    "test.op"(%i, %j, %p) : (index, index, index) -> ()
  }
  func.return
}

// -----

// The diagonals that a row has; the positions are counted.
// CHECK-LABEL: func.func @band(
// CHECK-SAME:      %A_offsets: memref<?xi64>, %A_values: memref<?xf64>, %A_d0: index, %A_d1: index)
// CHECK:         scf.for %i = %{{.*}} to %A_d0 step %{{.*}} iter_args(
// CHECK:           scf.for %[[k:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(
// CHECK:             memref.load %A_offsets[%[[k]]]
// CHECK:             %j = arith.addi %i,
// CHECK:             scf.if
// CHECK:               "test.op"(%i, %j,
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!band = !sparse_storage.region<2, #sparse_storage.layout<form = band>>
func.func @band(%A: !rows) {
  %R, %a = sparse_storage.unpack %A : !rows -> !band, memref<?xf64>
  multiloop.loop stored(%R : !band) {
  ^bb0(%i: index, %j: index, %p: index):
    "test.op"(%i, %j, %p) : (index, index, index) -> ()
  }
  func.return
}

// -----

// A bit for each index; looking one up counts the bits before it.
// CHECK-LABEL: func.func @bitmap(
// CHECK-SAME:      %A_words: memref<?xi64>, %A_ranks: memref<?xi64>, %A_values: memref<?xf64>, %A_d0: index, %A_d1: index, %i: index, %j: index,
// CHECK:         scf.if
// CHECK:           %word = memref.load %A_words[
// CHECK:           math.ctpop
// CHECK:           memref.load %A_ranks[
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!bitmap = !sparse_storage.region<2, #sparse_storage.layout<form = bitmap>>
func.func @bitmap(%A: !rows, %i: index, %j: index) -> (index, i1) {
  %R, %a = sparse_storage.unpack %A : !rows -> !bitmap, memref<?xf64>
  %p, %found = sparse_storage.lookup %R[%i, %j] : !bitmap
  func.return %p, %found : index, i1
}

// -----

// Nothing is stored: positions are computed.
// CHECK-LABEL: func.func @full(
// CHECK-SAME:      %A_values: memref<?xf64>, %A_d0: index, %A_d1: index)
// CHECK:         scf.for %i = %{{.*}} to %A_d0
// CHECK-NEXT:      scf.for %j = %{{.*}} to %A_d1
// CHECK-NEXT:        %[[row:.*]] = arith.muli %i, %A_d1 : index
// CHECK-NEXT:        %p = arith.addi %[[row]], %j : index
// CHECK-NEXT:        "test.op"(%i, %j, %p)
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!full = !sparse_storage.region<2, #sparse_storage.layout<form = full>>
func.func @full(%A: !rows) {
  %R, %a = sparse_storage.unpack %A : !rows -> !full, memref<?xf64>
  multiloop.loop stored(%R : !full) {
  ^bb0(%i: index, %j: index, %p: index):
    "test.op"(%i, %j, %p) : (index, index, index) -> ()
  }
  func.return
}

// -----

// A column of a region that is also kept by columns: positions go through the second order.
// CHECK-LABEL: func.func @two_orders(
// CHECK-SAME:      %A_starts: memref<?xi64>, %A_indices: memref<?xi64>, %A_starts_1: memref<?xi64>, %A_indices_1: memref<?xi64>, %A_entries: memref<?xi64>, %A_values: memref<?xf64>, %A_d0: index, %A_d1: index, %j: index)
// CHECK:         memref.load %A_starts_1[%j]
// CHECK:         scf.for %[[k:.*]] = %{{lo.*}} to %{{hi.*}} step
// CHECK-NEXT:      %[[row:.*]] = memref.load %A_indices_1[%[[k]]]
// CHECK-NEXT:      %i = arith.index_cast %[[row]]
// CHECK-NEXT:      %[[position:.*]] = memref.load %A_entries[%[[k]]]
// CHECK-NEXT:      %[[p:.*]] = arith.index_cast %[[position]]
// CHECK-NEXT:      "test.op"(%i, %[[p]])
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!both = !sparse_storage.region<2, #sparse_storage.layout<form = compressed, orders = [[0, 1], [1, 0]]>>
func.func @two_orders(%A: !rows, %j: index) {
  %R, %a = sparse_storage.unpack %A : !rows -> !both, memref<?xf64>
  %column = sparse_storage.slice %R[*, %j] : !both -> !sparse_storage.region<1>
  multiloop.loop stored(%column : !sparse_storage.region<1>) {
  ^bb0(%i: index, %p: index):
    "test.op"(%i, %p) : (index, index) -> ()
  }
  func.return
}

// -----

// A column of a region that is kept by rows alone: every entry is tested.
// CHECK-LABEL: func.func @filtered(
// CHECK:         scf.for %i = %{{.*}} to %A_d0
// CHECK:           scf.for %p
// CHECK:             %[[test:.*]] = arith.cmpi eq, %{{.*}}, %j : index
// CHECK:             scf.if %[[test]] {
// CHECK-NEXT:          "test.op"(%i, %p)
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!compressed = !sparse_storage.region<2, #sparse_storage.layout<form = compressed>>
func.func @filtered(%A: !rows, %j: index) {
  %R, %a = sparse_storage.unpack %A : !rows -> !compressed, memref<?xf64>
  %column = sparse_storage.slice %R[*, %j] : !compressed -> !sparse_storage.region<1>
  multiloop.loop stored(%column : !sparse_storage.region<1>) {
  ^bb0(%i: index, %p: index):
    "test.op"(%i, %p) : (index, index) -> ()
  }
  func.return
}

// -----

// A sparse tile of one row, the flat positions of its entries.
// CHECK-LABEL: func.func @one_list(
// CHECK-SAME:      %A_starts: memref<?xi64>, %A_indices: memref<?xi64>, %A_d0: index, %A_d1: index)
// CHECK:         scf.for %p
// CHECK:           %j = arith.remui %{{.*}}, %A_d1 : index
// CHECK-NEXT:      %i = arith.divui %{{.*}}, %A_d1 : index
!flat = tensor<?x?xi1, #tensor_block.storage<dense = 0>>
func.func @one_list(%A: !flat) {
  %R = sparse_storage.unpack %A : !flat -> !sparse_storage.region<2>
  multiloop.loop stored(%R : !sparse_storage.region<2>) {
  ^bb0(%i: index, %j: index, %p: index):
    "test.op"(%i, %j) : (index, index) -> ()
  }
  func.return
}
