// RUN: diablo-opt %s -t numpy | filecheck %s

// Inputs become views that line up with the result, cropped to the extents; index arguments
// are ranges that start at the tile's origin.
func.func private @spread(%a: tensor<?x?xf64>, %b: tensor<?xf64>, %n: index, %m: index,
                             %oi: index, %oj: index) -> tensor<?x?xf64> {
  %c = tensor_block.map parallel(d0 < %n, d1 < %m) offsets(%oi, %oj)
      ins(%a[d1, d0] : tensor<?x?xf64>, %b[d0] : tensor<?xf64>) -> tensor<?x?xf64> {
  ^body(%i: index, %j: index, %x: f64, %y: f64):
    %column = arith.index_cast %j : index to i64
    %weight = arith.sitofp %column : i64 to f64
    %p = arith.mulf %x, %y : f64
    %q = arith.addf %p, %weight : f64
    tensor_block.yield %q : f64
  }
  func.return %c : tensor<?x?xf64>
}
// CHECK-LABEL: def spread(a, b, n, m, oi, oj):
// CHECK:         j = np.arange(oj, oj + m)
// CHECK-NEXT:    c = np.ascontiguousarray(a[:m, :n].T * b[:n, None] + j.astype(np.float64))
// CHECK-NEXT:    return c

// A conditional is a choice, and a division in a branch knows which points take it.
func.func private @guarded(%a: tensor<?xi64>, %b: tensor<?xi64>, %n: index) -> tensor<?xi64> {
  %c = tensor_block.map parallel(d0 < %n)
      ins(%a[d0] : tensor<?xi64>, %b[d0] : tensor<?xi64>) -> tensor<?xi64> {
  ^body(%i: index, %x: i64, %y: i64):
    %zero = arith.constant 0 : i64
    %live = arith.cmpi ne, %y, %zero : i64
    %v = scf.if %live -> (i64) {
      %q = arith.divsi %x, %y : i64 loc("g.diablo":3:4)
      scf.yield %q : i64
    } else {
      scf.yield %zero : i64
    }
    tensor_block.yield %v : i64
  }
  func.return %c : tensor<?xi64>
}
// CHECK-LABEL: def guarded(a, b, n):
// CHECK:         y = b[:n]
// CHECK-NEXT:    live = y != 0
// CHECK-NEXT:    v = np.where(live, arithmetic.quotient(a[:n], y, where=live, at="g.diablo:3:4"), 0)

// The value does not vary, so the result is filled; integers need no errstate.
func.func private @fill(%n: index, %m: index) -> tensor<?x?xi64> {
  %c = tensor_block.map parallel(d0 < %n, d1 < %m) -> tensor<?x?xi64> {
  ^body(%i: index, %j: index):
    %one = arith.constant 1 : i64
    tensor_block.yield %one : i64
  }
  func.return %c : tensor<?x?xi64>
}
// CHECK-LABEL: def fill(n, m):
// CHECK-NOT:     errstate
// CHECK:         c = np.full((n, m), 1, np.int64)

// Bits are bits: wrap-around, shifts without a sign.
func.func private @bits(%a: tensor<?xi64>, %n: index) -> tensor<?xf64> {
  %c = tensor_block.map parallel(d0 < %n) ins(%a[d0] : tensor<?xi64>) -> tensor<?xf64> {
  ^body(%i: index, %x: i64):
    %k = arith.constant 30 : i64
    %s = arith.shrui %x, %k : i64
    %y = arith.xori %x, %s : i64
    %f = arith.uitofp %y : i64 to f64
    tensor_block.yield %f : f64
  }
  func.return %c : tensor<?xf64>
}
// CHECK-LABEL: def bits(a, n):
// CHECK:         x = a[:n]
// CHECK-NEXT:    f = arithmetic.unsigned(x ^ arithmetic.shift_right_unsigned(x, 30)).astype(np.float64)

// The driver's functions are no kernels.
func.func @main(%a: tensor<?xf64, #tensor_block.tiles<dense = 1>>) {
  func.return
}
func.func @driver(%n: index) -> tensor<?xf64, #tensor_block.tiles<dense = 1>> {
  %c = tensor_block.map parallel(d0 < %n) -> tensor<?xf64, #tensor_block.tiles<dense = 1>> {
  ^body(%i: index):
    %one = arith.constant 1.0 : f64
    tensor_block.yield %one : f64
  }
  func.return %c : tensor<?xf64, #tensor_block.tiles<dense = 1>>
}
// CHECK-NOT: def driver
