// RUN: diablo-opt %s -p convert-tensor-block-to-spark,persist-reused | filecheck %s
// RUN: diablo-opt %s -p 'convert-tensor-block-to-spark{whole=true}' | filecheck %s --check-prefix=WHOLE
// RUN: diablo-opt %s -p convert-tensor-block-to-spark --remarks 2>&1 | filecheck %s --check-prefix=REMARK

!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 0>>

// The tiles that hold the index are sliced, and so is an array of the driver: by the driver.
// CHECK-LABEL: func.func @main
// CHECK:         %A_1 = spark.parallelize %A
// CHECK-NEXT:    %[[A:.*]] = spark.persist %A_1
// CHECK:           %a = spark.slice %[[A]][*, %j] dims(%n, %m) :
// CHECK-SAME:        -> !spark.rdd<[index], [tensor<?xf64, #tensor_block.storage<dense = 0>>]>
// CHECK-NEXT:      spark.map @kernel_0(%a) dims(%n)
// REMARK:      remark: only the tiles that hold the index of the slice are looked at
// WHOLE-LABEL: func.func @main
// WHOLE:           %a = spark.slice %A[*, %j] : tensor<?x?xf64, #tensor_block.storage<dense = 1>> -> tensor<?xf64, #tensor_block.storage<dense = 0>>
// WHOLE-NEXT:      func.call @kernel_0(%a)
func.func @main(%A: !sparse) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f64
  %n = tensor.dim %A, %zero : !sparse
  %m = tensor.dim %A, %one : !sparse
  %s, %end = scf.while (%t = %none, %k = %zero) : (f64, index) -> (f64, index) {
    %more = arith.cmpi slt, %k, %m : index
    scf.condition(%more) %t, %k : f64, index
  } do {
  ^bb0(%t: f64, %j: index):
    %a = tensor_block.slice %A[*, %j] : !sparse -> !vector
    %rows = tensor_block.to_bag %a : !vector -> !comprehension.bag<index, f64>
    %values = tensor_block.project %rows[1] : !comprehension.bag<index, f64> -> !comprehension.bag<f64>
    %sum = tensor_block.fold add %values : !comprehension.bag<f64>
    %u = arith.addf %t, %sum : f64
    %next = arith.addi %j, %one : index
    scf.yield %u, %next : f64, index
  }
  func.return %s : f64
}
