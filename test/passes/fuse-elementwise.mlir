// RUN: diablo-opt %s -p fuse-elementwise,canonicalize --remarks 2>&1 | filecheck %s
// RUN: diablo-opt %s -p fuse-elementwise{whole=true} --remarks 2>&1 | filecheck %s --check-prefix=WHOLE

// CHECK: remark: an elementwise operation is fused into its use, and its array is not made
// CHECK: remark: an elementwise operation is not fused into its use: its result is used more than once
// CHECK: remark: an elementwise operation is not fused into its use: each of its elements is read more than once
// CHECK: remark: an elementwise operation is not fused into its use: a product is left alone, which a library computes of arrays
// CHECK: remark: an elementwise operation is not fused: only stored elements would change

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// map∘map, through a transposition.
// CHECK-LABEL: func.func @map_of_map
// CHECK-NEXT:    tensor_block.map parallel(d0 < %n, d1 < %m) ins(%y[d0, d1] : {{.*}}, %x[d1, d0] : {{.*}})
// CHECK-NEXT:    ^bb0(%{{.*}}: index, %{{.*}}: index, %[[Y:.*]]: f64, %[[X:.*]]: f64):
// CHECK-NEXT:      %[[E:.*]] = math.exp %[[X]]
// CHECK-NEXT:      arith.mulf %[[E]], %[[Y]]
// CHECK-NEXT:      tensor_block.yield
func.func @map_of_map(%n: index, %m: index, %x: !matrix, %y: !matrix) -> !matrix {
  %e = tensor_block.map parallel(d0 < %m, d1 < %n) ins(%x[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64):
    %f = math.exp %a : f64
    tensor_block.yield %f : f64
  }
  %r = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%e[d1, d0] : !matrix, %y[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %f = arith.mulf %a, %b : f64
    tensor_block.yield %f : f64
  }
  func.return %r : !matrix
}

// map∘map without inputs, with the index.
// CHECK-LABEL: func.func @map_of_indices
// CHECK-NEXT:    tensor_block.map parallel(d0 < %n) ins(%x[d0] : {{.*}})
// CHECK-NEXT:    ^bb0(%[[I:.*]]: index, %[[X:.*]]: f64):
// CHECK-NEXT:      %[[INT:.*]] = arith.index_cast %[[I]]
// CHECK-NEXT:      %[[F:.*]] = arith.sitofp %[[INT]]
// CHECK-NEXT:      arith.addf %[[F]], %[[X]]
func.func @map_of_indices(%n: index, %x: !vector) -> !vector {
  %g = tensor_block.map parallel(d0 < %n) -> !vector {
  ^bb0(%i: index):
    %w = arith.index_cast %i : index to i64
    %f = arith.sitofp %w : i64 to f64
    tensor_block.yield %f : f64
  }
  %r = tensor_block.map parallel(d0 < %n) ins(%g[d0] : !vector, %x[d0] : !vector) -> !vector {
  ^bb0(%i: index, %a: f64, %b: f64):
    %f = arith.addf %a, %b : f64
    tensor_block.yield %f : f64
  }
  func.return %r : !vector
}

// reduce∘map.
// CHECK-LABEL: func.func @reduce_of_map
// CHECK-NEXT:    tensor_block.reduce add reduced(d0 < %n) ins(%x[d0] : {{.*}}) -> f64
// CHECK-NEXT:    ^bb0(%{{.*}}: index, %[[X:.*]]: f64):
// CHECK-NEXT:      arith.mulf %[[X]], %[[X]]
func.func @reduce_of_map(%n: index, %x: !vector) -> f64 {
  %q = tensor_block.map parallel(d0 < %n) ins(%x[d0] : !vector) -> !vector {
  ^bb0(%i: index, %a: f64):
    %f = arith.mulf %a, %a : f64
    tensor_block.yield %f : f64
  }
  %s = tensor_block.reduce add reduced(d0 < %n) ins(%q[d0] : !vector) -> f64 {
  ^bb0(%i: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %s : f64
}

// reduce∘map with two inputs: that is no contraction, since one of them is read at no reduced
// dimension.
// CHECK-LABEL: func.func @reduce_of_scaled
// CHECK-NEXT:    tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m) ins(%x[d0] : {{.*}}, %y[d0, d1] : {{.*}})
// CHECK-NEXT:    ^bb0(%{{.*}}: index, %{{.*}}: index, %[[X:.*]]: f64, %[[Y:.*]]: f64):
// CHECK-NEXT:      %[[LOG:.*]] = math.log %[[Y]]
// CHECK-NEXT:      arith.mulf %[[X]], %[[LOG]]
func.func @reduce_of_scaled(%n: index, %m: index, %x: !vector, %y: !matrix) -> !vector {
  %q = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%y[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64):
    %f = math.log %a : f64
    tensor_block.yield %f : f64
  }
  %s = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m) ins(%x[d0] : !vector, %q[d0, d1] : !matrix) -> !vector {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %f = arith.mulf %a, %b : f64
    tensor_block.yield %f : f64
  }
  func.return %s : !vector
}

