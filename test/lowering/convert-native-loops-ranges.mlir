// RUN: diablo-opt %s -p convert-native-loops | filecheck %s

!vector = tensor<?xf64>

// A loop that counts, and reads and writes at places that this says: one test before it says that
// the first and the last are inside, and the loop behind that has none, nor does it ask. Around it
// is one that asks before each of its parts. Otherwise each index is tested where it is used.
func.func private @loop_0(%i: index, %A: !vector, %n: index, %V: !vector, %s: index) -> !vector {
  %one = arith.constant 1 : index
  %k, %X = scf.while (%j = %i, %B = %A) : (index, !vector) -> (index, !vector) {
    %p = arith.cmpi slt, %j, %n : index
    scf.condition(%p) %j, %B : index, !vector
  } do {
  ^bb0(%j: index, %B: !vector):
    %at = arith.addi %j, %s : index
    %v = tensor.extract %V[%at] : !vector
    %w = tensor.extract %B[%j] : !vector
    %x = arith.addf %v, %w : f64
    %C = tensor.insert %x into %B[%j] {in_place = 1 : i64} : !vector
    %next = arith.addi %j, %one : index
    scf.yield %next, %C : index, !vector
  }
  func.return %X : !vector
}
// CHECK-LABEL: func.func private @loop_0
// CHECK:         %[[LAST:.*]] = arith.subi
// CHECK:         %[[DIM:.*]] = memref.dim %V
// CHECK-NEXT:    %[[SIZE:.*]] = arith.index_cast %[[DIM]]
// CHECK:         arith.cmpi ult, %{{.*}}, %[[SIZE]] : i64
// CHECK-NEXT:    %[[END:.*]] = arith.addi
// CHECK-NEXT:    arith.cmpi ult, %[[END]], %[[SIZE]] : i64
// CHECK:         scf.if %{{.*}} -> (index) {
// CHECK:           scf.while
// CHECK:           } do {
// CHECK:             func.call @diablo_interrupted
// CHECK:             cf.assert
// CHECK:             %[[STOP:.*]] = arith.minsi
// CHECK:             scf.while (%[[J:.*]] = %{{.*}}) : (index) -> (index, index) {
// CHECK-NEXT:          %[[WORD:.*]] = arith.index_cast %[[J]]
// CHECK-NEXT:          %[[GO:.*]] = arith.cmpi slt, %[[WORD]], %[[STOP]]
// CHECK-NEXT:          scf.condition(%[[GO]])
// CHECK-NEXT:        } do {
// CHECK-NEXT:        ^{{.*}}:
// CHECK-NEXT:          %at = arith.addi %{{.*}}, %s : index
// CHECK-NEXT:          %v = memref.load %V[%at]
// CHECK-NEXT:          %w = memref.load %A
// CHECK-NEXT:          %x = arith.addf %v, %w
// CHECK-NEXT:          memref.store %x, %A
// CHECK-NEXT:          arith.addi
// CHECK-NEXT:          scf.yield
// CHECK:         } else {
// CHECK:           scf.while
// CHECK:             cf.assert
// CHECK:             arith.cmpi ult
// CHECK:             cf.assert
// CHECK:             memref.load %V

// What the count does not say, as an element that is an index, is tested where it is used, and so
// is what stands in a branch that is taken for some counts.
func.func private @loop_1(%i: i64, %s0: f64, %n: i64, %V: !vector, %I: tensor<?xindex>) -> f64 {
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %k, %s = scf.while (%j = %i, %t = %s0) : (i64, f64) -> (i64, f64) {
    %p = arith.cmpi sge, %j, %n : i64
    scf.condition(%p) %j, %t : i64, f64
  } do {
  ^bb0(%j: i64, %t: f64):
    %at = arith.index_cast %j : i64 to index
    %place = tensor.extract %I[%at] : tensor<?xindex>
    %v = tensor.extract %V[%place] : !vector
    %some = arith.cmpi sgt, %j, %three : i64
    %w = scf.if %some -> (f64) {
      %x = tensor.extract %V[%at] : !vector
      scf.yield %x : f64
    } else {
      scf.yield %v : f64
    }
    %u = arith.addf %v, %w : f64
    %next = arith.subi %j, %one : i64
    scf.yield %next, %u : i64, f64
  }
  func.return %s : f64
}
// CHECK-LABEL: func.func private @loop_1
// CHECK:         arith.maxsi
// CHECK:         arith.cmpi sgt
// CHECK:           %[[PLACE:.*]] = memref.load %I[
// CHECK-NEXT:      arith.constant
// CHECK-NEXT:      memref.dim %V
// CHECK-NEXT:      arith.cmpi ult, %[[PLACE]]
// CHECK:           cf.assert
// CHECK:           memref.load %V[%[[PLACE]]]
// CHECK:           scf.if
// CHECK:             cf.assert
// CHECK:             memref.load %V[
// CHECK:         } else {
// CHECK:           cf.assert
// CHECK:           memref.load %I[

