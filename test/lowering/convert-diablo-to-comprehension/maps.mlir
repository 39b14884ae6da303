// RUN: diablo-opt %s -p convert-diablo-to-comprehension | filecheck %s
// Maps, parts of elements, monoids of the program's own, computed steps.

!map = !comprehension.bag<keys = 1, i64, f64>
!pairs = tensor<?xtuple<i64, f64>>

// A missing key drops the iteration; outside of loops it is an error.
// CHECK-LABEL: func.func @reads
// CHECK-NEXT:    %M = comprehension.merge add %m : !comprehension.bag<keys = 1, i64, f64> {
// CHECK-NEXT:      %k, %v = comprehension.each %m
// CHECK-NEXT:      %[[X:.*]], %[[FOUND:.*]] = comprehension.probe %m[%one]
// CHECK-NEXT:      comprehension.guard %[[FOUND]]
// CHECK-NEXT:      comprehension.yield (%k) %[[X]]
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[Y:.*]], %[[THERE:.*]] = comprehension.probe %M[%one]
// CHECK-NEXT:    cf.assert %[[THERE]], "the map has no such key"
// CHECK-NEXT:    %[[M:.*]] = comprehension.merge %M : !comprehension.bag<keys = 1, i64, f64> {
// CHECK-NEXT:      comprehension.yield (%one) %[[Y]]
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %[[M]]
func.func @reads(%m: !map, %one: i64) -> !map {
  %M = diablo.var "M" = %m : !map
  diablo.foreach %k, %v in %m : !map {
    %x = diablo.load %M[%one] : !diablo.ref<!map>
    diablo.accumulate add %x, %M[%k] : !diablo.ref<!map>
  }
  %y = diablo.load %M[%one] : !diablo.ref<!map>
  diablo.store %y, %M[%one] : !diablo.ref<!map>
  %0 = diablo.load %M : !diablo.ref<!map>
  func.return %0 : !map
}

// The rows of one element are grouped before its part is written.
// CHECK-LABEL: func.func @parts
// CHECK-NEXT:    %T = comprehension.merge %t : tensor<?xtuple<i64, f64>> {
// CHECK-NEXT:      %i = comprehension.range
// CHECK-NEXT:      %[[G:.*]], %[[XS:.*]] = comprehension.group_by keys(%i) values(%x)
// CHECK-NEXT:      %[[S:.*]] = comprehension.reduce add %[[XS]]
// CHECK-NEXT:      %[[OLD:.*]] = tensor.extract %t[%[[G]]]
// CHECK-NEXT:      %[[A:.*]], %[[B:.*]] = comprehension.unpack %[[OLD]]
// CHECK-NEXT:      %[[SUM:.*]] = arith.addf %[[B]], %[[S]] : f64
// CHECK-NEXT:      %[[NEW:.*]] = comprehension.pack %[[A]], %[[SUM]]
// CHECK-NEXT:      comprehension.yield (%[[G]]) %[[NEW]]
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[T:.*]] = comprehension.merge %T : tensor<?xtuple<i64, f64>> {
// CHECK-NEXT:      %[[OLD:.*]] = tensor.extract %T[%lo]
// CHECK-NEXT:      %[[A:.*]], %[[B:.*]] = comprehension.unpack %[[OLD]]
// CHECK-NEXT:      %[[NEW:.*]] = comprehension.pack %[[A]], %x
// CHECK-NEXT:      comprehension.yield (%lo) %[[NEW]]
// CHECK-NEXT:    }
func.func @parts(%t: !pairs, %lo: index, %hi: index, %x: f64) -> !pairs {
  %T = diablo.var "T" = %t : !pairs
  diablo.for %i = %lo to %hi {
    diablo.accumulate add %x, %T[%i] part 1 : !diablo.ref<!pairs>
  }
  diablo.store %x, %T[%lo] part 1 : !diablo.ref<!pairs>
  %0 = diablo.load %T : !diablo.ref<!pairs>
  func.return %0 : !pairs
}

// Where a map has no value yet, the monoid starts at its identity.
// CHECK-LABEL: func.func @missing
// CHECK:           %[[V:.*]], %[[FOUND:.*]] = comprehension.probe %m[%{{.*}}]
// CHECK-NEXT:      %[[A:.*]], %[[B:.*]] = comprehension.unpack %[[V]]
// CHECK-NEXT:      %[[ONE:.*]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT:      %[[OLD:.*]] = arith.select %[[FOUND]], %[[B]], %[[ONE]] : f64
// CHECK-NEXT:      arith.mulf %[[OLD]]
func.func @missing(%m: !comprehension.bag<keys = 1, i64, tuple<i64, f64>>, %k: i64, %x: f64)
    -> !comprehension.bag<keys = 1, i64, tuple<i64, f64>> {
  %M = diablo.var "M" = %m : !comprehension.bag<keys = 1, i64, tuple<i64, f64>>
  diablo.accumulate mul %x, %M[%k] part 1 : !diablo.ref<!comprehension.bag<keys = 1, i64, tuple<i64, f64>>>
  %0 = diablo.load %M : !diablo.ref<!comprehension.bag<keys = 1, i64, tuple<i64, f64>>>
  func.return %0 : !comprehension.bag<keys = 1, i64, tuple<i64, f64>>
}

comprehension.monoid @least : tuple<f64, i64> identity [0x7FF0000000000000 : f64, -1] {
^bb0(%a: tuple<f64, i64>, %b: tuple<f64, i64>):
  %dx, %kx = comprehension.unpack %a : tuple<f64, i64>
  %dy, %ky = comprehension.unpack %b : tuple<f64, i64>
  %less = arith.cmpf ole, %dx, %dy : f64
  %both = arith.select %less, %a, %b : tuple<f64, i64>
  comprehension.yield %both
}

// A tuple is accumulated into the variables of its parts.
// CHECK-LABEL: func.func @monoid
// CHECK-NEXT:    %[[FOLD:.*]] = comprehension.aggregate @least : tuple<f64, i64> {
// CHECK-NEXT:      %i = comprehension.range
// CHECK-NEXT:      comprehension.yield %t
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[OLD:.*]] = comprehension.pack %x, %k : tuple<f64, i64>
// CHECK-NEXT:    comprehension.unpack %[[OLD]]
// CHECK-NEXT:    comprehension.unpack %[[FOLD]]
// CHECK-NEXT:    %[[LESS:.*]] = arith.cmpf ole
// CHECK-NEXT:    %[[NEW:.*]] = arith.select %[[LESS]], %[[OLD]], %[[FOLD]]
// CHECK-NEXT:    %d, %n = comprehension.unpack %[[NEW]]
// CHECK-NEXT:    func.return %d, %n
func.func @monoid(%t: tuple<f64, i64>, %x: f64, %k: i64, %lo: index, %hi: index) -> (f64, i64) {
  %d = diablo.var "d" = %x : f64
  %n = diablo.var "n" = %k : i64
  diablo.for %i = %lo to %hi {
    diablo.accumulate_parts @least %t, %d, %n : !diablo.ref<f64>, !diablo.ref<i64>
  }
  %0 = diablo.load %d : !diablo.ref<f64>
  %1 = diablo.load %n : !diablo.ref<i64>
  func.return %0, %1 : f64, i64
}

