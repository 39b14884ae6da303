// Rows of a sparse matrix of complex numbers: what a row adds up is carried as two floats.
// RUN: diablo-opt %s -p 'convert-tensor-block-to-sparse-storage{exact=true plain=true},convert-multiloop-to-loops,expand-complex' | filecheck %s

#csr = #tensor_block.storage<dense = 1>

// CHECK:       func.func private @k({{.*}}%A_values: memref<?xcomplex<f64>>
// CHECK:       scf.for
// CHECK:       scf.for {{.*}} -> (f64, f64) {
// CHECK:         [[A:%[a-z0-9_]+]] = memref.load {{.*}} : memref<?xcomplex<f64>>
// CHECK-NEXT:    complex.re [[A]]
// CHECK-NEXT:    complex.im [[A]]
// CHECK-NOT:     complex.mul
// CHECK:         arith.subf
// CHECK:         scf.yield %{{.*}}, %{{.*}} : f64, f64
// CHECK:       complex.create
// CHECK-NEXT:  memref.store
func.func private @k(%n: index, %m: index, %A: tensor<?x?xcomplex<f64>, #csr>, %x: tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>> {
  %y = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%A[d0, d1] : tensor<?x?xcomplex<f64>, #csr>, %x[d1] : tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>> {
  ^bb0(%i: index, %j: index, %a: complex<f64>, %b: complex<f64>):
    %c = complex.mul %a, %b : complex<f64>
    tensor_block.yield %c : complex<f64>
  }
  func.return %y : tensor<?xcomplex<f64>>
}
