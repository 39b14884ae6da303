// RUN: diablo-opt %s -p split-sparse-terms,canonicalize,cse,dce --split-input-file | filecheck %s
// RUN: diablo-opt %s -p 'split-sparse-terms{fast-math=true},canonicalize,cse,dce' --split-input-file | filecheck %s --check-prefix=FAST
// RUN: diablo-opt %s -p split-sparse-terms --remarks --split-input-file -o %t 2>&1 | filecheck %s --check-prefix=REMARK

!dense = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 0>>

// V - U, where V is sparse and the interior is written: the dense part has no V, the correction
// only V, where it stores elements that are in the interior.
// REMARK:        remark: V is zero where it stores nothing: its terms are added where it does
// CHECK-LABEL: func.func @interior
// CHECK:         [[DENSE:%.+]] = comprehension.merge %R : tensor
// CHECK-NOT:       comprehension.each %V
// CHECK:           comprehension.each %U full
// CHECK-NOT:       comprehension.each %V
// CHECK:           [[NEGATIVE:%.+]] = arith.negf
// CHECK-NEXT:      comprehension.yield (%i, %j) [[NEGATIVE]]
// CHECK:         comprehension.merge add [[DENSE]] : tensor
// CHECK-NEXT:      %k, %l, %v = comprehension.each %V : tensor
// CHECK-NEXT:      arith.cmpi sge, %k, %one : index
// CHECK-NEXT:      comprehension.guard
// CHECK-NEXT:      arith.cmpi sle, %k, %six : index
// CHECK-NEXT:      comprehension.guard
// CHECK-NEXT:      arith.cmpi sge, %l, %one : index
// CHECK-NEXT:      comprehension.guard
// CHECK-NEXT:      arith.cmpi sle, %l, %six : index
// CHECK-NEXT:      comprehension.guard
// CHECK-NEXT:      comprehension.yield (%k, %l) %v
func.func @interior(
  %V: !sparse {diablo.shape = array<i64: 8, 8>}, %U: !dense {diablo.shape = array<i64: 8, 8>}, %R: !dense
) -> !dense {
  %one = arith.constant 1 : index
  %six = arith.constant 6 : index
  %S = comprehension.merge %R : !dense {
    %i = comprehension.range %one to %six
    %j = comprehension.range %one to %six
    %k, %l, %v = comprehension.each %V full : !sparse
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %q = arith.cmpi eq, %l, %j : index
    comprehension.guard %q
    %above = arith.subi %i, %one : index
    %e, %f, %u = comprehension.each %U full : !dense
    %r = arith.cmpi eq, %e, %above : index
    comprehension.guard %r
    %s = arith.cmpi eq, %f, %j : index
    comprehension.guard %s
    %x = arith.subf %v, %u : f64
    comprehension.yield (%i, %j) %x
  }
  func.return %S : !dense
}

// -----

!dense = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 0>>

// Indices that wrap around are in bounds: nothing is left to be tested. What binds the indices of
// the dense part may have been the sparse array; a factor that does not round belongs
// to each of the terms.
// CHECK-LABEL: func.func @around
// CHECK:         %V = comprehension.build
// CHECK:         %U = comprehension.build
// CHECK:         [[DENSE:%.+]] = comprehension.build
// CHECK:           comprehension.range
// CHECK:           comprehension.range
// CHECK:           comprehension.each %U full
// CHECK:           arith.mulf %half,
// CHECK-NEXT:      arith.negf
// CHECK-NEXT:      comprehension.yield
// CHECK:         comprehension.merge add [[DENSE]]
// CHECK-NEXT:      [[ROW:%.+]], [[COLUMN:%.+]], %v = comprehension.each %V : tensor
// CHECK-NEXT:      [[TERM:%.+]] = arith.mulf %half, %v : f64
// CHECK-NEXT:      comprehension.yield ([[ROW]], [[COLUMN]]) [[TERM]]
func.func @around(%n: index, %x: f64) -> !dense {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %half = arith.constant 5.000000e-01 : f64
  %V = comprehension.build (%n, %n) : !sparse {
    %i = comprehension.range %zero to %one
    comprehension.yield (%i, %i) %x
  }
  %U = comprehension.build (%n, %n) : !dense {
    %i = comprehension.range %zero to %one
    comprehension.yield (%i, %i) %x
  }
  %R = comprehension.build (%n, %n) : !dense {
    %k, %l, %v = comprehension.each %V full : !sparse
    %next = arith.addi %k, %one : index
    %row = arith.remsi %next, %n : index
    %e, %f, %u = comprehension.each %U full : !dense
    %r = arith.cmpi eq, %e, %row : index
    comprehension.guard %r
    %s = arith.cmpi eq, %f, %l : index
    comprehension.guard %s
    %d = arith.subf %v, %u : f64
    %y = arith.mulf %half, %d : f64
    comprehension.yield (%k, %l) %y
  }
  func.return %R : !dense
}

// -----

!dense = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 0>>

