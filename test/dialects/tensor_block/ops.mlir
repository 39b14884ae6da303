// Every op and attribute, in the custom and the generic form, comes back as it was.
// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @encodings
// CHECK-SAME:      %a: tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
// CHECK-SAME:      %b: tensor<?x?xf64, #tensor_block.tiles<dense = 1, block = [1000, 500]>>
// CHECK-SAME:      %c: tensor<?x?xf64, #tensor_block.storage<dense = 0>>
// CHECK-SAME:      %d: tensor<f64, #tensor_block.tiles<dense = 0>>
// CHECK-SAME:      attributes {e = #tensor_block.tiles<dense = 1>, f = #tensor_block.storage<dense = 3>}
func.func @encodings(%a: tensor<?x?xf64, #tensor_block.tiles<dense = 2>>,
                     %b: tensor<?x?xf64, #tensor_block.tiles<dense = 1, block = [1000, 500]>>,
                     %c: tensor<?x?xf64, #tensor_block.storage<dense = 0>>,
                     %d: tensor<f64, #tensor_block.tiles<dense = 0>>)
    attributes {e = #tensor_block.tiles<dense = 1, block = []>, f = #tensor_block.storage<dense = 3>} {
  func.return
}

// CHECK-LABEL: func.func @map_without_inputs
// CHECK:         tensor_block.map parallel(d0 < %n, d1 < %m) offsets(%x, %y) -> tensor<?x?xi64> {
// CHECK-NEXT:    ^bb0(%i: index, %j: index):
// CHECK-NEXT:      %k = arith.index_cast %i : index to i64
// CHECK-NEXT:      tensor_block.yield %k : i64
// CHECK-NEXT:    }
// CHECK-NEXT:    tensor_block.map -> tensor<index> {
// CHECK-NEXT:      tensor_block.yield %n : index
// CHECK-NEXT:    }
func.func @map_without_inputs(%n: index, %m: index, %x: index, %y: index) {
  %A = tensor_block.map parallel(d0 < %n, d1 < %m) offsets(%x, %y) -> tensor<?x?xi64> {
  ^bb0(%i: index, %j: index):
    %k = arith.index_cast %i : index to i64
    tensor_block.yield %k : i64
  }
  %B = tensor_block.map -> tensor<index> {
    tensor_block.yield %n : index
  }
  func.return
}
// GENERIC:      "tensor_block.map"(%n, %m, %x, %y) <{indexing_maps = [], operandSegmentSizes = array<i32: 0, 2, 2, 0>}>

// CHECK-LABEL: func.func @map
// CHECK:         tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d1, d0] : tensor<?x?xf64>, %v[d0] : tensor<?xf64>, %s[] : tensor<f64>) -> tensor<?x?xf64, #tensor_block.tiles<dense = 2>> {
// CHECK-NEXT:    ^bb0(%i: index, %j: index, %a: f64, %b: f64, %c: f64):
// CHECK-NEXT:      %d = arith.addf %a, %b : f64
// CHECK-NEXT:      tensor_block.yield %d : f64
// CHECK-NEXT:    }
func.func @map(%A: tensor<?x?xf64>, %v: tensor<?xf64>, %s: tensor<f64>, %n: index, %m: index) {
  %B = tensor_block.map parallel(d0 < %n, d1 < %m)
      ins(%A[d1, d0] : tensor<?x?xf64>, %v[d0] : tensor<?xf64>, %s[] : tensor<f64>)
      -> tensor<?x?xf64, #tensor_block.tiles<dense = 2>> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64, %c: f64):
    %d = arith.addf %a, %b : f64
    tensor_block.yield %d : f64
  }
  func.return
}
// GENERIC:      "tensor_block.map"(%A, %v, %s, %n, %m) <{indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> ()>], operandSegmentSizes = array<i32: 3, 2, 0, 0>}>

