// Sums of products are split into contractions where no terms of them cancel, or all have rounded.
// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --remarks 2>&1 | filecheck %s
// RUN: diablo-opt %s -p 'convert-comprehension-to-tensor-block{fast-math=true},canonicalize,cse,dce' | filecheck %s --check-prefix=FAST

// CHECK-COUNT-3: remark: not split: the terms may cancel (use --fast-math)
// CHECK-NOT: not split

!dense = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// A sum of products: each term is reduced on its own, a term that does not vary is counted.
func.func @terms(%a: f64, %E: !dense {diablo.shape = array<i64: 4, 6>}, %Q: !dense {diablo.shape = array<i64: 3, 6>},
                 %P: !dense {diablo.shape = array<i64: 4, 3>}) -> !dense {
  %zero = arith.constant 0 : index
  %i1 = arith.constant 3 : index
  %k1 = arith.constant 2 : index
  %j1 = arith.constant 5 : index
  %r = comprehension.merge add %P : !dense {
    %i = comprehension.range %zero to %i1
    %j = comprehension.range %zero to %j1
    %k = comprehension.range %zero to %k1
    %i2, %j2, %e = comprehension.each %E full : !dense
    %1 = arith.cmpi eq, %i2, %i : index
    comprehension.guard %1
    %2 = arith.cmpi eq, %j2, %j : index
    comprehension.guard %2
    %k3, %j3, %q = comprehension.each %Q full : !dense
    %3 = arith.cmpi eq, %k3, %k : index
    comprehension.guard %3
    %4 = arith.cmpi eq, %j3, %j : index
    comprehension.guard %4
    %i4, %k4, %p = comprehension.each %P full : !dense
    %5 = arith.cmpi eq, %i4, %i : index
    comprehension.guard %5
    %6 = arith.cmpi eq, %k4, %k : index
    comprehension.guard %6
    %eq = arith.mulf %e, %q : f64
    %d = arith.subf %eq, %p : f64
    %v = arith.mulf %a, %d : f64
    comprehension.yield (%i, %k) %v
  }
  func.return %r : !dense
}
// CHECK-LABEL: func.func @terms
// CHECK:         tensor_block.reduce add {{.*}} ins(%E[d0, d2] : {{.*}}, %Q[d1, d2] : {{.*}}, %P[d0, d1]
// CHECK:           [[PRODUCT:%.*]] = arith.mulf
// CHECK-NEXT:      arith.subf [[PRODUCT]],
// CHECK-NOT:     tensor_block.reduce
// FAST-LABEL: func.func @terms
// FAST:         %[[EQ:.*]] = tensor_block.reduce add {{.*}} ins(%E[d0, d2] : {{.*}}, %Q[d1, d2]
// FAST:         %[[COUNT:.*]] = arith.sitofp
// FAST:         tensor_block.map {{.*}} ins(%[[EQ]][d0, d1] : {{.*}}, %P[d0, d1]
// FAST:           %[[FIRST:.*]] = arith.mulf %a, %{{.*}}
// FAST:           %[[SECOND:.*]] = arith.mulf %{{.*}}, %[[COUNT]]
// FAST:           arith.subf %[[FIRST]], %[[SECOND]]

// Products have rounded before they cancel: where one of them is a product of matrices, that is made.
func.func @products(%a: f64, %b: f64, %E: !dense {diablo.shape = array<i64: 4, 6>}, %Q: !dense {diablo.shape = array<i64: 3, 6>},
                    %P: !dense {diablo.shape = array<i64: 4, 3>}) -> !dense {
  %zero = arith.constant 0 : index
  %i1 = arith.constant 3 : index
  %k1 = arith.constant 2 : index
  %j1 = arith.constant 5 : index
  %two = arith.constant 2.0 : f64
  %r = comprehension.merge add %P : !dense {
    %i = comprehension.range %zero to %i1
    %j = comprehension.range %zero to %j1
    %k = comprehension.range %zero to %k1
    %i2, %j2, %e = comprehension.each %E full : !dense
    %1 = arith.cmpi eq, %i2, %i : index
    comprehension.guard %1
    %2 = arith.cmpi eq, %j2, %j : index
    comprehension.guard %2
    %k3, %j3, %q = comprehension.each %Q full : !dense
    %3 = arith.cmpi eq, %k3, %k : index
    comprehension.guard %3
    %4 = arith.cmpi eq, %j3, %j : index
    comprehension.guard %4
    %i4, %k4, %p = comprehension.each %P full : !dense
    %5 = arith.cmpi eq, %i4, %i : index
    comprehension.guard %5
    %6 = arith.cmpi eq, %k4, %k : index
    comprehension.guard %6
    %e2 = arith.mulf %two, %e : f64
    %eq = arith.mulf %e2, %q : f64
    %bp = arith.mulf %b, %p : f64
    %d = arith.subf %eq, %bp : f64
    %v = arith.mulf %a, %d : f64
    comprehension.yield (%i, %k) %v
  }
  func.return %r : !dense
}
// CHECK-LABEL: func.func @products
// CHECK:         %[[EQ:.*]] = tensor_block.reduce add {{.*}} ins(%E[d0, d2] : {{.*}}, %Q[d1, d2]
// CHECK:         %[[COUNT:.*]] = arith.sitofp
// CHECK:         tensor_block.map {{.*}} ins(%[[EQ]][d0, d1] : {{.*}}, %P[d0, d1]
// CHECK:           arith.mulf %{{.*}}, %[[COUNT]]

