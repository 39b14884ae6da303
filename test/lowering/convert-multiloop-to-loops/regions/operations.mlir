// What the other ops become, for compressed rows.
// RUN: diablo-opt %s -p convert-multiloop-to-loops,canonicalize,cse --split-input-file | filecheck %s

// A binary search in the row, if the index is in the box.
// CHECK-LABEL: func.func @lookup(
// CHECK:         %[[inside:.*]] = arith.andi
// CHECK:         scf.if %{{.*}} -> (index, i1) {
// CHECK:           memref.load %A_starts[%i]
// Indices ascend by one at the least: how far they are from both ends bounds the search.
// CHECK:           memref.load %A_indices[
// CHECK:           memref.load %A_indices[
// CHECK:           %[[low:.*]] = arith.maxsi
// CHECK:           %[[high:.*]] = arith.minsi
// CHECK:           scf.while (%{{.*}} = %[[low]], %{{.*}} = %[[high]])
// CHECK:             %middle = arith.shrui
// CHECK:             memref.load %A_indices[%middle]
// CHECK:         } else {
// CHECK:           scf.yield %{{.*}}, %{{.*}} : index, i1
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!compressed = !sparse_storage.region<2, #sparse_storage.layout<form = compressed>>
func.func @lookup(%A: !rows, %i: index, %j: index) -> (index, i1) {
  %R, %a = sparse_storage.unpack %A : !rows -> !compressed, memref<?xf64>
  %p, %found = sparse_storage.lookup %R[%i, %j] : !compressed
  func.return %p, %found : index, i1
}

// -----

// Along the last dimension the neighbour is the next position; along another one it is searched.
// CHECK-LABEL: func.func @step(
// CHECK:         %[[next:.*]] = arith.addi %p, %one : index
// CHECK:         arith.select %{{.*}}, %[[next]], %p : index
// CHECK:         scf.while
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!compressed = !sparse_storage.region<2, #sparse_storage.layout<form = compressed>>
func.func @step(%A: !rows, %p: index) -> (index, index) {
  %R, %a = sparse_storage.unpack %A : !rows -> !compressed, memref<?xf64>
  %right, %is_right = sparse_storage.step %R along 1 from %p : !compressed
  %above, %is_above = sparse_storage.step %R along 0 backwards from %p : !compressed
  func.return %right, %above : index, index
}

// -----

// The size of a row is the difference of two starts; of the implicit value there is a constant.
// CHECK-LABEL: func.func @size(
// CHECK:         %[[size:.*]] = arith.subi %{{hi.*}}, %{{lo.*}} : index
// CHECK:         memref.store %{{.*}}, %{{.*}}[] : memref<f64>
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!compressed = !sparse_storage.region<2, #sparse_storage.layout<form = compressed>>
func.func @size(%A: !rows, %i: index) -> (index, f64) {
  %R, %a = sparse_storage.unpack %A : !rows -> !compressed, memref<?xf64>
  %row = sparse_storage.slice %R[%i, *] : !compressed -> !sparse_storage.region<1>
  %size = sparse_storage.size %row : !sparse_storage.region<1>
  %zero = sparse_storage.implicit %A : !rows -> f64
  func.return %size, %zero : index, f64
}

// -----

// Backwards: the last first.
// CHECK-LABEL: func.func @backwards(
// CHECK:         %[[last:.*]] = arith.subi %[[count:.*]], %one : index
// CHECK:         scf.for %[[k:.*]] = %zero to %[[count]] step %one {
// CHECK-NEXT:      %p = arith.subi %[[last]], %[[k]] : index
// CHECK-NEXT:      "test.op"(%p)
!flat = tensor<?xf64, #tensor_block.storage<dense = 0>>
func.func @backwards(%A: !flat) {
  %R, %a = sparse_storage.unpack %A : !flat -> !sparse_storage.region<1>, memref<?xf64>
  multiloop.loop stored(%R : !sparse_storage.region<1>) reverse {
  ^bb0(%i: index, %p: index):
    "test.op"(%p) : (index) -> ()
  }
  func.return
}

