// RUN: diablo-opt %s -p keep-last | filecheck %s
// RUN: diablo-opt %s -p keep-last --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK

!matrix = tensor<?x?xf64>
!vector = tensor<?xf64>
!list = !comprehension.bag<i64, f64>
!map = !comprehension.bag<keys = 1, i64, f64>

// REMARK:      remark: several rows may have one index: of these the last one is kept
// REMARK:      remark: several rows may have one key: of these the last one is kept

// An index that is computed: both indices of the array are the place.
// CHECK-LABEL: func.func @computed
// CHECK:         %[[K:.*]] = arith.remsi
// CHECK-NEXT:    %[[G:.*]], %rows = comprehension.group_by keys(%[[K]]) values(%i, %j, %a) : index, !comprehension.bag<index, index, f64>
// CHECK-NEXT:    %[[A:.*]] = comprehension.last %rows by 2 : !comprehension.bag<index, index, f64>
// CHECK-NEXT:    comprehension.yield (%[[G]]) %[[A]]
func.func @computed(%M: !matrix, %five: index) -> !vector {
  %A = comprehension.build (%five) : !vector {
    %i, %j, %a = comprehension.each %M : !matrix
    %s = arith.addi %i, %j : index
    %k = arith.remsi %s, %five : index
    comprehension.yield (%k) %a
  }
  func.return %A : !vector
}

// The key tells i, and an equality kk: what is left is the place.
// CHECK-LABEL: func.func @projected
// CHECK:         comprehension.group_by keys(%i, %j) values(%k, %a)
// CHECK-NEXT:    comprehension.last %{{.*}} by 1
func.func @projected(%M: !matrix, %N: !matrix, %n: index) -> !matrix {
  %A = comprehension.build (%n, %n) : !matrix {
    %i, %k, %a = comprehension.each %M : !matrix
    %kk, %j, %b = comprehension.each %N : !matrix
    %p = arith.cmpi eq, %kk, %k : index
    comprehension.guard %p
    comprehension.yield (%i, %j) %a
  }
  func.return %A : !matrix
}

// The rows of a list are numbered; those of a list without an order ascend by their columns, those
// of a map by its keys, and the index of a range may go down.
// CHECK-LABEL: func.func @orders
// CHECK:         %[[L:.*]] = tensor_block.number %L : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, i64>
// CHECK-NEXT:    comprehension.build
// CHECK-NEXT:      %k, %v, %place = comprehension.each %[[L]] : !comprehension.bag<i64, f64, i64>
// CHECK:           comprehension.group_by keys(%{{.*}}) values(%place, %v)
// CHECK:         comprehension.collect
// CHECK-NEXT:      %[[K:.*]], %[[V:.*]] = comprehension.each %L : !comprehension.bag<i64, f64>
// CHECK:           comprehension.group_by keys(%h) values(%[[K]], %[[V]], %[[K]]) : i64, !comprehension.bag<i64, f64, i64>
// CHECK-NEXT:      comprehension.last %{{.*}} by 2
// CHECK:         comprehension.merge
// CHECK:           %[[UP:.*]] = arith.subi %{{.*}}, %d : index
// CHECK-NEXT:      comprehension.group_by keys(%{{.*}}) values(%[[UP]], %m, %w)
// CHECK-NEXT:      comprehension.last %{{.*}} by 2
func.func @orders(%L: !list, %M: !map, %V: !vector, %n: index, %zero: index, %seven: i64) -> (!vector, !map, !vector) {
  %A = comprehension.build (%n) : !vector {
    %k, %v = comprehension.each %L : !list
    %i = arith.index_cast %k : i64 to index
    comprehension.yield (%i) %v
  }
  %B = comprehension.collect : !comprehension.bag<keys = 1, i64, i64> {
    %k, %v = comprehension.each %L sorted : !list
    %h = arith.divsi %k, %seven : i64
    comprehension.yield (%h) %k
  }
  %C = comprehension.merge %V : !vector {
    %d = comprehension.range %n to %zero step -1
    %m, %w = comprehension.each %M : !map
    comprehension.yield (%zero) %w
  }
  "test.op"(%B) : (!comprehension.bag<keys = 1, i64, i64>) -> ()
  func.return %A, %M, %C : !vector, !map, !vector
}

// Behind a group-by the groups ascend by their keys.
// CHECK-LABEL: func.func @groups
// CHECK:         %g, %vs = comprehension.group_by keys(%k) values(%v)
// CHECK:         comprehension.group_by keys(%{{.*}}) values(%g, %s)
func.func @groups(%L: !list, %n: index) -> !vector {
  %two = arith.constant 2 : i64
  %A = comprehension.build (%n) : !vector {
    %k, %v = comprehension.each %L : !list
    %g, %vs = comprehension.group_by keys(%k) values(%v) : i64, !comprehension.bag<f64>
    %s = comprehension.reduce add %vs : !comprehension.bag<f64>
    %h = arith.remsi %g, %two : i64
    %i = arith.index_cast %h : i64 to index
    comprehension.yield (%i) %s
  }
  func.return %A : !vector
}

