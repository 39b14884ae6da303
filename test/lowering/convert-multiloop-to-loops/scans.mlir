// A scan is a register. One of a vector begins with what the pieces of the work before come to; a call
// that folds leaves what its own comes to, and does nothing else.
// RUN: diablo-opt %s -p convert-multiloop-to-loops,canonicalize,cse | filecheck %s
// RUN: diablo-opt %s -p convert-multiloop-to-loops{split=true},canonicalize,cse | filecheck %s --check-prefix=SPLIT

// CHECK-LABEL: func.func @sums(%n: index, %x: memref<?xf64>, %s: memref<?xf64>, %m: memref<f64>) {
// CHECK:         %[[MOST:acc.*]] = memref.alloca()
// CHECK:         %[[SUM:acc.*]] = memref.alloca()
// CHECK:         scf.for %row = %{{.*}} to
// CHECK-NEXT:      %[[X:.*]] = memref.load %x[%row]
// CHECK-NEXT:      %[[BEFORE:.*]] = memref.load %[[SUM]][
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addf %[[BEFORE]], %[[X]]
// CHECK-NEXT:      memref.store %[[NEXT]], %[[SUM]][
// CHECK-NEXT:      %[[SO_FAR:.*]] = memref.load %[[SUM]][
// CHECK-NEXT:      %[[HALF:.*]] = arith.mulf %[[SO_FAR]], %half
// CHECK-NEXT:      memref.store %[[HALF]], %s[%row]
// CHECK:           arith.maximumf
// CHECK:         memref.store %{{.*}}, %m[]
// CHECK-NEXT:    func.return
// SPLIT-LABEL: func.func @sums(%n: index, %x: memref<?xf64>, %s: memref<?xf64>, %m: memref<f64>, %parts: memref<?xf64>, %begin: index, %end: index, %before: index, %folds: i1) {
// SPLIT:         %[[IS_WHOLE:.*]] = arith.cmpi eq, %folds,
// SPLIT:         %[[IS_LATER:.*]] = arith.cmpi sgt, %before,
// SPLIT:         %[[CARRIED:.*]] = arith.andi %[[IS_WHOLE]], %[[IS_LATER]]
// SPLIT-NEXT:    scf.if %[[CARRIED]] {
// SPLIT-NEXT:      %[[FIRST:.*]] = memref.load %parts[%[[ZERO:.*]]]
// SPLIT-NEXT:      memref.store %[[FIRST]], %[[SUM:.*]][%[[ZERO]]]
// SPLIT:           scf.for %[[K:.*]] = %{{.*}} to %before
// SPLIT-NEXT:        %[[PLACE:.*]] = arith.muli %[[K]],
// SPLIT-NEXT:        %[[HELD:.*]] = memref.load %[[SUM]][
// SPLIT-NEXT:        %[[PART:.*]] = memref.load %parts[%[[PLACE]]]
// SPLIT-NEXT:        arith.addf %[[HELD]], %[[PART]]
// SPLIT:         scf.if %folds -> (index) {
// SPLIT-NEXT:      scf.for %row = %begin to %end
// SPLIT:             arith.addf
// SPLIT-NOT:         arith.maximumf
// SPLIT:         } else {
// SPLIT-NEXT:      scf.for %row_1 = %begin to %end
// SPLIT:             arith.maximumf
// SPLIT:         scf.if %folds {
// SPLIT:           memref.store %{{.*}}, %parts[
// SPLIT-NEXT:    } else {
// SPLIT:           memref.store %{{.*}}, %m[]
// SPLIT-NEXT:    }
// SPLIT-NEXT:    func.return
func.func @sums(%n: index, %x: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %zero = arith.constant 0 : index
  %half = arith.constant 0.5 : f64
  %s, %m, %all = multiloop.loop range(%zero, %n : index, index) -> tensor<?xf64>, f64, f64 {
  ^bb0(%i: index, %vector: !multiloop.place<f64>, %most: !multiloop.reduce<max : f64>,
       %sums: !multiloop.scan<add : f64>):
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %sum = multiloop.emit %sums(%e : f64)
    %f = arith.mulf %sum, %half : f64
    multiloop.emit %vector[%i : index](%f : f64)
    multiloop.emit %most(%f : f64)
  }
  func.return %s, %m : tensor<?xf64>, f64
}

// What is scanned again is known once what is before it is done: there are no pieces.
// SPLIT-LABEL: func.func @again(%n: index, %x: memref<?xf64>, %s: memref<?xf64>) {
func.func @again(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %s, %all, %most = multiloop.loop range(%zero, %n : index, index) -> tensor<?xf64>, f64, f64 {
  ^bb0(%i: index, %vector: !multiloop.place<f64>, %sums: !multiloop.scan<add : f64>,
       %maxima: !multiloop.scan<max : f64>):
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %sum = multiloop.emit %sums(%e : f64)
    %m = multiloop.emit %maxima(%sum : f64)
    multiloop.emit %vector[%i : index](%m : f64)
  }
  func.return %s : tensor<?xf64>
}

