// Products of a sparse matrix of floats of 32 bits, added up in 64 by the threads of a GPU.
// RUN: diablo-opt %s -p widen-entry-sums | filecheck %s

// CHECK-LABEL: func.func @row
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:    %s = scf.for {{.*}} iter_args(%acc = %[[ZERO]]) -> (f64) {
// CHECK:           %[[A:.*]] = arith.extf %a : f32 to f64
// CHECK-NEXT:      %[[B:.*]] = arith.extf %b : f32 to f64
// CHECK-NEXT:      %[[T:.*]] = arith.mulf %[[A]], %[[B]] : f64
// CHECK-NEXT:      %[[U:.*]] = arith.addf %acc, %[[T]] fastmath<reassoc> : f64
// CHECK-NEXT:      scf.yield %[[U]] : f64
// CHECK:         %[[R:.*]] = arith.truncf %s : f64 to f32
// CHECK-NEXT:    memref.store %[[R]], %y[]
func.func @row(%starts: memref<?xindex>, %values: memref<?xf32>, %x: memref<?xf32>, %y: memref<f32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f32
  %begin = memref.load %starts[%zero] : memref<?xindex>
  %end = memref.load %starts[%one] : memref<?xindex>
  %s = scf.for %p = %begin to %end step %one iter_args(%acc = %none) -> (f32) {
    %a = memref.load %values[%p] : memref<?xf32>
    %b = memref.load %x[%p] : memref<?xf32>
    %t = arith.mulf %a, %b : f32
    %u = arith.addf %acc, %t fastmath<reassoc> : f32
    scf.yield %u : f32
  }
  memref.store %s, %y[] : memref<f32>
  func.return
}

// How long a loop is shows before, and it may be a short one.
// CHECK-LABEL: func.func @window
// CHECK-NOT:     f64
// CHECK:         func.return
func.func @window(%n: index, %x: memref<?xf32>, %y: memref<f32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f32
  %s = scf.for %p = %zero to %n step %one iter_args(%acc = %none) -> (f32) {
    %a = memref.load %x[%p] : memref<?xf32>
    %u = arith.addf %acc, %a fastmath<reassoc> : f32
    scf.yield %u : f32
  }
  memref.store %s, %y[] : memref<f32>
  func.return
}

// What else looks at what is carried so far needs it as it is.
// CHECK-LABEL: func.func @looked_at
// CHECK-NOT:     f64
// CHECK:         func.return
func.func @looked_at(%starts: memref<?xindex>, %x: memref<?xf32>, %y: memref<?xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f32
  %end = memref.load %starts[%one] : memref<?xindex>
  %s = scf.for %p = %zero to %end step %one iter_args(%acc = %none) -> (f32) {
    %a = memref.load %x[%p] : memref<?xf32>
    %u = arith.addf %acc, %a : f32
    memref.store %acc, %y[%p] : memref<?xf32>
    scf.yield %u : f32
  }
  func.return
}