// The same with a power of two, a multiple by which has not rounded: it may cancel.
func.func @multiples(%a: f64, %E: !dense {diablo.shape = array<i64: 4, 6>}, %Q: !dense {diablo.shape = array<i64: 3, 6>},
                     %P: !dense {diablo.shape = array<i64: 4, 3>}) -> !dense {
  %zero = arith.constant 0 : index
  %i1 = arith.constant 3 : index
  %k1 = arith.constant 2 : index
  %j1 = arith.constant 5 : index
  %two = arith.constant 2.0 : f64
  %r = comprehension.merge add %P : !dense {
    %i = comprehension.range %zero to %i1
    %j = comprehension.range %zero to %j1
    %k = comprehension.range %zero to %k1
    %i2, %j2, %e = comprehension.each %E full : !dense
    %1 = arith.cmpi eq, %i2, %i : index
    comprehension.guard %1
    %2 = arith.cmpi eq, %j2, %j : index
    comprehension.guard %2
    %k3, %j3, %q = comprehension.each %Q full : !dense
    %3 = arith.cmpi eq, %k3, %k : index
    comprehension.guard %3
    %4 = arith.cmpi eq, %j3, %j : index
    comprehension.guard %4
    %i4, %k4, %p = comprehension.each %P full : !dense
    %5 = arith.cmpi eq, %i4, %i : index
    comprehension.guard %5
    %6 = arith.cmpi eq, %k4, %k : index
    comprehension.guard %6
    %eq = arith.mulf %e, %q : f64
    %p2 = arith.mulf %two, %p : f64
    %d = arith.subf %eq, %p2 : f64
    %v = arith.mulf %a, %d : f64
    comprehension.yield (%i, %k) %v
  }
  func.return %r : !dense
}
// CHECK-LABEL: func.func @multiples
// CHECK:         tensor_block.reduce add {{.*}} ins(%E[d0, d2] : {{.*}}, %Q[d1, d2] : {{.*}}, %P[d0, d1]

// The distances of all rows of A to all rows of B, for which no array of all differences is made.
func.func @distances(%A: !dense {diablo.shape = array<i64: 40, 6>}, %B: !dense {diablo.shape = array<i64: 3, 6>}, %n: index, %m: index) -> !dense {
  %r = comprehension.build (%n, %m) : !dense {
    %i, %j, %a = comprehension.each %A full : !dense
    %k, %l, %b = comprehension.each %B full : !dense
    %0 = arith.cmpi eq, %l, %j : index
    comprehension.guard %0
    %d = arith.subf %a, %b : f64
    %v = arith.mulf %d, %d : f64
    %p, %q, %vs = comprehension.group_by keys(%i, %k) values(%v) : index, index, !comprehension.bag<f64>
    %s = comprehension.reduce add %vs : !comprehension.bag<f64>
    comprehension.yield (%p, %q) %s
  }
  func.return %r : !dense
}
// CHECK-LABEL: func.func @distances
// CHECK-NOT:     tensor_block.map
// CHECK:         tensor_block.reduce add {{.*}} ins(%A[d0, d2] : {{.*}}, %B[d1, d2]
// CHECK:           [[D:%.*]] = arith.subf
// CHECK-NEXT:      [[V:%.*]] = arith.mulf [[D]], [[D]]
// CHECK-NEXT:      tensor_block.yield [[V]]
// FAST-LABEL: func.func @distances
// FAST:         tensor_block.reduce add {{.*}} ins(%A[d0, d2] : {{.*}}, %B[d1, d2]
// FAST:           [[V:%.*]] = arith.mulf
// FAST-NEXT:      tensor_block.yield [[V]]

// Squares do not cancel: the sum is split, and a product of matrices with ones of the squares is
// the sum of their rows.
func.func @squares(%A: !dense {diablo.shape = array<i64: 40, 6>}, %B: !dense {diablo.shape = array<i64: 3, 6>}, %n: index, %m: index) -> !dense {
  %r = comprehension.build (%n, %m) : !dense {
    %i, %j, %a = comprehension.each %A full : !dense
    %k, %l, %b = comprehension.each %B full : !dense
    %0 = arith.cmpi eq, %l, %j : index
    comprehension.guard %0
    %x = arith.mulf %a, %a : f64
    %y = arith.mulf %b, %b : f64
    %v = arith.addf %x, %y : f64
    %p, %q, %vs = comprehension.group_by keys(%i, %k) values(%v) : index, index, !comprehension.bag<f64>
    %s = comprehension.reduce add %vs : !comprehension.bag<f64>
    comprehension.yield (%p, %q) %s
  }
  func.return %r : !dense
}
// CHECK-LABEL: func.func @squares
// CHECK:         [[X:%.*]] = tensor_block.reduce add {{.*}} ins(%A[d0, d1] : {{.*}}, %A[d0, d1]
// CHECK:         [[Y:%.*]] = tensor_block.reduce add {{.*}} ins(%B[d0, d1] : {{.*}}, %B[d0, d1]
// CHECK:         tensor_block.map {{.*}} ins([[X]][d0] : {{.*}}, [[Y]][d1]
