// RUN: diablo-opt %s -p outline-native-loops -t pyspark | filecheck %s

// The machine code of a loop is told which arguments are hash tables, and which key is not there.
func.func @main(%n: i64 {diablo.name = "n"}, %x: f64 {diablo.name = "x"}) -> f64 {
  %zero = arith.constant 0 : i64
  %none = comprehension.list : !comprehension.bag<i64, f64, f64>
  %t = comprehension.table %none
      : !comprehension.bag<i64, f64, f64> -> !comprehension.table<keys = 2, i64, f64, f64>
  %s = arith.constant 0.0 : f64
  %i_end, %s_end = scf.while (%i = %zero, %a = %s) : (i64, f64) -> (i64, f64) {
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %i, %a : i64, f64
  } do {
  ^bb0(%i: i64, %a: f64):
    comprehension.put (%a) into %t[%i, %x] : !comprehension.table<keys = 2, i64, f64, f64>
    %v, %found = comprehension.find %t[%i, %x] : !comprehension.table<keys = 2, i64, f64, f64>
    cf.assert %found, "no such key"
    %one = arith.constant 1 : i64
    %next = arith.addi %i, %one : i64
    scf.yield %next, %v : i64, f64
  }
  func.return %s_end : f64
}

// CHECK-LABEL: def main(sc, n, x, *, block_size=None):
// CHECK:         t = table(listed, ("i8", "f8"), ("f8",))
// CHECK:         s_end = kernel_0(0, 0.0, n, t, x)
// CHECK-LABEL: def kernel_0(steps, i, a, n, t, x):
// CHECK:         t[(i, float_key(x))] = a
// CHECK:         v, found = t.find((i, x))
// CHECK:         require(found, "native_table_loops.mlir:17:5: no such key", (i, x))
// CHECK:       call ccc i64 @"diablo_put_row"(
// CHECK:       call ccc i64 @"diablo_find_row"(
// CHECK:       kernel_0 = compiled_loop(
// CHECK:         tables=(3,),
// CHECK:         ("table", "native_table_loops.mlir:15:5"),
// CHECK:         ("key", "native_table_loops.mlir:17:5: no such key", ("i8", "f8")),
