// RUN: diablo-opt %s -t numpy | filecheck %s

!dense = tensor<?x?xf64>
!vector = tensor<?xf64>
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!region = tensor<?x?xi1, #tensor_block.storage<dense = 1>>
!sparse_vector = tensor<?xf64, #tensor_block.storage<dense = 0>>

// A difference is zero where neither has an element.
func.func private @difference(%a: !rows, %b: !rows, %n: index, %m: index) -> !rows {
  %c = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%a[d0, d1] : !rows, %b[d1, d0] : !rows) -> !rows {
  ^body(%i: index, %j: index, %x: f64, %y: f64):
    %z = arith.subf %x, %y : f64
    tensor_block.yield %z : f64
  }
  func.return %c : !rows
}
// CHECK-LABEL: def difference(a, b, n, m):
// CHECK:           points = sparse_points.union((n, m), (a, (0, 1)), (b, (1, 0)))
// CHECK-NEXT:      c = points.tile(points.read(a, (0, 1)) - points.read(b, (1, 0)), 1)
// CHECK-NEXT:    return c

// Indices, offsets, dense arrays and sparse ones of fewer dimensions are read at the points.
func.func private @others(%a: !rows, %d: !dense, %v: !sparse_vector, %n: index, %m: index, %o: index) -> !rows {
  %zero = arith.constant 0 : index
  %c = tensor_block.map parallel(d0 < %n, d1 < %m) offsets(%o, %zero)
      ins(%a[d0, d1] : !rows, %d[d0, d1] : !dense, %v[d1] : !sparse_vector) -> !rows {
  ^body(%i: index, %j: index, %x: f64, %y: f64, %w: f64):
    %p = arith.cmpi slt, %i, %j : index
    %s = arith.addf %y, %w : f64
    %t = arith.mulf %s, %x : f64
    %z = arith.select %p, %t, %x : f64
    tensor_block.yield %z : f64
  }
  func.return %c : !rows
}
// CHECK-LABEL: def others(a, d, v, n, m, o):
// CHECK:         points = sparse_points.union((n, m), (a, (0, 1)))
// CHECK:         o + points.index(0)
// CHECK:         points.read(d, (0, 1))
// CHECK-SAME:    points.read(v, (1,))
// CHECK:         points.tile(

// Where a region stores an element its test needs no asking; of a product one factor is enough.
func.func private @in_region(%r: !region, %a: !rows, %n: index, %m: index) -> (!rows, !rows) {
  %five = arith.constant 5.0 : f64
  %zero = arith.constant 0.0 : f64
  %b = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%r[d0, d1] : !region, %a[d1, d0] : !rows) -> !rows {
  ^body(%i: index, %j: index, %s: i1, %x: f64):
    %z = scf.if %s -> (f64) {
      %y = arith.addf %x, %five : f64
      scf.yield %y : f64
    } else {
      scf.yield %zero : f64
    }
    tensor_block.yield %z : f64
  }
  %c = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%a[d1, d0] : !rows, %b[d0, d1] : !rows) -> !rows {
  ^body(%i: index, %j: index, %x: f64, %y: f64):
    %z = arith.mulf %x, %y : f64
    tensor_block.yield %z : f64
  }
  func.return %b, %c : !rows, !rows
}
// CHECK-LABEL: def in_region(r, a, n, m):
// CHECK:           points = sparse_points.union((n, m), (r, (0, 1)))
// CHECK-NEXT:      b = points.tile(points.read(a, (1, 0)) + 5.0, 1)
// CHECK:           points_1 = sparse_points.union((n, m), (b, (0, 1)))
// CHECK-NEXT:      c = points_1.tile(points_1.read(a, (1, 0)) * points_1.read(b, (0, 1)), 1)

