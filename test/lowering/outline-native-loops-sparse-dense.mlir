// Sparse matrices times dense ones within loops.
// RUN: diablo-opt %s -p outline-native-loops | filecheck %s
// RUN: diablo-opt %s -p outline-native-loops --remarks 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: diablo-opt %s -p outline-native-loops,convert-native-loops{jobs=true} | filecheck %s --check-prefix=LOOPS

!dense = tensor<?x?xf64>
!matrix = tensor<?x?xf64, #tensor_block.storage<dense = 1>>

// A sparse matrix times a dense one is a job, also if it is read by columns; on the other side of
// that it is SciPy's.
func.func @dense(%A: !matrix, %V: !dense, %rows: index, %width: index, %n: i64) -> !dense {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %x = scf.while (%i = %zero, %v = %V) : (i64, !dense) -> (i64, !dense) {
    %p = arith.cmpi slt, %i, %n : i64
    scf.condition(%p) %i, %v : i64, !dense
  } do {
  ^bb0(%i: i64, %v: !dense):
    %q = func.call @dense_times(%rows, %width, %v, %A) : (index, index, !dense, !matrix) -> !dense
    %r = func.call @dense_turned(%rows, %width, %q, %A) : (index, index, !dense, !matrix) -> !dense
    %next = arith.addi %i, %one : i64
    scf.yield %next, %r : i64, !dense
  }
  func.return %x : !dense
}
func.func private @dense_times(%n: index, %m: index, %v: !dense, %A: !matrix) -> !dense {
  %q = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %n) ins(%v[d2, d1] : !dense, %A[d0, d2] : !matrix) -> !dense {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %a: f64):
    %t = arith.mulf %x, %a : f64
    tensor_block.yield %t : f64
  }
  func.return %q : !dense
}
func.func private @dense_turned(%n: index, %m: index, %v: !dense, %A: !matrix) -> !dense {
  %q = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %n) ins(%A[d2, d0] : !matrix, %v[d2, d1] : !dense) -> !dense {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %x: f64):
    %t = arith.mulf %a, %x : f64
    tensor_block.yield %t : f64
  }
  func.return %q : !dense
}
func.func @beside(%A: !matrix, %V: !dense, %rows: index, %n: i64) -> !dense {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %x = scf.while (%i = %zero, %v = %V) : (i64, !dense) -> (i64, !dense) {
    %p = arith.cmpi slt, %i, %n : i64
    scf.condition(%p) %i, %v : i64, !dense
  } do {
  ^bb0(%i: i64, %v: !dense):
    %q = func.call @dense_beside(%rows, %v, %A) : (index, !dense, !matrix) -> !dense
    %next = arith.addi %i, %one : i64
    scf.yield %next, %q : i64, !dense
  }
  func.return %x : !dense
}
func.func private @dense_beside(%n: index, %v: !dense, %A: !matrix) -> !dense {
  %q = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n) ins(%v[d0, d2] : !dense, %A[d2, d1] : !matrix) -> !dense {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %a: f64):
    %t = arith.mulf %x, %a : f64
    tensor_block.yield %t : f64
  }
  func.return %q : !dense
}
// REMARK: remark: the loop is machine code once it has run a while
// REMARK: remark: the loop stays with Python: a library's sparse product is faster
// CHECK-LABEL: func.func @dense(
// CHECK:         func.call @loop_0(
// CHECK-LABEL: func.func @beside
// CHECK:         scf.while
// LOOPS-LABEL:   func.func private @loop_0_loops
// LOOPS-COUNT-2: func.call @diablo_share_call
