// Operations over the same rows that are one job, and those that stay apart.
// RUN: diablo-opt %s -p choose-strips --remarks 2>&1 | filecheck %s
// RUN: diablo-opt %s -p "choose-strips{force=true}" | filecheck %s --check-prefix=FORCE

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>

// CHECK:      remark: 3 operations over the same 400000 rows of X, z are one job: the workers have strips of whole rows
// CHECK:      remark: 5 operations over the same 1000 rows of R are one job
// CHECK:      remark: 2 operations over the same 400000 rows of X are one job
// CHECK:      remark: this is a job of its own: to cut an array into strips would move it, for this once
// CHECK:      remark: this is a job of its own: 20 rows are too few, or too long, for strips of whole rows
// CHECK-NOT:  remark

// What is folded of rows is folded with the same rows again, by way of an array of the driver and
// of one that lies alike: X.t @ (X @ w - y - z).
// CHECK-LABEL: func.func @regression
func.func @regression(%X: !matrix {diablo.name = "X", diablo.shape = array<i64: 400000, 50>},
                      %y: tensor<?xf64> {diablo.shape = array<i64: 400000>},
                      %z: !vector {diablo.shape = array<i64: 400000>},
                      %w0: tensor<?xf64> {diablo.shape = array<i64: 50>}) -> tensor<?xf64> {
  %n = arith.constant 400000 : index
  %m = arith.constant 50 : index
  %yes = arith.constant true
  %w1 = scf.while (%w2 = %w0) : (tensor<?xf64>) -> tensor<?xf64> {
    scf.condition(%yes) %w2 : tensor<?xf64>
  } do {
  ^bb0(%w: tensor<?xf64>):
    // CHECK:      cf.assert
    // CHECK-NEXT: tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
    // CHECK-SAME:   {tensor_block.strips = array<i64: 0, 0>}
    // CHECK:      tensor_block.map
    // CHECK-SAME:   {tensor_block.strips = array<i64: 0, 0>}
    // CHECK:      tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n)
    // CHECK-SAME:   {tensor_block.strips = array<i64: 0, 1>}
    %p = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m) ins(%X[d0, d1] : !matrix, %w[d1] : tensor<?xf64>) -> tensor<?xf64> {
    ^bb0(%i: index, %j: index, %a: f64, %b: f64):
      %c = arith.mulf %a, %b : f64
      tensor_block.yield %c : f64
    }
    cf.assert %yes, "this stands before all of them"
    %e = tensor_block.map parallel(d0 < %n) ins(%p[d0] : tensor<?xf64>, %y[d0] : tensor<?xf64>, %z[d0] : !vector) -> tensor<?xf64> {
    ^bb0(%i: index, %a: f64, %b: f64, %v: f64):
      %c = arith.subf %a, %b : f64
      %d = arith.subf %c, %v : f64
      tensor_block.yield %d : f64
    }
    %g = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n) ins(%X[d1, d0] : !matrix, %e[d1] : tensor<?xf64>) -> tensor<?xf64> {
    ^bb0(%i: index, %j: index, %a: f64, %b: f64):
      %c = arith.mulf %a, %b : f64
      tensor_block.yield %c : f64
    }
    // The driver computes what comes after.
    // CHECK:      tensor_block.map
    // CHECK-NOT:    tensor_block.strips
    // CHECK:      scf.yield
    %w3 = tensor_block.map parallel(d0 < %m) ins(%w[d0] : tensor<?xf64>, %g[d0] : tensor<?xf64>) -> tensor<?xf64> {
    ^bb0(%i: index, %a: f64, %b: f64):
      %c = arith.subf %a, %b : f64
      tensor_block.yield %c : f64
    }
    scf.yield %w3 : tensor<?xf64>
  }
  func.return %w1 : tensor<?xf64>
}