// CHECK-LABEL: func.func @contraction
// CHECK:         tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l) ins(%A[d0, d2] : tensor<?x?xf64, #tensor_block.tiles<dense = 2>>, %B[d2, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> tensor<?x?xf64, #tensor_block.tiles<dense = 2>> {
// CHECK-NEXT:    ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
// CHECK-NEXT:      %[[V:v[0-9_]*]] = arith.mulf %a, %b : f64
// CHECK-NEXT:      tensor_block.yield %[[V]] : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    tensor_block.reduce min reduced(d0 < %n) offsets(%m) ins(%v[d0] : tensor<?xf64>, %v[d0] : tensor<?xf64>) -> f64 {
func.func @contraction(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 2>>,
                       %B: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>,
                       %v: tensor<?xf64>, %n: index, %m: index, %l: index) {
  %C = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l)
      ins(%A[d0, d2] : tensor<?x?xf64, #tensor_block.tiles<dense = 2>>,
          %B[d2, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>)
      -> tensor<?x?xf64, #tensor_block.tiles<dense = 2>> {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %v1 = arith.mulf %a, %b : f64
    tensor_block.yield %v1 : f64
  }
  %D = tensor_block.reduce min reduced(d0 < %n) offsets(%m)
      ins(%v[d0] : tensor<?xf64>, %v[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %a: f64, %b: f64):
    %v1 = arith.mulf %a, %b : f64
    tensor_block.yield %v1 : f64
  }
  func.return
}
// GENERIC:      "tensor_block.reduce"(%A, %B, %n, %m, %l) <{monoid = "add", parallel = 2 : i64, indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>], operandSegmentSizes = array<i32: 2, 3, 0, 0>}>

// CHECK-LABEL: func.func @reduce
// CHECK:         tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m) ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.storage<dense = 1>>) -> tensor<?xf64> {
// CHECK:         tensor_block.reduce or reduced(d0 < %n, d1 < %m) -> i1 {
// CHECK-NEXT:    ^bb0(%{{.*}}: index, %{{.*}}: index):
func.func @reduce(%A: tensor<?x?xf64, #tensor_block.storage<dense = 1>>, %n: index, %m: index) {
  %R = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.storage<dense = 1>>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  %any = tensor_block.reduce or reduced(d0 < %n, d1 < %m) -> i1 {
  ^bb0(%i: index, %j: index):
    %eq = arith.cmpi eq, %i, %j : index
    tensor_block.yield %eq : i1
  }
  func.return
}

!rows = !comprehension.bag<index, index, f64>

// CHECK-LABEL: func.func @arrays_and_bags
// CHECK:         %rows = tensor_block.to_bag %A : tensor<?x?xf64> -> !comprehension.bag<index, index, f64>
// CHECK-NEXT:    %tile_rows = tensor_block.to_bag %A offsets(%x, %y) : tensor<?x?xf64> -> !comprehension.bag<index, index, f64>
// CHECK-NEXT:    %B = tensor_block.from_bag %rows extents(%n, %n) : !comprehension.bag<index, index, f64> -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
// CHECK-NEXT:    tensor_block.from_bag max %rows extents(%n, %n) offsets(%x, %y) dest(%A : tensor<?x?xf64>) : !comprehension.bag<index, index, f64> -> tensor<?x?xf64>
// CHECK-NEXT:    tensor_block.from_bag add %rows extents(%n, %n) within(%B : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) : !comprehension.bag<index, index, f64> -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
// CHECK-NEXT:    tensor_block.range %x to %y : !comprehension.bag<index>
// CHECK-NEXT:    tensor_block.range %y to %x step -1 : !comprehension.bag<index>
func.func @arrays_and_bags(%A: tensor<?x?xf64>, %n: index, %x: index, %y: index) {
  %rows = tensor_block.to_bag %A : tensor<?x?xf64> -> !rows
  %tile_rows = tensor_block.to_bag %A offsets(%x, %y) : tensor<?x?xf64> -> !rows
  %B = tensor_block.from_bag %rows extents(%n, %n) : !rows -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  %C = tensor_block.from_bag max %rows extents(%n, %n) offsets(%x, %y) dest(%A : tensor<?x?xf64>)
      : !rows -> tensor<?x?xf64>
  %E = tensor_block.from_bag add %rows extents(%n, %n)
      within(%B : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>)
      : !rows -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  %up = tensor_block.range %x to %y : !comprehension.bag<index>
  %down = tensor_block.range %y to %x step -1 : !comprehension.bag<index>
  func.return
}

