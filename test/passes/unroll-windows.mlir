// RUN: diablo-opt %s -p unroll-windows,canonicalize,cse --split-input-file | filecheck %s
// RUN: diablo-opt %s -p unroll-windows --remarks --split-input-file -o %t 2>&1 | filecheck %s --check-prefix=REMARK

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// Coefficients are values of the program, each read once or known, and the points that have one
// in common are summed first.
// REMARK:        remark: a window of 3 points is written out
// CHECK-LABEL: func.func @coefficients
// CHECK:         comprehension.build
// CHECK-NOT:       comprehension.aggregate
// CHECK:           [[LEFT:%.+]] = comprehension.each %U full
// CHECK:           [[MIDDLE:%.+]] = comprehension.each %U full
// CHECK:           [[RIGHT:%.+]] = comprehension.each %U full
// CHECK-NOT:       comprehension.each
// CHECK:           [[SUM:%.+]] = arith.addf %{{.+}}, %{{.+}} : f64
// CHECK-NEXT:      [[SIDES:%.+]] = arith.mulf %y, [[SUM]] : f64
// CHECK-NEXT:      [[OWN:%.+]] = arith.mulf %x, %{{.+}} : f64
// CHECK-NEXT:      [[ALL:%.+]] = arith.addf [[SIDES]], [[OWN]] : f64
// CHECK-NEXT:      comprehension.yield (%i) [[ALL]]
func.func @coefficients(%n: index, %x: f64, %y: f64) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %minus_one = arith.constant -1 : index
  %rows = comprehension.list (%zero, %x), (%one, %y) : !comprehension.bag<index, f64>
  %c = comprehension.build (%two) : tensor<?xf64> {
    %k, %v = comprehension.each %rows : !comprehension.bag<index, f64>
    comprehension.yield (%k) %v
  }
  %U = comprehension.build (%n) : !vector {
    %k = comprehension.range %zero to %one
    comprehension.yield (%k) %x
  }
  %R = comprehension.build (%n) : !vector {
    %last = arith.subi %n, %two : index
    %i = comprehension.range %one to %last
    %s = comprehension.aggregate add : f64 {
      %d = comprehension.range %minus_one to %one
      %a = math.absi %d : index
      %k, %f = comprehension.each %c full : tensor<?xf64>
      %p = arith.cmpi eq, %k, %a : index
      comprehension.guard %p
      %j = arith.addi %i, %d : index
      %l, %u = comprehension.each %U full : !vector
      %q = arith.cmpi eq, %l, %j : index
      comprehension.guard %q
      %v = arith.mulf %f, %u : f64
      comprehension.yield %v
    }
    comprehension.yield (%i) %s
  }
  func.return %R : !vector
}

// -----

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// Indices that wrap around are in the array; a test of the window's indices alone chooses points;
// an element of a local array that is not known is read once, in front of all.
// REMARK:        remark: a window of 9 points is written out
// CHECK-LABEL: func.func @around
// CHECK:         tensor.extract %c[%{{.+}}] : tensor<?xf64>
// CHECK-NOT:     tensor.extract
// CHECK:         comprehension.build
// CHECK-COUNT-4:   comprehension.each %U full
// CHECK-NOT:       comprehension.each
// CHECK:           comprehension.yield
func.func @around(%n: index, %c: tensor<?xf64> {diablo.shape = array<i64: 4>}) -> !matrix {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %minus_one = arith.constant -1 : index
  %x = arith.constant 0.5 : f64
  %U = comprehension.build (%n, %n) : !matrix {
    %k = comprehension.range %zero to %one
    comprehension.yield (%zero, %k) %x
  }
  %R = comprehension.build (%n, %n) : !matrix {
    %last = arith.subi %n, %one : index
    %i = comprehension.range %zero to %last
    %j = comprehension.range %zero to %last
    %s = comprehension.aggregate add : f64 {
      %d = comprehension.range %minus_one to %one
      %e = comprehension.range %minus_one to %one
      %a = math.absi %d : index
      %b = math.absi %e : index
      %m = arith.addi %a, %b : index
      %p = arith.cmpi eq, %m, %one : index
      comprehension.guard %p
      %h, %f = comprehension.each %c full : tensor<?xf64>
      %is = arith.cmpi eq, %h, %m : index
      comprehension.guard %is
      %id = arith.addi %i, %d : index
      %idn = arith.addi %id, %n : index
      %ii = arith.remsi %idn, %n : index
      %je = arith.addi %j, %e : index
      %jen = arith.addi %je, %n : index
      %jj = arith.remsi %jen, %n : index
      %k, %l, %u = comprehension.each %U full : !matrix
      %q = arith.cmpi eq, %k, %ii : index
      comprehension.guard %q
      %r = arith.cmpi eq, %l, %jj : index
      comprehension.guard %r
      %v = arith.mulf %f, %u : f64
      comprehension.yield %v
    }
    comprehension.yield (%i, %j) %s
  }
  func.return %R : !matrix
}

