// Which arrays are of one region.
// RUN: diablo-opt %s -p infer-lattice-uses --split-input-file | filecheck %s

// A multiple of an array stores elements where the array does: both have one region, and what
// is asked of one is asked of both.
// CHECK-LABEL: func.func @multiple
// CHECK-SAME:    uses<"A", orders = {{\[\[}}1, 0]], times = [1], any>
// CHECK:         tensor_block.map
// CHECK-SAME:      uses<"A", orders = {{\[\[}}1, 0]], times = [1], any>
func.func @multiple(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %c: f64, %x: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %A, %zero : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  %m = tensor.dim %A, %one : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  %B = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {
  ^bb0(%i: index, %j: index, %a: f64):
    %v = arith.mulf %a, %c : f64
    tensor_block.yield %v : f64
  }
  %y = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n) ins(%B[d1, d0] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %x[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %y : tensor<?xf64>
}

// -----

// Held back: %B may be smaller than %A, and %D stores elements beside those of %A.
// CHECK-LABEL: func.func @other_patterns
// CHECK-SAME:    uses<"A", any>
// CHECK:         tensor_block.map
// CHECK-SAME:      uses<"B", any>
// CHECK:         tensor_block.map
// CHECK-SAME:      uses<"D", any>
func.func @other_patterns(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %n: index) -> (tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c = arith.constant 1.0 : f64
  %k = tensor.dim %A, %zero : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  %m = tensor.dim %A, %one : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  %B = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {
  ^bb0(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  %D = tensor_block.map parallel(d0 < %k, d1 < %m) ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {
  ^bb0(%i: index, %j: index, %a: f64):
    %v = arith.addf %a, %c : f64
    tensor_block.yield %v : f64
  }
  func.return %B, %D : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
}

// -----

// What is computed under a Boolean array is of its region, whatever else it is computed from;
// an array from the rows of another one with the same indices is, too. A Boolean array that is
// looked at by itself has no values.
// CHECK-LABEL: func.func @under_a_region
// CHECK-SAME:    %R: {{.*}}uses<"R", orders = {{\[\[}}0, 1]], intersect = ["A"], any>
// CHECK-SAME:    %A: {{.*}}uses<"A", orders = {{\[\[}}0, 1]], intersect = ["R"]>
// CHECK-SAME:    %S: {{.*}}uses<"S", any, boolean>
// CHECK:         tensor_block.map
// CHECK-SAME:      uses<"R"
// CHECK:         tensor_block.from_bag
// CHECK-SAME:      uses<"R"
func.func @under_a_region(%R: tensor<?x?xi1, #tensor_block.tiles<dense = 1>>, %A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %S: tensor<?xi1, #tensor_block.tiles<dense = 0>>) -> (tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, tensor<?xi1, #tensor_block.tiles<dense = 0>>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %f = arith.constant 0.0 : f64
  %n = tensor.dim %R, %zero : tensor<?x?xi1, #tensor_block.tiles<dense = 1>>
  %m = tensor.dim %R, %one : tensor<?x?xi1, #tensor_block.tiles<dense = 1>>
  %B = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%R[d0, d1] : tensor<?x?xi1, #tensor_block.tiles<dense = 1>>, %A[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {
  ^bb0(%i: index, %j: index, %r: i1, %a: f64):
    %v = arith.select %r, %a, %f : f64
    tensor_block.yield %v : f64
  }
  %rows = tensor_block.to_bag %R : tensor<?x?xi1, #tensor_block.tiles<dense = 1>> -> !comprehension.bag<index, index, i1>
  %more = tensor_block.extend %rows : !comprehension.bag<index, index, i1> -> !comprehension.bag<index, index, i1, f64> {
  ^bb0(%i: index, %j: index, %r: i1):
    %v = arith.constant 1.0 : f64
    tensor_block.yield %v : f64
  }
  %cut = tensor_block.project %more[0, 1, 3] : !comprehension.bag<index, index, i1, f64> -> !comprehension.bag<index, index, f64>
  %C = tensor_block.from_bag %cut extents(%n, %m) : !comprehension.bag<index, index, f64> -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  func.return %B, %C, %S : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, tensor<?xi1, #tensor_block.tiles<dense = 0>>
}

// -----

// Held back: indices in another order, and rows that are filtered.
// CHECK-LABEL: func.func @other_rows
// CHECK-SAME:    uses<"A"
// CHECK:         tensor_block.from_bag
// CHECK-SAME:      uses<"B"
// CHECK:         tensor_block.from_bag
// CHECK-SAME:      uses<"D"
func.func @other_rows(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> (tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %A, %zero : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  %m = tensor.dim %A, %one : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  %rows = tensor_block.to_bag %A : tensor<?x?xf64, #tensor_block.tiles<dense = 1>> -> !comprehension.bag<index, index, f64>
  %turned = tensor_block.project %rows[1, 0, 2] : !comprehension.bag<index, index, f64> -> !comprehension.bag<index, index, f64>
  %B = tensor_block.from_bag %turned extents(%n, %m) : !comprehension.bag<index, index, f64> -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  %some = tensor_block.filter %rows : !comprehension.bag<index, index, f64> {
  ^bb0(%i: index, %j: index, %a: f64):
    %p = arith.cmpi slt, %i, %j : index
    tensor_block.yield %p : i1
  }
  %D = tensor_block.from_bag %some extents(%n, %m) : !comprehension.bag<index, index, f64> -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  func.return %B, %D : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
}

// -----

// What a loop carries is one array at different times. %A is not built and read once: the loop
// reads it again and again.
// CHECK-LABEL: func.func @carried
// CHECK:         %A = tensor_block.from_bag
// CHECK-SAME:      uses<"A", any>
// CHECK:         scf.while
// CHECK-NOT:     uses
// CHECK:         tensor_block.map
// CHECK-SAME:      uses<"A", any>
func.func @carried(%rows: !comprehension.bag<index, index, f64>, %n: index, %c: i1) -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {
  %one = arith.constant 1.0 : f64
  %A = tensor_block.from_bag %rows extents(%n, %n) : !comprehension.bag<index, index, f64> -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  %r = scf.while (%a = %A) : (tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {
    scf.condition(%c) %a : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  } do {
  ^bb0(%b: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>):
    %D = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%b[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {
    ^bb0(%i: index, %j: index, %x: f64):
      %v = arith.addf %x, %one : f64
      tensor_block.yield %v : f64
    }
    scf.yield %D : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  }
  func.return %r : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
}

// -----

// Built once and read once; but not where a loop reads it in every iteration, and not what is
// returned.
// CHECK-LABEL: func.func @once
// CHECK:         %A = tensor_block.from_bag
// CHECK-SAME:      uses<"A", any, once>
// CHECK:         %B = tensor_block.from_bag
// CHECK-SAME:      uses<"B", any>
func.func @once(%rows: !comprehension.bag<index, index, f64>, %n: index, %c: i1) -> f64 {
  %zero = arith.constant 0.0 : f64
  %A = tensor_block.from_bag %rows extents(%n, %n) : !comprehension.bag<index, index, f64> -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  %s = tensor_block.reduce add reduced(d0 < %n, d1 < %n) ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> f64 {
  ^bb0(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  %B = tensor_block.from_bag %rows extents(%n, %n) : !comprehension.bag<index, index, f64> -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  %r = scf.while (%t = %s) : (f64) -> f64 {
    scf.condition(%c) %t : f64
  } do {
  ^bb0(%t1: f64):
    %u = tensor_block.reduce add reduced(d0 < %n, d1 < %n) ins(%B[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> f64 {
    ^bb0(%i: index, %j: index, %a: f64):
      tensor_block.yield %a : f64
    }
    scf.yield %u : f64
  }
  func.return %r : f64
}

// -----

// A band: the difference of the indices is bounded, by a test or by the range of one of them.
// CHECK-LABEL: func.func @bands
// CHECK:         %R = tensor_block.map
// CHECK-SAME:      uses<"R", any, boolean, band>
// CHECK:         %T = tensor_block.from_bag
// CHECK-SAME:      uses<"T", any, band>
// CHECK:         %U = tensor_block.map
// CHECK-SAME:      uses<"U", any, boolean>
func.func @bands(%n: index) -> (tensor<?x?xi1, #tensor_block.tiles<dense = 1>>, tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, tensor<?x?xi1, #tensor_block.tiles<dense = 1>>) {
  %R = tensor_block.map parallel(d0 < %n, d1 < %n) -> tensor<?x?xi1, #tensor_block.tiles<dense = 1>> {
  ^bb0(%i: index, %j: index):
    %two = arith.constant 2 : i64
    %d = arith.subi %i, %j : index
    %e = arith.index_cast %d : index to i64
    %a = math.absi %e : i64
    %p = arith.cmpi slt, %a, %two : i64
    tensor_block.yield %p : i1
  }
  %zero = arith.constant 0 : index
  %all = tensor_block.range %zero to %n : !comprehension.bag<index>
  %rows = tensor_block.expand %all : !comprehension.bag<index> -> !comprehension.bag<index, index> {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %below = arith.subi %i, %one : index
    %low = arith.maxsi %zero, %below : index
    %high = arith.addi %i, %one : index
    tensor_block.yield %low, %high : index, index
  }
  %more = tensor_block.extend %rows : !comprehension.bag<index, index> -> !comprehension.bag<index, index, f64> {
  ^bb0(%i: index, %j: index):
    %v = arith.constant 1.0 : f64
    tensor_block.yield %v : f64
  }
  %T = tensor_block.from_bag %more extents(%n, %n) : !comprehension.bag<index, index, f64> -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  // Held back: a triangle is bounded on one side.
  %U = tensor_block.map parallel(d0 < %n, d1 < %n) -> tensor<?x?xi1, #tensor_block.tiles<dense = 1>> {
  ^bb0(%i: index, %j: index):
    %p = arith.cmpi sle, %i, %j : index
    tensor_block.yield %p : i1
  }
  func.return %R, %T, %U : tensor<?x?xi1, #tensor_block.tiles<dense = 1>>, tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, tensor<?x?xi1, #tensor_block.tiles<dense = 1>>
}

// -----

// Rows that lie within a region make an array of it; an array that is updated by them has other
// elements besides.
// CHECK-LABEL: func.func @within
// CHECK:         %A = tensor_block.from_bag
// CHECK-SAME:      uses<"R"
// CHECK:         %B = tensor_block.from_bag
// CHECK-SAME:      uses<"D"
func.func @within(%rows: !comprehension.bag<index, f64>, %R: tensor<?xi1, #tensor_block.tiles<dense = 0>>, %D: tensor<?xf64, #tensor_block.tiles<dense = 0>>) -> (tensor<?xf64, #tensor_block.tiles<dense = 0>>, tensor<?xf64, #tensor_block.tiles<dense = 0>>) {
  %zero = arith.constant 0 : index
  %n = tensor.dim %R, %zero : tensor<?xi1, #tensor_block.tiles<dense = 0>>
  %A = tensor_block.from_bag %rows extents(%n) within(%R : tensor<?xi1, #tensor_block.tiles<dense = 0>>) : !comprehension.bag<index, f64> -> tensor<?xf64, #tensor_block.tiles<dense = 0>>
  %B = tensor_block.from_bag %rows extents(%n) dest(%D : tensor<?xf64, #tensor_block.tiles<dense = 0>>) within(%R : tensor<?xi1, #tensor_block.tiles<dense = 0>>) : !comprehension.bag<index, f64> -> tensor<?xf64, #tensor_block.tiles<dense = 0>>
  func.return %A, %B : tensor<?xf64, #tensor_block.tiles<dense = 0>>, tensor<?xf64, #tensor_block.tiles<dense = 0>>
}
