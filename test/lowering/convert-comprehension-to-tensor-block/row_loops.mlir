// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --split-input-file | filecheck %s

// Aggregates in a row's value: loops in the body of the row, and no table of all pairs.

!pairs = !comprehension.bag<i64, f64>

// Over the rows of a list. A condition on these alone filters them before; all others are tested
// in the loop.
func.func @rows(%L: !pairs, %R: !pairs) -> !pairs {
  %two = arith.constant 2 : i64
  %r = comprehension.collect : !pairs {
    %k, %x = comprehension.each %L : !pairs
    %s = comprehension.aggregate add : f64 {
      %l, %y = comprehension.each %R : !pairs
      %lt = arith.cmpi slt, %l, %k : i64
      comprehension.guard %lt
      %p = arith.mulf %x, %y : f64
      %some = arith.cmpi sgt, %l, %two : i64
      comprehension.guard %some
      comprehension.yield %p
    }
    comprehension.yield %k, %s
  }
  func.return %r : !pairs
}
// CHECK-LABEL: func.func @rows
// CHECK:         %[[SOME:.*]] = tensor_block.filter %R : !comprehension.bag<i64, f64> {
// CHECK:           arith.cmpi sgt
// CHECK:         %[[MADE:.*]] = tensor_block.extend %L : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, f64> {
// CHECK-NEXT:    ^bb0(%k: i64, %x: f64):
// CHECK-NEXT:      %[[SUM:.*]] = multiloop.loop rows(%[[SOME]] : !comprehension.bag<i64, f64>) -> f64 {
// CHECK-NEXT:      ^bb0(%[[K:.*]]: i64, %[[Y:.*]]: f64, %[[TOTAL:.*]]: !multiloop.reduce<add : f64>):
// CHECK-NEXT:        %[[LT:.*]] = arith.cmpi slt, %[[K]], %k : i64
// CHECK-NEXT:        scf.if %[[LT]] {
// CHECK-NEXT:          %[[P:.*]] = arith.mulf %x, %[[Y]] : f64
// CHECK-NEXT:          multiloop.emit %[[TOTAL]](%[[P]] : f64)
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      tensor_block.yield %[[SUM]] : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    tensor_block.project %[[MADE]][0, 2]
// CHECK-NOT:     tensor_block.join

// -----

// Two vectors, of which an equality says that they are read at one index, are read in one loop;
// of the second it is tested whether it has the index.
comprehension.monoid @argmin : tuple<f64, i64> identity [0x7FF0000000000000 : f64, -1 : i64] {
^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
  %dx, %kx = comprehension.unpack %x : tuple<f64, i64>
  %dy, %ky = comprehension.unpack %y : tuple<f64, i64>
  %less = arith.cmpf ole, %dx, %dy : f64
  %least = arith.select %less, %x, %y : tuple<f64, i64>
  comprehension.yield %least
}
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
func.func @vectors(%L: !comprehension.bag<f64, f64>, %X: !vector, %Y: tensor<?xf64>) -> !comprehension.bag<tuple<f64, i64>> {
  %r = comprehension.collect : !comprehension.bag<tuple<f64, i64>> {
    %x, %y = comprehension.each %L : !comprehension.bag<f64, f64>
    %s = comprehension.aggregate @argmin : tuple<f64, i64> {
      %i, %cx = comprehension.each %X : !vector
      %j, %cy = comprehension.each %Y : tensor<?xf64>
      %same = arith.cmpi eq, %j, %i : index
      comprehension.guard %same
      %dx = arith.subf %x, %cx : f64
      %dy = arith.subf %y, %cy : f64
      %d = arith.addf %dx, %dy : f64
      %k = arith.index_cast %i : index to i64
      %t = comprehension.pack %d, %k : tuple<f64, i64>
      comprehension.yield %t
    }
    comprehension.yield %s
  }
  func.return %r : !comprehension.bag<tuple<f64, i64>>
}
// CHECK-LABEL: func.func @vectors
// CHECK:         %[[ZERO:.*]] = arith.constant 0 : index
// CHECK:         %[[N:.*]] = tensor.dim %X
// CHECK:         %[[M:.*]] = tensor.dim %Y
// CHECK:         multiloop.loop range(%[[ZERO]], %[[N]] : index, index) -> tuple<f64, i64> {
// CHECK-NEXT:    ^bb0(%i: index, %[[BEST:.*]]: !multiloop.reduce<@argmin : tuple<f64, i64>>):
// CHECK-NEXT:      %[[CX:.*]] = tensor.extract %X[%i]
// CHECK-NEXT:      %[[IN:.*]] = arith.cmpi slt, %i, %[[M]] : index
// CHECK-NEXT:      scf.if %[[IN]] {
// CHECK-NEXT:        %[[CY:.*]] = tensor.extract %Y[%i]
// CHECK:             multiloop.emit %[[BEST]]

