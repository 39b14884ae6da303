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

// Leaves of the tuples in one array, which is merged once; the others stay as they are.
// CHECK-LABEL: func.func @leaves
// CHECK:         %T = comprehension.merge %t :
// CHECK:           %[[NEW:.*]] = comprehension.reduce @least
// CHECK-NEXT:      %[[ELEMENT:.*]] = tensor.extract %t[
// CHECK-NEXT:      %{{.*}}, %{{.*}}, %[[D:.*]] = comprehension.unpack %[[ELEMENT]]
// CHECK-NEXT:      %[[C:.*]], %{{.*}}, %{{.*}} = comprehension.unpack %[[ELEMENT]]
// CHECK:           comprehension.pack %[[D]], %[[C]],
// CHECK:           %[[FIRST:.*]] = arith.select
// CHECK-NEXT:      %[[X:.*]], %[[Y:.*]], %{{.*}} = comprehension.unpack %[[FIRST]]
// CHECK-NEXT:      %{{.*}}, %[[SAME:.*]], %{{.*}} = comprehension.unpack %[[ELEMENT]]
// CHECK-NEXT:      %[[WHOLE:.*]] = comprehension.pack %[[Y]], %[[SAME]], %[[X]]
// CHECK-NEXT:      comprehension.yield (%{{.*}}) %[[WHOLE]]
// CHECK-NOT:     comprehension.merge
!triples = tensor<?xtuple<i64, i1, f64>>
func.func @leaves(%v: tuple<f64, i64, i64>, %t: !triples, %lo: index, %hi: index) -> !triples {
  %T = diablo.var "T" = %t : !triples
  diablo.for %i = %lo to %hi {
    diablo.accumulate_parts @least %v, %T part 2, %T part 0 [%i] from [0] : !diablo.ref<!triples>, !diablo.ref<!triples>
  }
  %0 = diablo.load %T : !diablo.ref<!triples>
  func.return %0 : !triples
}

// Maps: the identity stands for the tuple where the first one has no value.
// CHECK-LABEL: func.func @values
// CHECK:         %D = comprehension.merge %d :
// CHECK:           %[[X:.*]], %[[FOUND:.*]] = comprehension.probe %d[
// CHECK-NEXT:      %[[C:.*]], %{{.*}} = comprehension.probe %c[
// CHECK:           %[[OLD:.*]] = comprehension.pack %[[X]], %[[C]],
// CHECK:           %[[NONE:.*]] = comprehension.pack
// CHECK-NEXT:      arith.select %[[FOUND]], %[[OLD]], %[[NONE]]
// CHECK:         %C = comprehension.merge %c :
!doubles = !comprehension.bag<keys = 1, i64, f64>
!numbers = !comprehension.bag<keys = 1, i64, i64>
func.func @values(%v: tuple<f64, i64, i64>, %d: !doubles, %c: !numbers,
                  %L: !comprehension.bag<i64>) -> (!doubles, !numbers) {
  %D = diablo.var "D" = %d : !doubles
  %C = diablo.var "C" = %c : !numbers
  diablo.foreach %k in %L : !comprehension.bag<i64> {
    diablo.accumulate_parts @least %v, %D, %C [%k] from [0] : !diablo.ref<!doubles>, !diablo.ref<!numbers>
  }
  %0 = diablo.load %D : !diablo.ref<!doubles>
  %1 = diablo.load %C : !diablo.ref<!numbers>
  func.return %0, %1 : !doubles, !numbers
}
