// RUN: diablo-opt %s -t numpy | filecheck %s

// A negative number that is added is taken off, but for the least of a type, which has no opposite.
// CHECK-LABEL: def kernel_0
// CHECK:         V[:n] - 1
// CHECK:         + -9223372036854775808
// CHECK-LABEL: def kernel_1
// CHECK:         + np.int8(-128)
func.func private @kernel_0(%o: index, %n: index, %V: tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>) {
  %0 = tensor_block.map parallel(d0 < %n) ins(%V[d0] : tensor<?xi64>) -> tensor<?xi64> {
  ^bb0(%i: index, %v: i64):
    %1 = arith.constant -1 : i64
    %2 = arith.addi %v, %1 : i64
    tensor_block.yield %2 : i64
  }
  %3 = tensor_block.map parallel(d0 < %n) ins(%V[d0] : tensor<?xi64>) -> tensor<?xi64> {
  ^bb0(%i: index, %v: i64):
    %4 = arith.constant -9223372036854775808 : i64
    %5 = arith.addi %v, %4 : i64
    tensor_block.yield %5 : i64
  }
  func.return %0, %3 : tensor<?xi64>, tensor<?xi64>
}
func.func private @kernel_1(%o: index, %n: index, %V: tensor<?xi8>) -> tensor<?xi8> {
  %0 = tensor_block.map parallel(d0 < %n) ins(%V[d0] : tensor<?xi8>) -> tensor<?xi8> {
  ^bb0(%i: index, %v: i8):
    %1 = arith.constant -128 : i8
    %2 = arith.addi %v, %1 : i8
    tensor_block.yield %2 : i8
  }
  func.return %0 : tensor<?xi8>
}
