// RUN: diablo-opt %s -p bound-rows | filecheck %s
// RUN: diablo-opt %s -p bound-rows | diablo-opt | filecheck %s

!rows = !comprehension.bag<i64, f64>
!pairs = !comprehension.bag<i64, f64, i64, f64>

// A fold makes one of all pairs.
// CHECK-LABEL: func.func @folded
// CHECK:         tensor_block.join %L[], %R[] at_most "one" :
func.func @folded(%L: !rows, %R: !rows) -> f64 {
  %0 = tensor_block.join %L[], %R[] : !rows, !rows -> !pairs
  %1 = tensor_block.project %0[1] : !pairs -> !comprehension.bag<f64>
  %2 = tensor_block.fold add %1 : !comprehension.bag<f64>
  func.return %2 : f64
}

// Groups by what is computed of one side are as many as that has, whatever is done with them.
// CHECK-LABEL: func.func @groups_of_the_right
// CHECK:         tensor_block.join %L[], %R[] at_most "right" :
func.func @groups_of_the_right(%L: !rows, %R: !rows) -> !rows {
  %0 = tensor_block.join %L[], %R[] : !rows, !rows -> !pairs
  %1 = tensor_block.extend %0 : !pairs -> !comprehension.bag<i64, f64, i64, f64, i64> {
  ^bb0(%i: i64, %a: f64, %j: i64, %b: f64):
    %k = arith.muli %j, %j : i64
    tensor_block.yield %k : i64
  }
  %2 = tensor_block.project %1[4, 1] : !comprehension.bag<i64, f64, i64, f64, i64> -> !rows
  %3 = tensor_block.group_reduce %2 keys 1 monoids(add) : !rows
  func.return %3 : !rows
}

// CHECK-LABEL: func.func @elements_by_the_left
// CHECK:         tensor_block.join %L[], %R[] at_most "left" :
func.func @elements_by_the_left(%L: !comprehension.bag<index>, %R: !rows, %n: index)
    -> tensor<?xf64> {
  %0 = tensor_block.join %L[], %R[]
      : !comprehension.bag<index>, !rows -> !comprehension.bag<index, i64, f64>
  %1 = tensor_block.project %0[0, 2]
      : !comprehension.bag<index, i64, f64> -> !comprehension.bag<index, f64>
  %2 = tensor_block.from_bag add %1 extents(%n)
      : !comprehension.bag<index, f64> -> tensor<?xf64>
  func.return %2 : tensor<?xf64>
}

// There may be as many groups by keys of both sides as there are pairs.
// CHECK-LABEL: func.func @groups_of_both
// CHECK:         tensor_block.join %L[], %R[] :
func.func @groups_of_both(%L: !rows, %R: !rows) -> !comprehension.bag<i64, i64, f64> {
  %0 = tensor_block.join %L[], %R[] : !rows, !rows -> !pairs
  %1 = tensor_block.project %0[0, 2, 1] : !pairs -> !comprehension.bag<i64, i64, f64>
  %2 = tensor_block.group_reduce %1 keys 2 monoids(add) : !comprehension.bag<i64, i64, f64>
  func.return %2 : !comprehension.bag<i64, i64, f64>
}

// All pairs, or all but few of them, are the result; a loop or a list may keep them too.
// CHECK-LABEL: func.func @results
// CHECK:         tensor_block.join %L[], %R[] :
// CHECK:         tensor_block.join %L[], %L[] :
func.func @results(%L: !rows, %R: !rows) -> (!pairs, !pairs, f64) {
  %0 = tensor_block.join %L[], %R[] : !rows, !rows -> !pairs
  %1 = tensor_block.filter %0 : !pairs {
  ^bb0(%i: i64, %a: f64, %j: i64, %b: f64):
    %different = arith.cmpi ne, %i, %j : i64
    %less = arith.cmpf olt, %a, %b : f64
    %keep = arith.andi %different, %less : i1
    tensor_block.yield %keep : i1
  }
  %2 = tensor_block.join %L[], %L[] : !rows, !rows -> !pairs
  %3 = tensor_block.project %2[1] : !pairs -> !comprehension.bag<f64>
  %4 = tensor_block.fold add %3 : !comprehension.bag<f64>
  func.return %1, %2, %4 : !pairs, !pairs, f64
}

