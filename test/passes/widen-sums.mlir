// RUN: diablo-opt --split-input-file -p widen-sums %s | filecheck %s

// A sum of many floats of 32 bits is one of floats of 64 bits, which is rounded.
func.func @total(%A: tensor<?xf32>, %n: index) -> f32 {
  %s = tensor_block.reduce add reduced(d0 < %n) ins(%A[d0] : tensor<?xf32>) -> f32 {
  ^bb0(%i: index, %a: f32):
    tensor_block.yield %a : f32
  }
  func.return %s : f32
}
// CHECK-LABEL: @total
// CHECK-NEXT:    %0 = tensor_block.reduce add reduced(d0 < %n) ins(%A[d0] : tensor<?xf32>) -> f64 {
// CHECK-NEXT:    ^bb0(%i: index, %a: f32):
// CHECK-NEXT:      %1 = arith.extf %a : f32 to f64
// CHECK-NEXT:      tensor_block.yield %1 : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    %s = arith.truncf %0 : f64 to f32

// -----

// So are those of rows, and of a product of two vectors.
func.func @rows(%A: tensor<?x?xf32>, %x: tensor<?xf32>, %n: index, %m: index)
    -> (tensor<?xf32>, f32) {
  %s = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%A[d0, d1] : tensor<?x?xf32>) -> tensor<?xf32> {
  ^bb0(%i: index, %j: index, %a: f32):
    tensor_block.yield %a : f32
  }
  %dot = tensor_block.reduce add reduced(d0 < %n)
      ins(%x[d0] : tensor<?xf32>, %s[d0] : tensor<?xf32>) -> f32 {
  ^bb0(%i: index, %a: f32, %b: f32):
    %c = arith.mulf %a, %b : f32
    tensor_block.yield %c : f32
  }
  func.return %s, %dot : tensor<?xf32>, f32
}
// CHECK-LABEL: @rows
// CHECK:         tensor_block.yield %{{.*}} : f64
// CHECK:         %s = tensor_block.map parallel(d0 < %n) ins(%{{.*}}[d0] : tensor<?xf64>) -> tensor<?xf32> {
// CHECK-NEXT:    ^bb0(%{{.*}}: index, %{{.*}}: f64):
// CHECK-NEXT:      %{{.*}} = arith.truncf %{{.*}} : f64 to f32
// CHECK:         tensor_block.reduce add reduced(d0 < %n) {{.*}} -> f64
// CHECK:         %dot = arith.truncf

// -----

// Cells keep their extents, and an array of sums its encoding.
func.func @cells(%v: tensor<?xindex>, %w: tensor<?xf32>, %n: index, %bins: index)
    -> tensor<?xf32, #tensor_block.tiles<dense = 1>> {
  %h = tensor_block.scatter_reduce add reduced(d0 < %n) into(%bins)
      ins(%v[d0] : tensor<?xindex>, %w[d0] : tensor<?xf32>)
      -> tensor<?xf32, #tensor_block.tiles<dense = 1>> {
  ^bb0(%i: index, %bin: index, %x: f32):
    tensor_block.yield %bin, %x : index, f32
  }
  func.return %h : tensor<?xf32, #tensor_block.tiles<dense = 1>>
}
// CHECK-LABEL: @cells
// CHECK:         tensor_block.scatter_reduce add {{.*}} -> tensor<?xf64, #tensor_block.tiles<dense = 1>>
// CHECK:           tensor_block.yield %bin, %{{.*}} : index, f64
// CHECK:         %h = tensor_block.map parallel(d0 < %bins) {{.*}} -> tensor<?xf32, #tensor_block.tiles<dense = 1>>

// -----

// Of rows the columns that are added up are converted, and the others are left.
func.func @bags(%rows: !comprehension.bag<f32>, %pairs: !comprehension.bag<f32, f32, f32, f64>)
    -> (f32, !comprehension.bag<f32, f32, f32, f64>) {
  %s = tensor_block.fold add %rows : !comprehension.bag<f32>
  %g = tensor_block.group_reduce %pairs keys 1 monoids(add, max, add)
      : !comprehension.bag<f32, f32, f32, f64>
  func.return %s, %g : f32, !comprehension.bag<f32, f32, f32, f64>
}
// CHECK-LABEL: @bags
// CHECK:         tensor_block.fold add %{{.*}} : !comprehension.bag<f64>
// CHECK-NEXT:    %s = arith.truncf
// CHECK:         tensor_block.project %{{.*}}[0, 4, 2, 3]
// CHECK:         tensor_block.group_reduce %{{.*}} keys 1 monoids(add, max, add) : !comprehension.bag<f32, f64, f32, f64>
// CHECK:         %g = tensor_block.project %{{.*}}[0, 4, 2, 3]

// -----