// These hold back: the root of the sparse element has it in every term, a test looks at the
// element, nothing else is read, an index is written for each k, and a row has more indices
// than the array.
// REMARK:        remark: the terms of V are not split off: the value is no sum of terms with and without it
// REMARK:        remark: the terms of V are not split off: an element decides which rows there are
// REMARK:        remark: the terms of V are not split off: nothing else is read
// REMARK:        remark: the terms of V are not split off: an index may be written more than once
// REMARK:        remark: the terms of w are not split off: its indices do not determine the row
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-4:   comprehension.each %V full
// CHECK:           comprehension.each %w full
func.func @kept(
  %V: !sparse {diablo.shape = array<i64: 8, 8>}, %U: !dense {diablo.shape = array<i64: 8, 8>}, %n: index, %x: f64,
  %w: tensor<?xf64, #tensor_block.tiles<dense = 0>> {diablo.shape = array<i64: 8>}
) -> (!dense, !dense, !dense, !dense, !dense) {
  %zero = arith.constant 0 : index
  %A = comprehension.build (%n, %n) : !dense {
    %k, %l, %v = comprehension.each %V full : !sparse
    %e, %f, %u = comprehension.each %U full : !dense
    %r = arith.cmpi eq, %e, %k : index
    comprehension.guard %r
    %s = arith.cmpi eq, %f, %l : index
    comprehension.guard %s
    %d = arith.addf %v, %u : f64
    %y = math.exp %d : f64
    comprehension.yield (%k, %l) %y
  }
  %B = comprehension.build (%n, %n) : !dense {
    %k, %l, %v = comprehension.each %V full : !sparse
    %e, %f, %u = comprehension.each %U full : !dense
    %r = arith.cmpi eq, %e, %k : index
    comprehension.guard %r
    %s = arith.cmpi eq, %f, %l : index
    comprehension.guard %s
    %p = arith.cmpf olt, %v, %u : f64
    comprehension.guard %p
    %d = arith.addf %v, %u : f64
    comprehension.yield (%k, %l) %d
  }
  %C = comprehension.build (%n, %n) : !dense {
    %k, %l, %v = comprehension.each %V full : !sparse
    %d = arith.addf %v, %x : f64
    comprehension.yield (%k, %l) %d
  }
  %D = comprehension.build (%n, %n) : !dense {
    %k, %l, %v = comprehension.each %V full : !sparse
    %e, %f, %u = comprehension.each %U full : !dense
    %r = arith.cmpi eq, %e, %k : index
    comprehension.guard %r
    %d = arith.addf %v, %u : f64
    comprehension.yield (%k, %l) %d
  }
  %E = comprehension.build (%n, %n) : !dense {
    %k, %v = comprehension.each %w full : tensor<?xf64, #tensor_block.tiles<dense = 0>>
    %e, %f, %u = comprehension.each %U full : !dense
    %r = arith.cmpi eq, %e, %k : index
    comprehension.guard %r
    %d = arith.addf %v, %u : f64
    comprehension.yield (%e, %f) %d
  }
  func.return %A, %B, %C, %D, %E : !dense, !dense, !dense, !dense, !dense
}

// -----

!dense = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 0>>

// So do these, where v - u may be small and their terms are not: a difference with a factor that
// rounds, one that is added to something, and one that an update adds. What is one factor of all
// may be split if it is of one sign.
// REMARK-COUNT-3: remark: the terms of V are not split off: the terms may cancel (use --fast-math)
// REMARK:         remark: V is zero where it stores nothing
// CHECK-LABEL: func.func @cancelling
// CHECK-COUNT-3:   comprehension.each %V full
// CHECK-NOT:       comprehension.each %V full
// FAST-LABEL: func.func @cancelling
// FAST-NOT:       comprehension.each %V full
func.func @cancelling(
  %V: !sparse {diablo.shape = array<i64: 8, 8>}, %U: !dense {diablo.shape = array<i64: 8, 8>}, %n: index, %x: f64
) -> (!dense, !dense, !dense, !dense) {
  %A = comprehension.build (%n, %n) : !dense {
    %k, %l, %v = comprehension.each %V full : !sparse
    %e, %f, %u = comprehension.each %U full : !dense
    %r = arith.cmpi eq, %e, %k : index
    comprehension.guard %r
    %s = arith.cmpi eq, %f, %l : index
    comprehension.guard %s
    %d = arith.subf %v, %u : f64
    %y = arith.mulf %x, %d : f64
    comprehension.yield (%k, %l) %y
  }
  %B = comprehension.build (%n, %n) : !dense {
    %k, %l, %v = comprehension.each %V full : !sparse
    %e, %f, %u = comprehension.each %U full : !dense
    %r = arith.cmpi eq, %e, %k : index
    comprehension.guard %r
    %s = arith.cmpi eq, %f, %l : index
    comprehension.guard %s
    %d = arith.subf %v, %u : f64
    %y = arith.addf %u, %d : f64
    comprehension.yield (%k, %l) %y
  }
  %C = comprehension.merge add %U : !dense {
    %k, %l, %v = comprehension.each %V full : !sparse
    %e, %f, %u = comprehension.each %U full : !dense
    %r = arith.cmpi eq, %e, %k : index
    comprehension.guard %r
    %s = arith.cmpi eq, %f, %l : index
    comprehension.guard %s
    %d = arith.subf %v, %u : f64
    comprehension.yield (%k, %l) %d
  }
  %D = comprehension.build (%n, %n) : !dense {
    %k, %l, %v = comprehension.each %V full : !sparse
    %e, %f, %u = comprehension.each %U full : !dense
    %r = arith.cmpi eq, %e, %k : index
    comprehension.guard %r
    %s = arith.cmpi eq, %f, %l : index
    comprehension.guard %s
    %w = math.absf %v : f64
    %t = arith.mulf %u, %u : f64
    %d = arith.addf %w, %t : f64
    %y = arith.mulf %x, %d : f64
    comprehension.yield (%k, %l) %y
  }
  func.return %A, %B, %C, %D : !dense, !dense, !dense, !dense
}
