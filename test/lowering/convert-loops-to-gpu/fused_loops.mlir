// Loops over the same points that follow one another are one kernel, where iterations allow it.
// RUN: diablo-opt %s -p convert-loops-to-gpu,canonicalize,cse --split-input-file | filecheck %s

// Two vectors, of the second of which squares are added up: one kernel, which loads nothing that it
// has stored, and one for what blocks leave.
// CHECK-LABEL: sym_name = "updates_kernels"
// CHECK:         scf.for %i = %{{.*}} to %n {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f64) {
// CHECK-NEXT:      %x = memref.load %a[%i] : memref<?xf64>
// CHECK-NEXT:      %y = arith.mulf %x, %x : f64
// CHECK-NEXT:      memref.store %y, %r[%i] : memref<?xf64>
// CHECK-NEXT:      %x_1 = memref.load %b[%i] : memref<?xf64>
// CHECK-NEXT:      %y_1 = arith.addf %x_1, %y : f64
// CHECK-NEXT:      memref.store %y_1, %q[%i] : memref<?xf64>
// CHECK-NEXT:      %square = arith.mulf %y_1, %y_1 : f64
// CHECK-NEXT:      %next = arith.addf %{{.*}}, %square fastmath<reassoc,contract> : f64
// CHECK-NEXT:      scf.yield %next : f64
// CHECK:         sym_name = "updates_0"
// CHECK:         sym_name = "updates_1"
// CHECK-NOT:     sym_name = "updates_2"
// CHECK-LABEL: func.func @updates
func.func @updates(%a: memref<?xf64>, %b: memref<?xf64>, %n: index, %r: memref<?xf64>, %q: memref<?xf64>, %s: memref<f64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = arith.mulf %x, %x : f64
    memref.store %y, %r[%i] : memref<?xf64>
  }
  %none = arith.constant 0 : index
  scf.for %j = %none to %n step %one {
    %x = memref.load %b[%j] : memref<?xf64>
    %x_1 = memref.load %r[%j] : memref<?xf64>
    %y = arith.addf %x, %x_1 : f64
    memref.store %y, %q[%j] : memref<?xf64>
  }
  %identity = arith.constant 0.0 : f64
  %sum = scf.for %k = %zero to %n step %one iter_args(%acc = %identity) -> (f64) {
    %x = memref.load %q[%k] : memref<?xf64>
    %square = arith.mulf %x, %x : f64
    %next = arith.addf %acc, %square fastmath<reassoc,contract> : f64
    scf.yield %next : f64
  }
  memref.store %sum, %s[] : memref<f64>
  func.return
}

// -----

// The second takes what other iterations of the first have stored.
// CHECK-LABEL: sym_name = "shifted_kernels"
// CHECK:         sym_name = "shifted_0"
// CHECK:         sym_name = "shifted_1"
// CHECK-LABEL: func.func @shifted
func.func @shifted(%a: memref<?xf64>, %n: index, %m: index, %r: memref<?xf64>, %q: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %r[%i] : memref<?xf64>
  }
  scf.for %j = %zero to %n step %one {
    %k = arith.subi %m, %j : index
    %x = memref.load %r[%k] : memref<?xf64>
    memref.store %x, %q[%j] : memref<?xf64>
  }
  func.return
}

// -----

// The second may store into memory of which the first loads elsewhere.
// CHECK-LABEL: sym_name = "beside_kernels"
// CHECK:         sym_name = "beside_0"
// CHECK:         sym_name = "beside_1"
// CHECK-LABEL: func.func @beside
func.func @beside(%a: memref<?xf64>, %n: index, %m: index, %r: memref<?xf64>, %q: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %k = arith.subi %m, %i : index
    %x = memref.load %a[%k] : memref<?xf64>
    memref.store %x, %r[%i] : memref<?xf64>
  }
  %two = arith.constant 2.0 : f64
  scf.for %j = %zero to %n step %one {
    memref.store %two, %q[%j] : memref<?xf64>
  }
  func.return
}

// -----

// Other extents, and a number that the first folds and the second takes.
// CHECK-LABEL: sym_name = "others_kernels"
// CHECK:         sym_name = "others_0"
// CHECK:         sym_name = "others_1"
// CHECK:         sym_name = "others_2"
// CHECK:         sym_name = "others_3"
// CHECK-LABEL: func.func @others
func.func @others(%a: memref<?xf64>, %n: index, %m: index, %r: memref<?xf64>, %q: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %identity = arith.constant 0.0 : f64
  scf.for %i = %zero to %n step %one {
    memref.store %identity, %r[%i] : memref<?xf64>
  }
  %sum = scf.for %k = %zero to %m step %one iter_args(%acc = %identity) -> (f64) {
    %x = memref.load %a[%k] : memref<?xf64>
    %next = arith.addf %acc, %x fastmath<reassoc,contract> : f64
    scf.yield %next : f64
  }
  scf.for %j = %zero to %m step %one {
    memref.store %sum, %q[%j] : memref<?xf64>
  }
  func.return
}
