// RUN: diablo-opt %s -p convert-diablo-to-comprehension | filecheck %s
// A tuple is accumulated into elements of several arrays; further parts of it start at numbers.

comprehension.monoid @least : tuple<f64, i64, i64> identity [0x7FF0000000000000 : f64, 0, 0] {
^bb0(%a: tuple<f64, i64, i64>, %b: tuple<f64, i64, i64>):
  %x, %i, %p = comprehension.unpack %a : tuple<f64, i64, i64>
  %y, %j, %q = comprehension.unpack %b : tuple<f64, i64, i64>
  %less = arith.cmpf olt, %y, %x : f64
  %first = arith.select %less, %b, %a : tuple<f64, i64, i64>
  comprehension.yield %first
}

// CHECK-LABEL: func.func @elements
// CHECK-NEXT:    %D = comprehension.merge %d
// CHECK-NEXT:      %i = comprehension.range
// CHECK-NEXT:      %[[G:.*]], %[[BAG:.*]] = comprehension.group_by keys(%i) values(%t)
// CHECK-NEXT:      %[[NEW:.*]] = comprehension.reduce @least %[[BAG]]
// CHECK-NEXT:      %[[X:.*]] = tensor.extract %d[%[[G]]]
// CHECK-NEXT:      %[[C:.*]] = tensor.extract %c[%[[G]]]
// CHECK-NEXT:      %[[P:.*]] = arith.constant -5 : i64
// CHECK-NEXT:      %[[OLD:.*]] = comprehension.pack %[[X]], %[[C]], %[[P]]
// CHECK:           %[[FIRST:.*]] = arith.select %{{.*}}, %[[NEW]], %[[OLD]]
// CHECK-NEXT:      %[[VALUE:.*]], %{{.*}}, %{{.*}} = comprehension.unpack %[[FIRST]]
// CHECK-NEXT:      comprehension.yield (%[[G]]) %[[VALUE]]
// The other array is updated from what both were before.
// CHECK:         comprehension.merge %c :
// CHECK:           tensor.extract %d[
// CHECK:           arith.select
// CHECK-NEXT:      %{{.*}}, %[[OTHER:.*]], %{{.*}} = comprehension.unpack
// CHECK-NEXT:      comprehension.yield (%{{.*}}) %[[OTHER]]
func.func @elements(%t: tuple<f64, i64, i64>, %d: tensor<?xf64>, %c: tensor<?xi64>, %lo: index,
                    %hi: index) -> (tensor<?xf64>, tensor<?xi64>) {
  %D = diablo.var "D" = %d : tensor<?xf64>
  %C = diablo.var "C" = %c : tensor<?xi64>
  diablo.for %i = %lo to %hi {
    diablo.accumulate_parts @least %t, %D, %C [%i] from [-5] : !diablo.ref<tensor<?xf64>>, !diablo.ref<tensor<?xi64>>
  }
  %0 = diablo.load %D : !diablo.ref<tensor<?xf64>>
  %1 = diablo.load %C : !diablo.ref<tensor<?xi64>>
  func.return %0, %1 : tensor<?xf64>, tensor<?xi64>
}

// Variables: what the further parts become is held by nothing.
// CHECK-LABEL: func.func @variables
// CHECK:         %[[P:.*]] = arith.constant -5 : i64
// CHECK-NEXT:    %[[OLD:.*]] = comprehension.pack %x, %k, %[[P]]
// CHECK:         %d, %n, %{{.*}} = comprehension.unpack
// CHECK-NEXT:    func.return %d, %n
func.func @variables(%t: tuple<f64, i64, i64>, %x: f64, %k: i64) -> (f64, i64) {
  %d = diablo.var "d" = %x : f64
  %n = diablo.var "n" = %k : i64
  diablo.accumulate_parts @least %t, %d, %n from [-5] : !diablo.ref<f64>, !diablo.ref<i64>
  %0 = diablo.load %d : !diablo.ref<f64>
  %1 = diablo.load %n : !diablo.ref<i64>
  func.return %0, %1 : f64, i64
}
