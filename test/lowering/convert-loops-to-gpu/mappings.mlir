// How loops are dealt out to the threads of a grid.
// RUN: diablo-opt %s -p convert-loops-to-gpu,canonicalize,cse --split-input-file | filecheck %s

// Points in a line: each thread takes every so many.
// CHECK-LABEL: sym_name = "line_kernels"
// CHECK:         ^bb0(%n: index, %a: memref<?xf64>, %r: memref<?xf64>):
// CHECK:           %lane = "gpu.thread_id"() <{dimension = #gpu<dim x>}>
// CHECK:           %warp = "gpu.thread_id"() <{dimension = #gpu<dim y>}>
// CHECK:           %thread = arith.addi %{{.*}}, %lane : index
// CHECK:           %[[FIRST:.*]] = arith.addi %{{.*}}, %thread : index
// CHECK:           %[[ALL:.*]] = arith.muli %blocks_x, %{{.*}} : index
// CHECK:           scf.for %i = %[[FIRST]] to %n step %[[ALL]] {
// CHECK-NEXT:        %x = memref.load %a[%i] : memref<?xf64>
// CHECK-NEXT:        %y = arith.mulf %x, %x : f64
// CHECK-NEXT:        memref.store %y, %r[%i] : memref<?xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:      "gpu.return"() : () -> ()
// CHECK-NEXT:    }) {sym_name = "line_0", gpu.known_block_size = array<i32: 32, 8, 1>}
// CHECK-LABEL: func.func @line(%a: memref<?xf64>, %n: index, %r: memref<?xf64>) {
// CHECK:         %[[MOST:.*]] = arith.constant 65536 : index
// CHECK:         %[[LEAST:.*]] = arith.minsi %{{.*}}, %[[MOST]] : index
// CHECK:         %[[BLOCKS:.*]] = arith.maxsi %[[LEAST]], %{{.*}} : index
// CHECK:         "gpu.launch_func"(%[[BLOCKS]], %{{.*}}, %n, %a, %r) <{kernel = @line_kernels::@line_0,
// CHECK-NEXT:    func.return
func.func @line(%a: memref<?xf64>, %n: index, %r: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = arith.mulf %x, %x : f64
    memref.store %y, %r[%i] : memref<?xf64>
  }
  func.return
}

// -----

// Points of a box: threads lie along its rows, the other dimensions are taken apart once for a row.
// CHECK-LABEL: sym_name = "box_kernels"
// CHECK:         ^bb0(%exponent: index,
// CHECK:           scf.for %row = %y to %{{.*}} step %{{.*}} {
// CHECK-NEXT:        %j = arith.remui %row, %{{.*}} : index
// CHECK-NEXT:        %i = arith.divui %row, %{{.*}} : index
// CHECK-NEXT:        scf.for %k = %x to %l step %{{.*}} {
// CHECK-NEXT:          memref.load %a[%i, %j, %k]
// CHECK-NEXT:          memref.store %{{.*}}, %r[%i, %j, %k]
// CHECK-LABEL: func.func @box(
// The width of a row of threads is the least power of two that its points fill, up to 64.
// CHECK:         %[[MORE:.*]] = arith.cmpi sgt, %{{.*}}, %{{.*}} : index
// CHECK-NEXT:    arith.select %[[MORE]]
// CHECK:         "gpu.launch_func"
func.func @box(%a: memref<?x?x?xf64>, %n: index, %m: index, %l: index, %r: memref<?x?x?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    scf.for %j = %zero to %m step %one {
      scf.for %k = %zero to %l step %one {
        %x = memref.load %a[%i, %j, %k] : memref<?x?x?xf64>
        memref.store %x, %r[%i, %j, %k] : memref<?x?x?xf64>
      }
    }
  }
  func.return
}

// -----

