// How emits in branches, in loops within the loop, and to buckets are written.
// RUN: diablo-opt %s -p convert-multiloop-to-loops,cse | filecheck %s

!rows = !comprehension.bag<f64>
!pairs = !comprehension.bag<i64, f64>

// Rows are made as long as there is room for those of another row.
// CHECK-LABEL: func.func @twice(%length: index, %column: memref<?xf64>, %column_1: memref<?xf64>, %state: memref<?xindex>, %fresh: i1, %begin: index, %end: index)
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
// CHECK-NEXT:    %4 = arith.addi %0, %3 : index
// CHECK-NEXT:    %5 = arith.addi %4, %3 : index
// CHECK-NEXT:    %6 = arith.maxsi %5, %3 : index
// CHECK-NEXT:    %7, %8 = scf.while (%9 = %begin) : (index) -> (index, index) {
// CHECK-NEXT:      %10 = arith.subi %end, %9 : index
// CHECK-NEXT:      %11 = arith.cmpi sgt, %10, %0 : index
// CHECK-NEXT:      %12 = memref.dim %column_1, %0 : memref<?xf64>
// CHECK-NEXT:      %13 = memref.load %count[%0] : memref<1xindex>
// CHECK-NEXT:      %14 = arith.subi %12, %13 : index
// CHECK-NEXT:      %15 = arith.divsi %14, %6 : index
// CHECK-NEXT:      %16 = arith.minsi %10, %15 : index
// CHECK-NEXT:      %17 = arith.constant 8 : index
// CHECK-NEXT:      %18 = arith.muli %14, %17 : index
// CHECK-NEXT:      %19 = arith.cmpi sge, %15, %10 : index
// CHECK-NEXT:      %20 = arith.cmpi sge, %18, %12 : index
// CHECK-NEXT:      %21 = arith.ori %19, %20 : i1
// CHECK-NEXT:      %22 = arith.andi %11, %21 : i1
// CHECK-NEXT:      %23 = arith.cmpi sgt, %16, %0 : index
// CHECK-NEXT:      %24 = arith.andi %22, %23 : i1
// CHECK-NEXT:      %25 = arith.addi %9, %16 : index
// CHECK-NEXT:      scf.condition(%24) %9, %25 : index, index
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb{{.*}}(%26: index, %27: index):
// CHECK-NEXT:      scf.for %row = %26 to %27 step %3 {
// CHECK-NEXT:        %x = memref.load %column[%row] : memref<?xf64>
// CHECK-NEXT:        %28 = memref.load %count[%0] : memref<1xindex>
// CHECK-NEXT:        memref.store %x, %column_1[%28] : memref<?xf64>
// CHECK-NEXT:        %29 = arith.addi %28, %3 : index
// CHECK-NEXT:        memref.store %29, %count[%0] : memref<1xindex>
// CHECK-NEXT:        %y = arith.negf %x : f64
// CHECK-NEXT:        %30 = memref.load %count[%0] : memref<1xindex>
// CHECK-NEXT:        memref.store %y, %column_1[%30] : memref<?xf64>
// CHECK-NEXT:        %31 = arith.addi %30, %3 : index
// CHECK-NEXT:        memref.store %31, %count[%0] : memref<1xindex>
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.yield %27 : index
// CHECK-NEXT:    }
// CHECK-NEXT:    %32 = memref.load %count[%0] : memref<1xindex>
// CHECK-NEXT:    memref.store %32, %state[%3] : memref<?xindex>
// CHECK-NEXT:    memref.store %7, %state[%0] : memref<?xindex>
// CHECK-NEXT:    func.return
func.func @twice(%rows: !rows) -> !rows {
  %r = multiloop.loop rows(%rows : !rows) -> !rows {
  ^bb0(%x: f64, %all: !multiloop.collect<f64>):
    multiloop.emit %all(%x : f64)
    %y = arith.negf %x : f64
    multiloop.emit %all(%y : f64)
  }
  func.return %r : !rows
}

