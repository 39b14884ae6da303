// RUN: diablo-opt %s -p comprehension-normalize | filecheck %s
// Element reads become generators and guards.

// One generator for two equal reads; the subscript may be computed.
// CHECK-LABEL: func.func @shared
// CHECK:         comprehension.build (%n) : tensor<?xf64> {
// CHECK-NEXT:      %i = comprehension.range %lo to %n
// CHECK-NEXT:      %[[I:.*]], %[[A:.*]] = comprehension.each %A full : tensor<?xf64>
// CHECK-NEXT:      %[[P:.*]] = arith.cmpi eq, %[[I]], %i : index
// CHECK-NEXT:      comprehension.guard %[[P]]
// CHECK:           %[[K:.*]] = arith.subi %i, %{{.*}} : index
// CHECK-NEXT:      %[[J:.*]], %[[B:.*]] = comprehension.each %A full : tensor<?xf64>
// CHECK-NEXT:      %[[Q:.*]] = arith.cmpi eq, %[[J]], %[[K]] : index
// CHECK-NEXT:      comprehension.guard %[[Q]]
// CHECK-NEXT:      %[[S:.*]] = arith.addf %[[A]], %[[A]] : f64
// CHECK-NEXT:      %[[T:.*]] = arith.addf %[[S]], %[[B]] : f64
// CHECK-NEXT:      comprehension.yield (%i) %[[T]]
// CHECK-NOT:     tensor.extract
func.func @shared(%A: tensor<?xf64>, %lo: index, %n: index) -> tensor<?xf64> {
  %R = comprehension.build (%n) : tensor<?xf64> {
    %i = comprehension.range %lo to %n
    %a = tensor.extract %A[%i] : tensor<?xf64>
    %b = tensor.extract %A[%i] : tensor<?xf64>
    %one = arith.constant 1 : index
    %k = arith.subi %i, %one : index
    %c = tensor.extract %A[%k] : tensor<?xf64>
    %s = arith.addf %a, %b : f64
    %t = arith.addf %s, %c : f64
    comprehension.yield (%i) %t
  }
  func.return %R : tensor<?xf64>
}

// What a generator binds is not read again.
// CHECK-LABEL: func.func @bound
// CHECK:           %i, %a = comprehension.each %A : tensor<?xf64>
// CHECK-NEXT:      comprehension.yield %a
func.func @bound(%A: tensor<?xf64>) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %A : tensor<?xf64>
    %b = tensor.extract %A[%i] : tensor<?xf64>
    comprehension.yield %b
  }
  func.return %r : f64
}

// Outside comprehensions a read stays, and so does one in a branch there.
// CHECK-LABEL: func.func @outside
// CHECK:         tensor.extract
// CHECK:           tensor.extract
func.func @outside(%A: tensor<?xf64>, %c: i1, %i: index) -> f64 {
  %a = tensor.extract %A[%i] : tensor<?xf64>
  %r = scf.if %c -> (f64) {
    %b = tensor.extract %A[%i] : tensor<?xf64>
    scf.yield %b : f64
  } else {
    scf.yield %a : f64
  }
  func.return %r : f64
}

// Whether an array has an element is a test of the index; a map is asked.
// CHECK-LABEL: func.func @probed
// CHECK:           %[[LOW:.*]] = arith.cmpi sge, %i, %{{.*}} : index
// CHECK-NEXT:      %[[HIGH:.*]] = arith.cmpi slt, %i, %{{.*}} : index
// CHECK:           %[[LEFT:.*]] = arith.cmpi sge, %j, %{{.*}} : index
// CHECK-NEXT:      %[[RIGHT:.*]] = arith.cmpi slt, %j, %{{.*}} : index
// CHECK-NEXT:      %{{.*}}, %{{.*}} = comprehension.probe %A[%i, %j] : tensor<?x?xf64>
// CHECK-NEXT:      comprehension.guard %[[LOW]]
// CHECK-NEXT:      comprehension.guard %[[HIGH]]
// CHECK-NEXT:      comprehension.guard %[[LEFT]]
// CHECK-NEXT:      comprehension.guard %[[RIGHT]]
// CHECK:           %{{.*}}, %[[FOUND:.*]] = comprehension.probe %M[%i]
// CHECK-NEXT:      comprehension.guard %[[FOUND]]
func.func @probed(
    %A: tensor<?x?xf64>, %M: !comprehension.bag<keys = 1, index, f64>, %n: index, %j: index
) -> tensor<?xf64> {
  %R = comprehension.build (%n) : tensor<?xf64> {
    %i = comprehension.range %j to %n
    %a, %inside = comprehension.probe %A[%i, %j] : tensor<?x?xf64>
    comprehension.guard %inside
    %m, %found = comprehension.probe %M[%i] : !comprehension.bag<keys = 1, index, f64>
    comprehension.guard %found
    %s = arith.addf %a, %m : f64
    comprehension.yield (%i) %s
  }
  func.return %R : tensor<?xf64>
}
