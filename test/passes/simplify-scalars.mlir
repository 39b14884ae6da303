// RUN: diablo-opt %s -p simplify-scalars | filecheck %s

// CHECK-LABEL: @sizes
// CHECK-SAME:    %A: tensor<?x?xf64>
func.func @sizes(%A: tensor<?x?xf64>, %B: tensor<?xf64>) -> (index, index, index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  // CHECK:      %n = tensor.dim %A
  // CHECK-NEXT: %[[M:.*]] = tensor.dim %A
  // CHECK-NEXT: %[[LEAST:.*]] = arith.minsi %n, %[[M]]
  // CHECK-NEXT: return %n, %[[LEAST]], %n
  %2 = tensor.dim %A, %0 : tensor<?x?xf64>
  %3 = tensor.dim %A, %1 : tensor<?x?xf64>
  %4 = arith.index_cast %2 : index to i64
  %n = arith.index_cast %4 : i64 to index
  %5 = arith.minsi %n, %2 : index
  %6 = arith.minsi %2, %3 : index
  %7 = arith.maxsi %6, %0 : index
  %8 = arith.cmpi eq, %2, %n : index
  cf.assert %8, "never said"
  %9 = arith.constant -1 : index
  %10 = arith.maxsi %9, %2 : index
  func.return %5, %7, %10 : index, index, index
}

// CHECK-LABEL: @logic
// CHECK-SAME:    (%a: i1, %n: i64)
func.func @logic(%a: i1, %n: i64) -> (i1, i1, i1, i1) {
  // CHECK:      %[[FALSE:.*]] = arith.constant false
  // CHECK:      cf.assert %a, "said if it is not so"
  // CHECK-NEXT: return %a, %{{true|.*}}, %[[FALSE]], %a
  %true = arith.constant true
  %false = arith.constant false
  %0 = arith.andi %true, %a : i1
  %1 = arith.ori %a, %true : i1
  %2 = arith.andi %a, %false : i1
  %3 = arith.ori %a, %a : i1
  %4 = arith.cmpi sle, %n, %n : i64
  %5 = arith.andi %a, %4 : i1
  cf.assert %5, "said if it is not so"
  func.return %0, %1, %2, %3 : i1, i1, i1, i1
}

// CHECK-LABEL: @constants
func.func @constants() -> (index, i64) {
  // CHECK:      %m = arith.constant 2 : index
  // CHECK:      %[[N:.*]] = arith.constant 3 : i64
  // CHECK-NEXT: return %m, %[[N]]
  %0 = arith.constant 2 : i64
  %1 = arith.constant 3 : index
  %m = arith.index_cast %0 : i64 to index
  %2 = arith.index_cast %1 : index to i64
  func.return %m, %2 : index, i64
}

// What is not known stays: a number of the caller may be negative, and 32 bits are cut off.
// CHECK-LABEL: @kept
func.func @kept(%n: i64, %m: i64, %k: index) -> (i64, index, i64, i64) {
  // CHECK:      arith.maxsi %n, %{{.*}} : i64
  // CHECK-NEXT: arith.index_cast %k : index to i32
  // CHECK-NEXT: arith.index_cast %{{.*}} : i32 to index
  // CHECK:      arith.andi %n, %{{.*}} : i64
  // CHECK-NEXT: arith.minsi %n, %m : i64
  // CHECK-NEXT: arith.cmpi slt, %n, %m
  // CHECK-NEXT: cf.assert
  %0 = arith.constant 0 : i64
  %1 = arith.maxsi %n, %0 : i64
  %2 = arith.index_cast %k : index to i32
  %3 = arith.index_cast %2 : i32 to index
  %4 = arith.constant 1 : i64
  %5 = arith.andi %n, %4 : i64
  %6 = arith.minsi %n, %m : i64
  %7 = arith.cmpi slt, %n, %m : i64
  cf.assert %7, "n is less than m"
  func.return %1, %3, %5, %6 : i64, index, i64, i64
}

