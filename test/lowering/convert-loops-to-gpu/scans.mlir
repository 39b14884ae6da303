// Loops that use what they have folded so far.
// RUN: diablo-opt %s -p convert-loops-to-gpu,canonicalize,cse --split-input-file | filecheck %s

// Each block folds a run of iterations; one block scans what these have; then each goes through its
// run, 256 iterations at a time, and is held up before what they have in common changes.
// CHECK-LABEL: sym_name = "sums_kernels"
// CHECK:           scf.for %index = %{{.*}} iter_args(%{{.*}} = %identity) -> (i64) {
// CHECK-NOT:         memref.store %{{.*}}, %r[
// CHECK:           memref.store %{{.*}}, %partials[%block_x] : memref<1024xi64>
// CHECK:         sym_name = "sums_0"
// CHECK-COUNT-4:   memref.load %partials
// CHECK:           "gpu.barrier"
// CHECK-COUNT-4:   memref.store %{{.*}}, %partials
// CHECK:           memref.store %{{.*}}, %folded[] : memref<i64>
// CHECK:         sym_name = "sums_1"
// CHECK:           "gpu.barrier"
// CHECK:           scf.for %first = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK:             simt.shuffle_xor %{{.*}}, 1 : i64
// CHECK:             simt.shuffle_xor %{{.*}}, 16 : i64
// CHECK:             "gpu.barrier"
// CHECK:             scf.if
// CHECK:               memref.store %t, %r[%index] : memref<?xi64>
// CHECK:             "gpu.barrier"
// CHECK:             "gpu.barrier"
// CHECK:         sym_name = "sums_2"
// What stands behind is done by one thread, which finds the sum where it was left.
// CHECK:           memref.load %folded[]
// CHECK:         sym_name = "sums_3"
// CHECK-LABEL: func.func @sums(
func.func @sums(%a: memref<?xi64>, %n: index, %r: memref<?xi64>, %last: memref<i64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = arith.constant 5 : i64
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %x) -> (i64) {
    %e = memref.load %a[%i] : memref<?xi64>
    %t = arith.addi %acc, %e : i64
    memref.store %t, %r[%i] : memref<?xi64>
    scf.yield %t : i64
  }
  memref.store %sum, %last[] : memref<i64>
  func.return
}

// -----

// What is kept moves together: nothing is stored where it is only counted.
// CHECK-LABEL: sym_name = "kept_kernels"
// CHECK-NOT:       memref.store %{{.*}}, %r[
// CHECK:         sym_name = "kept_0"
// CHECK-NOT:       memref.store %{{.*}}, %r[
// CHECK:         sym_name = "kept_1"
// CHECK:               memref.store %{{.*}}, %r[%{{.*}}] : memref<?xf64>
// CHECK:         sym_name = "kept_2"
// Memory is taken, and a number waited for, between launches.
// CHECK-LABEL: func.func @kept(
// CHECK-SAME:      -> (memref<?xf64>, index) {
// CHECK:         %r = "gpu.alloc"(%n)
// CHECK-COUNT-3: "gpu.launch_func"
// CHECK:         %[[KNOWN:.*]] = memref.load %folded[] : memref<index>
// CHECK-NEXT:    func.return %r, %[[KNOWN]]
func.func @kept(%a: memref<?xf64>, %n: index) -> (memref<?xf64>, index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = arith.constant 0.0 : f64
  %r = memref.alloc(%n) : memref<?xf64>
  %count = scf.for %i = %zero to %n step %one iter_args(%at = %zero) -> (index) {
    %e = memref.load %a[%i] : memref<?xf64>
    %p = arith.cmpf ogt, %e, %x : f64
    %t = scf.if %p -> (index) {
      memref.store %e, %r[%at] : memref<?xf64>
      %s = arith.addi %at, %one : index
      scf.yield %s : index
    } else {
      scf.yield %at : index
    }
    scf.yield %t : index
  } {simt.folds = ["add"], simt.apart}
  %known = simt.look %count : index
  func.return %r, %known : memref<?xf64>, index
}

// -----

// Keys are put in order digit by digit; the buffers change places after each.
// CHECK-LABEL: sym_name = "sorted_kernels"
// CHECK:           simt.atomic add %{{.*}}, %shared[%digit] : memref<256xi32, 3 : i64>
// CHECK:           memref.store %{{.*}}, %counts[%{{.*}}] : memref<?xindex>
// CHECK:         sym_name = "sorted_0"
// CHECK:         sym_name = "sorted_3"
// CHECK:             memref.store %key, %sorted_keys[%[[TO:.*]]] : memref<?xi64>
// CHECK-NEXT:        memref.store %place, %sorted_places[%[[TO]]] : memref<?xindex>
// CHECK:         sym_name = "sorted_4"
// CHECK-LABEL: func.func @sorted(
// CHECK:         scf.for %shift = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[A:.*]] = %keys, %[[B:.*]] = %places, %[[C:.*]] = %keys_1, %[[D:.*]] = %places_1)
// CHECK-COUNT-5:   "gpu.launch_func"
// CHECK:           scf.yield %[[C]], %[[D]], %[[A]], %[[B]]
func.func @sorted(%keys: memref<?xi64>, %places: memref<?xindex>, %bits: index) {
  simt.sort %keys, %places, %bits : memref<?xi64>, memref<?xindex>
  %zero = arith.constant 0 : index
  memref.store %zero, %places[%zero] : memref<?xindex>
  func.return
}

