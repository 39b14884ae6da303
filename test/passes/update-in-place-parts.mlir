// What is read where a kernel keeps what is there may be in the memory that is written; a loop that
// computes a part of an array in its memory is given a copy if the array is not its alone.
// RUN: diablo-opt %s -p update-in-place | filecheck %s
// RUN: diablo-opt %s -p update-in-place --remarks 2>&1 | filecheck %s --check-prefix=REMARK

!matrix = tensor<?x?xf64>

// REMARK: remark: A is copied once, so that the loop writes to its memory
// REMARK: remark: computed in the memory of U: it dies here

// CHECK-LABEL: func.func @eliminate
// CHECK:         %[[OWN:.*]] = bufferization.alloc_tensor() copy(%A)
// CHECK:         scf.while (%{{.*}} = %[[OWN]], %{{.*}} = %zero)
// CHECK:           func.call @behind({{.*}}) {in_place = 1 : i64}
func.func @eliminate(%n: index, %A: !matrix, %last: index) -> !matrix {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r, %end = scf.while (%U = %A, %k = %zero) : (!matrix, index) -> (!matrix, index) {
    %more = arith.cmpi slt, %k, %last : index
    scf.condition(%more) %U, %k : !matrix, index
  } do {
  ^bb0(%U: !matrix, %k: index):
    %next = arith.addi %k, %one : index
    %V = func.call @behind(%n, %U, %k, %next) : (index, !matrix, index, index) -> !matrix
    scf.yield %V, %next : !matrix, index
  }
  func.return %r : !matrix
}

// Row k is computed too: what is read of it may be another element by then. Nothing is copied.
// CHECK-LABEL: func.func @too_early
// CHECK-NOT:     alloc_tensor
// CHECK-NOT:     in_place
func.func @too_early(%n: index, %A: !matrix, %last: index) -> !matrix {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r, %end = scf.while (%U = %A, %k = %zero) : (!matrix, index) -> (!matrix, index) {
    %more = arith.cmpi slt, %k, %last : index
    scf.condition(%more) %U, %k : !matrix, index
  } do {
  ^bb0(%U: !matrix, %k: index):
    %next = arith.addi %k, %one : index
    %V = func.call @behind(%n, %U, %k, %k) : (index, !matrix, index, index) -> !matrix
    scf.yield %V, %next : !matrix, index
  }
  func.return %r : !matrix
}

// The array of before is needed in each step: a copy is of no use.
// CHECK-LABEL: func.func @needed
// CHECK-NOT:     alloc_tensor
// CHECK-NOT:     in_place
func.func @needed(%n: index, %A: !matrix, %last: index) -> (!matrix, !matrix) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r, %s, %end = scf.while (%U = %A, %T = %A, %k = %zero)
      : (!matrix, !matrix, index) -> (!matrix, !matrix, index) {
    %more = arith.cmpi slt, %k, %last : index
    scf.condition(%more) %U, %T, %k : !matrix, !matrix, index
  } do {
  ^bb0(%U: !matrix, %T: !matrix, %k: index):
    %next = arith.addi %k, %one : index
    %V = func.call @behind(%n, %U, %k, %next) : (index, !matrix, index, index) -> !matrix
    scf.yield %V, %U, %next : !matrix, !matrix, index
  }
  func.return %r, %s : !matrix, !matrix
}

// All elements are computed: nothing is saved.
// CHECK-LABEL: func.func @whole
// CHECK-NOT:     alloc_tensor
// CHECK-NOT:     in_place
func.func @whole(%n: index, %A: !matrix, %last: index) -> !matrix {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r, %end = scf.while (%U = %A, %k = %zero) : (!matrix, index) -> (!matrix, index) {
    %more = arith.cmpi slt, %k, %last : index
    scf.condition(%more) %U, %k : !matrix, index
  } do {
  ^bb0(%U: !matrix, %k: index):
    %next = arith.addi %k, %one : index
    %V = func.call @doubled(%n, %U) : (index, !matrix) -> !matrix
    scf.yield %V, %next : !matrix, index
  }
  func.return %r : !matrix
}

// Elsewhere the result is zero, and so what is read there may be zero by then.
// CHECK-LABEL: func.func @cleared
// CHECK:         func.call @zero_elsewhere(%n, %U, %k, %next) :
func.func @cleared(%n: index, %A: !matrix, %k: index) -> !matrix {
  %one = arith.constant 1 : index
  %next = arith.addi %k, %one : index
  %U = func.call @doubled(%n, %A) : (index, !matrix) -> !matrix
  %V = func.call @zero_elsewhere(%n, %U, %k, %next) : (index, !matrix, index, index) -> !matrix
  func.return %V : !matrix
}

// The array that is kept is another one than that which is read beside the part.
// CHECK-LABEL: func.func @other
// CHECK:         func.call @behind_other(%n, %U, %L, %k, %next) {in_place = 1 : i64}
// CHECK:         func.call @behind_other(%n, %A, %L, %k, %next) :
func.func @other(%n: index, %A: !matrix, %k: index) -> (!matrix, !matrix) {
  %one = arith.constant 1 : index
  %next = arith.addi %k, %one : index
  %U = func.call @doubled(%n, %A) : (index, !matrix) -> !matrix
  %L = func.call @doubled(%n, %A) : (index, !matrix) -> !matrix
  %V = func.call @behind_other(%n, %U, %L, %k, %next)
      : (index, !matrix, !matrix, index, index) -> !matrix
  %W = func.call @behind_other(%n, %A, %L, %k, %next)
      : (index, !matrix, !matrix, index, index) -> !matrix
  func.return %V, %W : !matrix, !matrix
}

func.func private @behind_other(
    %n: index, %U: !matrix, %L: !matrix, %k: index, %first: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%k)
      ins(%U[d0, d1] : !matrix, %L[d0, s0] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %u: f64, %l: f64):
    %right = arith.cmpi sge, %j, %first : index
    %v = scf.if %right -> (f64) {
      %rest = arith.subf %u, %l : f64
      scf.yield %rest : f64
    } else {
      scf.yield %u : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %r : !matrix
}

func.func private @behind(%n: index, %U: !matrix, %k: index, %first: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%k)
      ins(%U[d0, d1] : !matrix, %U[d0, s0] : !matrix, %U[s0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %u: f64, %l: f64, %p: f64):
    %below = arith.cmpi sge, %i, %first : index
    %right = arith.cmpi sge, %j, %first : index
    %both = arith.andi %below, %right : i1
    %v = scf.if %both -> (f64) {
      %product = arith.mulf %l, %p : f64
      %rest = arith.subf %u, %product : f64
      scf.yield %rest : f64
    } else {
      scf.yield %u : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %r : !matrix
}

func.func private @zero_elsewhere(%n: index, %U: !matrix, %k: index, %first: index) -> !matrix {
  %zero = arith.constant 0.0 : f64
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) symbols(%k)
      ins(%U[d0, d1] : !matrix, %U[s0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %u: f64, %p: f64):
    %below = arith.cmpi sge, %i, %first : index
    %v = scf.if %below -> (f64) {
      %rest = arith.subf %u, %p : f64
      scf.yield %rest : f64
    } else {
      scf.yield %zero : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %r : !matrix
}

func.func private @doubled(%n: index, %U: !matrix) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%U[d0, d1] : !matrix) -> !matrix {
  ^bb0(%i: index, %j: index, %u: f64):
    %v = arith.addf %u, %u : f64
    tensor_block.yield %v : f64
  }
  func.return %r : !matrix
}
