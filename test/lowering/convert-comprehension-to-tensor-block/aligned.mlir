// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce | filecheck %s

!counts = tensor<?xi64, #tensor_block.tiles<dense = 1>>
!dense = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!rows = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// A product under a sum is a contraction, and it is the result itself.
func.func @matmul(%A: !dense {diablo.shape = array<i64: 4, 5>}, %B: !rows {diablo.shape = array<i64: 5, 6>}) -> !dense {
  %n = arith.constant 4 : index
  %m = arith.constant 6 : index
  %C = comprehension.build (%n, %m) : !dense {
    %i, %k, %a = comprehension.each %A : !dense
    %kk, %j, %b = comprehension.each %B : !rows
    %eq = arith.cmpi eq, %kk, %k : index
    comprehension.guard %eq
    %v = arith.mulf %a, %b : f64
    %gi, %gj, %vs = comprehension.group_by keys(%i, %j) values(%v) : index, index, !comprehension.bag<f64>
    %s = comprehension.reduce add %vs : !comprehension.bag<f64>
    comprehension.yield (%gi, %gj) %s
  }
  func.return %C : !dense
}
// CHECK-LABEL: func.func @matmul
// CHECK:         %C = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %{{.*}}) ins(%A[d0, d2] : {{.*}}, %B[d2, d1] : {{.*}}) -> tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
// CHECK:           arith.mulf
// CHECK-NEXT:      tensor_block.yield
// CHECK-NOT:     tensor_block.map