// Pairs may be more than there is room for: a row is taken back then.
// CHECK-LABEL: func.func @pairs(
// CHECK:         scf.while
// CHECK:           [[BEFORE:%.+]] = memref.load %count
// CHECK:           scf.for %row{{.*}} to %length_1
// CHECK:             %y = memref.load
// CHECK:             [[PLACE:%.+]] = memref.load %count
// CHECK:             [[SIZE:%.+]] = memref.dim %column
// CHECK-NEXT:        [[ROOM:%.+]] = arith.cmpi slt, [[PLACE]], [[SIZE]]
// CHECK-NEXT:        scf.if [[ROOM]] {
// CHECK-NEXT:          memref.store %x
// CHECK-NEXT:          memref.store %y
// CHECK:           [[OVER:%.+]] = arith.cmpi slt
// CHECK-NEXT:      scf.if [[OVER]] {
// CHECK-NEXT:        memref.store [[BEFORE]], %count
func.func @pairs(%left: !rows, %right: !rows) -> !comprehension.bag<f64, f64> {
  %r = multiloop.loop rows(%left : !rows) -> !comprehension.bag<f64, f64> {
  ^bb0(%x: f64, %all: !multiloop.collect<f64, f64>):
    multiloop.loop rows(%right : !rows) {
    ^bb1(%y: f64):
      multiloop.emit %all(%x, %y : f64, f64)
    }
  }
  func.return %r : !comprehension.bag<f64, f64>
}

// A function is not called in any case, as it costs more than a jump does.
// CHECK-LABEL: func.func @branch(%length: index, %column: memref<?xf64>, %zero: f64, %column_1: memref<?xf64>, %state: memref<?xindex>, %fresh: i1, %begin: index, %end: index)
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
// CHECK-NEXT:      scf.if %keep {
// CHECK-NEXT:        %y = math.log %x : f64
// CHECK-NEXT:        %4 = memref.load %count[%0] : memref<1xindex>
// CHECK-NEXT:        memref.store %y, %column_1[%4] : memref<?xf64>
// CHECK-NEXT:        %5 = arith.addi %4, %3 : index
// CHECK-NEXT:        memref.store %5, %count[%0] : memref<1xindex>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    %6 = memref.load %count[%0] : memref<1xindex>
// CHECK-NEXT:    memref.store %6, %state[%3] : memref<?xindex>
// CHECK-NEXT:    memref.store %end, %state[%0] : memref<?xindex>
// CHECK-NEXT:    func.return
func.func @branch(%rows: !rows, %zero: f64) -> !rows {
  %r = multiloop.loop rows(%rows : !rows) -> !rows {
  ^bb0(%x: f64, %all: !multiloop.collect<f64>):
    %keep = arith.cmpf ogt, %x, %zero : f64
    scf.if %keep {
      %y = math.log %x : f64
      multiloop.emit %all(%y : f64)
    }
  }
  func.return %r : !rows
}

// What is folded on a condition is the value or the identity, so that several rows are folded side
// by side; so it is in a loop for each row.
// CHECK-LABEL: func.func @folded(
// CHECK:             %less = arith.cmpf olt, %z, %{{.+}} : f64
// CHECK:             arith.select %less, %z, %{{.+}} : f64
// CHECK:           %keep = arith.cmpf ogt, %{{.+}}, %zero : f64
// CHECK-NEXT:      %y = arith.mulf %{{.+}}, %{{.+}} : f64
// CHECK:           [[NONE:%.+]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:      [[SOME:%.+]] = arith.select %keep, %y, [[NONE]] : f64
// CHECK-NEXT:      [[SUM:%.+]] = memref.load %acc
// CHECK-NEXT:      [[MORE:%.+]] = arith.addf [[SUM]], [[SOME]] fastmath<reassoc,contract> : f64
// CHECK-NEXT:      memref.store [[MORE]], %acc
// CHECK-NEXT:      [[LEAST:%.+]] = arith.constant 0xfff0000000000000 : f64
// CHECK-NEXT:      [[OTHER:%.+]] = arith.select %keep, %{{.+}}, [[LEAST]] : f64
// CHECK:           arith.maximumf {{.+}}, [[OTHER]]
func.func @folded(%rows: !rows, %zero: f64) -> (f64, f64, f64) {
  %s, %m, %t = multiloop.loop rows(%rows : !rows) -> f64, f64, f64 {
  ^bb0(%x: f64, %sum: !multiloop.reduce<add : f64>, %most: !multiloop.reduce<max : f64>,
       %all: !multiloop.reduce<add : f64>):
    %keep = arith.cmpf ogt, %x, %zero : f64
    scf.if %keep {
      %y = arith.mulf %x, %x : f64
      multiloop.emit %sum(%y : f64)
      multiloop.emit %most(%x : f64)
    }
    %u = multiloop.loop rows(%rows : !rows) -> f64 {
    ^bb0(%z: f64, %inner: !multiloop.reduce<add : f64>):
      %less = arith.cmpf olt, %z, %x : f64
      scf.if %less {
        multiloop.emit %inner(%z : f64)
      }
    }
    multiloop.emit %all(%u : f64)
  }
  func.return %s, %m, %t : f64, f64, f64
}