// A body that is a choice, what it mostly does or something else: a thread does what it mostly does
// in several rows, where that holds for all of them, and goes back to the others at last.
// CHECK-LABEL: sym_name = "smooth_kernels"
// CHECK:           %[[LEFT:.*]] = scf.for %rows = %y to %[[GROUPS:.*]] step %[[STEP:.*]] iter_args(%{{.*}} = %{{.*}}) -> (i1) {
// CHECK:             %i = arith.muli %rows, %{{.*}} : index
// CHECK:             scf.for %j = %x to %m step %{{.*}} iter_args(%[[SO_FAR:.*]] = %{{.*}}) -> (i1) {
// CHECK:               scf.if %{{.*}} -> (i1) {
// CHECK-COUNT-8:         memref.store
// CHECK-NOT:             memref.store
// CHECK:                 scf.yield %[[SO_FAR]] : i1
// CHECK-NEXT:          } else {
// CHECK-NEXT:            scf.yield %{{.*}} : i1
// CHECK:           scf.if %[[LEFT]] {
// CHECK-NEXT:        scf.for %{{.*}} = %y to %[[GROUPS]] step %[[STEP]] {
// CHECK:               scf.for %{{.*}} = %x to %m step
// CHECK:                 scf.for %row =
// CHECK:                   scf.if
// CHECK:                     memref.store
// CHECK:                   } else {
// CHECK:                     memref.store
// CHECK-LABEL: func.func @smooth(
func.func @smooth(%a: memref<?x?xf64>, %n: index, %m: index, %r: memref<?x?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    scf.for %j = %zero to %m step %one {
      %left = arith.subi %j, %one : index
      %inside = arith.cmpi sge, %left, %zero : index
      scf.if %inside {
        %x = memref.load %a[%i, %left] : memref<?x?xf64>
        memref.store %x, %r[%i, %j] : memref<?x?xf64>
      } else {
        %x = memref.load %a[%i, %j] : memref<?x?xf64>
        memref.store %x, %r[%i, %j] : memref<?x?xf64>
      }
    }
  }
  func.return
}

// -----

// Rows that have most of what they load in common are more for each thread, also where an index
// wraps around: two rows load 12 elements here, four 16. Blocks that follow one another are
// neighbours along the rows of a plane.
// CHECK-LABEL: sym_name = "common_kernels"
// CHECK:           %[[BLOCK:.*]] = "gpu.block_id"() <{dimension = #gpu<dim x>}>
// CHECK:           %x = arith.addi
// CHECK:           "gpu.block_id"() <{dimension = #gpu<dim y>}>
// CHECK:           %y = arith.addi
// CHECK:               scf.if %{{.*}} -> (i1) {
// CHECK-COUNT-4:         memref.store
// CHECK-NOT:             memref.store
// CHECK:                 scf.yield
// CHECK-LABEL: func.func @common(
func.func @common(%a: memref<?x?x?xf64>, %n: index, %m: index, %r: memref<?x?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  scf.for %i = %zero to %n step %one {
    scf.for %j = %zero to %m step %one {
      %up = arith.subi %i, %one : index
      %down = arith.addi %i, %one : index
      %turned = arith.subi %down, %n : index
      %is_out = arith.cmpi sge, %down, %n : index
      %below = arith.select %is_out, %turned, %down : index
      %inside = arith.cmpi sge, %up, %zero : index
      scf.if %inside {
        %a0 = memref.load %a[%zero, %up, %j] : memref<?x?x?xf64>
        %a1 = memref.load %a[%zero, %i, %j] : memref<?x?x?xf64>
        %a2 = memref.load %a[%zero, %below, %j] : memref<?x?x?xf64>
        %b0 = memref.load %a[%one, %up, %j] : memref<?x?x?xf64>
        %b1 = memref.load %a[%one, %i, %j] : memref<?x?x?xf64>
        %b2 = memref.load %a[%one, %below, %j] : memref<?x?x?xf64>
        %c0 = memref.load %a[%two, %up, %j] : memref<?x?x?xf64>
        %c1 = memref.load %a[%two, %i, %j] : memref<?x?x?xf64>
        %c2 = memref.load %a[%two, %below, %j] : memref<?x?x?xf64>
        %s0 = arith.addf %a0, %a1 : f64
        %s1 = arith.addf %s0, %a2 : f64
        %s2 = arith.addf %s1, %b0 : f64
        %s3 = arith.addf %s2, %b1 : f64
        %s4 = arith.addf %s3, %b2 : f64
        %s5 = arith.addf %s4, %c0 : f64
        %s6 = arith.addf %s5, %c1 : f64
        %s7 = arith.addf %s6, %c2 : f64
        memref.store %s7, %r[%i, %j] : memref<?x?xf64>
      } else {
        %x = memref.load %a[%zero, %i, %j] : memref<?x?x?xf64>
        memref.store %x, %r[%i, %j] : memref<?x?xf64>
      }
    }
  }
  func.return
}

