// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block | filecheck %s

// Sums of a part of the rows: those beside it are not computed.

!vector = tensor<?xf64>
!matrix = tensor<?x?xf64>

// CHECK-LABEL: func.func @between
// CHECK:         tensor_block.reduce add parallel(d0 < %{{.*}}) reduced(d1 < %{{.*}})
// CHECK:           %[[LOW:.*]] = arith.cmpi sge, %[[I:.*]], %low : index
// CHECK:           %[[HIGH:.*]] = arith.cmpi sle, %[[I]], %high : index
// CHECK-NEXT:      %[[IN:.*]] = arith.andi %[[LOW]], %[[HIGH]]
// CHECK-NEXT:      scf.if %[[IN]] -> (f64) {
// CHECK-NEXT:        arith.mulf
// CHECK:         tensor_block.map parallel(d0 < %{{.*}})
func.func @between(%A: !matrix, %x: !vector, %low: index, %high: index) -> !vector {
  %zero = arith.constant 0 : index
  %n = tensor.dim %A, %zero : !matrix
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %low to %high
    %ii, %k, %a = comprehension.each %A : !matrix
    %eq = arith.cmpi eq, %ii, %i : index
    comprehension.guard %eq
    %kk, %b = comprehension.each %x : !vector
    %eqk = arith.cmpi eq, %kk, %k : index
    comprehension.guard %eqk
    %p = arith.mulf %a, %b : f64
    %g, %ps = comprehension.group_by keys(%i) values(%p) : index, !comprehension.bag<f64>
    %s = comprehension.reduce add %ps : !comprehension.bag<f64>
    comprehension.yield (%g) %s
  }
  func.return %r : !vector
}

// So it is where conditions say which rows.
// CHECK-LABEL: func.func @by_conditions
// CHECK:         tensor_block.reduce add
// CHECK:           arith.cmpi slt, %{{.*}}, %high : index
// CHECK-NEXT:      scf.if
// CHECK-NEXT:        arith.mulf
// CHECK:         tensor_block.map
func.func @by_conditions(%A: !matrix, %x: !vector, %high: index) -> !vector {
  %zero = arith.constant 0 : index
  %n = tensor.dim %A, %zero : !matrix
  %r = comprehension.build (%n) : !vector {
    %i, %k, %a = comprehension.each %A : !matrix
    %before = arith.cmpi slt, %i, %high : index
    comprehension.guard %before
    %kk, %b = comprehension.each %x : !vector
    %eqk = arith.cmpi eq, %kk, %k : index
    comprehension.guard %eqk
    %p = arith.mulf %a, %b : f64
    %g, %ps = comprehension.group_by keys(%i) values(%p) : index, !comprehension.bag<f64>
    %s = comprehension.reduce add %ps : !comprehension.bag<f64>
    comprehension.yield (%g) %s
  }
  func.return %r : !vector
}

// Held back: all but the first row and the last one; the product is a plain one.
// CHECK-LABEL: func.func @inside
// CHECK:         tensor_block.reduce add
// CHECK-NEXT:    ^bb0(
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      tensor_block.yield
func.func @inside(%A: !matrix, %x: !vector) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %n = tensor.dim %A, %zero : !matrix
  %last = arith.subi %n, %two : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %one to %last
    %ii, %k, %a = comprehension.each %A : !matrix
    %eq = arith.cmpi eq, %ii, %i : index
    comprehension.guard %eq
    %kk, %b = comprehension.each %x : !vector
    %eqk = arith.cmpi eq, %kk, %k : index
    comprehension.guard %eqk
    %p = arith.mulf %a, %b : f64
    %g, %ps = comprehension.group_by keys(%i) values(%p) : index, !comprehension.bag<f64>
    %s = comprehension.reduce add %ps : !comprehension.bag<f64>
    comprehension.yield (%g) %s
  }
  func.return %r : !vector
}
