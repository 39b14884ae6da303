// Joins become loops over what matches, in the loop over the left side.
// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop | filecheck %s

!left = !comprehension.bag<i64, f64>
!right = !comprehension.bag<f64, i64>

// CHECK-LABEL: func.func @join(
// CHECK-NEXT:    %r = multiloop.loop rows(%l : !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64, f64, i64> {
// CHECK-NEXT:    ^bb{{[0-9]+}}([[K:%.+]]: i64, [[X:%.+]]: f64, %all: !multiloop.collect<i64, f64, f64, i64>):
// CHECK-NEXT:      multiloop.loop matches[1](%m, [[K]] : !comprehension.bag<f64, i64>, i64) {
// CHECK-NEXT:      ^bb{{[0-9]+}}([[Y:%.+]]: f64, [[J:%.+]]: i64):
// CHECK-NEXT:        multiloop.emit %all([[K]], [[X]], [[Y]], [[J]] : i64, f64, f64, i64)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @join(%l: !left, %m: !right) -> !comprehension.bag<i64, f64, f64, i64> {
  %r = tensor_block.join %l[0], %m[1] : !left, !right -> !comprehension.bag<i64, f64, f64, i64>
  func.return %r : !comprehension.bag<i64, f64, f64, i64>
}

// A row that matches none is emitted with constants.
// CHECK-LABEL: func.func @outer(
// CHECK:           [[FOUND:%.+]] = multiloop.loop matches[1, 0](%m, {{.+}}, {{.+}} : {{.+}}) -> i1 {
// CHECK-NEXT:      ^bb{{[0-9]+}}({{.+}}: !multiloop.reduce<or : i1>):
// CHECK-NEXT:        multiloop.emit %all({{.+}}, {{.+}}, {{.+}}, {{.+}} : i64, f64, f64, i64)
// CHECK-NEXT:        [[TRUE:%.+]] = arith.constant true
// CHECK-NEXT:        multiloop.emit {{.+}}([[TRUE]] : i1)
// CHECK-NEXT:      }
// CHECK-NEXT:      {{.+}} = arith.constant true
// CHECK-NEXT:      %alone = arith.xori [[FOUND]], {{.+}} : i1
// CHECK-NEXT:      scf.if %alone {
// CHECK-NEXT:        [[A:%.+]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:        [[B:%.+]] = arith.constant 7 : i64
// CHECK-NEXT:        multiloop.emit %all({{.+}}, {{.+}}, [[A]], [[B]] : i64, f64, f64, i64)
func.func @outer(%l: !left, %m: !right) -> !comprehension.bag<i64, f64, f64, i64> {
  %r = tensor_block.join %l[0, 1], %m[1, 0] outer [unit, 7] : !left, !right -> !comprehension.bag<i64, f64, f64, i64>
  func.return %r : !comprehension.bag<i64, f64, f64, i64>
}
