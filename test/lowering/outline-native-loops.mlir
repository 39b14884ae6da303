// RUN: diablo-opt %s -p outline-native-loops --remarks 2>&1 | filecheck %s

!vector = tensor<?xf64>

// What the loop carries comes first; constants and extents are copied, results that nobody asks
// for go.
func.func @scan(%V: !vector, %W: !vector, %n: index) -> (!vector, f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  %d = tensor.dim %V, %zero : !vector
  %k, %s, %X = scf.while (%i = %zero, %t = %start, %A = %W) : (index, f64, !vector) -> (index, f64, !vector) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %t, %A : index, f64, !vector
  } do {
  ^bb0(%i: index, %t: f64, %A: !vector):
    %v = tensor.extract %V[%i] : !vector
    %u = arith.addf %t, %v : f64
    %in = arith.cmpi ult, %i, %d : index
    %B = scf.if %in -> (!vector) {
      %C = tensor.insert %u into %A[%i] {in_place = 1 : i64} : !vector
      scf.yield %C : !vector
    } else {
      scf.yield %A : !vector
    }
    %next = arith.addi %i, %one : index
    scf.yield %next, %u, %B : index, f64, !vector
  }
  func.return %X, %s : !vector, f64
}
// CHECK: remark: the loop is machine code once it has run a while
// CHECK: remark: the loop stays with Python: math.ipowi is not done in machine code within a loop
// CHECK: remark: the loop stays with Python: an array is copied, since it is used or kept elsewhere
// CHECK: remark: the loop stays with Python: an array that is carried is another one in each iteration
// CHECK: remark: the loop stays with Python: an index that is carried may need more than 64 bits
// CHECK: remark: the loop stays with Python: an extent is computed in the kernel
// CHECK-LABEL: func.func @scan
// CHECK-NEXT:    %zero = arith.constant 0 : index
// CHECK:         %s, %X = func.call @loop_0(%zero, %start, %W, %n, %V) : (index, f64, tensor<?xf64>, index, tensor<?xf64>) -> (f64, tensor<?xf64>)
// CHECK-NEXT:    func.return %X, %s

// The loop within the loop is a function of its own.
func.func @nested(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %s = scf.while (%i = %zero, %t = %zero) : (i64, i64) -> (i64, i64) {
    %p = arith.cmpi slt, %i, %n : i64
    scf.condition(%p) %i, %t : i64, i64
  } do {
  ^bb0(%i: i64, %t: i64):
    %u = scf.while (%a = %t) : (i64) -> i64 {
      %p = arith.cmpi slt, %a, %i : i64
      scf.condition(%p) %a : i64
    } do {
    ^bb0(%a: i64):
      %b = arith.muli %a, %a : i64
      scf.yield %b : i64
    }
    %next = arith.addi %i, %one : i64
    scf.yield %next, %u : i64, i64
  }
  func.return %s : i64
}
// CHECK-LABEL: func.func @nested
// CHECK:         func.call @loop_1(%zero, %zero, %n) : (i64, i64, i64) -> i64
// CHECK-NEXT:    func.return

// Powers of integers may fail, and are not done in machine code.
func.func @power(%n: i64) -> i64 {
  %k = scf.while (%i = %n) : (i64) -> i64 {
    %p = arith.cmpi slt, %i, %n : i64
    scf.condition(%p) %i : i64
  } do {
  ^bb0(%i: i64):
    %j = math.ipowi %i, %i : i64
    scf.yield %j : i64
  }
  func.return %k : i64
}
// CHECK-LABEL: func.func @power
// CHECK:         scf.while

