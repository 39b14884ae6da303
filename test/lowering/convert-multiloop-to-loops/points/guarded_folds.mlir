// Loops go by the bounds that bodies test for: on sums of indices, in folds, around a place.
// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop,convert-multiloop-to-loops,canonicalize,cse --split-input-file | filecheck %s

// A place that a fold leaves out: the loop around it is two, and nothing is tested.
func.func private @beside(%a: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %c = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%a[d0, d1] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %j: index, %x: f64):
    %other = arith.cmpi ne, %j, %i : index
    %v = scf.if %other -> (f64) {
      %two = arith.addf %x, %x : f64
      scf.yield %two : f64
    } else {
      %zero = arith.constant 0.0 : f64
      scf.yield %zero : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %c : tensor<?xf64>
}
// CHECK-LABEL: func.func private @beside
// CHECK:         scf.for %i = %zero to %n step %[[FOUR:.*]] {
// CHECK:           %[[AFTER:.*]] = arith.minsi %{{.*}}, %n : index
// CHECK:           %[[LOW:.*]], %[[HIGH:.*]] = scf.if %{{.*}} -> (index, index) {
// CHECK:             arith.maxsi
// CHECK:             %[[STOP:.*]] = arith.maxsi %{{.*}}, %[[BEGIN:.*]] : index
// CHECK-COUNT-3:     arith.maxsi
// CHECK-NEXT:        %[[PAST:.*]] = arith.addi %{{.*}}, %one
// CHECK-NEXT:        %[[NEXT:.*]] = arith.maxsi %[[PAST]], %[[STOP]] :
// CHECK-NEXT:        %[[GO_ON:.*]] = arith.minsi %[[NEXT]], %[[END:.*]] :
// What is folded of four rows, on either side of the four places.
// CHECK:             %[[LEFT:.*]], %{{.*}}, %{{.*}}, %{{.*}} = scf.for %j = %[[BEGIN]] to %[[STOP]] step
// CHECK-NOT:           scf.if
// CHECK:             scf.for %j_1 = %[[GO_ON]] to %[[END]] step %one iter_args(%{{.*}} = %[[LEFT]],
// CHECK-NOT:           scf.if
// CHECK-COUNT-4:     memref.store
// CHECK-NEXT:        scf.yield %[[STOP]], %[[GO_ON]]
// CHECK-NEXT:      } else {
// Of fewer rows nothing is folded together.
// CHECK:             memref.store
// CHECK:             scf.yield %zero, %m
// What each of them has between.
// CHECK:           scf.for %[[ROW:.*]] = %i to %[[AFTER]] step %one {
// CHECK:             %[[HOLE:.*]] = arith.minsi %[[ROW]], %{{.*}} : index
// CHECK-NEXT:        %[[UP_TO:.*]] = arith.minsi %[[HOLE]], %[[HIGH]] : index
// CHECK-NEXT:        %[[PAST:.*]] = arith.addi %[[HOLE]], %one : index
// CHECK-NEXT:        %[[FROM:.*]] = arith.maxsi %[[PAST]], %[[LOW]] : index
// CHECK-NEXT:        %[[HELD:.*]] = memref.load %c[%[[ROW]]]
// CHECK-NEXT:        %[[MORE:.*]] = scf.for %{{.*}} = %[[LOW]] to %[[UP_TO]] step %one iter_args(%{{.*}} = %[[HELD]])
// CHECK-NOT:           scf.if
// CHECK:             scf.for %{{.*}} = %[[FROM]] to %[[HIGH]] step %one iter_args(%{{.*}} = %[[MORE]])
// CHECK-NOT:           scf.if
// CHECK:           func.return

// -----

