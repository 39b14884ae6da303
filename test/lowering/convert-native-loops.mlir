// RUN: diablo-opt %s -p convert-native-loops | filecheck %s
// RUN: diablo-opt %s -p convert-native-loops,expand-functions,convert-kernel-to-llvm | filecheck %s --check-prefix=LLVM

!vector = tensor<?xf64>

// Elements are read and written where they are. A branch that holds an index below an extent that
// the caller checks needs no test more; other reads have one, and so has a division.
func.func private @loop_0(%i: i64, %A: !vector, %n: i64, %V: !vector, %m: i64) -> (i64, !vector) {
  %zero = arith.constant 0 : index
  %d = tensor.dim %V, %zero : !vector
  %k, %X = scf.while (%j = %i, %B = %A) : (i64, !vector) -> (i64, !vector) {
    %p = arith.cmpi slt, %j, %n : i64
    scf.condition(%p) %j, %B : i64, !vector
  } do {
  ^bb0(%j: i64, %B: !vector):
    %at = arith.index_cast %j : i64 to index
    %v = tensor.extract %V[%at] : !vector
    %in = arith.cmpi ult, %at, %d : index
    %C = scf.if %in -> (!vector) {
      %D = tensor.insert %v into %B[%at] {in_place = 1 : i64} : !vector
      scf.yield %D : !vector
    } else {
      scf.yield %B : !vector
    }
    %next = arith.divsi %j, %m : i64
    scf.yield %next, %C : i64, !vector
  }
  func.return %k, %X : i64, !vector
}
// CHECK-LABEL: func.func private @loop_0(%i: i64, %A: memref<?xf64>, %n: i64, %V: memref<?xf64>, %m: i64, %k: memref<i64>, %failure: memref<i64>, %index0: memref<i64>) {
// CHECK:         memref.store %{{.*}}, %failure[] : memref<i64>
// CHECK:         %countdown = memref.alloca() : memref<1xi64>
// CHECK:         %{{.*}} = scf.while (%{{.*}} = %i) : (i64) -> i64 {
// CHECK:           scf.condition
// CHECK:           func.call @diablo_interrupted() : () -> i64
// CHECK:           cf.assert
// CHECK:           %[[SIZE:.*]] = memref.dim %V
// CHECK-NEXT:      %[[IN:.*]] = arith.cmpi ult, %[[AT:.*]], %[[SIZE]] : index
// CHECK:           scf.if
// CHECK:             memref.store %{{.*}}, %failure[]
// CHECK:             memref.store %{{.*}}, %index0[]
// CHECK:           cf.assert %[[IN]], "the call ends"
// CHECK-NEXT:      %v = memref.load %V[%[[AT]]]
// CHECK:           scf.if
// CHECK-NEXT:        memref.store %v, %A[%[[AT]]]
// CHECK-NEXT:      }
// CHECK:           %[[SOME:.*]] = arith.cmpi ne, %m
// CHECK:           cf.assert %[[SOME]], "the call ends"
// CHECK:           %[[MINUS:.*]] = arith.cmpi eq, %m
// CHECK-NEXT:      %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-NEXT:      %[[BY:.*]] = arith.select %[[MINUS]], %[[ONE]], %m
// CHECK-NEXT:      %[[Q:.*]] = arith.divsi %{{.*}}, %[[BY]]
// CHECK:           arith.select %[[MINUS]], %{{.*}}, %[[Q]]
// CHECK:         memref.store %{{.*}}, %k[] : memref<i64>

// The machine code leaves where an assertion does not hold.
// LLVM-LABEL: llvm.func @loop_0(%i: i64, %A: !llvm.ptr {llvm.noalias}, %size0: i64
// LLVM:         llvm.call @diablo_interrupted() : () -> i64
// LLVM:         llvm.return
// LLVM-NEXT:  ^{{.*}}:
// LLVM-NEXT:    llvm.return

// A counter may pass 64 bits with its limit; sums of indices have 128.
func.func private @loop_1(%i: index, %c: i64, %n: index, %a: index, %b: index) -> i64 {
  %one = arith.constant 1 : index
  %k, %s = scf.while (%j = %i, %t = %c) : (index, i64) -> (index, i64) {
    %p = arith.cmpi sle, %j, %n : index
    scf.condition(%p) %j, %t : index, i64
  } do {
  ^bb0(%j: index, %t: i64):
    %far = arith.addi %a, %b : index
    %q = arith.cmpi slt, %far, %j : index
    %r = arith.extui %q : i1 to i64
    %u = arith.addi %t, %r : i64
    %next = arith.addi %j, %one : index
    scf.yield %next, %u : index, i64
  }
  func.return %s : i64
}
// CHECK-LABEL: func.func private @loop_1
// CHECK:         scf.while (%{{.*}} = %i, %{{.*}} = %c, %[[OVER:.*]] = %{{.*}}) : (index, i64, i1)
// CHECK:           %[[WITHIN:.*]] = arith.xori %[[OVER]]
// CHECK-NEXT:      %[[GO:.*]] = arith.andi %{{.*}}, %[[WITHIN]] : i1
// CHECK-NEXT:      scf.condition(%[[GO]])
// CHECK:           %far = arith.addi %{{.*}}, %{{.*}} : i128
// CHECK:           arith.cmpi slt, %far, %{{.*}} : i128
// CHECK:           %[[LAST:.*]] = arith.constant 9223372036854775806 : index
// CHECK:           arith.cmpi sgt, %{{.*}}, %[[LAST]] : index

