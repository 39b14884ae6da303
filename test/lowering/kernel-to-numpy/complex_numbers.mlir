// RUN: diablo-opt %s -t numpy | filecheck %s

// A single complex number is NumPy's; parts are never multiplied by the imaginary unit.
func.func private @turned(%a: tensor<?xcomplex<f64>>, %x: tensor<?xf64>, %k: complex<f64>, %n: index) -> tensor<?xcomplex<f64>> {
  %i = comprehension.complex_constant #complex.number<:f64 0.0, 1.0> : complex<f64>
  %two = comprehension.complex_constant #complex.number<:f64 2.0, 0.0> : complex<f64>
  %c = tensor_block.map parallel(d0 < %n) ins(%a[d0] : tensor<?xcomplex<f64>>, %x[d0] : tensor<?xf64>) -> tensor<?xcomplex<f64>> {
  ^body(%d: index, %z: complex<f64>, %r: f64):
    %w = comprehension.to_complex %r : f64 -> complex<f64>
    %v = complex.create %r, %r : complex<f64>
    %1 = complex.mul %z, %i : complex<f64>
    %2 = complex.div %1, %k : complex<f64>
    %3 = complex.add %2, %w : complex<f64>
    %4 = complex.sub %3, %v : complex<f64>
    %5 = complex.exp %4 : complex<f64>
    %same = complex.neq %5, %two : complex<f64>
    %6 = arith.select %same, %5, %two : complex<f64>
    tensor_block.yield %6 : complex<f64>
  }
  func.return %c : tensor<?xcomplex<f64>>
}
// CHECK-LABEL: def turned(a, x, k, n):
// CHECK-NEXT:    k = np.complex128(k)
// CHECK-NEXT:    with np.errstate(all="ignore"):
// CHECK:           = a[:n] * np.complex128(complex(0.0, 1.0)) / k + [[R:.+]].astype(np.complex128)
// CHECK-NEXT:      - arithmetic.complex_of([[R]], [[R]], np.complex128)
// CHECK-NEXT:      np.where({{.*}} != np.complex128(2.0), {{.*}}, np.complex128(2.0))

func.func private @sizes(%a: tensor<?xcomplex<f32>>, %n: index) -> f32 {
  %s = tensor_block.reduce add reduced(d0 < %n) ins(%a[d0] : tensor<?xcomplex<f32>>) -> f32 {
  ^body(%d: index, %z: complex<f32>):
    %r = complex.re %z : complex<f32>
    %m = complex.abs %z : complex<f32>
    %x = arith.mulf %r, %m : f32
    tensor_block.yield %x : f32
  }
  func.return %s : f32
}
// CHECK-LABEL: def sizes(a, n):
// CHECK:         np.sum(arithmetic.real([[Z:.+]]) * np.abs([[Z]]))

// Products are those of libraries.
func.func private @product(%a: tensor<?x?xcomplex<f64>>, %b: tensor<?x?xcomplex<f64>>, %n: index, %m: index, %l: index) -> tensor<?x?xcomplex<f64>> {
  %c = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l)
      ins(%a[d0, d2] : tensor<?x?xcomplex<f64>>, %b[d2, d1] : tensor<?x?xcomplex<f64>>) -> tensor<?x?xcomplex<f64>> {
  ^body(%d0: index, %d1: index, %d2: index, %x: complex<f64>, %y: complex<f64>):
    %p = complex.mul %x, %y : complex<f64>
    tensor_block.yield %p : complex<f64>
  }
  func.return %c : tensor<?x?xcomplex<f64>>
}
// CHECK-LABEL: def product(a, b, n, m, l):
// CHECK:         matrix_products.product(a[:n, :l], b[:l, :m])