// -----

// A loop for each generator, an aggregate in an aggregate, and two aggregates in one op. The ends
// of a range may differ from row to row, and it may have a step.
!pairs = !comprehension.bag<i64, f64>
func.func @deep(%L: !comprehension.bag<index>, %R: !pairs) -> !comprehension.bag<index, f64> {
  %zero = arith.constant 0 : index
  %r = comprehension.collect : !comprehension.bag<index, f64> {
    %n = comprehension.each %L : !comprehension.bag<index>
    %s = comprehension.aggregate add : index {
      %i = comprehension.range %zero to %n
      %j = comprehension.range %n to %i step -2
      %p = arith.muli %i, %j : index
      comprehension.yield %p
    }
    %t = comprehension.aggregate max : f64 {
      %l, %y = comprehension.each %R : !pairs
      %near = comprehension.aggregate min : f64 {
        %k, %x = comprehension.each %R : !pairs
        %m = arith.index_cast %k : i64 to index
        %far = arith.cmpi slt, %m, %n : index
        comprehension.guard %far
        %d = arith.subf %x, %y : f64
        comprehension.yield %d
      }
      comprehension.yield %near
    }
    comprehension.yield %s, %t
  }
  func.return %r : !comprehension.bag<index, f64>
}
// CHECK-LABEL: func.func @deep
// CHECK:         %[[ZERO:.*]] = arith.constant 0 : index
// CHECK:         tensor_block.extend %L : !comprehension.bag<index> -> !comprehension.bag<index, index, f64> {
// CHECK-NEXT:    ^bb0(%n: index):
// CHECK:           %[[END:.*]] = arith.addi %n, %{{.*}} : index
// CHECK-NEXT:      %[[S:.*]] = multiloop.loop range(%[[ZERO]], %[[END]] : index, index) -> index {
// CHECK-NEXT:      ^bb0(%i: index, %[[TOTAL:.*]]: !multiloop.reduce<add : index>):
// CHECK:             %[[STEP:.*]] = arith.constant -2 : index
// CHECK-NEXT:        %[[LONG:.*]] = arith.subi %i, %n : index
// CHECK-NEXT:        %[[STEPS:.*]] = arith.floordivsi %[[LONG]], %[[STEP]] : index
// CHECK-NEXT:        %[[COUNT:.*]] = arith.addi %[[STEPS]], %{{.*}} : index
// CHECK-NEXT:        multiloop.loop range(%[[ZERO]], %[[COUNT]] : index, index) {
// CHECK-NEXT:        ^bb0(%[[PLACE:.*]]: index):
// CHECK-NEXT:          %[[FROM:.*]] = arith.muli %[[PLACE]], %[[STEP]] : index
// CHECK-NEXT:          %[[J:.*]] = arith.addi %n, %[[FROM]] : index
// CHECK-NEXT:          %[[P:.*]] = arith.muli %i, %[[J]] : index
// CHECK-NEXT:          multiloop.emit %[[TOTAL]](%[[P]] : index)
// CHECK:           %[[T:.*]] = multiloop.loop rows(%R : !comprehension.bag<i64, f64>) -> f64 {
// CHECK:             %[[NEAR:.*]] = multiloop.loop rows(%R : !comprehension.bag<i64, f64>) -> f64 {
// CHECK:             multiloop.emit %{{.*}}(%[[NEAR]] : f64)
// CHECK:           tensor_block.yield %[[S]], %[[T]] : index, f64

// -----

