// Rows of a sparse result store at positions of their own, which is said for threads alone.
// RUN: diablo-opt %s -p 'convert-tensor-block-to-sparse-storage{exact=true plain=true}' | filecheck %s
// RUN: diablo-opt %s -p 'convert-tensor-block-to-sparse-storage{exact=true}' | filecheck %s --check-prefix=ONE

// CHECK-LABEL: func.func private @scaled(
// CHECK: multiloop.loop range(%zero, %n : index, index) attributes {simt.apart} {
// CHECK: memref.store %v, %r[%p]
// ONE-LABEL: func.func private @scaled(
// ONE-NOT: simt.apart
// ONE: sparse_storage.pack %A_region, %r
func.func private @scaled(%A: tensor<?x?xf64, #tensor_block.storage<dense = 1>>, %x: tensor<?xf64>,
    %n: index, %m: index) -> tensor<?x?xf64, #tensor_block.storage<dense = 1>> {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m)
      ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.storage<dense = 1>>, %x[d1] : tensor<?xf64>)
      -> tensor<?x?xf64, #tensor_block.storage<dense = 1>> {
  ^body(%i: index, %j: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %r : tensor<?x?xf64, #tensor_block.storage<dense = 1>>
}