// -----

// Memory that is taken here need not be where it was: there is a pass for each digit, and what comes
// behind reads what the last one has written.
// CHECK-LABEL: func.func @moved(
// CHECK:         %[[LAST:.*]], %{{.*}}, %{{.*}}, %{{.*}} = scf.for %shift = %{{.*}} to %{{.*}} step %{{.*}} iter_args(
// CHECK:         "gpu.launch_func"({{.*}}, %[[LAST]]{{.*}})
func.func @moved(%a: memref<?xi64>, %n: index, %bits: index, %r: memref<?xi64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %keys = memref.alloc(%n) : memref<?xi64>
  %places = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %zero to %n step %one {
    %e = memref.load %a[%i] : memref<?xi64>
    memref.store %e, %keys[%i] : memref<?xi64>
    memref.store %i, %places[%i] : memref<?xindex>
  }
  simt.sort %keys, %places, %bits : memref<?xi64>, memref<?xindex>
  scf.for %i = %zero to %n step %one {
    %e = memref.load %keys[%i] : memref<?xi64>
    memref.store %e, %r[%i] : memref<?xi64>
  }
  func.return
}

// -----

// Floats are multiplied at computed places in an order that is the same each time. If these are few, the
// threads of a block go through what each of them has, and have a place each; else values are sorted
// by place.
// CHECK-LABEL: sym_name = "bins_kernels"
// CHECK:             %[[OWN:.*]] = arith.select %[[IN:.*]], %place, %bins : index
// CHECK-NEXT:        memref.store %[[OWN]], %shared[%thread] : memref<256xindex, 3 : i64>
// CHECK-NEXT:        scf.if %[[IN]] {
// CHECK:               memref.store %new, %shared_1[%thread] : memref<256xf64, 3 : i64>
// CHECK:             "gpu.barrier"
// CHECK:               %[[OTHER:.*]] = memref.load %shared[%other]
// CHECK-NEXT:          arith.cmpi eq, %[[OTHER]], %thread : index
// CHECK:             "gpu.barrier"
// CHECK:             memref.store %{{.*}}, %partials[%{{.*}}] : memref<?xf64>
// CHECK:         sym_name = "bins_0"
// CHECK:             memref.store %{{.*}}, %r[%block_x] : memref<?xf64>
// CHECK:         sym_name = "bins_1"
// CHECK:             memref.store %{{.*}}, %keys[%p] : memref<?xi64>
// CHECK:         sym_name = "bins_2"
// CHECK:             scf.for %j = %{{.*}} -> (f64, f64, f64, f64, index) {
// CHECK:             simt.shuffle_xor %{{.*}}, 1 : f64
// CHECK-LABEL: func.func @bins(
// CHECK-NOT:     simt.atomic
// CHECK:         %[[FEW:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : index
// CHECK:         scf.if %[[FEW]] {
// CHECK:           @bins_0
// CHECK:           @bins_1
// CHECK:         } else {
// CHECK:           @bins_2
func.func @bins(%k: memref<?xindex>, %x: memref<?xf64>, %n: index, %r: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %bins = memref.dim %r, %zero : memref<?xf64>
  scf.for %i = %zero to %n step %one {
    %place = memref.load %k[%i] : memref<?xindex>
    %e = memref.load %x[%i] : memref<?xf64>
    %in = arith.cmpi ult, %place, %bins : index
    scf.if %in {
      %old = memref.load %r[%place] : memref<?xf64>
      %new = arith.mulf %old, %e fastmath<reassoc,contract> : f64
      memref.store %new, %r[%place] : memref<?xf64>
    }
  }
  func.return
}

// -----

