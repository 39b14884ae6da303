// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop,fuse-multiloops,convert-multiloop-to-loops --split-input-file | filecheck %s
// RUN: diablo-opt %s -p 'convert-tensor-block-to-multiloop,convert-multiloop-to-loops{split=true}' --split-input-file | filecheck %s --check-prefix=SPLIT

// The last dimension of both lies along memory: the sum stays in a register, those of four rows side
// by side.
func.func private @row_sums(%a: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %s = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%a[d0, d1] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %j: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %s : tensor<?xf64>
}
// CHECK-LABEL: func.func private @row_sums(%a: memref<?x?xf64, strided<[?, 1]>>, %n: index, %m: index, %s: memref<?xf64>)
// CHECK:         scf.for %i = %zero to %[[MIDDLE:.*]] step %edge
// CHECK:           %[[S0:.*]], %[[S1:.*]], %[[S2:.*]], %[[S3:.*]] = scf.for %j = %zero to %m step %one
// CHECK-NEXT:        %x = memref.load %a[%i, %j]
// CHECK-NEXT:        %[[NEXT:.*]] = arith.addf %acc, %x fastmath<reassoc,contract> : f64
// CHECK-COUNT-3:     arith.addf
// CHECK-NEXT:        scf.yield %[[NEXT]]
// CHECK:           memref.store %[[S0]], %s[%i]
// CHECK-NEXT:      memref.store %[[S1]], %s[
// CHECK-NEXT:      memref.store %[[S2]], %s[
// CHECK-NEXT:      memref.store %[[S3]], %s[
// CHECK:         scf.for %i_1 = %[[MIDDLE]] to %n step %one {
// CHECK:           %[[SUM:.*]] = scf.for %j_1 = %zero to %m step %one iter_args(%{{.*}}) -> (f64) {
// CHECK-NEXT:        memref.load %a[%i_1, %j_1]
// CHECK:           memref.store %[[SUM]], %s[%i_1]
// SPLIT-LABEL: func.func private @row_sums
// SPLIT-SAME:    %s: memref<?xf64>, %begin: index, %end: index)
// SPLIT:         arith.subi %end, %begin
// SPLIT:         scf.for %i = %begin to %[[MIDDLE:.*]] step
// SPLIT:         scf.for %i_1 = %[[MIDDLE]] to %end step %one {

// -----

