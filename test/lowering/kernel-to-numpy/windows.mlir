// Inputs that are read beside the point, and tables.
// RUN: diablo-opt %s -t numpy | filecheck %s

// What is computed in a box alone is evaluated there.
func.func private @stencil(%a: tensor<?xf64>, %n: index, %o: index) -> tensor<?xf64> {
  %one = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %c = tensor_block.map parallel(d0 < %n) offsets(%o) symbols(%o)
      ins(%a[d0 - 1] : tensor<?xf64>, %a[d0 + s0] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %x: f64, %y: f64):
    %low = arith.cmpi sge, %i, %one : index
    %high = arith.cmpi slt, %i, %n : index
    %inside = arith.andi %low, %high : i1
    %v = scf.if %inside -> (f64) {
      %s = arith.addf %x, %y : f64
      scf.yield %s : f64
    } else {
      scf.yield %zero : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %c : tensor<?xf64>
}
// CHECK-LABEL: def stencil(a, n, o):
// CHECK:         c = np.zeros((n,), np.float64)
// CHECK-NEXT:    i_begin, i_end = windows.limits(n, -o + 1, n - o)
// CHECK-NEXT:    s = (
// CHECK-NEXT:        windows.cut(a, (i_begin - 1,), (i_end - i_begin,))
// CHECK-NEXT:        + windows.cut(a, (i_begin + o,), (i_end - i_begin,))
// CHECK-NEXT:    )
// CHECK-NEXT:    c[i_begin:i_end] = s

// A diagonal, and an array backwards.
func.func private @views(%a: tensor<?x?xf64>, %b: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c = tensor_block.map parallel(d0 < %n)
      ins(%a[d0, d0] : tensor<?x?xf64>, %b[5 - d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %x: f64, %y: f64):
    %s = arith.addf %x, %y : f64
    tensor_block.yield %s : f64
  }
  func.return %c : tensor<?xf64>
}
// CHECK-LABEL: def views(a, b, n):
// CHECK:         windows.view(a, (0, 0), ((1,), (1,)), (n,))
// CHECK:         windows.view(b, (5,), ((-1,),), (n,))

// A small window is gone through step by step.
func.func private @around(%a: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %three = arith.constant 3 : index
  %c = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %three)
      ins(%a[d0 + d1 - 1] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %w: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %c : tensor<?xf64>
}
// CHECK-LABEL: def around(a, n):
// CHECK:         c = np.full((n,), 0.0, np.float64)
// CHECK-NEXT:    for w in range(3):
// CHECK-NEXT:        np.add(c, windows.cut(a, (w - 1,), (n,)), out=c)

// A table.
func.func private @histogram(%a: tensor<?xi64>, %n: index, %bins: index) -> tensor<?xi64> {
  %one = arith.constant 1 : i64
  %c = tensor_block.scatter_reduce add reduced(d0 < %n) into(%bins)
      ins(%a[d0] : tensor<?xi64>) -> tensor<?xi64> {
  ^body(%i: index, %x: i64):
    %k = arith.index_cast %x : i64 to index
    tensor_block.yield %k, %one : index, i64
  }
  func.return %c : tensor<?xi64>
}
// CHECK-LABEL: def histogram(a, n, bins):
// CHECK:         c = scatter.reduce_by_index("add", (a[:n],), 1, (n,), (bins,), np.int64, 0)

// More points than elements: some at a time.
func.func private @pairs(%a: tensor<?xi64>, %n: index, %bins: index) -> tensor<?xi64> {
  %c = tensor_block.scatter_reduce max reduced(d0 < %n, d1 < %n) into(%bins)
      ins(%a[d0] : tensor<?xi64>, %a[d1] : tensor<?xi64>) -> tensor<?xi64> {
  ^body(%i: index, %j: index, %x: i64, %y: i64):
    %s = arith.addi %x, %y : i64
    %k = arith.index_cast %s : i64 to index
    tensor_block.yield %k, %x : index, i64
  }
  func.return %c : tensor<?xi64>
}
// CHECK-LABEL: def pairs(a, n, bins):
// CHECK:         for begin, end in arithmetic.chunks(n, n):
// CHECK:           c = np.maximum(
// CHECK:           scatter.reduce_by_index(

// What reads nothing is not worth a box.
func.func private @indices(%n: index, %m: index) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %c = tensor_block.map parallel(d0 < %n) -> tensor<?xf64> {
  ^body(%i: index):
    %low = arith.cmpi slt, %i, %m : index
    %v = scf.if %low -> (f64) {
      scf.yield %one : f64
    } else {
      scf.yield %zero : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %c : tensor<?xf64>
}
// CHECK-LABEL: def indices(n, m):
// CHECK-NOT:     windows.limits
// CHECK:         c = np.where(i < m, 1.0, 0.0)
