// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop,convert-multiloop-to-loops | filecheck %s

// A constant without a sign before the loop is no reason to leave the kernel to NumPy.
func.func private @added(%a: tensor<?xui8>, %n: index) -> tensor<?xui8> {
  %c = comprehension.unsigned 200 : ui8
  %r = tensor_block.map parallel(d0 < %n) ins(%a[d0] : tensor<?xui8>) -> tensor<?xui8> {
  ^body(%i: index, %x: ui8):
    %y = arith.addi %x, %c : ui8
    tensor_block.yield %y : ui8
  }
  func.return %r : tensor<?xui8>
}
// CHECK-LABEL: func.func private @added
// CHECK:         %[[C:.*]] = comprehension.unsigned 200 : ui8
// CHECK:         scf.for
// CHECK:           %[[X:.*]] = memref.load %a
// CHECK-NEXT:      %[[Y:.*]] = arith.addi %[[X]], %[[C]] : ui8
// CHECK-NEXT:      memref.store %[[Y]]
