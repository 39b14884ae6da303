// RUN: diablo-opt %s -p share-kernels | filecheck %s
// RUN: diablo-opt %s -p share-kernels --remarks 2>&1 | filecheck %s --check-prefix=REMARK

// A kernel that has made something in a block makes it there once; of other values, and in a branch
// that may not be taken, it makes others.
func.func @again(%n: index, %m: index, %p: i1, %x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %c = scf.if %p -> (tensor<?xf64>) {
    %y = func.call @kernel_0(%n, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %y : tensor<?xf64>
  } else {
    scf.yield %x : tensor<?xf64>
  }
  %a = func.call @kernel_0(%n, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
  %b = func.call @kernel_1(%n, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
  %d = func.call @kernel_1(%m, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
  func.return %a, %b, %c, %d : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
func.func private @kernel_0(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %f = arith.mulf %e, %e : f64
    tensor_block.yield %f : f64
  }
  func.return %s : tensor<?xf64>
}
func.func private @kernel_1(%n: index, %y: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %n) ins(%y[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %f = arith.mulf %e, %e : f64
    tensor_block.yield %f : f64
  }
  func.return %s : tensor<?xf64>
}
// CHECK-LABEL: func.func @again
// CHECK:           %y = func.call @kernel_0(%n, %x)
// CHECK:         %a = func.call @kernel_0(%n, %x)
// CHECK-NEXT:    %d = func.call @kernel_0(%m, %x)
// CHECK-NEXT:    func.return %a, %a, %c, %d
// REMARK:      remark: kernel_0 has made this before: it is not made again
// REMARK-NOT: has made this before