// -----

// Nine elements of which rows have none in common: two rows for each thread.
// CHECK-LABEL: sym_name = "apart_kernels"
// CHECK:               scf.if %{{.*}} -> (i1) {
// CHECK-COUNT-2:         memref.store
// CHECK-NOT:             memref.store
// CHECK:                 scf.yield
// CHECK-LABEL: func.func @apart(
func.func @apart(%a: memref<?x?x?xf64>, %n: index, %m: index, %r: memref<?x?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  scf.for %i = %zero to %n step %one {
    scf.for %j = %zero to %m step %one {
      %first = arith.muli %i, %three : index
      %second = arith.addi %first, %one : index
      %third = arith.addi %second, %one : index
      %inside = arith.cmpi sge, %first, %one : index
      scf.if %inside {
        %a0 = memref.load %a[%zero, %first, %j] : memref<?x?x?xf64>
        %a1 = memref.load %a[%zero, %second, %j] : memref<?x?x?xf64>
        %a2 = memref.load %a[%zero, %third, %j] : memref<?x?x?xf64>
        %b0 = memref.load %a[%one, %first, %j] : memref<?x?x?xf64>
        %b1 = memref.load %a[%one, %second, %j] : memref<?x?x?xf64>
        %b2 = memref.load %a[%one, %third, %j] : memref<?x?x?xf64>
        %c0 = memref.load %a[%three, %first, %j] : memref<?x?x?xf64>
        %c1 = memref.load %a[%three, %second, %j] : memref<?x?x?xf64>
        %c2 = memref.load %a[%three, %third, %j] : memref<?x?x?xf64>
        %s0 = arith.addf %a0, %a1 : f64
        %s1 = arith.addf %s0, %a2 : f64
        %s2 = arith.addf %s1, %b0 : f64
        %s3 = arith.addf %s2, %b1 : f64
        %s4 = arith.addf %s3, %b2 : f64
        %s5 = arith.addf %s4, %c0 : f64
        %s6 = arith.addf %s5, %c1 : f64
        %s7 = arith.addf %s6, %c2 : f64
        memref.store %s7, %r[%i, %j] : memref<?x?xf64>
      } else {
        %x = memref.load %a[%zero, %i, %j] : memref<?x?x?xf64>
        memref.store %x, %r[%i, %j] : memref<?x?xf64>
      }
    }
  }
  func.return
}

// -----

// A row that is read along memory has threads of its own, a block if it is long. Each folds several
// entries at once; those that are left are at once as well, where the first is done again in the
// place of what is behind the end.
// CHECK-LABEL: sym_name = "spmv_kernels"
// CHECK:         ^bb0(%n: index,
// CHECK:           scf.for %row = %block_x to %{{.*}} step %blocks_x {
// CHECK:             %[[BEGIN:.*]] = arith.addi %lo, %thread : index
// CHECK:             scf.for %p = %[[BEGIN]] to %{{.*}} step %{{.*}} iter_args(
// CHECK-COUNT-8:       memref.load %v[
// CHECK-COUNT-5:     simt.shuffle_xor
// CHECK:             memref.store %{{.*}}, %shared[
// CHECK:             "gpu.barrier"
// CHECK-COUNT-8:     memref.load %shared[
// CHECK:             %[[FIRST:.*]] = arith.cmpi eq, %thread,
// CHECK-NEXT:        scf.if %[[FIRST]] {
// CHECK-NEXT:          memref.store %{{.*}}, %r[%row]
// CHECK-NEXT:        }
// CHECK-NEXT:        "gpu.barrier"
// CHECK:         sym_name = "spmv_0"

