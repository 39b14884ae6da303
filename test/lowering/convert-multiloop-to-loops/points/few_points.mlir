// A dimension of few points inside the loop that is cut in three is written out.
// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop,convert-multiloop-to-loops,canonicalize,cse,dce --remarks 2>&1 | filecheck %s

// CHECK: remark: 2 points of the innermost dimensions are written out in the loop
// CHECK: remark: 2 points of the innermost dimensions are written out in the loop
// CHECK: remark: 4 points of the innermost dimensions are written out in the loop
// CHECK: remark: 2 points of the innermost dimensions are written out in the loop
// CHECK-NOT: points of the innermost

// The loop along %k is cut; the two points of each part are stored one after the other.
// CHECK-LABEL: func.func @pairs
// CHECK:         memref.cast{{.*}}-> memref<?x2xf64, strided<[2, 1]>>
// CHECK:         scf.for %k = %zero
// CHECK-NOT:     scf.for
// CHECK-COUNT-2:   memref.store
// CHECK:         scf.for %k
// CHECK-NOT:     scf.for
// CHECK-COUNT-2:   memref.store
// CHECK:         scf.for %k
// CHECK-NOT:     scf.for
// CHECK-COUNT-2:   memref.store
// CHECK-NOT:     scf.for
func.func @pairs(%a: tensor<?xf64>, %n: index) -> tensor<?x?xf64> {
  %two = arith.constant 2 : index
  %r = tensor_block.map parallel(d0 < %n, d1 < %two) symbols(%n)
      ins(%a[d0] : tensor<?xf64>, %a[(d0 - 1) mod s0] : tensor<?xf64>) -> tensor<?x?xf64> {
  ^bb0(%k: index, %s: index, %x: f64, %y: f64):
    %one = arith.constant 1 : index
    %odd = arith.cmpi eq, %s, %one : index
    %sum = arith.addf %x, %y : f64
    %v = arith.select %odd, %x, %sum : f64
    tensor_block.yield %v : f64
  }
  func.return %r : tensor<?x?xf64>
}

// Many points are a loop, which is cut itself.
// CHECK-LABEL: func.func @many
// CHECK:         scf.for %k
// CHECK:           scf.for %s = %zero
func.func @many(%a: tensor<?xf64>, %n: index) -> tensor<?x?xf64> {
  %size = arith.constant 9 : index
  %r = tensor_block.map parallel(d0 < %n, d1 < %size) symbols(%n)
      ins(%a[d0] : tensor<?xf64>, %a[(d0 - 1) mod s0] : tensor<?xf64>) -> tensor<?x?xf64> {
  ^bb0(%k: index, %s: index, %x: f64, %y: f64):
    %sum = arith.addf %x, %y : f64
    tensor_block.yield %sum : f64
  }
  func.return %r : tensor<?x?xf64>
}

