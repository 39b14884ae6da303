// RUN: diablo-opt %s -p convert-native-loops | filecheck %s

!vector = tensor<?xf64>

// What a branch around a place says of an index is not asked again, nor of an extent that callers
// see to; and an element that has been read is written in any case, what it was or what is new.
func.func private @loop_0(%D: !vector, %k: index, %m: index, %u: tensor<?xi64>, %n: index) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %size = tensor.dim %D, %zero : !vector
  %i, %E = scf.while (%j = %k, %A = %D) : (index, !vector) -> (index, !vector) {
    %p = arith.cmpi slt, %j, %m : index
    scf.condition(%p) %j, %A : index, !vector
  } do {
  ^bb0(%j: index, %A: !vector):
    %v = tensor.extract %u[%j] : tensor<?xi64>
    %at = arith.index_cast %v : i64 to index
    %some = arith.cmpi ult, %at, %n : index
    %B = scf.if %some -> (!vector) {
      %x = tensor.extract %A[%at] : !vector
      %less = arith.cmpf olt, %half, %x : f64
      %C = scf.if %less -> (!vector) {
        %in = arith.cmpi ult, %at, %size : index
        %F = scf.if %in -> (!vector) {
          %G = tensor.insert %half into %A[%at] {in_place = 1 : i64} : !vector
          scf.yield %G : !vector
        } else {
          scf.yield %A : !vector
        }
        scf.yield %F : !vector
      } else {
        scf.yield %A : !vector
      }
      scf.yield %C : !vector
    } else {
      scf.yield %A : !vector
    }
    %next = arith.addi %j, %one : index
    scf.yield %next, %B : index, !vector
  }
  func.return %E : !vector
}
// CHECK-LABEL: func.func private @loop_0
// CHECK:         %some = arith.cmpi ult
// CHECK-NEXT:    scf.if %some {
// CHECK-NEXT:      %x = memref.load %D[%at]
// CHECK-NEXT:      %less = arith.cmpf olt
// CHECK-NEXT:      %in = arith.cmpi ult
// CHECK-NEXT:      %[[OLD:.*]] = memref.load %D[%at]
// CHECK-NEXT:      %[[NEW:.*]] = arith.select %less, %half, %[[OLD]]
// CHECK-NEXT:      memref.store %[[NEW]], %D[%at]
// CHECK-NEXT:    }

// An element that has not been read need not be there, and a branch that does more stays one.
func.func private @loop_1(%D: !vector, %k: index, %m: index, %n: index, %c: i64) -> (!vector, i64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %more = arith.constant 1 : i64
  %half = arith.constant 0.5 : f64
  %i, %E, %count = scf.while (%j = %k, %A = %D, %d = %c) : (index, !vector, i64) -> (index, !vector, i64) {
    %p = arith.cmpi slt, %j, %m : index
    scf.condition(%p) %j, %A, %d : index, !vector, i64
  } do {
  ^bb0(%j: index, %A: !vector, %d: i64):
    %x = tensor.extract %A[%j] : !vector
    %less = arith.cmpf olt, %half, %x : f64
    %B = scf.if %less -> (!vector) {
      %G = tensor.insert %half into %A[%n] {in_place = 1 : i64} : !vector
      scf.yield %G : !vector
    } else {
      scf.yield %A : !vector
    }
    %C, %e = scf.if %less -> (!vector, i64) {
      %G = tensor.insert %half into %B[%j] {in_place = 1 : i64} : !vector
      %f = arith.addi %d, %more : i64
      scf.yield %G, %f : !vector, i64
    } else {
      scf.yield %B, %d : !vector, i64
    }
    %next = arith.addi %j, %one : index
    scf.yield %next, %C, %e : index, !vector, i64
  }
  func.return %E, %count : !vector, i64
}
// CHECK-LABEL: func.func private @loop_1
// CHECK:         %less = arith.cmpf olt
// CHECK-NEXT:    scf.if %less {
// CHECK-NEXT:      memref.store %half, %D[%n]
// CHECK-NEXT:    }
// CHECK-NEXT:    %e = scf.if %less -> (i64) {
// CHECK-NEXT:      memref.store %half, %D[%j
