// RUN: diablo-opt %s -t numpy | filecheck %s

// Single integers of less than 64 bits are NumPy's, so that they wrap around.
func.func private @scaled(%a: tensor<?xi8>, %k: i8, %m: i64, %n: index) -> tensor<?xi8> {
  %one = arith.constant 1 : i8
  %factor = arith.addi %k, %one : i8
  %low = arith.trunci %m : i64 to i8
  %c = tensor_block.map parallel(d0 < %n) ins(%a[d0] : tensor<?xi8>) -> tensor<?xi8> {
  ^body(%i: index, %x: i8):
    %number = arith.index_cast %i : index to i8
    %y = arith.muli %x, %factor : i8
    %z = arith.addi %y, %low : i8
    %w = arith.addi %z, %number : i8
    tensor_block.yield %w : i8
  }
  func.return %c : tensor<?xi8>
}
// CHECK-LABEL: def scaled(a, k, m, n):
// CHECK-NEXT:    k = np.int8(k)
// CHECK:         np.add(k, np.int8(1))
// CHECK:         arithmetic.narrowed(m, np.int8)
// CHECK:         .astype(np.int8)

// NumPy's sums of these have 64 bits unless it is told otherwise; extrema have their type.
func.func private @folds(%a: tensor<?xi16>, %n: index) -> (i16, i16) {
  %s = tensor_block.reduce add reduced(d0 < %n) ins(%a[d0] : tensor<?xi16>) -> i16 {
  ^body(%i: index, %x: i16):
    tensor_block.yield %x : i16
  }
  %m = tensor_block.reduce max reduced(d0 < %n) ins(%a[d0] : tensor<?xi16>) -> i16 {
  ^body(%i: index, %x: i16):
    tensor_block.yield %x : i16
  }
  func.return %s, %m : i16, i16
}
// CHECK-LABEL: def folds(a, n):
// CHECK:         np.sum(a[:n], dtype=np.int16)
// CHECK:         np.max(a[:n], initial=np.int16(-32768))

func.func private @converted(%a: tensor<?xf64>, %n: index) -> tensor<?xi32> {
  %c = tensor_block.map parallel(d0 < %n) ins(%a[d0] : tensor<?xf64>) -> tensor<?xi32> {
  ^body(%i: index, %x: f64):
    %y = arith.fptosi %x : f64 to i32
    tensor_block.yield %y : i32
  }
  func.return %c : tensor<?xi32>
}
// CHECK-LABEL: def converted(a, n):
// CHECK:         arithmetic.truncate(a[:n], np.int32)

// Words that have the bits of floats; one with a sign or without has the same number's.
// CHECK-LABEL: def kernel_bits(
// CHECK:         x = arithmetic.bits_as(W[:n], np.int64, np.float64)
// CHECK-NEXT:    r = arithmetic.bits_as(x + x, np.float64, np.int64)
func.func private @kernel_bits(%n: index, %W: tensor<?xi64>) -> tensor<?xi64> {
  %r = tensor_block.map parallel(d0 < %n) ins(%W[d0] : tensor<?xi64>) -> tensor<?xi64> {
  ^bb0(%i: index, %w: i64):
    %x = arith.bitcast %w : i64 to f64
    %y = arith.addf %x, %x : f64
    %z = arith.bitcast %y : f64 to i64
    tensor_block.yield %z : i64
  }
  func.return %r : tensor<?xi64>
}