// Others have a group of threads, which meet by shuffles; what is beyond the last row is done
// without being stored.
// CHECK:         ^bb0(%exponent: index,
// CHECK:           %[[LANES:.*]] = arith.shli %{{.*}}, %exponent : index
// CHECK:           %[[LANE:.*]] = arith.andi %thread, %{{.*}} : index
// CHECK:           scf.for %first = %{{.*}} to %[[ROWS:.*]] step %{{.*}} {
// CHECK-NEXT:        %[[ROW:.*]] = arith.addi %first, %{{.*}} : index
// CHECK-NEXT:        %[[IN:.*]] = arith.cmpi slt, %[[ROW]], %[[ROWS]] : index
// CHECK-NEXT:        %i = arith.minsi %[[ROW]], %{{.*}} : index
// CHECK:             %[[BEGIN:.*]] = arith.addi %lo, %[[LANE]] : index
// CHECK:             scf.for %p = %[[BEGIN]] to %{{.*}} step %{{.*}} iter_args(
// CHECK-NEXT:          memref.load %v[%p]
// CHECK-NEXT:          arith.addf %{{.*}}, %{{.*}} fastmath<reassoc,contract> : f64
// CHECK-NEXT:          %[[NEXT:.*]] = arith.addi %p, %[[LANES]] : index
// CHECK-NEXT:          memref.load %v[%[[NEXT]]]
// CHECK-NEXT:          arith.addf %{{.*}}, %{{.*}} fastmath<reassoc,contract> : f64
// CHECK:             %[[SOME:.*]] = arith.cmpi slt, %[[REST:.*]], %hi : index
// CHECK-NEXT:        scf.if %[[SOME]]
// CHECK-NEXT:          %e{{.*}} = memref.load %v[%[[REST]]]
// CHECK:               %[[AFTER:.*]] = arith.addi %[[REST]], %[[LANES]] : index
// CHECK-NEXT:          %[[IS:.*]] = arith.cmpi slt, %[[AFTER]], %hi : index
// CHECK-NEXT:          %[[AT:.*]] = arith.select %[[IS]], %[[AFTER]], %[[REST]] : index
// CHECK-NEXT:          memref.load %v[%[[AT]]]
// CHECK-NEXT:          %[[MORE:.*]] = arith.addf %[[OWN:.*]], %{{.*}} fastmath<reassoc,contract> : f64
// CHECK-NEXT:          arith.select %[[IS]], %[[MORE]], %[[OWN]] : f64
// CHECK:             %[[OTHER:.*]] = simt.shuffle_xor %[[PART:.*]], 1 : f64
// CHECK-NEXT:        %[[BOTH:.*]] = arith.addf %[[PART]], %[[OTHER]] fastmath<reassoc,contract> : f64
// CHECK-NEXT:        %[[WIDE:.*]] = arith.select %{{.*}}, %[[BOTH]], %[[PART]] : f64
// CHECK:             simt.shuffle_xor %[[WIDE]], 2
// CHECK:             simt.shuffle_xor %{{.*}}, 16 : f64
// CHECK:             %[[ONE:.*]] = arith.cmpi eq, %[[LANE]], %{{.*}} : index
// CHECK-NEXT:        %[[STORES:.*]] = arith.andi %[[IN]], %[[ONE]] : i1
// CHECK-NEXT:        scf.if %[[STORES]] {
// CHECK-NEXT:          memref.store %{{.*}}, %r[%i]

