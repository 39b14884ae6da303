// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s

// CHECK-LABEL: func.func @rows
// CHECK-NEXT:    %rows, %n = comprehension.sequence %list : !comprehension.bag<!comprehension.string, i64>
// CHECK-NEXT:    %pairs, %m = comprehension.sequence %map sorted 1 : !comprehension.bag<keys = 1, !comprehension.string, i64>
// CHECK-NEXT:    %name, %age = comprehension.row %rows[%n] : !comprehension.sequence<!comprehension.string, i64>
// CHECK-NEXT:    %ages = comprehension.column 1 of %rows : !comprehension.sequence<!comprehension.string, i64>
func.func @rows(%list: !comprehension.bag<!comprehension.string, i64>,
                %map: !comprehension.bag<keys = 1, !comprehension.string, i64>) -> i64 {
  %rows, %n = comprehension.sequence %list : !comprehension.bag<!comprehension.string, i64>
  %pairs, %m = comprehension.sequence %map sorted 1
      : !comprehension.bag<keys = 1, !comprehension.string, i64>
  %name, %age = comprehension.row %rows[%n] : !comprehension.sequence<!comprehension.string, i64>
  %ages = comprehension.column 1 of %rows : !comprehension.sequence<!comprehension.string, i64>
  func.return %age : i64
}
