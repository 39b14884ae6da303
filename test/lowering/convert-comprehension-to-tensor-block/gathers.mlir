// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --remarks 2>&1 | filecheck %s
// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block{whole=true},canonicalize,cse,dce | filecheck %s --check-prefix=WHOLE

// An array that is read where an element of another one says waits for that. Where elements say
// how many there are, too, it is looked up for each row.

// CHECK: remark: evaluated over rows, not as array algebra: an index is compared with a computed value
// CHECK: remark: reads an array at computed indices: array algebra whose body reads it

!values = tensor<?xf64>
!places = tensor<?xindex>
!rows = tensor<?xi64>
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!entries = tensor<?x?xf64, #tensor_block.tiles<dense = 0>>

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

// Otherwise the body of the op reads it, where it has such a place: elsewhere the row is dropped.
func.func @products(%k: !rows, %v: !values, %w: !values) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %i, %p = comprehension.each %k : !rows
    %place = arith.index_cast %p : i64 to index
    %h, %x = comprehension.each %w full : !values
    %same = arith.cmpi eq, %h, %i : index
    comprehension.guard %same
    %g, %y = comprehension.each %v full : !values
    %at = arith.cmpi eq, %g, %place : index
    comprehension.guard %at
    %z = arith.mulf %x, %y : f64
    comprehension.yield %z
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @products
// CHECK:         %[[SIZE:.*]] = tensor.dim %v
// CHECK:         tensor_block.reduce add reduced({{.*}}) ins(%k[d0] : {{.*}}, %w[d0] : {{.*}}) -> f64 {
// CHECK-NEXT:    ^bb0(%{{.*}}: index, %[[P:.*]]: i64, %[[X:.*]]: f64):
// CHECK-NEXT:      %[[AT:.*]] = arith.index_cast %[[P]]
// CHECK-NEXT:      %[[LOW:.*]] = arith.cmpi sge, %[[AT]], %{{.*}} : index
// CHECK-NEXT:      %[[HIGH:.*]] = arith.cmpi slt, %[[AT]], %[[SIZE]] : index
// CHECK-NEXT:      %[[INSIDE:.*]] = arith.andi %[[LOW]], %[[HIGH]]
// CHECK-NEXT:      scf.if %[[INSIDE]]
// CHECK-NEXT:        %[[Y:.*]] = tensor.extract %v[%[[AT]]]
// CHECK-NEXT:        arith.mulf %[[X]], %[[Y]]

// On workers there are the rows of a matrix that they need; one process has all of it. The
// columns, which nothing says otherwise, are not tested.
func.func @rows(%n: index, %k: !rows, %E: !matrix) -> !matrix {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %size = tensor.dim %k, %zero : !rows
  %m = tensor.dim %E, %one : !matrix
  %r = comprehension.build (%size, %m) : !matrix {
    %i, %p = comprehension.each %k : !rows
    %row = arith.index_cast %p : i64 to index
    %g, %j, %e = comprehension.each %E full : !matrix
    %at = arith.cmpi eq, %g, %row : index
    comprehension.guard %at
    comprehension.yield (%i, %j) %e
  }
  func.return %r : !matrix
}
// CHECK-LABEL: func.func @rows
// CHECK:         tensor_block.join
// WHOLE-LABEL: func.func @rows
// WHOLE-NOT:     to_bag
// WHOLE:         %[[SIZE:.*]] = tensor.dim %E, %zero
// WHOLE:         tensor_block.map parallel(d0 < %size, d1 < %m) ins(%k[d0] : {{.*}})
// WHOLE-NEXT:    ^bb0(%{{.*}}: index, %[[J:.*]]: index, %[[P:.*]]: i64):
// WHOLE-NEXT:      %[[ROW:.*]] = arith.index_cast %[[P]]
// WHOLE-NEXT:      arith.cmpi sge, %[[ROW]], %zero
// WHOLE-NEXT:      arith.cmpi slt, %[[ROW]], %[[SIZE]]
// WHOLE:           tensor.extract %E[%[[ROW]], %[[J]]]

// Rows are fewer than points where the entries of a sparse array are gone through.
func.func @of_entries(%A: !entries, %k: !rows, %v: !values) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %i, %j, %a = comprehension.each %A : !entries
    %h, %p = comprehension.each %k full : !rows
    %same = arith.cmpi eq, %h, %i : index
    comprehension.guard %same
    %place = arith.index_cast %p : i64 to index
    %g, %y = comprehension.each %v full : !values
    %at = arith.cmpi eq, %g, %place : index
    comprehension.guard %at
    %z = arith.mulf %a, %y : f64
    comprehension.yield %z
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @of_entries
// CHECK:         tensor_block.lookup %{{.*}} in %v
// CHECK-NOT:     tensor.extract
// CHECK-LABEL: func.func @on_a_condition

// A read on a condition is zero where there is nothing.
func.func @on_a_condition(%n: index, %k: !rows, %v: !values) -> !values {
  %zero = arith.constant 0 : index
  %size = tensor.dim %k, %zero : !rows
  %r = comprehension.build (%size) : !values {
    %i, %p = comprehension.each %k : !rows
    %place = arith.index_cast %p : i64 to index
    %y, %there = comprehension.probe %v[%place] : !values
    %s = arith.addf %y, %y : f64
    comprehension.yield (%i) %s
  }
  func.return %r : !values
}
// CHECK:         tensor_block.map parallel(d0 < %size) ins(%k[d0] : {{.*}})
// CHECK:           %[[Y:.*]] = scf.if
// CHECK-NEXT:        tensor.extract %v
// CHECK:           } else {
// CHECK-NEXT:        arith.constant 0.0
// CHECK:           arith.addf %[[Y]], %[[Y]]
