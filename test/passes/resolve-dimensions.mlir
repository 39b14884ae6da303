// RUN: diablo-opt %s -p resolve-dimensions | filecheck %s

!matrix = tensor<?x?xf64>

// An update, a branch and a loop keep the dimensions of the array that was built.
// CHECK-LABEL: func.func @kept
// CHECK-NOT:     tensor.dim
// CHECK:         func.return %n, %m : index, index
func.func @kept(%n: index, %m: index, %x: f64, %c: i1) -> (index, index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %A = comprehension.build (%n, %m) : !matrix {
    comprehension.yield (%zero, %zero) %x
  }
  %B = comprehension.merge %A : !matrix {
    comprehension.yield (%zero, %one) %x
  }
  %C = scf.if %c -> (!matrix) {
    scf.yield %A : !matrix
  } else {
    scf.yield %B : !matrix
  }
  %P, %Q = scf.while (%p = %C, %q = %B) : (!matrix, !matrix) -> (!matrix, !matrix) {
    scf.condition(%c) %p, %q : !matrix, !matrix
  } do {
  ^bb0(%p: !matrix, %q: !matrix):
    %r = comprehension.merge %q : !matrix {
      comprehension.yield (%zero, %one) %x
    }
    scf.yield %r, %p : !matrix, !matrix
  }
  %d0 = tensor.dim %P, %zero : !matrix
  %d1 = tensor.dim %Q, %one : !matrix
  func.return %d0, %d1 : index, index
}

// A loop that swaps the dimensions may leave either; those of an argument are not known.
// CHECK-LABEL: func.func @unknown
// CHECK:         %[[D:.*]] = tensor.dim %P
// CHECK:         %[[E:.*]] = tensor.dim %a
// CHECK:         func.return %[[D]], %[[E]]
func.func @unknown(%n: index, %m: index, %x: f64, %c: i1, %a: !matrix) -> (index, index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %A = comprehension.build (%n, %m) : !matrix {
    comprehension.yield (%zero, %zero) %x
  }
  %P = scf.while (%p = %A) : (!matrix) -> !matrix {
    scf.condition(%c) %p : !matrix
  } do {
  ^bb0(%p: !matrix):
    %d0 = tensor.dim %p, %zero : !matrix
    %d1 = tensor.dim %p, %one : !matrix
    %r = comprehension.build (%d1, %d0) : !matrix {
      comprehension.yield (%zero, %one) %x
    }
    scf.yield %r : !matrix
  }
  %d = tensor.dim %P, %zero : !matrix
  %e = tensor.dim %a, %zero : !matrix
  func.return %d, %e : index, index
}


// Quotients of constants are constants; a division by zero is kept.
// CHECK-LABEL: func.func @division
// CHECK:         %[[Q:.*]] = arith.constant -3 : i64
// CHECK:         %[[R:.*]] = arith.constant -1 : i64
// CHECK:         %[[Z:.*]] = arith.divsi
// CHECK:         func.return %[[Q]], %[[R]], %[[Z]]
func.func @division() -> (i64, i64, i64) {
  %seven = arith.constant -7 : i64
  %two = arith.constant 2 : i64
  %none = arith.constant 0 : i64
  %q = arith.divsi %seven, %two : i64
  %r = arith.remsi %seven, %two : i64
  %z = arith.divsi %seven, %none : i64
  func.return %q, %r, %z : i64, i64, i64
}

// Extents of one name are equal and not 0, and of a scalar it may be known what it is at least.
// CHECK-LABEL: func.func @named
// CHECK:         %[[D:.*]] = tensor.dim %a
// CHECK-NOT:     tensor.dim %b
// CHECK-NOT:     arith.cmpi
// CHECK:         func.return %[[D]], %[[D]], %{{.*}}, %{{.*}}
func.func @named(%a: !matrix {diablo.sizes = ["n", ""]}, %b: !matrix {diablo.sizes = ["", "n"]},
                 %k: index {diablo.least = 1 : i64}) -> (index, index, i1, i1) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %d = tensor.dim %a, %zero : !matrix
  %e = tensor.dim %b, %one : !matrix
  %some = arith.cmpi sge, %e, %one : index
  %none = arith.cmpi slt, %k, %one : index
  func.return %d, %e, %some, %none : index, index, i1, i1
}

