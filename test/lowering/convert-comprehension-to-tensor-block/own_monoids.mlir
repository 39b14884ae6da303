// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --remarks --split-input-file 2>&1 | filecheck %s

// Reductions with monoids that the program defines, of tuples of numbers too, are array algebra.

// CHECK: remark: evaluated over rows, not as array algebra: an element is no number
// CHECK: remark: evaluated over rows, not as array algebra: a monoid is the program's own, and an array is sparse
// CHECK: remark: evaluated over rows, not as array algebra: a key is computed, and the monoid is the program's own

comprehension.monoid @least : tuple<f64, i64> identity [0x7FF0000000000000 : f64, -1] {
^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
  %dx, %kx = comprehension.unpack %x : tuple<f64, i64>
  %dy, %ky = comprehension.unpack %y : tuple<f64, i64>
  %less = arith.cmpf ole, %dx, %dy : f64
  %least = arith.select %less, %x, %y : tuple<f64, i64>
  comprehension.yield %least
}
// CHECK-LABEL: func.func @whole
// CHECK:         %[[R:.*]] = tensor_block.reduce @least reduced(d0 < %{{.*}}) ins(%V[d0] : {{.*}}) -> tuple<f64, i64> {
// CHECK-NEXT:    ^bb0(%i: index, %v: f64):
// CHECK-NEXT:      %k = arith.index_cast %i : index to i64
// CHECK-NEXT:      %t = comprehension.pack %v, %k : tuple<f64, i64>
// CHECK-NEXT:      tensor_block.yield %t : tuple<f64, i64>
// CHECK:         func.return %[[R]]
func.func @whole(%V: tensor<?xf64>) -> tuple<f64, i64> {
  %r = comprehension.aggregate @least : tuple<f64, i64> {
    %i, %v = comprehension.each %V : tensor<?xf64>
    %k = arith.index_cast %i : index to i64
    %t = comprehension.pack %v, %k : tuple<f64, i64>
    comprehension.yield %t
  }
  func.return %r : tuple<f64, i64>
}
// Where a guard does not hold, a point has the identity.
// CHECK-LABEL: func.func @guarded
// CHECK:         tensor_block.reduce @least
// CHECK:           %[[R:.*]] = scf.if %{{.*}} -> (tuple<f64, i64>) {
// CHECK:             scf.yield %t : tuple<f64, i64>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[INF:.*]] = arith.constant 0x7ff0000000000000 : f64
// CHECK-NEXT:        %[[NONE:.*]] = arith.constant -1 : i64
// CHECK-NEXT:        %[[E:.*]] = comprehension.pack %[[INF]], %[[NONE]] : tuple<f64, i64>
// CHECK-NEXT:        scf.yield %[[E]] : tuple<f64, i64>
// CHECK:           tensor_block.yield %[[R]] : tuple<f64, i64>
func.func @guarded(%V: tensor<?xf64>, %c: f64) -> tuple<f64, i64> {
  %r = comprehension.aggregate @least : tuple<f64, i64> {
    %i, %v = comprehension.each %V : tensor<?xf64>
    %more = arith.cmpf ogt, %v, %c : f64
    comprehension.guard %more
    %k = arith.index_cast %i : index to i64
    %t = comprehension.pack %v, %k : tuple<f64, i64>
    comprehension.yield %t
  }
  func.return %r : tuple<f64, i64>
}
// Of each row: the parts that are wanted are taken of the array of tuples.
// CHECK-LABEL: func.func @rows
// CHECK:         %[[R:.*]] = tensor_block.reduce @least parallel(d0 < %n1) reduced(d1 < %{{.*}}) ins(%A[d0, d1] : {{.*}}) -> tensor<?xtuple<f64, i64>>
// CHECK:         tensor_block.map parallel(d0 < %n1) ins(%[[R]][d0] : tensor<?xtuple<f64, i64>>) -> tensor<?xi64>
// CHECK:           %{{.*}}, %[[K:.*]] = comprehension.unpack
// CHECK-NEXT:        scf.yield %[[K]] : i64
func.func @rows(%A: tensor<?x?xf64>) -> tensor<?xi64> {
  %zero = arith.constant 0 : index
  %n1 = tensor.dim %A, %zero : tensor<?x?xf64>
  %r = comprehension.build (%n1) : tensor<?xi64> {
    %i, %j, %a = comprehension.each %A : tensor<?x?xf64>
    %k = arith.index_cast %j : index to i64
    %t = comprehension.pack %a, %k : tuple<f64, i64>
    %g, %ts = comprehension.group_by keys(%i) values(%t) : index, !comprehension.bag<tuple<f64, i64>>
    %s = comprehension.reduce @least %ts : !comprehension.bag<tuple<f64, i64>>
    %d, %which = comprehension.unpack %s : tuple<f64, i64>
    comprehension.yield (%g) %which
  }
  func.return %r : tensor<?xi64>
}
// The old element is joined with the new one by the body of the monoid.
// CHECK-LABEL: func.func @updated
// CHECK:         %[[R:.*]] = tensor_block.reduce @least parallel(d0 < %{{.*}}) reduced(d1 < %{{.*}})
// CHECK:         tensor_block.map parallel(d0 < %{{.*}}) ins(%[[R]][d0] : {{.*}}, %D[d0] : tensor<?xtuple<f64, i64>>)
// CHECK-NEXT:    ^bb0(%{{.*}}: index, %[[NEW:.*]]: tuple<f64, i64>, %[[OLD:.*]]: tuple<f64, i64>):
// CHECK:           %[[LESS:.*]] = arith.cmpf ole
// CHECK-NEXT:      %[[L:.*]] = arith.select %[[LESS]], %[[OLD]], %[[NEW]] : tuple<f64, i64>
// CHECK-NEXT:      tensor_block.yield %[[L]] : tuple<f64, i64>
func.func @updated(%A: tensor<?x?xf64>, %D: tensor<?xtuple<f64, i64>>) -> tensor<?xtuple<f64, i64>> {
  %r = comprehension.merge @least %D : tensor<?xtuple<f64, i64>> {
    %i, %j, %a = comprehension.each %A : tensor<?x?xf64>
    %k = arith.index_cast %j : index to i64
    %t = comprehension.pack %a, %k : tuple<f64, i64>
    comprehension.yield (%i) %t
  }
  func.return %r : tensor<?xtuple<f64, i64>>
}
// -----

