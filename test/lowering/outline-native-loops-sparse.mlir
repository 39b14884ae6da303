// RUN: diablo-opt %s -p outline-native-loops --split-input-file | filecheck %s
// RUN: diablo-opt %s -p outline-native-loops --remarks --split-input-file 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: diablo-opt %s -p outline-native-loops,convert-native-loops --split-input-file | filecheck %s --check-prefix=LOOPS
// RUN: diablo-opt %s -p outline-native-loops,convert-native-loops,expand-functions,convert-kernel-to-llvm --split-input-file | filecheck %s --check-prefix=LLVM

!vector = tensor<?xf64>
!matrix = tensor<?x?xf64, #tensor_block.storage<dense = 1>>

// A sparse matrix that is the same in a whole call is multiplied in machine code, by its rows and
// by its columns; its extents are numbers of their own. So is a dot product of vectors a loop.
func.func @main(%A: !matrix, %V: !vector, %n: i64) -> (!vector, f64) {
  %zero = arith.constant 0 : i64
  %none = arith.constant 0.0 : f64
  %one = arith.constant 1 : i64
  %axis0 = arith.constant 0 : index
  %axis1 = arith.constant 1 : index
  %rows = tensor.dim %A, %axis0 : !matrix
  %columns = tensor.dim %A, %axis1 : !matrix
  %k, %x, %s = scf.while (%i = %zero, %v = %V, %s = %none) : (i64, !vector, f64) -> (i64, !vector, f64) {
    %p = arith.cmpi slt, %i, %n : i64
    scf.condition(%p) %i, %v, %s : i64, !vector, f64
  } do {
  ^bb0(%i: i64, %v: !vector, %s: f64):
    %q = func.call @times(%rows, %columns, %v, %A) : (index, index, !vector, !matrix) -> !vector
    %r = func.call @turned(%A, %q, %rows, %columns) : (!matrix, !vector, index, index) -> !vector
    %d = func.call @dot(%columns, %r, %v) : (index, !vector, !vector) -> f64
    %next = arith.addi %i, %one : i64
    scf.yield %next, %r, %d : i64, !vector, f64
  }
  func.return %x, %s : !vector, f64
}
func.func private @times(%n: index, %m: index, %v: !vector, %A: !matrix) -> !vector {
  %q = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m) ins(%v[d1] : !vector, %A[d0, d1] : !matrix) -> !vector {
  ^bb0(%i: index, %j: index, %x: f64, %a: f64):
    %t = arith.mulf %x, %a : f64
    tensor_block.yield %t : f64
  }
  func.return %q : !vector
}
func.func private @turned(%A: !matrix, %v: !vector, %m: index, %n: index) -> !vector {
  %q = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m) ins(%A[d1, d0] : !matrix, %v[d1] : !vector) -> !vector {
  ^bb0(%i: index, %j: index, %a: f64, %x: f64):
    %t = arith.mulf %a, %x : f64
    tensor_block.yield %t : f64
  }
  func.return %q : !vector
}
func.func private @dot(%n: index, %v: !vector, %w: !vector) -> f64 {
  %s = tensor_block.reduce add reduced(d0 < %n) ins(%v[d0] : !vector, %w[d0] : !vector) -> f64 {
  ^bb0(%i: index, %x: f64, %y: f64):
    %t = arith.mulf %x, %y : f64
    tensor_block.yield %t : f64
  }
  func.return %s : f64
}
// REMARK: remark: the loop is machine code once it has run a while
// CHECK-LABEL: func.func @main
// CHECK:         %rows = tensor.dim %A
// CHECK:         func.call @loop_0(%zero, %V, %none, %n, %rows, %columns, %A)
// CHECK-LABEL: func.func private @loop_0(%i: i64, %v: tensor<?xf64>, %s: f64, %n: i64, %rows: index, %columns: index, %A: tensor<?x?xf64, #tensor_block.storage<dense = 1>>)

