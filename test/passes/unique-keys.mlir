// RUN: diablo-opt %s -p unique-keys | filecheck %s
// RUN: diablo-opt %s -p unique-keys --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK

!matrix = tensor<?x?xf64>
!vector = tensor<?xf64>
!map = !comprehension.bag<keys = 1, !comprehension.string, i64>

// The indices of an array: every group is one row, also behind a guard and with a join.
// REMARK:        remark: no two rows have the same key: nothing is grouped
// CHECK-LABEL: func.func @indices
// CHECK:           %i, %j, %a = comprehension.each %A
// CHECK-NEXT:      %k, %b = comprehension.each %B
// CHECK-NEXT:      arith.cmpi
// CHECK-NEXT:      comprehension.guard
// CHECK-NEXT:      %v = arith.mulf %a, %b : f64
// CHECK-NEXT:      %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-NEXT:      %f = arith.sitofp %[[ONE]] : i64 to f64
// CHECK-NEXT:      %t = arith.divf %v, %f : f64
// CHECK-NEXT:      comprehension.yield (%j, %i) %t
func.func @indices(%A: !matrix, %B: !vector, %n: index) -> !matrix {
  %R = comprehension.build (%n, %n) : !matrix {
    %i, %j, %a = comprehension.each %A : !matrix
    %k, %b = comprehension.each %B : !vector
    %p = arith.cmpi eq, %k, %j : index
    comprehension.guard %p
    %v = arith.mulf %a, %b : f64
    %g, %h, %vs = comprehension.group_by keys(%j, %i) values(%v) : index, index, !comprehension.bag<f64>
    %s = comprehension.reduce add %vs : !comprehension.bag<f64>
    %l = comprehension.length %vs : !comprehension.bag<f64>
    %f = arith.sitofp %l : i64 to f64
    %t = arith.divf %s, %f : f64
    comprehension.yield (%g, %h) %t
  }
  func.return %R : !matrix
}

// i + j and j determine i; the keys of a map; the result of another grouping. What else is
// done with the bag sees a list of one row.
// CHECK-LABEL: func.func @determined
// CHECK-NOT:       comprehension.group_by
// CHECK:           %[[ROW:.*]] = comprehension.list (%[[K:.*]], %v) : !comprehension.bag<!comprehension.string, i64>
// CHECK:           comprehension.yield (%[[K]]) %[[ROW]]
// CHECK:           comprehension.group_by keys(%i
// CHECK-NOT:       comprehension.group_by
func.func @determined(%A: !matrix, %M: !map, %n: index) -> (f64, !comprehension.bag<!comprehension.string, !comprehension.bag<!comprehension.string, i64>>, f64) {
  %R = comprehension.aggregate max : f64 {
    %i, %j, %a = comprehension.each %A : !matrix
    %k = arith.addi %i, %j : index
    %g, %h, %vs = comprehension.group_by keys(%k, %j) values(%a) : index, index, !comprehension.bag<f64>
    %x = comprehension.each %vs : !comprehension.bag<f64>
    comprehension.yield %x
  }
  %S = comprehension.collect : !comprehension.bag<!comprehension.string, !comprehension.bag<!comprehension.string, i64>> {
    %k, %v = comprehension.each %M : !map
    %g, %vs = comprehension.group_by keys(%k) values(%k, %v) : !comprehension.string, !comprehension.bag<!comprehension.string, i64>
    comprehension.yield (%g) %vs
  }
  %T = comprehension.aggregate max : f64 {
    %i, %j, %a = comprehension.each %A : !matrix
    %g, %vs = comprehension.group_by keys(%i) values(%a) : index, !comprehension.bag<f64>
    %s = comprehension.reduce add %vs : !comprehension.bag<f64>
    %h, %ws = comprehension.group_by keys(%g) values(%s) : index, !comprehension.bag<f64>
    %t = comprehension.reduce max %ws : !comprehension.bag<f64>
    comprehension.yield %t
  }
  func.return %R, %S, %T : f64, !comprehension.bag<!comprehension.string, !comprehension.bag<!comprehension.string, i64>>, f64
}

// One group: it is folded by an aggregate, since a sum of nothing is stored nowhere.
// REMARK:        remark: all rows have the same key: they are folded by an aggregate
// CHECK-LABEL: func.func @constant
// CHECK:         comprehension.build (%n) : tensor<?xf64> {
// CHECK-NEXT:      %c = arith.constant 3 : index
// CHECK-NEXT:      %s = comprehension.aggregate add : f64 {
// CHECK-NEXT:        %i, %j, %a = comprehension.each %A
// CHECK-NEXT:        comprehension.yield %a
// CHECK-NEXT:      }
// CHECK-NEXT:      comprehension.yield (%c) %s
func.func @constant(%A: !matrix, %n: index) -> !vector {
  %R = comprehension.build (%n) : !vector {
    %i, %j, %a = comprehension.each %A : !matrix
    %c = arith.constant 3 : index
    %g, %vs = comprehension.group_by keys(%c) values(%a) : index, !comprehension.bag<f64>
    %s = comprehension.reduce add %vs : !comprehension.bag<f64>
    comprehension.yield (%g) %s
  }
  func.return %R : !vector
}

