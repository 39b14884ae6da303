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

// The greatest of what is not negative: a zero is only the greatest where nothing else is, and
// then it is what the result has anyway. With a guard the zeros do not even come so far.
// CHECK-LABEL: func.func @bounds
// CHECK:           comprehension.each %A : tensor
// CHECK:           comprehension.each %A : tensor
// CHECK:           comprehension.each %A full : tensor
// CHECK:           comprehension.each %A : tensor
func.func @bounds(%A: !sparse, %n: index, %k: index) -> (!dense, f64, !dense, !dense) {
  %zero = arith.constant 0.0 : f64
  %S = comprehension.build (%n) : !dense {
    %i, %a = comprehension.each %A full : !sparse
    %b = math.absf %a : f64
    %g = arith.remsi %i, %k : index
    %h, %bs = comprehension.group_by keys(%g) values(%b) : index, !comprehension.bag<f64>
    %s = comprehension.reduce max %bs : !comprehension.bag<f64>
    comprehension.yield (%h) %s
  }
  %m = comprehension.aggregate max : f64 {
    %i, %a = comprehension.each %A full : !sparse
    %p = arith.cmpf ogt, %a, %zero : f64
    comprehension.guard %p
    comprehension.yield %a
  }
  %T = comprehension.build (%n) : !dense {
    %i, %a = comprehension.each %A full : !sparse
    %g = arith.remsi %i, %k : index
    %h, %as = comprehension.group_by keys(%g) values(%a) : index, !comprehension.bag<f64>
    %s = comprehension.reduce max %as : !comprehension.bag<f64>
    comprehension.yield (%h) %s
  }
  %U = comprehension.merge max %S : !dense {
    %i, %a = comprehension.each %A full : !sparse
    %b = math.absf %a : f64
    comprehension.yield (%i) %b
  }
  func.return %S, %m, %T, %U : !dense, f64, !dense, !dense
}

// What operators leave alone: 0 + 0 * b, the square root of 0, a conditional, 0 / (1 + |b|).
// CHECK-LABEL: func.func @operators
// CHECK:           comprehension.each %A : tensor
// CHECK:           comprehension.each %A : tensor
// CHECK:           comprehension.each %A : tensor
// CHECK:           comprehension.each %A : tensor
// CHECK:           comprehension.each %A full : tensor
func.func @operators(%A: !sparse, %b: f64, %c: i1) -> (f64, f64, f64, f64, f64) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %s0 = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %A full : !sparse
    %v = arith.mulf %b, %a : f64
    %w = arith.addf %v, %a : f64
    comprehension.yield %w
  }
  %s1 = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %A full : !sparse
    %v = math.sqrt %a : f64
    comprehension.yield %v
  }
  %s2 = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %A full : !sparse
    %p = arith.cmpf oeq, %a, %zero : f64
    %v = scf.if %p -> (f64) {
      scf.yield %a : f64
    } else {
      scf.yield %b : f64
    }
    comprehension.yield %v
  }
  %s3 = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %A full : !sparse
    %v = math.absf %b : f64
    %w = arith.addf %v, %one : f64
    %x = arith.divf %a, %w : f64
    comprehension.yield %x
  }
  %s4 = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %A full : !sparse
    %x = arith.divf %a, %b : f64
    comprehension.yield %x
  }
  func.return %s0, %s1, %s2, %s3, %s4 : f64, f64, f64, f64, f64
}

