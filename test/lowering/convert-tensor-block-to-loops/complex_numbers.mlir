// Machine code has no complex numbers: kernels with them stay as they are, and are NumPy's.
// RUN: diablo-opt %s -p convert-tensor-block-to-loops | filecheck %s

// CHECK-LABEL: func.func private @turned
// CHECK:         tensor_block.map
func.func private @turned(%a: tensor<?xcomplex<f64>>, %k: complex<f64>, %n: index) -> tensor<?xcomplex<f64>> {
  %c = tensor_block.map parallel(d0 < %n) ins(%a[d0] : tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>> {
  ^body(%d: index, %z: complex<f64>):
    %1 = complex.mul %z, %k : complex<f64>
    tensor_block.yield %1 : complex<f64>
  }
  func.return %c : tensor<?xcomplex<f64>>
}

// So are those that make one for a moment.
// CHECK-LABEL: func.func private @sizes
// CHECK:         tensor_block.map
func.func private @sizes(%a: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c = tensor_block.map parallel(d0 < %n) ins(%a[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%d: index, %x: f64):
    %z = complex.create %x, %x : complex<f64>
    %1 = complex.abs %z : complex<f64>
    tensor_block.yield %1 : f64
  }
  func.return %c : tensor<?xf64>
}