// An array is written elsewhere, or changes its place.
func.func @copied(%V: !vector, %n: index) -> !vector {
  %zero = arith.constant 0 : index
  %s = arith.constant 0.0 : f64
  %k, %X = scf.while (%i = %zero, %A = %V) : (index, !vector) -> (index, !vector) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %A : index, !vector
  } do {
  ^bb0(%i: index, %A: !vector):
    %B = tensor.insert %s into %A[%i] : !vector
    scf.yield %n, %B : index, !vector
  }
  func.return %X : !vector
}
// CHECK-LABEL: func.func @copied
// CHECK:         scf.while
func.func @exchanged(%V: !vector, %W: !vector, %n: index) -> (!vector, !vector) {
  %zero = arith.constant 0 : index
  %k, %X, %Y = scf.while (%i = %zero, %A = %V, %B = %W) : (index, !vector, !vector) -> (index, !vector, !vector) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %A, %B : index, !vector, !vector
  } do {
  ^bb0(%i: index, %A: !vector, %B: !vector):
    scf.yield %n, %B, %A : index, !vector, !vector
  }
  func.return %X, %Y : !vector, !vector
}
// CHECK-LABEL: func.func @exchanged
// CHECK:         scf.while

// Indices are exact: one that is carried and asked for may not wrap around.
func.func @far(%n: index, %m: index) -> index {
  %k = scf.while (%i = %n) : (index) -> index {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.muli %i, %m : index
    scf.yield %j : index
  }
  func.return %k : index
}
// CHECK-LABEL: func.func @far
// CHECK:         scf.while

// A kernel makes an array of another size in each iteration, for which there is no memory.
func.func @made(%V: !vector, %n: index) -> !vector {
  %zero = arith.constant 0 : index
  %k, %X = scf.while (%i = %zero, %A = %V) : (index, !vector) -> (index, !vector) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %A : index, !vector
  } do {
  ^bb0(%i: index, %A: !vector):
    %m = arith.minsi %i, %n : index
    %B = func.call @halves(%m, %A) : (index, !vector) -> !vector
    scf.yield %n, %B : index, !vector
  }
  func.return %X : !vector
}
func.func private @halves(%n: index, %A: !vector) -> !vector {
  %r = tensor_block.map parallel(d0 < %n) ins(%A[d0] : !vector) -> !vector {
  ^bb0(%d: index, %a: f64):
    %b = arith.addf %a, %a : f64
    tensor_block.yield %b : f64
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @made
// CHECK:         scf.while

// A function is given a number once, and casts it itself; a constant that the loop alone reads is
// not left behind.
// CHECK-LABEL: func.func @cast
// CHECK-NEXT:    func.call @loop_3(%zero, %n)
func.func @cast(%n: index, %zero: i64) -> i64 {
  %m = arith.index_cast %n : index to i64
  %seven = arith.constant 7 : i64
  %k = scf.while (%i = %zero) : (i64) -> i64 {
    %more = arith.cmpi slt, %i, %m : i64
    scf.condition(%more) %i : i64
  } do {
  ^bb0(%i1: i64):
    %r = arith.remsi %i1, %seven : i64
    %s = arith.addi %i1, %r : i64
    %l = arith.index_cast %s : i64 to index
    %u = arith.maxsi %l, %n : index
    %v = arith.index_cast %u : index to i64
    scf.yield %v : i64
  }
  func.return %k : i64
}

// CHECK-LABEL: func.func private @loop_0(%i: index, %t: f64, %A: tensor<?xf64>, %n: index, %V: tensor<?xf64>) -> (f64, tensor<?xf64>) {
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT:    tensor.dim %V, %[[ZERO]]
// CHECK-NEXT:    arith.constant 1 : index
// CHECK-NEXT:    scf.while ({{.*}} = %i, {{.*}} = %t, {{.*}} = %A)
// CHECK-LABEL: func.func private @loop_1(%i: i64, %t: i64, %n: i64) -> i64 {
// CHECK:         func.call @loop_2(
// CHECK-LABEL: func.func private @loop_2(%a: i64, %i: i64) -> i64 {
// CHECK:         arith.muli
// CHECK-LABEL: func.func private @loop_3(%i: i64, %n: index) -> i64 {
// CHECK-NEXT:    %m = arith.index_cast %n : index to i64
// CHECK-NEXT:    %{{.*}} = arith.constant 7 : i64
// CHECK-NEXT:    scf.while
