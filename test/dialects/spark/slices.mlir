// RUN: diablo-opt %s --split-input-file | diablo-opt --split-input-file | filecheck %s
// RUN: diablo-opt %s --split-input-file --print-op-generic | diablo-opt --split-input-file | filecheck %s

// CHECK-LABEL: func.func @slices
// CHECK-NEXT:    %row = spark.slice %A[%n, *] dims(%m, %n) : !spark.rdd<[index, index], [tensor<?x?xf64, #tensor_block.storage<dense = 1>>]> -> !spark.rdd<[index], [tensor<?xf64, #tensor_block.storage<dense = 0>>]>
// CHECK-NEXT:    %line = spark.slice %B[%n, *, %m] dims(%m, %n, %n) {e} : !spark.rdd<[index, index, index], [tensor<?x?x?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>
// CHECK-NEXT:    %local = spark.slice %C[*, %n] : tensor<?x?xi64> -> tensor<?xi64>
func.func @slices(%A: !spark.rdd<[index, index], [tensor<?x?xf64, #tensor_block.storage<dense = 1>>]>, %B: !spark.rdd<[index, index, index], [tensor<?x?x?xf64>]>, %m: index, %n: index, %C: tensor<?x?xi64>) {
  %row = spark.slice %A[%n, *] dims(%m, %n) : !spark.rdd<[index, index], [tensor<?x?xf64, #tensor_block.storage<dense = 1>>]> -> !spark.rdd<[index], [tensor<?xf64, #tensor_block.storage<dense = 0>>]>
  %line = spark.slice %B[%n, *, %m] dims(%m, %n, %n) {e} : !spark.rdd<[index, index, index], [tensor<?x?x?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>
  %local = spark.slice %C[*, %n] : tensor<?x?xi64> -> tensor<?xi64>
  func.return
}
