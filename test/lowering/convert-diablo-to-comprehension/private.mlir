// RUN: diablo-opt %s -p convert-diablo-to-comprehension | filecheck %s
// A variable that is declared in a loop's body is private to the iteration.

!vector = tensor<?xf64>

// An inner loop that accumulates into it becomes a nested aggregate.
// CHECK-LABEL: func.func @sums
// CHECK-NEXT:    %V = comprehension.merge %v : tensor<?xf64> {
// CHECK-NEXT:      %i = comprehension.range %lo to %hi
// CHECK-NEXT:      %[[A:.*]] = comprehension.aggregate add : f64 {
// CHECK-NEXT:        %j = comprehension.range %lo to %i
// CHECK-NEXT:        %[[X:.*]] = tensor.extract %m[%i, %j] : tensor<?x?xf64>
// CHECK-NEXT:        comprehension.yield %[[X]]
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[S:.*]] = arith.addf %zero, %[[A]] : f64
// CHECK-NEXT:      comprehension.yield (%i) %[[S]]
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %V
func.func @sums(%m: tensor<?x?xf64>, %v: !vector, %lo: index, %hi: index, %zero: f64) -> !vector {
  %V = diablo.var "V" = %v : !vector
  diablo.for %i = %lo to %hi {
    %s = diablo.var "s" = %zero : f64
    diablo.for %j = %lo to %i {
      %x = tensor.extract %m[%i, %j] : tensor<?x?xf64>
      diablo.accumulate add %x, %s : !diablo.ref<f64>
    }
    %sum = diablo.load %s : !diablo.ref<f64>
    diablo.store %sum, %V[%i] : !diablo.ref<!vector>
  }
  %0 = diablo.load %V : !diablo.ref<!vector>
  func.return %0 : !vector
}

// An assignment binds the variable again; under a test it selects. What could fail, and a read,
// are evaluated only where the test holds; an iteration whose read finds nothing is dropped.
// CHECK-LABEL: func.func @tests
// CHECK-NEXT:    %W = comprehension.merge %v : tensor<?xf64> {
// CHECK-NEXT:      %i = comprehension.range %lo to %hi
// CHECK-NEXT:      %[[N:.*]] = arith.index_cast %i : index to i64
// CHECK-NEXT:      %[[C:.*]] = arith.cmpi ne, %[[N]], %k : i64
// CHECK-NEXT:      %[[Q:.*]] = scf.if %[[C]] -> (i64) {
// CHECK-NEXT:        %[[D:.*]] = arith.divsi %k, %[[N]] : i64
// CHECK-NEXT:        scf.yield %[[D]] : i64
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[Z:.*]] = arith.constant 0 : i64
// CHECK-NEXT:        scf.yield %[[Z]] : i64
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[J:.*]] = arith.index_cast %[[Q]] : i64 to index
// CHECK-NEXT:      %[[X:.*]], %[[IN:.*]] = comprehension.probe %v[%[[J]]] : tensor<?xf64>
// CHECK-NEXT:      %[[T:.*]] = arith.constant true
// CHECK-NEXT:      %[[NOT:.*]] = arith.xori %[[C]], %[[T]] : i1
// CHECK-NEXT:      %[[OK:.*]] = arith.ori %[[NOT]], %[[IN]] : i1
// CHECK-NEXT:      %x = scf.if %[[C]] -> (f64) {
// CHECK-NEXT:        scf.yield %[[X]] : f64
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %zero : f64
// CHECK-NEXT:      }
// CHECK-NEXT:      comprehension.guard %[[OK]]
// CHECK-NEXT:      comprehension.yield (%i) %x
// CHECK-NEXT:    }
func.func @tests(%v: !vector, %lo: index, %hi: index, %k: i64, %zero: f64) -> !vector {
  %W = diablo.var "W" = %v : !vector
  diablo.for %i = %lo to %hi {
    %x = diablo.var "x" = %zero : f64
    %n = arith.index_cast %i : index to i64
    %c = arith.cmpi ne, %n, %k : i64
    scf.if %c {
      %q = arith.divsi %k, %n : i64
      %j = arith.index_cast %q : i64 to index
      %e = diablo.load %W[%j] : !diablo.ref<!vector>
      diablo.store %e, %x : !diablo.ref<f64>
    }
    %y = diablo.load %x : !diablo.ref<f64>
    diablo.store %y, %W[%i] : !diablo.ref<!vector>
  }
  %0 = diablo.load %W : !diablo.ref<!vector>
  func.return %0 : !vector
}