// In a branch the rows that take it count alone; an element that is not there counts for nothing.
// Of a list with strings the columns of numbers alone are looped over.
!rows = !comprehension.bag<!comprehension.string, i64, f64>
func.func @branch(%L: !comprehension.bag<i64, f64>, %R: !rows, %V: tensor<?xf64>) -> !comprehension.bag<f64> {
  %zero = arith.constant 0 : i64
  %none = arith.constant 0.0 : f64
  %r = comprehension.collect : !comprehension.bag<f64> {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %positive = arith.cmpi sgt, %k, %zero : i64
    %v = scf.if %positive -> (f64) {
      scf.yield %none : f64
    } else {
      %s = comprehension.aggregate add : f64 {
        %name, %l, %y = comprehension.each %R : !rows
        %j = arith.addi %k, %l : i64
        %i = arith.index_cast %j : i64 to index
        %e, %there = comprehension.probe %V[%i] : tensor<?xf64>
        %z = arith.select %there, %e, %x : f64
        comprehension.yield %z
      }
      scf.yield %s : f64
    }
    comprehension.yield %v
  }
  func.return %r : !comprehension.bag<f64>
}
// CHECK-LABEL: func.func @branch
// CHECK:         %[[NUMBERS:.*]] = tensor_block.project %R[1, 2]
// CHECK:         tensor_block.extend %L
// CHECK:           %[[POSITIVE:.*]] = arith.cmpi sgt
// CHECK:           multiloop.loop rows(%[[NUMBERS]] : !comprehension.bag<i64, f64>) -> f64 {
// CHECK:             %[[NOT:.*]] = arith.xori %[[POSITIVE]]
// CHECK-NEXT:        scf.if %[[NOT]] {
// CHECK:               comprehension.probe %V

// -----

// A read outside of the array drops the iteration; a division waits until the guard before it.
func.func @reads(%L: !comprehension.bag<i64>, %R: !comprehension.bag<i64>, %V: tensor<?xf64>) -> !comprehension.bag<f64> {
  %zero = arith.constant 0 : i64
  %r = comprehension.collect : !comprehension.bag<f64> {
    %k = comprehension.each %L : !comprehension.bag<i64>
    %s = comprehension.aggregate add : f64 {
      %l = comprehension.each %R : !comprehension.bag<i64>
      %q = arith.divsi %k, %l : i64
      %more = arith.cmpi sgt, %k, %l : i64
      comprehension.guard %more
      %i = arith.index_cast %q : i64 to index
      %e = tensor.extract %V[%i] : tensor<?xf64>
      comprehension.yield %e
    }
    comprehension.yield %s
  }
  func.return %r : !comprehension.bag<f64>
}
// CHECK-LABEL: func.func @reads
// CHECK:         multiloop.loop rows(%R
// CHECK:           scf.if %{{.*}} {
// CHECK-NEXT:        %[[Q:.*]] = arith.divsi
// CHECK-NEXT:        %[[I:.*]] = arith.index_cast %[[Q]]
// CHECK:             scf.if %{{.*}} {
// CHECK-NEXT:          %[[E:.*]] = tensor.extract %V[%[[I]]]
// CHECK-NEXT:          multiloop.emit %{{.*}}(%[[E]] : f64)

// -----

