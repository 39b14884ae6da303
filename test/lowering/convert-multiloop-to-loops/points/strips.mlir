// RUN: diablo-opt %s -p 'convert-tensor-block-to-multiloop,fuse-multiloops,convert-multiloop-to-loops{split=true}' --split-input-file | filecheck %s
// RUN: diablo-opt %s -p 'convert-tensor-block-to-multiloop,fuse-multiloops,convert-multiloop-to-loops{split=true}' --split-input-file --remarks 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: diablo-opt %s -p 'convert-tensor-block-to-multiloop,fuse-multiloops,convert-multiloop-to-loops{plain=true}' --split-input-file | filecheck %s --check-prefix=PLAIN

// The nearest centre of each point, and sums by it: one loop over strips of points. The centres are
// gone through outside, so that the distances of neighbouring points are a vector.
comprehension.monoid @nearest : tuple<f64, i64> identity [0x7FF0000000000000 : f64, -1] {
^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
  %dx, %kx = comprehension.unpack %x : tuple<f64, i64>
  %dy, %ky = comprehension.unpack %y : tuple<f64, i64>
  %less = arith.cmpf ole, %dx, %dy : f64
  %least = arith.select %less, %x, %y : tuple<f64, i64>
  comprehension.yield %least
}
func.func private @clusters(%n: index, %k: index, %x: tensor<?xf64>, %c: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xi64>) {
  %one = arith.constant 1 : i64
  %near = tensor_block.reduce @nearest parallel(d0 < %n) reduced(d1 < %k)
      ins(%x[d0] : tensor<?xf64>, %c[d1] : tensor<?xf64>) -> tensor<?xtuple<f64, i64>> {
  ^bb0(%i: index, %j: index, %p: f64, %q: f64):
    %e = arith.subf %p, %q : f64
    %d = arith.mulf %e, %e : f64
    %w = arith.index_cast %j : index to i64
    %t = comprehension.pack %d, %w : tuple<f64, i64>
    tensor_block.yield %t : tuple<f64, i64>
  }
  %sum = tensor_block.scatter_reduce add reduced(d0 < %n) into(%k)
      ins(%near[d0] : tensor<?xtuple<f64, i64>>, %x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %t: tuple<f64, i64>, %p: f64):
    %d, %w = comprehension.unpack %t : tuple<f64, i64>
    %at = arith.index_cast %w : i64 to index
    tensor_block.yield %at, %p : index, f64
  }
  %count = tensor_block.scatter_reduce add reduced(d0 < %n) into(%k)
      ins(%near[d0] : tensor<?xtuple<f64, i64>>) -> tensor<?xi64> {
  ^bb0(%i: index, %t: tuple<f64, i64>):
    %d, %w = comprehension.unpack %t : tuple<f64, i64>
    %at = arith.index_cast %w : i64 to index
    tensor_block.yield %at, %one : index, i64
  }
  func.return %sum, %count : tensor<?xf64>, tensor<?xi64>
}
// CHECK-LABEL: func.func private @clusters(
// CHECK-SAME:      %near: memref<?xf64>, %near_1: memref<?xi64>, %sum: memref<?xf64>, %count: memref<?xi64>, %begin: index, %end: index)
// CHECK:         scf.for %{{.*}} to %k
// CHECK-NEXT:      memref.store %{{.*}}, %sum[
// CHECK:         scf.for %{{.*}} to %k
// CHECK-NEXT:      memref.store %{{.*}}, %count[
// CHECK:         scf.for %strip = %begin to %end step %edge {
// CHECK-NEXT:      %[[AFTER:.*]] = arith.addi %strip, %edge
// CHECK-NEXT:      %[[STOP:.*]] = arith.minsi %[[AFTER]], %end
// CHECK:           scf.for %i = %strip to %[[STOP]]
// CHECK:             memref.store %{{.*}}, %near[
// CHECK:           scf.for %j = %{{.*}} to %{{.*}} step
// CHECK:             scf.for %i_1 = %strip to %[[STOP]]
// CHECK-NEXT:          %[[AT:.*]] = arith.subi %i_1, %strip
// CHECK-NEXT:          memref.load %near[%[[AT]]]
// CHECK-NEXT:          memref.load %near_1[%[[AT]]]
// CHECK-NEXT:          memref.load %x[%i_1]
// CHECK-NEXT:          memref.load %c[%j]
// CHECK:               memref.store %{{.*}}, %near[
// CHECK:           scf.for %[[I:.*]] = %strip to %[[STOP]]
// CHECK:             memref.store %{{.*}}, %sum[
// CHECK-NOT:       scf.for
// CHECK:             memref.store %{{.*}}, %count[
// CHECK:         func.return
// REMARK: remark: 3 operations take turns at strips of 512 rows
// PLAIN-LABEL: func.func private @clusters
// PLAIN-NOT:     %strip
// PLAIN:         func.return

// -----