// A monoid of the program's own keeps the order of what it joins: threads have runs of iterations.
// CHECK-LABEL: sym_name = "least_kernels"
// CHECK:           %{{.*}}, %{{.*}} = scf.for %i = %[[FIRST:.*]] to %[[LAST:.*]] step %{{.*}} iter_args(
// CHECK:           %[[A:.*]] = simt.shuffle_xor %{{.*}}, 1 : f64
// CHECK-NEXT:      %[[B:.*]] = simt.shuffle_xor %{{.*}}, 1 : i64
// CHECK:           arith.select %{{.*}}, %[[A]], %{{.*}} : f64
// CHECK:           arith.cmpf ole
// CHECK:         sym_name = "least_1"
comprehension.monoid @argmin : tuple<f64, i64> identity [0x7FF0000000000000 : f64, -1] {
^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
  %dx, %kx = comprehension.unpack %x : tuple<f64, i64>
  %dy, %ky = comprehension.unpack %y : tuple<f64, i64>
  %less = arith.cmpf ole, %dx, %dy : f64
  %least = arith.select %less, %x, %y : tuple<f64, i64>
  comprehension.yield %least
}
func.func @least(%a: memref<?xf64>, %n: index, %r: memref<f64>, %s: memref<i64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %inf = arith.constant 0x7FF0000000000000 : f64
  %none = arith.constant -1 : i64
  %d, %k = scf.for %i = %zero to %n step %one iter_args(%x = %inf, %l = %none) -> (f64, i64) {
    %e = memref.load %a[%i] : memref<?xf64>
    %m = arith.index_cast %i : index to i64
    %less = arith.cmpf ole, %x, %e : f64
    %y = arith.select %less, %x, %e : f64
    %z = arith.select %less, %l, %m : i64
    scf.yield %y, %z : f64, i64
  } {simt.folds = ["@argmin"]}
  memref.store %d, %r[] : memref<f64>
  memref.store %k, %s[] : memref<i64>
  func.return
}

// -----

// What is stored at the index of an inner loop uses nothing of what this loop carries: it is a fold.
// CHECK-LABEL: sym_name = "filled_kernels"
// CHECK:           memref.store %x, %a[
// CHECK:           memref.load %a[
// CHECK:         sym_name = "filled_0"
// CHECK:           memref.store %{{.*}}, %folded[] : memref<i64>
// CHECK:         sym_name = "filled_1"
// CHECK-NOT:     memref.store %{{.*}}, %a[
// CHECK-LABEL: func.func @filled(
func.func @filled(%a: memref<?x?xi64>, %n: index, %m: index, %x: i64, %r: memref<i64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %t = scf.for %i = %zero to %n step %one iter_args(%outer = %none) -> (i64) {
    %s = scf.for %j = %zero to %m step %one iter_args(%acc = %outer) -> (i64) {
      memref.store %x, %a[%i, %j] : memref<?x?xi64>
      %v = memref.load %a[%i, %j] : memref<?x?xi64>
      %next = arith.addi %acc, %v : i64
      scf.yield %next : i64
    }
    scf.yield %s : i64
  }
  memref.store %t, %r[] : memref<i64>
  func.return
}

// -----

// What is chosen between kernels may make memory and numbers, which come behind it.
// CHECK-LABEL: func.func @chosen(
// CHECK-SAME:      -> (memref<?xf64>, index) {
// CHECK:         %[[R:.*]], %[[N:.*]] = scf.if %{{.*}} -> (memref<?xf64>, index) {
// CHECK:           %[[A:.*]] = "gpu.alloc"(%{{.*}})
// CHECK:           "gpu.launch_func"
// CHECK:           scf.yield %[[A]], %{{.*}} : memref<?xf64>, index
// CHECK:         } else {
// CHECK:           %[[B:.*]] = "gpu.alloc"(%{{.*}})
// CHECK:           scf.yield %[[B]], %{{.*}} : memref<?xf64>, index
// CHECK:         "gpu.launch_func"(%{{.*}}, %[[R]])
// CHECK:         func.return %[[R]], %[[N]] : memref<?xf64>, index
func.func @chosen(%a: memref<?xf64>, %n: index) -> (memref<?xf64>, index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %few = arith.constant 9 : index
  %some = arith.cmpi slt, %n, %few : index
  %r, %m = scf.if %some -> (memref<?xf64>, index) {
    %b = memref.alloc(%n) : memref<?xf64>
    scf.for %i = %zero to %n step %one {
      %e = memref.load %a[%i] : memref<?xf64>
      memref.store %e, %b[%i] : memref<?xf64>
    }
    scf.yield %b, %n : memref<?xf64>, index
  } else {
    %b = memref.alloc(%one) : memref<?xf64>
    %e = memref.load %a[%few] : memref<?xf64>
    memref.store %e, %b[%zero] : memref<?xf64>
    scf.yield %b, %one : memref<?xf64>, index
  }
  scf.for %i = %zero to %m step %one {
    %e = memref.load %r[%i] : memref<?xf64>
    %t = arith.addf %e, %e : f64
    memref.store %t, %r[%i] : memref<?xf64>
  }
  func.return %r, %m : memref<?xf64>, index
}