// A loop around another one, and one whose limit is another in each iteration, are written once.
func.func private @loop_2(%i: index, %s0: f64, %n: index, %V: !vector) -> f64 {
  %one = arith.constant 1 : index
  %k, %m, %s = scf.while (%j = %i, %l = %n, %t = %s0) : (index, index, f64) -> (index, index, f64) {
    %p = arith.cmpi slt, %j, %l : index
    scf.condition(%p) %j, %l, %t : index, index, f64
  } do {
  ^bb0(%j: index, %l: index, %t: f64):
    %v = tensor.extract %V[%j] : !vector
    %u = arith.addf %v, %t : f64
    %next = arith.addi %j, %one : index
    %less = arith.subi %l, %one : index
    scf.yield %next, %less, %u : index, index, f64
  }
  func.return %s : f64
}
// CHECK-LABEL: func.func private @loop_2
// CHECK:         scf.while
// CHECK:           memref.load %V[
// CHECK-NOT:     scf.while

// A counter whose step is known at run time alone ends where it would need more than 64 bits, in
// either direction; a step that the loop changes, or a test for one direction alone, is Python's.
// CHECK-LABEL: func.func private @steps
// CHECK:         scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (index, i1) -> index {
// CHECK:         } do {
// CHECK:           %[[UP:.*]] = arith.cmpi sgt, %step, %{{.*}} : index
// CHECK:           %[[MOST:.*]] = arith.subi %{{.*}}, %step : index
// CHECK:           %[[OVER:.*]] = arith.cmpi sgt, %{{.*}}, %[[MOST]] : index
// CHECK:           %[[ABOVE:.*]] = arith.andi %[[UP]], %[[OVER]] : i1
// CHECK:           %[[DOWN:.*]] = arith.cmpi slt, %step, %{{.*}} : index
// CHECK:           %[[LEAST:.*]] = arith.subi %{{.*}}, %step : index
// CHECK:           %[[UNDER:.*]] = arith.cmpi slt, %{{.*}}, %[[LEAST]] : index
// CHECK:           %[[BELOW:.*]] = arith.andi %[[DOWN]], %[[UNDER]] : i1
// CHECK:           arith.ori %[[ABOVE]], %[[BELOW]] : i1
func.func private @steps(%first: index, %A: tensor<?xf64>, %last: index, %step: index, %x: f64) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %size = tensor.dim %A, %zero : tensor<?xf64>
  %up = arith.cmpi sgt, %step, %zero : index
  %k, %B = scf.while (%i = %first, %C = %A) : (index, tensor<?xf64>) -> (index, tensor<?xf64>) {
    %below = arith.cmpi sle, %i, %last : index
    %above = arith.cmpi sge, %i, %last : index
    %more = arith.select %up, %below, %above : i1
    scf.condition(%more) %i, %C : index, tensor<?xf64>
  } do {
  ^bb0(%i: index, %C: tensor<?xf64>):
    %inside = arith.cmpi ult, %i, %size : index
    %D = scf.if %inside -> (tensor<?xf64>) {
      %E = tensor.insert %x into %C[%i] {in_place = 1 : i64} : tensor<?xf64>
      scf.yield %E : tensor<?xf64>
    } else {
      scf.yield %C : tensor<?xf64>
    }
    %next = arith.addi %i, %step : index
    scf.yield %next, %D : index, tensor<?xf64>
  }
  func.return %B : tensor<?xf64>
}
