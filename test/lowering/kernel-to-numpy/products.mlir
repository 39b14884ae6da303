// RUN: diablo-opt %s -t numpy | filecheck %s

!matrix = tensor<?x?xf64>
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
!flat = tensor<?x?xf64, #tensor_block.storage<dense = 0>>

func.func private @dense(%a: !matrix, %b: !matrix, %n: index, %m: index, %l: index) -> !matrix {
  %c = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l)
      ins(%a[d2, d0] : !matrix, %b[d2, d1] : !matrix) -> !matrix {
  ^body(%i: index, %j: index, %k: index, %x: f64, %y: f64):
    %p = arith.mulf %x, %y : f64
    tensor_block.yield %p : f64
  }
  func.return %c : !matrix
}
// CHECK-LABEL: def dense(a, b, n, m, l):
// CHECK:         c = matrix_products.product(a[:l, :n].T, b[:l, :m])

// Inputs that are as large as the extents say need not be cropped.
func.func private @whole(%a: !matrix, %x: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %a, %zero : !matrix
  %m = tensor.dim %a, %one : !matrix
  %y = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%a[d0, d1] : !matrix, %x[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %j: index, %p: f64, %q: f64):
    %r = arith.mulf %q, %p : f64
    tensor_block.yield %r : f64
  }
  func.return %y : tensor<?xf64>
}
// CHECK-LABEL: def whole(a, x):
// CHECK:         n = a.shape[0]
// CHECK-NEXT:    m = a.shape[1]
// CHECK-NEXT:    y = matrix_products.product(a, x[:m])

func.func private @sparse(%a: !rows, %b: !rows, %n: index, %m: index, %l: index) -> !rows {
  %c = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l)
      ins(%a[d0, d2] : !rows, %b[d2, d1] : !rows) -> !rows {
  ^body(%i: index, %j: index, %k: index, %x: f64, %y: f64):
    %p = arith.mulf %x, %y : f64
    tensor_block.yield %p : f64
  }
  func.return %c : !rows
}
// CHECK-LABEL: def sparse(a, b, n, m, l):
// CHECK:         product = matrix_products.product(
// CHECK-NEXT:      arithmetic.matrix(a, (0,), (1,), (n, l)), arithmetic.matrix(b, (0,), (1,), (l, m))
// CHECK-NEXT:    )
// CHECK-NEXT:    c = SparseTile.from_csr(product.tocsr(), (n, m), 1)

// Where a third matrix stores elements, and nowhere else.
func.func private @masked(%a: !rows, %b: !rows, %m: !flat, %n: index, %l: index) -> !flat {
  %c = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %l)
      ins(%a[d0, d2] : !rows, %b[d2, d1] : !rows, %m[d0, d1] : !flat) -> !flat {
  ^body(%i: index, %j: index, %k: index, %x: f64, %y: f64, %t: f64):
    %zero = arith.constant 0.0 : f64
    %p = arith.mulf %x, %y : f64
    %there = arith.cmpf une, %t, %zero : f64
    %v = arith.select %there, %p, %zero : f64
    tensor_block.yield %v : f64
  }
  func.return %c : !flat
}
// CHECK-LABEL: def masked(a, b, m, n, l):
// CHECK:         c = matrix_products.masked_product(a, b, m, (n, n, l), 0)

func.func private @dense_result(%a: !rows, %b: !rows, %n: index, %m: index, %l: index) -> !matrix {
  %c = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l)
      ins(%a[d0, d2] : !rows, %b[d2, d1] : !rows) -> !matrix {
  ^body(%i: index, %j: index, %k: index, %x: f64, %y: f64):
    %p = arith.mulf %x, %y : f64
    tensor_block.yield %p : f64
  }
  func.return %c : !matrix
}
// CHECK-LABEL: def dense_result(a, b, n, m, l):
// CHECK:         c = matrix_products.dense_product(

// Another monoid is no product; the space is evaluated in chunks.
func.func private @tropical(%a: !matrix, %b: !matrix, %n: index, %m: index, %l: index) -> !matrix {
  %c = tensor_block.reduce min parallel(d0 < %n, d1 < %m) reduced(d2 < %l)
      ins(%a[d0, d2] : !matrix, %b[d2, d1] : !matrix) -> !matrix {
  ^body(%i: index, %j: index, %k: index, %x: f64, %y: f64):
    %p = arith.addf %x, %y : f64
    tensor_block.yield %p : f64
  }
  func.return %c : !matrix
}
// CHECK-LABEL: def tropical(a, b, n, m, l):
// CHECK:         c = np.full((n, m), np.inf, np.float64)
// CHECK-NEXT:    for i_begin, i_end in arithmetic.chunks(n, m * l):
// CHECK-NEXT:      for j_begin, j_end in arithmetic.chunks(m, (i_end - i_begin) * l):
// CHECK-NEXT:        c[i_begin:i_end, j_begin:j_end] = np.min(
// CHECK-NEXT:            a[i_begin:i_end, None, :l] + b[:l, j_begin:j_end].T, axis=2, initial=np.inf
// CHECK-NEXT:        )

// NumPy never warns of products with a vector that machine code or SciPy does.
func.func private @vectors(%a: !rows, %x: tensor<?xf64>, %n: index, %m: index) -> f64 {
  %y = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%a[d0, d1] : !rows, %x[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %j: index, %p: f64, %q: f64):
    %r = arith.mulf %p, %q : f64
    tensor_block.yield %r : f64
  }
  %d = tensor_block.reduce add reduced(d0 < %n)
      ins(%y[d0] : tensor<?xf64>, %x[d0] : tensor<?xf64>) -> f64 {
  ^body(%i: index, %p: f64, %q: f64):
    %r = arith.mulf %p, %q : f64
    tensor_block.yield %r : f64
  }
  func.return %d : f64
}
// CHECK-LABEL: def vectors(a, x, n, m):
// CHECK-NOT:     errstate
// CHECK:         y = sparse_products.product(a, (0,), (1,), (n, m), x[:m])
// CHECK:         d = dot_products.dot(y[:n], x[:n])
// CHECK-NEXT:    return d

// Two inputs, but no contraction: one of them is not read at the dimension that is summed.
func.func private @scaled_rows(%a: !matrix, %x: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %y = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%a[d0, d1] : !matrix, %x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %j: index, %p: f64, %q: f64):
    %r = arith.mulf %p, %q : f64
    tensor_block.yield %r : f64
  }
  func.return %y : tensor<?xf64>
}
// CHECK-LABEL: def scaled_rows(a, x, n, m):
// CHECK:         y = np.sum(a[:n, :m] * x[:n, None], axis=1)

// A dimension of the result that neither has is no library's either.
func.func private @repeated(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %z = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%x[d1] : tensor<?xf64>, %y[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %j: index, %p: f64, %q: f64):
    %r = arith.mulf %p, %q : f64
    tensor_block.yield %r : f64
  }
  func.return %z : tensor<?xf64>
}
// CHECK-LABEL: def repeated(x, y, n, m):
// CHECK-NOT:     dot_products
// CHECK:         np.sum(

// Read beside the point, a product is a sum over a window.
func.func private @beside(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) -> f64 {
  %z = tensor_block.reduce add reduced(d0 < %n)
      ins(%x[d0 + 1] : tensor<?xf64>, %y[d0] : tensor<?xf64>) -> f64 {
  ^body(%i: index, %p: f64, %q: f64):
    %r = arith.mulf %p, %q : f64
    tensor_block.yield %r : f64
  }
  func.return %z : f64
}
// CHECK-LABEL: def beside(x, y, n):
// CHECK-NOT:     dot_products
// CHECK:         np.sum(