// What is asserted to be equal is so behind the assertion, in a loop as well, and not before it.
// CHECK-LABEL: @asserted
// CHECK-SAME:    (%n: index, %m: index, %k: index)
func.func @asserted(%n: index, %m: index, %k: index) -> (index, index, index) {
  // CHECK-DAG:  %[[LESS:.*]] = arith.minsi %n, %m : index
  // CHECK-DAG:  %[[OTHER:.*]] = arith.minsi %n, %k : index
  // CHECK:      %[[BEFORE:.*]] = arith.muli %[[LESS]], %k
  // CHECK:      cf.assert
  // CHECK:      scf.for %{{.*}} = %{{.*}} to %n
  // CHECK:        arith.addi %{{.*}}, %n
  // CHECK:      return %[[BEFORE]], %{{.*}}, %[[OTHER]]
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.minsi %n, %m : index
  %3 = arith.maxsi %m, %n : index
  %4 = arith.minsi %n, %k : index
  %5 = arith.muli %2, %k : index
  %6 = arith.cmpi eq, %n, %m : index
  cf.assert %6, "n is m"
  %7 = scf.for %i = %0 to %2 step %1 iter_args(%t = %0) -> (index) {
    %8 = arith.addi %t, %3 : index
    scf.yield %8 : index
  }
  func.return %5, %7, %4 : index, index, index
}

// Bounds of a type tell what is the least and the greatest without a sign; ops that read none
// of signless numbers stay, of which the bounds have a sign.
// CHECK-LABEL: @unsigned
// CHECK-SAME:    (%a: ui8, %b: i8)
func.func @unsigned(%a: ui8, %b: i8) -> (ui8, ui8, i8) {
  // CHECK:      %[[ZERO:.*]] = comprehension.unsigned 0 : ui8
  // CHECK:      %[[SIGNLESS:.*]] = arith.maxui %{{.*}}, %b : i8
  // CHECK-NEXT: return %a, %[[ZERO]], %[[SIGNLESS]]
  %zero = comprehension.unsigned 0 : ui8
  %most = arith.constant -128 : i8
  %0 = arith.maxui %zero, %a : ui8
  %1 = arith.minui %zero, %a : ui8
  %2 = arith.maxui %most, %b : i8
  func.return %0, %1, %2 : ui8, ui8, i8
}

// What is added and taken away again goes, also across casts; integers wrap around. What is left
// of a sum of two values, or of fewer bits, stays.
// CHECK-LABEL: @sums
// CHECK-SAME:    (%a: index, %b: index, %c: i64, %d: i32)
func.func @sums(%a: index, %b: index, %c: i64, %d: i32)
    -> (index, index, index, index, i64, index, i64, i32) {
  // CHECK:      %[[TWO:.*]] = arith.constant 2 : index
  // CHECK-NEXT: %[[MORE:.*]] = arith.addi %a, %[[TWO]] : index
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : index
  // CHECK-NEXT: %[[BOTH:.*]] = arith.addi %a, %b : index
  // CHECK-NEXT: arith.index_cast %a : index to i64
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: %[[CAST:.*]] = arith.subi
  // CHECK-NEXT: %[[NARROW:.*]] = arith.addi %d
  // CHECK-NEXT: %[[BACK:.*]] = arith.subi %[[NARROW]]
  // CHECK-NEXT: return %a, %[[MORE]], %[[ZERO]], %b, %c, %[[BOTH]], %[[CAST]], %[[BACK]]
  %minus = arith.constant -1 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %one64 = arith.constant 1 : i64
  %one32 = arith.constant 1 : i32
  %0 = arith.addi %a, %minus : index
  %1 = arith.addi %0, %one : index
  %2 = arith.addi %0, %three : index
  %3 = arith.subi %a, %a : index
  %4 = arith.addi %a, %b : index
  %5 = arith.subi %4, %a : index
  %6 = arith.addi %c, %one64 : i64
  %7 = arith.subi %6, %one64 : i64
  // A value of another type needs its cast.
  %8 = arith.index_cast %a : index to i64
  %9 = arith.addi %8, %one64 : i64
  %10 = arith.subi %9, %one64 : i64
  %11 = arith.addi %d, %one32 : i32
  %12 = arith.subi %11, %one32 : i32
  func.return %1, %2, %3, %5, %7, %4, %10, %12
    : index, index, index, index, i64, index, i64, i32
}

