// Kernels of a loop of the driver as jobs that threads share: the loop has the words of a table.
// RUN: diablo-opt %s -p outline-native-loops,convert-native-loops{jobs=true} | filecheck %s
// RUN: diablo-opt %s -p outline-native-loops,convert-native-loops | filecheck %s --check-prefix PART

// The table: the addresses of 6 arrays, 2 jobs and their points, a number given, one that is made.
// CHECK-LABEL: func.func private @loop_0_loops
// CHECK-SAME:    %table: memref<?xi64>, %{{.*}}: memref<f64>, %failure: memref<i64>
// CHECK:         scf.while
// CHECK:           %[[WORD:.*]] = arith.bitcast %{{.*}} : f64 to i64
// CHECK:           memref.store %[[WORD]], %table[%{{.*}}] : memref<?xi64>
// CHECK:           %[[JOB:.*]] = memref.load %table[%{{.*}}] : memref<?xi64>
// CHECK:           func.call @diablo_share_call(%[[JOB]], %table) : (i64, memref<?xi64>) -> ()
// CHECK:           func.call @diablo_share_call(%{{.*}}, %table)
// What the pieces give is added up.
// CHECK:           %[[SUM:.*]] = scf.for
// CHECK:             arith.addf
// What the loop carries exchanges its address with that of what the first kernel has made.
// CHECK:           %[[HELD:.*]] = memref.load %table
// CHECK:           %[[MADE:.*]] = memref.load %table
// CHECK:           memref.store %[[MADE]], %table
// CHECK:           memref.store %[[HELD]], %table
// CHECK:       func.func private @diablo_share_call(i64, memref<?xi64>) -> ()
// PART-LABEL:  func.func private @loop_0_loops
// PART-NOT:      share_call
func.func @main(%n: index, %m: i64, %V: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = arith.constant 0.5 : f64
  %k, %v, %s = scf.while (%i = %zero, %v = %V, %s = %none) : (i64, tensor<?xf64>, f64) -> (i64, tensor<?xf64>, f64) {
    %p = arith.cmpi slt, %i, %m : i64
    scf.condition(%p) %i, %v, %s : i64, tensor<?xf64>, f64
  } do {
  ^bb0(%i: i64, %v: tensor<?xf64>, %s: f64):
    %w = func.call @scaled(%n, %v, %s) : (index, tensor<?xf64>, f64) -> tensor<?xf64>
    %t = func.call @total(%n, %w) : (index, tensor<?xf64>) -> f64
    %next = arith.addi %i, %one : i64
    scf.yield %next, %w, %t : i64, tensor<?xf64>, f64
  }
  func.return %v, %s : tensor<?xf64>, f64
}
func.func private @scaled(%n: index, %v: tensor<?xf64>, %s: f64) -> tensor<?xf64> {
  %w = tensor_block.map parallel(d0 < %n) ins(%v[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %x: f64):
    %y = arith.mulf %x, %s : f64
    tensor_block.yield %y : f64
  }
  func.return %w : tensor<?xf64>
}
func.func private @total(%n: index, %v: tensor<?xf64>) -> f64 {
  %s = tensor_block.reduce add reduced(d0 < %n) ins(%v[d0] : tensor<?xf64>) -> f64 {
  ^body(%i: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %s : f64
}
