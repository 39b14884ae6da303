// RUN: diablo-opt %s -p expand-random,canonicalize,cse | filecheck %s
// The number depends on seed, occurrence and indices only; the constants are documented.

// CHECK-LABEL: func.func @number
// CHECK:         %[[C1:.*]] = arith.constant -3372029247567499371 : i64
// CHECK-NEXT:    %[[S:.*]] = arith.muli %s, %[[C1]] : i64
// CHECK:         arith.addi %[[S]]
// CHECK:         %[[F1:.*]] = arith.constant -4658895280553007687 : i64
// CHECK-NEXT:    arith.muli %{{.*}}, %[[F1]] : i64
// CHECK:         %[[F2:.*]] = arith.constant -7723592293110705685 : i64
// CHECK-NEXT:    arith.muli %{{.*}}, %[[F2]] : i64
// CHECK:         %[[I:.*]] = arith.index_cast %i : index to i64
// CHECK-NEXT:    %[[GOLDEN:.*]] = arith.constant -7046029254386353131 : i64
// CHECK-NEXT:    arith.muli %[[I]], %[[GOLDEN]] : i64
// CHECK:         %[[J:.*]] = arith.index_cast %j : index to i64
// CHECK-NEXT:    arith.muli %[[J]], %[[GOLDEN]] : i64
// CHECK:         %[[ELEVEN:.*]] = arith.constant 11 : i64
// CHECK-NEXT:    %[[BITS:.*]] = arith.shrui %{{.*}}, %[[ELEVEN]] : i64
// CHECK-NEXT:    %[[SCALE:.*]] = arith.constant 1.1102230246251565e-16 : f64
// CHECK-NEXT:    %[[X:.*]] = arith.sitofp %[[BITS]] : i64 to f64
// CHECK-NEXT:    %[[R:.*]] = arith.mulf %[[X]], %[[SCALE]] : f64
// CHECK-NEXT:    func.return %[[R]] : f64
func.func @number(%s: i64, %i: index, %j: index) -> f64 {
  %x = comprehension.random 1 seed(%s) at(%i, %j)
  func.return %x : f64
}