// A list of no sums is not a list with the sum 0: there has to be a row. What fails behind the group
// does so only then.
// REMARK:        remark: all rows have the same key: they are folded by an aggregate, if there are any: an operation behind it can fail
// CHECK-LABEL: func.func @if_any
// CHECK:         comprehension.collect
// CHECK:           %[[SOME:.*]] = comprehension.aggregate or : i1 {
// CHECK-NEXT:        %{{.*}} = comprehension.each %A
// CHECK:             comprehension.guard
// CHECK:           comprehension.guard %[[SOME]]
// CHECK-NEXT:      %s = comprehension.aggregate add : i64 {
// CHECK:             comprehension.guard
// CHECK-NEXT:        comprehension.yield %a
// CHECK:           %l = comprehension.aggregate add : i64 {
// CHECK:           arith.divsi %s, %l
func.func @if_any(%A: tensor<?xi64>, %n: i64) -> !comprehension.bag<i64, i64> {
  %R = comprehension.collect : !comprehension.bag<i64, i64> {
    %i, %a = comprehension.each %A : tensor<?xi64>
    %less = arith.cmpi slt, %a, %n : i64
    comprehension.guard %less
    %g, %vs = comprehension.group_by keys(%n) values(%a) : i64, !comprehension.bag<i64>
    %s = comprehension.reduce add %vs : !comprehension.bag<i64>
    %l = comprehension.length %vs : !comprehension.bag<i64>
    %m = arith.divsi %s, %l : i64
    comprehension.yield %g, %m
  }
  func.return %R : !comprehension.bag<i64, i64>
}

// Held back: one of two indices, a product, the rows of a list, a generator that the key says
// nothing about; and one group whose rows are needed, or would be joined for each of two folds.
// REMARK:        remark: all rows have the same key, but they are grouped: something else than folds uses its rows
// REMARK:        remark: all rows have the same key, but they are grouped: its rows, of several generators, would be made for each fold
// CHECK-LABEL: func.func @grouped
// CHECK-COUNT-6:   comprehension.group_by
func.func @grouped(%A: !matrix, %rows: !comprehension.bag<i64>, %n: index) -> (f64, f64, i64, f64, !comprehension.bag<!comprehension.bag<f64>>, !comprehension.bag<i64, i64>) {
  %a0 = comprehension.aggregate max : f64 {
    %i, %j, %a = comprehension.each %A : !matrix
    %g, %vs = comprehension.group_by keys(%j) values(%a) : index, !comprehension.bag<f64>
    %s = comprehension.reduce add %vs : !comprehension.bag<f64>
    comprehension.yield %s
  }
  %a1 = comprehension.aggregate max : f64 {
    %i, %j, %a = comprehension.each %A : !matrix
    %k = arith.muli %i, %j : index
    %g, %h, %vs = comprehension.group_by keys(%i, %k) values(%a) : index, index, !comprehension.bag<f64>
    %s = comprehension.reduce add %vs : !comprehension.bag<f64>
    comprehension.yield %s
  }
  %a2 = comprehension.aggregate max : i64 {
    %k = comprehension.each %rows : !comprehension.bag<i64>
    %g, %vs = comprehension.group_by keys(%k) values(%k) : i64, !comprehension.bag<i64>
    %s = comprehension.reduce add %vs : !comprehension.bag<i64>
    comprehension.yield %s
  }
  %a3 = comprehension.aggregate max : f64 {
    %i, %j, %a = comprehension.each %A : !matrix
    %k = comprehension.range %i to %n
    %g, %h, %vs = comprehension.group_by keys(%i, %j) values(%a) : index, index, !comprehension.bag<f64>
    %s = comprehension.reduce add %vs : !comprehension.bag<f64>
    comprehension.yield %s
  }
  %a4 = comprehension.collect : !comprehension.bag<!comprehension.bag<f64>> {
    %i, %j, %a = comprehension.each %A : !matrix
    %vs = comprehension.group_by keys() values(%a) : !comprehension.bag<f64>
    comprehension.yield %vs
  }
  %a5 = comprehension.collect : !comprehension.bag<i64, i64> {
    %k = comprehension.each %rows : !comprehension.bag<i64>
    %l = comprehension.each %rows : !comprehension.bag<i64>
    %p = arith.cmpi eq, %k, %l : i64
    comprehension.guard %p
    %vs = comprehension.group_by keys() values(%k) : !comprehension.bag<i64>
    %s = comprehension.reduce add %vs : !comprehension.bag<i64>
    %m = comprehension.reduce max %vs : !comprehension.bag<i64>
    comprehension.yield %s, %m
  }
  func.return %a0, %a1, %a2, %a3, %a4, %a5 : f64, f64, i64, f64, !comprehension.bag<!comprehension.bag<f64>>, !comprehension.bag<i64, i64>
}

// The last row of a group of one row is that row.
// CHECK-LABEL: func.func @last
// CHECK:           %i, %j, %a = comprehension.each %A
// CHECK-NEXT:      comprehension.yield (%j, %i) %a
func.func @last(%A: !matrix, %n: index) -> !matrix {
  %R = comprehension.build (%n, %n) : !matrix {
    %i, %j, %a = comprehension.each %A : !matrix
    %g, %h, %vs = comprehension.group_by keys(%j, %i) values(%i, %a) : index, index, !comprehension.bag<index, f64>
    %v = comprehension.last %vs by 1 : !comprehension.bag<index, f64>
    comprehension.yield (%g, %h) %v
  }
  func.return %R : !matrix
}
