// RUN: diablo-opt %s -p outline-native-loops --remarks 2>&1 | filecheck %s

!matrix = tensor<?x?xf64>

// CHECK: remark: the loop is machine code once it has run a while
// CHECK: remark: the loop stays with Python: an extent is computed in the kernel

// What the loop carries becomes another array, whose extents are carried, too: machine code takes
// the loop in calls in which each is what it becomes. Those of the array that it begins with are
// given, since that which is carried may have others where Python has done some steps.
// CHECK-LABEL: func.func @turned
// CHECK:         func.call @loop_0
func.func @turned(%A: !matrix, %B: !matrix, %steps: i64) -> (!matrix, index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rows = tensor.dim %A, %zero : !matrix
  %columns = tensor.dim %A, %one : !matrix
  %width = tensor.dim %B, %one : !matrix
  %none = arith.constant 0 : i64
  %step = arith.constant 1 : i64
  %Y, %k, %n, %m = scf.while (%y = %A, %k = %none, %n = %rows, %m = %columns) : (!matrix, i64, index, index) -> (!matrix, i64, index, index) {
    %p = arith.cmpi slt, %k, %steps : i64
    scf.condition(%p) %y, %k, %n, %m : !matrix, i64, index, index
  } do {
  ^bb0(%y: !matrix, %k: i64, %n: index, %m: index):
    %inner = arith.maxsi %n, %zero : index
    %z = func.call @product(%m, %width, %inner, %y, %B) : (index, index, index, !matrix, !matrix) -> !matrix
    %w = func.call @doubled(%rows, %width, %z) : (index, index, !matrix) -> !matrix
    %next = arith.addi %k, %step : i64
    scf.yield %w, %next, %m, %width : !matrix, i64, index, index
  }
  func.return %Y, %n : !matrix, index
}

// An extent that is computed in each iteration is another one in the next.
// CHECK-LABEL: func.func @smaller
// CHECK:         scf.while
// CHECK-LABEL: func.func private @loop_0
// CHECK-SAME:    (%{{.*}}: tensor<?x?xf64>, %k: i64, %{{.*}}: index, %{{.*}}: index, %steps: i64, %B: tensor<?x?xf64>, %rows: index)
func.func @smaller(%A: !matrix, %steps: i64) -> (!matrix, index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rows = tensor.dim %A, %zero : !matrix
  %columns = tensor.dim %A, %one : !matrix
  %none = arith.constant 0 : i64
  %step = arith.constant 1 : i64
  %Y, %k, %n = scf.while (%y = %A, %k = %none, %n = %rows) : (!matrix, i64, index) -> (!matrix, i64, index) {
    %p = arith.cmpi slt, %k, %steps : i64
    scf.condition(%p) %y, %k, %n : !matrix, i64, index
  } do {
  ^bb0(%y: !matrix, %k: i64, %n: index):
    %w = func.call @doubled(%n, %columns, %y) : (index, index, !matrix) -> !matrix
    %m = arith.minsi %n, %one : index
    %next = arith.addi %k, %step : i64
    scf.yield %w, %next, %m : !matrix, i64, index
  }
  func.return %Y, %n : !matrix, index
}

func.func private @product(%n: index, %m: index, %l: index, %A: !matrix, %B: !matrix) -> !matrix {
  %C = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l) ins(%A[d2, d0] : !matrix, %B[d2, d1] : !matrix) -> !matrix {
  ^body(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    tensor_block.yield %c : f64
  }
  func.return %C : !matrix
}
func.func private @doubled(%n: index, %m: index, %A: !matrix) -> !matrix {
  %B = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : !matrix) -> !matrix {
  ^body(%i: index, %j: index, %a: f64):
    %b = arith.addf %a, %a : f64
    tensor_block.yield %b : f64
  }
  func.return %B : !matrix
}
