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

// A condition within another one may be undefined where that does not hold, as a shift by more bits
// than there are is: it is chosen, and so not looked at.
func.func private @loop_2(%D: tensor<?xi64>, %k: index, %m: index, %c: i64, %n: i64) -> tensor<?xi64> {
  %one = arith.constant 1 : index
  %i, %E = scf.while (%j = %k, %A = %D) : (index, tensor<?xi64>) -> (index, tensor<?xi64>) {
    %p = arith.cmpi slt, %j, %m : index
    scf.condition(%p) %j, %A : index, tensor<?xi64>
  } do {
  ^bb0(%j: index, %A: tensor<?xi64>):
    %x = tensor.extract %A[%j] : tensor<?xi64>
    %few = arith.cmpi ult, %x, %n : i64
    %B = scf.if %few -> (tensor<?xi64>) {
      %y = arith.shli %c, %x : i64
      %less = arith.cmpi slt, %y, %c : i64
      %C = scf.if %less -> (tensor<?xi64>) {
        %G = tensor.insert %y into %A[%j] {in_place = 1 : i64} : tensor<?xi64>
        scf.yield %G : tensor<?xi64>
      } else {
        scf.yield %A : tensor<?xi64>
      }
      scf.yield %C : tensor<?xi64>
    } else {
      scf.yield %A : tensor<?xi64>
    }
    %next = arith.addi %j, %one : index
    scf.yield %next, %B : index, tensor<?xi64>
  }
  func.return %E : tensor<?xi64>
}
// CHECK-LABEL: func.func private @loop_2
// CHECK:         %few = arith.cmpi ult
// CHECK-NEXT:    %y = arith.shli
// CHECK-NEXT:    %less = arith.cmpi slt
// CHECK-NEXT:    %[[NO:.*]] = arith.constant false
// CHECK-NEXT:    %[[BOTH:.*]] = arith.select %few, %less, %[[NO]] : i1
// CHECK-NEXT:    %[[OLD:.*]] = memref.load %D[%j
// CHECK-NEXT:    %[[NEW:.*]] = arith.select %[[BOTH]], %y, %[[OLD]]
// CHECK-NEXT:    memref.store %[[NEW]], %D[%j

// What may fail is done where the branch is taken, and no sooner: a division, and a read.
func.func private @loop_3(%D: tensor<?xi64>, %V: tensor<?xi64>, %k: index, %m: index, %c: i64, %n: i64) -> tensor<?xi64> {
  %one = arith.constant 1 : index
  %i, %E = scf.while (%j = %k, %A = %D) : (index, tensor<?xi64>) -> (index, tensor<?xi64>) {
    %p = arith.cmpi slt, %j, %m : index
    scf.condition(%p) %j, %A : index, tensor<?xi64>
  } do {
  ^bb0(%j: index, %A: tensor<?xi64>):
    %x = tensor.extract %A[%j] : tensor<?xi64>
    %few = arith.cmpi ult, %x, %n : i64
    %B = scf.if %few -> (tensor<?xi64>) {
      %y = arith.divui %c, %x : i64
      %less = arith.cmpi slt, %y, %c : i64
      %C = scf.if %less -> (tensor<?xi64>) {
        %G = tensor.insert %y into %A[%j] {in_place = 1 : i64} : tensor<?xi64>
        scf.yield %G : tensor<?xi64>
      } else {
        scf.yield %A : tensor<?xi64>
      }
      scf.yield %C : tensor<?xi64>
    } else {
      scf.yield %A : tensor<?xi64>
    }
    %F = scf.if %few -> (tensor<?xi64>) {
      %at = arith.index_cast %x : i64 to index
      %v = tensor.extract %V[%at] : tensor<?xi64>
      %G = tensor.insert %v into %B[%j] {in_place = 1 : i64} : tensor<?xi64>
      scf.yield %G : tensor<?xi64>
    } else {
      scf.yield %B : tensor<?xi64>
    }
    %next = arith.addi %j, %one : index
    scf.yield %next, %F : index, tensor<?xi64>
  }
  func.return %E : tensor<?xi64>
}
// CHECK-LABEL: func.func private @loop_3
// CHECK:         %few = arith.cmpi ult
// CHECK-NEXT:    scf.if %few {
// CHECK:           cf.assert
// CHECK:           arith.divui %c, %x
// CHECK:           %[[NEW:.*]] = arith.select %less, %y, %{{.*}} : i64
// CHECK-NEXT:      memref.store %[[NEW]], %D[%j
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.if %few {
// CHECK:           cf.assert
// CHECK:           %v = memref.load %V
// CHECK-NEXT:      memref.store %v, %D[%j
// CHECK-NEXT:    }
