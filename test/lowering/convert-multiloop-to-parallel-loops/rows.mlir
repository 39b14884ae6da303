// Loops with generators as loops whose iterations threads can share.
// RUN: diablo-opt %s -p convert-multiloop-to-parallel-loops,canonicalize,cse | filecheck %s

// Rows that some iterations emit: a scan says where each of them goes.
// CHECK-LABEL: func.func @kept(%length: index, %column: memref<?xi64>, %column_1: memref<?xf64>) -> (memref<?xi64>, index) {
// CHECK:         %column_2 = memref.alloc(%length) : memref<?xi64>
// CHECK:         %[[LAST:.*]] = scf.for %row = %{{.*}} to %length step %{{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (index) {
// CHECK-NEXT:      %at = memref.alloca() : memref<1xindex>
// CHECK-NEXT:      memref.store %[[BEFORE]], %at[
// CHECK:           scf.if %p {
// CHECK-NEXT:        %[[AT:.*]] = memref.load %at[
// CHECK-NEXT:        memref.store %k, %column_2[%[[AT]]] : memref<?xi64>
// CHECK:           scf.yield
// CHECK-NEXT:    } {simt.folds = ["add"], simt.apart}
// CHECK-NEXT:    %[[COUNT:.*]] = simt.look %[[LAST]] : index
// CHECK-NEXT:    func.return %column_2, %[[COUNT]] : memref<?xi64>, index
func.func @kept(%rows: !comprehension.bag<i64, f64>) -> !comprehension.bag<i64> {
  %zero = arith.constant 0.0 : f64
  %r = multiloop.loop rows(%rows : !comprehension.bag<i64, f64>) -> !comprehension.bag<i64> {
  ^bb0(%k: i64, %x: f64, %all: !multiloop.collect<i64>):
    %p = arith.cmpf ogt, %x, %zero : f64
    scf.if %p {
      multiloop.emit %all(%k : i64)
    }
  }
  func.return %r : !comprehension.bag<i64>
}

// Rows that match a key are a run of those in order. Where those begin that have equal first bits is
// in a directory; among these they are found by bisection. How many rows come of all is counted
// first.
// CHECK-LABEL: func.func @pairs(
// CHECK:         %[[ENDS:.*]], %{{.*}} = scf.for %place = %{{.*}} to %length
// CHECK:         %[[LEAST:.*]] = simt.look %[[ENDS]] : i64
// CHECK:         %keys = memref.alloc(%length) : memref<?xi64>
// CHECK:           arith.subi %{{.*}}, %[[LEAST]] : i64
// CHECK:         math.ctlz
// CHECK:         simt.sort %keys, %rows, %[[BITS:.*]] : memref<?xi64>, memref<?xindex>
// CHECK:         %[[OWN:.*]] = arith.minsi %{{.*}}, %[[BITS]] : index
// CHECK:         %[[REST:.*]] = arith.subi %[[BITS]], %[[OWN]] : index
// CHECK:         %[[SHIFT:.*]] = simt.look %[[REST]] : index
// CHECK:         scf.for %bucket
// CHECK:           arith.shli %bucket, %[[SHIFT]] : index
// CHECK:           memref.store %{{.*}}, %starts[%bucket] : memref<?xindex>
// CHECK:         %[[ALL:.*]] = scf.for %row
// CHECK-NOT:       memref.store %x
// CHECK:         } {simt.folds = ["add"]}
// CHECK-NEXT:    %[[ROOM:.*]] = simt.look %[[ALL]] : index
// CHECK-NEXT:    %column_2 = memref.alloc(%[[ROOM]]) : memref<?xf64>
// CHECK:           %[[LOW:.*]] = memref.load %starts[%{{.*}}] : memref<?xindex>
// CHECK:           scf.while (%{{.*}} = %[[LOW]],
// CHECK:             arith.cmpi ult
// CHECK:           scf.while
// CHECK:             arith.cmpi ule
// CHECK:           scf.for
// CHECK-NEXT:        %match = memref.load %rows[
// CHECK-NEXT:        %x = memref.load %column_1[%match] : memref<?xf64>
// CHECK:             memref.store %x, %column_2[
// CHECK:         } {simt.folds = ["add"], simt.apart}
func.func @pairs(%n: index, %rows: !comprehension.bag<i64, f64>) -> !comprehension.bag<f64> {
  %zero = arith.constant 0 : index
  %r = multiloop.loop range(%zero, %n : index, index) -> !comprehension.bag<f64> {
  ^bb0(%i: index, %all: !multiloop.collect<f64>):
    %key = arith.index_cast %i : index to i64
    multiloop.loop matches[0](%rows, %key : !comprehension.bag<i64, f64>, i64) {
    ^bb1(%l: i64, %x: f64):
      multiloop.emit %all(%x : f64)
    }
  }
  func.return %r : !comprehension.bag<f64>
}

