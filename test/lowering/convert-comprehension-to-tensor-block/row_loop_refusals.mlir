// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --split-input-file --remarks 2>&1 | filecheck %s

// Aggregates in a row's value that no loop computes, and why: they start from numbered rows.

// CHECK: remark: nested: unnested, starting from the outer rows: an equality ties rows to others, which are found by hashing
// CHECK: remark: nested: unnested, starting from the outer rows: no loop is needed to find what is aggregated
// CHECK: remark: nested: unnested, starting from the outer rows: a row has a map, or a list that is made for it
// CHECK: remark: nested: unnested, starting from the outer rows: an array is in blocks that no worker has all of
// CHECK: remark: nested: unnested, starting from the outer rows: an array is in blocks that no worker has all of
// CHECK: remark: nested: unnested, starting from the outer rows: only the stored entries of a sparse array take part
// CHECK: remark: nested: unnested, starting from the outer rows: a map is looked into
// CHECK: remark: nested: unnested, starting from the outer rows: rows are taken in an order
// CHECK: remark: nested: unnested, starting from the outer rows: it may fail where its branch is not taken
// CHECK: remark: nested: unnested, starting from the outer rows: its monoid may fail
// CHECK: remark: nested: unnested, starting from the outer rows: an element is read on a condition
// CHECK: remark: nested: unnested, starting from the outer rows: its rows are grouped

!pairs = !comprehension.bag<i64, f64>

// An equality finds the rows of a list by hashing, an inequality beside it or not.
// CHECK-LABEL: func.func @equality
// CHECK-NOT:     multiloop
// CHECK:         tensor_block.join %{{.*}}[1], %R[0]
func.func @equality(%L: !pairs, %R: !pairs) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %k, %x = comprehension.each %L : !pairs
    %s = comprehension.aggregate add : f64 {
      %l, %y = comprehension.each %R : !pairs
      %eq = arith.cmpi eq, %l, %k : i64
      comprehension.guard %eq
      %p = arith.mulf %x, %y : f64
      comprehension.yield %p
    }
    comprehension.yield %s
  }
  func.return %r : f64
}

// -----

// The only index of an array is that of the row.
// CHECK-LABEL: func.func @one_element
// CHECK-NOT:     multiloop
// CHECK:         tensor_block.lookup
func.func @one_element(%L: !comprehension.bag<index, f64>, %V: tensor<?xf64>) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %k, %x = comprehension.each %L : !comprehension.bag<index, f64>
    %s = comprehension.aggregate add : f64 {
      %i, %v = comprehension.each %V : tensor<?xf64>
      %eq = arith.cmpi eq, %i, %k : index
      comprehension.guard %eq
      %p = arith.mulf %x, %v : f64
      comprehension.yield %p
    }
    comprehension.yield %s
  }
  func.return %r : f64
}

// -----

// CHECK-LABEL: func.func @own_map
// CHECK-NOT:     multiloop
// CHECK:         tensor_block.unnest
!map = !comprehension.bag<keys = 1, i64, f64>
func.func @own_map(%L: !comprehension.bag<f64, !map>) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %x, %ys = comprehension.each %L : !comprehension.bag<f64, !map>
    %s = comprehension.aggregate max : f64 {
      %k, %y = comprehension.each %ys : !map
      %p = arith.mulf %x, %y : f64
      comprehension.yield %p
    }
    comprehension.yield %s
  }
  func.return %r : f64
}

// -----

// CHECK-LABEL: func.func @blocks
// CHECK-NOT:     multiloop
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
func.func @blocks(%L: !comprehension.bag<f64>, %A: !matrix) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %x = comprehension.each %L : !comprehension.bag<f64>
    %s = comprehension.aggregate max : f64 {
      %i, %j, %a = comprehension.each %A : !matrix
      %p = arith.mulf %x, %a : f64
      comprehension.yield %p
    }
    comprehension.yield %s
  }
  func.return %r : f64
}

// -----

// It is known how many elements there are, and these are more than a worker gets.
// CHECK-LABEL: func.func @large_blocks
// CHECK-NOT:     multiloop
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
func.func @large_blocks(%L: !comprehension.bag<f64>, %A: !matrix {diablo.shape = array<i64: 10000, 10000>}) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %x = comprehension.each %L : !comprehension.bag<f64>
    %s = comprehension.aggregate max : f64 {
      %i, %j, %a = comprehension.each %A : !matrix
      %p = arith.mulf %x, %a : f64
      comprehension.yield %p
    }
    comprehension.yield %s
  }
  func.return %r : f64
}

// -----

// CHECK-LABEL: func.func @sparse
// CHECK-NOT:     multiloop
!sparse = tensor<?xf64, #tensor_block.storage<dense = 0>>
func.func @sparse(%L: !comprehension.bag<f64>, %A: !sparse) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %x = comprehension.each %L : !comprehension.bag<f64>
    %s = comprehension.aggregate max : f64 {
      %i, %a = comprehension.each %A : !sparse
      %p = arith.mulf %x, %a : f64
      comprehension.yield %p
    }
    comprehension.yield %s
  }
  func.return %r : f64
}