// How many they are follows from how many entries there are in a row, on average.
// CHECK-LABEL: func.func @spmv(
// CHECK:         %[[SIZE:.*]] = memref.dim %v, %{{.*}} : memref<?xf64>
// CHECK:         %[[LENGTH:.*]] = arith.divui %[[SIZE]], %{{.*}} : index
// CHECK-NEXT:    %[[LONG:.*]] = arith.constant 2048 : index
// CHECK-NEXT:    %[[IS_LONG:.*]] = arith.cmpi sge, %[[LENGTH]], %[[LONG]] : index
// CHECK:         scf.if %[[IS_LONG]] {
// CHECK:           @spmv_kernels::@spmv_0
// CHECK:         } else {
// CHECK:           @spmv_kernels::@spmv_1
func.func @spmv(%s: memref<?xindex>, %v: memref<?xf64>, %n: index, %r: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = arith.constant 1.0 : f64
  scf.for %i = %zero to %n step %one {
    %next = arith.addi %i, %one : index
    %lo = memref.load %s[%i] : memref<?xindex>
    %hi = memref.load %s[%next] : memref<?xindex>
    %sum = scf.for %p = %lo to %hi step %one iter_args(%acc = %x) -> (f64) {
      %e = memref.load %v[%p] : memref<?xf64>
      %t = arith.addf %acc, %e fastmath<reassoc,contract> : f64
      scf.yield %t : f64
    }
    memref.store %sum, %r[%i] : memref<?xf64>
  }
  func.return
}

// -----

// Columns have a thread each: neighbours read neighbouring elements.
// CHECK-LABEL: sym_name = "columns_kernels"
// CHECK-NOT:       simt.shuffle_xor
// CHECK:           scf.for %j = %{{.*}} to %m step %{{.*}} {
// CHECK-NEXT:        %{{.*}} = scf.for %i = %zero to %n step %one iter_args
// CHECK-NOT:       simt.shuffle_xor
// CHECK-LABEL: func.func @columns(
func.func @columns(%a: memref<?x?xf64>, %n: index, %m: index, %r: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = arith.constant 0.0 : f64
  scf.for %j = %zero to %m step %one {
    %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %x) -> (f64) {
      %e = memref.load %a[%i, %j] : memref<?x?xf64>
      %t = arith.addf %acc, %e fastmath<reassoc,contract> : f64
      scf.yield %t : f64
    }
    memref.store %sum, %r[%j] : memref<?xf64>
  }
  func.return
}

// -----

// A fold to a number: what threads have meets in a warp, a block and at last in one block, which
// also does what stands behind the fold.
// CHECK-LABEL: sym_name = "total_kernels"
// CHECK:           scf.for %i = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%acc = %identity, %acc_1 = %identity,
// CHECK:           scf.for %{{.*}} to %n step %{{.*}} iter_args(%{{.*}}) -> (i64) {
// CHECK:           }
// CHECK:           simt.shuffle_xor %{{.*}}, 1 : i64
// CHECK-COUNT-4:   simt.shuffle_xor
// CHECK-NOT:       simt.shuffle_xor
// CHECK:           %shared = memref.alloca() : memref<8xi64, 3 : i64>
// CHECK:           scf.if
// CHECK-NEXT:        memref.store %{{.*}}, %shared[%{{.*}}]
// CHECK-NEXT:      }
// CHECK-NEXT:      "gpu.barrier"() : () -> ()
// CHECK-NEXT:      %[[FIRST:.*]] = arith.cmpi eq, %thread, %{{.*}} : index
// CHECK-NEXT:      scf.if %[[FIRST]] {
// CHECK-COUNT-8:     memref.load %shared
// CHECK-NOT:         memref.load %shared
// CHECK:             memref.store %{{.*}}, %partials[%{{.*}}] : memref<528xi64>
// CHECK:         sym_name = "total_0"
// CHECK:         ^bb0(%count: index, %partials: memref<528xi64>, %folded: memref<i64>, %r: memref<i64>):
// CHECK:           scf.for %number = %thread to %count step %{{.*}} iter_args
// CHECK:           "gpu.barrier"
// CHECK:             %sum = arith.addi %{{.*}}, %{{.*}} : i64
// CHECK-NEXT:        memref.store %sum, %folded[] : memref<i64>
// CHECK-NEXT:        %twice = arith.addi %sum, %sum : i64
// CHECK-NEXT:        memref.store %twice, %r[] : memref<i64>
// CHECK:         sym_name = "total_1"
// CHECK-LABEL: func.func @total(
// CHECK:         %[[MOST:.*]] = arith.constant 528 : index
// CHECK:         %partials = "gpu.alloc"()
// CHECK:         "gpu.launch_func"({{.*}}@total_kernels::@total_0
// CHECK:         %folded = "gpu.alloc"()
// CHECK:         "gpu.launch_func"({{.*}}@total_kernels::@total_1
func.func @total(%a: memref<?xi64>, %n: index, %r: memref<i64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = arith.constant 0 : i64
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %x) -> (i64) {
    %e = memref.load %a[%i] : memref<?xi64>
    %t = arith.addi %acc, %e : i64
    scf.yield %t : i64
  }
  %twice = arith.addi %sum, %sum : i64
  memref.store %twice, %r[] : memref<i64>
  func.return
}

