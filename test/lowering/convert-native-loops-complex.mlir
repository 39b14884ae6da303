// Loops of the driver over complex numbers: carried as they are, and as two floats then.
// RUN: diablo-opt %s -p outline-native-loops,convert-native-loops | filecheck %s
// RUN: diablo-opt %s -p outline-native-loops,convert-native-loops,expand-complex | filecheck %s --check-prefix=PARTS

// CHECK-LABEL: func.func private @loop_0(%z: complex<f64>
// CHECK:         scf.while {{.*}} : (complex<f64>, index) -> (complex<f64>, index)
// CHECK:       func.func private @loop_0_loops(%z: complex<f64>, {{.*}}, %x: memref<?xcomplex<f64>>, %s: memref<complex<f64>>
// CHECK:         complex.mul
// CHECK:         memref.store %{{.*}}, %s[] : memref<complex<f64>>
// PARTS:       func.func private @loop_0_loops(%z_re: f64, %z_im: f64
// PARTS:         scf.while {{.*}} : (f64, f64, index) ->
// PARTS:         complex.re
// PARTS-NOT:     complex.mul
// PARTS:         complex.create
// PARTS-NEXT:    memref.store %{{.*}}, %s[] : memref<complex<f64>>
func.func @main(%c: complex<f64>, %n: index, %x: tensor<?xcomplex<f64>>) -> complex<f64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %s, %k = scf.while (%z = %c, %i = %zero) : (complex<f64>, index) -> (complex<f64>, index) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %z, %i : complex<f64>, index
  } do {
  ^bb0(%z: complex<f64>, %i: index):
    %e = tensor.extract %x[%i] : tensor<?xcomplex<f64>>
    %w = complex.mul %z, %e : complex<f64>
    %j = arith.addi %i, %one : index
    scf.yield %w, %j : complex<f64>, index
  }
  func.return %s : complex<f64>
}
