// Products with zeros of sparse arrays are zero, whatever the other factor is.
// RUN: diablo-opt %s -p guard-zeros | filecheck %s
// RUN: diablo-opt %s -p guard-zeros --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK

!dense = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 0>>

// REMARK-COUNT-4: remark: products with its zeros are zero, also with infinity and NaN
// REMARK-NOT: remark

// CHECK-LABEL: func.func @everywhere
// CHECK:         [[PRODUCT:%.+]] = arith.mulf %s, %d : f64
// CHECK-DAG:     [[NOTHING:%.+]] = arith.constant 0.000000e+00 : f64
// CHECK-DAG:     [[ZERO:%.+]] = arith.constant 0.000000e+00 : f64
// CHECK:         [[TEST:%.+]] = arith.cmpf oeq, %s, {{%.+}} : f64
// CHECK-NEXT:    [[CHOICE:%.+]] = arith.select [[TEST]], {{%.+}}, [[PRODUCT]] : f64
// CHECK-NEXT:    %square = arith.mulf [[CHOICE]], %d : f64
// CHECK:         [[AGAIN:%.+]] = arith.select {{.*}}, %square : f64
// CHECK-NEXT:    %half = arith.constant
// CHECK-NEXT:    %small = arith.mulf [[AGAIN]], %half : f64
// CHECK-NEXT:    arith.addf %small, %d : f64
func.func @everywhere(%S: !sparse, %D: !dense, %n: index) -> !dense {
  %r = comprehension.build (%n, %n) : !dense {
    %i, %j, %s = comprehension.each %S full : !sparse
    %k, %l, %d = comprehension.each %D full : !dense
    %0 = arith.cmpi eq, %k, %i : index
    comprehension.guard %0
    %1 = arith.cmpi eq, %l, %j : index
    comprehension.guard %1
    %product = arith.mulf %s, %d : f64
    %square = arith.mulf %product, %d : f64
    %half = arith.constant 5.000000e-01 : f64
    %small = arith.mulf %square, %half : f64
    %v = arith.addf %small, %d : f64
    comprehension.yield (%i, %j) %v
  }
  func.return %r : !dense
}

// An element that is read alone is no different.
// CHECK-LABEL: func.func @one
// CHECK:         [[PRODUCT:%.+]] = arith.mulf %s, %x : f64
// CHECK:         arith.select {{.*}}, [[PRODUCT]] : f64
func.func @one(%S: !sparse, %i: index, %x: f64) -> f64 {
  %s = tensor.extract %S[%i, %i] : !sparse
  %v = arith.mulf %s, %x : f64
  func.return %v : f64
}

// Where only what is stored is visited there is nothing to guard; nor are products guarded that
// are not zero where the element is, and those of elements of dense arrays.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-3: arith.mulf
// CHECK-NOT:     arith.select
func.func @kept(%S: !sparse, %D: !dense, %n: index, %x: f64) -> (!sparse, !dense, !dense) {
  %a = comprehension.build (%n, %n) : !sparse {
    %i, %j, %s = comprehension.each %S : !sparse
    %v = arith.mulf %s, %x : f64
    comprehension.yield (%i, %j) %v
  }
  %b = comprehension.build (%n, %n) : !dense {
    %i, %j, %s = comprehension.each %S full : !sparse
    %e = math.exp %s : f64
    %v = arith.mulf %e, %x : f64
    comprehension.yield (%i, %j) %v
  }
  %c = comprehension.build (%n, %n) : !dense {
    %i, %j, %d = comprehension.each %D full : !dense
    %v = arith.mulf %d, %x : f64
    comprehension.yield (%i, %j) %v
  }
  func.return %a, %b, %c : !sparse, !dense, !dense
}

// Groups have no element of their own: a product of what they have stays, of their rows not.
// CHECK-LABEL: func.func @groups
// CHECK:         arith.mulf %s, %x
// CHECK:         arith.select
// CHECK:         comprehension.group_by
// CHECK:         %w = arith.mulf %t, %z
// CHECK-NOT:     arith.select
// CHECK:         comprehension.yield
func.func @groups(%S: tensor<?xf64, #tensor_block.tiles<dense = 0>>, %x: f64)
    -> !comprehension.bag<index, f64> {
  %r = comprehension.collect : !comprehension.bag<index, f64> {
    %i, %s = comprehension.each %S full : tensor<?xf64, #tensor_block.tiles<dense = 0>>
    %v = arith.mulf %s, %x : f64
    %k, %vs = comprehension.group_by keys(%i) values(%v) : index, !comprehension.bag<f64>
    %t = comprehension.reduce add %vs : !comprehension.bag<f64>
    %nothing = arith.constant 0 : i64
    %z = arith.sitofp %nothing : i64 to f64
    %w = arith.mulf %t, %z : f64
    comprehension.yield %k, %w
  }
  func.return %r : !comprehension.bag<index, f64>
}

// What is zero whatever the element is has nothing to do with it: infinity makes NaN of it.
// CHECK-LABEL: func.func @other_zeros
// CHECK-NOT:     arith.select
// CHECK:         comprehension.yield
func.func @other_zeros(%S: tensor<?xf64, #tensor_block.tiles<dense = 0>>, %x: f64, %n: index)
    -> tensor<?xf64, #tensor_block.tiles<dense = 1>> {
  %r = comprehension.build (%n) : tensor<?xf64, #tensor_block.tiles<dense = 1>> {
    %i, %s = comprehension.each %S full : tensor<?xf64, #tensor_block.tiles<dense = 0>>
    %nothing = arith.constant 0 : i64
    %z = arith.sitofp %nothing : i64 to f64
    %v = arith.mulf %x, %z : f64
    %w = arith.addf %v, %s : f64
    comprehension.yield (%i) %w
  }
  func.return %r : tensor<?xf64, #tensor_block.tiles<dense = 1>>
}

// Complex zeros take products as well, of a float the complex number with it for its real part.
// CHECK-LABEL: func.func @complex_zeros
// CHECK:         [[PRODUCT:%.+]] = complex.mul
// CHECK-DAG:     comprehension.complex_constant #complex.number<:f64 0.000000e+00, 0.000000e+00>
// CHECK:         [[TEST:%.+]] = complex.eq %s, {{%.+}} : complex<f64>
// CHECK-NEXT:    [[CHOICE:%.+]] = arith.select [[TEST]], {{%.+}}, [[PRODUCT]] : complex<f64>
// CHECK:         %finite = complex.mul [[CHOICE]], %half : complex<f64>
// CHECK-NEXT:    complex.add %finite, %z : complex<f64>
func.func @complex_zeros(%S: tensor<?xcomplex<f64>, #tensor_block.tiles<dense = 0>>, %x: f64, %n: index)
    -> tensor<?xcomplex<f64>, #tensor_block.tiles<dense = 1>> {
  %r = comprehension.build (%n) : tensor<?xcomplex<f64>, #tensor_block.tiles<dense = 1>> {
    %i, %s = comprehension.each %S full : tensor<?xcomplex<f64>, #tensor_block.tiles<dense = 0>>
    %z = comprehension.to_complex %x : f64 -> complex<f64>
    %v = complex.mul %s, %z : complex<f64>
    %half = comprehension.complex_constant #complex.number<:f64 0.0, 0.5> : complex<f64>
    %finite = complex.mul %v, %half : complex<f64>
    %w = complex.add %finite, %z : complex<f64>
    comprehension.yield (%i) %w
  }
  func.return %r : tensor<?xcomplex<f64>, #tensor_block.tiles<dense = 1>>
}