// Of each product there is the job, and how many entries it takes: so many points are counted.
// LOOPS-LABEL: func.func private @loop_0_loops(%i: i64, %v: memref<?xf64>, %s: f64, %n: i64, %rows: index, %columns: index, %A: memref<?xi64>,
// LOOPS-SAME:    %failure: memref<i64>, %q: memref<?xf64>, %r: memref<?xf64>)
// LOOPS:         %[[JOB:.*]] = memref.load %A[%{{.*}}] : memref<?xi64>
// LOOPS:         %[[ENTRIES:.*]] = memref.load %A[%{{.*}}] : memref<?xi64>
// LOOPS:         arith.subi %{{.*}}, %[[ENTRIES]] : i64
// LOOPS:         func.call @diablo_share_again(%[[JOB]], %v, %q) : (i64, memref<?xf64>, memref<?xf64>) -> ()
// LOOPS:         func.call @diablo_share_again(%{{.*}}, %q, %r)
// LOOPS:         scf.for
// LOOPS:           arith.mulf
// LOOPS:       func.func private @diablo_share_again(i64, memref<?xf64>, memref<?xf64>) -> ()

// A function of the process is given where the elements are.
// LLVM-LABEL:  llvm.func @loop_0_loops(
// LLVM:          llvm.call @diablo_share_again(%{{.*}}, %v, %q) : (i64, !llvm.ptr, !llvm.ptr) -> ()
// LLVM:        llvm.func @diablo_share_again(i64, !llvm.ptr, !llvm.ptr)

// -----

!vector = tensor<?xf64>
!matrix = tensor<?x?xf64, #tensor_block.storage<dense = 1>>

// A sparse array that is carried, one that is asked for its extents, and one of other numbers stay
// with Python.
func.func @carried(%A: !matrix, %n: i64) -> !matrix {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %x = scf.while (%i = %zero, %B = %A) : (i64, !matrix) -> (i64, !matrix) {
    %p = arith.cmpi slt, %i, %n : i64
    scf.condition(%p) %i, %B : i64, !matrix
  } do {
  ^bb0(%i: i64, %B: !matrix):
    %next = arith.addi %i, %one : i64
    scf.yield %next, %B : i64, !matrix
  }
  func.return %x : !matrix
}
func.func @others(%A: !matrix, %n: i64) -> f64 {
  %zero = arith.constant 0 : i64
  %none = arith.constant 0.0 : f64
  %one = arith.constant 1 : i64
  %k, %x = scf.while (%i = %zero, %s = %none) : (i64, f64) -> (i64, f64) {
    %p = arith.cmpi slt, %i, %n : i64
    scf.condition(%p) %i, %s : i64, f64
  } do {
  ^bb0(%i: i64, %s: f64):
    %axis = arith.constant 0 : index
    %d = tensor.dim %A, %axis : !matrix
    %w = arith.index_cast %d : index to i64
    %f = arith.sitofp %w : i64 to f64
    %t = arith.addf %s, %f : f64
    %next = arith.addi %i, %one : i64
    scf.yield %next, %t : i64, f64
  }
  func.return %x : f64
}
// REMARK: remark: the loop stays with Python: a sparse array is made or carried
// REMARK: remark: the loop stays with Python: a sparse array is not just multiplied with vectors
// CHECK-LABEL: func.func @carried
// CHECK:         scf.while
// CHECK-LABEL: func.func @others
// CHECK:         scf.while

// -----

!vector = tensor<?xf32>
!matrix = tensor<?x?xf32, #tensor_block.storage<dense = 1>>

func.func @narrow(%A: !matrix, %V: !vector, %rows: index, %n: i64) -> !vector {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %x = scf.while (%i = %zero, %v = %V) : (i64, !vector) -> (i64, !vector) {
    %p = arith.cmpi slt, %i, %n : i64
    scf.condition(%p) %i, %v : i64, !vector
  } do {
  ^bb0(%i: i64, %v: !vector):
    %q = func.call @narrow_times(%rows, %v, %A) : (index, !vector, !matrix) -> !vector
    %next = arith.addi %i, %one : i64
    scf.yield %next, %q : i64, !vector
  }
  func.return %x : !vector
}
func.func private @narrow_times(%n: index, %v: !vector, %A: !matrix) -> !vector {
  %q = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n) ins(%v[d1] : !vector, %A[d0, d1] : !matrix) -> !vector {
  ^bb0(%i: index, %j: index, %x: f32, %a: f32):
    %t = arith.mulf %x, %a : f32
    tensor_block.yield %t : f32
  }
  func.return %q : !vector
}
// REMARK: remark: the loop stays with Python: a library's sparse product is faster
// CHECK-LABEL: func.func @narrow
// CHECK:         scf.while