// CHECK-LABEL: func.func @rows
// CHECK:         %f = tensor_block.filter %r : !comprehension.bag<index, f64> {
// CHECK-NEXT:    ^bb0(%i: index, %w: f64):
// CHECK-NEXT:      %keep = arith.cmpi ne, %i, %n : index
// CHECK-NEXT:      tensor_block.yield %keep : i1
// CHECK-NEXT:    }
// CHECK-NEXT:    %e = tensor_block.extend %f : !comprehension.bag<index, f64> -> !comprehension.bag<index, f64, f64, index> {
// CHECK-NEXT:    ^bb0(%{{.*}}: index, %{{.*}}: f64):
// CHECK-NEXT:      %{{.*}} = arith.mulf
// CHECK-NEXT:      tensor_block.yield %{{.*}}, %n : f64, index
// CHECK-NEXT:    }
// CHECK-NEXT:    %x = tensor_block.expand %f step 2 : !comprehension.bag<index, f64> -> !comprehension.bag<index, f64, index> {
// CHECK-NEXT:    ^bb0(%{{.*}}: index, %{{.*}}: f64):
// CHECK-NEXT:      tensor_block.yield %{{.*}}, %n : index, index
// CHECK-NEXT:    }
// CHECK-NEXT:    %p = tensor_block.project %e[3, 2, 2] : !comprehension.bag<index, f64, f64, index> -> !comprehension.bag<index, f64, f64>
// CHECK-NEXT:    %none = tensor_block.project %e[] : !comprehension.bag<index, f64, f64, index> -> !comprehension.bag<>
// CHECK-NEXT:    %l = tensor_block.lookup %p[0, 0] in %A : !comprehension.bag<index, f64, f64>, tensor<?x?xi64> -> !comprehension.bag<index, f64, f64, i64>
// CHECK-NEXT:    %s = tensor_block.lookup %p[0, 0] in %A stored offsets(%n, %n) : !comprehension.bag<index, f64, f64>, tensor<?x?xi64> -> !comprehension.bag<index, f64, f64, i64>
// CHECK-NEXT:    %j = tensor_block.join %r[0, 1], %p[0, 2] : !comprehension.bag<index, f64>, !comprehension.bag<index, f64, f64> -> !comprehension.bag<index, f64, index, f64, f64>
// CHECK-NEXT:    %all = tensor_block.join %r[], %r[] : !comprehension.bag<index, f64>, !comprehension.bag<index, f64> -> !comprehension.bag<index, f64, index, f64>
// CHECK-NEXT:    %g = tensor_block.group_reduce %p keys 1 monoids(add, max) : !comprehension.bag<index, f64, f64>
// CHECK-NEXT:    %d = tensor_block.group_reduce %p keys 3 monoids() : !comprehension.bag<index, f64, f64>
// CHECK-NEXT:    %sum = tensor_block.fold add %v : !comprehension.bag<f64>
func.func @rows(%r: !comprehension.bag<index, f64>, %A: tensor<?x?xi64>, %n: index, %v: !comprehension.bag<f64>) {
  %f = tensor_block.filter %r : !comprehension.bag<index, f64> {
  ^bb0(%i: index, %w: f64):
    %keep = arith.cmpi ne, %i, %n : index
    tensor_block.yield %keep : i1
  }
  %e = tensor_block.extend %f : !comprehension.bag<index, f64> -> !comprehension.bag<index, f64, f64, index> {
  ^bb0(%i: index, %a: f64):
    %w = arith.mulf %a, %a : f64
    tensor_block.yield %w, %n : f64, index
  }
  %x = tensor_block.expand %f step 2 : !comprehension.bag<index, f64> -> !comprehension.bag<index, f64, index> {
  ^bb0(%i: index, %w: f64):
    tensor_block.yield %i, %n : index, index
  }
  %p = tensor_block.project %e[3, 2, 2] : !comprehension.bag<index, f64, f64, index> -> !comprehension.bag<index, f64, f64>
  %none = tensor_block.project %e[] : !comprehension.bag<index, f64, f64, index> -> !comprehension.bag<>
  %l = tensor_block.lookup %p[0, 0] in %A : !comprehension.bag<index, f64, f64>, tensor<?x?xi64> -> !comprehension.bag<index, f64, f64, i64>
  %s = tensor_block.lookup %p[0, 0] in %A stored offsets(%n, %n) : !comprehension.bag<index, f64, f64>, tensor<?x?xi64> -> !comprehension.bag<index, f64, f64, i64>
  %j = tensor_block.join %r[0, 1], %p[0, 2] : !comprehension.bag<index, f64>, !comprehension.bag<index, f64, f64> -> !comprehension.bag<index, f64, index, f64, f64>
  %all = tensor_block.join %r[], %r[] : !comprehension.bag<index, f64>, !comprehension.bag<index, f64> -> !comprehension.bag<index, f64, index, f64>
  %g = tensor_block.group_reduce %p keys 1 monoids(add, max) : !comprehension.bag<index, f64, f64>
  %d = tensor_block.group_reduce %p keys 3 monoids() : !comprehension.bag<index, f64, f64>
  %sum = tensor_block.fold add %v : !comprehension.bag<f64>
  func.return
}
// GENERIC:      "tensor_block.lookup"(%p, %A, %n, %n) <{columns = array<i64: 0, 0>, stored}>
// GENERIC:      "tensor_block.join"(%r, %p) <{left_keys = array<i64: 0, 1>, right_keys = array<i64: 0, 2>}>
// GENERIC:      "tensor_block.group_reduce"(%p) <{keys = 1 : i64, monoids = ["add", "max"]}>

