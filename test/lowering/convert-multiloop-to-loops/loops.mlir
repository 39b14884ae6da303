// Functions of one loop with generators become loops over buffers.
// RUN: diablo-opt %s -p convert-multiloop-to-loops,cse | filecheck %s

!rows = !comprehension.bag<f64>
!pairs = !comprehension.bag<i64, f64>

// What is reduced stands in a register; a later call goes on with what there was.
// CHECK-LABEL: func.func @reduce(%length: index, %column: memref<?xf64>, %result: memref<f64>, %state: memref<?xindex>, %fresh: i1, %begin: index, %end: index)
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %acc = memref.alloca() {alignment = 8 : i64} : memref<1xf64>
// CHECK-NEXT:    scf.if %fresh {
// CHECK-NEXT:      %identity = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:      memref.store %identity, %acc[%0] : memref<1xf64>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %1 = memref.load %result[] : memref<f64>
// CHECK-NEXT:      memref.store %1, %acc[%0] : memref<1xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    %2 = arith.constant 1 : index
// CHECK-NEXT:    scf.for %row = %begin to %end step %2 {
// CHECK-NEXT:      %x = memref.load %column[%row] : memref<?xf64>
// CHECK-NEXT:      %3 = memref.load %acc[%0] : memref<1xf64>
// CHECK-NEXT:      %4 = arith.addf %3, %x fastmath<reassoc,contract> : f64
// CHECK-NEXT:      memref.store %4, %acc[%0] : memref<1xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    %5 = memref.load %acc[%0] : memref<1xf64>
// CHECK-NEXT:    memref.store %5, %result[] : memref<f64>
// CHECK-NEXT:    memref.store %end, %state[%0] : memref<?xindex>
// CHECK-NEXT:    func.return
func.func @reduce(%rows: !pairs) -> f64 {
  %s = multiloop.loop rows(%rows : !pairs) -> f64 {
  ^bb0(%k: i64, %x: f64, %sum: !multiloop.reduce<add : f64>):
    multiloop.emit %sum(%x : f64)
  }
  func.return %s : f64
}

// What each row emits once has the row's place.
// CHECK-LABEL: func.func @placed(%length: index, %column: memref<?xf64>, %c: f64, %column_1: memref<?xf64>, %state: memref<?xindex>, %fresh: i1, %begin: index, %end: index)
// CHECK-NEXT:    %0 = arith.constant 1 : index
// CHECK-NEXT:    scf.for %row = %begin to %end step %0 {
// CHECK-NEXT:      %x = memref.load %column[%row] : memref<?xf64>
// CHECK-NEXT:      %y = arith.mulf %x, %c : f64
// CHECK-NEXT:      memref.store %y, %column_1[%row] : memref<?xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    %1 = arith.constant 0 : index
// CHECK-NEXT:    memref.store %end, %state[%1] : memref<?xindex>
// CHECK-NEXT:    func.return
func.func @placed(%rows: !pairs, %c: f64) -> !rows {
  %r = multiloop.loop rows(%rows : !pairs) -> !rows {
  ^bb0(%k: i64, %x: f64, %all: !multiloop.collect<f64>):
    %y = arith.mulf %x, %c : f64
    multiloop.emit %all(%y : f64)
  }
  func.return %r : !rows
}

// What a row may emit is stored in any case, and counted if it does: without a jump.
// CHECK-LABEL: func.func @some(%length: index, %column: memref<?xf64>, %zero: f64, %column_1: memref<?xf64>, %state: memref<?xindex>, %fresh: i1, %begin: index, %end: index)
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %count = memref.alloca() {alignment = 8 : i64} : memref<1xindex>
// CHECK-NEXT:    scf.if %fresh {
// CHECK-NEXT:      memref.store %0, %count[%0] : memref<1xindex>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %1 = arith.constant 1 : index
// CHECK-NEXT:      %2 = memref.load %state[%1] : memref<?xindex>
// CHECK-NEXT:      memref.store %2, %count[%0] : memref<1xindex>
// CHECK-NEXT:    }
// CHECK-NEXT:    %3 = arith.constant 1 : index
// CHECK-NEXT:    scf.for %row = %begin to %end step %3 {
// CHECK-NEXT:      %x = memref.load %column[%row] : memref<?xf64>
// CHECK-NEXT:      %keep = arith.cmpf ogt, %x, %zero : f64
// CHECK-NEXT:      %y = arith.addf %x, %x : f64
// CHECK-NEXT:      %4 = memref.load %count[%0] : memref<1xindex>
// CHECK-NEXT:      memref.store %y, %column_1[%4] : memref<?xf64>
// CHECK-NEXT:      %5 = arith.extui %keep : i1 to i64
// CHECK-NEXT:      %6 = arith.index_cast %5 : i64 to index
// CHECK-NEXT:      %7 = arith.addi %4, %6 : index
// CHECK-NEXT:      memref.store %7, %count[%0] : memref<1xindex>
// CHECK-NEXT:    }
// CHECK-NEXT:    %8 = memref.load %count[%0] : memref<1xindex>
// CHECK-NEXT:    memref.store %8, %state[%3] : memref<?xindex>
// CHECK-NEXT:    memref.store %end, %state[%0] : memref<?xindex>
// CHECK-NEXT:    func.return
func.func @some(%rows: !rows, %zero: f64) -> !rows {
  %r = multiloop.loop rows(%rows : !rows) -> !rows {
  ^bb0(%x: f64, %all: !multiloop.collect<f64>):
    %keep = arith.cmpf ogt, %x, %zero : f64
    scf.if %keep {
      %y = arith.addf %x, %x : f64
      multiloop.emit %all(%y : f64)
    }
  }
  func.return %r : !rows
}
