// RUN: diablo-opt %s -p outline-native-loops | filecheck %s

!vector = tensor<?xf64>

// The array that an inner loop carries has the extents of that which the outer one began with, so
// the function of the inner one asks it for them. Those of an array that it is not given it is.
func.func @extents(%V: !vector, %W: !vector, %n: index) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %size = tensor.dim %V, %zero : !vector
  %other = tensor.dim %W, %zero : !vector
  %A = bufferization.alloc_tensor() copy(%V) : !vector
  %own = tensor.dim %A, %zero : !vector
  %i, %B = scf.while (%k = %zero, %C = %A) : (index, !vector) -> (index, !vector) {
    %p = arith.cmpi slt, %k, %n : index
    scf.condition(%p) %k, %C : index, !vector
  } do {
  ^bb0(%k: index, %C: !vector):
    %j, %D = scf.while (%l = %zero, %E = %C) : (index, !vector) -> (index, !vector) {
      %q = arith.cmpi slt, %l, %other : index
      scf.condition(%q) %l, %E : index, !vector
    } do {
    ^bb0(%l: index, %E: !vector):
      %in = arith.cmpi ult, %l, %own : index
      %F = scf.if %in -> (!vector) {
        %G = tensor.insert %half into %E[%l] {in_place = 1 : i64} : !vector
        scf.yield %G : !vector
      } else {
        scf.yield %E : !vector
      }
      %m = arith.addi %l, %one : index
      scf.yield %m, %F : index, !vector
    }
    %next = arith.addi %k, %one : index
    scf.yield %next, %D : index, !vector
  }
  func.return %B : !vector
}
// CHECK-LABEL: func.func private @loop_0
// CHECK:         func.call @loop_1
// CHECK-LABEL: func.func private @loop_1(%l: index, %{{.*}}: tensor<?xf64>, %other: index) -> tensor<?xf64> {
// CHECK:         tensor.dim %{{.*}}, %{{.*}} : tensor<?xf64>
// CHECK-NOT:     tensor.dim
// CHECK:         scf.while
