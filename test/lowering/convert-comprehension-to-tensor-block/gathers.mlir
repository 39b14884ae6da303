// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce | filecheck %s

// An array that is read where an element of another one says waits for that, and is looked up.

!values = tensor<?xf64>
!places = tensor<?xindex>

// The product of a matrix in compressed rows with a vector. All but the rows come of ranges.
func.func @compressed_rows(%ends: !places, %columns: !places, %values: !values, %x: !values) -> f64 {
  %zero = arith.constant 0 : index
  %r = comprehension.aggregate add : f64 {
    %i, %end = comprehension.each %ends : !places
    %k = comprehension.range %i to %end
    %kk, %v = comprehension.each %values full : !values
    %eqv = arith.cmpi eq, %kk, %k : index
    comprehension.guard %eqv
    %j, %a = comprehension.each %x full : !values
    %kc, %column = comprehension.each %columns full : !places
    %eqc = arith.cmpi eq, %kc, %k : index
    comprehension.guard %eqc
    %eqj = arith.cmpi eq, %j, %column : index
    comprehension.guard %eqj
    %p = arith.mulf %v, %a : f64
    comprehension.yield %p
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @compressed_rows
// CHECK-NOT:     tensor_block.join
// CHECK:         %[[ROWS:.*]] = tensor_block.to_bag %ends
// CHECK:         tensor_block.expand %[[ROWS]]
// CHECK-NOT:     tensor_block.join
// CHECK:         tensor_block.lookup %{{.*}} in %columns
// CHECK-NOT:     tensor_block.join
// CHECK:         tensor_block.lookup %{{.*}} in %x
// CHECK-NOT:     tensor_block.join
// CHECK:         tensor_block.fold add