// Sums of indices: of each row what lies below the diagonal.
func.func private @below(%a: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %c = tensor_block.reduce max parallel(d0 < %n) reduced(d1 < %m)
      ins(%a[d0, d1] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %j: index, %x: f64):
    %less = arith.cmpi slt, %j, %i : index
    %v = scf.if %less -> (f64) {
      scf.yield %x : f64
    } else {
      %least = arith.constant 0xFFF0000000000000 : f64
      scf.yield %least : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %c : tensor<?xf64>
}
// CHECK-LABEL: func.func private @below
// CHECK:         scf.for %i =
// CHECK:           %[[LOW:.*]], %[[HIGH:.*]] = scf.if
// CHECK:             scf.for %j = %[[BEGIN:.*]] to %[[SHARED:.*]] step
// CHECK-NOT:           scf.if
// CHECK-COUNT-4:       arith.maximumf
// CHECK:             scf.yield %[[BEGIN]], %[[SHARED]]
// CHECK:             scf.yield %zero, %zero
// CHECK:           scf.for %[[ROW:.*]] = %i to
// CHECK:             %[[END:.*]] = arith.minsi %m, %[[ROW]]
// CHECK:             scf.for %{{.*}} = %{{.*}} to %{{.*}} step
// CHECK-NEXT:          memref.load
// CHECK-NEXT:          arith.maximumf
// CHECK:             scf.for %{{.*}} = %{{.*}} to %{{.*}} step
// CHECK-NEXT:          memref.load
// CHECK-NEXT:          arith.maximumf
// CHECK-NOT:       scf.for

// -----

// Rows next to each other have too little in common: each is folded for itself.
func.func private @steep(%a: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %c = tensor_block.reduce max parallel(d0 < %n) reduced(d1 < %m)
      ins(%a[d0, d1] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %j: index, %x: f64):
    %two = arith.constant 2 : index
    %twice = arith.muli %i, %two : index
    %less = arith.cmpi slt, %j, %twice : index
    %v = scf.if %less -> (f64) {
      scf.yield %x : f64
    } else {
      %least = arith.constant 0xFFF0000000000000 : f64
      scf.yield %least : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %c : tensor<?xf64>
}
// CHECK-LABEL: func.func private @steep
// CHECK:         scf.for %i =
// CHECK:           %[[TWICE:.*]] = arith.muli %i
// CHECK:           %[[END:.*]] = arith.minsi %m, %[[TWICE]]
// CHECK:           %[[HIGH:.*]] = arith.maxsi %{{.*}}, %[[END]]
// CHECK:           scf.for %j = %{{.*}} to %[[HIGH]] step
// CHECK-NEXT:        memref.load
// CHECK-NEXT:        arith.maximumf
// CHECK-NOT:       scf.for

// -----

// What does not vary along the loop is tested before it.
func.func private @upper_rows(%a: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %c = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%a[d0, d1] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %j: index, %x: f64):
    %ten = arith.constant 10 : index
    %upper = arith.cmpi slt, %i, %ten : index
    %right = arith.cmpi sge, %j, %i : index
    %both = arith.andi %upper, %right : i1
    %v = scf.if %both -> (f64) {
      scf.yield %x : f64
    } else {
      %zero = arith.constant 0.0 : f64
      scf.yield %zero : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %c : tensor<?xf64>
}
// CHECK-LABEL: func.func private @upper_rows
// CHECK:         scf.for %i =
// CHECK:           %[[UPPER:.*]] = arith.cmpi slt, %i,
// CHECK:           scf.if %[[UPPER]] -> (f64) {
// CHECK-NEXT:        scf.for %j =
// CHECK-NOT:           scf.if
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %identity

// -----

// What a fold leaves out must be its identity.
func.func private @ones(%a: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %c = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%a[d0, d1] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %j: index, %x: f64):
    %other = arith.cmpi ne, %j, %i : index
    %v = scf.if %other -> (f64) {
      scf.yield %x : f64
    } else {
      %one = arith.constant 1.0 : f64
      scf.yield %one : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %c : tensor<?xf64>
}
// CHECK-LABEL: func.func private @ones
// CHECK:         scf.for %j = %zero to %m step
// CHECK:           arith.cmpi ne, %j, %i

// -----

// A value from outside beside an index may be any number: their sum may wrap around.
func.func private @band(%a: tensor<?x?xf64>, %n: index, %m: index, %w: index) -> tensor<?xf64> {
  %c = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%a[d0, d1] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %j: index, %x: f64):
    %end = arith.addi %i, %w : index
    %near = arith.cmpi slt, %j, %end : index
    %v = scf.if %near -> (f64) {
      scf.yield %x : f64
    } else {
      %zero = arith.constant 0.0 : f64
      scf.yield %zero : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %c : tensor<?xf64>
}
// CHECK-LABEL: func.func private @band
// CHECK:         scf.for %j = %zero to %m step
// CHECK:           arith.cmpi slt, %j,

// -----

// A loop over few indices is not cut.
func.func private @few(%a: tensor<?x?xf64>, %n: index) -> tensor<?xf64> {
  %m = arith.constant 8 : index
  %c = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%a[d0, d1] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %j: index, %x: f64):
    %other = arith.cmpi ne, %j, %i : index
    %v = scf.if %other -> (f64) {
      scf.yield %x : f64
    } else {
      %zero = arith.constant 0.0 : f64
      scf.yield %zero : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %c : tensor<?xf64>
}
// CHECK-LABEL: func.func private @few
// CHECK:         %{{.*}} = scf.for %j = %zero to %m step
// CHECK:           arith.cmpi ne, %j, %i
// CHECK-NOT:     arith.maxsi

// -----

// A multiple of an index in a map, of which all that is read lies inside within the bound.
func.func private @every_other(%a: tensor<?xf64>, %n: index, %k: index) -> tensor<?xf64> {
  %c = tensor_block.map parallel(d0 < %n) ins(%a[2 * d0 + 1] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %x: f64):
    %two = arith.constant 2 : index
    %twice = arith.muli %i, %two : index
    %within = arith.cmpi slt, %twice, %k : index
    %v = scf.if %within -> (f64) {
      scf.yield %x : f64
    } else {
      %zero = arith.constant 0.0 : f64
      scf.yield %zero : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %c : tensor<?xf64>
}
// CHECK-LABEL: func.func private @every_other
// CHECK:         %[[SIZE:.*]] = memref.dim %a
// CHECK:         %[[LEFT:.*]] = arith.subi %[[SIZE]], %one
// CHECK-NEXT:    %[[RIGHT:.*]] = arith.addi %[[LEFT]], %one
// CHECK-NEXT:    %[[READ:.*]] = arith.divsi %[[RIGHT]], %two
// CHECK:         %[[MORE:.*]] = arith.addi %{{.*}}, %one
// CHECK-NEXT:    %[[TESTED:.*]] = arith.divsi %[[MORE]], %two
// CHECK:         arith.minsi %n, %[[READ]]
// CHECK-NEXT:    arith.minsi %{{.*}}, %[[TESTED]]
// CHECK:         scf.for %i_1 =
// CHECK-NEXT:      arith.muli %i_1
// CHECK-NEXT:      arith.addi
// CHECK-NEXT:      memref.load %a
// CHECK-NEXT:      memref.store

// -----

// A fold of columns goes through them in its inner loop: where a bound ties these to the row, several
// rows are not one step.
func.func private @columns(%a: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %c = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n)
      ins(%a[d1, d0] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %j: index, %x: f64):
    %two = arith.constant 2 : index
    %three = arith.constant 3 : index
    %sum = arith.addi %i, %j : index
    %twice = arith.muli %sum, %two : index
    %behind = arith.cmpi sgt, %twice, %three : index
    %v = scf.if %behind -> (f64) {
      scf.yield %x : f64
    } else {
      %zero = arith.constant 0.0 : f64
      scf.yield %zero : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %c : tensor<?xf64>
}
// CHECK-LABEL: func.func private @columns
// CHECK:         scf.for %j = %zero to %n step %one {
// CHECK:           scf.for %i_1 = %{{.*}} to %{{.*}} step %one {
// CHECK-NEXT:        memref.load %c[%i_1]
// CHECK-NEXT:        memref.load %a[%j, %i_1]
// CHECK-NEXT:        arith.addf
// CHECK-NEXT:        memref.store

// -----

// What is at least the greater of two and at most the less of two is within four bounds.
func.func private @band(%x: tensor<?xf64>, %n: index, %last: index) -> f64 {
  %c = tensor_block.reduce add reduced(d0 < %n, d1 < %n)
      ins(%x[d0] : tensor<?xf64>, %x[d1] : tensor<?xf64>) -> f64 {
  ^body(%i: index, %j: index, %a: f64, %b: f64):
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %below = arith.subi %i, %one : index
    %first = arith.maxsi %zero, %below : index
    %lower = arith.cmpi sge, %j, %first : index
    %above = arith.addi %i, %one : index
    %end = arith.minsi %last, %above : index
    %upper = arith.cmpi sge, %end, %j : index
    %inside = arith.andi %lower, %upper : i1
    %v = scf.if %inside -> (f64) {
      %p = arith.mulf %a, %b : f64
      scf.yield %p : f64
    } else {
      %none = arith.constant 0.0 : f64
      scf.yield %none : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %c : f64
}
// CHECK-LABEL: func.func private @band
// CHECK:         scf.for %i = %zero to %n
// CHECK:           %[[BELOW:.*]] = arith.subi %i, %one : index
// CHECK:           %[[ABOVE:.*]] = arith.addi %i, %{{.*}} : index
// CHECK:           arith.maxsi %{{.*}}, %[[BELOW]] : index
// CHECK:           arith.minsi %{{.*}}, %[[ABOVE]] : index
// CHECK:           scf.for %j
// CHECK-NOT:         scf.if
// CHECK:             arith.mulf

// -----

// What is at least the less of two may be less than either: each point is asked.
func.func private @either(%x: tensor<?xf64>, %n: index, %last: index) -> f64 {
  %c = tensor_block.reduce add reduced(d0 < %n, d1 < %n)
      ins(%x[d0] : tensor<?xf64>, %x[d1] : tensor<?xf64>) -> f64 {
  ^body(%i: index, %j: index, %a: f64, %b: f64):
    %first = arith.minsi %last, %i : index
    %inside = arith.cmpi sge, %j, %first : index
    %v = scf.if %inside -> (f64) {
      %p = arith.mulf %a, %b : f64
      scf.yield %p : f64
    } else {
      %none = arith.constant 0.0 : f64
      scf.yield %none : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %c : f64
}
// CHECK-LABEL: func.func private @either
// CHECK:         scf.for %i = %zero to %n
// CHECK-NEXT:      scf.for %j = %zero to %n
// CHECK:             scf.if
