// Arrays of the driver are let go of where they are used last: in loops, and in one branch or the
// other. What the next iteration or what follows reads stays.
// RUN: diablo-opt - --split-input-file -t pyspark < %s | filecheck %s

!array = tensor<?xf64>

func.func @main(%n: index, %v: !array, %c: i1, %last: i64) -> !array {
  %one = arith.constant 1 : i64
  // CHECK:      a = scaled(n, v)
  %a = func.call @scaled(%n, %v) : (index, !array) -> !array
  // CHECK:      b = scaled(n, a)
  %b = func.call @scaled(%n, %a) : (index, !array) -> !array
  // CHECK:      if c:
  // CHECK-NEXT:     del b
  // CHECK:          r = scaled(n, a)
  // CHECK-NEXT:     del a
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

// -----

// What a loop carries and does not read is let go of in it: the next one takes the variable.
!array = tensor<?xf64>

func.func @main(%n: index, %v: !array, %last: i64) -> !array {
  %one = arith.constant 1 : i64
  %s = func.call @scaled(%n, %v) : (index, !array) -> !array
  // CHECK-LABEL: s = scaled(n, v)
  // CHECK:      while m < last:
  // CHECK-NEXT:     del s
  // CHECK:          t = scaled(n, v)
  // CHECK-NEXT:     s, m = t, m + 1
  // CHECK-NEXT:     del t
  %end, %m = scf.while (%d = %s, %k = %one) : (!array, i64) -> (!array, i64) {
    %more = arith.cmpi slt, %k, %last : i64
    scf.condition(%more) %d, %k : !array, i64
  } do {
  ^bb0(%e: !array, %l: i64):
    %t = func.call @scaled(%n, %v) : (index, !array) -> !array
    %next = arith.addi %l, %one : i64
    scf.yield %t, %next : !array, i64
  }
  // CHECK:      z = scaled(n, s)
  // CHECK-NEXT: return z
  %z = func.call @scaled(%n, %end) : (index, !array) -> !array
  func.return %z : !array
}

func.func private @scaled(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %r = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %y = arith.mulf %e, %e : f64
    tensor_block.yield %y : f64
  }
  func.return %r : tensor<?xf64>
}

// -----

// An array that is read in each iteration stays until the loop is over.
!array = tensor<?xf64>

func.func @main(%n: index, %v: !array, %last: i64) -> !array {
  %one = arith.constant 1 : i64
  %s = func.call @scaled(%n, %v) : (index, !array) -> !array
  %u = func.call @scaled(%n, %v) : (index, !array) -> !array
  // CHECK-LABEL: u = scaled(n, v)
  // CHECK:      while m < last:
  // CHECK-NEXT:     del s
  // CHECK:          t = scaled(n, u)
  // CHECK-NEXT:     s, m = t, m + 1
  // CHECK-NEXT:     del t
  // CHECK-NEXT: del u
  %end, %m = scf.while (%d = %s, %k = %one) : (!array, i64) -> (!array, i64) {
    %more = arith.cmpi slt, %k, %last : i64
    scf.condition(%more) %d, %k : !array, i64
  } do {
  ^bb0(%e: !array, %l: i64):
    %t = func.call @scaled(%n, %u) : (index, !array) -> !array
    %next = arith.addi %l, %one : i64
    scf.yield %t, %next : !array, i64
  }
  %w = func.call @scaled(%n, %end) : (index, !array) -> !array
  %z = func.call @scaled(%n, %w) : (index, !array) -> !array
  func.return %z : !array
}

func.func private @scaled(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %r = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %y = arith.mulf %e, %e : f64
    tensor_block.yield %y : f64
  }
  func.return %r : tensor<?xf64>
}

// -----

// A view outlives the variable of its array, and an array that gives its memory away goes there. A
// result that is read elsewhere stays.
!array = tensor<?xf64>

func.func @main(%n: index, %v: tensor<?x?xf64>) -> (!array, !array) {
  // CHECK-LABEL: whole = squared(n, v)
  // CHECK:      part = joined_axes(whole, (2,))
  // CHECK-NEXT: del whole
  // CHECK:      q = into(part, scaled, n, part)
  // CHECK-NEXT: del part
  // CHECK:      z = scaled(n, q)
  // CHECK-NEXT: return (q, z)
  %whole = func.call @squared(%n, %v) : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  %part = tensor.collapse_shape %whole [[0 : i64, 1 : i64]] : tensor<?x?xf64> into !array
  %q = func.call @scaled(%n, %part) {in_place = 1 : i64} : (index, !array) -> !array
  %z = func.call @scaled(%n, %q) : (index, !array) -> !array
  func.return %q, %z : !array, !array
}

func.func private @squared(%n: index, %x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%x[d0, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %e: f64):
    %y = arith.mulf %e, %e : f64
    tensor_block.yield %y : f64
  }
  func.return %r : tensor<?x?xf64>
}

func.func private @scaled(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %r = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %y = arith.mulf %e, %e : f64
    tensor_block.yield %y : f64
  }
  func.return %r : tensor<?xf64>
}