// So do stored numbers, which are not zero; one may be NaN, and then is not ordered.
func.func private @not_zero(%a: !rows, %n: index, %m: index) -> (!region, !region) {
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0.0 : f64
  %r = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%a[d0, d1] : !rows) -> !region {
  ^body(%i: index, %j: index, %x: f64):
    %s = arith.cmpf une, %x, %zero : f64
    %b = arith.cmpi sle, %i, %j : index
    %t = arith.andi %b, %s : i1
    tensor_block.yield %t : i1
  }
  %q = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%a[d0, d1] : !rows) -> !region {
  ^body(%i: index, %j: index, %x: f64):
    %s = arith.cmpf one, %x, %zero : f64
    tensor_block.yield %s : i1
  }
  func.return %r, %q : !region, !region
}
// CHECK-LABEL: def not_zero(a, n, m):
// CHECK:         r = points.tile(points.index(0) <= points.index(1), 1)
// CHECK:         np.less(points_1.read(a, (0, 1)), 0.0), np.greater(points_1.read(a, (0, 1)), 0.0)

// Zeros are not stored, wherever they are computed.
func.func private @nothing(%r: !region, %n: index, %m: index) -> !rows {
  %zero = arith.constant 0.0 : f64
  %b = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%r[d0, d1] : !region) -> !rows {
  ^body(%i: index, %j: index, %s: i1):
    %z = arith.select %s, %zero, %zero : f64
    tensor_block.yield %z : f64
  }
  func.return %b : !rows
}
// CHECK-LABEL: def nothing(r, n, m):
// CHECK-NOT:     sparse_points
// CHECK:         b = SparseTile.empty((n, m), 1, np.float64)

// Held back: the cosine of zero is one, a dense array may have elements anywhere.
func.func private @everywhere(%a: !rows, %d: !dense, %n: index, %m: index) -> (!rows, !rows) {
  %c = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%a[d0, d1] : !rows) -> !rows {
  ^body(%i: index, %j: index, %x: f64):
    %z = math.cos %x : f64
    tensor_block.yield %z : f64
  }
  %e = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%a[d0, d1] : !rows, %d[d0, d1] : !dense) -> !rows {
  ^body(%i: index, %j: index, %x: f64, %y: f64):
    %z = arith.addf %x, %y : f64
    tensor_block.yield %z : f64
  }
  func.return %c, %e : !rows, !rows
}
// CHECK-LABEL: def everywhere(a, d, n, m):
// CHECK-NOT:     sparse_points
// CHECK:         return

// A dense array changes at the points of a region, which is moved; its neighbours are read there.
func.func private @changed(%r: !region, %t: !dense, %n: index, %m: index, %s: index) -> !dense {
  %c = tensor_block.map parallel(d0 < %n, d1 < %m) symbols(%s)
      ins(%r[d0 - s0, d1 - 1] : !region, %t[d0, d1] : !dense, %t[d0 - 1, (d1 + 1) mod s0] : !dense) -> !dense {
  ^body(%i: index, %j: index, %p: i1, %x: f64, %y: f64):
    %z = arith.select %p, %y, %x : f64
    tensor_block.yield %z : f64
  }
  func.return %c : !dense
}
// CHECK-LABEL: def changed(r, t, n, m, s):
// CHECK:         points = sparse_points.union((n, m), (r, (0, 1), (-s, -1)))
// CHECK-NEXT:    y = points.at(t, (points.index(0) - 1, (points.index(1) + 1) % s))
// CHECK-NEXT:    c = points.update(t, y)
// CHECK:         return

// A dense array that is zero elsewhere.
func.func private @full(%a: !rows, %n: index, %m: index) -> !dense {
  %c = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%a[d0, d1] : !rows) -> !dense {
  ^body(%i: index, %j: index, %x: f64):
    %y = arith.mulf %x, %x : f64
    tensor_block.yield %y : f64
  }
  func.return %c : !dense
}
// CHECK-LABEL: def full(a, n, m):
// CHECK:         c = points.fill({{.*}}, np.float64)

// Its dense form is made at once.
func.func private @spread(%a: !rows, %n: index, %m: index) -> !dense {
  %c = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%a[d0, d1] : !rows) -> !dense {
  ^body(%i: index, %j: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %c : !dense
}
// CHECK-LABEL: def spread(a, n, m):
// CHECK:         a.toarray()
