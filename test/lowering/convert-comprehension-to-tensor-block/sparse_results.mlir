// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block | filecheck %s
// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!dense = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>

// One row per element of the diagonal: not one per index.
// REMARK: evaluated over rows, not as array algebra: the qualifiers enumerate fewer indices than the sparse result has
// CHECK-LABEL: func.func @diagonal
// CHECK-NOT:     tensor_block.map
// CHECK:         tensor_block.range
// CHECK:         tensor_block.project %{{.*}}[0, 0, 1]
// CHECK:         tensor_block.from_bag
func.func @diagonal(%n: index, %last: index) -> !sparse {
  %zero = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %A = comprehension.build (%n, %n) : !sparse {
    %i = comprehension.range %zero to %last
    comprehension.yield (%i, %i) %one
  }
  func.return %A : !sparse
}

// A dense result has all of its indices anyway.
// CHECK-LABEL: func.func @dense_diagonal
// CHECK:         tensor_block.map
// CHECK-NOT:     tensor_block.from_bag
func.func @dense_diagonal(%n: index, %last: index) -> !dense {
  %zero = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %A = comprehension.build (%n, %n) : !dense {
    %i = comprehension.range %zero to %last
    comprehension.yield (%i, %i) %one
  }
  func.return %A : !dense
}

// A range that need not reach all indices.
// CHECK-LABEL: func.func @part
// CHECK-NOT:     tensor_block.map
// CHECK:         tensor_block.from_bag
func.func @part(%v: !vector, %n: index, %last: index) -> !sparse {
  %zero = arith.constant 0 : index
  %A = comprehension.build (%n, %n) : !sparse {
    %i = comprehension.range %zero to %last
    %j, %x = comprehension.each %v : !vector
    comprehension.yield (%i, %j) %x
  }
  func.return %A : !sparse
}

// As many rows as there are indices: array algebra.
// CHECK-LABEL: func.func @whole
// CHECK:         tensor_block.map
// CHECK-NOT:     tensor_block.to_bag
// CHECK:         func.return
func.func @whole(%D: !dense) -> !sparse {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %D, %zero : !dense
  %m = tensor.dim %D, %one : !dense
  %A = comprehension.build (%n, %m) : !sparse {
    %i, %j, %x = comprehension.each %D : !dense
    comprehension.yield (%i, %j) %x
  }
  func.return %A : !sparse
}

// Twice what is stored; beside it twice zero is zero.
// REMARK: computed where S stores elements: it is zero elsewhere
// CHECK-LABEL: func.func @scaled
// CHECK:         tensor_block.map parallel(d0 < %{{.*}}, d1 < %{{.*}}) ins(%S[d0, d1] : {{.*}})
// CHECK-NOT:     tensor_block.from_bag
// CHECK:         func.return
func.func @scaled(%S: !sparse, %last: index) -> !sparse {
  %zero = arith.constant 0 : index
  %two = arith.constant 2.0 : f64
  %A = comprehension.merge mul %S : !sparse {
    %i = comprehension.range %zero to %last
    %j = comprehension.range %zero to %last
    comprehension.yield (%i, %j) %two
  }
  func.return %A : !sparse
}

// Two more than what is stored: all that the ranges reach.
// REMARK: evaluated over rows, not as array algebra: a sparse result has entries only where the guards hold
// CHECK-LABEL: func.func @shifted
// CHECK-NOT:     tensor_block.map
// CHECK:         tensor_block.from_bag add
func.func @shifted(%S: !sparse, %D: !dense) -> !sparse {
  %A = comprehension.merge add %S : !sparse {
    %i, %j, %x = comprehension.each %D : !dense
    comprehension.yield (%i, %j) %x
  }
  func.return %A : !sparse
}

// Where the condition does not hold the old element stays, which is zero where T stores nothing.
// REMARK: computed where T or S stores elements: it is zero elsewhere
// CHECK-LABEL: func.func @assigned
// CHECK:         %A = tensor_block.map
// CHECK-SAME:      ins(%T[d0, d1] : {{.*}}, %S[d0, d1] : {{.*}})
func.func @assigned(%S: !sparse, %last: index) -> !sparse {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %S, %zero : !sparse
  %m = tensor.dim %S, %one : !sparse
  %T = comprehension.build (%n, %m) : !sparse {
    %i, %j, %x = comprehension.each %S : !sparse
    %y = arith.addf %x, %x : f64
    comprehension.yield (%i, %j) %y
  }
  %A = comprehension.merge %S : !sparse {
    %i, %j, %x = comprehension.each %T full : !sparse
    %p = arith.cmpi sle, %i, %last : index
    comprehension.guard %p
    comprehension.yield (%i, %j) %x
  }
  func.return %A : !sparse
}

// Dense arrays are read beside the point; sparse ones are not.
// CHECK-LABEL: func.func @stencil
// CHECK:         %A = tensor_block.map
// CHECK-SAME:      ins(%S[d0, d1] : {{.*}}, %D[d0 - 1, d1] : {{.*}})
func.func @stencil(%S: !sparse, %D: !dense) -> !sparse {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %S, %zero : !sparse
  %m = tensor.dim %S, %one : !sparse
  %A = comprehension.build (%n, %m) : !sparse {
    %i, %j, %x = comprehension.each %S : !sparse
    %k, %l, %y = comprehension.each %D : !dense
    %above = arith.subi %i, %one : index
    %p = arith.cmpi eq, %k, %above : index
    comprehension.guard %p
    %q = arith.cmpi eq, %l, %j : index
    comprehension.guard %q
    comprehension.yield (%i, %j) %y
  }
  func.return %A : !sparse
}
