// RUN: diablo-opt %s -t numpy | filecheck %s

// NumPy's types have the sign, so that its operators are those of the ops.
func.func private @scaled(%a: tensor<?xui8>, %k: ui8, %n: index) -> tensor<?xui8> {
  %most = comprehension.unsigned 200 : ui8
  %c = tensor_block.map parallel(d0 < %n) ins(%a[d0] : tensor<?xui8>) -> tensor<?xui8> {
  ^body(%i: index, %x: ui8):
    %y = arith.muli %x, %k : ui8
    %low = arith.cmpi ult, %y, %most : ui8
    %z = arith.shrui %y, %k : ui8
    %w = arith.select %low, %z, %most : ui8
    tensor_block.yield %w : ui8
  }
  func.return %c : tensor<?xui8>
}
// CHECK-LABEL: def scaled(a, k, n):
// CHECK-NEXT:    k = np.uint8(k)
// CHECK:         a[:n] * k
// CHECK:         < np.uint8(200), np.right_shift(

func.func private @least(%a: tensor<?xui16>, %n: index) -> ui16 {
  %m = tensor_block.reduce min reduced(d0 < %n) ins(%a[d0] : tensor<?xui16>) -> ui16 {
  ^body(%i: index, %x: ui16):
    tensor_block.yield %x : ui16
  }
  func.return %m : ui16
}
// CHECK-LABEL: def least(a, n):
// CHECK:         np.min(a[:n], initial=np.uint16(65535))
