// A scan is a register; a call that folds leaves there what the rows come to, and does nothing else.
// RUN: diablo-opt %s -p convert-multiloop-to-loops,canonicalize,cse | filecheck %s

// CHECK-LABEL: func.func @sums(%n: index, %x: memref<?xf64>, %vector: memref<?xf64>, %result: memref<f64>, %state: memref<?xindex>, %fresh: i1, %begin: index, %end: index, %folds: i1, %carried: i1)
// CHECK:         %acc = memref.alloca()
// CHECK:         %[[BEGINS:.*]] = arith.select %carried, %{{.*}}, %fresh : i1
// CHECK-NEXT:    scf.if %[[BEGINS]] {
// CHECK:           memref.store %{{.*}}, %acc[
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[HELD:.*]] = memref.load %result[] : memref<f64>
// CHECK-NEXT:      memref.store %[[HELD]], %acc[
// CHECK-NEXT:    }
// CHECK:         scf.if %folds -> (index) {
// CHECK:           scf.for %row = %begin to %end
// CHECK:             arith.addf
// CHECK-NOT:         %vector
// CHECK:         } else {
// CHECK:           scf.for %row_1 = %begin to %end
// CHECK:             %[[X:.*]] = memref.load %x[%row_1
// CHECK-NEXT:        %[[BEFORE:.*]] = memref.load %acc[
// CHECK-NEXT:        %[[SUM:.*]] = arith.addf %[[BEFORE]], %[[X]]
// CHECK-NEXT:        memref.store %[[SUM]], %acc[
// CHECK-NEXT:        %[[SO_FAR:.*]] = memref.load %acc[
// CHECK-NEXT:        %[[HALF:.*]] = arith.mulf %[[SO_FAR]], %half
// CHECK-NEXT:        memref.store %[[HALF]], %vector[%row_1
// CHECK:         memref.store %{{.*}}, %result[] : memref<f64>
// CHECK-NEXT:    memref.store %{{.*}}, %state[
// CHECK-NEXT:    func.return
func.func @sums(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %half = arith.constant 0.5 : f64
  %s, %all = multiloop.loop range(%zero, %n : index, index) -> tensor<?xf64>, f64 {
  ^bb0(%i: index, %vector: !multiloop.place<f64>, %sums: !multiloop.scan<add : f64>):
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %sum = multiloop.emit %sums(%e : f64)
    %f = arith.mulf %sum, %half : f64
    multiloop.emit %vector[%i : index](%f : f64)
  }
  func.return %s : tensor<?xf64>
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
