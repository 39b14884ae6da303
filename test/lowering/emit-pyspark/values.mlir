// Strings, tuples, lists and maps of a program: inputs, results, the driver's own values, and the
// monoids that the program defines.
// RUN: diablo-opt - --split-input-file -t pyspark < %s | filecheck %s

!string = !comprehension.string
!map = !comprehension.bag<keys = 1, !string, i64>
!words = !comprehension.bag<!string>

func.func @main(%s: !string {diablo.name = "s", diablo.default = "no"}, %n: i64,
                %M: !map, %A: tensor<?xtuple<f64, i64>, #tensor_block.tiles<dense = 1>>)
    -> (!map, !comprehension.bag<i64, !words>, i64) {
  %one = arith.constant 1 : i64
  %new = comprehension.list (%s, %n), (%s, %one) : !comprehension.bag<!string, i64>
  %C = tensor_block.update add %M with %new : !map, !comprehension.bag<!string, i64>
  %k, %found = comprehension.probe %C[%s] : !map
  cf.assert %found, "there is no such key"
  %pieces = comprehension.string_call "split" (%s, %s) : (!string, !string) -> !words
  %L = comprehension.list (%k, %pieces) : !comprehension.bag<i64, !words>
  %zero = arith.constant 0 : index
  %t = tensor.extract %A[%zero] : tensor<?xtuple<f64, i64>, #tensor_block.tiles<dense = 1>>
  %x, %i = comprehension.unpack %t : tuple<f64, i64>
  func.return %C, %L, %i : !map, !comprehension.bag<i64, !words>, i64
}
// CHECK:       from diablo.runtime import rows
// CHECK:       from diablo.runtime.io.arguments import WantedArray, WantedMap, WantedScalar
// CHECK:       from diablo.runtime.results import Map, Rows
// CHECK-LABEL: def main(sc, s, n, M, A, *, block_size=None):
// CHECK:         listed = rows.literal_lists(1, [(s, n), (s, 1)], ("U", "i8")).values
// CHECK:         new = distribute_rows(sc, listed, block_size)
// CHECK:             .map(on_groups(kernel_1, [batch("U", "i8"), batch("U", "i8")], to_keys=()))
// CHECK:         k, found = probe_map(C, (s,), "i8")
// CHECK-NEXT:    k = int(k)
// CHECK:         require(found, "{{.*}}there is no such key", (s,))
// CHECK:         pieces = rows.strings.split(s, s)
// CHECK:         listed_1 = rows.literal_lists(1, [(k, pieces)], ("i8", ("list", "U"))).values
// CHECK:         t = local_element(A, (0,), "{{.*}}")
// CHECK:         return (Map(C, ("U", "i8"), 1), Rows(L, ("i8", ("list", "U"))), int(t["f1"]))
// CHECK:       "s": WantedScalar("string")
// CHECK:         WantedMap(1, ("string", "i64"))
// CHECK-NEXT:    WantedArray(1, ("tuple", "f64", "i64"))
// CHECK:       defaults={"s": "no"}

// -----

!pair = tuple<f64, i64>

comprehension.monoid @argmin : !pair identity [0x7FF0000000000000 : f64, -1] {
^bb0(%x: !pair, %y: !pair):
  %dx, %kx = comprehension.unpack %x : !pair
  %dy, %ky = comprehension.unpack %y : !pair
  %less = arith.cmpf ole, %dx, %dy : f64
  %least = arith.select %less, %x, %y : !pair
  comprehension.yield %least
}

// `min` is a function of Python's, which the program's monoid must not hide.
comprehension.monoid @min : i64 identity 7 : i64 {
^bb0(%x: i64, %y: i64):
  %z = arith.minsi %x, %y : i64
  comprehension.yield %z
}

func.func @main(%R: !comprehension.bag<!pair>, %S: !comprehension.bag<i64>) -> (f64, i64) {
  %p = tensor_block.fold @argmin %R : !comprehension.bag<!pair>
  %m = tensor_block.fold @min %S : !comprehension.bag<i64>
  %d, %k = comprehension.unpack %p : !pair
  func.return %d, %m : f64, i64
}
// CHECK:       from diablo.runtime.monoid_ufuncs import UserMonoid
// CHECK-LABEL: def main(sc, R, S, *, block_size=None):
// CHECK:         p = fold_records(R.map(on_rows(kernel_0)), argmin.zero, argmin)
// CHECK:         m = fold_records(S.map(on_rows(kernel_1)), symbol_min.zero, symbol_min)
// CHECK-NEXT:    m = int(m)
// CHECK-NEXT:    return (p["f0"], m)
// CHECK-LABEL: def argmin_combine(x, y):
// CHECK-NEXT:    dx, _ = rows.unpack(x)
// CHECK-NEXT:    dy, _ = rows.unpack(y)
// CHECK-NEXT:    return rows.where(dx <= dy, x, y, ("tuple", "f8", "i8"))
// CHECK:       argmin = UserMonoid("argmin", (np.inf, -1), argmin_combine, ("tuple", "f8", "i8"))
// CHECK-LABEL: def symbol_min_combine(x, y):
// CHECK-NEXT:    return np.minimum(x, y)
// CHECK:       symbol_min = UserMonoid("min", 7, symbol_min_combine, "i8")
// CHECK-LABEL: def kernel_0(R):
// CHECK:         rows.fold(R[0], argmin, ("tuple", "f8", "i8"))

// -----

!rows = !comprehension.bag<f64, i64>

// Numbered rows are kept where they are not lost.
func.func @main(%R: !comprehension.bag<f64>) -> !rows {
  %N = tensor_block.number %R : !comprehension.bag<f64> -> !rows
  %T = tensor_block.concat %N, %N : !rows, !rows -> !rows
  func.return %T : !rows
}
// CHECK-LABEL: def main(sc, R, *, block_size=None):
// CHECK:         N = persisted(R.mapPartitionsWithIndex(number_rows))
// CHECK:         T = N.union(N)

// -----

// An array in a list is one field, not a column.
!rows = !comprehension.bag<tensor<?xf64>, i64>
func.func @main(%A: tensor<?xf64>, %n: i64) -> !rows {
  %L = comprehension.list (%A, %n), (%A, %n) : !rows
  func.return %L : !rows
}
// CHECK-LABEL: def main(sc, A, n, *, block_size=None):
// CHECK:         rows.literal_lists(
// CHECK-NEXT:        1, [(rows.cell(A), n), (rows.cell(A), n)], (("tile", 1, "f8"), "i8")
// CHECK-NEXT:    ).values

// -----

// The driver reads the row at a position of a list that it was given; a list in it is one as well.
!inner = !comprehension.bag<f64>
!outer = !comprehension.bag<i64, !inner>
func.func @main(%L: !outer, %i: i64) -> (i64, f64) {
  %k, %l = comprehension.element %L[%i] : !outer
  %v = comprehension.element %l[%k] : !inner
  func.return %k, %v : i64, f64
}
// CHECK-LABEL: def main(sc, L, i, *, block_size=None):
// CHECK:         k, l = rows.elements_at(L, i, at="{{.*}}")
// CHECK-NEXT:    k = int(k)
// CHECK:         v, = rows.elements_at(l, k, at="{{.*}}")
// CHECK-NEXT:    return (k, v)

// -----

// A list in an element of an array is a batch to the driver.
!list = !comprehension.bag<f64>
!vector = tensor<?xtuple<i64, !list>, #tensor_block.tiles<dense = 1>>
func.func @main(%V: !vector, %i: index) -> (i64, f64) {
  %t = tensor.extract %V[%i] : !vector
  %k, %l = comprehension.unpack %t : tuple<i64, !list>
  %v = comprehension.element %l[%k] : !list
  func.return %k, %v : i64, f64
}
// CHECK-LABEL: def main(sc, V, i, *, block_size=None):
// CHECK:         t = local_element(V, (i,), "{{.*}}")
// CHECK:         rows.elements_at(rows.unpack(t, ("tuple", "i8", ("list", "f8")))[1], k, at="{{.*}}")
// CHECK:         "V": WantedArray(1, ("tuple", "i64", ("list", "f64"))), "i": WantedScalar("i64")
