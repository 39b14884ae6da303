// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop,fuse-multiloops,convert-multiloop-to-loops --split-input-file | filecheck %s

// Monoids that the program defines, and tuples: the body stands in the loop, parts are values.

comprehension.monoid @least : tuple<f64, i64> identity [0x7FF0000000000000 : f64, -1] {
^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
  %dx, %kx = comprehension.unpack %x : tuple<f64, i64>
  %dy, %ky = comprehension.unpack %y : tuple<f64, i64>
  %less = arith.cmpf ole, %dx, %dy : f64
  %least = arith.select %less, %x, %y : tuple<f64, i64>
  comprehension.yield %least
}
// CHECK-LABEL: func.func @whole(%A: memref<?xf64>, %n: index, %r: memref<f64>, %r_1: memref<i64>)
// CHECK:         %[[INF:.*]] = arith.constant 0x7ff0000000000000 : f64
// CHECK-NEXT:    %[[NONE:.*]] = arith.constant -1 : i64
// Of many points four parts, one after the other, are folded side by side, and joined in order.
// CHECK:         %[[SIZE:.*]] = arith.subi %n, %zero : index
// CHECK:         %[[MANY:.*]] = arith.cmpi sge, %[[SIZE]], %few : index
// CHECK-NEXT:    %[[P:.*]], %[[Q:.*]], %[[REST:.*]] = scf.if %[[MANY]] -> (f64, i64, index) {
// CHECK-NEXT:      %lanes = arith.constant 4 : index
// CHECK-NEXT:      %[[SHARE:.*]] = arith.divui %[[SIZE]], %lanes : index
// CHECK:           %[[END:.*]] = arith.addi %zero, %[[SHARE]] : index
// CHECK:           scf.for %lane = %zero to %[[END]] step %one{{.*}} iter_args(%acc = %[[INF]], %acc_1 = %[[NONE]], %acc_2 = %[[INF]], %acc_3 = %[[NONE]],
// CHECK-NEXT:        %a = memref.load %A[%lane] : memref<?xf64>
// CHECK-NEXT:        %k = arith.index_cast %lane : index to i64
// CHECK-NEXT:        %less = arith.cmpf ole, %acc, %a : f64
// CHECK-NEXT:        %least = arith.select %less, %acc, %a : f64
// CHECK-NEXT:        %least_1 = arith.select %less, %acc_1, %k : i64
// CHECK-NEXT:        %[[NEXT:.*]] = arith.addi %lane, %[[SHARE]] : index
// CHECK-NEXT:        %{{.*}} = memref.load %A[%[[NEXT]]] : memref<?xf64>
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %[[INF]], %[[NONE]], %zero : f64, i64, index
// CHECK:         %[[D:.*]], %[[K:.*]] = scf.for %{{.*}} = %[[REST]] to %n step %one iter_args(%{{.*}} = %[[P]], %{{.*}} = %[[Q]]) -> (f64, i64)
// CHECK:         memref.store %[[D]], %r[] : memref<f64>
// CHECK-NEXT:    memref.store %[[K]], %r_1[] : memref<i64>
func.func @whole(%A: tensor<?xf64>, %n: index) -> tuple<f64, i64> {
  %r = tensor_block.reduce @least reduced(d0 < %n) ins(%A[d0] : tensor<?xf64>) -> tuple<f64, i64> {
  ^bb0(%i: index, %a: f64):
    %k = arith.index_cast %i : index to i64
    %t = comprehension.pack %a, %k : tuple<f64, i64>
    tensor_block.yield %t : tuple<f64, i64>
  }
  func.return %r : tuple<f64, i64>
}
// CHECK-LABEL: func.func @rows(%A: memref<{{.*}}>, %n: index, %m: index,
// CHECK-SAME:      %r: memref<?xf64>, %r_1: memref<?xi64>, %s: memref<?xi64>)
// Rows of a matrix are far from one another: each is folded by itself, for a strip of rows.
// CHECK:         scf.for %strip = {{.*}} to %n
// CHECK:           scf.for %i = %strip to
// CHECK:               scf.for %lane
// CHECK:             %[[D:.*]], %[[K:.*]] = scf.for %j = {{.*}} to %m {{.*}} -> (f64, i64)
// CHECK:             %[[AT:.*]] = arith.subi %i, %strip
// CHECK:             memref.store %[[D]], %r[%[[AT]]] : memref<?xf64>
// CHECK-NEXT:        memref.store %[[K]], %r_1[%[[AT]]] : memref<?xi64>
// CHECK:           scf.for %[[I:.*]] = %strip to
// CHECK:             %[[AT:.*]] = arith.subi %[[I]], %strip
// CHECK:             %[[K:.*]] = memref.load %r_1[%[[AT]]] : memref<?xi64>
// CHECK-NEXT:        memref.store %[[K]], %s[%[[I]]] : memref<?xi64>
func.func @rows(%A: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?xi64> {
  %r = tensor_block.reduce @least parallel(d0 < %n) reduced(d1 < %m)
      ins(%A[d0, d1] : tensor<?x?xf64>) -> tensor<?xtuple<f64, i64>> {
  ^bb0(%i: index, %j: index, %a: f64):
    %k = arith.index_cast %j : index to i64
    %t = comprehension.pack %a, %k : tuple<f64, i64>
    tensor_block.yield %t : tuple<f64, i64>
  }
  %s = tensor_block.map parallel(d0 < %n) ins(%r[d0] : tensor<?xtuple<f64, i64>>) -> tensor<?xi64> {
  ^bb0(%i: index, %t: tuple<f64, i64>):
    %d, %k = comprehension.unpack %t : tuple<f64, i64>
    tensor_block.yield %k : i64
  }
  func.return %s : tensor<?xi64>
}
// The sums lie in the output, part by part, since the rows of A lie along memory.
// CHECK-LABEL: func.func @columns
// CHECK-SAME:      %r: memref<?xf64>, %r_1: memref<?xi64>)
// CHECK:         scf.for %j = {{.*}} to %m
// CHECK-NEXT:      memref.store %{{.*}}, %r[%j] : memref<?xf64>
// CHECK-NEXT:      memref.store %{{.*}}, %r_1[%j] : memref<?xi64>
// CHECK:         scf.for %i = {{.*}} step %edge
// CHECK:           scf.for %[[J:.*]] = {{.*}} to %m
// CHECK-NEXT:        %acc = memref.load %r[%[[J]]] : memref<?xf64>
// CHECK-NEXT:        %acc_1 = memref.load %r_1[%[[J]]] : memref<?xi64>
// CHECK:             %less = arith.cmpf ole, %acc, %a : f64
// CHECK-COUNT-3:     arith.cmpf ole
// CHECK:             memref.store %{{.*}}, %r[%[[J]]] : memref<?xf64>
// CHECK-NEXT:        memref.store %{{.*}}, %r_1[%[[J]]] : memref<?xi64>
// CHECK:         scf.for %i_1 = {{.*}} to %n step %one
func.func @columns(%A: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?xtuple<f64, i64>> {
  %r = tensor_block.reduce @least parallel(d0 < %m) reduced(d1 < %n)
      ins(%A[d1, d0] : tensor<?x?xf64>) -> tensor<?xtuple<f64, i64>> {
  ^bb0(%j: index, %i: index, %a: f64):
    %k = arith.index_cast %i : index to i64
    %t = comprehension.pack %a, %k : tuple<f64, i64>
    tensor_block.yield %t : tuple<f64, i64>
  }
  func.return %r : tensor<?xtuple<f64, i64>>
}
// -----

// A window of an array of tuples: outside of it both parts are zero.
// CHECK-LABEL: func.func @beside(%A: memref<?xf64>, %A_1: memref<?xi64>
// CHECK:           %t, %k = scf.if %{{.*}} -> (f64, i64) {
// CHECK-NEXT:        %[[D:.*]] = memref.load %A[%[[I:.*]]] : memref<?xf64>
// CHECK-NEXT:        %[[K:.*]] = memref.load %A_1[%[[I]]] : memref<?xi64>
// CHECK-NEXT:        scf.yield %[[D]], %[[K]] : f64, i64
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[D:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:        %[[K:.*]] = arith.constant 0 : i64
// CHECK-NEXT:        scf.yield %[[D]], %[[K]] : f64, i64
func.func @beside(%A: tensor<?xtuple<f64, i64>>, %n: index) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %n) ins(%A[d0 - 1] : tensor<?xtuple<f64, i64>>)
      -> tensor<?xf64> {
  ^bb0(%i: index, %t: tuple<f64, i64>):
    %d, %k = comprehension.unpack %t : tuple<f64, i64>
    %f = arith.sitofp %k : i64 to f64
    %v = arith.addf %d, %f : f64
    tensor_block.yield %v : f64
  }
  func.return %s : tensor<?xf64>
}
// -----

comprehension.monoid @least : tuple<f64, i64> identity [0x7FF0000000000000 : f64, -1] {
^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
  %dx, %kx = comprehension.unpack %x : tuple<f64, i64>
  %dy, %ky = comprehension.unpack %y : tuple<f64, i64>
  %less = arith.cmpf ole, %dx, %dy : f64
  %least = arith.select %less, %x, %y : tuple<f64, i64>
  comprehension.yield %least
}
comprehension.monoid @far : f64 identity 0.0 {
^bb0(%x: f64, %y: f64):
  %ax = math.absf %x : f64
  %ay = math.absf %y : f64
  %more = arith.cmpf oge, %ax, %ay : f64
  %far = arith.select %more, %x, %y : f64
  comprehension.yield %far
}
// Folds over the same points share the loop, which carries the parts of all.
// CHECK-LABEL: func.func @together
// CHECK:           %lanes = arith.constant 4 : index
// CHECK:           scf.for %lane
// CHECK:             %less = arith.cmpf ole, %acc, %a : f64
// CHECK:             %[[SUM:.*]] = arith.addf %acc_2, %{{.*}} fastmath<reassoc,contract> : f64
// CHECK:             %more = arith.cmpf oge, %ax, %ay : f64
// CHECK-NEXT:        %far = arith.select %more, %acc_3, %{{.*}} : f64
// CHECK:           } else {
// CHECK:         scf.for %i = {{.*}} to %n step %one {{.*}} -> (f64, i64, f64, f64)
// CHECK-NOT:     scf.for
// CHECK:         func.return
func.func @together(%A: tensor<?xf64>, %n: index) -> (tuple<f64, i64>, f64, f64) {
  %r = tensor_block.reduce @least reduced(d0 < %n) ins(%A[d0] : tensor<?xf64>) -> tuple<f64, i64> {
  ^bb0(%i: index, %a: f64):
    %k = arith.index_cast %i : index to i64
    %t = comprehension.pack %a, %k : tuple<f64, i64>
    tensor_block.yield %t : tuple<f64, i64>
  }
  %s = tensor_block.reduce add reduced(d0 < %n) ins(%A[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %a: f64):
    tensor_block.yield %a : f64
  }
  %f = tensor_block.reduce @far reduced(d0 < %n) ins(%A[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %r, %s, %f : tuple<f64, i64>, f64, f64
}
// -----

// A monoid that keeps a tuple whole has no loops.
comprehension.monoid @opaque : tuple<f64, i64> identity [0.0, 0] {
^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
  %r = builtin.unrealized_conversion_cast %x : tuple<f64, i64> to tuple<f64, i64>
  comprehension.yield %r
}
// CHECK-LABEL: func.func @held_back
// CHECK-NEXT:    %{{.*}} = tensor_block.reduce @opaque
func.func @held_back(%A: tensor<?xtuple<f64, i64>>, %n: index) -> tuple<f64, i64> {
  %r = tensor_block.reduce @opaque reduced(d0 < %n)
      ins(%A[d0] : tensor<?xtuple<f64, i64>>) -> tuple<f64, i64> {
  ^bb0(%i: index, %t: tuple<f64, i64>):
    tensor_block.yield %t : tuple<f64, i64>
  }
  func.return %r : tuple<f64, i64>
}

// -----

// A monoid that gives the same in any order: the lanes are neighbours, as in a vector.
comprehension.monoid @far any_order : f64 identity 0.0 {
^bb0(%x: f64, %y: f64):
  %ax = math.absf %x : f64
  %ay = math.absf %y : f64
  %far = arith.maximumf %ax, %ay : f64
  comprehension.yield %far
}
// CHECK-LABEL: func.func @any_order
// CHECK:           %lanes = arith.constant 8 : index
// CHECK:           scf.for %lane = %zero to %{{.*}} step %lanes
// CHECK-NEXT:        %a = memref.load %A[%lane] : memref<?xf64>
// CHECK:             %one_1 = arith.constant 1 : index
// CHECK-NEXT:        %[[NEXT:.*]] = arith.addi %lane, %one_1 : index
// CHECK-NEXT:        %{{.*}} = memref.load %A[%[[NEXT]]] : memref<?xf64>
func.func @any_order(%A: tensor<?xf64>, %n: index) -> f64 {
  %r = tensor_block.reduce @far reduced(d0 < %n) ins(%A[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %r : f64
}