// A monoid of the program's own is asked for no more than the program says.
// CHECK-LABEL: func.func @own(
// CHECK:           %keep = arith.cmpf
// CHECK-NEXT:      scf.if %keep {
comprehension.monoid @last : f64 identity 0.0 {
^bb0(%a: f64, %b: f64):
  comprehension.yield %b
}
func.func @own(%rows: !rows, %zero: f64) -> f64 {
  %s = multiloop.loop rows(%rows : !rows) -> f64 {
  ^bb0(%x: f64, %sum: !multiloop.reduce<@last : f64>):
    %keep = arith.cmpf ogt, %x, %zero : f64
    scf.if %keep {
      multiloop.emit %sum(%x : f64)
    }
  }
  func.return %s : f64
}

// A branch stays as well where it has another side.
// CHECK-LABEL: func.func @two_sides(%length: index, %column: memref<?xf64>, %zero: f64, %column_1: memref<?xf64>, %result: memref<f64>, %state: memref<?xindex>, %fresh: i1, %begin: index, %end: index)
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %count = memref.alloca() {alignment = 8 : i64} : memref<1xindex>
// CHECK-NEXT:    scf.if %fresh {
// CHECK-NEXT:      memref.store %0, %count[%0] : memref<1xindex>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %1 = arith.constant 1 : index
// CHECK-NEXT:      %2 = memref.load %state[%1] : memref<?xindex>
// CHECK-NEXT:      memref.store %2, %count[%0] : memref<1xindex>
// CHECK-NEXT:    }
// CHECK-NEXT:    %acc = memref.alloca() {alignment = 8 : i64} : memref<1xf64>
// CHECK-NEXT:    scf.if %fresh {
// CHECK-NEXT:      %identity = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:      memref.store %identity, %acc[%0] : memref<1xf64>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %3 = memref.load %result[] : memref<f64>
// CHECK-NEXT:      memref.store %3, %acc[%0] : memref<1xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    %4 = arith.constant 1 : index
// CHECK-NEXT:    scf.for %row = %begin to %end step %4 {
// CHECK-NEXT:      %x = memref.load %column[%row] : memref<?xf64>
// CHECK-NEXT:      %keep = arith.cmpf ogt, %x, %zero : f64
// CHECK-NEXT:      scf.if %keep {
// CHECK-NEXT:        %5 = memref.load %count[%0] : memref<1xindex>
// CHECK-NEXT:        memref.store %x, %column_1[%5] : memref<?xf64>
// CHECK-NEXT:        %6 = arith.addi %5, %4 : index
// CHECK-NEXT:        memref.store %6, %count[%0] : memref<1xindex>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %7 = memref.load %acc[%0] : memref<1xf64>
// CHECK-NEXT:        %8 = arith.addf %7, %x fastmath<reassoc,contract> : f64
// CHECK-NEXT:        memref.store %8, %acc[%0] : memref<1xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    %9 = memref.load %count[%0] : memref<1xindex>
// CHECK-NEXT:    memref.store %9, %state[%4] : memref<?xindex>
// CHECK-NEXT:    %10 = memref.load %acc[%0] : memref<1xf64>
// CHECK-NEXT:    memref.store %10, %result[] : memref<f64>
// CHECK-NEXT:    memref.store %end, %state[%0] : memref<?xindex>
// CHECK-NEXT:    func.return
func.func @two_sides(%rows: !rows, %zero: f64) -> (!rows, f64) {
  %r, %t = multiloop.loop rows(%rows : !rows) -> !rows, f64 {
  ^bb0(%x: f64, %all: !multiloop.collect<f64>, %sum: !multiloop.reduce<add : f64>):
    %keep = arith.cmpf ogt, %x, %zero : f64
    scf.if %keep {
      multiloop.emit %all(%x : f64)
    } else {
      multiloop.emit %sum(%x : f64)
    }
  }
  func.return %r, %t : !rows, f64
}

