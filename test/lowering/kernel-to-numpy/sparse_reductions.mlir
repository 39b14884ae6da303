// RUN: diablo-opt %s -t numpy | filecheck %s

!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!bits = tensor<?x?xi1, #tensor_block.storage<dense = 1>>
!vector = tensor<?xf64>

// What is not stored has the identity: the stored elements are enough.
func.func private @least(%A: !rows, %x: !vector, %n: index, %m: index) -> !vector {
  %r = tensor_block.reduce min parallel(d0 < %n) reduced(d1 < %m) ins(%A[d0, d1] : !rows, %x[d1] : !vector) -> !vector {
  ^body(%i: index, %j: index, %a: f64, %b: f64):
    %zero = arith.constant 0.0 : f64
    %inf = arith.constant 0x7FF0000000000000 : f64
    %stored = arith.cmpf une, %a, %zero : f64
    %s = arith.addf %a, %b : f64
    %v = arith.select %stored, %s, %inf : f64
    tensor_block.yield %v : f64
  }
  func.return %r : !vector
}
// CHECK-LABEL: def least(A, x, n, m):
// CHECK:         points = sparse_points.union((n, m), (A, (0, 1)))
// CHECK-NEXT:    a = points.read(A, (0, 1))
// CHECK-NEXT:    r = scatter.reduce_by_index(
// CHECK-NEXT:      "min",
// CHECK-NEXT:      (points.index(0),),
// CHECK:           (len(points),),
// CHECK-NEXT:      (n,),

// A number: the values of the points are folded as they are.
func.func private @total(%A: !rows, %n: index, %m: index) -> f64 {
  %r = tensor_block.reduce add parallel() reduced(d0 < %n, d1 < %m) ins(%A[d0, d1] : !rows) -> f64 {
  ^body(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %r : f64
}
// CHECK-LABEL: def total(A, n, m):
// CHECK:         points = sparse_points.union((n, m), (A, (0, 1)))
// CHECK-NEXT:    r = np.sum(points.read(A, (0, 1)))

// Either array's elements take part: the union of both.
func.func private @both(%A: !rows, %B: !rows, %n: index, %m: index) -> !vector {
  %r = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m) ins(%A[d0, d1] : !rows, %B[d0, d1] : !rows) -> !vector {
  ^body(%i: index, %j: index, %a: f64, %b: f64):
    %s = arith.addf %a, %b : f64
    tensor_block.yield %s : f64
  }
  func.return %r : !vector
}
// CHECK-LABEL: def both(A, B, n, m):
// CHECK:         points = sparse_points.union((n, m), (A, (0, 1)), (B, (0, 1)))

// Zeros count as well: all points.
func.func private @least_of_all(%A: !rows, %n: index, %m: index) -> !vector {
  %r = tensor_block.reduce min parallel(d0 < %n) reduced(d1 < %m) ins(%A[d0, d1] : !rows) -> !vector {
  ^body(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %r : !vector
}
// CHECK-LABEL: def least_of_all(A, n, m):
// CHECK:         A.toarray()
// CHECK-NOT:     sparse_points