// A monoid of the program's own: the sum of pairs gives back the other pair for (0, 0), the
// pair with the greater first part does not.
comprehension.monoid @sums : tuple<f64, f64> identity [0.0 : f64, 0.0 : f64] {
^bb0(%x: tuple<f64, f64>, %y: tuple<f64, f64>):
  %a, %b = comprehension.unpack %x : tuple<f64, f64>
  %c, %d = comprehension.unpack %y : tuple<f64, f64>
  %e = arith.addf %a, %c : f64
  %f = arith.addf %b, %d : f64
  %z = comprehension.pack %e, %f : tuple<f64, f64>
  comprehension.yield %z
}
comprehension.monoid @greatest : tuple<f64, f64> identity [0xFFF0000000000000 : f64, 0.0 : f64] {
^bb0(%x: tuple<f64, f64>, %y: tuple<f64, f64>):
  %a, %b = comprehension.unpack %x : tuple<f64, f64>
  %c, %d = comprehension.unpack %y : tuple<f64, f64>
  %p = arith.cmpf oge, %a, %c : f64
  %z = arith.select %p, %x, %y : tuple<f64, f64>
  comprehension.yield %z
}
// CHECK-LABEL: func.func @own
// CHECK:           comprehension.each %A : tensor
// CHECK:           comprehension.each %A full : tensor
// CHECK:           comprehension.each %A : tensor
func.func @own(%A: !sparse, %b: f64) -> (tuple<f64, f64>, tuple<f64, f64>, tuple<f64, f64>) {
  %none = arith.constant 0xFFF0000000000000 : f64
  %zero = arith.constant 0.0 : f64
  %s0 = comprehension.aggregate @sums : tuple<f64, f64> {
    %i, %a = comprehension.each %A full : !sparse
    %v = arith.mulf %a, %b : f64
    %t = comprehension.pack %a, %v : tuple<f64, f64>
    comprehension.yield %t
  }
  %s1 = comprehension.aggregate @greatest : tuple<f64, f64> {
    %i, %a = comprehension.each %A full : !sparse
    %t = comprehension.pack %a, %b : tuple<f64, f64>
    comprehension.yield %t
  }
  %s2 = comprehension.aggregate @greatest : tuple<f64, f64> {
    %i, %a = comprehension.each %A full : !sparse
    %p = arith.cmpf oeq, %a, %zero : f64
    %v = arith.select %p, %none, %b : f64
    %t = comprehension.pack %v, %a : tuple<f64, f64>
    comprehension.yield %t
  }
  func.return %s0, %s1, %s2 : tuple<f64, f64>, tuple<f64, f64>, tuple<f64, f64>
}

// Several arrays: the product needs the intersection of what is stored, the sum the union.
// REMARK:        remark: the union of the stored elements of A and B would do
// REMARK:        remark: the rows are in the intersection of A and B
// CHECK-LABEL: func.func @several
// CHECK:           comprehension.each %A full : tensor
// CHECK:           comprehension.each %B full : tensor
// CHECK:           comprehension.each %A : tensor
// CHECK:           comprehension.each %B : tensor
func.func @several(%A: !sparse, %B: !sparse, %n: index) -> (!sparse, f64) {
  %C = comprehension.build (%n) : !sparse {
    %i, %a = comprehension.each %A full : !sparse
    %j, %b = comprehension.each %B full : !sparse
    %p = arith.cmpi eq, %i, %j : index
    comprehension.guard %p
    %v = arith.addf %b, %a : f64
    comprehension.yield (%i) %v
  }
  %s = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %A full : !sparse
    %j, %b = comprehension.each %B full : !sparse
    %p = arith.cmpi eq, %i, %j : index
    comprehension.guard %p
    %v = arith.mulf %b, %a : f64
    comprehension.yield %v
  }
  func.return %C, %s : !sparse, f64
}

// A nested comprehension that sees zero only folds nothing.
// CHECK-LABEL: func.func @nested
// CHECK:           comprehension.each %A : tensor
// CHECK:             comprehension.each %D
func.func @nested(%A: !sparse, %D: !dense) -> f64 {
  %s = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %A full : !sparse
    %t = comprehension.aggregate add : f64 {
      %j, %d = comprehension.each %D : !dense
      %v = arith.mulf %a, %d : f64
      comprehension.yield %v
    }
    comprehension.yield %t
  }
  func.return %s : f64
}

// Held back: in a map, a row that adds zero adds its key.
// CHECK-LABEL: func.func @map
// CHECK:           comprehension.each %A full : tensor
func.func @map(%A: !sparse, %M: !comprehension.bag<keys = 1, index, f64>) -> !comprehension.bag<keys = 1, index, f64> {
  %R = comprehension.merge add %M : !comprehension.bag<keys = 1, index, f64> {
    %i, %a = comprehension.each %A full : !sparse
    comprehension.yield (%i) %a
  }
  func.return %R : !comprehension.bag<keys = 1, index, f64>
}