// The integers of a range, and elements of an array.
// CHECK-LABEL: func.func @elements(%v: memref<?xf64>, %column: memref<?xindex>, %column_1: memref<?xf64>, %state: memref<?xindex>, %fresh: i1, %begin: index, %end: index)
// CHECK-NEXT:    %zero = arith.constant 0 : index
// CHECK-NEXT:    %0 = arith.constant 1 : index
// CHECK-NEXT:    scf.for %row = %begin to %end step %0 {
// CHECK-NEXT:      %index = arith.addi %zero, %row : index
// CHECK-NEXT:      %x = memref.load %v[%index] : memref<?xf64>
// CHECK-NEXT:      memref.store %index, %column[%row] : memref<?xindex>
// CHECK-NEXT:      memref.store %x, %column_1[%row] : memref<?xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.store %end, %state[%zero] : memref<?xindex>
// CHECK-NEXT:    func.return
func.func @elements(%v: tensor<?xf64>) -> !comprehension.bag<index, f64> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %v, %zero : tensor<?xf64>
  %r = multiloop.loop range(%zero, %n : index, index) -> !comprehension.bag<index, f64> {
  ^bb0(%i: index, %all: !multiloop.collect<index, f64>):
    %x = tensor.extract %v[%i] : tensor<?xf64>
    multiloop.emit %all(%i, %x : index, f64)
  }
  func.return %r : !comprehension.bag<index, f64>
}

// A loop for each row that reduces: its register begins anew.
// CHECK-LABEL: func.func @inner_sum(%length: index, %column: memref<?xindex>, %result: memref<i64>, %state: memref<?xindex>, %fresh: i1, %begin: index, %end: index)
// CHECK-NEXT:    %zero = arith.constant 0 : index
// CHECK-NEXT:    %acc = memref.alloca() {alignment = 8 : i64} : memref<1xi64>
// CHECK-NEXT:    scf.if %fresh {
// CHECK-NEXT:      %identity = arith.constant -9223372036854775808 : i64
// CHECK-NEXT:      memref.store %identity, %acc[%zero] : memref<1xi64>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %0 = memref.load %result[] : memref<i64>
// CHECK-NEXT:      memref.store %0, %acc[%zero] : memref<1xi64>
// CHECK-NEXT:    }
// CHECK-NEXT:    %acc_1 = memref.alloca() {alignment = 8 : i64} : memref<1xi64>
// CHECK-NEXT:    %1 = arith.constant 1 : index
// CHECK-NEXT:    scf.for %row = %begin to %end step %1 {
// CHECK-NEXT:      %n = memref.load %column[%row] : memref<?xindex>
// CHECK-NEXT:      %identity_1 = arith.constant 0 : i64
// CHECK-NEXT:      memref.store %identity_1, %acc_1[%zero] : memref<1xi64>
// CHECK-NEXT:      %2 = arith.subi %n, %zero : index
// CHECK-NEXT:      %3 = arith.maxsi %2, %zero : index
// CHECK-NEXT:      scf.for %row_1 = %zero to %3 step %1 {
// CHECK-NEXT:        %index = arith.addi %zero, %row_1 : index
// CHECK-NEXT:        %k = arith.index_cast %index : index to i64
// CHECK-NEXT:        %4 = memref.load %acc_1[%zero] : memref<1xi64>
// CHECK-NEXT:        %5 = arith.addi %4, %k : i64
// CHECK-NEXT:        memref.store %5, %acc_1[%zero] : memref<1xi64>
// CHECK-NEXT:      }
// CHECK-NEXT:      %6 = memref.load %acc_1[%zero] : memref<1xi64>
// CHECK-NEXT:      %7 = memref.load %acc[%zero] : memref<1xi64>
// CHECK-NEXT:      %8 = arith.maxsi %7, %6 : i64
// CHECK-NEXT:      memref.store %8, %acc[%zero] : memref<1xi64>
// CHECK-NEXT:    }
// CHECK-NEXT:    %9 = memref.load %acc[%zero] : memref<1xi64>
// CHECK-NEXT:    memref.store %9, %result[] : memref<i64>
// CHECK-NEXT:    memref.store %end, %state[%zero] : memref<?xindex>
// CHECK-NEXT:    func.return
func.func @inner_sum(%rows: !comprehension.bag<index>) -> i64 {
  %zero = arith.constant 0 : index
  %r = multiloop.loop rows(%rows : !comprehension.bag<index>) -> i64 {
  ^bb0(%n: index, %most: !multiloop.reduce<max : i64>):
    %s = multiloop.loop range(%zero, %n : index, index) -> i64 {
    ^bb1(%i: index, %sum: !multiloop.reduce<add : i64>):
      %k = arith.index_cast %i : index to i64
      multiloop.emit %sum(%k : i64)
    }
    multiloop.emit %most(%s : i64)
  }
  func.return %r : i64
}