// NaN is found by nothing, and rows that have the hash of several keys are looked at once more.
// CHECK-LABEL: func.func @by_floats(
// CHECK:         %[[NUMBER:.*]] = arith.cmpf ord, %y, %y : f64
// CHECK-NEXT:    arith.select %[[NUMBER]]
// CHECK:         scf.for %place
// CHECK:           %match = memref.load
// CHECK:           arith.cmpi eq
// CHECK:           arith.cmpi eq
// CHECK:           arith.andi
func.func @by_floats(%r: !comprehension.bag<f64>, %s: !comprehension.bag<f64, i64>) -> i64 {
  %n = multiloop.loop rows(%r : !comprehension.bag<f64>) -> i64 {
  ^bb0(%y: f64, %sum: !multiloop.reduce<add : i64>):
    %k = arith.constant 7 : i64
    multiloop.loop matches[0, 1](%s, %y, %k : !comprehension.bag<f64, i64>, f64, i64) {
    ^bb1(%a: f64, %b: i64):
      multiloop.emit %sum(%b : i64)
    }
  }
  func.return %n : i64
}

// Groups: integer keys that lie close together have a place each, where rows meet; places that some
// row has are groups. Other rows are sorted by key, and those of one are folded in their order. `any`
// is the last either way.
// CHECK-LABEL: func.func @groups(
// CHECK:         scf.for %row
// CHECK:         %[[LEAST:.*]] = simt.look %{{.*}} : i64
// CHECK-NEXT:    %[[GREATEST:.*]] = simt.look %{{.*}} : i64
// CHECK:         arith.subi %[[GREATEST]], %[[LEAST]] : i64
// CHECK:         %[[FITS:.*]] = arith.andi
// CHECK:         %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} = scf.if %[[FITS]]
// CHECK:           scf.for %[[P:.*]] = %{{.*}} to %[[PLACES:.*]] step
// CHECK:             memref.store %{{.*}}, %table[%[[P]]] : memref<?xi64>
// CHECK:             memref.store %{{.*}}, %table_1[%[[P]]] : memref<?xf64>
// CHECK:           scf.for %row{{.*}} to %length
// CHECK:             scf.if %[[IN:.*]] {
// CHECK-NEXT:          memref.load %table[
// CHECK-NEXT:          arith.maxsi
// CHECK:             scf.if %[[IN]] {
// CHECK-NEXT:          memref.load %table_1[
// CHECK-NEXT:          arith.addf %{{.*}} fastmath<reassoc,contract> : f64
// CHECK:           %[[ALL:.*]] = scf.for %place{{.*}} to %[[PLACES]]
// CHECK:             scf.if
// CHECK:               memref.store
// CHECK:           } {simt.folds = ["add"], simt.apart}
// CHECK-NEXT:      %[[MANY:.*]] = simt.look %[[ALL]] : index
// CHECK-NEXT:      scf.yield %{{.*}}, %{{.*}}, %{{.*}}, %[[MANY]]
// CHECK-NEXT:    } else {
// CHECK:           simt.sort %keys, %rows
// CHECK:           %[[GROUPS:.*]] = scf.for %place
// CHECK:             scf.if %{{.*}} {
// CHECK-NEXT:          memref.store %place{{.*}}, %starts[
// CHECK:           } {simt.folds = ["add"], simt.apart}
// CHECK-NEXT:      %[[KNOWN:.*]] = simt.look %[[GROUPS]] : index
// CHECK-NEXT:      memref.store %length, %starts[%[[KNOWN]]]
// CHECK:           scf.for %group = %{{.*}} to %[[KNOWN]] step %{{.*}} {
// CHECK:             %[[SUM:.*]] = scf.for
// CHECK:               arith.addf
// CHECK:             } {simt.folds = ["add"]}
// CHECK-NEXT:        memref.store %{{.*}}, %[[K:.*]][%group] : memref<?xi64>
// CHECK-NEXT:        memref.store %[[SUM]], %[[S:.*]][%group] : memref<?xf64>
// CHECK-NEXT:        memref.store %{{.*}}, %[[X:.*]][%group] : memref<?xf64>
// CHECK:           scf.yield %[[K]], %[[S]], %[[X]], %[[KNOWN]]
func.func @groups(%rows: !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64, f64> {
  %r = multiloop.loop rows(%rows : !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64, f64> {
  ^bb0(%k: i64, %x: f64, %all: !multiloop.bucket_reduce<[i64], add : f64, any : f64>):
    multiloop.emit %all[%k : i64](%x, %x : f64, f64)
  }
  func.return %r : !comprehension.bag<i64, f64, f64>
}

// Floats that are no integers have no places of their own, and what memory does not combine in one
// step is folded in order.
// CHECK-LABEL: func.func @ordered_groups(
// CHECK-NOT:     scf.if %{{.*}} -> (
// CHECK:         simt.sort %keys, %rows
// CHECK-LABEL: func.func @multiplied_groups(
// CHECK-NOT:     scf.if %{{.*}} -> (
// CHECK:         simt.sort %keys, %rows
func.func @ordered_groups(%rows: !comprehension.bag<f64, i64>) -> !comprehension.bag<f64, i64> {
  %r = multiloop.loop rows(%rows : !comprehension.bag<f64, i64>) -> !comprehension.bag<f64, i64> {
  ^bb0(%k: f64, %x: i64, %all: !multiloop.bucket_reduce<[f64], add : i64>):
    multiloop.emit %all[%k : f64](%x : i64)
  }
  func.return %r : !comprehension.bag<f64, i64>
}
func.func @multiplied_groups(%rows: !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64> {
  %r = multiloop.loop rows(%rows : !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64> {
  ^bb0(%k: i64, %x: f64, %all: !multiloop.bucket_reduce<[i64], mul : f64>):
    multiloop.emit %all[%k : i64](%x : f64)
  }
  func.return %r : !comprehension.bag<i64, f64>
}

// What is folded is left in memory of one element.
// CHECK-LABEL: func.func @total(%length: index, %column: memref<?xf64>) -> memref<f64> {
// CHECK-NEXT:    %result = memref.alloc() : memref<f64>
// CHECK:         %[[MAX:.*]] = scf.for
// CHECK:         } {simt.folds = ["max"]}
// CHECK-NEXT:    memref.store %[[MAX]], %result[] : memref<f64>
func.func @total(%rows: !comprehension.bag<f64>) -> f64 {
  %r = multiloop.loop rows(%rows : !comprehension.bag<f64>) -> f64 {
  ^bb0(%x: f64, %all: !multiloop.reduce<max : f64>):
    multiloop.emit %all(%x : f64)
  }
  func.return %r : f64
}

// Scans and what hangs on them are one loop, which carries what they have folded.
// CHECK-LABEL: func.func @scans(
// CHECK:         %vector = memref.alloc(%[[N:.*]]) : memref<?xf64>
// CHECK:         %[[ALL:.*]], %{{.*}} = scf.for %row = %{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (i64, f64) {
// CHECK-NOT:       arith.addf
// CHECK:           memref.store %h, %vector[%row] : memref<?xf64>
// CHECK:         } {simt.folds = ["add", "max"], simt.apart}
// CHECK-NEXT:    %result = memref.alloc() : memref<i64>
// CHECK-NEXT:    memref.store %[[ALL]], %result[] : memref<i64>
// CHECK-NEXT:    %column = memref.alloc(%[[N]]) : memref<?xf64>
// CHECK-NEXT:    scf.for %row_1 = %{{.*}} {
// CHECK:           memref.store %f, %column[%row_1] : memref<?xf64>
// CHECK-NEXT:    } {simt.apart}
// CHECK:         func.return %column, %[[N]], %vector, %[[N]], %result
func.func @scans(%n: index, %x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, i64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %d, %v, %k, %m = multiloop.loop range(%zero, %n : index, index)
      -> tensor<?xf64>, tensor<?xf64>, i64, f64 {
  ^bb0(%i: index, %double: !multiloop.place<f64>, %vector: !multiloop.place<f64>,
       %count: !multiloop.scan<add : i64>, %maxima: !multiloop.scan<max : f64>):
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %f = arith.addf %e, %e : f64
    multiloop.emit %double[%i : index](%f : f64)
    %most = multiloop.emit %maxima(%e : f64)
    %number = multiloop.emit %count(%one : i64)
    %g = arith.sitofp %number : i64 to f64
    %h = arith.divf %most, %g : f64
    multiloop.emit %vector[%i : index](%h : f64)
  }
  func.return %d, %v, %k : tensor<?xf64>, tensor<?xf64>, i64
}

// Where a scan, a fold or some rows hang on it, what a scan gives each row is stored first.
// CHECK-LABEL: func.func @recorded(
// CHECK:         %so_far = memref.alloc(%length) : memref<?xf64>
// CHECK:         scf.for %row = %{{.*}} iter_args
// CHECK:           memref.store %{{.*}}, %so_far[%row] : memref<?xf64>
// CHECK:         } {simt.folds = ["add"], simt.apart}
// CHECK-NEXT:    %so_far_1 = memref.alloc(%length) : memref<?xf64>
// CHECK:         scf.for %row_1 = %{{.*}} iter_args
// CHECK:           %[[SUM:.*]] = memref.load %so_far[%row_1] : memref<?xf64>
// CHECK:           memref.store %{{.*}}, %so_far_1[%row_1] : memref<?xf64>
// CHECK:         } {simt.folds = ["max"], simt.apart}
// CHECK:         scf.for %row_2
// CHECK:           memref.load %so_far_1[%row_2] : memref<?xf64>
// CHECK:         } {simt.folds = ["add"], simt.apart}
func.func @recorded(%rows: !comprehension.bag<f64>, %zero: f64) -> !comprehension.bag<f64> {
  %some, %a, %b = multiloop.loop rows(%rows : !comprehension.bag<f64>) -> !comprehension.bag<f64>, f64, f64 {
  ^bb0(%x: f64, %all: !multiloop.collect<f64>, %maxima: !multiloop.scan<max : f64>,
       %sums: !multiloop.scan<add : f64>):
    %sum = multiloop.emit %sums(%x : f64)
    %most = multiloop.emit %maxima(%sum : f64)
    %positive = arith.cmpf ogt, %most, %zero : f64
    scf.if %positive {
      multiloop.emit %all(%most : f64)
    }
  }
  func.return %some : !comprehension.bag<f64>
}

// Complex numbers meet in two tables, one for each part; sorted rows are folded as they are.
// CHECK-LABEL: func.func @complex_sums(
// CHECK:         scf.if
// CHECK:           %[[RE:table.*]] = memref.alloc({{.*}}) : memref<?xf64>
// CHECK-NEXT:      %[[IM:table.*]] = memref.alloc({{.*}}) : memref<?xf64>
// CHECK:           complex.re
// CHECK:           complex.im
// CHECK:           memref.store {{.*}}, %[[RE]][
// CHECK:           memref.store {{.*}}, %[[IM]][
// CHECK:           complex.create
// CHECK:           memref.store {{.*}} : memref<?xcomplex<f64>>
// CHECK:         simt.sort
// CHECK:           complex.add
func.func @complex_sums(%rows: !comprehension.bag<i64, complex<f64>>) -> !comprehension.bag<i64, complex<f64>> {
  %r = multiloop.loop rows(%rows : !comprehension.bag<i64, complex<f64>>) -> !comprehension.bag<i64, complex<f64>> {
  ^bb0(%k: i64, %x: complex<f64>, %sums: !multiloop.bucket_reduce<[i64], add : complex<f64>>):
    multiloop.emit %sums[%k : i64](%x : complex<f64>)
  }
  func.return %r : !comprehension.bag<i64, complex<f64>>
}