// What is made of the driver's arrays is made in strips if distributed arrays are read with it; a
// strip of %P1, which the driver wants as well, is an operand of the last fold.
// CHECK-LABEL: func.func @factors
func.func @factors(%R: !matrix {diablo.name = "R", diablo.shape = array<i64: 1000, 1000>},
                   %P0: tensor<?x?xf64> {diablo.shape = array<i64: 1000, 20>},
                   %Q: tensor<?x?xf64> {diablo.shape = array<i64: 20, 1000>})
    -> (tensor<?x?xf64>, tensor<?x?xf64>, f64) {
  %n = arith.constant 1000 : index
  %k = arith.constant 20 : index
  %yes = arith.constant true
  %none = arith.constant 0.0 : f64
  %P, %G, %r = scf.while (%a0 = %P0, %b0 = %Q, %c0 = %none) : (tensor<?x?xf64>, tensor<?x?xf64>, f64) -> (tensor<?x?xf64>, tensor<?x?xf64>, f64) {
    scf.condition(%yes) %a0, %b0, %c0 : tensor<?x?xf64>, tensor<?x?xf64>, f64
  } do {
  ^bb0(%P2: tensor<?x?xf64>, %b1: tensor<?x?xf64>, %c1: f64):
    // CHECK:      tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %k)
    // CHECK-SAME:   {tensor_block.strips = array<i64: 1, 0>}
    %pq = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %k) ins(%P2[d0, d2] : tensor<?x?xf64>, %Q[d2, d1] : tensor<?x?xf64>) -> !matrix {
    ^bb0(%i: index, %j: index, %l: index, %a: f64, %b: f64):
      %c = arith.mulf %a, %b : f64
      tensor_block.yield %c : f64
    }
    // CHECK:      tensor_block.map
    // CHECK-SAME:   {tensor_block.strips = array<i64: 1, 0>}
    %E = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%R[d0, d1] : !matrix, %pq[d0, d1] : !matrix) -> !matrix {
    ^bb0(%i: index, %j: index, %a: f64, %b: f64):
      %c = arith.subf %a, %b : f64
      tensor_block.yield %c : f64
    }
    // CHECK:      tensor_block.reduce add parallel(d0 < %n, d1 < %k) reduced(d2 < %n)
    // CHECK-SAME:   {tensor_block.strips = array<i64: 1, 0>}
    %p = tensor_block.reduce add parallel(d0 < %n, d1 < %k) reduced(d2 < %n) ins(%E[d0, d2] : !matrix, %Q[d1, d2] : tensor<?x?xf64>) -> tensor<?x?xf64> {
    ^bb0(%i: index, %j: index, %l: index, %a: f64, %b: f64):
      %c = arith.mulf %a, %b : f64
      tensor_block.yield %c : f64
    }
    // CHECK:      tensor_block.map
    // CHECK-SAME:   {tensor_block.strips = array<i64: 1, 0>}
    %P1 = tensor_block.map parallel(d0 < %n, d1 < %k) ins(%p[d0, d1] : tensor<?x?xf64>, %P2[d0, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
    ^bb0(%i: index, %j: index, %a: f64, %b: f64):
      %c = arith.addf %a, %b : f64
      tensor_block.yield %c : f64
    }
    // What needs a result comes behind the group.
    // CHECK-NOT:  tensor.extract
    %zero = arith.constant 0 : index
    %first = tensor.extract %P1[%zero, %zero] : tensor<?x?xf64>
    // CHECK:      tensor_block.reduce add parallel(d0 < %k, d1 < %n) reduced(d2 < %n)
    // CHECK-SAME:   {tensor_block.strips = array<i64: 1, 2>}
    // CHECK:      tensor.extract
    %G1 = tensor_block.reduce add parallel(d0 < %k, d1 < %n) reduced(d2 < %n) ins(%E[d2, d1] : !matrix, %P1[d2, d0] : tensor<?x?xf64>) -> tensor<?x?xf64> {
    ^bb0(%i: index, %j: index, %l: index, %a: f64, %b: f64):
      %c = arith.mulf %a, %b : f64
      tensor_block.yield %c : f64
    }
    scf.yield %P1, %G1, %first : tensor<?x?xf64>, tensor<?x?xf64>, f64
  }
  func.return %P, %G, %r : tensor<?x?xf64>, tensor<?x?xf64>, f64
}