// -----

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// Points whose coefficient does not exist have no term.
// REMARK:        remark: a window of 3 points is written out
// CHECK-LABEL: func.func @fewer
// CHECK:         comprehension.build
// CHECK-NOT:       comprehension.aggregate
// CHECK-COUNT-1:   comprehension.each %U full
// CHECK-NOT:       comprehension.each
func.func @fewer(%U: !vector {diablo.shape = array<i64: 9>}, %c: tensor<?xf64> {diablo.shape = array<i64: 1>}) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %nine = arith.constant 9 : index
  %minus_one = arith.constant -1 : index
  %R = comprehension.build (%nine) : !vector {
    %seven = arith.constant 7 : index
    %i = comprehension.range %one to %seven
    %s = comprehension.aggregate add : f64 {
      %d = comprehension.range %minus_one to %one
      %k, %f = comprehension.each %c full : tensor<?xf64>
      %p = arith.cmpi eq, %k, %d : index
      comprehension.guard %p
      %j = arith.addi %i, %d : index
      %l, %u = comprehension.each %U full : !vector
      %q = arith.cmpi eq, %l, %j : index
      comprehension.guard %q
      %v = arith.mulf %f, %u : f64
      comprehension.yield %v
    }
    comprehension.yield (%i) %s
  }
  func.return %R : !vector
}

// -----

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// Points that count in some rows only, as those at the border: what is read is looked for.
// CHECK-LABEL: func.func @tested
// CHECK:         %R = comprehension.build (%n)
// CHECK:           %i = comprehension.range
// CHECK:           %[[U:.*]], %[[THERE:.*]] = comprehension.probe %U[%j]
// CHECK-NEXT:      %[[GREAT:.*]] = arith.cmpf ogt, %[[U]], %x : f64
// CHECK-NEXT:      %[[BOTH:.*]] = arith.andi %[[THERE]], %[[GREAT]] : i1
// CHECK-NEXT:      %[[NONE:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:      %[[TERM:.*]] = arith.select %[[BOTH]], %[[U]], %[[NONE]] : f64
// CHECK-NOT:       comprehension.aggregate
func.func @tested(%n: index, %U: !vector) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %minus_one = arith.constant -1 : index
  %x = arith.constant 0.5 : f64
  %R = comprehension.build (%n) : !vector {
    %last = arith.subi %n, %one : index
    %i = comprehension.range %zero to %last
    %s = comprehension.aggregate add : f64 {
      %d = comprehension.range %minus_one to %one
      %j = arith.addi %i, %d : index
      %l, %u = comprehension.each %U full : !vector
      %q = arith.cmpi eq, %l, %j : index
      comprehension.guard %q
      %p = arith.cmpf ogt, %u, %x : f64
      comprehension.guard %p
      comprehension.yield %u
    }
    comprehension.yield (%i) %s
  }
  func.return %R : !vector
}

// -----

// How many neighbours there are: nothing is read.
!vector_of_ints = tensor<?xi64, #tensor_block.tiles<dense = 1>>

// CHECK-LABEL: func.func @counted
// CHECK-NOT:     comprehension.aggregate
// CHECK-COUNT-3:   arith.select
func.func @counted(%n: index) -> !vector_of_ints {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %minus_one = arith.constant -1 : index
  %once = arith.constant 1 : i64
  %R = comprehension.build (%n) : !vector_of_ints {
    %last = arith.subi %n, %one : index
    %i = comprehension.range %zero to %last
    %s = comprehension.aggregate add : i64 {
      %d = comprehension.range %minus_one to %one
      %j = arith.addi %i, %d : index
      %p = arith.cmpi sge, %j, %zero : index
      comprehension.guard %p
      %q = arith.cmpi slt, %j, %n : index
      comprehension.guard %q
      comprehension.yield %once
    }
    comprehension.yield (%i) %s
  }
  func.return %R : !vector_of_ints
}

// -----

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!sparse = tensor<?xf64, #tensor_block.tiles<dense = 0>>

// These hold back: terms at the border of a sparse array, many points, a range whose length is not
// known, and a division that a test protects.
// REMARK:        remark: this window is not written out: it is not known that S has all elements that are read
// REMARK:        remark: this window is not written out: the window has 50 points
// REMARK:        remark: this window is not written out: a range of the window is not constant
// REMARK:        remark: this window is not written out: a value may fail where its point does not count
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-4:   comprehension.aggregate
func.func @kept(%n: index, %m: index, %by: index, %S: !sparse) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %minus_one = arith.constant -1 : index
  %many = arith.constant 49 : index
  %x = arith.constant 0.5 : f64
  %U = comprehension.build (%n) : !vector {
    %k = comprehension.range %zero to %one
    comprehension.yield (%k) %x
  }
  %R = comprehension.build (%n) : !vector {
    %last = arith.subi %n, %one : index
    %i = comprehension.range %zero to %last
    %s = comprehension.aggregate add : f64 {
      %d = comprehension.range %minus_one to %one
      %j = arith.addi %i, %d : index
      %l, %u = comprehension.each %S full : !sparse
      %q = arith.cmpi eq, %l, %j : index
      comprehension.guard %q
      comprehension.yield %u
    }
    %t = comprehension.aggregate add : f64 {
      %d = comprehension.range %zero to %many
      %j = arith.addi %i, %d : index
      %l, %u = comprehension.each %U full : !vector
      %q = arith.cmpi eq, %l, %j : index
      comprehension.guard %q
      comprehension.yield %u
    }
    %v = comprehension.aggregate add : f64 {
      %d = comprehension.range %zero to %m
      %j = arith.addi %i, %d : index
      %l, %u = comprehension.each %U full : !vector
      %q = arith.cmpi eq, %l, %j : index
      comprehension.guard %q
      comprehension.yield %u
    }
    %w = comprehension.aggregate add : f64 {
      %d = comprehension.range %zero to %one
      %j = arith.addi %i, %d : index
      %l, %u = comprehension.each %U full : !vector
      %q = arith.cmpi eq, %l, %j : index
      comprehension.guard %q
      %m_th = arith.remsi %j, %by : index
      %p = arith.cmpi eq, %m_th, %zero : index
      comprehension.guard %p
      comprehension.yield %u
    }
    %st = arith.addf %s, %t : f64
    %vw = arith.addf %v, %w : f64
    %all = arith.addf %st, %vw : f64
    comprehension.yield (%i) %all
  }
  func.return %R : !vector
}