// What BLAS adds up stays, and so do few terms, other monoids and other types.
func.func @as_they_are(%A: tensor<?x?xf32>, %x: tensor<?xf32>, %d: tensor<?xf64>, %n: index, %m: index)
    -> (tensor<?xf32>, tensor<?xf32>, f32, f64) {
  %product = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%A[d0, d1] : tensor<?x?xf32>, %x[d1] : tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%i: index, %j: index, %a: f32, %b: f32):
    %c = arith.mulf %a, %b : f32
    tensor_block.yield %c : f32
  }
  %five = arith.constant 5 : index
  %window = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %five)
      ins(%x[d0 + d1] : tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%i: index, %j: index, %a: f32):
    tensor_block.yield %a : f32
  }
  %largest = tensor_block.reduce max reduced(d0 < %n) ins(%x[d0] : tensor<?xf32>) -> f32 {
  ^bb0(%i: index, %a: f32):
    tensor_block.yield %a : f32
  }
  %total = tensor_block.reduce add reduced(d0 < %n) ins(%d[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %product, %window, %largest, %total : tensor<?xf32>, tensor<?xf32>, f32, f64
}
// CHECK-LABEL: @as_they_are
// CHECK-NOT:     arith.extf
// CHECK-NOT:     arith.truncf

// -----

// Rows times rows are no product of a library, one of a sparse matrix is.
func.func @row_products(%A: tensor<?x?xf32>, %S: tensor<?x?xf32, #tensor_block.storage<dense = 0>>,
                        %x: tensor<?xf32>, %n: index, %m: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %dots = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%A[d0, d1] : tensor<?x?xf32>, %A[d0, d1] : tensor<?x?xf32>) -> tensor<?xf32> {
  ^bb0(%i: index, %j: index, %a: f32, %b: f32):
    %c = arith.mulf %a, %b : f32
    tensor_block.yield %c : f32
  }
  %product = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%S[d0, d1] : tensor<?x?xf32, #tensor_block.storage<dense = 0>>, %x[d1] : tensor<?xf32>)
      -> tensor<?xf32> {
  ^bb0(%i: index, %j: index, %a: f32, %b: f32):
    %c = arith.mulf %a, %b : f32
    tensor_block.yield %c : f32
  }
  func.return %dots, %product : tensor<?xf32>, tensor<?xf32>
}
// CHECK-LABEL: @row_products
// CHECK:         tensor_block.yield %{{.*}} : f64
// CHECK:         %dots = tensor_block.map
// CHECK-NOT:     arith.extf
// CHECK:         %product = tensor_block.reduce

// -----

// Complex numbers are added up as their parts are.
func.func @complex(%A: tensor<?xcomplex<f32>>, %n: index) -> complex<f32> {
  %s = tensor_block.reduce add reduced(d0 < %n) ins(%A[d0] : tensor<?xcomplex<f32>>) -> complex<f32> {
  ^bb0(%i: index, %a: complex<f32>):
    tensor_block.yield %a : complex<f32>
  }
  func.return %s : complex<f32>
}
// CHECK-LABEL: @complex
// CHECK-NEXT:    %0 = tensor_block.reduce add reduced(d0 < %n) ins(%A[d0] : tensor<?xcomplex<f32>>) -> complex<f64> {
// CHECK-NEXT:    ^bb0(%i: index, %a: complex<f32>):
// CHECK-NEXT:      %1 = comprehension.to_complex %a : complex<f32> -> complex<f64>
// CHECK-NEXT:      tensor_block.yield %1 : complex<f64>
// CHECK-NEXT:    }
// CHECK-NEXT:    %s = comprehension.to_complex %0 : complex<f64> -> complex<f32>

// -----

!rows = !comprehension.bag<i64, complex<f32>, f32>

func.func @complex_groups(%r: !rows) -> !rows {
  %g = tensor_block.group_reduce %r keys 1 monoids(add, max) : !rows
  func.return %g : !rows
}
// CHECK-LABEL: @complex_groups
// CHECK:         comprehension.to_complex %{{.*}} : complex<f32> -> complex<f64>
// CHECK:         tensor_block.group_reduce %{{.*}} : !comprehension.bag<i64, complex<f64>, f32>
// CHECK:         comprehension.to_complex %{{.*}} : complex<f64> -> complex<f32>

// -----

// A running sum is one of elements that have been widened; the greatest so far is what it is.
func.func @scans(%A: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %s = tensor_block.scan add %A along 0 : tensor<?xf32>
  %m = tensor_block.scan max %A along 0 : tensor<?xf32>
  func.return %s, %m : tensor<?xf32>, tensor<?xf32>
}
// CHECK-LABEL: @scans
// CHECK:         %[[N:.*]] = tensor.dim %A
// CHECK-NEXT:    %[[WIDE:.*]] = tensor_block.map parallel(d0 < %[[N]]) ins(%A[d0] : tensor<?xf32>) -> tensor<?xf64> {
// CHECK:           arith.extf
// CHECK:         %[[SUMS:.*]] = tensor_block.scan add %[[WIDE]] along 0 : tensor<?xf64>
// CHECK-NEXT:    %s = tensor_block.map parallel(d0 < %[[N]]) ins(%[[SUMS]][d0] : tensor<?xf64>) -> tensor<?xf32> {
// CHECK:           arith.truncf
// CHECK:         %m = tensor_block.scan max %A along 0 : tensor<?xf32>