// Of other extents and scalars it is not known, nor of what a row compares.
// CHECK-LABEL: func.func @unnamed
// CHECK-COUNT-2: tensor.dim
// CHECK-COUNT-3: arith.cmpi
func.func @unnamed(%a: !matrix {diablo.sizes = ["n", ""]}, %b: !matrix {diablo.sizes = ["m", ""]},
                   %k: index) -> (index, index, i1, i1, i64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %five = arith.constant 5 : index
  %d = tensor.dim %a, %zero : !matrix
  %e = tensor.dim %b, %zero : !matrix
  %some = arith.cmpi sgt, %e, %five : index
  %none = arith.cmpi slt, %k, %one : index
  %x = arith.constant 1 : i64
  %s = comprehension.aggregate add : i64 {
    %i = comprehension.range %zero to %d
    %t = arith.cmpi sge, %i, %zero : index
    comprehension.guard %t
    comprehension.yield %x
  }
  func.return %d, %e, %some, %none, %s : index, index, i1, i1, i64
}

// Where both branches make an array of an extent that each computes for itself, the loop around
// them keeps it: what one computes is read by nothing outside.
// CHECK-LABEL: func.func @chosen
// CHECK-NOT:     tensor.dim
// CHECK:         func.return %n, %n : index, index
// CHECK-LABEL: func.func @chosen_alone
// CHECK:         tensor.dim
func.func @chosen(%k: i64, %x: f64, %c: i1) -> (index, index) {
  %zero = arith.constant 0 : index
  %n = arith.index_cast %k : i64 to index
  %A = comprehension.build (%n) : tensor<?xf64> {
    comprehension.yield (%zero) %x
  }
  %P = scf.while (%p = %A) : (tensor<?xf64>) -> (tensor<?xf64>) {
    scf.condition(%c) %p : tensor<?xf64>
  } do {
  ^bb0(%p: tensor<?xf64>):
    %B = scf.if %c -> (tensor<?xf64>) {
      %m = arith.index_cast %k : i64 to index
      %C = comprehension.build (%m) : tensor<?xf64> {
        comprehension.yield (%zero) %x
      }
      scf.yield %C : tensor<?xf64>
    } else {
      %m = arith.index_cast %k : i64 to index
      %C = comprehension.build (%m) : tensor<?xf64> {
        comprehension.yield (%zero) %x
      }
      scf.yield %C : tensor<?xf64>
    }
    scf.yield %B : tensor<?xf64>
  }
  %d = tensor.dim %P, %zero : tensor<?xf64>
  func.return %d, %d : index, index
}
func.func @chosen_alone(%k: i64, %x: f64, %c: i1) -> index {
  %zero = arith.constant 0 : index
  %B = scf.if %c -> (tensor<?xf64>) {
    %m = arith.index_cast %k : i64 to index
    %C = comprehension.build (%m) : tensor<?xf64> {
      comprehension.yield (%zero) %x
    }
    scf.yield %C : tensor<?xf64>
  } else {
    %m = arith.index_cast %k : i64 to index
    %C = comprehension.build (%m) : tensor<?xf64> {
      comprehension.yield (%zero) %x
    }
    scf.yield %C : tensor<?xf64>
  }
  %d = tensor.dim %B, %zero : tensor<?xf64>
  func.return %d : index
}

// What a loop makes as long as it was stays so.
// CHECK-LABEL: func.func @as_long
// CHECK-NOT:     tensor.dim
// CHECK:         comprehension.build (%n)
// CHECK:         comprehension.build (%n)
// CHECK-NOT:     tensor.dim
func.func @as_long(%n: index, %x: f64, %c: i1) -> index {
  %zero = arith.constant 0 : index
  %A = comprehension.build (%n) : tensor<?xf64> {
    comprehension.yield (%zero) %x
  }
  %P = scf.while (%p = %A) : (tensor<?xf64>) -> (tensor<?xf64>) {
    scf.condition(%c) %p : tensor<?xf64>
  } do {
  ^bb0(%p: tensor<?xf64>):
    %d = tensor.dim %p, %zero : tensor<?xf64>
    %B = comprehension.build (%d) : tensor<?xf64> {
      comprehension.yield (%zero) %x
    }
    scf.yield %B : tensor<?xf64>
  }
  %e = tensor.dim %P, %zero : tensor<?xf64>
  func.return %e : index
}
