// RUN: diablo-opt %s -p convert-diablo-to-comprehension | filecheck %s

// An ordered loop is a `while` that counts, and carries what it writes; what reads outside of an
// array is left out.
// CHECK-LABEL: func.func @steps
// CHECK:         %[[ONE:.*]] = arith.constant 1 : index
// CHECK-NEXT:    %{{.*}}, %[[R:.*]] = scf.while (%[[K:.*]] = %lo, %[[S:.*]] = %x) : (index, f64) -> (index, f64) {
// CHECK-NEXT:      %[[MORE:.*]] = arith.cmpi sle, %[[K]], %hi : index
// CHECK-NEXT:      scf.condition(%[[MORE]]) %[[K]], %[[S]] : index, f64
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^{{.*}}(%[[K:.*]]: index, %[[S:.*]]: f64):
// CHECK-NEXT:      %[[AXIS:.*]] = arith.constant 0 : index
// CHECK-NEXT:      %[[N:.*]] = tensor.dim %V, %[[AXIS]]
// CHECK-NEXT:      %[[IN:.*]] = arith.cmpi ult, %[[K]], %[[N]] : index
// CHECK-NEXT:      %[[NEW:.*]] = scf.if %[[IN]] -> (f64) {
// CHECK-NEXT:        %[[E:.*]] = tensor.extract %V[%[[K]]]
// CHECK-NEXT:        scf.yield %[[E]] : f64
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %[[S]] : f64
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %[[K]], %[[ONE]] : index
// CHECK-NEXT:      scf.yield %[[NEXT]], %[[NEW]] : index, f64
// CHECK:         func.return %[[R]]
func.func @steps(%lo: index, %hi: index, %x: f64, %V: tensor<?xf64>) -> f64 {
  %s = diablo.var "s" = %x : f64
  diablo.for ordered %k = %lo to %hi {
    %v = tensor.extract %V[%k] : tensor<?xf64>
    diablo.store %v, %s : !diablo.ref<f64>
  }
  %0 = diablo.load %s : !diablo.ref<f64>
  func.return %0 : f64
}

// A step of another sign goes down; that of a computed one is asked for.
// CHECK-LABEL: func.func @downwards
// CHECK:         arith.constant -2 : index
// CHECK:         arith.cmpi sge
// CHECK:         %[[UP:.*]] = arith.cmpi sgt, %by, %{{.*}} : index
// CHECK:         arith.select %[[UP]]
func.func @downwards(%lo: index, %hi: index, %by: index, %x: f64) -> f64 {
  %s = diablo.var "s" = %x : f64
  diablo.for ordered %k = %hi to %lo step -2 {
    %old = diablo.load %s : !diablo.ref<f64>
    %new = arith.divf %x, %old : f64
    diablo.store %new, %s : !diablo.ref<f64>
  }
  diablo.for ordered %k = %lo to %hi step %by {
    %old = diablo.load %s : !diablo.ref<f64>
    %new = arith.divf %x, %old : f64
    diablo.store %new, %s : !diablo.ref<f64>
  }
  %0 = diablo.load %s : !diablo.ref<f64>
  func.return %0 : f64
}

// A variable of the iteration that may have no value: who reads it asks.
// CHECK-LABEL: func.func @private
// CHECK:         scf.while
// CHECK:           %[[IN:.*]] = arith.cmpi ult
// CHECK-NEXT:      %[[P:.*]], %[[THERE:.*]] = scf.if %[[IN]] -> (f64, i1) {
// CHECK:           scf.if %[[THERE]] -> (f64) {
func.func @private(%lo: index, %hi: index, %x: f64, %V: tensor<?xf64>) -> f64 {
  %s = diablo.var "s" = %x : f64
  diablo.for ordered %k = %lo to %hi {
    %v = tensor.extract %V[%k] : tensor<?xf64>
    %p = diablo.var "p" = %v : f64
    %a = diablo.load %p : !diablo.ref<f64>
    %b = diablo.load %s : !diablo.ref<f64>
    %c = arith.divf %a, %b : f64
    diablo.store %c, %s : !diablo.ref<f64>
  }
  %0 = diablo.load %s : !diablo.ref<f64>
  func.return %0 : f64
}

