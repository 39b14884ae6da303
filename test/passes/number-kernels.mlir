// RUN: diablo-opt %s -p number-kernels | filecheck %s

// In the order of their first use, as the functions stand then; what nothing runs goes away.
func.func @main(%n: index, %x: tensor<?xf64>, %y: !spark.rdd<[index], [tensor<?xf64>]>)
    -> (tensor<?xf64>, !spark.rdd<[index], [tensor<?xf64>]>) {
  %r = func.call @kernel_3(%n, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
  %s = func.call @kernel_1_2(%n, %r) : (index, tensor<?xf64>) -> tensor<?xf64>
  %t = func.call @kernel_3(%n, %s) : (index, tensor<?xf64>) -> tensor<?xf64>
  %z = spark.map @kernel_0(%y) dims(%n)
      : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>
  func.return %t, %z : tensor<?xf64>, !spark.rdd<[index], [tensor<?xf64>]>
}
func.func private @kernel_0(%o: index, %n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  func.return %x : tensor<?xf64>
}
func.func private @kernel_1_2(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  func.return %x : tensor<?xf64>
}
func.func private @kernel_3(%n: index, %y: tensor<?xf64>) -> tensor<?xf64> {
  func.return %y : tensor<?xf64>
}
func.func private @kernel_4(%n: index, %unused: tensor<?xf64>) -> tensor<?xf64> {
  func.return %unused : tensor<?xf64>
}
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %r = func.call @kernel_0(%n, %x)
// CHECK-NEXT:    %s = func.call @kernel_1(%n, %r)
// CHECK-NEXT:    %t = func.call @kernel_0(%n, %s)
// CHECK-NEXT:    %z = spark.map @kernel_2(%y)
// CHECK:       func.func private @kernel_0(%n: index, %y
// CHECK:       func.func private @kernel_1(%n: index, %x
// CHECK:       func.func private @kernel_2(%o: index
// CHECK-NOT:   unused