// An update of an element that may not be there leaves the variable as it is then; a test of such an
// element is made where the update is.
// CHECK-LABEL: func.func @missing
// CHECK-NEXT:    %W = comprehension.merge %v : tensor<?xf64> {
// CHECK-NEXT:      %i = comprehension.range %lo to %hi
// CHECK-NEXT:      %[[E:.*]], %[[FOUND:.*]] = comprehension.probe %c[%i] : tensor<?xf64>
// CHECK-NEXT:      %x = scf.if %[[FOUND]] -> (f64) {
// CHECK-NEXT:        %[[SUM:.*]] = arith.addf %zero, %[[E]] : f64
// CHECK-NEXT:        scf.yield %[[SUM]] : f64
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %zero : f64
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[A:.*]] = comprehension.aggregate add : f64 {
// CHECK-NEXT:        %[[T:.*]] = tensor.extract %c[%i] : tensor<?xf64>
// CHECK-NEXT:        %[[P:.*]] = arith.cmpf ogt, %[[T]], %zero : f64
// CHECK-NEXT:        comprehension.guard %[[P]]
// CHECK-NEXT:        comprehension.yield %one
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[Y:.*]] = arith.addf %x, %[[A]] : f64
// CHECK-NEXT:      comprehension.yield (%i) %[[Y]]
// CHECK-NEXT:    }
func.func @missing(%v: !vector, %c: !vector, %lo: index, %hi: index, %zero: f64, %one: f64) -> !vector {
  %W = diablo.var "W" = %v : !vector
  diablo.for %i = %lo to %hi {
    %x = diablo.var "x" = %zero : f64
    %e = tensor.extract %c[%i] : !vector
    diablo.accumulate add %e, %x : !diablo.ref<f64>
    %t = tensor.extract %c[%i] : !vector
    %p = arith.cmpf ogt, %t, %zero : f64
    scf.if %p {
      diablo.accumulate add %one, %x : !diablo.ref<f64>
    }
    %y = diablo.load %x : !diablo.ref<f64>
    diablo.store %y, %W[%i] : !diablo.ref<!vector>
  }
  %0 = diablo.load %W : !diablo.ref<!vector>
  func.return %0 : !vector
}

// A private array is merged for each iteration.
// CHECK-LABEL: func.func @arrays
// CHECK-NEXT:    %[[MAX:.*]] = comprehension.aggregate max : f64 {
// CHECK-NEXT:      %i = comprehension.range
// CHECK-NEXT:      %P = comprehension.merge %v : tensor<?xf64> {
// CHECK-NEXT:        %j = comprehension.range %lo to %i
// CHECK-NEXT:        comprehension.yield (%j) %zero
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[X:.*]] = tensor.extract %P[%i]
// CHECK-NEXT:      comprehension.yield %[[X]]
// CHECK-NEXT:    }
// CHECK-NEXT:    %s = arith.maximumf %zero, %[[MAX]] : f64
func.func @arrays(%v: !vector, %lo: index, %hi: index, %zero: f64) -> f64 {
  %s = diablo.var "s" = %zero : f64
  diablo.for %i = %lo to %hi {
    %P = diablo.var "P" = %v : !vector
    diablo.for %j = %lo to %i {
      diablo.store %zero, %P[%j] : !diablo.ref<!vector>
    }
    %x = diablo.load %P[%i] : !diablo.ref<!vector>
    diablo.accumulate max %x, %s : !diablo.ref<f64>
  }
  %0 = diablo.load %s : !diablo.ref<f64>
  func.return %0 : f64
}

// What is read for an assignment under a test alone drops no iteration in which the test fails.
// CHECK-LABEL: func.func @assigned_under_a_test
// CHECK:         %i = comprehension.range %lo to %hi
// CHECK-NEXT:    %[[C:.*]] = arith.cmpi slt, %i, %lo : index
// CHECK-NEXT:    %[[X:.*]], %[[FOUND:.*]] = comprehension.probe %w[%i] : tensor<?xf64>
// CHECK-NEXT:    %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT:    %[[AWAY:.*]] = arith.xori %[[C]], %[[TRUE]] : i1
// CHECK-NEXT:    %[[STAYS:.*]] = arith.ori %[[AWAY]], %[[FOUND]] : i1
// CHECK-NEXT:    %[[U:.*]] = scf.if %[[C]] -> (f64) {
// CHECK-NEXT:      scf.yield %[[X]] : f64
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %zero : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    comprehension.guard %[[STAYS]]
// CHECK-NEXT:    comprehension.yield (%i) %[[U]]
func.func @assigned_under_a_test(
    %w: !vector, %v: !vector, %lo: index, %hi: index, %zero: f64) -> !vector {
  %V = diablo.var "V" = %v : !vector
  diablo.for %i = %lo to %hi {
    %x = tensor.extract %w[%i] : !vector
    %t = diablo.var "t" = %x : f64
    %u = diablo.var "u" = %zero : f64
    %c = arith.cmpi slt, %i, %lo : index
    scf.if %c {
      %value = diablo.load %t : !diablo.ref<f64>
      diablo.store %value, %u : !diablo.ref<f64>
    }
    %0 = diablo.load %u : !diablo.ref<f64>
    diablo.store %0, %V[%i] : !diablo.ref<!vector>
  }
  %1 = diablo.load %V : !diablo.ref<!vector>
  func.return %1 : !vector
}