// In a bulk loop each step is done for all iterations that reach it.
// CHECK-LABEL: func.func @exchanged
// CHECK:         %[[MOST:.*]] = comprehension.aggregate max : i64 {
// CHECK:         %[[LAST:.*]] = arith.index_cast %[[MOST]] : i64 to index
// CHECK:         scf.while (%[[K:.*]] = %lo, %[[A:.*]] = %A)
// CHECK-NEXT:      arith.cmpi sle, %[[K]], %[[LAST]] : index
// CHECK:         } do {
// CHECK-NEXT:    ^{{.*}}(%[[K:.*]]: index, %[[A:.*]]: tensor<?xf64>):
// CHECK-NEXT:      comprehension.merge %[[A]] : tensor<?xf64> {
// CHECK-NEXT:        %[[I:.*]] = comprehension.range %lo to %hi
// CHECK-NEXT:        %[[REACHED:.*]] = arith.cmpi sle, %[[K]], %[[I]] : index
// CHECK-NEXT:        comprehension.guard %[[REACHED]]
func.func @exchanged(%lo: index, %hi: index, %x: f64, %A: tensor<?xf64>) -> tensor<?xf64> {
  %V = diablo.var "V" = %A : tensor<?xf64>
  diablo.for %i = %lo to %hi {
    diablo.for ordered %k = %lo to %i {
      %old = diablo.load %V[%i] : !diablo.ref<tensor<?xf64>>
      %new = arith.divf %x, %old : f64
      diablo.store %new, %V[%i] : !diablo.ref<tensor<?xf64>>
    }
  }
  %0 = diablo.load %V : !diablo.ref<tensor<?xf64>>
  func.return %0 : tensor<?xf64>
}

// What is read, and all that is computed of it, stands behind the test alone.
// CHECK-LABEL: func.func @chained
// CHECK:         ^{{.*}}(%[[K:.*]]: index, %[[S:.*]]: f64):
// CHECK-NEXT:      arith.constant 0 : index
// CHECK-NEXT:      tensor.dim %V
// CHECK-NEXT:      %[[IN:.*]] = arith.cmpi ult
// CHECK-NEXT:      scf.if %[[IN]] -> (f64) {
// CHECK-NEXT:        tensor.extract %V
// CHECK-NEXT:        arith.addf
// CHECK-NEXT:        arith.divf
// CHECK-NEXT:        scf.yield
func.func @chained(%lo: index, %hi: index, %x: f64, %V: tensor<?xf64>) -> f64 {
  %s = diablo.var "s" = %x : f64
  diablo.for ordered %k = %lo to %hi {
    %old = diablo.load %s : !diablo.ref<f64>
    %v = tensor.extract %V[%k] : tensor<?xf64>
    %sum = arith.addf %old, %v : f64
    %new = arith.divf %sum, %x : f64
    diablo.store %new, %s : !diablo.ref<f64>
  }
  %0 = diablo.load %s : !diablo.ref<f64>
  func.return %0 : f64
}

// So does what is converted, and what is left of a division without a sign.
// CHECK-LABEL: func.func @converted
// CHECK:         ^{{.*}}(%[[K:.*]]: index, %[[S:.*]]: i64):
// CHECK-NEXT:      arith.constant 0 : index
// CHECK-NEXT:      tensor.dim %V
// CHECK-NEXT:      %[[IN:.*]] = arith.cmpi ult
// CHECK-NEXT:      scf.if %[[IN]] -> (i64) {
// CHECK-NEXT:        tensor.extract %V
// CHECK-NEXT:        arith.remui
// CHECK-NEXT:        arith.extsi
// CHECK-NEXT:        scf.yield
func.func @converted(%lo: index, %hi: index, %x: i64, %V: tensor<?xi16>, %d: i16) -> i64 {
  %s = diablo.var "s" = %x : i64
  diablo.for ordered %k = %lo to %hi {
    %v = tensor.extract %V[%k] : tensor<?xi16>
    %rest = arith.remui %v, %d : i16
    %wide = arith.extsi %rest : i16 to i64
    diablo.store %wide, %s : !diablo.ref<i64>
  }
  %0 = diablo.load %s : !diablo.ref<i64>
  func.return %0 : i64
}