// Attributes that no op knows stay where they are.
// CHECK-LABEL: func.func @attributes
// CHECK-NEXT:    tensor_block.map parallel(d0 < %n) -> tensor<?xindex> attributes {a} {
// CHECK:           tensor_block.yield %{{.*}} : index {b}
// CHECK:         tensor_block.map parallel(d0 < %n) -> tensor<?xindex> attributes {c} {
// CHECK:         tensor_block.reduce add reduced(d0 < %n) ins({{.*}}) -> index attributes {d} {
// CHECK:         tensor_block.reduce add reduced(d0 < %n) -> index attributes {e} {
// CHECK:         tensor_block.to_bag %A {f} : tensor<?xindex>
// CHECK:         tensor_block.range %n to %n {g} : !comprehension.bag<index>
// CHECK:         tensor_block.from_bag %r extents(%n) {h} :
// CHECK:         tensor_block.filter %r : !comprehension.bag<index, index> attributes {i} {
// CHECK:         tensor_block.extend %r : !comprehension.bag<index, index> -> !comprehension.bag<index, index> attributes {j} {
// CHECK:         tensor_block.extend %r to [2, 0] : !comprehension.bag<index, index> -> !comprehension.bag<index, index> attributes {jj} {
// CHECK:         tensor_block.project %r[0] {k} :
// CHECK:         tensor_block.lookup %r[0] in %A {l} :
// CHECK:         tensor_block.join %r[], %r[] {m} :
// CHECK:         tensor_block.group_reduce %r keys 1 monoids(add) {n} :
// CHECK:         tensor_block.fold add %p {o} :
func.func @attributes(%n: index) {
  %A = tensor_block.map parallel(d0 < %n) -> tensor<?xindex> attributes {a} {
  ^bb0(%i: index):
    tensor_block.yield %i : index {b}
  }
  %B = tensor_block.map parallel(d0 < %n) -> tensor<?xindex> attributes {c} {
  ^bb0(%i: index):
    tensor_block.yield %i : index
  }
  %C = tensor_block.reduce add reduced(d0 < %n) ins(%A[d0] : tensor<?xindex>, %B[d0] : tensor<?xindex>) -> index attributes {d} {
  ^bb0(%i: index, %a: index, %b: index):
    tensor_block.yield %i : index
  }
  %D = tensor_block.reduce add reduced(d0 < %n) -> index attributes {e} {
  ^bb0(%i: index):
    tensor_block.yield %i : index
  }
  %r = tensor_block.to_bag %A {f} : tensor<?xindex> -> !comprehension.bag<index, index>
  %s = tensor_block.range %n to %n {g} : !comprehension.bag<index>
  %E = tensor_block.from_bag %r extents(%n) {h} : !comprehension.bag<index, index> -> tensor<?xindex>
  %t = tensor_block.filter %r : !comprehension.bag<index, index> attributes {i} {
  ^bb0(%i: index, %a: index):
    %c = arith.cmpi eq, %i, %a : index
    tensor_block.yield %c : i1
  }
  %u = tensor_block.extend %r : !comprehension.bag<index, index> -> !comprehension.bag<index, index> attributes {j} {
  ^bb0(%i: index, %a: index):
    tensor_block.yield
  }
  %uu = tensor_block.extend %r to [2, 0] : !comprehension.bag<index, index> -> !comprehension.bag<index, index> attributes {jj} {
  ^bb0(%i: index, %a: index):
    tensor_block.yield %a : index
  }
  %p = tensor_block.project %r[0] {k} : !comprehension.bag<index, index> -> !comprehension.bag<index>
  %l = tensor_block.lookup %r[0] in %A {l} : !comprehension.bag<index, index>, tensor<?xindex> -> !comprehension.bag<index, index, index>
  %j = tensor_block.join %r[], %r[] {m} : !comprehension.bag<index, index>, !comprehension.bag<index, index> -> !comprehension.bag<index, index, index, index>
  %g = tensor_block.group_reduce %r keys 1 monoids(add) {n} : !comprehension.bag<index, index>
  %f = tensor_block.fold add %p {o} : !comprehension.bag<index>
  func.return
}