// -----

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// An update under a loop over a window is the same; one under the loop of a product of matrices
// is not, however short that is.
// CHECK-LABEL: func.func @updates
// CHECK:         comprehension.merge add %V
// CHECK-NOT:       comprehension.range %zero to %one
// CHECK-COUNT-2:   comprehension.each %U full
// CHECK:           [[SUM:%.+]] = arith.addf %{{.+}}, %{{.+}} : f64
// CHECK-NEXT:      comprehension.yield (%i) [[SUM]]
// CHECK:         comprehension.merge add %V
// CHECK-COUNT-1:   comprehension.each %A full
// CHECK-NOT:       comprehension.each %A full
func.func @updates(
  %V: !vector, %U: !vector {diablo.shape = array<i64: 9>}, %A: !matrix {diablo.shape = array<i64: 9, 2>}
) -> (!vector, !vector) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %seven = arith.constant 7 : index
  %S = comprehension.merge add %V : !vector {
    %i = comprehension.range %one to %seven
    %d = comprehension.range %zero to %one
    %j = arith.addi %i, %d : index
    %l, %u = comprehension.each %U full : !vector
    %q = arith.cmpi eq, %l, %j : index
    comprehension.guard %q
    comprehension.yield (%i) %u
  }
  %T = comprehension.merge add %V : !vector {
    %i = comprehension.range %one to %seven
    %d = comprehension.range %zero to %one
    %k, %l, %a = comprehension.each %A full : !matrix
    %p = arith.cmpi eq, %k, %i : index
    comprehension.guard %p
    %q = arith.cmpi eq, %l, %d : index
    comprehension.guard %q
    comprehension.yield (%i) %a
  }
  func.return %S, %T : !vector, !vector
}

// -----

// A map has no row for a window of which no point counts, so that none may be written for it.
// CHECK-LABEL: func.func @map
// CHECK:         comprehension.merge min %M
// CHECK:           comprehension.range %zero to %zero
func.func @map(%M: !comprehension.bag<keys = 1, i64, i64>, %n: index)
    -> !comprehension.bag<keys = 1, i64, i64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %limit = arith.constant 5 : index
  %N = comprehension.merge min %M : !comprehension.bag<keys = 1, i64, i64> {
    %d = comprehension.range %zero to %zero
    %i = comprehension.range %one to %n
    %v = arith.index_cast %d : index to i64
    %s = arith.addi %d, %i : index
    %p = arith.cmpi sgt, %s, %limit : index
    comprehension.guard %p
    %k = arith.index_cast %i : index to i64
    comprehension.yield (%k) %v
  }
  func.return %N : !comprehension.bag<keys = 1, i64, i64>
}

// -----

!flags = tensor<?xi1, #tensor_block.tiles<dense = 1>>
!counts = tensor<?xi64, #tensor_block.tiles<dense = 1>>

// The remainder stands before what is tested at it, and is computed for all points: it may fail.
// REMARK:        remark: a window of 3 points is written out
// CHECK-LABEL: func.func @neighbours
// CHECK-NOT:     comprehension.aggregate
// CHECK-COUNT-3: arith.remsi
// CHECK:         arith.select
func.func @neighbours(%B: !flags) -> !counts {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %minus_one = arith.constant -1 : index
  %once = arith.constant 1 : i64
  %n = tensor.dim %B, %zero : !flags
  %R = comprehension.build (%n) : !counts {
    %last = arith.subi %n, %one : index
    %i = comprehension.range %zero to %last
    %s = comprehension.aggregate add : i64 {
      %d = comprehension.range %minus_one to %one
      %moved = arith.addi %i, %d : index
      %positive = arith.addi %moved, %n : index
      %j = arith.remsi %positive, %n : index
      %l, %alive = comprehension.each %B full : !flags
      %q = arith.cmpi eq, %l, %j : index
      comprehension.guard %q
      comprehension.guard %alive
      comprehension.yield %once
    }
    comprehension.yield (%i) %s
  }
  func.return %R : !counts
}
