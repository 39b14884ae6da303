// RUN: diablo-opt %s -p infer-sparsity | filecheck %s
// RUN: diablo-opt %s -p infer-sparsity --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK

!dense = tensor<?xf64>
!sparse = tensor<?xf64, #tensor_block.tiles<dense = 0>>

// A zero factor adds nothing to a sum.
// REMARK:        remark: only stored elements of A are visited: the value is then the identity of add
// CHECK-LABEL: func.func @product
// CHECK:           comprehension.each %A : tensor
// CHECK:           comprehension.each %B full : tensor
func.func @product(%A: !sparse, %B: !dense) -> f64 {
  %s = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %A full : !sparse
    %j, %b = comprehension.each %B full : !dense
    %p = arith.cmpi eq, %i, %j : index
    comprehension.guard %p
    %v = arith.mulf %b, %a : f64
    comprehension.yield %v
  }
  func.return %s : f64
}

// A sum of two elements is not zero because one of them is, and the least may be a zero.
// REMARK:        remark: all indices of sparse A are visited: its zeros can change the result
// CHECK-LABEL: func.func @sum
// CHECK:           comprehension.each %A full : tensor
// CHECK:           comprehension.each %B full : tensor
// CHECK:           comprehension.each %A full : tensor
func.func @sum(%A: !sparse, %B: !sparse, %n: index) -> (!dense, f64) {
  %C = comprehension.build (%n) : !dense {
    %i, %a = comprehension.each %A full : !sparse
    %j, %b = comprehension.each %B full : !sparse
    %p = arith.cmpi eq, %i, %j : index
    comprehension.guard %p
    %v = arith.addf %b, %a : f64
    comprehension.yield (%i) %v
  }
  %m = comprehension.aggregate min : f64 {
    %i, %a = comprehension.each %A full : !sparse
    comprehension.yield %a
  }
  func.return %C, %m : !dense, f64
}

// Through a grouping: the sum does not notice, the count does.
// CHECK-LABEL: func.func @grouped
// CHECK:           comprehension.each %A : tensor
// CHECK:           comprehension.each %A full : tensor
func.func @grouped(%A: !sparse, %n: index) -> (!dense, tensor<?xi64>) {
  %S = comprehension.build (%n) : !dense {
    %i, %a = comprehension.each %A full : !sparse
    %g, %as = comprehension.group_by keys(%i) values(%a) : index, !comprehension.bag<f64>
    %s = comprehension.reduce add %as : !comprehension.bag<f64>
    %t = arith.negf %s : f64
    comprehension.yield (%g) %t
  }
  %N = comprehension.build (%n) : tensor<?xi64> {
    %i, %a = comprehension.each %A full : !sparse
    %one = arith.constant 1 : i64
    %g, %ones = comprehension.group_by keys(%i) values(%one) : index, !comprehension.bag<i64>
    %s = comprehension.reduce add %ones : !comprehension.bag<i64>
    comprehension.yield (%g) %s
  }
  func.return %S, %N : !dense, tensor<?xi64>
}

// An assignment writes zeros over what was there, an accumulation does not; a guard decides.
// CHECK-LABEL: func.func @update
// CHECK:         comprehension.merge %D
// CHECK:           comprehension.each %A full : tensor
// CHECK:         comprehension.merge add
// CHECK:           comprehension.each %A : tensor
// CHECK:         comprehension.merge %
// CHECK:           comprehension.each %A : tensor
// CHECK:         comprehension.merge mul
// CHECK:           comprehension.each %A full : tensor
func.func @update(%A: !sparse, %D: !dense) -> !dense {
  %zero = arith.constant 0.0 : f64
  %D1 = comprehension.merge %D : !dense {
    %i, %a = comprehension.each %A full : !sparse
    comprehension.yield (%i) %a
  }
  %D2 = comprehension.merge add %D1 : !dense {
    %i, %a = comprehension.each %A full : !sparse
    comprehension.yield (%i) %a
  }
  %D3 = comprehension.merge %D2 : !dense {
    %i, %a = comprehension.each %A full : !sparse
    %p = arith.cmpf one, %a, %zero : f64
    comprehension.guard %p
    comprehension.yield (%i) %a
  }
  %D4 = comprehension.merge mul %D3 : !dense {
    %i, %a = comprehension.each %A full : !sparse
    comprehension.yield (%i) %a
  }
  func.return %D4 : !dense
}
