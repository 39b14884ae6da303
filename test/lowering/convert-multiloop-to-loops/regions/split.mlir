// RUN: diablo-opt %s -p convert-multiloop-to-loops | filecheck %s

// Where the part that a call computes begins and ends comes last, wherever it stood.
// CHECK-LABEL: func.func private @sum(
// CHECK-SAME:      %A_values: memref<?xf64>, %A_d0: index, %made: memref<?xf64>, %begin: index, %end: index) {
// CHECK:         scf.for %{{.*}} = %begin to %end step
func.func private @sum(%begin: index {sparse_storage.split}, %end: index {sparse_storage.split}, %A: tensor<?xf64, #tensor_block.storage<dense = 0>>) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = arith.constant 0.0 : f64
  %R, %a = sparse_storage.unpack %A : tensor<?xf64, #tensor_block.storage<dense = 0>> -> !sparse_storage.region<1>, memref<?xf64>
  %n = tensor.dim %A, %zero : tensor<?xf64, #tensor_block.storage<dense = 0>>
  %y = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %begin to %end step %one {
    memref.store %x, %y[%i] : memref<?xf64>
  }
  %made = bufferization.to_tensor %y : memref<?xf64> to tensor<?xf64>
  func.return %made : tensor<?xf64>
}
