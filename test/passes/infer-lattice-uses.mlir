// RUN: diablo-opt %s -p infer-lattice-uses --split-input-file | filecheck %s

// Iteration orders: the dimension of the result is the outermost.

// CHECK-LABEL: func.func @by_rows
// CHECK-SAME:    uses<"A", orders = {{\[\[}}0, 1]]>
func.func @by_rows(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %y = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n) ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %x[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %y : tensor<?xf64>
}

// -----

// CHECK-LABEL: func.func @by_columns
// CHECK-SAME:    uses<"E", orders = {{\[\[}}1, 0]], times = [1]>
func.func @by_columns(%E: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %y = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n) ins(%x[d1] : tensor<?xf64>, %E[d1, d0] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %y : tensor<?xf64>
}

// -----

// CHECK-LABEL: func.func @in_rank_3
// CHECK-SAME:    uses<"T", orders = {{\[\[}}2, 0, 1]]>
func.func @in_rank_3(%T: tensor<?x?x?xf64, #tensor_block.tiles<dense = 0>>, %X: tensor<?x?xf64>, %n: index) -> tensor<?xf64> {
  %y = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n, d2 < %n) ins(%T[d1, d2, d0] : tensor<?x?x?xf64, #tensor_block.tiles<dense = 0>>, %X[d1, d2] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^bb0(%k: index, %i: index, %j: index, %a: f64, %x: f64):
    %v = arith.mulf %a, %x : f64
    tensor_block.yield %v : f64
  }
  func.return %y : tensor<?xf64>
}

// -----