// What is computed of the element of a map comes behind the test that there is one.
// CHECK-LABEL: func.func @computed_of_a_key
// CHECK:         %[[X:.*]], %[[FOUND:.*]] = comprehension.probe %m[%{{.*}}]
// CHECK:         %[[STAYS:.*]] = arith.ori %{{.*}}, %[[FOUND]] : i1
// CHECK:         %[[SUM:.*]] = arith.addf %[[X]], %zero : f64
// CHECK:         %[[U:.*]] = scf.if
// CHECK:           scf.yield %[[SUM]] : f64
// CHECK:         comprehension.guard %[[STAYS]]
// CHECK-NEXT:    comprehension.yield (%i) %[[U]]
func.func @computed_of_a_key(
    %m: !comprehension.bag<keys = 1, i64, f64>, %v: !vector, %lo: index, %hi: index, %zero: f64)
    -> !vector {
  %M = diablo.var "M" = %m : !comprehension.bag<keys = 1, i64, f64>
  %V = diablo.var "V" = %v : !vector
  diablo.for %i = %lo to %hi {
    %u = diablo.var "u" = %zero : f64
    %c = arith.cmpi slt, %i, %lo : index
    scf.if %c {
      %key = arith.index_cast %i : index to i64
      %x = diablo.load %M[%key] : !diablo.ref<!comprehension.bag<keys = 1, i64, f64>>
      %sum = arith.addf %x, %zero : f64
      diablo.store %sum, %u : !diablo.ref<f64>
    }
    %0 = diablo.load %u : !diablo.ref<f64>
    diablo.store %0, %V[%i] : !diablo.ref<!vector>
  }
  %1 = diablo.load %V : !diablo.ref<!vector>
  func.return %1 : !vector
}

// A value that is required is so only for what names it, and updates that add it add nothing.
// CHECK-LABEL: func.func @required
// CHECK:         comprehension.merge %v
// CHECK:           %[[X:.*]], %[[FOUND:.*]] = comprehension.probe %m[%{{.*}}]
// CHECK-NEXT:      comprehension.guard %[[FOUND]]
// CHECK-NEXT:      comprehension.yield (%i) %[[X]]
// CHECK:         comprehension.merge
// CHECK:           %[[X:.*]], %[[FOUND:.*]] = comprehension.probe %m[%{{.*}}]
// CHECK-NEXT:      %[[SUM:.*]] = scf.if %[[FOUND]] -> (f64) {
// CHECK-NEXT:        arith.addf %zero, %[[X]]
// CHECK-NOT:       comprehension.guard
// CHECK:           comprehension.yield (%{{.*}}) %[[SUM]]
// CHECK:         comprehension.merge
// CHECK-NEXT:      %[[I:.*]] = comprehension.range
// CHECK-NEXT:      comprehension.yield (%[[I]]) %zero
func.func @required(
    %m: !comprehension.bag<keys = 1, i64, f64>, %v: !vector, %lo: index, %hi: index, %zero: f64)
    -> !vector {
  %V = diablo.var "V" = %v : !vector
  diablo.for %i = %lo to %hi {
    %t = diablo.var "t" = %zero : f64
    %u = diablo.var "u" = %zero : f64
    %key = arith.index_cast %i : index to i64
    %x, %found = comprehension.probe %m[%key] : !comprehension.bag<keys = 1, i64, f64>
    %there = diablo.require %x if %found : f64
    diablo.store %there, %t : !diablo.ref<f64>
    diablo.accumulate add %there, %u : !diablo.ref<f64>
    %0 = diablo.load %t : !diablo.ref<f64>
    diablo.store %0, %V[%i] : !diablo.ref<!vector>
    %1 = diablo.load %u : !diablo.ref<f64>
    diablo.store %1, %V[%i] : !diablo.ref<!vector>
    diablo.store %zero, %V[%i] : !diablo.ref<!vector>
  }
  %2 = diablo.load %V : !diablo.ref<!vector>
  func.return %2 : !vector
}

// What is required of a value with other uses drops nothing for these.
// CHECK-LABEL: func.func @required_of_an_index
// CHECK:         comprehension.merge %v
// CHECK-NEXT:      %i = comprehension.range
// CHECK-NEXT:      comprehension.yield (%i) %one
// CHECK:         comprehension.merge
// CHECK-NEXT:      %[[I:.*]] = comprehension.range
// CHECK-NEXT:      %[[C:.*]] = arith.cmpi slt, %[[I]], %hi
// CHECK-NEXT:      %[[J:.*]] = arith.select %[[C]], %[[I]], %[[I]]
// CHECK-NEXT:      comprehension.guard %[[C]]
// CHECK-NEXT:      comprehension.yield (%[[J]]) %one
func.func @required_of_an_index(%v: !vector, %lo: index, %hi: index, %one: f64) -> !vector {
  %V = diablo.var "V" = %v : !vector
  diablo.for %i = %lo to %hi {
    %c = arith.cmpi slt, %i, %hi : index
    %j = diablo.require %i if %c : index
    diablo.store %one, %V[%i] : !diablo.ref<!vector>
    diablo.store %one, %V[%j] : !diablo.ref<!vector>
  }
  %0 = diablo.load %V : !diablo.ref<!vector>
  func.return %0 : !vector
}