// A tuple is its parts: the nearest of some centers, by a monoid of the program's own.
comprehension.monoid @nearer : tuple<i64, f64> identity [-1, 1.0e9 : f64] {
^bb0(%a: tuple<i64, f64>, %b: tuple<i64, f64>):
  %i, %d = comprehension.unpack %a : tuple<i64, f64>
  %j, %e = comprehension.unpack %b : tuple<i64, f64>
  %less = arith.cmpf ole, %d, %e : f64
  %r = arith.select %less, %a, %b : tuple<i64, f64>
  comprehension.yield %r
}
// CHECK-LABEL: func.func @nearest(%length: index, %column: memref<?xf64>, %length_1: index, %column_1: memref<?xi64>, %column_2: memref<?xf64>, %column_3: memref<?xi64>, %state: memref<?xindex>, %fresh: i1, %begin: index, %end: index)
// CHECK:         %acc = memref.alloca() {{.*}} : memref<256xi64>
// CHECK:         %acc_1 = memref.alloca() {{.*}} : memref<256xf64>
// CHECK:         scf.for %strip = %begin to %end
// CHECK:           scf.for %{{.+}} to %length_1
// CHECK-NEXT:        scf.for %[[ROW:.+]] = %strip to
// CHECK:               %[[K:.+]] = memref.load %column_1[
// CHECK-NEXT:          %[[C:.+]] = memref.load %column_2[
// CHECK-NEXT:          %[[D:.+]] = arith.subf %{{.+}}, %[[C]] : f64
// CHECK-NEXT:          %[[A:.+]] = math.absf %[[D]] : f64
// CHECK-NEXT:          %[[I:.+]] = memref.load %acc[
// CHECK-NEXT:          %[[E:.+]] = memref.load %acc_1[
// CHECK-NEXT:          %[[LESS:.+]] = arith.cmpf ole, %[[E]], %[[A]] : f64
// CHECK-NEXT:          %[[R:.+]] = arith.select %[[LESS]], %[[I]], %[[K]] : i64
// CHECK-NEXT:          %[[S:.+]] = arith.select %[[LESS]], %[[E]], %[[A]] : f64
// CHECK-NEXT:          memref.store %[[R]], %acc[
// CHECK-NEXT:          memref.store %[[S]], %acc_1[
// CHECK:           scf.for %{{.+}} = %strip to
// CHECK:             %[[NEAR:.+]] = memref.load %acc[
// CHECK:             memref.store %[[NEAR]], %column_3[
func.func @nearest(%points: !rows, %centers: !pairs) -> !comprehension.bag<i64> {
  %r = multiloop.loop rows(%points : !rows) -> !comprehension.bag<i64> {
  ^bb0(%x: f64, %all: !multiloop.collect<i64>):
    %least = multiloop.loop rows(%centers : !pairs) -> tuple<i64, f64> {
    ^bb1(%k: i64, %c: f64, %best: !multiloop.reduce<@nearer : tuple<i64, f64>>):
      %d = arith.subf %x, %c : f64
      %a = math.absf %d : f64
      %t = comprehension.pack %k, %a : tuple<i64, f64>
      multiloop.emit %best(%t : tuple<i64, f64>)
    }
    %i, %e = comprehension.unpack %least : tuple<i64, f64>
    multiloop.emit %all(%i : i64)
  }
  func.return %r : !comprehension.bag<i64>
}
