// Figure 7d of the paper: which fields the nodes of the lattice need.
// RUN: diablo-opt %s -p "infer-lattice-uses{summary}" --split-input-file 2>&1 | filecheck %s

// By rows alone: the column of each entry; of each row its index, and its first entry.

// CHECK:       region A: A, of rank 2
// CHECK-NEXT:    asked for: iterated by rows
// CHECK-NEXT:                            index  next  previous  id
// CHECK-NEXT:    lattice nodes           1      -     -         by position
// CHECK-NEXT:    dummies of dimension 1  0      1     -         -
// CHECK-NEXT:    dummies, others         -      -     -         -
// CHECK-NEXT:    dense directory         none
// CHECK-NEXT:    corners                 first
func.func @by_rows(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %y = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n) ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %x[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %y : tensor<?xf64>
}

// -----

// A column is read besides: links within columns and the row of each entry, a first entry of
// each column, and the directory that finds it. Nothing is linked backwards.

// CHECK:       region A: A, of rank 2
// CHECK-NEXT:    asked for: iterated by rows; a slice at an index of dimension 1
// CHECK-NEXT:                            index  next  previous  id
// CHECK-NEXT:    lattice nodes           0, 1   0     -         by position
// CHECK-NEXT:    dummies of dimension 0  -      0     -         -
// CHECK-NEXT:    dummies of dimension 1  0      1     -         -
// CHECK-NEXT:    dummies, others         -      -     -         -
// CHECK-NEXT:    dense directory         lists of dimension 0
// CHECK-NEXT:    corners                 first
func.func @and_a_column(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %x: tensor<?xf64>, %n: index) -> (tensor<?xf64>, f64) {
  %y = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n) ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %x[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  %s = tensor_block.reduce add reduced(d0 < %n) ins(%A[d0, 3] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> f64 {
  ^bb0(%i: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %y, %s : tensor<?xf64>, f64
}

// -----

// By columns alone the nodes are kept by columns. Boolean arrays have no values to find.

// CHECK:       region R: R, of rank 2
// CHECK-NEXT:    asked for: iterated by columns; no values
// CHECK-NEXT:                            index  next  previous  id
// CHECK-NEXT:    lattice nodes           0      -     -         -
// CHECK-NEXT:    dummies of dimension 0  1      0     -         -
func.func @by_columns(%R: tensor<?x?xi1, #tensor_block.tiles<dense = 1>>, %n: index) -> tensor<?x?xi1, #tensor_block.tiles<dense = 1>> {
  %y = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%R[d1, d0] : tensor<?x?xi1, #tensor_block.tiles<dense = 1>>) -> tensor<?x?xi1, #tensor_block.tiles<dense = 1>> {
  ^bb0(%i: index, %j: index, %a: i1):
    tensor_block.yield %a : i1
  }
  func.return %y : tensor<?x?xi1, #tensor_block.tiles<dense = 1>>
}

// -----

// Lists of lists in rank 3, and a step back in each dimension: the previous node of the last
// one is the node before.

// CHECK:       region V: V, of rank 3
// CHECK-NEXT:    asked for: iterated in any order; the previous element in dimensions 0 and 2
// CHECK-NEXT:                                   index    next  previous  id
// CHECK-NEXT:    lattice nodes                  0, 2     -     0         by position
// CHECK-NEXT:    dummies of dimension 2         1        2     -         -
// CHECK-NEXT:    dummies of dimensions 1 and 2  0        1     -         -
// CHECK-NEXT:    dummies, others                -        -     -         -
func.func @back(%V: tensor<?x?x?xf64, #tensor_block.tiles<dense = 0>>, %n: index) -> tensor<?x?x?xf64> {
  %y = tensor_block.map parallel(d0 < %n, d1 < %n, d2 < %n) ins(%V[d0 - 1, d1, d2 - 1] : tensor<?x?x?xf64, #tensor_block.tiles<dense = 0>>) -> tensor<?x?x?xf64> {
  ^bb0(%i: index, %j: index, %k: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %y : tensor<?x?x?xf64>
}

// -----

// What is not looked at needs nothing.

// CHECK:       region N: N, of rank 2
// CHECK-NEXT:    asked for: nothing
// CHECK-NEXT:                               index  next  previous  id
// CHECK-NEXT:    lattice nodes and dummies  -      -     -         -
// CHECK-NEXT:    dense directory            none
// CHECK-NEXT:    corners                    none
func.func @nothing(%N: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) {
  func.return
}
