// What a kernel divides by may be another number in each iteration: where it is not above zero the
// call ends, and Python begins with what it was given.
// RUN: diablo-opt %s -p outline-native-loops,convert-native-loops{jobs=true} --split-input-file | filecheck %s
// RUN: diablo-opt %s -p outline-native-loops --split-input-file --remarks 2>&1 | filecheck %s --check-prefix REMARK

// CHECK-LABEL: func.func private @loop_0_loops
// CHECK:         %[[ABOVE:.*]] = arith.cmpi sgt, %[[H:.*]], %{{.*}} : i64
// CHECK-NEXT:    %{{.*}} = arith.constant true
// CHECK-NEXT:    %[[FAILS:.*]] = arith.xori %[[ABOVE]], %{{.*}} : i1
// CHECK-NEXT:    scf.if %[[FAILS]] {
// CHECK-NEXT:      %[[UNSUITABLE:.*]] = arith.constant -2 : i64
// CHECK-NEXT:      memref.store %[[UNSUITABLE]], %failure[]
// CHECK:         cf.assert %[[ABOVE]]
// CHECK:         func.call @diablo_share_call
// REMARK:      remark: the loop is machine code once it has run a while
func.func @main(%n: index, %m: i64, %V: tensor<?xi64>) -> tensor<?xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %h, %v = scf.while (%i = %zero, %h = %m, %v = %V) : (i64, i64, tensor<?xi64>) -> (i64, i64, tensor<?xi64>) {
    %p = arith.cmpi slt, %i, %m : i64
    scf.condition(%p) %i, %h, %v : i64, i64, tensor<?xi64>
  } do {
  ^bb0(%i: i64, %h: i64, %v: tensor<?xi64>):
    %w = func.call @parts(%n, %v, %h) : (index, tensor<?xi64>, i64) -> tensor<?xi64>
    %next = arith.addi %i, %one : i64
    %less = arith.subi %h, %one : i64
    scf.yield %next, %less, %w : i64, i64, tensor<?xi64>
  }
  func.return %v : tensor<?xi64>
}
func.func private @parts(%n: index, %v: tensor<?xi64>, %h: i64) -> tensor<?xi64> {
  %w = tensor_block.map parallel(d0 < %n) ins(%v[d0] : tensor<?xi64>) -> tensor<?xi64> {
  ^body(%i: index, %x: i64):
    %y = arith.divsi %x, %h : i64
    tensor_block.yield %y : i64
  }
  func.return %w : tensor<?xi64>
}

// -----

// What a hash table has been given by then it would be given twice.
// REMARK: remark: the loop stays with Python: a kernel divides by a number that may be zero
func.func @table(%n: index, %m: i64, %V: tensor<?xi64>, %T: !comprehension.table<keys = 1, i64, i64>) -> tensor<?xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %h, %v = scf.while (%i = %zero, %h = %m, %v = %V) : (i64, i64, tensor<?xi64>) -> (i64, i64, tensor<?xi64>) {
    %p = arith.cmpi slt, %i, %m : i64
    scf.condition(%p) %i, %h, %v : i64, i64, tensor<?xi64>
  } do {
  ^bb0(%i: i64, %h: i64, %v: tensor<?xi64>):
    %w = func.call @parts(%n, %v, %h) : (index, tensor<?xi64>, i64) -> tensor<?xi64>
    comprehension.put (%h) into %T[%i] : !comprehension.table<keys = 1, i64, i64>
    %next = arith.addi %i, %one : i64
    %less = arith.subi %h, %one : i64
    scf.yield %next, %less, %w : i64, i64, tensor<?xi64>
  }
  func.return %v : tensor<?xi64>
}
func.func private @parts(%n: index, %v: tensor<?xi64>, %h: i64) -> tensor<?xi64> {
  %w = tensor_block.map parallel(d0 < %n) ins(%v[d0] : tensor<?xi64>) -> tensor<?xi64> {
  ^body(%i: index, %x: i64):
    %y = arith.divsi %x, %h : i64
    tensor_block.yield %y : i64
  }
  func.return %w : tensor<?xi64>
}
