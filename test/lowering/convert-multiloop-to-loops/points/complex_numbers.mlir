// Complex numbers are elements of buffers and values in loops, until `expand-complex`.
// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop,convert-multiloop-to-loops | filecheck %s

// CHECK-LABEL: func.func private @turned
// CHECK-SAME:      (%a: memref<?xcomplex<f64>>, %k: complex<f64>, %n: index, %c: memref<?xcomplex<f64>>)
// CHECK:         scf.for %d = %zero to %n step %one {
// CHECK-NEXT:      %z = memref.load %a[%d] : memref<?xcomplex<f64>>
// CHECK-NEXT:      %[[W:.*]] = complex.mul %z, %k : complex<f64>
// CHECK-NEXT:      memref.store %[[W]], %c[%d] : memref<?xcomplex<f64>>
func.func private @turned(%a: tensor<?xcomplex<f64>>, %k: complex<f64>, %n: index) -> tensor<?xcomplex<f64>> {
  %c = tensor_block.map parallel(d0 < %n) ins(%a[d0] : tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>> {
  ^body(%d: index, %z: complex<f64>):
    %1 = complex.mul %z, %k : complex<f64>
    tensor_block.yield %1 : complex<f64>
  }
  func.return %c : tensor<?xcomplex<f64>>
}

// Some are made for a moment.
// CHECK-LABEL: func.func private @sizes
// CHECK:         scf.for
// CHECK:           %z = complex.create %x, %x : complex<f64>
// CHECK-NEXT:      complex.abs %z : complex<f64>
func.func private @sizes(%a: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c = tensor_block.map parallel(d0 < %n) ins(%a[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%d: index, %x: f64):
    %z = complex.create %x, %x : complex<f64>
    %1 = complex.abs %z : complex<f64>
    tensor_block.yield %1 : f64
  }
  func.return %c : tensor<?xf64>
}
