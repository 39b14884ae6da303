// RUN: diablo-opt %s -p lift-elementwise --remarks 2>&1 | filecheck %s

// CHECK: remark: a function of one operand of a contraction is computed before it: BLAS computes the rest
// CHECK: remark: a function of one operand of a contraction is computed before it: once for each element
// CHECK: remark: a function of one operand of a contraction stays in it: each element of its operand is read once
// CHECK: remark: a function of one operand of a contraction stays in it: a sparse operand is looked at where it stores elements

!vector = tensor<?xf64>
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!sparse = tensor<?x?xf64, #tensor_block.storage<dense = 1>>

// contract∘map from right to left: what is left is a product of BLAS. The row of an operand is known
// there too.
// CHECK-LABEL: func.func @product
// CHECK-NEXT:    %[[E:.*]] = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%a[d0, d1] : {{.*}})
// CHECK-NEXT:    ^bb0(%[[I:.*]]: index, %{{.*}}: index, %[[A:.*]]: f64):
// CHECK-NEXT:      arith.index_cast %[[I]]
// CHECK-NEXT:      arith.sitofp
// CHECK-NEXT:      arith.mulf %[[A]]
// CHECK-NEXT:      tensor_block.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[F:.*]] = tensor_block.map parallel(d0 < %m, d1 < %l) ins(%b[d0, d1] : {{.*}})
// CHECK:         tensor_block.reduce add parallel(d0 < %n, d1 < %l) reduced(d2 < %m) ins(%[[E]][d0, d2] : {{.*}}, %[[F]][d2, d1] : {{.*}})
// CHECK-NEXT:    ^bb0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %[[X:.*]]: f64, %[[Y:.*]]: f64):
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[X]], %[[Y]]
// CHECK-NEXT:      tensor_block.yield %[[P]]
func.func @product(%n: index, %m: index, %l: index, %a: !matrix, %b: !matrix) -> !matrix {
  %r = tensor_block.reduce add parallel(d0 < %n, d1 < %l) reduced(d2 < %m) ins(%a[d0, d2] : !matrix, %b[d2, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %y: f64):
    %w = arith.index_cast %i : index to i64
    %f = arith.sitofp %w : i64 to f64
    %s = arith.mulf %x, %f : f64
    %one = arith.constant 1.0 : f64
    %t = arith.addf %y, %one : f64
    %p = arith.mulf %s, %t : f64
    tensor_block.yield %p : f64
  }
  func.return %r : !matrix
}

// Of a contraction that no library computes, what takes long is computed before it, and what is
// cheap is not.
// CHECK-LABEL: func.func @distance
// CHECK:         %[[E:.*]] = tensor_block.map parallel(d0 < %m, d1 < %l) ins(%b[d0, d1] : {{.*}})
// CHECK:           math.exp
// CHECK:         tensor_block.reduce add {{.*}} ins(%a[d0, d2] : {{.*}}, %[[E]][d2, d1] : {{.*}})
// CHECK-NEXT:    ^bb0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %[[X:.*]]: f64, %[[Y:.*]]: f64):
// CHECK-NEXT:      %[[N:.*]] = arith.negf %[[X]]
// CHECK-NEXT:      %[[D:.*]] = arith.subf %[[N]], %[[Y]]
// CHECK-NEXT:      math.absf %[[D]]
// CHECK-NEXT:      tensor_block.yield
func.func @distance(%n: index, %m: index, %l: index, %a: !matrix, %b: !matrix) -> !matrix {
  %r = tensor_block.reduce add parallel(d0 < %n, d1 < %l) reduced(d2 < %m) ins(%a[d0, d2] : !matrix, %b[d2, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %y: f64):
    %s = arith.negf %x : f64
    %t = math.exp %y : f64
    %p = arith.subf %s, %t : f64
    %q = math.absf %p : f64
    tensor_block.yield %q : f64
  }
  func.return %r : !matrix
}

// Left alone: a product of BLAS.
// CHECK-LABEL: func.func @blas
// CHECK-NEXT:    tensor_block.reduce add
func.func @blas(%n: index, %a: !matrix, %b: !matrix) -> !matrix {
  %r = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n) ins(%a[d0, d2] : !matrix, %b[d2, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %y: f64):
    %p = arith.mulf %x, %y : f64
    tensor_block.yield %p : f64
  }
  func.return %r : !matrix
}

