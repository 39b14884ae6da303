// RUN: diablo-opt %s --split-input-file -p tensor-block-to-local | filecheck %s --check-prefix=LOCAL
// RUN: diablo-opt %s --split-input-file -p tensor-block-to-spark | filecheck %s --check-prefix=SPARK

// Modules of the tensor_block level go the way of programs from there on.

// LOCAL-LABEL: func.func @main
// LOCAL: func.call @kernel_0(%{{.*}}, %a0) : (index, tensor<?xf64>) -> f64
// LOCAL: func.func private @kernel_0
// LOCAL: tensor_block.reduce add reduced(d0 < %{{.*}}) ins(%a0[-d0 + 9] : tensor<?xf64>) -> f64
// LOCAL-NOT: func.func private
// SPARK-LABEL: func.func @main
// SPARK: spark.parallelize
// SPARK: func.func private @kernel_0
func.func @main(%a0: tensor<?xf64, #tensor_block.tiles<dense = 1>> {diablo.name = "a0"}, %n0: i64 {diablo.name = "n0"}) -> f64 {
  %n = arith.index_cast %n0 : i64 to index
  %doubled = tensor_block.map parallel(d0 < %n)
      ins(%a0[-d0 + 9] : tensor<?xf64, #tensor_block.tiles<dense = 1>>)
      -> tensor<?xf64, #tensor_block.tiles<dense = 1>> {
  ^bb0(%i: index, %a: f64):
    %b = arith.addf %a, %a : f64
    tensor_block.yield %b : f64
  }
  %sum = tensor_block.reduce add reduced(d0 < %n)
      ins(%doubled[d0] : tensor<?xf64, #tensor_block.tiles<dense = 1>>) -> f64 {
  ^bb0(%i: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %sum : f64
}
