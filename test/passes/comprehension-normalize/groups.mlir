// RUN: diablo-opt %s -p comprehension-normalize | filecheck %s
// A group_by collects what is folded, and nothing else.

// CHECK-LABEL: func.func @count
// CHECK:           %i, %j = comprehension.each %G
// CHECK-NEXT:      %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-NEXT:      %[[G:.*]], %[[ONES:.*]] = comprehension.group_by keys(%i) values(%[[ONE]]) : i64, !comprehension.bag<i64>
// CHECK-NEXT:      %n = comprehension.reduce add %[[ONES]]
// CHECK-NEXT:      comprehension.yield (%[[G]]) %n
func.func @count(%G: !comprehension.bag<i64, i64>) -> !comprehension.bag<i64, i64> {
  %C = comprehension.collect : !comprehension.bag<i64, i64> {
    %i, %j = comprehension.each %G : !comprehension.bag<i64, i64>
    %g, %js = comprehension.group_by keys(%i) values(%j) : i64, !comprehension.bag<i64>
    %n = comprehension.length %js : !comprehension.bag<i64>
    comprehension.yield (%g) %n
  }
  func.return %C : !comprehension.bag<i64, i64>
}

// A fold of a function of the group's values: the function is computed before the grouping.
// CHECK-LABEL: func.func @function
// CHECK:           %i, %x = comprehension.each %A
// CHECK-NEXT:      %y = arith.mulf %x, %x : f64
// CHECK-NEXT:      %p = arith.cmpf ogt, %x, %y : f64
// CHECK-NEXT:      %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:      %[[V:.*]] = arith.select %p, %y, %[[ZERO]] : f64
// CHECK-NEXT:      %[[G:.*]], %[[VS:.*]] = comprehension.group_by keys(%i) values(%[[V]])
// CHECK-NEXT:      %s = comprehension.reduce add %[[VS]]
// CHECK-NEXT:      comprehension.yield (%[[G]]) %s
func.func @function(%A: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %R = comprehension.build (%n) : tensor<?xf64> {
    %i, %x = comprehension.each %A : tensor<?xf64>
    %g, %xs = comprehension.group_by keys(%i) values(%x) : index, !comprehension.bag<f64>
    %s = comprehension.aggregate add : f64 {
      %v = comprehension.each %xs : !comprehension.bag<f64>
      %y = arith.mulf %v, %v : f64
      %p = arith.cmpf ogt, %v, %y : f64
      comprehension.guard %p
      comprehension.yield %y
    }
    comprehension.yield (%g) %s
  }
  func.return %R : tensor<?xf64>
}

// An integer division is not moved in front of the grouping.
// CHECK-LABEL: func.func @division
// CHECK:           comprehension.group_by
// CHECK-NEXT:      comprehension.aggregate
// CHECK:             arith.divsi
func.func @division(%A: tensor<?xi64>, %n: index) -> tensor<?xi64> {
  %R = comprehension.build (%n) : tensor<?xi64> {
    %i, %x = comprehension.each %A : tensor<?xi64>
    %g, %xs = comprehension.group_by keys(%i) values(%x) : index, !comprehension.bag<i64>
    %s = comprehension.aggregate add : i64 {
      %v = comprehension.each %xs : !comprehension.bag<i64>
      %y = arith.divsi %v, %v : i64
      comprehension.yield %y
    }
    comprehension.yield (%g) %s
  }
  func.return %R : tensor<?xi64>
}