// A fold is written where its kernel is called, what it makes is a number on the stack; its points
// count like iterations, and a map takes the place of the operand that dies.
func.func private @loop_2(%s: f64, %A: !vector, %n: index) -> (f64, !vector) {
  %t, %X = scf.while (%u = %s, %B = %A) : (f64, !vector) -> (f64, !vector) {
    %p = arith.cmpf olt, %u, %s : f64
    scf.condition(%p) %u, %B : f64, !vector
  } do {
  ^bb0(%u: f64, %B: !vector):
    %C = func.call @halves(%n, %B) {in_place = 1 : i64} : (index, !vector) -> !vector
    %v = func.call @greatest(%n, %C) : (index, !vector) -> f64
    scf.yield %v, %C : f64, !vector
  }
  func.return %t, %X : f64, !vector
}
func.func private @greatest(%n: index, %A: !vector) -> f64 {
  %r = tensor_block.reduce max reduced(d0 < %n) ins(%A[d0] : !vector) -> f64 {
  ^bb0(%d: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %r : f64
}
func.func private @halves(%n: index, %A: !vector) -> !vector {
  %r = tensor_block.map parallel(d0 < %n) ins(%A[d0] : !vector) -> !vector {
  ^bb0(%d: index, %a: f64):
    %half = arith.constant 0.5 : f64
    %b = arith.mulf %a, %half : f64
    tensor_block.yield %b : f64
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func private @loop_2(%s: f64, %A: memref<?xf64>, %n: index, %t: memref<f64>
// CHECK:         %[[NUMBER:.*]] = memref.alloca() : memref<f64>
// CHECK:         %[[SIZE:.*]] = memref.dim %A
// CHECK-NEXT:    %[[SAME:.*]] = arith.cmpi eq, %[[SIZE]], %n
// CHECK:         cf.assert %[[SAME]], "the call ends"
// CHECK:         scf.while
// CHECK:           arith.cmpi sle, %n
// CHECK:           memref.store %{{.*}}, %countdown
// CHECK:           scf.for
// CHECK:             memref.store %{{.*}}, %A[
// CHECK:           scf.for
// CHECK:           memref.store %{{.*}}, %[[NUMBER]][]
// CHECK:           memref.load %[[NUMBER]][]

// Where a map writes a part of the operand that dies, it does not go through the rest.
func.func private @loop_part(%A: !vector, %s: f64, %n: index, %low: index) -> !vector {
  %X = scf.while (%B = %A) : (!vector) -> !vector {
    %p = arith.cmpf olt, %s, %s : f64
    scf.condition(%p) %B : !vector
  } do {
  ^bb0(%B: !vector):
    %C = func.call @halves_from(%n, %B, %low) {in_place = 1 : i64} : (index, !vector, index) -> !vector
    scf.yield %C : !vector
  }
  func.return %X : !vector
}
func.func private @halves_from(%n: index, %A: !vector, %low: index) -> !vector {
  %r = tensor_block.map parallel(d0 < %n) ins(%A[d0] : !vector) -> !vector {
  ^bb0(%d: index, %a: f64):
    %behind = arith.cmpi sge, %d, %low : index
    %b = scf.if %behind -> (f64) {
      %half = arith.constant 0.5 : f64
      %c = arith.mulf %a, %half : f64
      scf.yield %c : f64
    } else {
      scf.yield %a : f64
    }
    tensor_block.yield %b : f64
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func private @loop_part(
// CHECK:         scf.while
// CHECK-COUNT-1:   scf.for
// CHECK-NOT:       scf.for
// CHECK:         func.return

// What a kernel makes besides is memory of the call, and copied to what the loop carries.
func.func private @loop_3(%A: !vector, %s: f64, %n: index) -> !vector {
  %X = scf.while (%B = %A) : (!vector) -> !vector {
    %p = arith.cmpf olt, %s, %s : f64
    scf.condition(%p) %B : !vector
  } do {
  ^bb0(%B: !vector):
    %C = func.call @halves(%n, %B) : (index, !vector) -> !vector
    scf.yield %C : !vector
  }
  func.return %X : !vector
}
// CHECK-LABEL: func.func private @loop_3(%A: memref<?xf64>, %s: f64, %n: index, %failure: memref<i64>, %C: memref<?xf64>) {
// CHECK:         %[[SIZE:.*]] = memref.dim %A
// CHECK-NEXT:    %[[SAME:.*]] = arith.cmpi eq, %[[SIZE]], %n
// CHECK:         cf.assert %[[SAME]], "the call ends"
// CHECK:         scf.while
// CHECK:           scf.for
// CHECK:             memref.store %{{.*}}, %C[
// CHECK:           scf.for
// CHECK:             %[[ONE:.*]] = memref.load %C[%[[I:.*]]]
// CHECK-NEXT:        memref.store %[[ONE]], %A[%[[I]]]
// CHECK:           scf.yield

// LLVM:        llvm.func @diablo_interrupted() -> i64

// The parts of a tuple that a kernel folds to are values of their own.
comprehension.monoid @largest any_order : tuple<f64, i64> identity [0xfff0000000000000 : f64, 0 : i64] {
^bb0(%a: tuple<f64, i64>, %b: tuple<f64, i64>):
  %x, %i = comprehension.unpack %a : tuple<f64, i64>
  %y, %j = comprehension.unpack %b : tuple<f64, i64>
  %greater = arith.cmpf ogt, %y, %x : f64
  %c = arith.select %greater, %b, %a : tuple<f64, i64>
  comprehension.yield %c
}
func.func private @find_largest(%n: index, %V: !vector) -> tuple<f64, i64> {
  %r = tensor_block.reduce @largest reduced(d0 < %n) ins(%V[d0] : !vector) -> tuple<f64, i64> {
  ^bb0(%i: index, %v: f64):
    %j = arith.index_cast %i : index to i64
    %t = comprehension.pack %v, %j : tuple<f64, i64>
    tensor_block.yield %t : tuple<f64, i64>
  }
  func.return %r : tuple<f64, i64>
}
func.func private @loop_tuples(%i: i64, %n: i64, %m: index, %V: !vector) -> i64 {
  %zero = arith.constant 0 : i64
  %none = arith.constant 0.0 : f64
  %k = scf.while (%j = %i) : (i64) -> i64 {
    %p = arith.cmpi slt, %j, %n : i64
    scf.condition(%p) %j : i64
  } do {
  ^bb0(%j: i64):
    %q = arith.cmpi sgt, %j, %zero : i64
    %found = scf.if %q -> (tuple<f64, i64>) {
      %r = func.call @find_largest(%m, %V) : (index, !vector) -> tuple<f64, i64>
      scf.yield %r : tuple<f64, i64>
    } else {
      %r = comprehension.pack %none, %j : tuple<f64, i64>
      scf.yield %r : tuple<f64, i64>
    }
    %x, %at = comprehension.unpack %found : tuple<f64, i64>
    %next = arith.addi %j, %at : i64
    scf.yield %next : i64
  }
  func.return %k : i64
}
// CHECK-LABEL: func.func private @loop_tuples(
// CHECK:         %[[X:.*]] = memref.alloca() : memref<f64>
// CHECK-NEXT:    %[[AT:.*]] = memref.alloca() : memref<i64>
// CHECK:         %{{.*}}, %[[PLACE:.*]] = scf.if %{{.*}} -> (f64, i64) {
// CHECK:           arith.cmpf ogt
// CHECK:           memref.store %{{.*}}, %[[X]][] : memref<f64>
// CHECK-NEXT:      memref.store %{{.*}}, %[[AT]][] : memref<i64>
// CHECK:           scf.yield %{{.*}}, %{{.*}} : f64, i64
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %none, %{{.*}} : f64, i64
// CHECK:         arith.addi %{{.*}}, %[[PLACE]] : i64

// Where such an index lies outside, the nearest that 64 bits have is shown: the rest of 2^64 is 0,
// which may lie inside.
func.func private @loop_9(%i: i64, %c: f64, %a: index, %b: index, %V: tensor<?xf64>) -> f64 {
  %two = arith.constant 2 : i64
  %k, %s = scf.while (%j = %i, %t = %c) : (i64, f64) -> (i64, f64) {
    %p = arith.cmpi ne, %j, %two : i64
    scf.condition(%p) %j, %t : i64, f64
  } do {
  ^bb0(%j: i64, %t: f64):
    %far = arith.addi %a, %b : index
    %v = tensor.extract %V[%far] : tensor<?xf64>
    %u = arith.divf %v, %t : f64
    %next = arith.addi %j, %two : i64
    scf.yield %next, %u : i64, f64
  }
  func.return %s : f64
}
// CHECK-LABEL: func.func private @loop_9
// CHECK:         %far = arith.addi %{{.*}}, %{{.*}} : i128
// CHECK:         scf.if
// CHECK:           arith.cmpi sgt, %far, %{{.*}} : i128
// CHECK:           arith.select
// CHECK:           arith.cmpi slt
// CHECK:           arith.select
// CHECK:           memref.store %{{.*}}, %index0[]
// CHECK:         cf.assert
// CHECK:         %[[WORD:.*]] = arith.trunci %far : i128 to i64
// CHECK:         arith.index_cast %[[WORD]] : i64 to index
// CHECK:       func.func private @diablo_interrupted() -> i64