// 0 + reduce: the sum itself.
// CHECK-LABEL: func.func @sum_on_zeros
// CHECK:         tensor_block.reduce add
// CHECK-NOT:     tensor_block.map
func.func @sum_on_zeros(%n: index, %x: !matrix, %y: !matrix) -> !matrix {
  %z = tensor_block.map parallel(d0 < %n, d1 < %n) -> !matrix {
  ^bb0(%i: index, %j: index):
    %zero = arith.constant 0.0 : f64
    tensor_block.yield %zero : f64
  }
  %p = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n) ins(%x[d0, d2] : !matrix, %y[d2, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %f = arith.mulf %a, %b : f64
    tensor_block.yield %f : f64
  }
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%z[d0, d1] : !matrix, %p[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %f = arith.addf %a, %b : f64
    tensor_block.yield %f : f64
  }
  func.return %r : !matrix
}

// Held back: another op uses the result; a broadcast would compute it per row; a contraction
// stays a BLAS call.
// CHECK-LABEL: func.func @held_back
// CHECK:         %e = tensor_block.map
// CHECK:         %r = tensor_block.map
// CHECK-SAME:      %e[d0]
// CHECK:         %b = tensor_block.map
// CHECK:         %s = tensor_block.map
// CHECK-SAME:      %b[d1]
// CHECK:         %log = tensor_block.map
// CHECK:         tensor_block.reduce add
// CHECK-SAME:      %log[d0]
func.func @held_back(%n: index, %x: !vector) -> (!vector, !vector, !matrix, f64) {
  %e = tensor_block.map parallel(d0 < %n) ins(%x[d0] : !vector) -> !vector {
  ^bb0(%i: index, %a: f64):
    %f = math.exp %a : f64
    tensor_block.yield %f : f64
  }
  %r = tensor_block.map parallel(d0 < %n) ins(%e[d0] : !vector) -> !vector {
  ^bb0(%i: index, %a: f64):
    %f = arith.mulf %a, %a : f64
    tensor_block.yield %f : f64
  }
  %b = tensor_block.map parallel(d0 < %n) ins(%x[d0] : !vector) -> !vector {
  ^bb0(%i: index, %a: f64):
    %f = math.sqrt %a : f64
    tensor_block.yield %f : f64
  }
  %s = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%x[d0] : !vector, %b[d1] : !vector) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64, %c: f64):
    %f = arith.mulf %a, %c : f64
    tensor_block.yield %f : f64
  }
  %log = tensor_block.map parallel(d0 < %n) ins(%x[d0] : !vector) -> !vector {
  ^bb0(%i: index, %a: f64):
    %f = math.log %a : f64
    tensor_block.yield %f : f64
  }
  %d = tensor_block.reduce add reduced(d0 < %n) ins(%log[d0] : !vector, %x[d0] : !vector) -> f64 {
  ^bb0(%i: index, %a: f64, %y: f64):
    %f = arith.mulf %a, %y : f64
    tensor_block.yield %f : f64
  }
  func.return %e, %r, %s, %d : !vector, !vector, !matrix, f64
}

// What a stencil reads stays an array of its own; a stencil goes into what uses it.
// CHECK-LABEL: func.func @stencil
// CHECK:         %e = tensor_block.map parallel(d0 < %n) ins(%x[d0]
// CHECK:         tensor_block.map parallel(d0 < %n) symbols(%n) ins(%e[d0 - 1] : {{.*}}, %e[d0 + s0] :
// CHECK:           arith.addf
// CHECK:           math.sqrt
// CHECK-NOT:     tensor_block.map
func.func @stencil(%n: index, %x: !vector) -> !vector {
  %e = tensor_block.map parallel(d0 < %n) ins(%x[d0] : !vector) -> !vector {
  ^bb0(%i: index, %a: f64):
    %f = math.exp %a : f64
    tensor_block.yield %f : f64
  }
  %s = tensor_block.map parallel(d0 < %n) symbols(%n)
      ins(%e[d0 - 1] : !vector, %e[d0 + s0] : !vector) -> !vector {
  ^bb0(%i: index, %a: f64, %b: f64):
    %f = arith.addf %a, %b : f64
    tensor_block.yield %f : f64
  }
  %r = tensor_block.map parallel(d0 < %n) ins(%s[d0] : !vector) -> !vector {
  ^bb0(%i: index, %a: f64):
    %f = math.sqrt %a : f64
    tensor_block.yield %f : f64
  }
  func.return %r : !vector
}

