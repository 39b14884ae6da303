// RUN: diablo-opt %s -p canonicalize | filecheck %s

// CHECK-LABEL: func.func @identity
// CHECK-NEXT:    func.return %a : !comprehension.bag<i64, f64>
func.func @identity(%a: !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64> {
  %b = tensor_block.project %a[0, 1] : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64>
  func.return %b : !comprehension.bag<i64, f64>
}

// Columns in another order, or not all of them, are another bag.
// CHECK-LABEL: func.func @not_the_identity
// CHECK-NEXT:    %b = tensor_block.project %a[1, 0]
// CHECK-NEXT:    %c = tensor_block.project %a[0]
// CHECK-NEXT:    func.return %b, %c
func.func @not_the_identity(%a: !comprehension.bag<i64, i64>) -> (!comprehension.bag<i64, i64>, !comprehension.bag<i64>) {
  %b = tensor_block.project %a[1, 0] : !comprehension.bag<i64, i64> -> !comprehension.bag<i64, i64>
  %c = tensor_block.project %a[0] : !comprehension.bag<i64, i64> -> !comprehension.bag<i64>
  func.return %b, %c : !comprehension.bag<i64, i64>, !comprehension.bag<i64>
}

// CHECK-LABEL: func.func @merge
// CHECK-NEXT:    %[[C:.*]] = tensor_block.project %a[0, 2] : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<i64, i1>
// CHECK-NEXT:    func.return %[[C]]
func.func @merge(%a: !comprehension.bag<i64, f64, i1>) -> !comprehension.bag<i64, i1> {
  %b = tensor_block.project %a[2, 0] : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<i1, i64>
  %c = tensor_block.project %b[1, 0] : !comprehension.bag<i1, i64> -> !comprehension.bag<i64, i1>
  func.return %c : !comprehension.bag<i64, i1>
}

// Swapped twice is as it was.
// CHECK-LABEL: func.func @swap
// CHECK-NEXT:    func.return %a
func.func @swap(%a: !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64> {
  %b = tensor_block.project %a[1, 0] : !comprehension.bag<i64, f64> -> !comprehension.bag<f64, i64>
  %c = tensor_block.project %b[1, 0] : !comprehension.bag<f64, i64> -> !comprehension.bag<i64, f64>
  func.return %c : !comprehension.bag<i64, f64>
}

// CHECK-LABEL: func.func @no_column
// CHECK-NEXT:    func.return %a
func.func @no_column(%a: !comprehension.bag<i64>) -> !comprehension.bag<i64> {
  %b = tensor_block.extend %a : !comprehension.bag<i64> -> !comprehension.bag<i64> {
  ^bb0(%k: i64):
    tensor_block.yield
  }
  func.return %b : !comprehension.bag<i64>
}

// CHECK-LABEL: func.func @one_column
// CHECK-NEXT:    tensor_block.extend
func.func @one_column(%a: !comprehension.bag<i64>) -> !comprehension.bag<i64, i64> {
  %b = tensor_block.extend %a : !comprehension.bag<i64> -> !comprehension.bag<i64, i64> {
  ^bb0(%k: i64):
    tensor_block.yield %k : i64
  }
  func.return %b : !comprehension.bag<i64, i64>
}

// The column that is appended takes the place of the other.
// CHECK-LABEL: func.func @other_column
// CHECK-NEXT:    tensor_block.extend
func.func @other_column(%a: !comprehension.bag<i64>) -> !comprehension.bag<i64> {
  %b = tensor_block.extend %a to [1] : !comprehension.bag<i64> -> !comprehension.bag<i64> {
  ^bb0(%k: i64):
    %n = arith.muli %k, %k : i64
    tensor_block.yield %n : i64
  }
  func.return %b : !comprehension.bag<i64>
}

// CHECK-LABEL: func.func @every_row
// CHECK-NEXT:    func.return %a
func.func @every_row(%a: !comprehension.bag<i64>) -> !comprehension.bag<i64> {
  %b = tensor_block.filter %a : !comprehension.bag<i64> {
  ^bb0(%k: i64):
    %true = arith.constant true
    tensor_block.yield %true : i1
  }
  func.return %b : !comprehension.bag<i64>
}

// No row, or an unknown part of a map, is not every row of a bag.
// CHECK-LABEL: func.func @not_every_row
// CHECK-NEXT:    %b = tensor_block.filter %a
// CHECK:         %c = tensor_block.filter %m
func.func @not_every_row(%a: !comprehension.bag<i64>, %m: !comprehension.bag<keys = 1, i64>)
    -> (!comprehension.bag<i64>, !comprehension.bag<i64>) {
  %b = tensor_block.filter %a : !comprehension.bag<i64> {
  ^bb0(%k: i64):
    %false = arith.constant false
    tensor_block.yield %false : i1
  }
  %c = tensor_block.filter %m : !comprehension.bag<keys = 1, i64> {
  ^bb0(%k: i64):
    %true = arith.constant true
    tensor_block.yield %true : i1
  }
  func.return %b, %c : !comprehension.bag<i64>, !comprehension.bag<i64>
}

// A map that nothing was written to holds the groups of the rows that are; of no rows there are
// no groups. Another map is updated.
// CHECK-LABEL: func.func @new_map
// CHECK-NOT:     comprehension.list
// CHECK:         %[[SUMS:.*]] = tensor_block.group_reduce %rows keys 1 monoids(add)
// CHECK-NEXT:    %[[ADDED:.*]] = tensor_block.to_map %[[SUMS]]
// CHECK-NEXT:    %[[ROWS:.*]] = tensor_block.group_reduce %pairs keys 1 monoids(any, any)
// CHECK-NEXT:    %[[SET:.*]] = tensor_block.to_map %[[ROWS]]
// CHECK-NEXT:    %[[MORE:.*]] = tensor_block.update max %[[ADDED]] with %rows
// CHECK-NEXT:    func.return %[[ADDED]], %[[SET]], %[[MORE]]
func.func @new_map(%rows: !comprehension.bag<i64, f64>, %pairs: !comprehension.bag<i64, f64, i1>)
    -> (!comprehension.bag<keys = 1, i64, f64>, !comprehension.bag<keys = 1, i64, f64, i1>,
        !comprehension.bag<keys = 1, i64, f64>) {
  %none = comprehension.list : !comprehension.bag<i64, f64>
  %groups = tensor_block.group_reduce %none keys 1 monoids(any) : !comprehension.bag<i64, f64>
  %M = tensor_block.to_map %groups : !comprehension.bag<i64, f64> -> !comprehension.bag<keys = 1, i64, f64>
  %added = tensor_block.update add %M with %rows : !comprehension.bag<keys = 1, i64, f64>, !comprehension.bag<i64, f64>
  %nothing = comprehension.list : !comprehension.bag<i64, f64, i1>
  %N = tensor_block.to_map %nothing : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<keys = 1, i64, f64, i1>
  %set = tensor_block.update %N with %pairs : !comprehension.bag<keys = 1, i64, f64, i1>, !comprehension.bag<i64, f64, i1>
  %more = tensor_block.update max %added with %rows : !comprehension.bag<keys = 1, i64, f64>, !comprehension.bag<i64, f64>
  func.return %added, %set, %more : !comprehension.bag<keys = 1, i64, f64>, !comprehension.bag<keys = 1, i64, f64, i1>, !comprehension.bag<keys = 1, i64, f64>
}

// An element is looked up by a column itself, whatever stands between it and its copy as an index.
// CHECK-LABEL: func.func @lookup_by_given_columns
// CHECK:         %f = tensor_block.filter
// CHECK:         %c = tensor_block.lookup %f[0] in %v :
// CHECK-NEXT:    %d = tensor_block.lookup %c[2, 0] in %A probe :
func.func @lookup_by_given_columns(%a: !comprehension.bag<i64, i64>, %v: tensor<?xf64>,
    %A: tensor<?x?xf64>) -> !comprehension.bag<i64, i64, index, index, f64, f64, i1> {
  %b = tensor_block.extend %a : !comprehension.bag<i64, i64> -> !comprehension.bag<i64, i64, index, index> {
  ^bb0(%k: i64, %l: i64):
    %i = arith.index_cast %k : i64 to index
    %one = arith.constant 1 : i64
    %next = arith.addi %l, %one : i64
    %j = arith.index_cast %next : i64 to index
    tensor_block.yield %j, %i : index, index
  }
  %f = tensor_block.filter %b : !comprehension.bag<i64, i64, index, index> {
  ^bb0(%k: i64, %l: i64, %j: index, %i: index):
    %odd = arith.cmpi slt, %k, %l : i64
    tensor_block.yield %odd : i1
  }
  %c = tensor_block.lookup %f[3] in %v
      : !comprehension.bag<i64, i64, index, index>, tensor<?xf64>
      -> !comprehension.bag<i64, i64, index, index, f64>
  %d = tensor_block.lookup %c[2, 3] in %A probe
      : !comprehension.bag<i64, i64, index, index, f64>, tensor<?x?xf64>
      -> !comprehension.bag<i64, i64, index, index, f64, f64, i1>
  func.return %d : !comprehension.bag<i64, i64, index, index, f64, f64, i1>
}

// What is narrower than an index is no index, and what another bag holds is not this one's.
// CHECK-LABEL: func.func @lookup_by_another_column
// CHECK:         tensor_block.lookup %{{.*}}[1] in %v
// CHECK-NOT:     [0]
// CHECK:         func.return
func.func @lookup_by_another_column(%a: !comprehension.bag<i32>, %v: tensor<?xf64>)
    -> !comprehension.bag<i32, index, f64> {
  %b = tensor_block.extend %a : !comprehension.bag<i32> -> !comprehension.bag<i32, index> {
  ^bb0(%k: i32):
    %i = arith.index_cast %k : i32 to index
    tensor_block.yield %i : index
  }
  %c = tensor_block.lookup %b[1] in %v
      : !comprehension.bag<i32, index>, tensor<?xf64> -> !comprehension.bag<i32, index, f64>
  func.return %c : !comprehension.bag<i32, index, f64>
}

// An array is built by the columns themselves. A projection that others read stays, and so does
// an element, whatever it is.
// CHECK-LABEL: func.func @build_of_given_columns
// CHECK:         %[[ROWS:.*]] = tensor_block.project %{{.*}}[0, 1] : {{.*}} -> !comprehension.bag<i64, f64>
// CHECK-NEXT:    %A = tensor_block.from_bag add %[[ROWS]] extents(%n) : !comprehension.bag<i64, f64>
// CHECK-NEXT:    %d = tensor_block.project %{{.*}}[2, 2]
// CHECK-NEXT:    %B = tensor_block.from_bag %d extents(%n) : !comprehension.bag<index, index>
func.func @build_of_given_columns(%a: !comprehension.bag<i64, f64>, %n: index)
    -> (tensor<?xf64>, tensor<?xindex>, !comprehension.bag<index, index>) {
  %b = tensor_block.extend %a : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, index> {
  ^bb0(%k: i64, %x: f64):
    %i = arith.index_cast %k : i64 to index
    tensor_block.yield %i : index
  }
  %c = tensor_block.project %b[2, 1] : !comprehension.bag<i64, f64, index> -> !comprehension.bag<index, f64>
  %A = tensor_block.from_bag add %c extents(%n) : !comprehension.bag<index, f64> -> tensor<?xf64>
  %d = tensor_block.project %b[2, 2] : !comprehension.bag<i64, f64, index> -> !comprehension.bag<index, index>
  %B = tensor_block.from_bag %d extents(%n) : !comprehension.bag<index, index> -> tensor<?xindex>
  func.return %A, %B, %d : tensor<?xf64>, tensor<?xindex>, !comprehension.bag<index, index>
}