// A condition that is part of another one is not asked for twice.
// CHECK-LABEL: @twice
func.func @twice(%a: i1, %b: i1, %c: i1) -> (i1, i1) {
  // CHECK:      %[[AB:.*]] = arith.andi %a, %b
  // CHECK-NEXT: %[[ABC:.*]] = arith.andi %[[AB]], %c
  // CHECK-NEXT: %[[OR:.*]] = arith.ori %[[AB]], %c
  // CHECK-NEXT: %[[KEPT:.*]] = arith.andi %[[OR]], %c
  // CHECK-NEXT: return %[[ABC]], %[[KEPT]]
  %0 = arith.andi %a, %b : i1
  %1 = arith.andi %0, %c : i1
  %2 = arith.andi %1, %a : i1
  %3 = arith.andi %b, %2 : i1
  %4 = arith.ori %0, %c : i1
  %5 = arith.andi %4, %c : i1
  func.return %3, %5 : i1, i1
}

// The origins and extents of tiles are not negative, and neither are the indices of rows; what a
// caller passes may be, and so may the index of a tile that something else is added to.
// CHECK-LABEL: @tiles
// CHECK:         func.call @called
// CHECK-NEXT:    func.call @called
func.func @tiles(%A: !spark.rdd<[index], [tensor<?xf64>]>, %n: index, %k: index, %v: tensor<?xf64>)
    -> (!spark.rdd<[index], [tensor<?xf64>]>, index, index) {
  %0 = spark.map @kernel_0(%A) dims(%n) captures(%k : index)
    : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>
  %c0 = arith.constant 0 : index
  %m = tensor.dim %v, %c0 : tensor<?xf64>
  %1 = func.call @called(%m, %k) : (index, index) -> index
  %2 = func.call @called(%c0, %c0) : (index, index) -> index
  func.return %0, %1, %2 : !spark.rdd<[index], [tensor<?xf64>]>, index, index
}
// CHECK:       @kernel_0(%origin: index, %extent: index
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0
// CHECK-NEXT:    %[[K:.*]] = arith.maxsi %k, %[[ZERO]]
// CHECK-NEXT:    tensor_block.map parallel(d0 < %extent) offsets(%origin) symbols(%origin, %[[K]])
// CHECK-NEXT:    ^{{.*}}(%i: index, %a: f64, %b: f64):
// CHECK-NEXT:      %[[TEST:.*]] = arith.cmpi slt, %i, %k
// CHECK-NEXT:      %[[BOTH:.*]] = arith.select %[[TEST]], %a, %b
// CHECK-NEXT:      yield %[[BOTH]]
func.func private @kernel_0(%origin: index, %extent: index, %A: tensor<?xf64>, %k: index)
    -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %0 = arith.maxsi %origin, %zero : index
  %1 = arith.maxsi %k, %zero : index
  %2 = tensor_block.map parallel(d0 < %extent) offsets(%origin) symbols(%0, %1)
      ins(%A[d0 + s0] : tensor<?xf64>, %A[d0 + s1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %a: f64, %b: f64):
    %3 = arith.cmpi sge, %i, %zero : index
    %4 = arith.cmpi slt, %i, %k : index
    %5 = arith.andi %3, %4 : i1
    %6 = arith.select %5, %a, %b : f64
    tensor_block.yield %6 : f64
  }
  func.return %2 : tensor<?xf64>
}
// CHECK:       @called
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0
// CHECK-NEXT:    %[[B:.*]] = arith.maxsi %b, %[[ZERO]]
// CHECK-NEXT:    %[[SUM:.*]] = arith.addi %a, %[[B]]
func.func private @called(%a: index, %b: index) -> index {
  %zero = arith.constant 0 : index
  %0 = arith.maxsi %a, %zero : index
  %1 = arith.maxsi %b, %zero : index
  %2 = arith.addi %0, %1 : index
  func.return %2 : index
}