// The factor %b leaves the sum, E is read transposed and by its stored entries only.
func.func @rank_update(%n: index, %b: f64, %e: !rows {diablo.shape = array<i64: 7, 7>},
                       %p: !vector {diablo.shape = array<i64: 7>}, %q: !vector {diablo.shape = array<i64: 7>}) -> !vector {
  %zero = arith.constant 0 : index
  %last = arith.constant 6 : index
  %r = comprehension.merge add %p : !vector {
    %i = comprehension.range %zero to %last
    %j = comprehension.range %zero to %last
    %jj, %ii, %x = comprehension.each %e : !rows
    %1 = arith.cmpi eq, %jj, %j : index
    comprehension.guard %1
    %2 = arith.cmpi eq, %ii, %i : index
    comprehension.guard %2
    %jjj, %y = comprehension.each %q full : !vector
    %3 = arith.cmpi eq, %jjj, %j : index
    comprehension.guard %3
    %bx = arith.mulf %b, %x : f64
    %v = arith.mulf %bx, %y : f64
    comprehension.yield (%i) %v
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @rank_update
// CHECK:         %[[SUM:.*]] = tensor_block.reduce add {{.*}} ins(%e[d1, d0] : {{.*}}, %q[d1] : {{.*}}) -> tensor<?xf64
// CHECK:         %r = tensor_block.map {{.*}} ins(%[[SUM]][d0] : {{.*}}, %p[d0]
// CHECK-NEXT:    ^bb0(%{{.*}}: index, %[[S:.*]]: f64, %[[OLD:.*]]: f64):
// CHECK-NEXT:      %[[SCALED:.*]] = arith.mulf %b, %[[S]]
// CHECK-NEXT:      arith.addf %[[OLD]], %[[SCALED]]

// A guard that varies with the key alone protects the final map: the old element stays.
func.func @guarded_update(%v: !vector {diablo.shape = array<i64: 9>}) -> !vector {
  %one = arith.constant 1 : index
  %seven = arith.constant 7 : index
  %half = arith.constant 0.5 : f64
  %r = comprehension.merge %v : !vector {
    %i = comprehension.range %one to %seven
    %ii, %x = comprehension.each %v full : !vector
    %eq = arith.cmpi eq, %ii, %i : index
    comprehension.guard %eq
    %big = arith.cmpf ogt, %x, %half : f64
    comprehension.guard %big
    %y = arith.divf %half, %x : f64
    comprehension.yield (%i) %y
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @guarded_update
// CHECK:         tensor_block.map {{.*}} ins(%v[d0]
// CHECK-NEXT:    ^bb0(%[[I:.*]]: index, %[[OLD:.*]]: f64):
// CHECK:           arith.cmpi sge, %[[I]], %one
// CHECK:           arith.cmpi sle, %[[I]], %seven
// CHECK:           scf.if
// CHECK:             scf.if
// CHECK-NEXT:          arith.divf
// CHECK:             } else {
// CHECK-NEXT:          scf.yield %[[OLD]]

// A guard that varies with the reduced dimension stays inside the reduction; where no row is
// left there is no group, so that the minimum must not leave its identity.
func.func @guarded_minimum(%A: !dense {diablo.shape = array<i64: 4, 5>}) -> !vector {
  %n = arith.constant 4 : index
  %half = arith.constant 0.5 : f64
  %r = comprehension.build (%n) : !vector {
    %i, %j, %a = comprehension.each %A : !dense
    %big = arith.cmpf ogt, %a, %half : f64
    comprehension.guard %big
    %g, %as = comprehension.group_by keys(%i) values(%a) : index, !comprehension.bag<f64>
    %s = comprehension.reduce min %as : !comprehension.bag<f64>
    comprehension.yield (%g) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @guarded_minimum
// CHECK:         %[[MIN:.*]] = tensor_block.reduce min
// CHECK:           scf.if
// CHECK:             arith.constant 0x7ff0000000000000
// CHECK:         %[[ANY:.*]] = tensor_block.reduce or
// CHECK:         tensor_block.map {{.*}} ins(%[[MIN]][d0] : {{.*}}, %[[ANY]][d0]
// CHECK:           scf.if
// CHECK:           } else {
// CHECK-NEXT:        arith.constant 0.000000e+00

// A total is a reduction to a scalar.
func.func @dot(%v: !vector {diablo.shape = array<i64: 9>}, %w: !vector {diablo.shape = array<i64: 9>}) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %i, %x = comprehension.each %v : !vector
    %ii, %y = comprehension.each %w : !vector
    %eq = arith.cmpi eq, %ii, %i : index
    comprehension.guard %eq
    %p = arith.mulf %x, %y : f64
    comprehension.yield %p
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @dot
// CHECK:         tensor_block.reduce add reduced(d0 < %{{.*}}) ins(%v[d0] : {{.*}}, %w[d0] : {{.*}}) -> f64

// A factor that could fail does not leave the sum: without rows it is never computed.
func.func @divided(%n: index, %v: !counts) -> i64 {
  %d = arith.index_cast %n : index to i64
  %six = arith.constant 6 : i64
  %r = comprehension.aggregate add : i64 {
    %i, %x = comprehension.each %v : !counts
    %q = arith.divsi %six, %d : i64
    %p = arith.muli %q, %x : i64
    comprehension.yield %p
  }
  func.return %r : i64
}
// CHECK-LABEL: func.func @divided
// CHECK-NOT:     arith.divsi
// CHECK:         tensor_block.reduce add
// CHECK:           arith.divsi

// A guard that no iteration decides is tested once, around the result.
// CHECK-LABEL: func.func @total_under_a_guard
// CHECK:         %[[SUM:.*]] = tensor_block.reduce add
// CHECK:         scf.if %p -> (f64) {
// CHECK-NEXT:      scf.yield %[[SUM]] : f64
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:      scf.yield %[[ZERO]] : f64
func.func @total_under_a_guard(%A: tensor<?xf64, #tensor_block.tiles<dense = 1>>, %p: i1) -> f64 {
  %R = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %A : tensor<?xf64, #tensor_block.tiles<dense = 1>>
    comprehension.guard %p
    comprehension.yield %a
  }
  func.return %R : f64
}

// A generator at one place: its index has a value where no generator is left.
func.func @total_at_one_place(%p: i1, %n: index, %x: i64) -> i64 {
  %zero = arith.constant 0 : index
  %R = comprehension.aggregate add : i64 {
    %i = comprehension.range %zero to %n
    %j = arith.index_cast %i : index to i64
    comprehension.guard %p
    %here = arith.cmpi eq, %j, %x : i64
    comprehension.guard %here
    comprehension.yield %j
  }
  func.return %R : i64
}
// CHECK-LABEL: func.func @total_at_one_place
// CHECK:         %[[I:.*]] = arith.index_cast %x : i64 to index
// CHECK:         scf.if
// CHECK-NEXT:      %{{.*}} = scf.if %p -> (i64) {
// CHECK-NEXT:        %j = arith.index_cast %[[I]] : index to i64
// CHECK-NEXT:        scf.yield %j : i64

// An element at one place decides on a total: the reduction reads it.
func.func @total_under_an_element(%v: !counts, %w: !counts) -> i64 {
  %zero = arith.constant 0 : index
  %none = arith.constant 0 : i64
  %R = comprehension.aggregate add : i64 {
    %i, %x = comprehension.each %v : !counts
    %j, %y = comprehension.each %w full : !counts
    %first = arith.cmpi eq, %j, %zero : index
    comprehension.guard %first
    %on = arith.cmpi ne, %y, %none : i64
    comprehension.guard %on
    comprehension.yield %x
  }
  func.return %R : i64
}
// CHECK-LABEL: func.func @total_under_an_element
// CHECK:         tensor_block.reduce add reduced(d0 < %{{.*}}) ins(%v[d0] : {{.*}}, %w[0] :
// CHECK:           %on = arith.cmpi ne, %y, %none : i64
// CHECK-NEXT:      %{{.*}} = scf.if %on -> (i64) {
// CHECK-NEXT:        scf.yield %x : i64