// Longer rows make shorter strips, and what is folded over all of them is carried through.
func.func private @lengths(%n: index, %m: index, %A: tensor<?x?xf64>, %v: tensor<?xf64>) -> f64 {
  %B = tensor_block.map parallel(d0 < %n, d1 < %m)
      ins(%A[d0, d1] : tensor<?x?xf64>, %v[d1] : tensor<?xf64>) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %d = arith.subf %a, %b : f64
    tensor_block.yield %d : f64
  }
  %s = tensor_block.reduce max parallel(d0 < %n) reduced(d1 < %m)
      ins(%B[d0, d1] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %b: f64):
    tensor_block.yield %b : f64
  }
  %r = tensor_block.reduce add reduced(d0 < %n) ins(%s[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %b: f64):
    tensor_block.yield %b : f64
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func private @lengths
// CHECK:         %[[SIZE:.*]] = arith.maxsi %m, %{{.*}} : index
// CHECK-NEXT:    %[[ROWS:.*]] = arith.divui %{{.*}}, %[[SIZE]] : index
// CHECK:         arith.maxsi %[[ROWS]],
// CHECK-NEXT:    %[[STEP:.*]] = arith.minsi
// CHECK:         %[[R:.*]] = scf.for %strip = %begin to %end step %[[STEP]] iter_args(%[[ACC:.*]] = %{{.*}}) -> (f64) {
// CHECK:           memref.store %{{.*}}, %B[
// CHECK:           memref.store %{{.*}}, %s[
// CHECK:           scf.for %{{.*}} = %strip to %{{.*}} iter_args(%{{.*}} = %[[ACC]])
// CHECK:         memref.store %[[R]], %r[]

// -----

// What is folded over the rows is filled before the strips, and added to in each.
func.func private @columns(%n: index, %m: index, %A: tensor<?x?xf64>) -> tensor<?xf64> {
  %B = tensor_block.map parallel(d0 < %n, d1 < %m)
      ins(%A[d0, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %a: f64):
    %d = arith.mulf %a, %a : f64
    tensor_block.yield %d : f64
  }
  %s = tensor_block.reduce max parallel(d0 < %m) reduced(d1 < %n)
      ins(%B[d1, d0] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %b: f64):
    tensor_block.yield %b : f64
  }
  func.return %s : tensor<?xf64>
}
// CHECK-LABEL: func.func private @columns
// CHECK:         scf.for %[[J:.*]] = %{{.*}} to %m
// CHECK-NEXT:      memref.store %{{.*}}, %s[%[[J]]]
// CHECK:         arith.divui
// CHECK:         scf.for %strip = %begin to %end
// CHECK-NOT:       memref.store %{{.*}}, %s[
// CHECK:           memref.store %{{.*}}, %B[
// CHECK-NOT:       memref.store %{{.*}}, %s[
// CHECK:           %[[ACC:.*]] = memref.load %s[
// CHECK:           arith.maximumf %[[ACC]],
// CHECK:           memref.store %{{.*}}, %s[

// -----

// Two products with one matrix, of which a strip is as many rows as the nearest cache holds.
func.func private @products(%n: index, %m: index, %X: tensor<?x?xf64>, %w: tensor<?xf64>)
    -> tensor<?xf64> {
  %p = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%X[d0, d1] : tensor<?x?xf64>, %w[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %e: f64, %f: f64):
    %g = arith.mulf %e, %f : f64
    tensor_block.yield %g : f64
  }
  %g = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n)
      ins(%X[d1, d0] : tensor<?x?xf64>, %p[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%j: index, %i: index, %e: f64, %f: f64):
    %h = arith.mulf %e, %f : f64
    tensor_block.yield %h : f64
  }
  func.return %g : tensor<?xf64>
}
// CHECK-LABEL: func.func private @products
// CHECK-SAME:      %p: memref<?xf64>, %g: memref<?xf64>, %begin: index, %end: index)
// CHECK:         memref.store %{{.*}}, %g[
// CHECK:         arith.divui
// CHECK:         scf.for %strip = %begin to %end
// CHECK:           memref.store %{{.*}}, %p[
// CHECK:           %[[HELD:.*]] = memref.load %g[
// CHECK:           arith.addf %[[HELD]],
// CHECK:           memref.store %{{.*}}, %g[

// -----

// Held back: a fold over the rows is known only at the end.
func.func private @all_columns(%n: index, %A: tensor<?x?xf64>) -> tensor<?xf64> {
  %s = tensor_block.reduce max parallel(d0 < %n) reduced(d1 < %n)
      ins(%A[d1, d0] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %b: f64):
    tensor_block.yield %b : f64
  }
  %t = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n)
      ins(%A[d0, d1] : tensor<?x?xf64>, %s[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %d = arith.divf %a, %b : f64
    tensor_block.yield %d : f64
  }
  func.return %t : tensor<?xf64>
}
// CHECK-LABEL: func.func private @all_columns
// CHECK-NOT:     %strip
