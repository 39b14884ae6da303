// RUN: diablo-opt %s -p 'convert-tensor-block-to-spark{whole=true}' | filecheck %s --check-prefix=WHOLE
// RUN: diablo-opt %s -p 'convert-tensor-block-to-spark{whole=true}' -t pyspark | filecheck %s --check-prefix=LOCAL

// A vector of the driver is scanned by a kernel, a matrix by the driver.
// WHOLE-LABEL: func.func @main
// WHOLE:         %s = func.call @kernel_0(%{{.*}}, %v) : (index, tensor<?xi64>) -> tensor<?xi64>
// WHOLE-NEXT:    %e = func.call @kernel_1(%{{.*}}, %v) : (index, tensor<?xi64>) -> tensor<?xi64>
// WHOLE:       func.func private @kernel_0(%extent: index, %v: tensor<?xi64>) -> tensor<?xi64> {
// WHOLE-NEXT:    %s = tensor_block.scan min %v along 0 dims(%extent) : tensor<?xi64>
// WHOLE:       func.func private @kernel_1(%extent: index, %v: tensor<?xi64>) -> tensor<?xi64> {
// WHOLE-NEXT:    %e = tensor_block.scan add %v along 0 reverse dims(%extent) : tensor<?xi64>
// LOCAL-LABEL: def main(
// LOCAL:       def kernel_0(extent, v):
// LOCAL:         s = scan(v[:extent], "min", 0)
// LOCAL:       def kernel_1(extent, v):
// LOCAL:         e = scan(v[:extent], "add", 0, reverse=True)
// LOCAL:       kernel_0 = compiled(kernel_0, LLVM["kernel_0"], "i64 i64[0] -> i64[0] ~i64(min) rows 0 reads 4")
func.func @main(%v: tensor<?xi64, #tensor_block.tiles<dense = 1>>) -> (tensor<?xi64, #tensor_block.tiles<dense = 1>>, tensor<?xi64, #tensor_block.tiles<dense = 1>>) {
  %s = tensor_block.scan min %v along 0 : tensor<?xi64, #tensor_block.tiles<dense = 1>>
  %e = tensor_block.scan add %v along 0 reverse : tensor<?xi64, #tensor_block.tiles<dense = 1>>
  func.return %s, %e : tensor<?xi64, #tensor_block.tiles<dense = 1>>, tensor<?xi64, #tensor_block.tiles<dense = 1>>
}
