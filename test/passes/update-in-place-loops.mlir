// What a loop carries is updated in place if the loop alone has it.
// RUN: diablo-opt %s -p update-in-place | filecheck %s

!array = tensor<?xf64>

// CHECK-LABEL: func.func @own
// CHECK:         scf.while
// CHECK:         } do {
// CHECK:           func.call @scaled(%n, %{{.*}}) {in_place = 1 : i64}
func.func @own(%n: index, %v: !array, %last: i64) -> !array {
  %one = arith.constant 1 : i64
  %a = func.call @scaled(%n, %v) : (index, !array) -> !array
  %r, %end = scf.while (%b = %a, %k = %one) : (!array, i64) -> (!array, i64) {
    %more = arith.cmpi slt, %k, %last : i64
    scf.condition(%more) %b, %k : !array, i64
  } do {
  ^bb0(%c: !array, %l: i64):
    %d = func.call @scaled(%n, %c) : (index, !array) -> !array
    %next = arith.addi %l, %one : i64
    scf.yield %d, %next : !array, i64
  }
  func.return %r : !array
}

// The first value is needed after the loop.
// CHECK-LABEL: func.func @first
// CHECK-NOT:     in_place
func.func @first(%n: index, %v: !array, %last: i64) -> (!array, !array) {
  %one = arith.constant 1 : i64
  %a = func.call @scaled(%n, %v) : (index, !array) -> !array
  %r, %end = scf.while (%b = %a, %k = %one) : (!array, i64) -> (!array, i64) {
    %more = arith.cmpi slt, %k, %last : i64
    scf.condition(%more) %b, %k : !array, i64
  } do {
  ^bb0(%c: !array, %l: i64):
    %d = func.call @scaled(%n, %c) : (index, !array) -> !array
    %next = arith.addi %l, %one : i64
    scf.yield %d, %next : !array, i64
  }
  func.return %r, %a : !array, !array
}

// The first value is the caller's.
// CHECK-LABEL: func.func @given
// CHECK-NOT:     in_place
func.func @given(%n: index, %v: !array, %last: i64) -> !array {
  %one = arith.constant 1 : i64
  %r, %end = scf.while (%b = %v, %k = %one) : (!array, i64) -> (!array, i64) {
    %more = arith.cmpi slt, %k, %last : i64
    scf.condition(%more) %b, %k : !array, i64
  } do {
  ^bb0(%c: !array, %l: i64):
    %d = func.call @scaled(%n, %c) : (index, !array) -> !array
    %next = arith.addi %l, %one : i64
    scf.yield %d, %next : !array, i64
  }
  func.return %r : !array
}

// A value from outside of the loop is needed in its next iteration.
// CHECK-LABEL: func.func @outside
// CHECK-NOT:     in_place
func.func @outside(%n: index, %v: !array, %last: i64) -> !array {
  %one = arith.constant 1 : i64
  %a = func.call @scaled(%n, %v) : (index, !array) -> !array
  %r, %end = scf.while (%b = %v, %k = %one) : (!array, i64) -> (!array, i64) {
    %more = arith.cmpi slt, %k, %last : i64
    scf.condition(%more) %b, %k : !array, i64
  } do {
  ^bb0(%c: !array, %l: i64):
    %d = func.call @scaled(%n, %a) : (index, !array) -> !array
    %next = arith.addi %l, %one : i64
    scf.yield %d, %next : !array, i64
  }
  func.return %r : !array
}

// Two branches: each may overwrite the array, and what follows may not if one keeps it.
// CHECK-LABEL: func.func @branches
// CHECK-COUNT-2: func.call @scaled(%n, %a) {in_place = 1 : i64}
// CHECK:         func.call @scaled(%n, %r) {in_place = 1 : i64}
func.func @branches(%n: index, %v: !array, %c: i1) -> !array {
  %a = func.call @scaled(%n, %v) : (index, !array) -> !array
  %r = scf.if %c -> (!array) {
    %b = func.call @scaled(%n, %a) : (index, !array) -> !array
    scf.yield %b : !array
  } else {
    %b = func.call @scaled(%n, %a) : (index, !array) -> !array
    scf.yield %b : !array
  }
  %s = func.call @scaled(%n, %r) : (index, !array) -> !array
  func.return %s : !array
}

// CHECK-LABEL: func.func @one_branch
// CHECK-NOT:     in_place
func.func @one_branch(%n: index, %v: !array, %c: i1) -> !array {
  %r = scf.if %c -> (!array) {
    %b = func.call @scaled(%n, %v) : (index, !array) -> !array
    scf.yield %b : !array
  } else {
    scf.yield %v : !array
  }
  %s = func.call @scaled(%n, %r) : (index, !array) -> !array
  func.return %s : !array
}

// A branch gave the array on, but what it gave it to is dead when the array is overwritten.
// CHECK-LABEL: func.func @dead_choice
// CHECK:         %b = func.call @scaled(%n, %r) :
// CHECK-NEXT:    func.call @scaled(%n, %a) {in_place = 1 : i64}
func.func @dead_choice(%n: index, %v: !array, %c: i1) -> (!array, !array) {
  %a = func.call @scaled(%n, %v) : (index, !array) -> !array
  %r = scf.if %c -> (!array) {
    scf.yield %a : !array
  } else {
    scf.yield %v : !array
  }
  %b = func.call @scaled(%n, %r) : (index, !array) -> !array
  %d = func.call @scaled(%n, %a) : (index, !array) -> !array
  func.return %b, %d : !array, !array
}

// It was given on twice, and is used under the second name afterwards.
// CHECK-LABEL: func.func @live_choice
// CHECK-NOT:     in_place
func.func @live_choice(%n: index, %v: !array, %c: i1) -> (!array, !array) {
  %a = func.call @scaled(%n, %v) : (index, !array) -> !array
  %r = scf.if %c -> (!array) {
    scf.yield %a : !array
  } else {
    scf.yield %v : !array
  }
  %s = scf.if %c -> (!array) {
    scf.yield %r : !array
  } else {
    scf.yield %v : !array
  }
  %d = func.call @scaled(%n, %a) : (index, !array) -> !array
  %b = func.call @scaled(%n, %s) : (index, !array) -> !array
  func.return %b, %d : !array, !array
}

// The op that would overwrite it reads it under another name.
// CHECK-LABEL: func.func @two_names
// CHECK-NOT:     in_place
func.func @two_names(%n: index, %v: !array, %c: i1) -> !array {
  %a = func.call @scaled(%n, %v) : (index, !array) -> !array
  %r = scf.if %c -> (!array) {
    scf.yield %a : !array
  } else {
    scf.yield %v : !array
  }
  %d = func.call @sum(%n, %a, %r) : (index, !array, !array) -> !array
  func.return %d : !array
}

func.func private @sum(%n: index, %x: !array, %y: !array) -> !array {
  %r = tensor_block.map parallel(d0 < %n) ins(%x[d0] : !array, %y[d0 - 1] : !array) -> !array {
  ^bb0(%i: index, %e: f64, %f: f64):
    %z = arith.addf %e, %f : f64
    tensor_block.yield %z : f64
  }
  func.return %r : !array
}

func.func private @scaled(%n: index, %x: !array) -> !array {
  %r = tensor_block.map parallel(d0 < %n) ins(%x[d0] : !array) -> !array {
  ^bb0(%i: index, %e: f64):
    %y = arith.mulf %e, %e : f64
    tensor_block.yield %y : f64
  }
  func.return %r : !array
}