// CHECK-LABEL: func.func @windows
// CHECK:         tensor_block.map parallel(d0 < %n) symbols(%k, %n) ins(%A[d0 - 1, d0] : tensor<?x?xf64>, %v[-2 * d0 + 3 * s0 - s1 + 1] : tensor<?xf64>, %v[0] : tensor<?xf64>) -> tensor<?xf64> {
// CHECK:         tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %k) ins(%v[d0 + d1 - 1] : tensor<?xf64>) -> tensor<?xf64> {
func.func @windows(%A: tensor<?x?xf64>, %v: tensor<?xf64>, %n: index, %k: index) {
  %B = tensor_block.map parallel(d0 < %n) symbols(%k, %n)
      ins(%A[d0 - 1, d0] : tensor<?x?xf64>, %v[1 - 2 * d0 + 3 * s0 - s1] : tensor<?xf64>,
          %v[0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %a: f64, %b: f64, %c: f64):
    tensor_block.yield %a : f64
  }
  %C = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %k)
      ins(%v[d0 + d1 - 1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return
}
// GENERIC:      indexing_maps = [affine_map<(d0)[s0, s1] -> ((d0 + -1), d0)>

// CHECK-LABEL: func.func @scatter_reduce
// CHECK:         tensor_block.scatter_reduce max reduced(d0 < %n) offsets(%o) into(%m) ins(%v[d0] : tensor<?xf64>) -> tensor<?xf64> {
// CHECK-NEXT:    ^bb0(%i: index, %a: f64):
// CHECK-NEXT:      tensor_block.yield %i, %a : index, f64
func.func @scatter_reduce(%v: tensor<?xf64>, %n: index, %m: index, %o: index) {
  %B = tensor_block.scatter_reduce max reduced(d0 < %n) offsets(%o) into(%m)
      ins(%v[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %a: f64):
    tensor_block.yield %i, %a : index, f64
  }
  func.return
}

// An index may be a remainder, which is never negative.
// CHECK-LABEL: func.func @around
// CHECK:         tensor_block.map parallel(d0 < %n) ins(%v[(d0 - 1) mod 8] : tensor<?xf64>) -> tensor<?xf64> {
func.func @around(%n: index, %v: tensor<?xf64>) {
  %r = tensor_block.map parallel(d0 < %n) ins(%v[(d0 - 1) mod 8] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return
}

// Of several rows with one key or index the one with the greatest places.
// CHECK-LABEL: func.func @places
// CHECK-NEXT:    tensor_block.group_reduce %r keys 1 monoids(place, place, any) : !comprehension.bag<index, i64, f64, f64>
// CHECK-NEXT:    tensor_block.from_bag %r places 2 extents(%n) : !comprehension.bag<index, i64, f64, f64> -> tensor<?xf64>
// GENERIC:      "tensor_block.from_bag"(%r, %n) <{places = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}>
func.func @places(%r: !comprehension.bag<index, i64, f64, f64>, %n: index) {
  %g = tensor_block.group_reduce %r keys 1 monoids(place, place, any) : !comprehension.bag<index, i64, f64, f64>
  %A = tensor_block.from_bag %r places 2 extents(%n) : !comprehension.bag<index, i64, f64, f64> -> tensor<?xf64>
  func.return
}
