// A program that does nothing but one product leaves that to the library's own threads.
// RUN: diablo-opt %s --split-input-file -t 'pyspark{llvm=false}' | filecheck %s

// CHECK: result = matrix_products.lone_product(A[:n, :l], B[:l, :m])
func.func @main(%n: index {diablo.name = "n"}, %m: index {diablo.name = "m"}, %l: index {diablo.name = "l"}, %A: tensor<?x?xf64> {diablo.name = "A"}, %B: tensor<?x?xf64> {diablo.name = "B"}) -> (tensor<?x?xf64>) {
  %c = func.call @kernel_0(%n, %m, %l, %A, %B) : (index, index, index, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  func.return %c : tensor<?x?xf64>
}
func.func private @kernel_0(%n: index, %m: index, %l: index, %A: tensor<?x?xf64>, %B: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l) ins(%A[d0, d2] : tensor<?x?xf64>, %B[d2, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^bb0(%1: index, %2: index, %3: index, %4: f64, %5: f64):
    %6 = arith.mulf %4, %5 : f64
    tensor_block.yield %6 : f64
  }
  func.return %0 : tensor<?x?xf64>
}

// -----

// Made twice, its threads would be in the way of whatever is in between.
// CHECK: result = matrix_products.product(A[:n, :l], B[:l, :m])
func.func @main(%n: index {diablo.name = "n"}, %m: index {diablo.name = "m"}, %l: index {diablo.name = "l"}, %A: tensor<?x?xf64> {diablo.name = "A"}, %B: tensor<?x?xf64> {diablo.name = "B"}) -> (tensor<?x?xf64>) {
  %c = func.call @kernel_0(%n, %m, %l, %A, %B) : (index, index, index, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %d = func.call @kernel_0(%n, %m, %l, %A, %c) : (index, index, index, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  func.return %d : tensor<?x?xf64>
}
func.func private @kernel_0(%n: index, %m: index, %l: index, %A: tensor<?x?xf64>, %B: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l) ins(%A[d0, d2] : tensor<?x?xf64>, %B[d2, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^bb0(%1: index, %2: index, %3: index, %4: f64, %5: f64):
    %6 = arith.mulf %4, %5 : f64
    tensor_block.yield %6 : f64
  }
  func.return %0 : tensor<?x?xf64>
}