// A filter of rows by a test that an index always passes goes; one of a key that was read stays.
// CHECK-LABEL: @rows
// CHECK:         %[[ROWS:.*]] = tensor_block.to_bag %A
// CHECK-NEXT:    tensor_block.project %[[ROWS]][1, 0]
// CHECK-NEXT:    tensor_block.filter %L
func.func @rows(%A: tensor<?xf64>, %L: !comprehension.bag<index>)
    -> (!comprehension.bag<f64, index>, !comprehension.bag<index>) {
  %zero = arith.constant 0 : index
  %0 = tensor_block.to_bag %A : tensor<?xf64> -> !comprehension.bag<index, f64>
  %1 = tensor_block.project %0[1, 0] : !comprehension.bag<index, f64> -> !comprehension.bag<f64, index>
  %2 = tensor_block.filter %1 : !comprehension.bag<f64, index> {
  ^bb0(%v: f64, %i: index):
    %3 = arith.cmpi sge, %i, %zero : index
    tensor_block.yield %3 : i1
  }
  %4 = tensor_block.filter %L : !comprehension.bag<index> {
  ^bb0(%i: index):
    %5 = arith.cmpi sge, %i, %zero : index
    tensor_block.yield %5 : i1
  }
  func.return %2, %4 : !comprehension.bag<f64, index>, !comprehension.bag<index>
}

// A sum begins with 0.0; another number may be -0.0, and so may the greatest of none but such.
// CHECK-LABEL: @zeros
// CHECK:         %[[SUM:.*]] = spark.fold add
// CHECK-NEXT:    %[[MOST:.*]] = spark.fold max
// CHECK-NEXT:    %[[A:.*]] = arith.addf %zero, %x
// CHECK-NEXT:    %[[B:.*]] = arith.addf %[[MOST]], %zero
// CHECK-NEXT:    return %[[SUM]], %[[A]], %[[B]], %[[SUM]]
func.func @zeros(%R: !spark.rdd<[], [f64]>, %x: f64) -> (f64, f64, f64, f64) {
  %zero = arith.constant 0.0 : f64
  %minus = arith.constant -0.0 : f64
  %sum = spark.fold add %R : !spark.rdd<[], [f64]> -> f64
  %most = spark.fold max %R : !spark.rdd<[], [f64]> -> f64
  %0 = arith.addf %zero, %sum : f64
  %1 = arith.addf %zero, %x : f64
  %2 = arith.addf %most, %zero : f64
  %3 = arith.addf %sum, %minus : f64
  func.return %0, %1, %2, %3 : f64, f64, f64, f64
}

// What gives its operand, whatever that is. Held back: zeros of which the sign matters, and what
// 1.0 is divided by or 0.0 loses.
// CHECK-LABEL: @floats
// CHECK-NEXT:    %zero = arith.constant 0.0
// CHECK-NEXT:    %one = arith.constant 1.0
// CHECK-NEXT:    %minus = arith.constant -0.0
// CHECK-NEXT:    "test.op"(%x, %x, %x, %x, %x, %x, %x, %x)
// CHECK-NEXT:    %[[A:.*]] = arith.addf %x, %zero
// CHECK-NEXT:    %[[B:.*]] = arith.subf %x, %minus
// CHECK-NEXT:    %[[C:.*]] = arith.divf %one, %x
// CHECK-NEXT:    %[[D:.*]] = arith.subf %zero, %x
// CHECK-NEXT:    %[[E:.*]] = arith.maximumf %x, %zero
// CHECK-NEXT:    %[[F:.*]] = arith.negf %x
// CHECK-NEXT:    "test.op"(%[[A]], %[[B]], %[[C]], %[[D]], %[[E]], %[[F]])
func.func @floats(%x: f64) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %minus = arith.constant -0.0 : f64
  %0 = arith.mulf %x, %one : f64
  %1 = arith.mulf %one, %x : f64
  %2 = arith.divf %x, %one : f64
  %3 = arith.subf %x, %zero : f64
  %4 = arith.addf %minus, %x : f64
  %5 = arith.maximumf %x, %x : f64
  %6 = arith.minimumf %x, %x : f64
  %7 = arith.negf %x : f64
  %8 = arith.negf %7 : f64
  "test.op"(%0, %1, %2, %3, %4, %5, %6, %8) : (f64, f64, f64, f64, f64, f64, f64, f64) -> ()
  %9 = arith.addf %x, %zero : f64
  %10 = arith.subf %x, %minus : f64
  %11 = arith.divf %one, %x : f64
  %12 = arith.subf %zero, %x : f64
  %13 = arith.maximumf %x, %zero : f64
  %14 = arith.negf %x : f64
  "test.op"(%9, %10, %11, %12, %13, %14) : (f64, f64, f64, f64, f64, f64) -> ()
  func.return
}

