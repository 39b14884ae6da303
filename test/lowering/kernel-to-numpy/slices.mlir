// RUN: diablo-opt %s -t numpy | filecheck %s

// CHECK-LABEL: def kernel(A, k):
// CHECK:         a = slice_of(A, (None, k))
// CHECK:         rows_1 = rows.to_rows(a)
// CHECK-NEXT:    return rows_1
func.func private @kernel(%A: tensor<?x?xf64, #tensor_block.storage<dense = 1>>, %k: index) -> !comprehension.bag<index, f64> {
  %a = tensor_block.slice %A[*, %k] : tensor<?x?xf64, #tensor_block.storage<dense = 1>> -> tensor<?xf64, #tensor_block.storage<dense = 0>>
  %rows = tensor_block.to_bag %a : tensor<?xf64, #tensor_block.storage<dense = 0>> -> !comprehension.bag<index, f64>
  func.return %rows : !comprehension.bag<index, f64>
}