// -----

// How much is folded shows on the device alone: there are no more blocks than there is room for what
// they leave.
// CHECK-LABEL: func.func @unknown(
// CHECK:         %[[ROOM:.*]] = arith.constant 528 : index
// CHECK-NEXT:    %[[MANY:.*]] = arith.constant 1024 : index
// CHECK-NEXT:    %[[BLOCKS:.*]] = arith.minsi %[[MANY]], %[[ROOM]] : index
// CHECK-NEXT:    %partials = "gpu.alloc"() {{.*}} memref<528xf64>
// CHECK:         "gpu.launch_func"(%[[BLOCKS]],
func.func @unknown(%a: memref<?xindex>, %x: memref<?xf64>, %n: index, %r: memref<f64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f64
  %m = memref.load %a[%zero] : memref<?xindex>
  %s = scf.for %i = %zero to %m step %one iter_args(%acc = %none) -> (f64) {
    %e = memref.load %x[%i] : memref<?xf64>
    %t = arith.addf %acc, %e fastmath<reassoc,contract> : f64
    scf.yield %t : f64
  }
  memref.store %s, %r[] : memref<f64>
  func.return
}

// -----

// What another kernel has folded is loaded; a number between loops is one thread's.
// CHECK-LABEL: sym_name = "scaled_kernels"
// CHECK:         sym_name = "scaled_1"
// CHECK:         ^bb0(%n: index, %a: memref<?xf64>, %folded: memref<f64>, %r: memref<?xf64>):
// CHECK:           %most = memref.load %folded[] : memref<f64>
// CHECK:           %half = arith.mulf %most, %{{.*}} : f64
// CHECK:           scf.for %i =
// CHECK:             arith.divf %x, %half : f64
// CHECK:         sym_name = "scaled_2"
// CHECK:         ^bb0(%folded: memref<f64>, %s: memref<f64>):
// CHECK-NEXT:      %most = memref.load %folded[] : memref<f64>
// CHECK-NEXT:      memref.store %most, %s[] : memref<f64>
// CHECK:         {sym_name = "scaled_3", gpu.known_block_size = array<i32: 1, 1, 1>}
func.func @scaled(%a: memref<?xf64>, %n: index, %r: memref<?xf64>, %s: memref<f64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %low = arith.constant 0xFFF0000000000000 : f64
  %c = arith.constant 0.5 : f64
  %most = scf.for %i = %zero to %n step %one iter_args(%acc = %low) -> (f64) {
    %e = memref.load %a[%i] : memref<?xf64>
    %t = arith.maximumf %acc, %e : f64
    scf.yield %t : f64
  }
  %half = arith.mulf %most, %c : f64
  scf.for %i = %zero to %n step %one {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = arith.divf %x, %half : f64
    memref.store %y, %r[%i] : memref<?xf64>
  }
  memref.store %most, %s[] : memref<f64>
  func.return
}

// -----