// Few pairs are equal in something.
// CHECK-LABEL: func.func @equal
// CHECK:         tensor_block.join %L[], %R[] at_most "both" :
func.func @equal(%L: !rows, %R: !rows) -> !pairs {
  %0 = tensor_block.join %L[], %R[] : !rows, !rows -> !pairs
  %1 = tensor_block.filter %0 : !pairs {
  ^bb0(%i: i64, %a: f64, %j: i64, %b: f64):
    %twice = arith.addi %i, %i : i64
    %keep = arith.cmpi eq, %twice, %j : i64
    tensor_block.yield %keep : i1
  }
  func.return %1 : !pairs
}

// Two tests one after the other are a band, and one of them is not.
// CHECK-LABEL: func.func @band
// CHECK:         tensor_block.join %L[], %R[] at_most "both" :
func.func @band(%L: !rows, %R: !rows) -> !pairs {
  %0 = tensor_block.join %L[], %R[] : !rows, !rows -> !pairs
  %1 = tensor_block.filter %0 : !pairs {
  ^bb0(%i: i64, %a: f64, %j: i64, %b: f64):
    %keep = arith.cmpi slt, %i, %j : i64
    tensor_block.yield %keep : i1
  }
  %2 = tensor_block.filter %1 : !pairs {
  ^bb0(%i: i64, %a: f64, %j: i64, %b: f64):
    %keep = arith.cmpf ogt, %a, %b : f64
    tensor_block.yield %keep : i1
  }
  func.return %2 : !pairs
}

// The indices of ranges are rows of both: of the row and of the range.
// CHECK-LABEL: func.func @expanded
// CHECK:         tensor_block.expand %L at_most "left" :
// CHECK:         tensor_block.expand %L :
func.func @expanded(%L: !comprehension.bag<index>)
    -> (!comprehension.bag<index, index>, !comprehension.bag<index, index>) {
  %0 = tensor_block.expand %L : !comprehension.bag<index> -> !comprehension.bag<index, index> {
  ^bb0(%i: index):
    tensor_block.yield %i, %i : index, index
  }
  %1 = tensor_block.group_reduce %0 keys 1 monoids(add) : !comprehension.bag<index, index>
  %2 = tensor_block.expand %L : !comprehension.bag<index> -> !comprehension.bag<index, index> {
  ^bb0(%i: index):
    tensor_block.yield %i, %i : index, index
  }
  func.return %1, %2 : !comprehension.bag<index, index>, !comprehension.bag<index, index>
}

// The elements of an array that pairs are added to are as many as its extents say, if they say.
// CHECK-LABEL: func.func @matrix
// CHECK:         tensor_block.join %L[0], %R[0] at_most 6 : i64 :
// CHECK:         tensor_block.join %L[1], %R[1] :
func.func @matrix(%n: index, %L: !comprehension.bag<i64, index, f64>, %R: !comprehension.bag<i64, index, f64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %two = arith.constant 2 : i64
  %rows = arith.index_cast %two : i64 to index
  %three = arith.constant 3 : index
  %0 = tensor_block.join %L[0], %R[0] : !comprehension.bag<i64, index, f64>, !comprehension.bag<i64, index, f64> -> !comprehension.bag<i64, index, f64, i64, index, f64>
  %1 = tensor_block.project %0[1, 4, 2] : !comprehension.bag<i64, index, f64, i64, index, f64> -> !comprehension.bag<index, index, f64>
  %2 = tensor_block.from_bag add %1 extents(%rows, %three) : !comprehension.bag<index, index, f64> -> tensor<?x?xf64>
  %3 = tensor_block.join %L[1], %R[1] : !comprehension.bag<i64, index, f64>, !comprehension.bag<i64, index, f64> -> !comprehension.bag<i64, index, f64, i64, index, f64>
  %4 = tensor_block.project %3[1, 4, 2] : !comprehension.bag<i64, index, f64, i64, index, f64> -> !comprehension.bag<index, index, f64>
  %5 = tensor_block.from_bag add %4 extents(%rows, %n) : !comprehension.bag<index, index, f64> -> tensor<?x?xf64>
  func.return %2, %5 : tensor<?x?xf64>, tensor<?x?xf64>
}
