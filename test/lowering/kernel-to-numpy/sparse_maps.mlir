// RUN: diablo-opt %s -t numpy | filecheck %s

!dense = tensor<?x?xf64>
!vector = tensor<?xf64>
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!sparse_vector = tensor<?xf64, #tensor_block.storage<dense = 0>>
!region = tensor<?x?xi1, #tensor_block.storage<dense = 1>>

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
// CHECK:         points.at(t, (points.index(0) - 1, (points.index(1) + 1) % s))
// CHECK:         points.read(r, (0, 1), (-s, -1))
// CHECK:         points.update(t, 
// CHECK:         return

// A dense array that is zero elsewhere.
func.func private @filled(%a: !rows, %n: index, %m: index) -> !dense {
  %c = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%a[d0, d1] : !rows) -> !dense {
  ^body(%i: index, %j: index, %x: f64):
    %y = arith.mulf %x, %x : f64
    tensor_block.yield %y : f64
  }
  func.return %c : !dense
}
// CHECK-LABEL: def filled(a, n, m):
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
