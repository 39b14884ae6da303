// RUN: diablo-opt %s -p expand-reads,canonicalize | filecheck %s
// A read is a generator, which drops the rows outside the array.

// Zero times an element is zero, but only where there is an element.
// CHECK-LABEL: func.func @unused
// CHECK:         comprehension.build (%n) : tensor<?xi64> {
// CHECK:           %i = comprehension.range
// CHECK:           %[[I:.*]], %{{.*}} = comprehension.each %A full : tensor<?xi64>
// CHECK-NEXT:      %[[P:.*]] = arith.cmpi eq, %[[I]], %i : index
// CHECK-NEXT:      comprehension.guard %[[P]]
// CHECK:           comprehension.yield (%i) %{{.*}}
// CHECK-NOT:     tensor.extract
func.func @unused(%A: tensor<?xi64>, %n: index) -> tensor<?xi64> {
  %zero = arith.constant 0 : index
  %R = comprehension.build (%n) : tensor<?xi64> {
    %i = comprehension.range %zero to %n
    %a = tensor.extract %A[%i] : tensor<?xi64>
    %none = arith.constant 0 : i64
    %v = arith.muli %a, %none : i64
    comprehension.yield (%i) %v
  }
  func.return %R : tensor<?xi64>
}

// An array that the row holds is looked into: a generator would run over an array per row.
// CHECK-LABEL: func.func @of_a_row
// CHECK:           %i, %v = comprehension.each %A
// CHECK-NEXT:      %[[X:.*]], %[[IN:.*]] = comprehension.probe %v[%i] : tensor<?xf64>
// CHECK-NEXT:      comprehension.guard %[[IN]]
// CHECK-NEXT:      comprehension.yield (%i) %[[X]]
func.func @of_a_row(%A: tensor<?xtensor<?xf64>>, %n: index) -> tensor<?xf64> {
  %R = comprehension.build (%n) : tensor<?xf64> {
    %i, %v = comprehension.each %A : tensor<?xtensor<?xf64>>
    %x = tensor.extract %v[%i] : tensor<?xf64>
    comprehension.yield (%i) %x
  }
  func.return %R : tensor<?xf64>
}

// What is read on a condition is there if it has been read without one; another element may be.
// CHECK-LABEL: func.func @on_a_condition
// CHECK:           %{{.*}}, %[[A:.*]] = comprehension.each %A full : tensor<?xf64>
// CHECK-NOT:       comprehension.probe %A[%i]
// CHECK:           %[[NEXT:.*]], %[[IN:.*]] = comprehension.probe %A[%j] : tensor<?xf64>
// CHECK:           arith.select %{{.*}}, %[[A]], %[[NEXT]] : f64
func.func @on_a_condition(%A: tensor<?xf64>, %n: index, %x: f64) -> tensor<?xf64> {
  %zero, %one = "test.op"() : () -> (index, index)
  %R = comprehension.build (%n) : tensor<?xf64> {
    %i = comprehension.range %zero to %n
    %j = arith.addi %i, %one : index
    %a = tensor.extract %A[%i] : tensor<?xf64>
    %c = arith.cmpf olt, %a, %x : f64
    %b, %there = comprehension.probe %A[%i] : tensor<?xf64>
    %d, %inside = comprehension.probe %A[%j] : tensor<?xf64>
    %either = arith.ori %c, %inside : i1
    %both = arith.andi %either, %there : i1
    comprehension.guard %both
    %v = arith.select %c, %b, %d : f64
    comprehension.yield (%i) %v
  }
  func.return %R : tensor<?xf64>
}

// An inner array whose place does not vary with the rows is read before them, once; where there is
// none, all rows are dropped.
// CHECK-LABEL: func.func @inner_array
// CHECK:         %[[K:.*]] = arith.addi %k, %one : index
// CHECK:         %[[SIZE:.*]] = tensor.dim %A
// CHECK-NEXT:    %[[IN:.*]] = arith.cmpi ult, %[[K]], %[[SIZE]] : index
// CHECK-NEXT:    %[[V:.*]] = scf.if %[[IN]] -> (tensor<?xf64>) {
// CHECK-NEXT:      %[[READ:.*]] = tensor.extract %A[%[[K]]]
// CHECK-NEXT:      scf.yield %[[READ]]
// CHECK-NEXT:    } else {
// CHECK:           comprehension.build
// CHECK:             comprehension.guard
// CHECK:         }
// CHECK-NOT:     scf.if
// CHECK:         comprehension.build (%n)
// CHECK:           %i = comprehension.range
// CHECK:           comprehension.aggregate add : f64 {
// CHECK:             comprehension.guard %[[IN]]
// CHECK-NEXT:        comprehension.each %[[V]] full : tensor<?xf64>
func.func @inner_array(%A: tensor<?xtensor<?xf64>>, %k: index, %n: index) -> tensor<?xf64> {
  %zero, %one = "test.op"() : () -> (index, index)
  %R = comprehension.build (%n) : tensor<?xf64> {
    %i = comprehension.range %zero to %n
    %s = comprehension.aggregate add : f64 {
      %j = comprehension.range %zero to %n
      %next = arith.addi %k, %one : index
      %v = tensor.extract %A[%next] : tensor<?xtensor<?xf64>>
      %x = tensor.extract %v[%j] : tensor<?xf64>
      %again = arith.addi %k, %one : index
      %w = tensor.extract %A[%again] : tensor<?xtensor<?xf64>>
      %y = tensor.extract %w[%i] : tensor<?xf64>
      %z = arith.addf %x, %y : f64
      comprehension.yield %z
    }
    comprehension.yield (%i) %s
  }
  func.return %R : tensor<?xf64>
}

// Not at a place that varies, nor where to compute it may fail, nor from an array that rows make,
// nor of strings, of which there is no zero.
// CHECK-LABEL: func.func @inner_arrays_of_rows
// CHECK-NOT:     scf.if
// CHECK:         func.return
func.func @inner_arrays_of_rows(%A: tensor<?xtensor<?xf64>>, %B: tensor<?xtensor<?x!comprehension.string>>, %n: index, %m: i64) -> tensor<?xf64> {
  %zero = "test.op"() : () -> index
  %R = comprehension.build (%n) : tensor<?xf64> {
    %i = comprehension.range %zero to %n
    %v = tensor.extract %A[%i] : tensor<?xtensor<?xf64>>
    %x = tensor.extract %v[%i] : tensor<?xf64>
    %quotient = arith.divsi %m, %m : i64
    %k = arith.index_cast %quotient : i64 to index
    %w = tensor.extract %A[%k] : tensor<?xtensor<?xf64>>
    %y = tensor.extract %w[%i] : tensor<?xf64>
    %u = tensor.extract %B[%n] : tensor<?xtensor<?x!comprehension.string>>
    %s = tensor.extract %u[%i] : tensor<?x!comprehension.string>
    %z = arith.addf %x, %y : f64
    comprehension.yield (%i) %z
  }
  func.return %R : tensor<?xf64>
}
