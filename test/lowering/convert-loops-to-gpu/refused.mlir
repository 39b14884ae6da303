// What stays as it is, and why.
// RUN: diablo-opt %s -p convert-loops-to-gpu --remarks --split-input-file 2>&1 | filecheck %s

// CHECK: 'in_order' does not run on a GPU: arith.addf makes of what a loop carries what depends on the order
// CHECK: func.func @in_order
func.func @in_order(%a: memref<?xf64>, %n: index, %r: memref<f64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = arith.constant 0.0 : f64
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %x) -> (f64) {
    %e = memref.load %a[%i] : memref<?xf64>
    %t = arith.addf %acc, %e : f64
    scf.yield %t : f64
  }
  memref.store %sum, %r[] : memref<f64>
  func.return
}

// -----

// CHECK: 'bins' does not run on a GPU: the order in which threads combine f64 by 'add' in memory is another one each time
// CHECK: func.func @bins
func.func @bins(%a: memref<?xindex>, %n: index, %r: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c = arith.constant 1.0 : f64
  scf.for %i = %zero to %n step %one {
    %k = memref.load %a[%i] : memref<?xindex>
    %old = memref.load %r[%k] : memref<?xf64>
    %new = arith.addf %old, %c fastmath<reassoc,contract> : f64
    memref.store %new, %r[%k] : memref<?xf64>
  }
  func.return
}

// -----

// CHECK: 'prefix' does not run on a GPU: iterations store to the same elements, or read what others store
// CHECK: func.func @prefix
func.func @prefix(%n: index, %r: memref<?xf64>) {
  %one = arith.constant 1 : index
  scf.for %i = %one to %n step %one {
    %before = arith.subi %i, %one : index
    %x = memref.load %r[%before] : memref<?xf64>
    memref.store %x, %r[%i] : memref<?xf64>
  }
  func.return
}

// -----

// The element that is counted up is read elsewhere.
// CHECK: 'read' does not run on a GPU: iterations read what others store
func.func @read(%a: memref<?xindex>, %n: index, %r: memref<?xi64>, %s: memref<?xi64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c = arith.constant 1 : i64
  scf.for %i = %zero to %n step %one {
    %k = memref.load %a[%i] : memref<?xindex>
    %old = memref.load %r[%k] : memref<?xi64>
    %new = arith.addi %old, %c : i64
    memref.store %new, %r[%k] : memref<?xi64>
    %other = memref.load %r[%i] : memref<?xi64>
    memref.store %other, %s[%i] : memref<?xi64>
  }
  func.return
}

// -----

// CHECK: 'strided' does not run on a GPU: a loop takes larger steps than one
func.func @strided(%n: index, %r: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %c = arith.constant 1.0 : f64
  scf.for %i = %zero to %n step %two {
    memref.store %c, %r[%i] : memref<?xf64>
  }
  func.return
}

// -----

// CHECK: 'twice' does not run on a GPU: a loop does more with what it carries than to fold it
func.func @twice(%a: memref<?xi64>, %n: index, %r: memref<i64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c = arith.constant 1 : i64
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (i64) {
    %t = arith.addi %acc, %acc : i64
    scf.yield %t : i64
  }
  memref.store %sum, %r[] : memref<i64>
  func.return
}

// -----

// CHECK: 'mixed' does not run on a GPU: a loop folds by several monoids, or by none
func.func @mixed(%a: memref<?xi64>, %n: index, %r: memref<i64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c = arith.constant 1 : i64
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (i64) {
    %x = memref.load %a[%i] : memref<?xi64>
    %t = arith.addi %acc, %x : i64
    %u = arith.muli %t, %x : i64
    scf.yield %u : i64
  }
  memref.store %sum, %r[] : memref<i64>
  func.return
}

// -----

// A branch that forgets what is carried is no fold.
// CHECK: 'forgets' does not run on a GPU: a loop does more with what it carries than to fold it
func.func @forgets(%a: memref<?xi64>, %n: index, %p: i1, %r: memref<i64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c = arith.constant 1 : i64
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (i64) {
    %x = memref.load %a[%i] : memref<?xi64>
    %t = arith.addi %acc, %x : i64
    %u = scf.if %p -> (i64) {
      scf.yield %t : i64
    } else {
      scf.yield %x : i64
    }
    scf.yield %u : i64
  }
  memref.store %sum, %r[] : memref<i64>
  func.return
}

// -----

// CHECK: 'condition' does not run on a GPU: scf.if stands between loops
func.func @condition(%p: i1, %r: memref<i64>) {
  %c = arith.constant 1 : i64
  scf.if %p {
    memref.store %c, %r[] : memref<i64>
  }
  func.return
}

// -----

// CHECK: 'beside' does not run on a GPU: a fold stores elements beside its innermost loop
func.func @beside(%a: memref<?x?xi64>, %n: index, %m: index, %s: memref<?x?xi64>, %r: memref<i64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c = arith.constant 0 : i64
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (i64) {
    %row = scf.for %j = %zero to %m step %one iter_args(%own = %acc) -> (i64) {
      %x = memref.load %a[%i, %j] : memref<?x?xi64>
      %t = arith.addi %own, %x : i64
      scf.yield %t : i64
    }
    memref.store %c, %s[%i, %i] : memref<?x?xi64>
    scf.yield %row : i64
  }
  memref.store %sum, %r[] : memref<i64>
  func.return
}

// -----

// CHECK: 'filled' does not run on a GPU: a scan loads what it stores
func.func @filled(%a: memref<?xi64>, %n: index, %x: i64, %r: memref<?xi64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %t = scf.for %i = %zero to %n step %one iter_args(%acc = %none) -> (i64) {
    memref.store %x, %a[%i] : memref<?xi64>
    %v = memref.load %a[%i] : memref<?xi64>
    %next = arith.addi %acc, %v : i64
    memref.store %next, %r[%i] : memref<?xi64>
    scf.yield %next : i64
  }
  func.return
}
