// Complex numbers are elements as others are: what becomes of them is no matter of storage.
// RUN: diablo-opt %s -p convert-tensor-block-to-sparse-storage | filecheck %s

!sparse = tensor<?x?xcomplex<f64>, #tensor_block.storage<dense = 1>>

// CHECK-LABEL: func.func private @total
// CHECK:         multiloop.loop range({{.*}}) -> complex<f64> {
// CHECK:           sparse_storage.value {{.*}} : memref<?xcomplex<f64>>
// CHECK:           multiloop.emit %{{.*}} : complex<f64>)
func.func private @total(%a: !sparse, %n: index, %m: index) -> complex<f64> {
  %s = tensor_block.reduce add reduced(d0 < %n, d1 < %m) ins(%a[d0, d1] : !sparse) -> complex<f64> {
  ^body(%i: index, %j: index, %x: complex<f64>):
    tensor_block.yield %x : complex<f64>
  }
  func.return %s : complex<f64>
}
