// RUN: diablo-opt %s -p "convert-comprehension-to-tensor-block{whole=true},canonicalize,cse,dce" --split-input-file --remarks 2>&1 | filecheck %s
// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --split-input-file --remarks 2>&1 | filecheck %s --check-prefix=BLOCKS

// In one process every array is one tile: what is computed for a row may read all of it.

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 0>>

// CHECK: remark: nested: computed in loops for each row, without pairs of rows
// CHECK: remark: nested: evaluated for all keys at once, then joined with the outer rows
// BLOCKS: remark: nested: evaluated for all keys at once, then joined with the outer rows
// BLOCKS-NOT: computed in loops

// A product where a sparse array stores elements: no two of its rows have the same indices.
func.func @sampled(%A: !matrix, %S: !sparse) -> !comprehension.bag<index, index, f64> {
  %r = comprehension.collect : !comprehension.bag<index, index, f64> {
    %i, %j, %x = comprehension.each %S : !sparse
    %s = comprehension.aggregate add : f64 {
      %ii, %k, %a = comprehension.each %A : !matrix
      %eqi = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eqi
      %jj, %kk, %b = comprehension.each %A : !matrix
      %eqj = arith.cmpi eq, %jj, %j : index
      comprehension.guard %eqj
      %eqk = arith.cmpi eq, %kk, %k : index
      comprehension.guard %eqk
      %p = arith.mulf %a, %b : f64
      comprehension.yield %p
    }
    comprehension.yield %i, %j, %s
  }
  func.return %r : !comprehension.bag<index, index, f64>
}
// CHECK-LABEL: func.func @sampled
// CHECK-NOT:     tensor_block.join
// CHECK:         %[[S:.*]] = tensor_block.to_bag %S
// CHECK:         %[[IJ:.*]] = tensor_block.project %[[S]][0, 1]
// CHECK:         tensor_block.extend %[[IJ]]
// CHECK:           multiloop.loop range
// BLOCKS-LABEL: func.func @sampled
// BLOCKS:        tensor_block.join

// -----

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// Several rows of a list may have one key: what there is for it is evaluated once.
func.func @repeated(%A: !matrix, %L: !comprehension.bag<index, f64>) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %i, %x = comprehension.each %L : !comprehension.bag<index, f64>
    %s = comprehension.aggregate add : f64 {
      %ii, %k, %a = comprehension.each %A : !matrix
      %eqi = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eqi
      comprehension.yield %a
    }
    %p = arith.mulf %x, %s : f64
    comprehension.yield %p
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @repeated
// CHECK-NOT:     multiloop
// CHECK:         tensor_block.group_reduce
