// RUN: diablo-opt %s -p canonicalize | filecheck %s

// A guard that always holds goes away; one that never does stays.
// CHECK-LABEL: func.func @guards
// CHECK:           comprehension.each
// CHECK-NEXT:      %false = arith.constant false
// CHECK-NEXT:      comprehension.guard %false
// CHECK-NEXT:      comprehension.guard %c
// CHECK-NEXT:      comprehension.yield %a
func.func @guards(%A: tensor<?xf64>, %c: i1) -> f64 {
  %s = comprehension.aggregate add : f64 {
    %i, %a = comprehension.each %A : tensor<?xf64>
    %true = arith.constant true
    comprehension.guard %true
    %false = arith.constant false
    comprehension.guard %false
    comprehension.guard %c
    comprehension.yield %a
  }
  func.return %s : f64
}

// What is packed need not be unpacked.
// CHECK-LABEL: func.func @unpack_pack
// CHECK-NEXT:    func.return %k, %d : i64, f64
func.func @unpack_pack(%d: f64, %k: i64) -> (i64, f64) {
  %t = comprehension.pack %d, %k : tuple<f64, i64>
  %a, %b = comprehension.unpack %t : tuple<f64, i64>
  func.return %b, %a : i64, f64
}

// The parts of a tuple that is chosen are chosen one by one.
// CHECK-LABEL: func.func @unpack_select
// CHECK-NEXT:    %[[D:.*]], %[[K:.*]] = comprehension.unpack %s : tuple<f64, i64>
// CHECK-NEXT:    %[[A:.*]] = arith.select %c, %d, %[[D]] : f64
// CHECK-NEXT:    %[[B:.*]] = arith.select %c, %k, %[[K]] : i64
// CHECK-NEXT:    func.return %[[B]], %[[A]] : i64, f64
func.func @unpack_select(%d: f64, %k: i64, %c: i1, %s: tuple<f64, i64>) -> (i64, f64) {
  %t = comprehension.pack %d, %k : tuple<f64, i64>
  %u = arith.select %c, %t, %s : tuple<f64, i64>
  %a, %b = comprehension.unpack %u : tuple<f64, i64>
  func.return %b, %a : i64, f64
}

// CHECK-LABEL: func.func @pack_unpack
// CHECK-NEXT:    func.return %t
func.func @pack_unpack(%t: tuple<f64, i64>) -> tuple<f64, i64> {
  %d, %k = comprehension.unpack %t : tuple<f64, i64>
  %u = comprehension.pack %d, %k : tuple<f64, i64>
  func.return %u : tuple<f64, i64>
}

// In another order, or with parts of another tuple, it is another one.
// CHECK-LABEL: func.func @not_the_same_tuple
// CHECK:         %swapped = comprehension.pack %b, %a
// CHECK-NEXT:    %mixed = comprehension.pack %a, %d
// CHECK-NEXT:    %some = comprehension.pack %a : tuple<i64>
func.func @not_the_same_tuple(%t: tuple<i64, i64>, %u: tuple<i64, i64>)
    -> (tuple<i64, i64>, tuple<i64, i64>, tuple<i64>) {
  %a, %b = comprehension.unpack %t : tuple<i64, i64>
  %c, %d = comprehension.unpack %u : tuple<i64, i64>
  %swapped = comprehension.pack %b, %a : tuple<i64, i64>
  %mixed = comprehension.pack %a, %d : tuple<i64, i64>
  %some = comprehension.pack %a : tuple<i64>
  func.return %swapped, %mixed, %some : tuple<i64, i64>, tuple<i64, i64>, tuple<i64>
}

// Of a list that is written out one can count the rows, of a map with such rows not.
// CHECK-LABEL: func.func @length
// CHECK-NEXT:    %[[TWO:.*]] = arith.constant 2 : i64
// CHECK-NEXT:    %m = comprehension.length %M : !comprehension.bag<keys = 1, f64, f64>
// CHECK-NEXT:    func.return %[[TWO]], %m
func.func @length(%a: f64, %M: !comprehension.bag<keys = 1, f64, f64>) -> (i64, i64) {
  %l = comprehension.list (%a, %a), (%a, %a) : !comprehension.bag<f64, f64>
  %n = comprehension.length %l : !comprehension.bag<f64, f64>
  %m = comprehension.length %M : !comprehension.bag<keys = 1, f64, f64>
  func.return %n, %m : i64, i64
}

// A complex constant leaves a loop, as all constants do; xDSL computes with none of them.
// CHECK-LABEL: func.func @complex_constant
// CHECK-NEXT:    %z = comprehension.complex_constant
// CHECK-NEXT:    %r = scf.for
// CHECK-NEXT:      %m = complex.mul %z, %z
func.func @complex_constant(%a: index, %b: index, %c: index, %s: complex<f64>) -> complex<f64> {
  %r = scf.for %i = %a to %b step %c iter_args(%t = %s) -> (complex<f64>) {
    %z = comprehension.complex_constant #complex.number<:f64 0.0, 1.0> : complex<f64>
    %m = complex.mul %z, %z : complex<f64>
    %n = complex.add %t, %m : complex<f64>
    scf.yield %n : complex<f64>
  }
  func.return %r : complex<f64>
}
