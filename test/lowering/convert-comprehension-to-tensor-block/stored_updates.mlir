// Generators over the stored elements of sparse arrays as conditions of array algebra.
// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce | filecheck %s
// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!sparse_vector = tensor<?xf64, #tensor_block.tiles<dense = 0>>
!dense = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!region = tensor<?x?xi1, #tensor_block.tiles<dense = 1>>
!integers = tensor<?xi64, #tensor_block.tiles<dense = 0>>

// A stencil at the points of a region whose box begins at (1, 0); T stays as it is elsewhere.
// REMARK: computed where R stores elements: it is as before elsewhere
// CHECK-LABEL: func.func @stencil
// CHECK:         tensor_block.map
// CHECK-SAME:      ins(%R[d0 - 1, d1] : {{.*}}, %T[d0 - 1, d1] : {{.*}}, %T[d0, d1] : {{.*}})
// CHECK:         ^bb0(%{{.*}}: index, %{{.*}}: index, %[[r:.*]]: i1, %[[up:.*]]: f64, %[[old:.*]]: f64):
// CHECK:           scf.if %[[r]] -> (f64) {
// CHECK-NEXT:        scf.yield %[[up]] : f64
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %[[old]] : f64
// CHECK-NOT:     tensor_block.from_bag
// CHECK-LABEL: func.func @increment
func.func @stencil(%R: !region, %T: !dense) -> !dense {
  %one = arith.constant 1 : index
  %N = comprehension.merge %T : !dense {
    %i, %j, %r = comprehension.each %R : !region
    %k = arith.addi %i, %one : index
    %ii, %jj, %t = comprehension.each %T : !dense
    %p = arith.cmpi eq, %ii, %i : index
    comprehension.guard %p
    %q = arith.cmpi eq, %jj, %j : index
    comprehension.guard %q
    comprehension.yield (%k, %j) %t
  }
  func.return %N : !dense
}

// An increment; what is stored is not zero, so that guards see stored elements alone.
// CHECK:         tensor_block.map
// CHECK:           arith.cmpf une, %{{.*}}, %{{.*}} : f64
// CHECK:           arith.addf
func.func @increment(%v: !sparse_vector, %T: !vector) -> !vector {
  %one = arith.constant 1.0 : f64
  %N = comprehension.merge add %T : !vector {
    %i, %x = comprehension.each %v : !sparse_vector
    %small = arith.cmpf olt, %x, %one : f64
    comprehension.guard %small
    comprehension.yield (%i) %one
  }
  func.return %N : !vector
}

// A dense array of nothing but what is computed there.
// REMARK: computed where v stores elements: it is zero elsewhere
// CHECK-LABEL: func.func @build
// CHECK:         tensor_block.map
// CHECK:           arith.cmpi ne, %{{.*}}, %{{.*}} : i64
func.func @build(%n: index, %v: !integers) -> tensor<?xi64, #tensor_block.tiles<dense = 1>> {
  %one = arith.constant 1 : i64
  %r = comprehension.build (%n) : tensor<?xi64, #tensor_block.tiles<dense = 1>> {
    %i, %x = comprehension.each %v : !integers
    %y = arith.addi %x, %one : i64
    comprehension.yield (%i) %y
  }
  func.return %r : tensor<?xi64, #tensor_block.tiles<dense = 1>>
}

// Rows of a matrix where a vector stores elements: more than the stored points change.
// REMARK: evaluated over rows, not as array algebra: only the stored entries of a sparse array take part
// CHECK-LABEL: func.func @rows
// CHECK-NOT:     tensor_block.map
// CHECK:         tensor_block.from_bag
func.func @rows(%v: !sparse_vector, %T: !dense) -> !dense {
  %N = comprehension.merge %T : !dense {
    %i, %x = comprehension.each %v : !sparse_vector
    %ii, %j, %t = comprehension.each %T : !dense
    %p = arith.cmpi eq, %ii, %i : index
    comprehension.guard %p
    comprehension.yield (%i, %j) %x
  }
  func.return %N : !dense
}
