// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --remarks 2>&1 | filecheck %s

// Reductions over the stored entries of sparse arrays. Groups without entries are absent.

// CHECK-NOT: evaluated over rows
// CHECK: remark: runs over the stored entries of A
// CHECK: remark: runs over the stored entries of A and B

!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
!bits = tensor<?x?xi1, #tensor_block.tiles<dense = 1>>
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!counts = tensor<?xi64, #tensor_block.tiles<dense = 1>>

// The sum of a row without entries is the implicit value: nothing is tested.
func.func @row_sums(%n: index, %A: !sparse {diablo.shape = array<i64: 9, 9>}) -> !vector {
  %nine = arith.constant 9 : index
  %r = comprehension.build (%nine) : !vector {
    %i, %j, %a = comprehension.each %A : !sparse
    %g, %as = comprehension.group_by keys(%i) values(%a) : index, !comprehension.bag<f64>
    %s = comprehension.reduce add %as : !comprehension.bag<f64>
    comprehension.yield (%g) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @row_sums
// CHECK:         tensor_block.reduce add parallel(d0 < {{.*}}) reduced(d1 < {{.*}}) ins(%A[d0, d1]
// CHECK-NEXT:    ^{{.*}}(%i: index, %j: index, %a: f64):
// CHECK-NEXT:      tensor_block.yield %a : f64
// CHECK-NOT:     tensor_block.
// CHECK:         func.return

// The least of a row without entries is no infinity.
func.func @row_minima(%A: !sparse {diablo.shape = array<i64: 9, 9>}) -> !vector {
  %nine = arith.constant 9 : index
  %r = comprehension.build (%nine) : !vector {
    %i, %j, %a = comprehension.each %A : !sparse
    %g, %as = comprehension.group_by keys(%i) values(%a) : index, !comprehension.bag<f64>
    %s = comprehension.reduce min %as : !comprehension.bag<f64>
    comprehension.yield (%g) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @row_minima
// CHECK:         %[[LEAST:.*]] = tensor_block.reduce min {{.*}} ins(%A[d0, d1]
// CHECK:           %[[STORED:.*]] = arith.cmpf une, %a, %{{.*}} : f64
// CHECK-NEXT:      scf.if %[[STORED]]
// CHECK:         %[[ANY:.*]] = tensor_block.reduce or {{.*}} ins(%A[d0, d1]
// CHECK:         tensor_block.map {{.*}} ins(%[[LEAST]][d0] {{.*}}, %[[ANY]][d0]

// An array that is updated stays where no entry is: no presence.
func.func @relax(%A: !bits {diablo.shape = array<i64: 9, 9>}, %x: !vector {diablo.shape = array<i64: 9>}) -> !vector {
  %r = comprehension.merge min %x : !vector {
    %i, %j, %a = comprehension.each %A : !bits
    %k, %b = comprehension.each %x full : !vector
    %e = arith.cmpi eq, %k, %j : index
    comprehension.guard %e
    comprehension.yield (%i) %b
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @relax
// CHECK:         %[[LEAST:.*]] = tensor_block.reduce min {{.*}} ins({{.*}}%A[d0, d1]
// CHECK:           scf.if %a
// CHECK-NOT:     tensor_block.reduce
// CHECK:         arith.minimumf

// A guard on the value, and a count of the rows that tells which groups there are.
func.func @means(%A: !sparse {diablo.shape = array<i64: 9, 9>}) -> !vector {
  %nine = arith.constant 9 : index
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %r = comprehension.build (%nine) : !vector {
    %i, %j, %a = comprehension.each %A : !sparse
    %large = arith.cmpf ogt, %a, %half : f64
    comprehension.guard %large
    %g, %as, %ones = comprehension.group_by keys(%i) values(%a, %one) : index, !comprehension.bag<f64>, !comprehension.bag<f64>
    %s = comprehension.reduce add %as : !comprehension.bag<f64>
    %c = comprehension.reduce add %ones : !comprehension.bag<f64>
    %m = arith.divf %s, %c : f64
    comprehension.yield (%g) %m
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @means
// CHECK-COUNT-2: tensor_block.reduce add
// CHECK-NOT:     tensor_block.reduce or
// CHECK:         arith.cmpf ogt
// CHECK:         arith.divf

// The stored entries of both: those of B in the row of an entry of A.
func.func @min_plus(%A: !sparse {diablo.shape = array<i64: 9, 9>}, %B: !sparse {diablo.shape = array<i64: 9, 9>}) -> !matrix {
  %nine = arith.constant 9 : index
  %r = comprehension.build (%nine, %nine) : !matrix {
    %i, %k, %a = comprehension.each %A : !sparse
    %l, %j, %b = comprehension.each %B : !sparse
    %e = arith.cmpi eq, %l, %k : index
    comprehension.guard %e
    %s = arith.addf %a, %b : f64
    %g, %h, %vs = comprehension.group_by keys(%i, %j) values(%s) : index, index, !comprehension.bag<f64>
    %m = comprehension.reduce min %vs : !comprehension.bag<f64>
    comprehension.yield (%g, %h) %m
  }
  func.return %r : !matrix
}
// CHECK-LABEL: func.func @min_plus
// CHECK:         tensor_block.reduce min {{.*}} ins(%A[d0, d2] {{.*}}, %B[d2, d1]
// CHECK:           arith.andi
// CHECK:           arith.addf
// CHECK:         tensor_block.reduce or
// CHECK:         tensor_block.map
