// Arrays of the driver are let go of where they are used last: in loops, and in one branch or the
// other.
// RUN: diablo-opt %s -t pyspark | filecheck %s

!array = tensor<?xf64>

func.func @main(%n: index, %v: !array, %c: i1, %last: i64) -> !array {
  %one = arith.constant 1 : i64
  // CHECK:      a = scaled(n, v)
  %a = func.call @scaled(%n, %v) : (index, !array) -> !array
  // CHECK:      b = scaled(n, a)
  %b = func.call @scaled(%n, %a) : (index, !array) -> !array
  // CHECK:      if c:
  // CHECK:          del b
  // CHECK-NEXT:     x = scaled(n, a)
  // CHECK-NEXT:     del a
  // CHECK-NEXT:     r = x
  // CHECK-NEXT:     del x
  // CHECK-NEXT: else:
  // CHECK-NEXT:     del a
  // CHECK-NEXT:     r = b
  // CHECK-NEXT:     del b
  %r = scf.if %c -> (!array) {
    %x = func.call @scaled(%n, %a) : (index, !array) -> !array
    scf.yield %x : !array
  } else {
    scf.yield %b : !array
  }
  // CHECK:      m = 1
  // CHECK-NEXT: while m < last:
  // CHECK:          f = scaled(n, r)
  // CHECK-NEXT:     del r
  // CHECK:          g = scaled(n, f)
  // CHECK-NEXT:     del f
  // CHECK-NEXT:     r, m = g, m + 1
  // CHECK-NEXT:     del g
  %end, %m = scf.while (%d = %r, %k = %one) : (!array, i64) -> (!array, i64) {
    %more = arith.cmpi slt, %k, %last : i64
    scf.condition(%more) %d, %k : !array, i64
  } do {
  ^bb0(%e: !array, %l: i64):
    %f = func.call @scaled(%n, %e) : (index, !array) -> !array
    %g = func.call @scaled(%n, %f) : (index, !array) -> !array
    %next = arith.addi %l, %one : i64
    scf.yield %g, %next : !array, i64
  }
  // Nothing follows but the end.
  // CHECK:      z = scaled(n, r)
  // CHECK-NEXT: return z
  %z = func.call @scaled(%n, %end) : (index, !array) -> !array
  func.return %z : !array
}

func.func private @scaled(%n: index, %x: !array) -> !array {
  %r = tensor_block.map parallel(d0 < %n) ins(%x[d0] : !array) -> !array {
  ^bb0(%i: index, %e: f64):
    %y = arith.mulf %e, %e : f64
    tensor_block.yield %y : f64
  }
  func.return %r : !array
}