// An array with a fill: 1 adds nothing to a product, infinity nothing to a minimum, also with
// something added to it, and the logarithm of 1 nothing to a sum. The array is then read where
// the region stores elements.
// REMARK:        remark: only stored elements of R are visited: the value is then the identity of mul
// REMARK:        remark: F is read where R stores elements
// REMARK:        remark: only stored elements of R are visited: the value is then the identity of min
// CHECK-LABEL: func.func @fills
// CHECK-COUNT-3:   comprehension.each %R : tensor
func.func @fills(%R: tensor<?xi1, #tensor_block.tiles<dense = 0>>, %F: !sparse, %x: f64) -> (f64, f64, f64) {
  %one = arith.constant 1.0 : f64
  %inf = arith.constant 0x7FF0000000000000 : f64
  %s = comprehension.aggregate mul : f64 {
    %i, %a = comprehension.each %F full : !sparse
    %j, %r = comprehension.each %R full : tensor<?xi1, #tensor_block.tiles<dense = 0>>
    %p = arith.cmpi eq, %i, %j : index
    comprehension.guard %p
    %v = arith.select %r, %a, %one : f64
    comprehension.yield %v
  }
  %t = comprehension.aggregate min : f64 {
    %i, %a = comprehension.each %F full : !sparse
    %j, %r = comprehension.each %R full : tensor<?xi1, #tensor_block.tiles<dense = 0>>
    %p = arith.cmpi eq, %i, %j : index
    comprehension.guard %p
    %v = arith.select %r, %a, %inf : f64
    %w = arith.addf %v, %x : f64
    comprehension.yield %w
  }
  %u = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %F full : !sparse
    %j, %r = comprehension.each %R full : tensor<?xi1, #tensor_block.tiles<dense = 0>>
    %p = arith.cmpi eq, %i, %j : index
    comprehension.guard %p
    %v = arith.select %r, %a, %one : f64
    %w = math.log %v : f64
    comprehension.yield %w
  }
  func.return %s, %t, %u : f64, f64, f64
}

// Once only elements of the region are visited, the fill is out of the question, and zeros of
// the array add nothing. A fill that counts stays.
// CHECK-LABEL: func.func @decided_by_a_region
// CHECK:           comprehension.each %F : tensor
// CHECK:           comprehension.each %R : tensor
// CHECK:           comprehension.each %F full : tensor
// CHECK:           comprehension.each %R full : tensor
func.func @decided_by_a_region(%R: tensor<?xi1, #tensor_block.tiles<dense = 0>>, %F: !sparse, %x: f64) -> (f64, f64) {
  %s = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %F full : !sparse
    %j, %r = comprehension.each %R full : tensor<?xi1, #tensor_block.tiles<dense = 0>>
    %p = arith.cmpi eq, %i, %j : index
    comprehension.guard %p
    comprehension.guard %r
    %v = arith.select %r, %a, %x : f64
    comprehension.yield %v
  }
  %t = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %F full : !sparse
    %j, %r = comprehension.each %R full : tensor<?xi1, #tensor_block.tiles<dense = 0>>
    %p = arith.cmpi eq, %i, %j : index
    comprehension.guard %p
    %v = arith.select %r, %a, %x : f64
    comprehension.yield %v
  }
  func.return %s, %t : f64, f64
}

// What is zero of a complex zero adds nothing; its exponential is one.
// CHECK-LABEL: func.func @complex_elements
// CHECK:           comprehension.each %Z : tensor
// CHECK:           comprehension.each %Z : tensor
// CHECK:           comprehension.each %Z full : tensor
func.func @complex_elements(%Z: tensor<?xcomplex<f64>, #tensor_block.tiles<dense = 0>>, %x: complex<f64>)
    -> (complex<f64>, f64, complex<f64>) {
  %s = comprehension.aggregate add : complex<f64> {
    %i, %z = comprehension.each %Z full : tensor<?xcomplex<f64>, #tensor_block.tiles<dense = 0>>
    %v = complex.mul %z, %x : complex<f64>
    %w = complex.sin %v : complex<f64>
    %c = complex.conj %w : complex<f64>
    comprehension.yield %c
  }
  %t = comprehension.aggregate add : f64 {
    %i, %z = comprehension.each %Z full : tensor<?xcomplex<f64>, #tensor_block.tiles<dense = 0>>
    %a = complex.re %z : complex<f64>
    comprehension.yield %a
  }
  %u = comprehension.aggregate add : complex<f64> {
    %i, %z = comprehension.each %Z full : tensor<?xcomplex<f64>, #tensor_block.tiles<dense = 0>>
    %e = complex.exp %z : complex<f64>
    comprehension.yield %e
  }
  func.return %s, %t, %u : complex<f64>, f64, complex<f64>
}