// What stands in a `while` may fail, and so its reads have no test; a loop within it is one again,
// whatever loop is around both.
// CHECK-LABEL: func.func @within_while
// CHECK:           scf.while
// CHECK:             scf.while
// CHECK:             ^{{.*}}(%[[S:.*]]: f64):
// CHECK-NEXT:          tensor.extract %V[%{{.*}}]
// CHECK:               scf.while
// CHECK:               ^{{.*}}(%[[J:.*]]: index, %{{.*}}: f64):
// CHECK:                 %[[IN:.*]] = arith.cmpi ult, %[[J]], %{{.*}} : index
// CHECK-NEXT:            scf.if %[[IN]] -> (f64) {
// CHECK-NEXT:              tensor.extract %V[%[[J]]]
func.func @within_while(%lo: index, %hi: index, %x: f64, %V: tensor<?xf64>) -> f64 {
  %s = diablo.var "s" = %x : f64
  diablo.for ordered %k = %lo to %hi {
    scf.while () : () -> () {
      %now = diablo.load %s : !diablo.ref<f64>
      %more = arith.cmpf olt, %now, %x : f64
      scf.condition(%more)
    } do {
      %v = tensor.extract %V[%k] : tensor<?xf64>
      diablo.store %v, %s : !diablo.ref<f64>
      diablo.for ordered %j = %lo to %hi {
        %w = tensor.extract %V[%j] : tensor<?xf64>
        diablo.store %w, %s : !diablo.ref<f64>
      }
      scf.yield
    }
  }
  %0 = diablo.load %s : !diablo.ref<f64>
  func.return %0 : f64
}

// Who names a variable without a value is left out, also in a branch that is not taken.
// CHECK-LABEL: func.func @in_a_branch
// CHECK:           %[[P:.*]], %[[THERE:.*]] = scf.if %{{.*}} -> (f64, i1) {
// CHECK:           %[[V:.*]] = scf.if %first -> (f64) {
// CHECK-NEXT:        scf.yield %x
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %[[P]]
// CHECK:           scf.if %[[THERE]] -> (f64) {
// CHECK-NEXT:        scf.yield %[[V]]
func.func @in_a_branch(%lo: index, %hi: index, %x: f64, %first: i1, %V: tensor<?xf64>) -> f64 {
  %s = diablo.var "s" = %x : f64
  diablo.for ordered %k = %lo to %hi {
    %v = tensor.extract %V[%k] : tensor<?xf64>
    %p = diablo.var "p" = %v : f64
    %chosen = scf.if %first -> (f64) {
      scf.yield %x : f64
    } else {
      %now = diablo.load %p : !diablo.ref<f64>
      scf.yield %now : f64
    }
    diablo.store %chosen, %s : !diablo.ref<f64>
  }
  %0 = diablo.load %s : !diablo.ref<f64>
  func.return %0 : f64
}

