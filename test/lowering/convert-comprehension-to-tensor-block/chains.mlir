// A chain of products is evaluated two at a time, smallest first, not over all indices at once.
// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --remarks 2>&1 | filecheck %s

// CHECK: remark: a chain of products: two at a time

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>

func.func @chain(%n: index, %A: !matrix, %B: !matrix, %C: !matrix) -> !matrix {
  %r = comprehension.build (%n, %n) : !matrix {
    %i, %j, %a = comprehension.each %A : !matrix
    %jj, %k, %b = comprehension.each %B : !matrix
    %e = arith.cmpi eq, %jj, %j : index
    comprehension.guard %e
    %kk, %l, %c = comprehension.each %C : !matrix
    %f = arith.cmpi eq, %kk, %k : index
    comprehension.guard %f
    %ab = arith.mulf %a, %b : f64
    %abc = arith.mulf %ab, %c : f64
    %g, %h, %vs = comprehension.group_by keys(%i, %l) values(%abc) : index, index, !comprehension.bag<f64>
    %s = comprehension.reduce add %vs : !comprehension.bag<f64>
    comprehension.yield (%g, %h) %s
  }
  func.return %r : !matrix
}
// CHECK-LABEL: func.func @chain
// CHECK:         %[[FIRST:.*]] = tensor_block.reduce add parallel(d0 < %{{.*}}, d1 < %{{.*}}) reduced(d2 < %{{.*}}) ins(%A[d0, d2] : {{.*}}, %B[d2, d1] :
// CHECK:         tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %{{.*}}) ins(%[[FIRST]][d0, d2] : {{.*}}, %C[d2, d1] :

// A quadratic form of a sparse matrix: a sparse product with a vector, then a dot product.
func.func @form(%A: !sparse, %v: !vector, %w: !vector) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %i, %j, %a = comprehension.each %A : !sparse
    %k, %x = comprehension.each %v : !vector
    %ki = arith.cmpi eq, %k, %i : index
    comprehension.guard %ki
    %l, %y = comprehension.each %w : !vector
    %lj = arith.cmpi eq, %l, %j : index
    comprehension.guard %lj
    %p = arith.mulf %a, %x : f64
    %q = arith.mulf %p, %y : f64
    comprehension.yield %q
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @form
// CHECK:         %[[PART:.*]] = tensor_block.reduce add parallel(d0 < %{{.*}}) reduced(d1 < %{{.*}}) ins({{.*}}%A[
// CHECK:         tensor_block.reduce add reduced(d0 < %{{.*}}) ins({{.*}}%[[PART]][d0]
