// RUN: diablo-opt %s | diablo-opt | filecheck %s

// CHECK-LABEL: func.func @layouts
// CHECK:         %{{.*}} = spark.with_layout %A as <form = auto, orders = {{\[\[}}1, 0]]> : tensor<?x?xf64, #tensor_block.storage<dense = 1>>
// CHECK:         %{{.*}} = spark.with_layout %V as <form = auto, directory = array> : !spark.rdd<[index], [tensor<?xf64, #tensor_block.storage<dense = 0>>]>
func.func @layouts(%A: tensor<?x?xf64, #tensor_block.storage<dense = 1>>, %V: !spark.rdd<[index], [tensor<?xf64, #tensor_block.storage<dense = 0>>]>) {
  %B = spark.with_layout %A as <form = auto, orders = [[1, 0]]> : tensor<?x?xf64, #tensor_block.storage<dense = 1>>
  %W = spark.with_layout %V as <form = auto, directory = array> : !spark.rdd<[index], [tensor<?xf64, #tensor_block.storage<dense = 0>>]>
  func.return
}