// A value that is required, by itself and in a branch.
// CHECK-LABEL: func.func @required
// CHECK:           %[[X:.*]], %[[FOUND:.*]] = comprehension.probe %m[%{{.*}}]
// CHECK:           scf.if %[[FOUND]] -> (f64) {
// CHECK-NEXT:        scf.yield %[[X]] : f64
// CHECK:           %[[ALL:.*]] = scf.if %first -> (i1) {
// CHECK:             %{{.*}}, %[[FOUND:.*]] = comprehension.probe %m[%{{.*}}]
// CHECK-NEXT:        %[[TEST:.*]] = scf.if %[[FOUND]] -> (i1) {
// CHECK:             scf.yield %[[TEST]] : i1
// CHECK:           scf.if %[[ALL]] -> (f64) {
// CHECK-NEXT:        %[[V:.*]] = scf.if %first -> (f64) {
// CHECK-NEXT:          %[[X:.*]], %{{.*}} = comprehension.probe
// CHECK-NEXT:          scf.yield %[[X]] : f64
// CHECK:             scf.yield %[[V]] : f64
func.func @required(
    %m: !comprehension.bag<keys = 1, index, f64>, %lo: index, %hi: index, %x: f64, %first: i1)
    -> f64 {
  %s = diablo.var "s" = %x : f64
  diablo.for ordered %k = %lo to %hi {
    %v, %found = comprehension.probe %m[%k] : !comprehension.bag<keys = 1, index, f64>
    %there = diablo.require %v if %found : f64
    diablo.store %there, %s : !diablo.ref<f64>
    %chosen = scf.if %first -> (f64) {
      %w, %is_there = comprehension.probe %m[%k] : !comprehension.bag<keys = 1, index, f64>
      %value = diablo.require %w if %is_there : f64
      scf.yield %value : f64
    } else {
      scf.yield %x : f64
    }
    diablo.store %chosen, %s : !diablo.ref<f64>
  }
  %0 = diablo.load %s : !diablo.ref<f64>
  func.return %0 : f64
}

// Outside of loops it fails.
// CHECK-LABEL: func.func @required_once
// CHECK-NEXT:    cf.assert %found, "there is no such element"
// CHECK-NEXT:    func.return %x
func.func @required_once(%x: f64, %found: i1) -> f64 {
  %value = diablo.require %x if %found : f64
  func.return %value : f64
}

// Where a test asks for what is not there, a variable keeps its value if it would be updated.
// CHECK-LABEL: func.func @updated
// CHECK:         scf.while
// CHECK:           %[[IN:.*]] = arith.cmpi ult
// CHECK-NEXT:      %[[T:.*]] = scf.if %[[IN]] -> (f64) {
// CHECK-NEXT:        tensor.extract
// CHECK:             scf.yield %x : f64
// CHECK:           %{{.*}}, %{{.*}} = scf.if %first -> (f64, i1) {
// CHECK:             scf.yield %[[T]], %{{.*}} : f64, i1
func.func @updated(%lo: index, %hi: index, %x: f64, %first: i1, %V: tensor<?xf64>) -> f64 {
  %s = diablo.var "s" = %x : f64
  diablo.for ordered %k = %lo to %hi {
    %t = diablo.var "t" = %x : f64
    %v = tensor.extract %V[%k] : tensor<?xf64>
    %c = arith.cmpf ogt, %v, %x : f64
    scf.if %c {
      diablo.accumulate add %x, %t : !diablo.ref<f64>
    }
    scf.if %first {
      %w = tensor.extract %V[%lo] : tensor<?xf64>
      diablo.store %w, %t : !diablo.ref<f64>
    }
    %0 = diablo.load %t : !diablo.ref<f64>
    diablo.store %0, %s : !diablo.ref<f64>
  }
  %0 = diablo.load %s : !diablo.ref<f64>
  func.return %0 : f64
}

// A statement takes along all that it reads, also a choice that reads a variable.
// CHECK-LABEL: func.func @chosen_by_a_key
// CHECK:           ^{{.*}}(%[[K:.*]]: index, %[[S:.*]]: f64):
// CHECK-NEXT:      %{{.*}}, %[[FOUND:.*]] = comprehension.probe
// CHECK-NEXT:      scf.if %[[FOUND]] -> (f64) {
func.func @chosen_by_a_key(
    %m: !comprehension.bag<keys = 1, index, i1>, %lo: index, %hi: index, %x: f64) -> f64 {
  %M = diablo.var "M" = %m : !comprehension.bag<keys = 1, index, i1>
  %s = diablo.var "s" = %x : f64
  diablo.for ordered %k = %lo to %hi {
    %c = diablo.load %M[%k] : !diablo.ref<!comprehension.bag<keys = 1, index, i1>>
    %chosen = scf.if %c -> (f64) {
      %now = diablo.load %s : !diablo.ref<f64>
      scf.yield %now : f64
    } else {
      scf.yield %x : f64
    }
    diablo.store %chosen, %s : !diablo.ref<f64>
  }
  %0 = diablo.load %s : !diablo.ref<f64>
  func.return %0 : f64
}
