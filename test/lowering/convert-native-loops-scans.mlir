// What scans vectors is two jobs: one folds all pieces but the last, and the other one scans them.
// RUN: diablo-opt %s -p outline-native-loops,convert-native-loops{jobs=true} | filecheck %s
// RUN: diablo-opt %s -p outline-native-loops --remarks 2>&1 | filecheck %s --check-prefix REMARK

// CHECK-LABEL: func.func private @loop_0_loops
// CHECK:         scf.while
// CHECK-COUNT-2: func.call @diablo_share_call
// CHECK-NOT:     func.call @diablo_share_call(
// CHECK:         func.return
// REMARK:      remark: the loop is machine code once it has run a while
func.func @scanned(%n: index, %m: i64, %X: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %x = scf.while (%i = %zero, %x = %X) : (i64, tensor<?xf64>) -> (i64, tensor<?xf64>) {
    %p = arith.cmpi slt, %i, %m : i64
    scf.condition(%p) %i, %x : i64, tensor<?xf64>
  } do {
  ^bb0(%i: i64, %x: tensor<?xf64>):
    %s = func.call @sums(%n, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
    %next = arith.addi %i, %one : i64
    scf.yield %next, %s : i64, tensor<?xf64>
  }
  func.return %x : tensor<?xf64>
}
func.func private @sums(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.scan add %x along 0 dims(%n) : tensor<?xf64>
  func.return %s : tensor<?xf64>
}

// In one piece it is one job, as where a scan is scanned.
// CHECK-LABEL: func.func private @loop_1_loops
// CHECK:         scf.while
// CHECK-COUNT-1: func.call @diablo_share_call
// CHECK-NOT:     func.call @diablo_share_call(
// CHECK:         func.return
func.func @twice(%n: index, %m: i64, %X: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %x = scf.while (%i = %zero, %x = %X) : (i64, tensor<?xf64>) -> (i64, tensor<?xf64>) {
    %p = arith.cmpi slt, %i, %m : i64
    scf.condition(%p) %i, %x : i64, tensor<?xf64>
  } do {
  ^bb0(%i: i64, %x: tensor<?xf64>):
    %s = func.call @maxima(%n, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
    %next = arith.addi %i, %one : i64
    scf.yield %next, %s : i64, tensor<?xf64>
  }
  func.return %x : tensor<?xf64>
}
func.func private @maxima(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.scan add %x along 0 dims(%n) : tensor<?xf64>
  %t = tensor_block.scan max %s along 0 dims(%n) : tensor<?xf64>
  func.return %t : tensor<?xf64>
}

// Lines of an array are scanned by a loop of the runtime: that is one job.
// CHECK-LABEL: func.func private @loop_2_loops
// CHECK:         scf.while
// CHECK-COUNT-1: func.call @diablo_share_call
// CHECK-NOT:     func.call @diablo_share_call(
// CHECK:         func.return
func.func @lines(%n: index, %m: i64, %X: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %x = scf.while (%i = %zero, %x = %X) : (i64, tensor<?x?xf64>) -> (i64, tensor<?x?xf64>) {
    %p = arith.cmpi slt, %i, %m : i64
    scf.condition(%p) %i, %x : i64, tensor<?x?xf64>
  } do {
  ^bb0(%i: i64, %x: tensor<?x?xf64>):
    %s = func.call @along_rows(%n, %x) : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
    %next = arith.addi %i, %one : i64
    scf.yield %next, %s : i64, tensor<?x?xf64>
  }
  func.return %x : tensor<?x?xf64>
}
func.func private @along_rows(%n: index, %x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %s = tensor_block.scan add %x along 1 dims(%n, %n) : tensor<?x?xf64>
  func.return %s : tensor<?x?xf64>
}

// One by a monoid of the program's own is left to Python.
// REMARK:      remark: the loop stays with Python: lines of an array are scanned by a monoid of the program's own
func.func @own_lines(%n: index, %m: i64, %X: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %x = scf.while (%i = %zero, %x = %X) : (i64, tensor<?x?xf64>) -> (i64, tensor<?x?xf64>) {
    %p = arith.cmpi slt, %i, %m : i64
    scf.condition(%p) %i, %x : i64, tensor<?x?xf64>
  } do {
  ^bb0(%i: i64, %x: tensor<?x?xf64>):
    %s = func.call @farther_along_rows(%n, %x) : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
    %next = arith.addi %i, %one : i64
    scf.yield %next, %s : i64, tensor<?x?xf64>
  }
  func.return %x : tensor<?x?xf64>
}
comprehension.monoid @farther : f64 identity 0.0 : f64 {
^bb0(%a: f64, %b: f64):
  %c = math.absf %a : f64
  %d = math.absf %b : f64
  %less = arith.cmpf olt, %c, %d : f64
  %r = arith.select %less, %b, %a : f64
  comprehension.yield %r
}
func.func private @farther_along_rows(%n: index, %x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %s = tensor_block.scan @farther %x along 1 dims(%n, %n) : tensor<?x?xf64>
  func.return %s : tensor<?x?xf64>
}

// A scan that makes rows is left to Python.
// REMARK:      remark: the loop stays with Python: !comprehension.bag<index, f64> has no machine code
func.func @rows(%n: index, %m: i64, %X: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = arith.constant 0.0 : f64
  %k, %x = scf.while (%i = %zero, %t = %none) : (i64, f64) -> (i64, f64) {
    %p = arith.cmpi slt, %i, %m : i64
    scf.condition(%p) %i, %t : i64, f64
  } do {
  ^bb0(%i: i64, %t: f64):
    %s = func.call @bag(%n, %X) : (index, tensor<?xf64>) -> !comprehension.bag<index, f64>
    %u = func.call @total(%s) : (!comprehension.bag<index, f64>) -> f64
    %next = arith.addi %i, %one : i64
    scf.yield %next, %u : i64, f64
  }
  func.return %x : f64
}
func.func private @bag(%n: index, %x: tensor<?xf64>) -> !comprehension.bag<index, f64> {
  %s = tensor_block.scan add %x along 0 dims(%n) : tensor<?xf64>
  %b = tensor_block.to_bag %s : tensor<?xf64> -> !comprehension.bag<index, f64>
  func.return %b : !comprehension.bag<index, f64>
}
func.func private @total(%b: !comprehension.bag<index, f64>) -> f64 {
  %v = tensor_block.project %b[1] : !comprehension.bag<index, f64> -> !comprehension.bag<f64>
  %t = tensor_block.fold add %v : !comprehension.bag<f64>
  func.return %t : f64
}