// No two rows have one index: the indices themselves, one that wraps around, two that interleave,
// bounds that keep the parts apart, the rows of another comprehension, a list that is written out.
// CHECK-LABEL: func.func @unique
// CHECK-NOT:     group_by
// CHECK-NOT:     comprehension.last
// CHECK:         func.return
func.func @unique(%M: !matrix, %V: !vector, %n: index, %m: index) -> (!matrix, !vector, !vector, !vector, !vector, !vector) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %x = arith.constant 1.0 : f64
  %n1 = arith.subi %n, %one : index
  %m1 = arith.subi %m, %one : index
  %A = comprehension.build (%n, %m) : !matrix {
    %i, %j, %a = comprehension.each %M : !matrix
    comprehension.yield (%j, %i) %a
  }
  %B = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %n1
    %s = arith.addi %i, %one : index
    %k = arith.remsi %s, %n : index
    %c = arith.index_cast %i : index to i64
    %v = arith.sitofp %c : i64 to f64
    comprehension.yield (%k) %v
  }
  %C = comprehension.build (%n) : !vector {
    %i, %v = comprehension.each %V : !vector
    %p = comprehension.range %zero to %one
    %d = arith.muli %i, %two : index
    %k = arith.addi %d, %p : index
    comprehension.yield (%k) %v
  }
  %D = comprehension.merge %V : !vector {
    %i = comprehension.range %zero to %n1
    %j = comprehension.range %zero to %m1
    %f = arith.muli %i, %m : index
    %k = arith.addi %f, %j : index
    %c = arith.index_cast %i : index to i64
    %v = arith.sitofp %c : i64 to f64
    comprehension.yield (%k) %v
  }
  %rows = comprehension.collect : !comprehension.bag<index, index, f64> {
    %i, %v = comprehension.each %V : !vector
    comprehension.yield %i, %i, %v
  }
  %E = comprehension.build (%n) : !vector {
    %i, %j, %v = comprehension.each %rows sorted : !comprehension.bag<index, index, f64>
    comprehension.yield (%j) %v
  }
  %list = comprehension.list (%zero, %x), (%two, %x), (%one, %x) : !comprehension.bag<index, f64>
  %F = comprehension.build (%n) : !vector {
    %i, %v = comprehension.each %list : !comprehension.bag<index, f64>
    comprehension.yield (%i) %v
  }
  func.return %A, %B, %C, %D, %E, %F : !matrix, !vector, !vector, !vector, !vector, !vector
}

// All rows of a key have one value; a monoid combines them; a list and a sum have no keys.
// CHECK-LABEL: func.func @same
// CHECK-NOT:     group_by
// CHECK:         func.return
func.func @same(%M: !matrix, %V: !vector, %n: index) -> (!vector, !vector, !list, f64) {
  %A = comprehension.build (%n) : !vector {
    %i, %j, %a = comprehension.each %M : !matrix
    %k, %v = comprehension.each %V : !vector
    %p = arith.cmpi eq, %k, %j : index
    comprehension.guard %p
    comprehension.yield (%j) %v
  }
  %B = comprehension.merge add %V : !vector {
    %i, %j, %a = comprehension.each %M : !matrix
    comprehension.yield (%i) %a
  }
  %C = comprehension.collect : !list {
    %i, %j, %a = comprehension.each %M : !matrix
    %k = arith.index_cast %i : index to i64
    comprehension.yield %k, %a
  }
  %s = comprehension.aggregate add : f64 {
    %i, %j, %a = comprehension.each %M : !matrix
    comprehension.yield %a
  }
  func.return %A, %B, %C, %s : !vector, !vector, !list, f64
}

// Bounds that let two rows meet: an index that wraps around too early, parts that overlap.
// CHECK-LABEL: func.func @overlapping
// CHECK:         comprehension.group_by keys(%{{.*}}) values(%i,
// CHECK:         comprehension.group_by keys(%{{.*}}) values(%i_1,
func.func @overlapping(%n: index, %m: index) -> (!vector, !vector) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %A = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %n
    %k = arith.remsi %i, %n : index
    %c = arith.index_cast %i : index to i64
    %v = arith.sitofp %c : i64 to f64
    comprehension.yield (%k) %v
  }
  %B = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %n
    %p = comprehension.range %zero to %two
    %d = arith.muli %i, %two : index
    %k = arith.addi %d, %p : index
    %c = arith.index_cast %i : index to i64
    %v = arith.sitofp %c : i64 to f64
    comprehension.yield (%k) %v
  }
  func.return %A, %B : !vector, !vector
}

