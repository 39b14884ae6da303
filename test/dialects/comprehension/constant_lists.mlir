// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s
// RUN: diablo-opt %s -p canonicalize | filecheck %s --check-prefix=CANONICAL
// RUN: diablo-opt %s -t numpy | filecheck %s --check-prefix=NUMPY

!inner = !comprehension.bag<i64, !comprehension.string>

// CHECK-LABEL: func.func private @columns
// CHECK-NEXT:    %L = comprehension.constant_list [array<f64: 5.000000e-01, -1.000000e+00>, array<i1: true, false>, ["a", "b\22"]] : !comprehension.bag<f64, i1, !comprehension.string>
// NUMPY-LABEL: def columns():
// NUMPY:         L = rows.constant_rows(([0.5, -1.0], [True, False], ["a", "b\""]), ("f8", "b1", "U"))
func.func private @columns() -> !comprehension.bag<f64, i1, !comprehension.string> {
  %L = comprehension.constant_list [array<f64: 0.5, -1.0>, array<i1: true, false>, ["a", "b\22"]] : !comprehension.bag<f64, i1, !comprehension.string>
  func.return %L : !comprehension.bag<f64, i1, !comprehension.string>
}

// CHECK-LABEL: func.func private @lists
// CHECK-NEXT:    %L = comprehension.constant_list [array<i32: 97>, [array<i64: 0, 2>, [array<i64: 7, 8>, ["", "\C3\A9"]]]] : !comprehension.bag<i24, !comprehension.bag<i64, !comprehension.string>>
// NUMPY-LABEL: def lists():
// NUMPY:         L = rows.constant_rows(([97], ([0, 2], ([7, 8], ["", "é"]))), ("char", ("list", "i8", "U")))
func.func private @lists() -> !comprehension.bag<i24, !inner> {
  %L = comprehension.constant_list [array<i32: 97>, [array<i64: 0, 2>, [array<i64: 7, 8>, ["", "é"]]]] : !comprehension.bag<i24, !inner>
  func.return %L : !comprehension.bag<i24, !inner>
}

// CANONICAL-LABEL: func.func private @length
// CANONICAL-NEXT:    %n = arith.constant 3 : i64
// CANONICAL-NEXT:    func.return %n
func.func private @length() -> i64 {
  %L = comprehension.constant_list [array<i64: 0, 1, 2>] : !comprehension.bag<index>
  %n = comprehension.length %L : !comprehension.bag<index>
  func.return %n : i64
}

// In a row body each row has the list.
// NUMPY-LABEL: def bodies(R):
// NUMPY:         rows.full(len(R[0]), rows.constant_rows(([1, 2],), ("i8",)), ("list", "i8"))
func.func private @bodies(%R: !comprehension.bag<i64>) -> !comprehension.bag<i64, !comprehension.bag<i64>> {
  %E = tensor_block.extend %R : !comprehension.bag<i64> -> !comprehension.bag<i64, !comprehension.bag<i64>> {
  ^bb0(%i: i64):
    %L = comprehension.constant_list [array<i64: 1, 2>] : !comprehension.bag<i64>
    tensor_block.yield %L : !comprehension.bag<i64>
  }
  func.return %E : !comprehension.bag<i64, !comprehension.bag<i64>>
}
