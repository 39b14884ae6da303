// RUN: diablo-opt %s -p split-complex-sums | filecheck %s

// Each part is added in an array of floats, and the pairs of these are what was asked for.
func.func private @sums(%k: tensor<?xi64>, %z: tensor<?xcomplex<f64>>, %n: index, %m: index)
    -> tensor<?xcomplex<f64>> {
  %h = tensor_block.scatter_reduce add reduced(d0 < %n) into(%m)
      ins(%k[d0] : tensor<?xi64>, %z[d0] : tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>> {
  ^body(%i: index, %j: i64, %x: complex<f64>):
    %p = arith.index_cast %j : i64 to index
    %y = complex.conj %x : complex<f64>
    tensor_block.yield %p, %y : index, complex<f64>
  }
  func.return %h : tensor<?xcomplex<f64>>
}
// CHECK-LABEL: func.func private @sums
// CHECK-NEXT:    %[[RE:.*]] = tensor_block.scatter_reduce add reduced(d0 < %n) into(%m)
// CHECK-SAME:        -> tensor<?xf64> {
// CHECK:           %[[C:.*]] = complex.conj
// CHECK-NEXT:      %[[X:.*]] = complex.re %[[C]] : complex<f64>
// CHECK-NEXT:      tensor_block.yield %{{.*}}, %[[X]] : index, f64
// CHECK:         %[[IM:.*]] = tensor_block.scatter_reduce add reduced(d0 < %n) into(%m)
// CHECK:           complex.im
// CHECK:         %h = tensor_block.map parallel(d0 < %m) ins(%[[RE]][d0] : tensor<?xf64>, %[[IM]][d0] : tensor<?xf64>) -> tensor<?xcomplex<f64>> {
// CHECK:           complex.create
// CHECK:         func.return %h

// A part of a product is made of both parts of what is multiplied; floats are added as they are.
func.func private @others(%z: tensor<?xcomplex<f32>>, %x: tensor<?xf32>, %n: index, %m: index)
    -> (tensor<?xcomplex<f32>>, tensor<?xf32>) {
  %h = tensor_block.scatter_reduce mul reduced(d0 < %n) into(%m)
      ins(%z[d0] : tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  ^body(%i: index, %y: complex<f32>):
    tensor_block.yield %i, %y : index, complex<f32>
  }
  %g = tensor_block.scatter_reduce add reduced(d0 < %n) into(%m)
      ins(%x[d0] : tensor<?xf32>) -> tensor<?xf32> {
  ^body(%i: index, %y: f32):
    tensor_block.yield %i, %y : index, f32
  }
  func.return %h, %g : tensor<?xcomplex<f32>>, tensor<?xf32>
}
// CHECK-LABEL: func.func private @others
// CHECK:         tensor_block.scatter_reduce mul
// CHECK-SAME:        -> tensor<?xcomplex<f32>> {
// CHECK:         tensor_block.scatter_reduce add
// CHECK-SAME:        -> tensor<?xf32> {
// CHECK-NOT:     tensor_block.map
