// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block | filecheck %s
// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!dense = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
!region = tensor<?x?xi1, #tensor_block.tiles<dense = 1>>

// The pattern of an array: true where an element is stored.
// REMARK: computed where A stores elements: it is zero elsewhere
// CHECK-LABEL: func.func @pattern
// CHECK:         %R = tensor_block.map {{.*}} ins(%A[d0, d1] : {{.*}})
// CHECK:         ^bb0(%i: index, %j: index, %a: f64):
// CHECK:           %[[STORED:.*]] = arith.cmpf une, %a, %{{.*}} : f64
// CHECK:           scf.if %[[STORED]] -> (i1) {
func.func @pattern(%A: !sparse, %n: index) -> !region {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %m = tensor.dim %A, %zero : !sparse
  %k = tensor.dim %A, %one : !sparse
  %R = comprehension.build (%m, %k) : !region {
    %i, %j, %a = comprehension.each %A : !sparse
    %true = arith.constant true
    comprehension.yield (%i, %j) %true
  }
  func.return %R : !region
}

// A copy at the indices of a region, of an array in it: nothing of the old array is left.
// REMARK: computed where R stores elements: it is zero elsewhere
// CHECK-LABEL: func.func @copied
// CHECK:         %M = tensor_block.map
// CHECK:         %N = tensor_block.map {{.*}} ins(%R[d0, d1] : {{.*}}, %A[d0, d1] : {{.*}}) -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {
// CHECK-NEXT:    ^bb0(%{{.*}}: index, %{{.*}}: index, %[[STORED:.*]]: i1, %a: f64):
// CHECK-NEXT:      %{{.*}} = scf.if %[[STORED]] -> (f64) {
// CHECK-NEXT:        scf.yield %a : f64
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:        scf.yield %[[ZERO]] : f64
func.func @copied(%R: !region, %A: !dense) -> !sparse {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %R, %zero : !region
  %m = tensor.dim %R, %one : !region
  %rows = tensor.dim %A, %zero : !dense
  %columns = tensor.dim %A, %one : !dense
  %same_rows = arith.cmpi eq, %rows, %n : index
  cf.assert %same_rows, "shapes"
  %same_columns = arith.cmpi eq, %columns, %m : index
  cf.assert %same_columns, "shapes"
  %five = arith.constant 5.0 : f64
  %M = comprehension.build (%n, %m) : !sparse {
    %i, %j, %r = comprehension.each %R : !region
    comprehension.yield (%i, %j) %five
  }
  %N = comprehension.merge %M : !sparse {
    %i, %j, %r = comprehension.each %R : !region
    %k, %l, %a = comprehension.each %A full : !dense
    %same_i = arith.cmpi eq, %k, %i : index
    comprehension.guard %same_i
    %same_j = arith.cmpi eq, %l, %j : index
    comprehension.guard %same_j
    comprehension.yield (%i, %j) %a
  }
  func.return %N : !sparse
}

// What lies elsewhere stays.
// REMARK: computed where R or S stores elements: it is zero elsewhere
// CHECK-LABEL: func.func @updated
// CHECK:         tensor_block.map {{.*}} ins(%R[d0, d1] : {{.*}}, %S[d0, d1] : {{.*}})
// CHECK:         ^bb0(%i: index, %j: index, %r: i1, %[[OLD:.*]]: f64):
// CHECK:           scf.if %r -> (f64) {
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %[[OLD]] : f64
func.func @updated(%R: !region, %S: !sparse) -> !sparse {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %R, %zero : !region
  %m = tensor.dim %R, %one : !region
  %rows = tensor.dim %S, %zero : !sparse
  %columns = tensor.dim %S, %one : !sparse
  %same_rows = arith.cmpi eq, %rows, %n : index
  cf.assert %same_rows, "shapes"
  %same_columns = arith.cmpi eq, %columns, %m : index
  cf.assert %same_columns, "shapes"
  %five = arith.constant 5.0 : f64
  %N = comprehension.merge %S : !sparse {
    %i, %j, %r = comprehension.each %R : !region
    comprehension.yield (%i, %j) %five
  }
  func.return %N : !sparse
}

// Beside the point no array says where the result is not zero.
// REMARK: evaluated over rows, not as array algebra: only the stored entries of a sparse array take part
// CHECK-LABEL: func.func @moved
// CHECK-NOT:     tensor_block.map
// CHECK:         tensor_block.from_bag
func.func @moved(%R: !region, %n: index, %m: index) -> !sparse {
  %five = arith.constant 5.0 : f64
  %one = arith.constant 1 : index
  %N = comprehension.build (%n, %m) : !sparse {
    %i, %j, %r = comprehension.each %R : !region
    %k = arith.addi %j, %one : index
    comprehension.yield (%i, %k) %five
  }
  func.return %N : !sparse
}