// Down the columns the sums are kept in the output, so that the inner loop runs along memory; four
// rows are added at a time.
func.func private @column_sums(%a: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %s = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n)
      ins(%a[d1, d0] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^body(%j: index, %i: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %s : tensor<?xf64>
}
// CHECK-LABEL: func.func private @column_sums
// CHECK:         scf.for %j = %zero to %m step %one {
// CHECK-NEXT:      memref.store %identity, %s[%j]
// CHECK:         %[[FOURS:.*]] = arith.andi
// CHECK-NEXT:    %[[MIDDLE:.*]] = arith.addi %zero, %[[FOURS]]
// CHECK-NEXT:    %[[FOUR:.*]] = arith.constant 4
// CHECK-NEXT:    scf.for %i = %zero to %[[MIDDLE]] step %[[FOUR]] {
// CHECK:           scf.for %j_1 = %zero to %m step %one {
// CHECK-NEXT:        %acc = memref.load %s[%j_1]
// CHECK-NEXT:        %x = memref.load %a[%i, %j_1]
// CHECK-NEXT:        %[[ONE:.*]] = arith.addf %acc, %x fastmath<reassoc,contract> : f64
// CHECK-NEXT:        memref.load %a[
// CHECK-NEXT:        arith.addf %[[ONE]],
// CHECK-COUNT-2:     memref.load %a[
// CHECK-NEXT:        %[[SUM:.*]] = arith.addf
// CHECK-NEXT:        memref.store %[[SUM]], %s[%j_1]
// CHECK:         scf.for %i_1 = %[[MIDDLE]] to %n step %one {
// CHECK-NEXT:      scf.for %j_2 = %zero to %m step %one {
// CHECK-NEXT:        memref.load %s[%j_2]
// CHECK-NEXT:        memref.load %a[%i_1, %j_2]
// CHECK-NEXT:        arith.addf
// CHECK-NEXT:        memref.store

// -----

// Held back: there are not as many.
func.func private @three_rows(%a: tensor<?x?xf64>, %m: index) -> tensor<?xf64> {
  %n = arith.constant 3 : index
  %s = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n)
      ins(%a[d1, d0] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^body(%j: index, %i: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %s : tensor<?xf64>
}
// CHECK-LABEL: func.func private @three_rows
// CHECK:         scf.for %i = %zero to %n step %one {
// CHECK-NEXT:      scf.for %j_1 =
// CHECK-NEXT:        memref.load %s[%j_1]
// CHECK-NEXT:        memref.load %a[%i, %j_1]
// CHECK-NOT:     scf.for

// -----

// Offsets are added to what the body sees; a guard stays a conditional; no fast-math in bodies.
func.func private @masked(%a: tensor<?xf64>, %n: index, %o: index) -> f64 {
  %s = tensor_block.reduce max reduced(d0 < %n) offsets(%o)
      ins(%a[d0] : tensor<?xf64>) -> f64 {
  ^body(%i: index, %x: f64):
    %ok = arith.cmpi slt, %i, %n : index
    %v = scf.if %ok -> (f64) {
      %y = arith.addf %x, %x : f64
      scf.yield %y : f64
    } else {
      scf.yield %x : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %s : f64
}
// CHECK-LABEL: func.func private @masked(%a: memref<?xf64>, %n: index, %o: index, %s: memref<f64>)
// CHECK:         %[[MAX:.*]] = scf.for %i = %zero to %n step %one iter_args
// CHECK-NEXT:      %[[I:.*]] = arith.addi %i, %o : index
// CHECK-NEXT:      %x = memref.load %a[%i]
// CHECK-NEXT:      arith.cmpi slt, %[[I]], %n : index
// CHECK-NEXT:      scf.if
// CHECK-NEXT:        arith.addf %x, %x : f64
// CHECK:         arith.maximumf %acc
// CHECK:         memref.store %[[MAX]], %s[]
// SPLIT-LABEL: func.func private @masked
// SPLIT:         scf.for %i = %begin to %end step %one iter_args

// -----

// Several loops: what lies between becomes an argument too.
func.func private @two(%a: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %t = tensor_block.map parallel(d0 < %n) ins(%a[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %x: f64):
    %y = math.exp %x : f64
    tensor_block.yield %y : f64
  }
  %s = tensor_block.reduce add reduced(d0 < %n) ins(%t[d0] : tensor<?xf64>) -> f64 {
  ^body(%i: index, %x: f64):
    tensor_block.yield %x : f64
  }
  %r = tensor_block.map parallel(d0 < %n) ins(%t[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %x: f64):
    %y = arith.divf %x, %s : f64
    tensor_block.yield %y : f64
  }
  func.return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func private @two(%a: memref<?xf64>, %n: index, %t: memref<?xf64>, %r: memref<?xf64>)
// CHECK-COUNT-2: scf.for
// CHECK-NOT:     scf.for
// SPLIT-LABEL: func.func private @two(%a: memref<?xf64>, %n: index, %t: memref<?xf64>, %r: memref<?xf64>)

// -----

// Sparse tiles and rows are left alone.
func.func private @sparse(%a: tensor<?xf64, #tensor_block.storage<dense = 0>>, %n: index) -> f64 {
  %s = tensor_block.reduce add reduced(d0 < %n)
      ins(%a[d0] : tensor<?xf64, #tensor_block.storage<dense = 0>>) -> f64 {
  ^body(%i: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %s : f64
}
// CHECK-LABEL: func.func private @sparse
// CHECK:         tensor_block.reduce add

// -----

// An input that is read across the direction of writing is read by squares.
func.func private @transposed(%a: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  %t = tensor_block.map parallel(d0 < %n, d1 < %m)
      ins(%a[d1, d0] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^body(%i: index, %j: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %t : tensor<?x?xf64>
}
// CHECK-LABEL: func.func private @transposed
// CHECK:         scf.for %i_tile = %zero to %n step %edge
// CHECK-NEXT:      %[[AFTER:.*]] = arith.addi %i_tile, %edge : index
// CHECK-NEXT:      %[[STOP:.*]] = arith.minsi %[[AFTER]], %n : index
// CHECK:           scf.for %j_tile = %zero to %m step %{{.*}} {
// CHECK:             scf.for %i = %i_tile to %[[STOP]] step %one {
// CHECK-NEXT:          scf.for %j = %j_tile to %{{.*}} step %one {
// CHECK-NEXT:            %x = memref.load %a[%j, %i]
// CHECK-NEXT:            memref.store %x, %t[%i, %j]
// SPLIT-LABEL: func.func private @transposed
// SPLIT:         scf.for %i_tile = %begin to %end step %edge

// -----

// A function that others call keeps its tensors; its loops stand beside it.
func.func @main(%a: tensor<?xf64>, %n: index) -> f64 {
  %s = func.call @total(%a, %n) : (tensor<?xf64>, index) -> f64
  func.return %s : f64
}
func.func private @total(%a: tensor<?xf64>, %n: index) -> f64 {
  %s = tensor_block.reduce add reduced(d0 < %n) ins(%a[d0] : tensor<?xf64>) -> f64 {
  ^body(%i: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %s : f64
}
// CHECK-LABEL: func.func @main
// CHECK:         func.call @total
// CHECK-LABEL: func.func private @total(%{{.*}}: tensor<?xf64>
// CHECK:         multiloop.loop
// CHECK-LABEL: func.func private @total_loops(%{{.*}}: memref<?xf64>
// CHECK:         scf.for

// -----

// What one loop emits to several generators is one nest: the fold takes what is stored beside it.
func.func @update(%n: index, %m: index, %x: tensor<?x?xf64>, %y: tensor<?xf64>) -> (tensor<?x?xf64>, f64) {
  %z = tensor_block.map parallel(d0 < %n, d1 < %m)
      ins(%x[d0, d1] : tensor<?x?xf64>, %y[d1] : tensor<?xf64>) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %e: f64, %f: f64):
    %g = arith.addf %e, %f : f64
    tensor_block.yield %g : f64
  }
  %s = tensor_block.reduce add reduced(d0 < %n, d1 < %m) ins(%z[d0, d1] : tensor<?x?xf64>) -> f64 {
  ^bb0(%i: index, %j: index, %e: f64):
    tensor_block.yield %e : f64
  }
  func.return %z, %s : tensor<?x?xf64>, f64
}
// CHECK-LABEL: func.func @update
// CHECK:         %[[SUM:.*]] = scf.for %i = %zero to %n step %one iter_args(%acc = %identity) -> (f64) {
// CHECK-NEXT:      %[[ROW:.*]] = scf.for %j = %zero to %m step %one iter_args(%acc_1 = %acc) -> (f64) {
// CHECK-NEXT:        %e = memref.load %x[%i, %j]
// CHECK-NEXT:        %f = memref.load %y[%j]
// CHECK-NEXT:        %g = arith.addf %e, %f : f64
// CHECK-NEXT:        memref.store %g, %z[%i, %j]
// CHECK-NEXT:        %[[NEXT:.*]] = arith.addf %acc_1, %g fastmath<reassoc,contract> : f64
// CHECK-NEXT:        scf.yield %[[NEXT]] : f64
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.yield %[[ROW]] : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.store %[[SUM]], %s[] : memref<f64>

// -----

// Threads would add to the same elements: each call has a table of its own.
func.func private @histogram(%a: tensor<?xi64>, %n: index, %bins: index) -> tensor<?xi64> {
  %one = arith.constant 1 : i64
  %c = tensor_block.scatter_reduce add reduced(d0 < %n) into(%bins)
      ins(%a[d0] : tensor<?xi64>) -> tensor<?xi64> {
  ^body(%i: index, %x: i64):
    %k = arith.index_cast %x : i64 to index
    tensor_block.yield %k, %one : index, i64
  }
  func.return %c : tensor<?xi64>
}
// SPLIT-LABEL: func.func private @histogram
// SPLIT-SAME:    %bins: index, %c: memref<?xi64>, %begin: index, %end: index) {
// SPLIT:         scf.for %{{.*}} to %bins step
// SPLIT:         scf.for %{{.*}} = %begin to %end step
