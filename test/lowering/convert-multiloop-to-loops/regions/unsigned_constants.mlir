// RUN: diablo-opt %s -p convert-tensor-block-to-sparse-storage,convert-multiloop-to-loops | filecheck %s

// A constant without a sign is an op of the comprehension level that loops may have.
func.func private @scaled(%S: tensor<?x?xui8, #tensor_block.storage<dense = 1>>, %n: index, %m: index) -> tensor<?x?xui8, #tensor_block.storage<dense = 1>> {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m)
      ins(%S[d0, d1] : tensor<?x?xui8, #tensor_block.storage<dense = 1>>) -> tensor<?x?xui8, #tensor_block.storage<dense = 1>> {
  ^body(%i: index, %j: index, %s: ui8):
    %c = comprehension.unsigned 3 : ui8
    %p = arith.muli %s, %c : ui8
    tensor_block.yield %p : ui8
  }
  func.return %r : tensor<?x?xui8, #tensor_block.storage<dense = 1>>
}
// CHECK-LABEL: func.func private @scaled
// CHECK:         scf.for
// CHECK:           %[[S:.*]] = memref.load %S_values
// CHECK-NEXT:      %[[C:.*]] = comprehension.unsigned 3 : ui8
// CHECK-NEXT:      %[[P:.*]] = arith.muli %[[S]], %[[C]] : ui8
// CHECK-NEXT:      memref.store %[[P]]