// Conversions of constants, and those that take two steps. Held back: what changes the value on the
// way, and a sign that becomes digits.
// CHECK-LABEL: @conversions
// CHECK-NEXT:    %[[A:.*]] = arith.constant 3 : i64
// CHECK-NEXT:    %[[B:.*]] = arith.constant 2.000000e+00 : f64
// CHECK-NEXT:    %[[C:.*]] = arith.constant 0 : i64
// CHECK-NEXT:    %[[S:.*]] = arith.extsi %a : i8 to i64
// CHECK-NEXT:    %[[D:.*]] = arith.sitofp %a : i8 to f64
// CHECK-NEXT:    %[[E:.*]] = arith.uitofp %a : i8 to f32
// CHECK-NEXT:    %[[T:.*]] = arith.trunci %n : i64 to i8
// CHECK-NEXT:    %[[F:.*]] = arith.sitofp %[[T]] : i8 to f64
// CHECK-NEXT:    %[[G:.*]] = arith.uitofp %[[S]] : i64 to f64
// CHECK-NEXT:    "test.op"(%[[A]], %[[B]], %[[C]], %[[D]], %[[E]], %[[F]], %[[G]])
func.func @conversions(%a: i8, %n: i64) {
  %half = arith.constant 3.5 : f64
  %0 = arith.fptosi %half : f64 to i64
  %two = arith.constant 2 : i32
  %1 = arith.sitofp %two : i32 to f64
  %nan = arith.constant 0x7FF8000000000000 : f64
  %2 = arith.fptosi %nan : f64 to i64
  %3 = arith.extsi %a : i8 to i64
  %4 = arith.sitofp %3 : i64 to f64
  %5 = arith.extui %a : i8 to i64
  %6 = arith.uitofp %5 : i64 to f32
  %7 = arith.trunci %n : i64 to i8
  %8 = arith.sitofp %7 : i8 to f64
  %9 = arith.uitofp %3 : i64 to f64
  "test.op"(%0, %1, %2, %4, %6, %8, %9) : (i64, f64, i64, f64, f32, f64, f64) -> ()
  func.return
}

