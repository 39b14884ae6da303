// RUN: diablo-opt %s -p convert-multiloop-to-loops --split-input-file | filecheck %s

// The nearest of some places to each row: the places are gone through outside, for a strip of rows,
// so that neighbouring rows are a vector, four of them at each row.
func.func @nearest(%rows: !comprehension.bag<f64>, %places: !comprehension.bag<f64>) -> !comprehension.bag<f64> {
  %r = multiloop.loop rows(%rows : !comprehension.bag<f64>) -> !comprehension.bag<f64> {
  ^bb0(%x: f64, %all: !multiloop.collect<f64>):
    %s = math.sqrt %x : f64
    %least = multiloop.loop rows(%places : !comprehension.bag<f64>) -> f64 {
    ^bb1(%p: f64, %g: !multiloop.reduce<min : f64>):
      %d = arith.subf %s, %p : f64
      multiloop.emit %g(%d : f64)
    }
    multiloop.emit %all(%least : f64)
  }
  func.return %r : !comprehension.bag<f64>
}
// CHECK-LABEL: func.func @nearest(%length: index, %column: memref<?xf64>, %length_1: index, %column_1: memref<?xf64>
// CHECK:         %acc = memref.alloca() {{.*}} : memref<256xf64>
// CHECK:         %s = memref.alloca() {{.*}} : memref<256xf64>
// CHECK:         scf.for %strip = %begin to %end step
// CHECK:           scf.for %row = %strip to
// CHECK:             %[[S:.*]] = math.sqrt
// CHECK:             memref.store %[[S]], %s[
// CHECK:             memref.store %{{.*}}, %acc[
// CHECK:           %[[FOURS:.*]] = arith.andi %length_1,
// CHECK:           %[[FOUR:.*]] = arith.constant 4
// CHECK-NEXT:      scf.for %{{.*}} = %{{.*}} to %[[FOURS]] step %[[FOUR]] {
// CHECK:             scf.for %row{{.*}} = %strip to
// CHECK:               memref.load %s[
// CHECK-COUNT-4:       arith.minimumf
// CHECK:           scf.for %{{.*}} = %[[FOURS]] to %length_1
// CHECK:             scf.for %row{{.*}} = %strip to
// CHECK:               memref.load %s[
// CHECK:               memref.load %column_1[
// CHECK:               arith.minimumf
// CHECK:           scf.for %row{{.*}} = %strip to
// CHECK:             memref.load %acc[

// -----

// A number that bounds the inner loop is the same for all rows, though it stands in their body.
func.func @from_one(%rows: !comprehension.bag<f64>, %n: index) -> !comprehension.bag<f64> {
  %r = multiloop.loop rows(%rows : !comprehension.bag<f64>) -> !comprehension.bag<f64> {
  ^bb0(%x: f64, %all: !multiloop.collect<f64>):
    %first = arith.constant 1 : index
    %sum = multiloop.loop range(%first, %n : index, index) -> f64 {
    ^bb1(%k: index, %g: !multiloop.reduce<add : f64>):
      %i = arith.index_cast %k : index to i64
      %f = arith.sitofp %i : i64 to f64
      %d = arith.mulf %x, %f : f64
      multiloop.emit %g(%d : f64)
    }
    multiloop.emit %all(%sum : f64)
  }
  func.return %r : !comprehension.bag<f64>
}
// CHECK-LABEL: func.func @from_one
// CHECK:         %first = arith.constant 1 : index
// CHECK:         scf.for %strip = %begin to %end step
// CHECK:           %[[TRIPS:.*]] = arith.subi %n, %first

// -----

// A fold that needs what another one has come to is done behind it.
func.func @spread(%rows: !comprehension.bag<f64>, %places: !comprehension.bag<f64>) -> !comprehension.bag<f64> {
  %r = multiloop.loop rows(%rows : !comprehension.bag<f64>) -> !comprehension.bag<f64> {
  ^bb0(%x: f64, %all: !multiloop.collect<f64>):
    %least = multiloop.loop rows(%places : !comprehension.bag<f64>) -> f64 {
    ^bb1(%p: f64, %g: !multiloop.reduce<min : f64>):
      %d = arith.subf %x, %p : f64
      multiloop.emit %g(%d : f64)
    }
    %twice = arith.addf %least, %least : f64
    %sum = multiloop.loop rows(%places : !comprehension.bag<f64>) -> f64 {
    ^bb2(%q: f64, %h: !multiloop.reduce<add : f64>):
      %e = arith.subf %q, %twice : f64
      multiloop.emit %h(%e : f64)
    }
    multiloop.emit %all(%sum : f64)
  }
  func.return %r : !comprehension.bag<f64>
}
// CHECK-LABEL: func.func @spread
// CHECK:         scf.for %strip
// CHECK:           arith.minimumf
// CHECK:           scf.for %row{{.*}} = %strip
// CHECK:             arith.addf
// CHECK:           scf.for %{{.*}} to %length_1
// CHECK:             scf.for %row{{.*}} = %strip

// -----

// Held back: as many terms as the row says, and elements that lie elsewhere for each row.
func.func @other_bounds(%rows: !comprehension.bag<index>) -> !comprehension.bag<index> {
  %r = multiloop.loop rows(%rows : !comprehension.bag<index>) -> !comprehension.bag<index> {
  ^bb0(%x: index, %all: !multiloop.collect<index>):
    %zero = arith.constant 0 : index
    %sum = multiloop.loop range(%zero, %x : index, index) -> index {
    ^bb1(%p: index, %g: !multiloop.reduce<add : index>):
      multiloop.emit %g(%p : index)
    }
    multiloop.emit %all(%sum : index)
  }
  func.return %r : !comprehension.bag<index>
}
// CHECK-LABEL: func.func @other_bounds
// CHECK-NOT:     %strip
func.func @row_of_matrix(%rows: !comprehension.bag<index>, %A: tensor<?x?xf64>, %n: index) -> !comprehension.bag<f64> {
  %r = multiloop.loop rows(%rows : !comprehension.bag<index>) -> !comprehension.bag<f64> {
  ^bb0(%x: index, %all: !multiloop.collect<f64>):
    %zero = arith.constant 0 : index
    %sum = multiloop.loop range(%zero, %n : index, index) -> f64 {
    ^bb1(%p: index, %g: !multiloop.reduce<add : f64>):
      %a = tensor.extract %A[%x, %p] : tensor<?x?xf64>
      multiloop.emit %g(%a : f64)
    }
    multiloop.emit %all(%sum : f64)
  }
  func.return %r : !comprehension.bag<f64>
}
// CHECK-LABEL: func.func @row_of_matrix
// CHECK-NOT:     %strip