// Tuples are folded part by part, and vectors of them have a buffer for each, as pieces have lines.
// SPLIT-LABEL: func.func @pairs(%n: index, %x: memref<?xf64>, %s: memref<?xf64>, %s_1: memref<?xi64>, %parts: memref<?xf64>, %parts_1: memref<?xi64>, %begin: index, %end: index, %before: index, %folds: i1) {
// SPLIT:         scf.for %{{.*}} to %before
// SPLIT:           arith.cmpf olt
// SPLIT:         scf.for %row_1 = %begin to %end
// SPLIT:           arith.cmpf olt
// SPLIT:           memref.store %{{.*}}, %s[%row_1]
// SPLIT-NEXT:      memref.store %{{.*}}, %s_1[%row_1]
comprehension.monoid @least : tuple<f64, i64> identity [0x7ff0000000000000 : f64, -1 : i64] {
^bb0(%a: tuple<f64, i64>, %b: tuple<f64, i64>):
  %d, %i = comprehension.unpack %a : tuple<f64, i64>
  %e, %j = comprehension.unpack %b : tuple<f64, i64>
  %less = arith.cmpf olt, %d, %e : f64
  %c = arith.select %less, %a, %b : tuple<f64, i64>
  comprehension.yield %c
}
func.func @pairs(%n: index, %x: tensor<?xf64>) -> tensor<?xtuple<f64, i64>> {
  %zero = arith.constant 0 : index
  %s, %all = multiloop.loop range(%zero, %n : index, index) -> tensor<?xtuple<f64, i64>>, tuple<f64, i64> {
  ^bb0(%i: index, %vector: !multiloop.place<tuple<f64, i64>>, %least: !multiloop.scan<@least : tuple<f64, i64>>):
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %k = arith.index_cast %i : index to i64
    %p = comprehension.pack %e, %k : tuple<f64, i64>
    %so_far = multiloop.emit %least(%p : tuple<f64, i64>)
    multiloop.emit %vector[%i : index](%so_far : tuple<f64, i64>)
  }
  func.return %s : tensor<?xtuple<f64, i64>>
}

// Rows, of which nobody knows how many there will be, leave in their state where a call goes on.
// CHECK-LABEL: func.func @numbers(
// CHECK-SAME:    %state: memref<?xindex>, %fresh: i1, %begin: index, %end: index, %folds: i1, %carried: i1)
// CHECK:         %[[BEGINS:.*]] = arith.select %carried, %{{.*}}, %fresh : i1
// CHECK-NEXT:    scf.if %[[BEGINS]] {
// CHECK:           memref.store %{{.*}}, %acc[
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[HELD:.*]] = memref.load %result[] : memref<f64>
// CHECK-NEXT:      memref.store %[[HELD]], %acc[
// CHECK-NEXT:    }
// CHECK:         scf.if %folds -> (index) {
// CHECK:         memref.store %{{.*}}, %result[] : memref<f64>
// CHECK-NEXT:    memref.store %{{.*}}, %state[
func.func @numbers(%rows: !comprehension.bag<f64>) -> !comprehension.bag<f64> {
  %s, %all = multiloop.loop rows(%rows : !comprehension.bag<f64>) -> !comprehension.bag<f64>, f64 {
  ^bb0(%x: f64, %some: !multiloop.collect<f64>, %sums: !multiloop.scan<add : f64>):
    %sum = multiloop.emit %sums(%x : f64)
    multiloop.emit %some(%sum : f64)
  }
  func.return %s : !comprehension.bag<f64>
}

// In a branch values are not folded in any case, since the fold so far is used there.
// CHECK-LABEL: func.func @kept
// CHECK:         } else {
// CHECK:           scf.for
// CHECK:             scf.if %positive {
// CHECK:               arith.addf
func.func @kept(%rows: !comprehension.bag<f64>) -> !comprehension.bag<f64> {
  %zero = arith.constant 0.0 : f64
  %s, %all = multiloop.loop rows(%rows : !comprehension.bag<f64>) -> !comprehension.bag<f64>, f64 {
  ^bb0(%x: f64, %some: !multiloop.collect<f64>, %sums: !multiloop.scan<add : f64>):
    %positive = arith.cmpf ogt, %x, %zero : f64
    scf.if %positive {
      %sum = multiloop.emit %sums(%x : f64)
      multiloop.emit %some(%sum : f64)
    }
  }
  func.return %s : !comprehension.bag<f64>
}