// Integers meet in memory: in a table of each block if there are few places.
// CHECK-LABEL: sym_name = "histogram_kernels"
// CHECK:           %[[MOST:.*]] = arith.constant 8192 : index
// CHECK-NEXT:      %[[FITS:.*]] = arith.cmpi ule, %[[SIZE:.*]], %[[MOST]] : index
// CHECK:           %used = arith.select %[[FITS]], %[[SIZE]], %{{.*}} : index
// CHECK:           scf.for %[[P:.*]] = %thread to %used step
// CHECK:             memref.store %identity, %shared[%[[P]]] : memref<8192xi32, 3 : i64>
// CHECK:           "gpu.barrier"
// CHECK:           scf.for %i =
// CHECK-NEXT:        %k = memref.load %a[%i] : memref<?xindex>
// CHECK-NEXT:        scf.if %[[FITS]] {
// CHECK-NEXT:          simt.atomic add %c, %shared[%k] : memref<8192xi32, 3 : i64>
// CHECK-NEXT:        } else {
// CHECK-NEXT:          simt.atomic add %c, %r[%k] : memref<?xi32>
// CHECK:           "gpu.barrier"
// CHECK:           scf.for %[[Q:.*]] = %thread to %used step
// CHECK-NEXT:        %[[SUM:.*]] = memref.load %shared[%[[Q]]]
// CHECK:             simt.atomic add %[[SUM]], %r[%[[Q]]] : memref<?xi32>
func.func @histogram(%a: memref<?xindex>, %n: index, %r: memref<?xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one {
    %k = memref.load %a[%i] : memref<?xindex>
    %old = memref.load %r[%k] : memref<?xi32>
    %new = arith.addi %c, %old : i32
    memref.store %new, %r[%k] : memref<?xi32>
  }
  func.return
}

// -----

// Two tables share what a block has, and the places of one are those of a matrix.
// CHECK-LABEL: sym_name = "two_tables_kernels"
// CHECK:           memref.alloca() : memref<2730xi32, 3 : i64>
// CHECK:           memref.alloca() : memref<2730xi64, 3 : i64>
// CHECK:             %[[ROW:.*]] = arith.muli %k, %{{.*}} : index
// CHECK-NEXT:        %[[PLACE:.*]] = arith.addi %[[ROW]], %l : index
// CHECK-NEXT:        simt.atomic max %{{.*}}, %shared_1[%[[PLACE]]]
// CHECK:           arith.remui
// CHECK-NEXT:      arith.divui
// CHECK-NEXT:      simt.atomic max %{{.*}}, %s[%{{.*}}, %{{.*}}] : memref<?x?xi64>
func.func @two_tables(
  %a: memref<?xindex>, %n: index, %r: memref<?xi32>, %s: memref<?x?xi64>, %v: i64
) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one {
    %k = memref.load %a[%i] : memref<?xindex>
    %old = memref.load %r[%k] : memref<?xi32>
    %new = arith.addi %c, %old : i32
    memref.store %new, %r[%k] : memref<?xi32>
    %l = memref.load %a[%k] : memref<?xindex>
    %least = memref.load %s[%k, %l] : memref<?x?xi64>
    %other = arith.maxsi %v, %least : i64
    memref.store %other, %s[%k, %l] : memref<?x?xi64>
  }
  func.return
}

// -----

// A fold may go on under a condition, and in loops within it.
// CHECK-LABEL: sym_name = "nested_kernels"
// CHECK:           scf.for %i = %{{.*}} to %n step %{{.*}} iter_args(%acc = %identity) -> (f64) {
// CHECK:           simt.shuffle_xor
func.func @nested(%a: memref<?x?xf64>, %n: index, %m: index, %p: i1, %r: memref<f64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = arith.constant 0.0 : f64
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %x) -> (f64) {
    %row = scf.if %p -> (f64) {
      %inner = scf.for %j = %zero to %m step %one iter_args(%own = %acc) -> (f64) {
        %e = memref.load %a[%i, %j] : memref<?x?xf64>
        %t = arith.addf %own, %e fastmath<reassoc,contract> : f64
        scf.yield %t : f64
      }
      scf.yield %inner : f64
    } else {
      scf.yield %acc : f64
    }
    scf.yield %row : f64
  }
  memref.store %sum, %r[] : memref<f64>
  func.return
}