// -----

// A part of the indices of a box: they are counted, then noted.
// CHECK-LABEL: func.func @part(
// CHECK:         %[[count:.*]] = scf.for %{{.*}} = %zero to %n
// CHECK:         %flat = memref.alloc(%{{.*}}) : memref<?xi64>
// CHECK:         scf.for
// CHECK:           memref.store %{{.*}}, %flat[
// CHECK:         memref.dim %flat
func.func @part(%n: index) -> index {
  %all = sparse_storage.box %n, %n : !sparse_storage.region<2, #sparse_storage.layout<form = full>>
  %T = sparse_storage.region_where %all : !sparse_storage.region<2, #sparse_storage.layout<form = full>> -> !sparse_storage.region<2> {
  ^bb0(%i: index, %j: index, %p: index):
    %keep = arith.cmpi sge, %i, %j : index
    sparse_storage.yield %keep : i1
  }
  %size = sparse_storage.size %T : !sparse_storage.region<2>
  func.return %size : index
}

// -----

// Results are output arguments: buffers as they are returned, then scalars' in their places.
// CHECK-LABEL: func.func @results(
// CHECK-SAME:      %A_starts: memref<?xi64>, %A_indices: memref<?xi64>, %A_values: memref<?xf64>, %A_d0: index, %A_d1: index, %x: memref<?x?xf64, strided<[?, 1]>>, %n: index, %B: memref<?xf64>, %z: memref<f64>, %y: memref<?xf64>, %temporary: memref<?xf64>)
// CHECK-NOT:     memref.alloc
// CHECK:         func.return
// CHECK-NEXT:  }
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
func.func @results(%A: !rows, %x: tensor<?x?xf64>, %n: index) -> (!rows, f64, tensor<?xf64>) {
  %R, %a = sparse_storage.unpack %A : !rows -> !sparse_storage.region<2>, memref<?xf64>
  %b = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n) : memref<?xf64>
  %temporary = memref.alloc(%n) : memref<?xf64>
  %zero = arith.constant 0 : index
  %X = bufferization.to_buffer %x : tensor<?x?xf64> to memref<?x?xf64>
  %z = memref.load %X[%zero, %zero] : memref<?x?xf64>
  memref.store %z, %temporary[%zero] : memref<?xf64>
  %B = sparse_storage.pack %R, %b : !sparse_storage.region<2>, memref<?xf64> -> !rows
  %y = bufferization.to_tensor %t : memref<?xf64> to tensor<?xf64>
  func.return %B, %z, %y : !rows, f64, tensor<?xf64>
}

// -----

// Words of less than 64 bits have no sign.
// CHECK-LABEL: func.func @words(
// CHECK-NEXT:    %[[byte:.*]] = memref.load %b[%k] : memref<?xi8>
// CHECK-NEXT:    %[[wide:.*]] = arith.extui %[[byte]] : i8 to i64
// CHECK-NEXT:    %[[i:.*]] = arith.index_cast %[[wide]] : i64 to index
// CHECK-NEXT:    %[[word:.*]] = memref.load %w[%[[i]]] : memref<?xi64>
// CHECK-NEXT:    %[[j:.*]] = arith.index_cast %[[word]] : i64 to index
// CHECK-NEXT:    memref.load %n[%[[j]]] : memref<?xindex>
// CHECK-NEXT:    memref.store
func.func @words(%b: memref<?xi8>, %w: memref<?xi64>, %n: memref<?xindex>, %k: index) {
  %i = sparse_storage.read_index %b[%k] : memref<?xi8>
  %j = sparse_storage.read_index %w[%i] : memref<?xi64>
  %l = sparse_storage.read_index %n[%j] : memref<?xindex>
  memref.store %l, %n[%k] : memref<?xindex>
  func.return
}
