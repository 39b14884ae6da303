// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s

!map = !comprehension.bag<keys = 1, !comprehension.string, i64>
!rows = !comprehension.bag<!comprehension.string, i64>
!table = !comprehension.table<keys = 1, !comprehension.string, i64>

// CHECK-LABEL: func.func @tables
// CHECK-NEXT:    %t = comprehension.table %map : !comprehension.bag<keys = 1, !comprehension.string, i64> -> !comprehension.table<keys = 1, !comprehension.string, i64>
// CHECK-NEXT:    %u = comprehension.table %rows : !comprehension.bag<!comprehension.string, i64> -> !comprehension.table<keys = 1, !comprehension.string, i64>
// CHECK-NEXT:    %v, %found = comprehension.find %t[%k] : !comprehension.table<keys = 1, !comprehension.string, i64>
// CHECK-NEXT:    %w, %known = comprehension.find grouped %u[%k] : !comprehension.table<keys = 1, !comprehension.string, i64>
// CHECK-NEXT:    comprehension.put (%v) into %u[%k] : !comprehension.table<keys = 1, !comprehension.string, i64>
// CHECK-NEXT:    %n = comprehension.size %t : !comprehension.table<keys = 1, !comprehension.string, i64>
// CHECK-NEXT:    %m = comprehension.entries %t : !comprehension.table<keys = 1, !comprehension.string, i64> -> !comprehension.bag<keys = 1, !comprehension.string, i64>
// CHECK-NEXT:    %l = comprehension.entries %u : !comprehension.table<keys = 1, !comprehension.string, i64> -> !comprehension.bag<!comprehension.string, i64>
func.func @tables(%map: !map, %rows: !rows, %k: !comprehension.string) -> (!map, !rows, i64) {
  %t = comprehension.table %map : !map -> !table
  %u = comprehension.table %rows : !rows -> !table
  %v, %found = comprehension.find %t[%k] : !table
  %w, %known = comprehension.find grouped %u[%k] : !table
  comprehension.put (%v) into %u[%k] : !table
  %n = comprehension.size %t : !table
  %m = comprehension.entries %t : !table -> !map
  %l = comprehension.entries %u : !table -> !rows
  func.return %m, %l, %n : !map, !rows, i64
}
