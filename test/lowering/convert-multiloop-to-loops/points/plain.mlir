// For a GPU: one loop for each dimension, those of the result outside, and little besides.
// RUN: diablo-opt %s -p 'convert-tensor-block-to-multiloop,convert-multiloop-to-loops{plain=true},canonicalize,cse' --split-input-file | filecheck %s

// No loop runs along memory at the cost of sums in the output.
// CHECK-LABEL: func.func private @columns
// CHECK:         scf.for %i = %zero to %m step
// CHECK-NEXT:      %{{.*}} = scf.for %j = %zero to %n step {{.*}} iter_args
// CHECK-NEXT:        %x = memref.load %a[%j, %i]
// CHECK-NEXT:        %{{.*}} = arith.addf %{{.*}}, %x fastmath<reassoc,contract> : f64
// CHECK-NEXT:        scf.yield
// CHECK:           memref.store %{{.*}}, %s[%i]
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func private @columns(%a: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %s = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n)
      ins(%a[d1, d0] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %j: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %s : tensor<?xf64>
}

// -----

// No squares.
// CHECK-LABEL: func.func private @transposed
// CHECK:         scf.for %i = %zero to %n step %one {
// CHECK-NEXT:      scf.for %j = %zero to %m step %one {
// CHECK-NEXT:        memref.load %a[%j, %i]
// CHECK-NEXT:        memref.store
func.func private @transposed(%a: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  %t = tensor_block.map parallel(d0 < %n, d1 < %m)
      ins(%a[d1, d0] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^body(%i: index, %j: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %t : tensor<?x?xf64>
}

// -----

// No loop is cut in three: each point is asked whether all that it reads is inside.
// CHECK-LABEL: func.func private @shift
// CHECK-COUNT-1: scf.for
// CHECK:           %[[LOW:.*]] = arith.cmpi sge, %[[PLACE:.*]], %zero : index
// CHECK-NEXT:      %[[HIGH:.*]] = arith.cmpi slt, %[[PLACE]], %{{.*}} : index
// CHECK-NEXT:      %[[INSIDE:.*]] = arith.andi %[[LOW]], %[[HIGH]] : i1
// CHECK-NEXT:      scf.if %[[INSIDE]] {
// CHECK-NEXT:        %x = memref.load %a[%[[PLACE]]]
// CHECK-NEXT:        memref.store %x, %c[%i]
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.if %[[INSIDE]]
// CHECK:             arith.constant 0.0
// CHECK-NOT:     scf.for
// CHECK:         func.return
func.func private @shift(%a: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c = tensor_block.map parallel(d0 < %n) ins(%a[d0 - 1] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %c : tensor<?xf64>
}

// -----

// Of the places along an axis the outermost are asked alone. An index that wraps around is a turn
// away at most where what it stands beside is inside, and is chosen; it is divided by its period
// where some place is outside, and nowhere else.
// CHECK-LABEL: func.func private @stencil
// CHECK:         %[[PERIOD:.*]] = arith.maxsi
// CHECK-NOT:     arith.remsi
// CHECK:         scf.for %i =
// CHECK-NEXT:      scf.for %j =
// CHECK-NEXT:        %[[COLUMNS:.*]] = memref.dim %a, %one
// CHECK-NEXT:        arith.cmpi sle, %{{.*}}, %[[PERIOD]] : index
// CHECK-NEXT:        arith.cmpi sge, %i, %zero : index
// CHECK-NEXT:        arith.cmpi slt, %i, %[[PERIOD]] : index
// CHECK-NEXT:        %[[LEFT:.*]] = arith.subi %j, %one : index
// CHECK-NEXT:        %[[RIGHT:.*]] = arith.addi %j, %one : index
// CHECK-NEXT:        arith.cmpi sge, %[[LEFT]], %zero : index
// CHECK-NEXT:        arith.cmpi slt, %[[RIGHT]], %[[COLUMNS]] : index
// CHECK-COUNT-4:     arith.andi
// CHECK-NEXT:        scf.if %{{.*}} {
// CHECK-NEXT:          %[[DOWN:.*]] = arith.addi %i, %one : index
// CHECK-NEXT:          %[[LESS:.*]] = arith.subi %[[DOWN]], %[[PERIOD]] : index
// CHECK-NEXT:          %[[BELOW:.*]] = arith.cmpi sge, %[[DOWN]], %[[PERIOD]] : index
// CHECK-NEXT:          %[[NEXT:.*]] = arith.select %[[BELOW]], %[[LESS]], %[[DOWN]] : index
// CHECK-NEXT:          memref.load %a[%[[NEXT]], %[[LEFT]]]
// CHECK-NEXT:          %[[UP:.*]] = arith.subi %i, %{{.*}} : index
// CHECK-NEXT:          %[[MORE:.*]] = arith.addi %[[UP]], %[[PERIOD]] : index
// CHECK-NEXT:          %[[ABOVE:.*]] = arith.cmpi slt, %[[UP]], %zero : index
// CHECK-NEXT:          %[[BEFORE:.*]] = arith.select %[[ABOVE]], %[[MORE]], %[[UP]] : index
// CHECK-NEXT:          memref.load %a[%[[BEFORE]], %[[RIGHT]]]
// CHECK-NEXT:          memref.load %a[%i, %j]
// CHECK-NOT:           scf.if
// CHECK:               memref.store %{{.*}}, %r[%i, %j]
// CHECK-NEXT:        } else {
// CHECK:               arith.remsi %{{.*}}, %[[PERIOD]] : index
// CHECK:               arith.remsi %{{.*}}, %[[PERIOD]] : index
// CHECK:               memref.store %{{.*}}, %r[%i, %j]
func.func private @stencil(%a: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m) symbols(%n)
      ins(%a[(d0 + 1) mod s0, d1 - 1] : tensor<?x?xf64>,
          %a[(d0 - 2) mod s0, d1 + 1] : tensor<?x?xf64>,
          %a[(d0) mod s0, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^body(%i: index, %j: index, %x: f64, %y: f64, %z: f64):
    %s = arith.addf %x, %y : f64
    %t = arith.addf %s, %z : f64
    tensor_block.yield %t : f64
  }
  func.return %r : tensor<?x?xf64>
}

// -----

// With a number of the program in it an index may be any number of turns away.
// CHECK-LABEL: func.func private @turned
// CHECK:           scf.if %{{.*}} {
// CHECK-NOT:         arith.select
// CHECK:             memref.load
// CHECK:           } else {
// CHECK:             arith.remsi
func.func private @turned(%a: tensor<?xf64>, %n: index, %k: index) -> tensor<?xf64> {
  %r = tensor_block.map parallel(d0 < %n) symbols(%n, %k)
      ins(%a[(d0 + s1) mod s0] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %r : tensor<?xf64>
}

// -----

// Where an index has a number of the program in it, which may be any, each place is asked.
// CHECK-LABEL: func.func private @moved
// CHECK-COUNT-2: arith.cmpi sge
// CHECK-COUNT-2: arith.cmpi slt
// CHECK:         scf.if
func.func private @moved(%a: tensor<?xf64>, %n: index, %k: index) -> tensor<?xf64> {
  %r = tensor_block.map parallel(d0 < %n) symbols(%k)
      ins(%a[d0 + s0] : tensor<?xf64>, %a[d0 + s0 + 1] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %x: f64, %y: f64):
    %s = arith.addf %x, %y : f64
    tensor_block.yield %s : f64
  }
  func.return %r : tensor<?xf64>
}

// -----

// A fold is asked at each of its points.
// CHECK-LABEL: func.func private @neighbours
// CHECK:         scf.for %i =
// CHECK-NOT:       scf.if
// CHECK:           %{{.*}} = scf.for %j = {{.*}} iter_args(%acc
// CHECK:             scf.if %{{.*}} -> (f64) {
func.func private @neighbours(%a: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %r = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%a[d0 + d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %j: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %r : tensor<?xf64>
}

// -----

// Few points are written out behind one test for all of them.
// CHECK-LABEL: func.func private @twice
// CHECK-COUNT-1: scf.for
// CHECK-NOT:     scf.for
// CHECK:           scf.if
// CHECK:             memref.store %{{.*}}, %r[%i, %zero]
// CHECK-NOT:         scf.if
// CHECK:             memref.store %{{.*}}, %r[%i, %one]
// CHECK:           } else {
// CHECK-COUNT-2:     memref.store
// CHECK:         func.return
func.func private @twice(%a: tensor<?xf64>, %n: index) -> tensor<?x?xf64> {
  %two = arith.constant 2 : index
  %r = tensor_block.map parallel(d0 < %n, d1 < %two)
      ins(%a[d0 + d1 + 1] : tensor<?xf64>) -> tensor<?x?xf64> {
  ^body(%i: index, %j: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %r : tensor<?x?xf64>
}

// -----

// No lanes.
comprehension.monoid @first : f64 identity 0.0 : f64 {
^bb0(%x: f64, %y: f64):
  comprehension.yield %x
}
// CHECK-LABEL: func.func private @folded
// CHECK-COUNT-1: scf.for %i = %zero to %n
// CHECK-NOT:     scf.for
// CHECK:         func.return
func.func private @folded(%a: tensor<?xf64>, %n: index) -> f64 {
  %r = tensor_block.reduce @first reduced(d0 < %n) ins(%a[d0] : tensor<?xf64>) -> f64 {
  ^body(%i: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %r : f64
}