// Held back: all is cheap and no product; the function is of both; of an operand that is read once;
// of a sparse one; and of the place in a dimension that its operand has not.
// CHECK-LABEL: func.func @held_back
// CHECK-COUNT-5: tensor_block.reduce
// CHECK-NOT:     tensor_block.map
func.func @held_back(%n: index, %a: !matrix, %b: !matrix, %v: !vector, %s: !sparse) -> (!matrix, !matrix, !vector, !matrix, !matrix) {
  %least = tensor_block.reduce min parallel(d0 < %n, d1 < %n) reduced(d2 < %n) ins(%a[d0, d2] : !matrix, %b[d2, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %y: f64):
    %t = arith.negf %x : f64
    %p = arith.addf %t, %y : f64
    tensor_block.yield %p : f64
  }
  %both = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n) ins(%a[d0, d2] : !matrix, %b[d2, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %y: f64):
    %p = arith.addf %x, %y : f64
    %q = math.exp %p : f64
    tensor_block.yield %q : f64
  }
  %once = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n) ins(%a[d0, d1] : !matrix, %v[d1] : !vector) -> !vector {
  ^bb0(%i: index, %k: index, %x: f64, %y: f64):
    %e = math.exp %x : f64
    %p = arith.mulf %e, %y : f64
    tensor_block.yield %p : f64
  }
  %stored = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n) ins(%s[d0, d2] : !sparse, %b[d2, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %y: f64):
    %e = math.sqrt %x : f64
    %p = arith.mulf %e, %y : f64
    tensor_block.yield %p : f64
  }
  %place = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n) ins(%a[d0, d2] : !matrix, %b[d2, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %y: f64):
    %w = arith.index_cast %j : index to i64
    %f = arith.sitofp %w : i64 to f64
    %g = arith.mulf %x, %f : f64
    %e = math.exp %g : f64
    %p = arith.mulf %e, %y : f64
    tensor_block.yield %p : f64
  }
  func.return %least, %both, %once, %stored, %place : !matrix, !matrix, !vector, !matrix, !matrix
}

// One operand is held back, the other is not.
// CHECK-LABEL: func.func @vector
// CHECK:         %[[E:.*]] = tensor_block.map parallel(d0 < %n) ins(%v[d0] : {{.*}})
// CHECK:         tensor_block.reduce add {{.*}} ins(%a[d0, d1] : {{.*}}, %v[d1] : {{.*}}, %[[E]][d1] : {{.*}})
// CHECK:           math.sqrt
func.func @vector(%n: index, %a: !matrix, %v: !vector) -> !vector {
  %once = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n) ins(%a[d0, d1] : !matrix, %v[d1] : !vector) -> !vector {
  ^bb0(%i: index, %k: index, %x: f64, %y: f64):
    %e = math.sqrt %x : f64
    %f = math.exp %y : f64
    %p = arith.mulf %e, %f : f64
    %q = arith.addf %p, %y : f64
    tensor_block.yield %q : f64
  }
  func.return %once : !vector
}

// What only a branch uses is used there with something else.
// CHECK-LABEL: func.func @branch
// CHECK:         %[[E:.*]] = tensor_block.map parallel(d0 < %n) ins(%v[d0] : {{.*}})
// CHECK:           math.exp
// CHECK:         tensor_block.reduce min {{.*}} ins(%a[d0, d1] : {{.*}}, %v[d1] : {{.*}}, %[[E]][d1] : {{.*}})
// CHECK-NOT:       math.exp
// CHECK:           scf.yield
func.func @branch(%n: index, %a: !matrix, %v: !vector) -> !vector {
  %once = tensor_block.reduce min parallel(d0 < %n) reduced(d1 < %n) ins(%a[d0, d1] : !matrix, %v[d1] : !vector) -> !vector {
  ^bb0(%i: index, %k: index, %x: f64, %y: f64):
    %e = math.exp %y : f64
    %less = arith.cmpf olt, %x, %y : f64
    %q = scf.if %less -> (f64) {
      scf.yield %e : f64
    } else {
      scf.yield %x : f64
    }
    tensor_block.yield %q : f64
  }
  func.return %once : !vector
}
