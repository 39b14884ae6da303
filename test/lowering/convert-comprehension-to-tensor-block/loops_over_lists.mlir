// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --split-input-file | filecheck %s

// What is made of the list that a row has is a loop over it: no rows are numbered or joined.

!list = !comprehension.bag<i64, f64>
!rows = !comprehension.bag<i64, !list>

// Conditions are tested in the loop, also those that tie its rows to the one that has the list.
func.func @folded(%L: !rows) -> !comprehension.bag<i64, f64> {
  %r = comprehension.collect : !comprehension.bag<i64, f64> {
    %k, %xs = comprehension.each %L : !rows
    %s = comprehension.aggregate add : f64 {
      %l, %x = comprehension.each %xs : !list
      %same = arith.cmpi eq, %l, %k : i64
      comprehension.guard %same
      comprehension.yield %x
    }
    comprehension.yield %k, %s
  }
  func.return %r : !comprehension.bag<i64, f64>
}
// CHECK-LABEL: func.func @folded
// CHECK-NEXT:    tensor_block.extend %L
// CHECK-NEXT:    ^bb{{.*}}(%k: i64, %xs: !comprehension.bag<i64, f64>):
// CHECK-NEXT:      %[[SUM:.*]] = multiloop.loop rows(%xs : !comprehension.bag<i64, f64>) -> f64 {
// CHECK-NEXT:      ^bb{{.*}}(%l: i64, %x: f64, %[[TOTAL:.*]]: !multiloop.reduce<add : f64>):
// CHECK-NEXT:        %same = arith.cmpi eq, %l, %k : i64
// CHECK-NEXT:        scf.if %same {
// CHECK-NEXT:          multiloop.emit %[[TOTAL]](%x : f64)
// CHECK:           tensor_block.yield %[[SUM]] : f64
// CHECK-NOT:     tensor_block.join
// CHECK:         func.return

// -----

!list = !comprehension.bag<i64, f64>
!rows = !comprehension.bag<i64, !list>

// A list of what the row's list has; one of all of it is that.
func.func @collected(%L: !rows) -> !comprehension.bag<!comprehension.bag<f64>, !list> {
  %r = comprehension.collect : !comprehension.bag<!comprehension.bag<f64>, !list> {
    %k, %xs = comprehension.each %L : !rows
    %some = comprehension.collect : !comprehension.bag<f64> {
      %l, %x = comprehension.each %xs : !list
      %other = arith.cmpi ne, %l, %k : i64
      comprehension.guard %other
      %y = arith.addf %x, %x : f64
      comprehension.yield %y
    }
    %all = comprehension.collect : !list {
      %l, %x = comprehension.each %xs : !list
      comprehension.yield %l, %x
    }
    comprehension.yield %some, %all
  }
  func.return %r : !comprehension.bag<!comprehension.bag<f64>, !list>
}
// CHECK-LABEL: func.func @collected
// CHECK-NEXT:    %[[ROWS:.*]] = tensor_block.extend %L
// CHECK:           %[[SOME:.*]] = multiloop.loop rows(%xs : !comprehension.bag<i64, f64>) -> !comprehension.bag<f64> {
// CHECK:             scf.if %other {
// CHECK-NEXT:          %y = arith.addf %x, %x : f64
// CHECK-NEXT:          multiloop.emit %{{.*}}(%y : f64)
// CHECK:           tensor_block.yield %[[SOME]] : !comprehension.bag<f64>
// CHECK:         tensor_block.project %[[ROWS]][2, 1]
// CHECK-NEXT:    func.return

// -----

!list = !comprehension.bag<i64>
!rows = !comprehension.bag<!list>

// Another loop for each item of a list is folded apart; one over a list is not.
func.func @others(%L: !rows, %n: index) -> !comprehension.bag<i64, i64> {
  %zero = arith.constant 0 : index
  %r = comprehension.collect : !comprehension.bag<i64, i64> {
    %xs = comprehension.each %L : !rows
    %s = comprehension.aggregate add : i64 {
      %x = comprehension.each %xs : !list
      %i = comprehension.range %zero to %n
      %j = arith.index_cast %i : index to i64
      %p = arith.muli %x, %j : i64
      comprehension.yield %p
    }
    %t = comprehension.aggregate max : i64 {
      %x = comprehension.each %xs : !list
      %y = comprehension.each %xs : !list
      %p = arith.muli %x, %y : i64
      comprehension.yield %p
    }
    comprehension.yield %s, %t
  }
  func.return %r : !comprehension.bag<i64, i64>
}
// CHECK-LABEL: func.func @others
// CHECK:           multiloop.loop rows(%xs : !comprehension.bag<i64>) -> i64 {
// CHECK-NEXT:      ^bb{{.*}}(%x: i64, %[[TOTAL:.*]]: !multiloop.reduce<add : i64>):
// CHECK-NEXT:        %[[ITEM:.*]] = multiloop.loop range(%zero, %{{.*}} : index, index) -> i64 {
// CHECK:             multiloop.emit %[[TOTAL]](%[[ITEM]] : i64)
// CHECK:           multiloop.loop rows(%xs : !comprehension.bag<i64>) -> i64 {
// CHECK-NEXT:      ^bb{{.*}}(%x{{.*}}: i64, %[[MOST:.*]]: !multiloop.reduce<max : i64>):
// CHECK-NEXT:        multiloop.loop rows(%xs : !comprehension.bag<i64>) {
// CHECK:               multiloop.emit %[[MOST]](

// -----

!rows = !comprehension.bag<i64, f64>

// How many rows a group has is the length of its list, where that is made for something else.
func.func @length_of_group(%L: !rows) -> !comprehension.bag<i64, i64, !comprehension.bag<f64>> {
  %one = arith.constant 1 : i64
  %r = comprehension.collect : !comprehension.bag<i64, i64, !comprehension.bag<f64>> {
    %k, %x = comprehension.each %L : !rows
    %g, %xs, %ones = comprehension.group_by keys(%k) values(%x, %one) : i64, !comprehension.bag<f64>, !comprehension.bag<i64>
    %n = comprehension.reduce add %ones : !comprehension.bag<i64>
    comprehension.yield %g, %n, %xs
  }
  func.return %r : !comprehension.bag<i64, i64, !comprehension.bag<f64>>
}
// CHECK-LABEL: func.func @length_of_group
// CHECK-NEXT:    %[[LISTS:.*]] = tensor_block.group %L keys 1
// CHECK-NEXT:    tensor_block.extend %[[LISTS]]
// CHECK:           comprehension.length %xs