// -----

// CHECK-LABEL: func.func @map
// CHECK-NOT:     multiloop
!map = !comprehension.bag<keys = 1, i64, f64>
func.func @map(%L: !comprehension.bag<f64>, %R: !comprehension.bag<i64>, %M: !map) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %x = comprehension.each %L : !comprehension.bag<f64>
    %s = comprehension.aggregate max : f64 {
      %k = comprehension.each %R : !comprehension.bag<i64>
      %m, %found = comprehension.probe %M[%k] : !map
      %p = arith.mulf %x, %m : f64
      comprehension.yield %p
    }
    comprehension.yield %s
  }
  func.return %r : f64
}

// -----

// CHECK-LABEL: func.func @ordered
// CHECK-NOT:     multiloop
func.func @ordered(%L: !comprehension.bag<f64>, %R: !comprehension.bag<f64>) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %x = comprehension.each %L : !comprehension.bag<f64>
    %s = comprehension.aggregate max : f64 {
      %y = comprehension.each %R sorted : !comprehension.bag<f64>
      %p = arith.mulf %x, %y : f64
      comprehension.yield %p
    }
    comprehension.yield %s
  }
  func.return %r : f64
}

// -----

// A division that fails where the branch is not taken.
// CHECK-LABEL: func.func @may_fail
// CHECK-NOT:     multiloop
func.func @may_fail(%L: !comprehension.bag<i64>, %R: !comprehension.bag<i64>) -> !comprehension.bag<i64> {
  %zero = arith.constant 0 : i64
  %r = comprehension.collect : !comprehension.bag<i64> {
    %x = comprehension.each %L : !comprehension.bag<i64>
    %some = arith.cmpi ne, %x, %zero : i64
    %v = scf.if %some -> (i64) {
      %s = comprehension.aggregate max : i64 {
        %y = comprehension.each %R : !comprehension.bag<i64>
        %p = arith.divsi %y, %x : i64
        comprehension.yield %p
      }
      scf.yield %s : i64
    } else {
      scf.yield %zero : i64
    }
    comprehension.yield %v
  }
  func.return %r : !comprehension.bag<i64>
}

// -----

// A monoid that fails for some values: a loop over many rows at a time would combine others.
// CHECK-LABEL: func.func @monoid
// CHECK-NOT:     multiloop
comprehension.monoid @rest : i64 identity 0 : i64 {
^bb0(%x: i64, %y: i64):
  %r = arith.remsi %x, %y : i64
  comprehension.yield %r
}
func.func @monoid(%L: !comprehension.bag<i64>, %R: !comprehension.bag<i64>) -> !comprehension.bag<i64> {
  %r = comprehension.collect : !comprehension.bag<i64> {
    %x = comprehension.each %L : !comprehension.bag<i64>
    %s = comprehension.aggregate @rest : i64 {
      %y = comprehension.each %R : !comprehension.bag<i64>
      %p = arith.muli %y, %x : i64
      comprehension.yield %p
    }
    comprehension.yield %s
  }
  func.return %r : !comprehension.bag<i64>
}

// -----

// CHECK-LABEL: func.func @conditional
// CHECK-NOT:     multiloop
func.func @conditional(%L: !comprehension.bag<f64>, %R: !comprehension.bag<index>, %V: tensor<?xf64>) -> !comprehension.bag<f64> {
  %zero = arith.constant 0.0 : f64
  %r = comprehension.collect : !comprehension.bag<f64> {
    %x = comprehension.each %L : !comprehension.bag<f64>
    %s = comprehension.aggregate add : f64 {
      %i = comprehension.each %R : !comprehension.bag<index>
      %some = arith.cmpf ogt, %x, %zero : f64
      %v = scf.if %some -> (f64) {
        %e = tensor.extract %V[%i] : tensor<?xf64>
        scf.yield %e : f64
      } else {
        scf.yield %x : f64
      }
      comprehension.yield %v
    }
    comprehension.yield %s
  }
  func.return %r : !comprehension.bag<f64>
}

// -----

// CHECK-LABEL: func.func @grouped
// CHECK-NOT:     multiloop
func.func @grouped(%L: !comprehension.bag<i64>, %R: !comprehension.bag<i64, i64>) -> !comprehension.bag<i64> {
  %r = comprehension.collect : !comprehension.bag<i64> {
    %x = comprehension.each %L : !comprehension.bag<i64>
    %s = comprehension.aggregate max : i64 {
      %k, %y = comprehension.each %R : !comprehension.bag<i64, i64>
      %p = arith.muli %y, %x : i64
      %g, %ps = comprehension.group_by keys(%k) values(%p) : i64, !comprehension.bag<i64>
      %t = comprehension.reduce add %ps : !comprehension.bag<i64>
      comprehension.yield %t
    }
    comprehension.yield %s
  }
  func.return %r : !comprehension.bag<i64>
}
