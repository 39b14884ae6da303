// RUN: diablo-opt %s -p convert-tensor-block-to-spark | filecheck %s
// RUN: diablo-opt %s -p "convert-tensor-block-to-spark{whole}" | filecheck %s --check-prefix=WHOLE
// RUN: diablo-opt %s -p convert-tensor-block-to-spark -t pyspark | filecheck %s --check-prefix=PYTHON
// RUN: diablo-opt %s -p "convert-tensor-block-to-spark{whole}" -t pyspark | filecheck %s --check-prefix=HERE

// An input gets its layout where it is distributed, what a kernel makes after that. What has no
// layout is left as it is.
// CHECK-LABEL: func.func @main
// CHECK:         %A_1 = spark.parallelize %A as <form = auto, orders = {{\[\[}}1, 0]]> :
// CHECK:         %B_1 = spark.parallelize %B :
// CHECK:         %[[C:.*]] = spark.map_groups
// CHECK-NEXT:    %C = spark.with_layout %[[C]] as <form = bitmap> : !spark.rdd<
// CHECK-NOT:     with_layout

// WHOLE-LABEL: func.func @main
// WHOLE:         %A_1 = spark.with_layout %A as <form = auto, orders = {{\[\[}}1, 0]]> : tensor<
// WHOLE:         %[[C:.*]] = func.call
// WHOLE-NEXT:    %C = spark.with_layout %[[C]] as <form = bitmap> : tensor<
// WHOLE-NOT:     with_layout

// PYTHON:      A = distribute(sc, A, block_size, dense_rank=1, layout="form = auto, orders = {{\[\[}}1, 0]]")
// PYTHON:      B = distribute(sc, B, block_size, dense_rank=1)
// PYTHON:      .mapValues(laid_out("form = bitmap"))

// HERE:        A_1 = with_layout(A, "form = auto, orders = {{\[\[}}1, 0]]")
// HERE:        = kernel_0(
// HERE:        C = with_layout({{.*}}, "form = bitmap")
func.func @main(
    %A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {diablo.name = "A", sparse_storage.layout = #sparse_storage.layout<form = auto, orders = [[1, 0]]>},
    %B: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {diablo.name = "B"}) -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %A, %zero : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  %m = tensor.dim %A, %one : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  %C = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %B[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>> attributes {sparse_storage.layout = #sparse_storage.layout<form = bitmap>} {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %v = arith.addf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %C : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
}