// A list that each row has is numbered where it is gone through.
// CHECK-LABEL: func.func @nested
// CHECK:         %i, %w = comprehension.each %W
// CHECK-NEXT:    %[[N:.*]] = tensor_block.number %w
// CHECK-NEXT:    %j, %v, %place = comprehension.each %[[N]]
// CHECK-NEXT:    comprehension.group_by keys(%j) values(%i, %place, %v)
func.func @nested(%W: !comprehension.bag<keys = 1, i64, !comprehension.bag<index, f64>>, %n: index) -> !vector {
  %A = comprehension.build (%n) : !vector {
    %i, %w = comprehension.each %W : !comprehension.bag<keys = 1, i64, !comprehension.bag<index, f64>>
    %j, %v = comprehension.each %w : !comprehension.bag<index, f64>
    comprehension.yield (%j) %v
  }
  func.return %A : !vector
}

// An index that wraps around at the extent of an array, whether that is known or not.
// CHECK-LABEL: func.func @known_extent
// CHECK-NOT:     group_by
// CHECK:         func.return
func.func @known_extent(%V: !vector {diablo.shape = array<i64: 7>}, %W: !vector) -> (!vector, !vector) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %V, %zero : !vector
  %A = comprehension.build (%n) : !vector {
    %i, %v = comprehension.each %V : !vector
    %s = arith.addi %i, %one : index
    %k = arith.remsi %s, %n : index
    comprehension.yield (%k) %v
  }
  %m = tensor.dim %W, %zero : !vector
  %B = comprehension.build (%m) : !vector {
    %i, %v = comprehension.each %W : !vector
    %s = arith.addi %i, %one : index
    %k = arith.remsi %s, %m : index
    comprehension.yield (%k) %v
  }
  func.return %A, %B : !vector, !vector
}

// Rows that agree in what they are sorted by stay in the order of the comprehension: by the index
// that the key does not tell. Those of one list stand in it, and an index tells them all.
// CHECK-LABEL: func.func @sorted
// CHECK:           comprehension.yield %a, %i, %j
// CHECK:         tensor_block.sort %{{.*}} by [0 desc, 1, 2] to [0] :
// CHECK:           comprehension.yield %a_1, %i_1, %j_1
// CHECK:         tensor_block.sort %{{.*}} by [1, 2] to [0, 1] :
// CHECK:         tensor_block.sort %{{.*}} by [0] :
// CHECK:         tensor_block.sort %{{.*}} by [0, 1] :
// CHECK:           %k_2, %w = comprehension.each %L
// CHECK:           comprehension.yield %k_2, %w_1, %w, %place
// CHECK:         tensor_block.sort %{{.*}} by [0, 2, 3] to [0, 1] :
func.func @sorted(%A: !matrix, %L: !list, %M: !list) -> (!comprehension.bag<f64>, !comprehension.bag<f64, index>, !list, !list, !list) {
  %0 = comprehension.collect : !comprehension.bag<f64> {
    %i, %j, %a = comprehension.each %A : !matrix
    comprehension.yield %a
  }
  %1 = tensor_block.sort %0 by [0 desc] : !comprehension.bag<f64> -> !comprehension.bag<f64>
  %2 = comprehension.collect : !comprehension.bag<f64, index> {
    %i_1, %j_1, %a_1 = comprehension.each %A : !matrix
    comprehension.yield %a_1, %i_1
  }
  %3 = tensor_block.sort %2 by [1] : !comprehension.bag<f64, index> -> !comprehension.bag<f64, index>
  %4 = comprehension.collect : !list {
    %k, %v = comprehension.each %L : !list
    comprehension.yield %k, %v
  }
  %5 = tensor_block.sort %4 by [0] : !list -> !list
  %6 = comprehension.collect : !list {
    %k_1, %v_1 = comprehension.each %L sorted : !list
    comprehension.yield %k_1, %v_1
  }
  %7 = tensor_block.sort %6 by [0] : !list -> !list
  %8 = comprehension.collect : !list {
    %k_2, %w = comprehension.each %L sorted : !list
    %l, %w_1 = comprehension.each %M : !list
    comprehension.yield %k_2, %w_1
  }
  %9 = tensor_block.sort %8 by [0] : !list -> !list
  func.return %1, %3, %5, %7, %9 : !comprehension.bag<f64>, !comprehension.bag<f64, index>, !list, !list, !list
}