// What only reads at the point has no loop to cut, and keeps its own.
// CHECK-LABEL: func.func @straight
// CHECK:         scf.for %k
// CHECK:           scf.for %s
// CHECK-COUNT-1:     memref.store
func.func @straight(%a: tensor<?x?xf64>, %n: index) -> tensor<?x?xf64> {
  %two = arith.constant 2 : index
  %r = tensor_block.map parallel(d0 < %n, d1 < %two)
      ins(%a[d0, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^bb0(%k: index, %s: index, %x: f64):
    %v = arith.mulf %x, %x : f64
    tensor_block.yield %v : f64
  }
  func.return %r : tensor<?x?xf64>
}

// A bound on a sum holds for all points that are written out where it holds for the last of them.
// CHECK-LABEL: func.func @doubled
// CHECK:         %[[LAST:.*]] = arith.subi %{{.*}}, %two
// CHECK:         scf.for %i
// CHECK:           arith.cmpi slt, %at, %n
// CHECK:         scf.for %i
// CHECK-NOT:       arith.cmpi
// CHECK-COUNT-2:   memref.store
// CHECK:         scf.for %i
// CHECK:           arith.cmpi slt, %at{{.*}}, %n
// CHECK-NOT:     scf.for
func.func @doubled(%m: index, %n: index, %a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?x?xf64> {
  %two = arith.constant 2 : index
  %r = tensor_block.map parallel(d0 < %m, d1 < %two)
      ins(%a[2 * d0 + d1] : tensor<?xf64>, %b[d0 - 1] : tensor<?xf64>) -> tensor<?x?xf64> {
  ^bb0(%i: index, %p: index, %x: f64, %y: f64):
    %twice = arith.muli %i, %two : index
    %at = arith.addi %twice, %p : index
    %in = arith.cmpi slt, %at, %n : index
    %v = scf.if %in -> (f64) {
      %sum = arith.addf %x, %y : f64
      scf.yield %sum : f64
    } else {
      %zero = arith.constant 0.0 : f64
      scf.yield %zero : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %r : tensor<?x?xf64>
}

// A bound of their own is one that the loop along them goes by.
// CHECK-LABEL: func.func @bounded
// CHECK:         scf.for %i
// CHECK:           scf.for %p
func.func @bounded(%m: index, %n: index, %a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?x?xf64> {
  %two = arith.constant 2 : index
  %r = tensor_block.map parallel(d0 < %m, d1 < %two)
      ins(%a[2 * d0 + d1] : tensor<?xf64>, %b[d0 - 1] : tensor<?xf64>) -> tensor<?x?xf64> {
  ^bb0(%i: index, %p: index, %x: f64, %y: f64):
    %in = arith.cmpi slt, %p, %n : index
    %v = scf.if %in -> (f64) {
      %sum = arith.addf %x, %y : f64
      scf.yield %sum : f64
    } else {
      %zero = arith.constant 0.0 : f64
      scf.yield %zero : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %r : tensor<?x?xf64>
}

// So is another dimension of few points that the reads do not vary with: each element is loaded
// once for all four points, which are stored in two rows whose elements are two apart.
// CHECK-LABEL: func.func @crossed
// CHECK:         memref.cast{{.*}}-> memref<?x?x?x2xf64, strided<[?, ?, 2, 1]>>
// CHECK:         scf.for %i
// CHECK-NOT:       scf.for %p
// CHECK:           scf.for %k
// CHECK:           scf.for %k
// CHECK-NOT:         scf.for
// CHECK-COUNT-2:     memref.load
// CHECK-NOT:         memref.load
// CHECK-COUNT-4:     memref.store
// CHECK:           scf.for %k
func.func @crossed(%a: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?x?x?x?xf64> {
  %two = arith.constant 2 : index
  %r = tensor_block.map parallel(d0 < %n, d1 < %two, d2 < %m, d3 < %two) symbols(%m)
      ins(%a[d0, d2] : tensor<?x?xf64>, %a[d0, (d2 - 1) mod s0] : tensor<?x?xf64>)
      -> tensor<?x?x?x?xf64> {
  ^bb0(%i: index, %p: index, %k: index, %s: index, %x: f64, %y: f64):
    %one = arith.constant 1 : index
    %below = arith.cmpi eq, %p, %one : index
    %odd = arith.cmpi eq, %s, %one : index
    %sum = arith.addf %x, %y : f64
    %v = arith.select %odd, %x, %sum : f64
    %w = arith.select %below, %y, %v : f64
    tensor_block.yield %w : f64
  }
  func.return %r : tensor<?x?x?x?xf64>
}

// One that each read varies with stays outside: nothing is loaded for several of its points.
// CHECK-LABEL: func.func @parts
// CHECK:         scf.for %i
// CHECK:           scf.for %p
// CHECK:             scf.for %k
func.func @parts(%a: tensor<?x?x?xf64>, %n: index, %m: index) -> tensor<?x?x?x?xf64> {
  %two = arith.constant 2 : index
  %r = tensor_block.map parallel(d0 < %n, d1 < %two, d2 < %m, d3 < %two) symbols(%m)
      ins(%a[d0, d1, d2] : tensor<?x?x?xf64>, %a[d0, d1, (d2 - 1) mod s0] : tensor<?x?x?xf64>)
      -> tensor<?x?x?x?xf64> {
  ^bb0(%i: index, %p: index, %k: index, %s: index, %x: f64, %y: f64):
    %one = arith.constant 1 : index
    %odd = arith.cmpi eq, %s, %one : index
    %sum = arith.addf %x, %y : f64
    %v = arith.select %odd, %x, %sum : f64
    tensor_block.yield %v : f64
  }
  func.return %r : tensor<?x?x?x?xf64>
}

// Where the last extent is not known, neither is how far apart rows are.
// CHECK-LABEL: func.func @open
// CHECK-NOT:     memref.cast
// CHECK:         func.return
func.func @open(%a: tensor<?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m)
      ins(%a[d0] : tensor<?xf64>, %a[d1 - 1] : tensor<?xf64>) -> tensor<?x?xf64> {
  ^bb0(%k: index, %s: index, %x: f64, %y: f64):
    %sum = arith.addf %x, %y : f64
    tensor_block.yield %sum : f64
  }
  func.return %r : tensor<?x?xf64>
}