// Without a loop: tiles of a tall array are its rows, others would be moved for one job less.
// CHECK-LABEL: func.func @once
func.func @once(%X: !matrix {diablo.name = "X", diablo.shape = array<i64: 400000, 50>},
                %Y: !matrix {diablo.name = "Y", diablo.shape = array<i64: 1000, 900>},
                %w: tensor<?xf64> {diablo.shape = array<i64: 50>},
                %v: tensor<?xf64> {diablo.shape = array<i64: 900>})
    -> (tensor<?xf64>, tensor<?xf64>) {
  %n = arith.constant 400000 : index
  %m = arith.constant 50 : index
  %h = arith.constant 1000 : index
  %k = arith.constant 900 : index
  // CHECK: tensor_block.strips = array<i64: 2, 0>
  // CHECK: tensor_block.strips = array<i64: 2, 1>
  // CHECK-NOT: tensor_block.strips
  // FORCE-LABEL: func.func @once
  // FORCE-COUNT-4: tensor_block.strips
  // FORCE:         func.return
  %p = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m) ins(%X[d0, d1] : !matrix, %w[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  %g = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n) ins(%X[d1, d0] : !matrix, %p[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  %q = tensor_block.reduce add parallel(d0 < %h) reduced(d1 < %k) ins(%Y[d0, d1] : !matrix, %v[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  %f = tensor_block.reduce add parallel(d0 < %k) reduced(d1 < %h) ins(%Y[d1, d0] : !matrix, %q[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  func.return %g, %f : tensor<?xf64>, tensor<?xf64>
}

// An array that each iteration has anew would be moved in each.
// CHECK-LABEL: func.func @carried
// CHECK-NOT:     tensor_block.strips
func.func @carried(%X0: !matrix {diablo.shape = array<i64: 400000, 50>}, %w: tensor<?xf64> {diablo.shape = array<i64: 50>}) -> !matrix {
  %n = arith.constant 400000 : index
  %m = arith.constant 50 : index
  %yes = arith.constant true
  %X1 = scf.while (%X2 = %X0) : (!matrix) -> !matrix {
    scf.condition(%yes) %X2 : !matrix
  } do {
  ^bb0(%X: !matrix):
    %p = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m) ins(%X[d0, d1] : !matrix, %w[d1] : tensor<?xf64>) -> tensor<?xf64> {
    ^bb0(%i: index, %j: index, %a: f64, %b: f64):
      %c = arith.mulf %a, %b : f64
      tensor_block.yield %c : f64
    }
    %g = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n) ins(%X[d1, d0] : !matrix, %p[d1] : tensor<?xf64>) -> tensor<?xf64> {
    ^bb0(%i: index, %j: index, %a: f64, %b: f64):
      %c = arith.mulf %a, %b : f64
      tensor_block.yield %c : f64
    }
    %X3 = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%X[d0, d1] : !matrix, %g[d1] : tensor<?xf64>) -> !matrix {
    ^bb0(%i: index, %j: index, %a: f64, %b: f64):
      %c = arith.mulf %a, %b : f64
      tensor_block.yield %c : f64
    }
    scf.yield %X3 : !matrix
  }
  func.return %X1 : !matrix
}

// Strips of 20 rows would leave most workers without any.
// CHECK-LABEL: func.func @few_rows
// CHECK-NOT:     tensor_block.strips
func.func @few_rows(%X: !matrix {diablo.shape = array<i64: 20, 1>}, %w: tensor<?xf64> {diablo.shape = array<i64: 1>}) -> tensor<?xf64> {
  %n = arith.constant 20 : index
  %m = arith.constant 1 : index
  %p = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m) ins(%X[d0, d1] : !matrix, %w[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  %g = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n) ins(%X[d1, d0] : !matrix, %p[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  func.return %g : tensor<?xf64>
}

// Each of these is in the way, whatever is forced: the rows are others, the array is sparse, something
// that has an effect needs what was folded before, or the whole of it is needed.
// CHECK-LABEL: func.func @apart
// CHECK-NOT:     tensor_block.strips
// FORCE-LABEL: func.func @apart
func.func @apart(%X: !matrix {diablo.shape = array<i64: 400000, 50>},
                 %A: !matrix {diablo.shape = array<i64: 300000, 50>},
                 %S: !sparse {diablo.shape = array<i64: 400000, 50>},
                 %w: tensor<?xf64> {diablo.shape = array<i64: 50>}) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, !matrix) {
  %n = arith.constant 400000 : index
  %h = arith.constant 300000 : index
  %m = arith.constant 50 : index
  %zero = arith.constant 0 : index
  // FORCE: tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m) ins(%X{{.*}}tensor_block.strips = array<i64: [[GROUP:[0-9]+]], 0>
  %p = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m) ins(%X[d0, d1] : !matrix, %w[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  // The rows of %A are not those of %X.
  // FORCE-NOT: tensor_block.strips = array<i64: [[GROUP]],
  %g = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %h) ins(%A[d1, d0] : !matrix, %p[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  %f = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n) ins(%S[d1, d0] : !sparse, %p[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  %one = tensor.extract %p[%zero] : tensor<?xf64>
  %none = arith.constant 0.0 : f64
  %good = arith.cmpf oeq, %one, %none : f64
  cf.assert %good, "what comes next relies on this"
  // FORCE:     cf.assert
  // FORCE-NOT: tensor_block.strips = array<i64: [[GROUP]],
  %q = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n) ins(%X[d1, d0] : !matrix, %p[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  %o = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%p[d0] : tensor<?xf64>, %p[d1] : tensor<?xf64>) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  // FORCE:     func.return
  func.return %g, %f, %q, %o : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, !matrix
}