// What holds back.

comprehension.monoid @longest : !comprehension.string identity "" {
^bb0(%x: !comprehension.string, %y: !comprehension.string):
  comprehension.yield %x
}
comprehension.monoid @last : i64 identity 0 {
^bb0(%x: i64, %y: i64):
  %m = arith.maxsi %x, %y : i64
  comprehension.yield %m
}
// CHECK-LABEL: func.func @strings
// CHECK:         tensor_block.fold @longest
func.func @strings(%V: tensor<?x!comprehension.string>) -> !comprehension.string {
  %r = comprehension.aggregate @longest : !comprehension.string {
    %i, %v = comprehension.each %V : tensor<?x!comprehension.string>
    comprehension.yield %v
  }
  func.return %r : !comprehension.string
}
// CHECK-LABEL: func.func @sparse
// CHECK:         tensor_block.fold @last
func.func @sparse(%V: tensor<?xi64, #tensor_block.storage<dense = 0>>) -> i64 {
  %r = comprehension.aggregate @last : i64 {
    %i, %v = comprehension.each %V : tensor<?xi64, #tensor_block.storage<dense = 0>>
    comprehension.yield %v
  }
  func.return %r : i64
}
// CHECK-LABEL: func.func @keyed
// CHECK:         tensor_block.from_bag @last
func.func @keyed(%V: tensor<?xi64>, %n: index) -> tensor<?xi64> {
  %r = comprehension.build (%n) : tensor<?xi64> {
    %i, %v = comprehension.each %V : tensor<?xi64>
    %k = arith.index_cast %v : i64 to index
    %g, %vs = comprehension.group_by keys(%k) values(%v) : index, !comprehension.bag<i64>
    %s = comprehension.reduce @last %vs : !comprehension.bag<i64>
    comprehension.yield (%g) %s
  }
  func.return %r : tensor<?xi64>
}