// A step that is computed: the iterations are counted; the wrong direction gives none.
// CHECK-LABEL: func.func @step
// CHECK:           %[[D:.*]] = arith.subi %hi, %lo : index
// CHECK-NEXT:      %[[M:.*]] = arith.muli %[[D]], %s : index
// CHECK-NEXT:      %[[AWAY:.*]] = arith.cmpi slt, %[[M]], %{{.*}} : index
// CHECK-NEXT:      %[[Q:.*]] = arith.divsi %[[D]], %s : index
// CHECK-NEXT:      %[[LAST:.*]] = arith.select %[[AWAY]], %{{.*}}, %[[Q]] : index
// CHECK-NEXT:      %[[T:.*]] = comprehension.range %{{.*}} to %[[LAST]]
// CHECK-NEXT:      %[[BY:.*]] = arith.muli %[[T]], %s : index
// CHECK-NEXT:      %i = arith.addi %lo, %[[BY]] : index
// CHECK-NEXT:      comprehension.yield (%i) %x
func.func @step(%v: tensor<?xf64>, %lo: index, %hi: index, %s: index, %x: f64) -> tensor<?xf64> {
  %V = diablo.var "V" = %v : tensor<?xf64>
  diablo.for %i = %lo to %hi step %s {
    diablo.store %x, %V[%i] : !diablo.ref<tensor<?xf64>>
  }
  %0 = diablo.load %V : !diablo.ref<tensor<?xf64>>
  func.return %0 : tensor<?xf64>
}

// A monoid of the program's own in a branch.
// CHECK-LABEL: func.func @branch
// CHECK-NEXT:    scf.if %c -> (f64, i64) {
// CHECK:           arith.select
// CHECK:           scf.yield
func.func @branch(%t: tuple<f64, i64>, %x: f64, %k: i64, %c: i1) -> (f64, i64) {
  %d = diablo.var "d" = %x : f64
  %n = diablo.var "n" = %k : i64
  scf.if %c {
    diablo.accumulate_parts @least %t, %d, %n : !diablo.ref<f64>, !diablo.ref<i64>
  }
  %0 = diablo.load %d : !diablo.ref<f64>
  %1 = diablo.load %n : !diablo.ref<i64>
  func.return %0, %1 : f64, i64
}

// What a part starts at where the map has no value, of which another part is written.
!pair = tuple<i64, f64>
!table = !comprehension.bag<keys = 1, i64, !pair>
// CHECK-LABEL: func.func @absent_parts
// CHECK:         %[[P:.*]], %[[FOUND:.*]] = comprehension.probe %{{.*}}[
// CHECK:         %[[N:.*]], %[[X:.*]] = comprehension.unpack %[[P]]
// CHECK:         %[[INF:.*]] = arith.constant 0x7ff0000000000000 : f64
// CHECK-NEXT:    %[[START:.*]] = arith.select %[[FOUND]], %[[X]], %[[INF]] : f64
// CHECK:         comprehension.pack %{{.*}}, %[[START]] : tuple<i64, f64>
func.func @absent_parts(%m: !table, %L: !comprehension.bag<i64>) -> !table {
  %one = arith.constant 1 : i64
  %M = diablo.var "M" = %m absent [unit, 0x7ff0000000000000 : f64] : !table
  diablo.foreach %k in %L : !comprehension.bag<i64> {
    diablo.accumulate add %one, %M[%k] part 0 : !diablo.ref<!table>
  }
  %r = diablo.load %M : !diablo.ref<!table>
  func.return %r : !table
}
