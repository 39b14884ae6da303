// RUN: diablo-opt %s -p mask-products --split-input-file --remarks 2>%t | filecheck %s
// RUN: filecheck %s --input-file %t --check-prefix=REMARK

!sparse = tensor<?x?xf64, #tensor_block.storage<dense = 1>>

// A sum of the product's elements times a third matrix's: nothing is looked at beside that.
func.func @folded(%n: index, %m: index, %k: index, %A: !sparse, %B: !sparse, %M: !sparse) -> f64 {
  %p = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %k)
      ins(%A[d0, d2] : !sparse, %B[d2, d1] : !sparse) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %l: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  %r = tensor_block.reduce add reduced(d0 < %n, d1 < %m)
      ins(%p[d0, d1] : tensor<?x?xf64>, %M[d0, d1] : !sparse) -> f64 {
  ^bb0(%i: index, %j: index, %x: f64, %y: f64):
    %v = arith.mulf %x, %y : f64
    tensor_block.yield %v : f64
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @folded
// CHECK-NEXT:    %p = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %k)
// CHECK-SAME:      %A[d0, d2] : {{[^%]*}}%B[d2, d1] : {{[^%]*}}%M[d0, d1] :
// CHECK-SAME:      ) -> tensor<?x?xf64, #tensor_block.storage<dense = 1>> {
// CHECK-NEXT:    ^bb0(%i: index, %j: index, %l: index, %a: f64, %b: f64, %[[M:.*]]: f64):
// CHECK-NEXT:      %v = arith.mulf %a, %b : f64
// CHECK:           %[[T:.*]] = arith.cmpf une, %[[M]], %{{.*}} : f64
// CHECK-NEXT:      %[[Z:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:      %[[S:.*]] = arith.select %[[T]], %v, %[[Z]] : f64
// CHECK-NEXT:      tensor_block.yield %[[S]] : f64
// CHECK:         tensor_block.reduce add reduced(d0 < %n, d1 < %m) ins(%p[d0, d1]
// REMARK:      remark: the product is computed only where a sparse array that is read with it stores

// -----

!sparse = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!edges = tensor<?x?xi1, #tensor_block.storage<dense = 0>>

// A sparse map with a Boolean mask, read the other way round; the product stands after the mask.
func.func @chosen(%n: index, %k: index, %A: !sparse, %M: !edges) -> !sparse {
  %p = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %k)
      ins(%A[d0, d2] : !sparse, %A[d2, d1] : !sparse) -> !sparse {
  ^bb0(%i: index, %j: index, %l: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  %r = tensor_block.map parallel(d0 < %n, d1 < %n)
      ins(%M[d1, d0] : !edges, %p[d1, d0] : !sparse) -> !sparse {
  ^bb0(%i: index, %j: index, %t: i1, %x: f64):
    %zero = arith.constant 0.0 : f64
    %v = arith.select %t, %x, %zero : f64
    tensor_block.yield %v : f64
  }
  func.return %r : !sparse
}
// CHECK-LABEL: func.func @chosen
// CHECK-NEXT:    tensor_block.reduce
// CHECK-SAME:      %M[d0, d1] : tensor<?x?xi1, {{[^>]*>>}}) -> tensor<?x?xf64, #tensor_block.storage<dense = 0>> {
// CHECK:           arith.select %{{.*}}, %v
// REMARK:      remark: the product is computed only where

// -----

!sparse = tensor<?x?xf64, #tensor_block.storage<dense = 1>>

// A sum of both looks at all of the product.
func.func @added(%n: index, %m: index, %k: index, %A: !sparse, %B: !sparse, %M: !sparse) -> !sparse {
  %p = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %k)
      ins(%A[d0, d2] : !sparse, %B[d2, d1] : !sparse) -> !sparse {
  ^bb0(%i: index, %j: index, %l: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  %r = tensor_block.map parallel(d0 < %n, d1 < %m)
      ins(%p[d0, d1] : !sparse, %M[d0, d1] : !sparse) -> !sparse {
  ^bb0(%i: index, %j: index, %x: f64, %y: f64):
    %v = arith.addf %x, %y : f64
    tensor_block.yield %v : f64
  }
  func.return %r : !sparse
}
// CHECK-LABEL: func.func @added
// CHECK-NOT:     arith.select
// REMARK:      remark: the product of sparse arrays is computed everywhere: what reads it looks at more

// -----

!sparse = tensor<?x?xf64, #tensor_block.storage<dense = 1>>

// The mask is read at other points than the product; a dense result is written everywhere.
func.func @elsewhere(%n: index, %k: index, %A: !sparse, %M: !sparse) -> (f64, tensor<?x?xf64>) {
  %p = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %k)
      ins(%A[d0, d2] : !sparse, %A[d2, d1] : !sparse) -> !sparse {
  ^bb0(%i: index, %j: index, %l: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  %r = tensor_block.reduce add reduced(d0 < %n, d1 < %n)
      ins(%p[d0, d1] : !sparse, %M[d1, d0] : !sparse) -> f64 {
  ^bb0(%i: index, %j: index, %x: f64, %y: f64):
    %v = arith.mulf %x, %y : f64
    tensor_block.yield %v : f64
  }
  %q = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %k)
      ins(%A[d0, d2] : !sparse, %M[d2, d1] : !sparse) -> !sparse {
  ^bb0(%i: index, %j: index, %l: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  %s = tensor_block.map parallel(d0 < %n, d1 < %n)
      ins(%q[d0, d1] : !sparse, %M[d0, d1] : !sparse) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %x: f64, %y: f64):
    %v = arith.mulf %x, %y : f64
    tensor_block.yield %v : f64
  }
  func.return %r, %s : f64, tensor<?x?xf64>
}
// CHECK-LABEL: func.func @elsewhere
// CHECK-NOT:     arith.select
// REMARK-COUNT-2: remark: the product of sparse arrays is computed everywhere: what reads it looks at more

// -----

!sparse = tensor<?x?xf64, #tensor_block.storage<dense = 1>>

// Read twice, in part, and in a loop that it stands outside of.
func.func @kept(%n: index, %k: index, %l: index, %A: !sparse, %M: !sparse)
    -> (!sparse, !sparse, f64, f64) {
  %p = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %k)
      ins(%A[d0, d2] : !sparse, %A[d2, d1] : !sparse) -> !sparse {
  ^bb0(%i: index, %j: index, %h: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  %r = tensor_block.map parallel(d0 < %n, d1 < %n)
      ins(%p[d0, d1] : !sparse, %M[d0, d1] : !sparse) -> !sparse {
  ^bb0(%i: index, %j: index, %x: f64, %y: f64):
    %v = arith.mulf %x, %y : f64
    tensor_block.yield %v : f64
  }
  %q = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %k)
      ins(%A[d0, d2] : !sparse, %M[d2, d1] : !sparse) -> !sparse {
  ^bb0(%i: index, %j: index, %h: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  %s = tensor_block.reduce add reduced(d0 < %l, d1 < %n)
      ins(%q[d0, d1] : !sparse, %M[d0, d1] : !sparse) -> f64 {
  ^bb0(%i: index, %j: index, %x: f64, %y: f64):
    %v = arith.mulf %x, %y : f64
    tensor_block.yield %v : f64
  }
  %o = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %k)
      ins(%M[d0, d2] : !sparse, %M[d2, d1] : !sparse) -> !sparse {
  ^bb0(%i: index, %j: index, %h: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  %t = scf.for %step = %none to %k step %one iter_args(%sum = %start) -> (f64) {
    %u = tensor_block.reduce add reduced(d0 < %n, d1 < %n)
        ins(%o[d0, d1] : !sparse, %A[d0, d1] : !sparse) -> f64 {
    ^bb0(%i: index, %j: index, %x: f64, %y: f64):
      %v = arith.mulf %x, %y : f64
      tensor_block.yield %v : f64
    }
    %more = arith.addf %sum, %u : f64
    scf.yield %more : f64
  }
  func.return %p, %r, %s, %t : !sparse, !sparse, f64, f64
}
// CHECK-LABEL: func.func @kept
// CHECK-NOT:     arith.select
// REMARK:      remark: the product of sparse arrays is computed everywhere: it is read more than once
// REMARK:      remark: the product of sparse arrays is computed everywhere: a part of it is read
// REMARK:      remark: the product of sparse arrays is computed everywhere: it is read in a loop