// Kernels know it of rows that others have made, on workers and in one process, but not where one
// of those that run it gives something else.
// CHECK-LABEL: @rows_of_others
func.func @rows_of_others(%A: tensor<?xf64>, %L: !comprehension.bag<index, f64>)
    -> (!spark.rdd<[], [!comprehension.bag<index, f64>]>, !comprehension.bag<index, f64>,
        !comprehension.bag<index, f64>, !comprehension.bag<index, f64>) {
  %rows = func.call @made(%A) : (tensor<?xf64>) -> !comprehension.bag<index, f64>
  %sent = spark.parallelize %rows
      : !comprehension.bag<index, f64> -> !spark.rdd<[], [!comprehension.bag<index, f64>]>
  %0 = spark.map @sent_rows(%sent) dims()
      : !spark.rdd<[], [!comprehension.bag<index, f64>]> -> !spark.rdd<[], [!comprehension.bag<index, f64>]>
  %1 = func.call @called_rows(%rows) : (!comprehension.bag<index, f64>) -> !comprehension.bag<index, f64>
  %2 = func.call @any_rows(%rows) : (!comprehension.bag<index, f64>) -> !comprehension.bag<index, f64>
  %3 = func.call @any_rows(%L) : (!comprehension.bag<index, f64>) -> !comprehension.bag<index, f64>
  func.return %0, %1, %2, %3 : !spark.rdd<[], [!comprehension.bag<index, f64>]>,
      !comprehension.bag<index, f64>, !comprehension.bag<index, f64>, !comprehension.bag<index, f64>
}
func.func private @made(%A: tensor<?xf64>) -> !comprehension.bag<index, f64> {
  %0 = tensor_block.to_bag %A : tensor<?xf64> -> !comprehension.bag<index, f64>
  func.return %0 : !comprehension.bag<index, f64>
}
// CHECK-LABEL: func.func private @sent_rows
// CHECK-NOT:     filter
// CHECK:         func.return %batch
func.func private @sent_rows(%batch: !comprehension.bag<index, f64>) -> !comprehension.bag<index, f64> {
  %zero = arith.constant 0 : index
  %0 = tensor_block.filter %batch : !comprehension.bag<index, f64> {
  ^bb0(%i: index, %v: f64):
    %1 = arith.cmpi sge, %i, %zero : index
    tensor_block.yield %1 : i1
  }
  func.return %0 : !comprehension.bag<index, f64>
}
// CHECK-LABEL: func.func private @called_rows
// CHECK-NOT:     filter
// CHECK:         func.return %batch
func.func private @called_rows(%batch: !comprehension.bag<index, f64>) -> !comprehension.bag<index, f64> {
  %zero = arith.constant 0 : index
  %0 = tensor_block.filter %batch : !comprehension.bag<index, f64> {
  ^bb0(%i: index, %v: f64):
    %1 = arith.cmpi sge, %i, %zero : index
    tensor_block.yield %1 : i1
  }
  func.return %0 : !comprehension.bag<index, f64>
}
// CHECK-LABEL: func.func private @any_rows
// CHECK:         tensor_block.filter %batch
func.func private @any_rows(%batch: !comprehension.bag<index, f64>) -> !comprehension.bag<index, f64> {
  %zero = arith.constant 0 : index
  %0 = tensor_block.filter %batch : !comprehension.bag<index, f64> {
  ^bb0(%i: index, %v: f64):
    %1 = arith.cmpi sge, %i, %zero : index
    tensor_block.yield %1 : i1
  }
  func.return %0 : !comprehension.bag<index, f64>
}

// What is subtracted is compared with what it is subtracted from; kernels keep their bounds.
// CHECK-LABEL: @differences
// CHECK-NEXT:    arith.constant 0 : index
// CHECK-NEXT:    arith.cmpi sge, %i, %{{.*}} : index
// CHECK-NEXT:    arith.cmpi slt, %i, %n : index
// CHECK-NEXT:    arith.cmpi sgt, %n, %i : index
// CHECK-NEXT:    func.return
func.func @differences(%i: index, %n: index) -> (i1, i1, i1) {
  %zero = arith.constant 0 : index
  %a = arith.subi %zero, %i : index
  %b = arith.subi %n, %i : index
  %p = arith.cmpi sge, %zero, %a : index
  %q = arith.cmpi slt, %zero, %b : index
  %r = arith.cmpi sgt, %b, %zero : index
  func.return %p, %q, %r : i1, i1, i1
}
// Integers that wrap around are another matter.
// CHECK-LABEL: @wrapping
// CHECK:         arith.subi
func.func @wrapping(%i: i64, %n: i64) -> i1 {
  %zero = arith.constant 0 : i64
  %b = arith.subi %n, %i : i64
  %q = arith.cmpi slt, %zero, %b : i64
  func.return %q : i1
}

// What a function does that is declared alone is not known.
// CHECK-LABEL: @declared
// CHECK-NEXT:    func.call @elsewhere(%n)
func.func private @elsewhere(index) -> index
func.func @declared(%n: index) -> index {
  %r = func.call @elsewhere(%n) : (index) -> index
  func.return %r : index
}
