// Arrays that are read beside the point: no rows.
// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --remarks 2>&1 | filecheck %s

// CHECK-NOT: evaluated over rows

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// A loop over the inner elements writes into an array; the others stay as they are.
func.func @shift(%v: !vector {diablo.shape = array<i64: 9>}) -> !vector {
  %one = arith.constant 1 : index
  %seven = arith.constant 7 : index
  %r = comprehension.merge %v : !vector {
    %i = comprehension.range %one to %seven
    %before = arith.subi %i, %one : index
    %ii, %x = comprehension.each %v full : !vector
    %eq = arith.cmpi eq, %ii, %before : index
    comprehension.guard %eq
    %after = arith.addi %i, %one : index
    %jj, %y = comprehension.each %v full : !vector
    %eq2 = arith.cmpi eq, %jj, %after : index
    comprehension.guard %eq2
    %s = arith.addf %x, %y : f64
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @shift
// CHECK:         tensor_block.map parallel(d0 < %{{.*}}) ins(%v[d0 - 1] : {{.*}}, %v[d0 + 1] : {{.*}}, %v[d0] : {{.*}})
// CHECK:           arith.cmpi sge, %i, %{{.*}}
// CHECK:           %[[LAST:.*]] = arith.constant 8 : index
// CHECK-NEXT:      arith.cmpi slt, %i, %[[LAST]]
// CHECK-NOT:       arith.cmpi
// CHECK:           scf.if

// What the range says is kept where it says more than that the neighbours are there.
func.func @shift_inside(%v: !vector {diablo.shape = array<i64: 9>}) -> !vector {
  %one = arith.constant 1 : index
  %five = arith.constant 5 : index
  %r = comprehension.merge %v : !vector {
    %i = comprehension.range %one to %five
    %before = arith.subi %i, %one : index
    %ii, %x = comprehension.each %v full : !vector
    %eq = arith.cmpi eq, %ii, %before : index
    comprehension.guard %eq
    %after = arith.addi %i, %one : index
    %jj, %y = comprehension.each %v full : !vector
    %eq2 = arith.cmpi eq, %jj, %after : index
    comprehension.guard %eq2
    %s = arith.addf %x, %y : f64
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @shift_inside
// CHECK:           arith.cmpi sge, %i, %{{.*}}
// CHECK-NOT:       cmpi slt
// CHECK:           arith.cmpi sle, %i, %five
// CHECK:           scf.if

// The neighbours of a point that are there: each tested once.
func.func @five_points(%n: index, %m: index, %A: !matrix) -> !matrix {
  %one = arith.constant 1 : index
  %r = comprehension.build (%n, %m) : !matrix {
    %i, %j, %a = comprehension.each %A : !matrix
    %up = arith.subi %i, %one : index
    %i1, %j1, %b = comprehension.each %A : !matrix
    %e1 = arith.cmpi eq, %i1, %up : index
    comprehension.guard %e1
    %e2 = arith.cmpi eq, %j1, %j : index
    comprehension.guard %e2
    %left = arith.subi %j, %one : index
    %i2, %j2, %c = comprehension.each %A : !matrix
    %e3 = arith.cmpi eq, %i2, %i : index
    comprehension.guard %e3
    %e4 = arith.cmpi eq, %j2, %left : index
    comprehension.guard %e4
    %s = arith.addf %a, %b : f64
    %t = arith.addf %s, %c : f64
    comprehension.yield (%i, %j) %t
  }
  func.return %r : !matrix
}
// CHECK-LABEL: func.func @five_points
// CHECK:         tensor_block.map parallel(d0 < %n, d1 < %m)
// CHECK-SAME:      ins(%[[A:.*]][d0, d1] : {{.*}}, %[[A]][d0 - 1, d1] : {{.*}}, %[[A]][d0, d1 - 1] :
// CHECK-NEXT:    ^bb0(%i: index, %j: index, %a: f64, %b: f64, %c: f64):
// CHECK-NEXT:      arith.cmpi sge, %i, %{{.*}}
// CHECK-NOT:       cmpi sge, %i
// CHECK:           arith.cmpi sge, %j, %{{.*}}
// CHECK:           scf.if

// Every element goes to its neighbours: a window of the elements around each result. How many
// there are is a formula.
func.func @smooth(%n: index, %M: !vector) -> !vector {
  %one = arith.constant 1 : index
  %unit = arith.constant 1.0 : f64
  %r = comprehension.build (%n) : !vector {
    %i, %a = comprehension.each %M : !vector
    %lo = arith.subi %i, %one : index
    %hi = arith.addi %i, %one : index
    %ii = comprehension.range %lo to %hi
    %g, %as, %ones = comprehension.group_by keys(%ii) values(%a, %unit) : index, !comprehension.bag<f64>, !comprehension.bag<f64>
    %s = comprehension.reduce add %as : !comprehension.bag<f64>
    %c = comprehension.reduce add %ones : !comprehension.bag<f64>
    %mean = arith.divf %s, %c : f64
    comprehension.yield (%g) %mean
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @smooth
// CHECK:         %[[THREE:.*]] = arith.constant 3 : index
// CHECK:         %[[SUMS:.*]] = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %[[THREE]]) ins(%M[d0 - d1 + 1] :
// CHECK-NEXT:    ^bb0(%{{.*}}: index, %{{.*}}: index, %a: f64):
// CHECK-NEXT:      tensor_block.yield %a : f64
// CHECK:         tensor_block.map parallel(d0 < %n) ins(%[[SUMS]][d0] :
// CHECK:           arith.minsi
// CHECK:           arith.maxsi
// CHECK:           arith.cmpi sgt
// CHECK:           scf.if
// CHECK:             arith.divf

// The largest of a window: outside of the array there is no element, not a zero.
func.func @dilate(%n: index, %M: !vector) -> !vector {
  %one = arith.constant 1 : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %one to %n
    %lo = arith.subi %i, %one : index
    %w = comprehension.range %lo to %i
    %ii, %a = comprehension.each %M : !vector
    %e = arith.cmpi eq, %ii, %w : index
    comprehension.guard %e
    %g, %as = comprehension.group_by keys(%i) values(%a) : index, !comprehension.bag<f64>
    %s = comprehension.reduce max %as : !comprehension.bag<f64>
    comprehension.yield (%g) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @dilate
// CHECK:         tensor_block.reduce max parallel(d0 < %n) reduced(d1 < %{{.*}}) ins(%M[d0 + d1 - 1] :
// CHECK:           scf.if

// The index is turned around, with a value that only a run knows.
func.func @reverse(%n: index, %last: index, %v: !vector) -> !vector {
  %r = comprehension.build (%n) : !vector {
    %i, %x = comprehension.each %v : !vector
    %k = arith.subi %last, %i : index
    comprehension.yield (%k) %x
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @reverse
// CHECK:         tensor_block.map parallel(d0 < %n) symbols(%last) ins(%v[-d0 + s0] :

// The diagonal, a column, every other element, and a diagonal to fill.
func.func @diagonal(%n: index, %A: !matrix) -> !vector {
  %r = comprehension.build (%n) : !vector {
    %i, %j, %a = comprehension.each %A : !matrix
    %eq = arith.cmpi eq, %i, %j : index
    comprehension.guard %eq
    comprehension.yield (%i) %a
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @diagonal
// CHECK:         tensor_block.map parallel(d0 < %n) ins(%A[d0, d0] :

func.func @column(%n: index, %k: index, %A: !matrix) -> !vector {
  %r = comprehension.build (%n) : !vector {
    %i, %j, %a = comprehension.each %A : !matrix
    %eq = arith.cmpi eq, %j, %k : index
    comprehension.guard %eq
    comprehension.yield (%i) %a
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @column
// CHECK:         tensor_block.map parallel(d0 < %n) symbols(%k) ins(%A[d0, s0] :

func.func @stride(%n: index, %v: !vector) -> !vector {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %n
    %k = arith.muli %i, %two : index
    %j, %x = comprehension.each %v full : !vector
    %eq = arith.cmpi eq, %j, %k : index
    comprehension.guard %eq
    comprehension.yield (%i) %x
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @stride
// CHECK:         tensor_block.map parallel(d0 < %n) ins(%v[2 * d0] :

func.func @on_the_diagonal(%n: index, %v: !vector) -> !matrix {
  %r = comprehension.build (%n, %n) : !matrix {
    %i, %x = comprehension.each %v : !vector
    comprehension.yield (%i, %i) %x
  }
  func.return %r : !matrix
}
// CHECK-LABEL: func.func @on_the_diagonal
// CHECK:         tensor_block.map parallel(d0 < %n, d1 < %n) ins(%{{.*}}[d0] :
// CHECK:           arith.cmpi eq

// A range with a step is a dimension of as many points.
func.func @step(%n: index, %v: !vector) -> f64 {
  %zero = arith.constant 0 : index
  %r = comprehension.aggregate add : f64 {
    %i = comprehension.range %zero to %n step 2
    %j, %x = comprehension.each %v : !vector
    %eq = arith.cmpi eq, %j, %i : index
    comprehension.guard %eq
    comprehension.yield %x
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @step
// CHECK:         arith.divsi
// CHECK:         tensor_block.reduce add reduced(d0 < %{{.*}}) ins(%v[2 * d0] :

// A product of neighbours, over a range that starts at 1.
func.func @neighbours(%n: index, %v: !vector) -> f64 {
  %one = arith.constant 1 : index
  %r = comprehension.aggregate add : f64 {
    %i = comprehension.range %one to %n
    %j, %x = comprehension.each %v full : !vector
    %e = arith.cmpi eq, %j, %i : index
    comprehension.guard %e
    %before = arith.subi %i, %one : index
    %k, %y = comprehension.each %v full : !vector
    %f = arith.cmpi eq, %k, %before : index
    comprehension.guard %f
    %p = arith.mulf %x, %y : f64
    comprehension.yield %p
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @neighbours
// CHECK:         ins(%v[d0] : {{.*}}, %v[d0 - 1] :

// What is folded may come from the indices alone.
func.func @no_array(%n: index, %v: !vector) -> index {
  %zero = arith.constant 0 : index
  %r = comprehension.aggregate max : index {
    %i, %x = comprehension.each %v : !vector
    %j = comprehension.range %zero to %n
    %k = arith.addi %i, %j : index
    comprehension.yield %k
  }
  func.return %r : index
}
// CHECK-LABEL: func.func @no_array
// CHECK:         tensor_block.reduce max reduced(d0 < %{{.*}}, d1 < %{{.*}}) -> index

// The range of a key ends at a reduced index.
func.func @triangle(%v: !vector, %w: !vector) -> !vector {
  %zero = arith.constant 0 : index
  %r = comprehension.merge add %v : !vector {
    %j, %y = comprehension.each %w : !vector
    %i = comprehension.range %zero to %j
    comprehension.yield (%i) %y
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @triangle
// CHECK:         tensor_block.reduce add parallel(d0 < %{{.*}}) reduced(d1 < %{{.*}}) ins(%w[d1] :
// CHECK:           arith.cmpi sle, %i, %j

// An array that is probed is read beside the point, and no iteration counts less for it.
func.func @probed(%v: !vector {diablo.shape = array<i64: 9>}) -> !vector {
  %one = arith.constant 1 : index
  %nine = arith.constant 9 : index
  %r = comprehension.build (%nine) : !vector {
    %i, %x = comprehension.each %v full : !vector
    %before = arith.subi %i, %one : index
    %y, %there = comprehension.probe %v[%before] : !vector
    %s = arith.addf %x, %y : f64
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @probed
// CHECK:         tensor_block.map parallel(d0 < %{{.*}}) ins(%v[d0] : {{.*}}, %v[d0 - 1] :
// CHECK-NOT:       scf.if

// One that may be smaller than what is probed of it at the point itself is widened by zeros.
func.func @probed_and_widened(%n: index, %v: !vector) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    %x, %there = comprehension.probe %v[%i] : !vector
    %s = arith.mulf %x, %x : f64
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @probed_and_widened
// CHECK:         %[[WIDE:.*]] = scf.if
// CHECK:           tensor_block.from_bag
// CHECK:         %[[RESULT:.*]] = tensor_block.map parallel(d0 < %n) ins(%[[WIDE]][d0] :
// CHECK:         func.return %[[RESULT]]

// A window of which the ends of the array cut something off: three steps, and tests.
func.func @cut_window(%v: !vector, %n: index) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    %before = arith.subi %i, %one : index
    %after = arith.addi %i, %one : index
    %lower = arith.maxsi %zero, %before : index
    %upper = arith.minsi %last, %after : index
    %j = comprehension.range %lower to %upper
    %jj, %x = comprehension.each %v full : !vector
    %eq = arith.cmpi eq, %jj, %j : index
    comprehension.guard %eq
    %g, %xs = comprehension.group_by keys(%i) values(%x) : index, !comprehension.bag<f64>
    %s = comprehension.reduce add %xs : !comprehension.bag<f64>
    comprehension.yield (%g) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @cut_window
// CHECK:         %[[THREE:.*]] = arith.constant 3 : index
// CHECK:         tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %[[THREE]]) ins(%v[d0 + d1 - 1] :
// CHECK-NOT:       arith.maxsi
// CHECK:           scf.if