// A tuple of which only the parts are needed: a column for each of them.
comprehension.monoid @least : tuple<f64, i64> identity [0x7FF0000000000000 : f64, -1] {
^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
  %dx, %kx = comprehension.unpack %x : tuple<f64, i64>
  %dy, %ky = comprehension.unpack %y : tuple<f64, i64>
  %less = arith.cmpf ole, %dx, %dy : f64
  %least = arith.select %less, %x, %y : tuple<f64, i64>
  comprehension.yield %least
}
func.func @parts(%L: !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64> {
  %r = comprehension.collect : !comprehension.bag<i64, f64> {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %s = comprehension.aggregate @least : tuple<f64, i64> {
      %l, %y = comprehension.each %L : !comprehension.bag<i64, f64>
      %d = arith.subf %x, %y : f64
      %t = comprehension.pack %d, %l : tuple<f64, i64>
      comprehension.yield %t
    }
    %d, %l = comprehension.unpack %s : tuple<f64, i64>
    comprehension.yield %l, %d
  }
  func.return %r : !comprehension.bag<i64, f64>
}
// CHECK-LABEL: func.func @parts
// CHECK:         tensor_block.extend %{{.*}} -> !comprehension.bag<f64, f64, i64>
// CHECK:           %[[LEAST:.*]] = multiloop.loop
// CHECK:           %[[D:.*]], %[[L:.*]] = comprehension.unpack %[[LEAST]]
// CHECK-NEXT:      tensor_block.yield %[[D]], %[[L]] : f64, i64

// -----

// A range at whose numbers an array is read ends where the array does, and begins no earlier; what
// is the same for all rows is computed before them.
!vector = tensor<?xf64>
func.func @ranges(%L: !comprehension.bag<f64>, %X: !vector, %low: index, %high: index) -> !comprehension.bag<f64> {
  %zero = arith.constant 0 : index
  %size = tensor.dim %X, %zero : !vector
  %r = comprehension.collect : !comprehension.bag<f64> {
    %x = comprehension.each %L : !comprehension.bag<f64>
    %s = comprehension.aggregate add : f64 {
      %i = comprehension.range %low to %high
      %j, %y = comprehension.each %X full : !vector
      %at = arith.cmpi eq, %j, %i : index
      comprehension.guard %at
      %p = arith.mulf %x, %y : f64
      comprehension.yield %p
    }
    comprehension.yield %s
  }
  func.return %r : !comprehension.bag<f64>
}
// CHECK-LABEL: func.func @ranges
// CHECK-DAG:     %[[GREATEST:.*]] = arith.subi %size, %{{.*}} : index
// CHECK-DAG:     %[[WITHIN:.*]] = arith.minsi %high, %[[GREATEST]] : index
// CHECK-DAG:     %[[LAST:.*]] = arith.maxsi %[[WITHIN]], %{{.*}} : index
// CHECK-DAG:     %[[END:.*]] = arith.addi %[[LAST]], %{{.*}} : index
// CHECK-DAG:     %[[FIRST:.*]] = arith.maxsi %low, %zero : index
// CHECK:         tensor_block.extend %L
// CHECK:           multiloop.loop range(%[[FIRST]], %[[END]] : index, index) -> f64 {
// CHECK-NOT:         scf.if
// CHECK:             tensor.extract %X
// CHECK:             multiloop.emit

// -----

// Every worker is sent all of an array in blocks that is known not to be large.
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
func.func @blocks(%L: !comprehension.bag<f64>, %A: !matrix {diablo.shape = array<i64: 1000, 1000>}) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %x = comprehension.each %L : !comprehension.bag<f64>
    %s = comprehension.aggregate max : f64 {
      %i, %j, %a = comprehension.each %A : !matrix
      %p = arith.mulf %x, %a : f64
      comprehension.yield %p
    }
    comprehension.yield %s
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @blocks
// CHECK:         tensor_block.extend %L
// CHECK:           multiloop.loop range
// CHECK:             multiloop.loop range
// CHECK:               tensor.extract %A
// CHECK-NOT:     tensor_block.join

// -----

// An index that may fail to be computed stands before the generator that it ties: the loop computes
// it in front of the read, where it fails first.
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
func.func @wrapped(%V: !vector, %k: index) -> !vector {
  %zero = arith.constant 0 : index
  %n = tensor.dim %V, %zero : !vector
  %R = comprehension.build (%n) : !vector {
    %one = arith.constant 1 : index
    %last = arith.subi %n, %one : index
    %i = comprehension.range %zero to %last
    %s = comprehension.aggregate add : f64 {
      %d = comprehension.range %zero to %k
      %moved = arith.addi %i, %d : index
      %j = arith.remsi %moved, %n : index
      %l, %v = comprehension.each %V full : !vector
      %q = arith.cmpi eq, %l, %j : index
      comprehension.guard %q
      comprehension.yield %v
    }
    comprehension.yield (%i) %s
  }
  func.return %R : !vector
}
// CHECK-LABEL: func.func @wrapped
// CHECK:         multiloop.loop range
// CHECK:           arith.remsi
// CHECK-NOT:     tensor_block.join
// CHECK:         func.return

// -----

// One that is computed for each element fails for those that the tie drops: rows are joined.
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!numbers = tensor<?xindex, #tensor_block.tiles<dense = 1>>
func.func @divided(%V: !vector, %W: !numbers, %k: index) -> !vector {
  %zero = arith.constant 0 : index
  %n = tensor.dim %V, %zero : !vector
  %R = comprehension.build (%n) : !vector {
    %one = arith.constant 1 : index
    %last = arith.subi %n, %one : index
    %i = comprehension.range %zero to %last
    %s = comprehension.aggregate add : f64 {
      %l, %w = comprehension.each %W full : !numbers
      %j = arith.divsi %i, %w : index
      %q = arith.cmpi eq, %l, %j : index
      comprehension.guard %q
      %v = arith.index_cast %w : index to i64
      %x = arith.sitofp %v : i64 to f64
      comprehension.yield %x
    }
    comprehension.yield (%i) %s
  }
  func.return %R : !vector
}
// CHECK-LABEL: func.func @divided
// CHECK-NOT:     multiloop.loop
// CHECK:         func.return

// -----

// Strings: of a list the columns alone that the loop reads, and a condition on these before it.
!words = !comprehension.bag<!comprehension.string, !comprehension.string, i64>
func.func @strings(%L: !comprehension.bag<!comprehension.string, i64>, %W: !words, %p: !comprehension.string) -> !comprehension.bag<i64> {
  %r = comprehension.collect : !comprehension.bag<i64> {
    %q, %k = comprehension.each %L : !comprehension.bag<!comprehension.string, i64>
    %s = comprehension.aggregate add : i64 {
      %w, %other, %c = comprehension.each %W : !words
      %has = comprehension.string_call "contains" (%w, %p) : (!comprehension.string, !comprehension.string) -> i1
      comprehension.guard %has
      %less = comprehension.string_call "lt" (%w, %q) : (!comprehension.string, !comprehension.string) -> i1
      comprehension.guard %less
      comprehension.yield %c
    }
    comprehension.yield %s
  }
  func.return %r : !comprehension.bag<i64>
}
// CHECK-LABEL: func.func @strings
// CHECK:         tensor_block.filter %W
// CHECK:           comprehension.string_call "contains"
// CHECK:         %[[WORDS:.*]] = tensor_block.project %{{.*}}[0, 2]
// CHECK:         tensor_block.extend %
// CHECK:           multiloop.loop rows(%[[WORDS]] : !comprehension.bag<!comprehension.string, i64>) -> i64 {
// CHECK:             comprehension.string_call "lt"
// CHECK:             multiloop.emit

// -----

// What the row's own list has at a position is read in a loop over a range, of which a list may be
// collected as well.
!list = !comprehension.bag<f64>
func.func @positions(%L: !comprehension.bag<i64, !list>) -> !comprehension.bag<f64, !list> {
  %zero = arith.constant 0 : index
  %r = comprehension.collect : !comprehension.bag<f64, !list> {
    %k, %xs = comprehension.each %L : !comprehension.bag<i64, !list>
    %last = arith.index_cast %k : i64 to index
    %s = comprehension.aggregate add : f64 {
      %i = comprehension.range %zero to %last
      %p = arith.index_cast %i : index to i64
      %x = comprehension.element %xs[%p] : !list
      comprehension.yield %x
    }
    %t = comprehension.collect : !list {
      %j = comprehension.range %zero to %last
      %q = arith.index_cast %j : index to i64
      %y = comprehension.element %xs[%q] : !list
      comprehension.yield %y
    }
    comprehension.yield %s, %t
  }
  func.return %r : !comprehension.bag<f64, !list>
}
// CHECK-LABEL: func.func @positions
// CHECK:         tensor_block.extend %L
// CHECK:           multiloop.loop range(%{{.*}}, %{{.*}} : index, index) -> f64 {
// CHECK:             %[[X:.*]] = comprehension.element %xs[%{{.*}}] : !comprehension.bag<f64>
// CHECK-NEXT:        multiloop.emit %{{.*}}(%[[X]] : f64)
// CHECK:           multiloop.loop range(%{{.*}}, %{{.*}} : index, index) -> !comprehension.bag<f64> {
// CHECK:             %[[Y:.*]] = comprehension.element %xs[%{{.*}}] : !comprehension.bag<f64>
// CHECK-NEXT:        multiloop.emit %{{.*}}(%[[Y]] : f64)
// CHECK-NOT:     tensor_block.group

// -----

// In a loop within another one NumPy would read at positions that a row does not have.
!list = !comprehension.bag<f64>
func.func @deep_positions(%L: !comprehension.bag<i64, !list>) -> !comprehension.bag<f64> {
  %zero = arith.constant 0 : index
  %r = comprehension.collect : !comprehension.bag<f64> {
    %k, %xs = comprehension.each %L : !comprehension.bag<i64, !list>
    %last = arith.index_cast %k : i64 to index
    %s = comprehension.aggregate add : f64 {
      %i = comprehension.range %zero to %last
      %j = comprehension.range %zero to %i
      %p = arith.index_cast %j : index to i64
      %x = comprehension.element %xs[%p] : !list
      comprehension.yield %x
    }
    comprehension.yield %s
  }
  func.return %r : !comprehension.bag<f64>
}
// CHECK-LABEL: func.func @deep_positions
// CHECK-NOT:     multiloop.loop
// CHECK:         func.return