// A map that copies an array goes, unless it cuts it.
// CHECK-LABEL: func.func @copy
// CHECK:         %t = tensor_block.scatter_reduce
// CHECK:         %d = tensor_block.map parallel(d0 < %m)
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      tensor_block.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %t, %d
func.func @copy(%n: index, %m: index, %x: !vector) -> (!vector, !vector) {
  %t = tensor_block.scatter_reduce add reduced(d0 < %n) into(%n) ins(%x[d0] : !vector) -> !vector {
  ^bb0(%i: index, %a: f64):
    tensor_block.yield %i, %a : index, f64
  }
  %c = tensor_block.map parallel(d0 < %n) ins(%t[d0] : !vector) -> !vector {
  ^bb0(%i: index, %a: f64):
    tensor_block.yield %a : f64
  }
  %d = tensor_block.map parallel(d0 < %m) ins(%t[d0] : !vector) -> !vector {
  ^bb0(%i: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %c, %d : !vector, !vector
}

// A constant that is spread before a loop is the constant in it; what is computed there stays.
// CHECK-LABEL: func.func @around
// CHECK:         %e = tensor_block.map
// CHECK:         scf.while
// CHECK:           %s = tensor_block.reduce
// CHECK-NEXT:      ^bb0
// CHECK-NEXT:        tensor_block.yield
// CHECK-NEXT:      }
// CHECK-NEXT:      %u = tensor_block.map parallel(d0 < %n) ins(%s[d0] : {{.*}}, %e[d0] : {{.*}})
func.func @around(%n: index, %x: !vector, %a: tensor<?x?xf64>, %go: i1) -> !vector {
  %z = tensor_block.map parallel(d0 < %n) -> !vector {
  ^bb0(%i: index):
    %zero = arith.constant 0.0 : f64
    tensor_block.yield %zero : f64
  }
  %e = tensor_block.map parallel(d0 < %n) ins(%x[d0] : !vector) -> !vector {
  ^bb0(%i: index, %b: f64):
    %f = math.exp %b : f64
    tensor_block.yield %f : f64
  }
  %r = scf.while (%y = %z) : (!vector) -> !vector {
    scf.condition(%go) %y : !vector
  } do {
  ^bb0(%y: !vector):
    %s = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n)
        ins(%a[d0, d1] : tensor<?x?xf64>) -> !vector {
    ^bb1(%i: index, %j: index, %b: f64):
      tensor_block.yield %b : f64
    }
    %t = tensor_block.map parallel(d0 < %n) ins(%z[d0] : !vector, %s[d0] : !vector) -> !vector {
    ^bb1(%i: index, %b: f64, %c: f64):
      %f = arith.addf %b, %c : f64
      tensor_block.yield %f : f64
    }
    %u = tensor_block.map parallel(d0 < %n) ins(%t[d0] : !vector, %e[d0] : !vector) -> !vector {
    ^bb1(%i: index, %b: f64, %c: f64):
      %f = arith.mulf %b, %c : f64
      tensor_block.yield %f : f64
    }
    scf.yield %u : !vector
  }
  func.return %r : !vector
}

// A sum of distributed elements that is added to zeros of the driver is the driver's.
// CHECK-LABEL: func.func @sums
// CHECK:         %s = tensor_block.reduce {{.*}} -> tensor<?xf64> {
// CHECK:         func.return %s : tensor<?xf64>
func.func @sums(%n: index, %a: tensor<?x?xf64, #tensor_block.tiles<dense = 2>>) -> tensor<?xf64> {
  %z = tensor_block.map parallel(d0 < %n) -> tensor<?xf64> {
  ^bb0(%i: index):
    %zero = arith.constant 0.0 : f64
    tensor_block.yield %zero : f64
  }
  %s = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n)
      ins(%a[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 2>>) -> !vector {
  ^bb0(%i: index, %j: index, %b: f64):
    tensor_block.yield %b : f64
  }
  %t = tensor_block.map parallel(d0 < %n) ins(%z[d0] : tensor<?xf64>, %s[d0] : !vector) -> tensor<?xf64> {
  ^bb0(%i: index, %b: f64, %c: f64):
    %f = arith.addf %b, %c : f64
    tensor_block.yield %f : f64
  }
  func.return %t : tensor<?xf64>
}

// What changes an array where a region stores elements only is left alone: by what made the array,
// and by what reads the result.
// CHECK-LABEL: func.func @update
// CHECK:         %T = tensor_block.map
// CHECK:         %N = tensor_block.map
// CHECK-SAME:      ins(%R[d0] : {{.*}}, %T[d0] : {{.*}})
// CHECK:         tensor_block.map
// CHECK-SAME:      ins(%N[d0] : {{.*}})
func.func @update(%R: tensor<?xi1, #tensor_block.storage<dense = 0>>, %v: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %two = arith.constant 2.0 : f64
  %T = tensor_block.map parallel(d0 < %n) ins(%v[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %x: f64):
    %y = arith.addf %x, %two : f64
    tensor_block.yield %y : f64
  }
  %N = tensor_block.map parallel(d0 < %n) ins(%R[d0] : tensor<?xi1, #tensor_block.storage<dense = 0>>, %T[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %r: i1, %t: f64):
    %y = arith.select %r, %two, %t : f64
    tensor_block.yield %y : f64
  }
  %s = tensor_block.map parallel(d0 < %n) ins(%N[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %a: f64):
    %y = arith.mulf %a, %a : f64
    tensor_block.yield %y : f64
  }
  func.return %s : tensor<?xf64>
}

// Zeros that are made for it are its own.
// CHECK-LABEL: func.func @update_of_zeros
// CHECK-NOT:     tensor_block.map parallel(d0 < %n) ->
// CHECK:         tensor_block.map parallel(d0 < %n) ins(%R[d0] : {{.*}}) ->
func.func @update_of_zeros(%R: tensor<?xi1, #tensor_block.storage<dense = 0>>, %n: index) -> tensor<?xf64> {
  %two = arith.constant 2.0 : f64
  %zero = arith.constant 0.0 : f64
  %zeros = tensor_block.map parallel(d0 < %n) -> tensor<?xf64> {
  ^bb0(%i: index):
    tensor_block.yield %zero : f64
  }
  %Z = tensor_block.map parallel(d0 < %n) ins(%R[d0] : tensor<?xi1, #tensor_block.storage<dense = 0>>, %zeros[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %r: i1, %t: f64):
    %y = arith.select %r, %two, %t : f64
    tensor_block.yield %y : f64
  }
  func.return %Z : tensor<?xf64>
}

// map2∘map, on both sides at once.
// CHECK-LABEL: func.func @map2_of_map
// CHECK-NEXT:    tensor_block.map parallel(d0 < %n) ins(%x[d0] : {{.*}}, %y[d0] : {{.*}})
// CHECK-DAG:       math.exp
// CHECK-DAG:       math.log
// CHECK:           arith.addf
// CHECK-NEXT:      tensor_block.yield
func.func @map2_of_map(%n: index, %x: !vector, %y: !vector) -> !vector {
  %e = tensor_block.map parallel(d0 < %n) ins(%x[d0] : !vector) -> !vector {
  ^bb0(%i: index, %a: f64):
    %f = math.exp %a : f64
    tensor_block.yield %f : f64
  }
  %l = tensor_block.map parallel(d0 < %n) ins(%y[d0] : !vector) -> !vector {
  ^bb0(%i: index, %a: f64):
    %f = math.log %a : f64
    tensor_block.yield %f : f64
  }
  %r = tensor_block.map parallel(d0 < %n) ins(%e[d0] : !vector, %l[d0] : !vector) -> !vector {
  ^bb0(%i: index, %a: f64, %b: f64):
    %f = arith.addf %a, %b : f64
    tensor_block.yield %f : f64
  }
  func.return %r : !vector
}

// contract∘map: a contraction that is no product takes in what computes nothing, below its fold; what
// it would compute several times stays an array.
// CHECK-LABEL: func.func @contract_of_map
// CHECK-NEXT:    %e = tensor_block.map
// CHECK:         tensor_block.reduce min {{.*}} ins(%e[d0, d2] : {{.*}}, %x[d1, d2] : {{.*}})
// CHECK:         tensor_block.reduce min {{.*}} ins(%x[d0, d2] : {{.*}})
// CHECK:           arith.constant 2.0
func.func @contract_of_map(%n: index, %x: !matrix) -> (!matrix, !matrix) {
  %e = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%x[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64):
    %f = math.exp %a : f64
    tensor_block.yield %f : f64
  }
  %r = tensor_block.reduce min parallel(d0 < %n, d1 < %n) reduced(d2 < %n) ins(%e[d0, d2] : !matrix, %x[d1, d2] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %f = arith.addf %a, %b : f64
    tensor_block.yield %f : f64
  }
  %c = tensor_block.map parallel(d0 < %n, d1 < %n) -> !matrix {
  ^bb0(%i: index, %j: index):
    %f = arith.constant 2.0 : f64
    tensor_block.yield %f : f64
  }
  %s = tensor_block.reduce min parallel(d0 < %n, d1 < %n) reduced(d2 < %n) ins(%x[d0, d2] : !matrix, %c[d2, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %f = arith.addf %a, %b : f64
    tensor_block.yield %f : f64
  }
  func.return %r, %s : !matrix, !matrix
}

// contract∘map: a contraction that is no product takes in what it reads once per element, and its
// fold stays around that.
// CHECK-LABEL: func.func @contract_of_map_once
// CHECK-NEXT:    tensor_block.reduce min parallel(d0 < %n) reduced(d1 < %m) ins(%v[d1] : {{.*}}, %x[d0, d1] : {{.*}})
// CHECK-NEXT:    ^bb0(%{{.*}}: index, %{{.*}}: index, %[[V:.*]]: f64, %[[X:.*]]: f64):
// CHECK-NEXT:      %[[E:.*]] = math.exp %[[X]]
// CHECK-NEXT:      %[[S:.*]] = arith.addf %[[E]], %[[V]]
// CHECK-NEXT:      tensor_block.yield %[[S]]
func.func @contract_of_map_once(%n: index, %m: index, %x: !matrix, %v: !vector) -> !vector {
  %e = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%x[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64):
    %f = math.exp %a : f64
    tensor_block.yield %f : f64
  }
  %r = tensor_block.reduce min parallel(d0 < %n) reduced(d1 < %m) ins(%e[d0, d1] : !matrix, %v[d1] : !vector) -> !vector {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %f = arith.addf %a, %b : f64
    tensor_block.yield %f : f64
  }
  func.return %r : !vector
}