// One pass over the elements of an array alone takes them as they come.
// CHECK-LABEL: func.func @greatest_of_columns
// CHECK-SAME:    uses<"A", any>
func.func @greatest_of_columns(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %n: index) -> tensor<?xf64> {
  %y = tensor_block.reduce max parallel(d0 < %n) reduced(d1 < %n) ins(%A[d1, d0] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %y : tensor<?xf64>
}

// -----

// A sum of all elements goes in the order in which they are stored, and so does what is
// returned; nothing is asked of what is only asked for its size.
// CHECK-LABEL: func.func @in_any_order
// CHECK-SAME:    uses<"A", any>
// CHECK-SAME:    uses<"N">
func.func @in_any_order(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %N: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> f64 {
  %zero = arith.constant 0 : index
  %n = tensor.dim %N, %zero : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  %s = tensor_block.reduce add reduced(d0 < %n, d1 < %n) ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> f64 {
  ^bb0(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %s : f64
}

// -----

// A transposed copy is built row by row; a product of matrices takes rows of %B where %A
// stores an element.
// CHECK-LABEL: func.func @transposed
// CHECK-SAME:    uses<"A", orders = {{\[\[}}1, 0]]>
// CHECK:         tensor_block.map
// CHECK-SAME:      uses<"At", any>
func.func @transposed(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %n: index) -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {
  %At = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%A[d1, d0] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {
  ^bb0(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %At : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
}

// -----

// CHECK-LABEL: func.func @sparse_product
// CHECK-SAME:    uses<"A", orders = {{\[\[}}0, 1]], intersect = ["B"]>
// CHECK-SAME:    uses<"B", slices = {{\[\[}}0]], intersect = ["A"]>
func.func @sparse_product(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %B: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %n: index) -> tensor<?x?xf64> {
  %C = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n) ins(%A[d0, d2] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %B[d2, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %C : tensor<?x?xf64>
}

// -----

// A sparse vector is looked into at the columns of the matrix.
// CHECK-LABEL: func.func @sparse_vector
// CHECK-SAME:    uses<"A", orders = {{\[\[}}0, 1]], intersect = ["x"]>
// CHECK-SAME:    uses<"x", intersect = ["A"], random>
func.func @sparse_vector(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %x: tensor<?xf64, #tensor_block.tiles<dense = 0>>, %n: index) -> tensor<?xf64> {
  %y = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n) ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %x[d1] : tensor<?xf64, #tensor_block.tiles<dense = 0>>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %y : tensor<?xf64>
}

// -----

// The result is where either operand is, or where both are.
// CHECK-LABEL: func.func @together
// CHECK-SAME:    uses<"A", orders = {{\[\[}}0, 1]], union = ["B"], intersect = ["B"]>
// CHECK-SAME:    uses<"B", orders = {{\[\[}}0, 1]], union = ["A"], intersect = ["A"]>
// CHECK:         tensor_block.map
// CHECK-SAME:      uses<"S"
// CHECK:         tensor_block.map
// CHECK-SAME:      uses<"P"
func.func @together(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %B: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %n: index) -> (tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) {
  %S = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %B[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %v = arith.addf %a, %b : f64
    tensor_block.yield %v : f64
  }
  %P = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %B[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %S, %P : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
}

// -----

// Held back: what makes a dense array puts the elements of each in their places.
// CHECK-LABEL: func.func @not_together
// CHECK-SAME:    uses<"A", any>
// CHECK-SAME:    uses<"B", any>
func.func @not_together(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %B: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %n: index) -> tensor<?x?xf64> {
  %S = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %B[d1, d0] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %v = arith.addf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %S : tensor<?x?xf64>
}

// -----

// Reading beside the point: a step forwards and one back; a fixed index: a single slice.
// CHECK-LABEL: func.func @beside
// CHECK-SAME:    uses<"A", next = [0], previous = [1], any>
// CHECK-SAME:    uses<"B", single_slices = {{\[\[}}1]]>
// CHECK-SAME:    uses<"D", random>
func.func @beside(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %B: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %D: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %n: index) -> (tensor<?x?xf64>, f64, f64) {
  %S = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%A[d0 + 1, d1 - 1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  %c = tensor_block.reduce add reduced(d0 < %n) ins(%B[d0, 3] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> f64 {
  ^bb0(%i: index, %a: f64):
    tensor_block.yield %a : f64
  }
  %t = tensor_block.reduce add reduced(d0 < %n) ins(%D[d0, d0] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> f64 {
  ^bb0(%i: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %S, %c, %t : tensor<?x?xf64>, f64, f64
}

// -----

// Single elements: an element that is read, rows that are looked up.
// CHECK-LABEL: func.func @random
// CHECK-SAME:    uses<"A", random>
// CHECK-SAME:    uses<"B", any, random>
func.func @random(%A: tensor<?x?xf64, #tensor_block.storage<dense = 1>>, %B: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %n: index) -> (f64, !comprehension.bag<index, index, f64, f64>) {
  %e = tensor.extract %A[%n, %n] : tensor<?x?xf64, #tensor_block.storage<dense = 1>>
  %rows = tensor_block.to_bag %B : tensor<?x?xf64, #tensor_block.tiles<dense = 1>> -> !comprehension.bag<index, index, f64>
  %found = tensor_block.lookup %rows[1, 0] in %B : !comprehension.bag<index, index, f64>, tensor<?x?xf64, #tensor_block.tiles<dense = 1>> -> !comprehension.bag<index, index, f64, f64>
  func.return %e, %found : f64, !comprehension.bag<index, index, f64, f64>
}

// -----

// A loop slices %A in each of its iterations, and %B once in all; what it makes itself it slices
// once as well.
// CHECK-LABEL: func.func @slices
// CHECK-SAME:    uses<"A", slices = {{\[\[}}1]]>
// CHECK-SAME:    uses<"B", single_slices = {{\[\[}}0, 2]]>
// CHECK:         sparse_storage.uses<"C", single_slices = {{\[\[}}1]], once>
func.func @slices(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %B: tensor<?x?x?xf64, #tensor_block.tiles<dense = 1>>, %n: index, %rows: !comprehension.bag<index, index, f64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %b = tensor_block.slice %B[%zero, *, %one] : tensor<?x?x?xf64, #tensor_block.tiles<dense = 1>> -> tensor<?xf64, #tensor_block.tiles<dense = 0>>
  %end = scf.while (%k = %zero) : (index) -> index {
    %more = arith.cmpi slt, %k, %n : index
    scf.condition(%more) %k : index
  } do {
  ^bb0(%i: index):
    %a = tensor_block.slice %A[*, %i] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>> -> tensor<?xf64, #tensor_block.tiles<dense = 0>>
    %C = tensor_block.from_bag %rows extents(%n, %n) : !comprehension.bag<index, index, f64> -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
    %c = tensor_block.slice %C[*, %i] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>> -> tensor<?xf64, #tensor_block.tiles<dense = 0>>
    %next = arith.addi %i, %one : index
    scf.yield %next : index
  }
  func.return
}
