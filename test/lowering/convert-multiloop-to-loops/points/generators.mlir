// RUN: diablo-opt %s -p convert-multiloop-to-loops,canonicalize,cse --split-input-file | filecheck %s
// RUN: diablo-opt %s -p convert-multiloop-to-loops --split-input-file --remarks 2>&1 | filecheck %s --check-prefix=REMARK

// The generators of one loop over the same points are one nest.
// CHECK-LABEL: func.func @together(
// CHECK-SAME:      %x: memref<?xf64>, %n: index, %all: memref<?xf64>, %sum: memref<f64>)
// CHECK:         %[[S:.*]] = scf.for %i = %zero to %n step %one iter_args(%acc = %identity) -> (f64) {
// CHECK:           memref.store %{{.*}}, %all[%i]
// CHECK:           arith.addf %acc
// CHECK:         }
// CHECK-NOT:     scf.for
// CHECK:         memref.store %[[S]], %sum[]
func.func @together(%x: tensor<?xf64>, %n: index) -> (tensor<?xf64>, f64) {
  %all, %sum = multiloop.loop points(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64>, f64 {
  ^bb0(%i: index, %a: f64, %places: !multiloop.place<f64>, %total: !multiloop.reduce<add : f64>):
    %b = arith.mulf %a, %a : f64
    multiloop.emit %places[%i : index](%b : f64)
    multiloop.emit %total(%a : f64)
  }
  func.return %all, %sum : tensor<?xf64>, f64
}

// -----

// A table whose keys are the first indices is a fold of what lies along the others, in a register.
// CHECK-LABEL: func.func @rows(
// CHECK:         scf.for %i
// CHECK:           scf.for %j
// CHECK-NOT:         memref.store
// CHECK:             scf.yield
// CHECK:           memref.store
func.func @rows(%A: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %s = multiloop.loop points(d0 < %n, d1 < %m) into(%n) ins(%A[d0, d1] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %sums: !multiloop.table<add : f64>):
    multiloop.emit %sums[%i : index](%a : f64)
  }
  func.return %s : tensor<?xf64>
}

// -----

// With other extents it is one of buckets, for which each point asks whether there is one.
// CHECK-LABEL: func.func @buckets(
// CHECK:         scf.for %i
// CHECK:           scf.for %j
// CHECK:             arith.cmpi {{.*}}, %i
// CHECK:             scf.if
func.func @buckets(%A: tensor<?x?xf64>, %n: index, %m: index, %k: index) -> tensor<?xf64> {
  %s = multiloop.loop points(d0 < %n, d1 < %m) into(%k) ins(%A[d0, d1] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %sums: !multiloop.table<add : f64>):
    multiloop.emit %sums[%i : index](%a : f64)
  }
  func.return %s : tensor<?xf64>
}

// -----

// REMARK: remark: no loops over buffers: a point emits no value, several, or one on a condition
// CHECK-LABEL: func.func @sometimes
// CHECK:         multiloop.loop
func.func @sometimes(%x: tensor<?xf64>, %n: index, %c: i1) -> f64 {
  %s = multiloop.loop points(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %a: f64, %sum: !multiloop.reduce<add : f64>):
    scf.if %c {
      multiloop.emit %sum(%a : f64)
    }
  }
  func.return %s : f64
}

// -----

// REMARK: remark: no loops over buffers: a point emits an element for another place
// CHECK-LABEL: func.func @turned
// CHECK:         multiloop.loop
func.func @turned(%A: tensor<?x?xf64>, %n: index) -> tensor<?x?xf64> {
  %s = multiloop.loop points(d0 < %n, d1 < %n) ins(%A[d0, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %all: !multiloop.place<f64, 2>):
    multiloop.emit %all[%j, %i : index, index](%a : f64)
  }
  func.return %s : tensor<?x?xf64>
}

// -----

// REMARK: remark: no loops over buffers: points are not emitted to !multiloop.scan<add : f64>
// CHECK-LABEL: func.func @scanned
// CHECK:         multiloop.loop
func.func @scanned(%x: tensor<?xf64>, %n: index) -> f64 {
  %s = multiloop.loop points(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %a: f64, %sum: !multiloop.scan<add : f64>):
    %so_far = multiloop.emit %sum(%a : f64)
  }
  func.return %s : f64
}

// -----

// A key that is a value besides is computed.
// CHECK-LABEL: func.func @key_as_value(
// CHECK:         scf.for %i =
// CHECK:           scf.for %j =
// CHECK:             %[[INDEX:.+]] = arith.addi %i, %o : index
// CHECK-NEXT:        %[[KEY:.+]] = arith.subi %[[INDEX]], %o : index
// CHECK-NEXT:        arith.addi %{{.+}}, %[[KEY]] : index
func.func @key_as_value(%n: index, %m: index, %o: index, %z: index) -> tensor<?xindex> {
  %s = multiloop.loop points(d0 < %n, d1 < %m) offsets(%o, %z) into(%n) -> tensor<?xindex> {
  ^bb0(%i: index, %j: index, %all: !multiloop.table<add : index>):
    %k = arith.subi %i, %o : index
    multiloop.emit %all[%k : index](%k : index)
  }
  func.return %s : tensor<?xindex>
}