// contract∘map: what a library multiplies is an array, whatever it is computed of.
// CHECK-LABEL: func.func @product_of_map
// CHECK-NEXT:    %e = tensor_block.map
// CHECK:         tensor_block.reduce add {{.*}} ins(%e[d0, d2] : {{.*}}, %x[d2, d1] : {{.*}})
func.func @product_of_map(%n: index, %x: !matrix) -> !matrix {
  %e = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%x[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %a: f64):
    %f = math.exp %a : f64
    tensor_block.yield %f : f64
  }
  %r = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n) ins(%e[d0, d2] : !matrix, %x[d2, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %f = arith.mulf %a, %b : f64
    tensor_block.yield %f : f64
  }
  func.return %r : !matrix
}

// Two updates of a slice each: as one tile, a loop changes both in the memory of the array.
// CHECK-LABEL: func.func @slices(
// CHECK:         tensor_block.map
// CHECK-NOT:     tensor_block.map
// CHECK-LABEL: func.func private @end(
// WHOLE-LABEL: func.func @slices(
// WHOLE:         %[[Y:.*]] = tensor_block.map {{.*}} ins(%{{.*}}[d0, d1] : {{.*}})
// WHOLE:         tensor_block.map {{.*}} ins(%[[Y]][d0, d1] : {{.*}})
func.func @slices(%A: !matrix, %n: index, %k: index) -> !matrix {
  %r = scf.while (%X = %A) : (!matrix) -> !matrix {
    %go = "test.op"() : () -> i1
    scf.condition(%go) %X : !matrix
  } do {
  ^bb0(%X: !matrix):
    %zero = arith.constant 0.0 : f64
    %y = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%X[d0, d1] : !matrix) -> !matrix {
    ^bb0(%i: index, %j: index, %a: f64):
      %here = arith.cmpi eq, %i, %k : index
      %v = scf.if %here -> (f64) {
        scf.yield %zero : f64
      } else {
        scf.yield %a : f64
      }
      tensor_block.yield %v : f64
    }
    %z = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%y[d0, d1] : !matrix) -> !matrix {
    ^bb0(%i: index, %j: index, %a: f64):
      %here = arith.cmpi eq, %j, %k : index
      %v = scf.if %here -> (f64) {
        %two = arith.addf %a, %a : f64
        scf.yield %two : f64
      } else {
        scf.yield %a : f64
      }
      tensor_block.yield %v : f64
    }
    scf.yield %z : !matrix
  }
  func.return %r : !matrix
}
func.func private @end()
