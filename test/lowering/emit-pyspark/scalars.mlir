// Scalars of the driver: inlined where they are used once, with Python's precedence and the
// meaning of 64-bit integers and IEEE floats.
// RUN: diablo-opt - --split-input-file -t pyspark < %s | filecheck %s

func.func @main(%a: i64, %b: i64, %x: f64) -> (i64, f64, i1) {
  %one = arith.constant 1 : i64
  %half = arith.constant 0.5 : f64
  %sum = arith.addi %a, %b : i64
  %less = arith.subi %a, %sum : i64
  %times = arith.muli %less, %b : i64
  %real = arith.sitofp %b : i64 to f64
  %diff = arith.subf %half, %x : f64
  %ratio = arith.divf %diff, %real : f64
  %root = math.sqrt %x : f64
  %all = arith.mulf %ratio, %root : f64
  %c = arith.cmpi slt, %a, %b : i64
  %d = arith.cmpf ogt, %x, %half : f64
  %e = arith.andi %c, %d : i1
  func.return %times, %all, %e : i64, f64, i1
}
// CHECK-LABEL: def main(sc, a, b, x, *, block_size=None):
// CHECK-NEXT:      return (wrap((a - (a + b)) * b), np.float64(0.5 - x) / b * np.sqrt(x), a < b and x > 0.5)

// -----

// A division by zero fails where the program says; what divides or is shifted is wrapped around.
func.func @main(%a: i64, %b: i64) -> (i64, i64, i64) {
  %f = arith.constant 6364136223846793005 : i64
  %s = arith.constant 3 : i64
  %q = arith.divsi %a, %b : i64
  %h = arith.muli %a, %f : i64
  %g = arith.shrui %h, %s : i64
  %c = arith.cmpi ne, %a, %b : i64
  %m = arith.select %c, %a, %b : i64
  func.return %q, %g, %m : i64, i64, i64
}
// CHECK-LABEL: def main(sc, a, b, *, block_size=None):
// CHECK-NEXT:      return (
// CHECK-NEXT:          int(arithmetic.quotient(a, b, at="<stdin>:30:3")),
// CHECK-NEXT:          int(arithmetic.shift_right_unsigned(wrap(a * 6364136223846793005), 3)),
// CHECK-NEXT:          a if a != b else b,
// CHECK-NEXT:      )

// -----

// Scalars with several uses get a variable; a branch assigns its results.
func.func @main(%a: i64, %c: i1) -> i64 {
  %two = arith.constant 2 : i64
  %twice = arith.muli %a, %two : i64
  %r = scf.if %c -> (i64) {
    %s = arith.addi %twice, %a : i64
    scf.yield %s : i64
  } else {
    scf.yield %twice : i64
  }
  func.return %r : i64
}
// CHECK-LABEL: def main(sc, a, c, *, block_size=None):
// CHECK:           twice = wrap(a * 2)
// CHECK:           if c:
// CHECK-NEXT:          r = wrap(twice + a)
// CHECK-NEXT:      else:
// CHECK-NEXT:          r = twice
// CHECK-NEXT:      return r

// -----

// The array that goes into a loop is still needed after it: the loop has a variable of its own.
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
func.func @main(%V: !vector) -> (!vector, !vector) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = tensor.dim %V, %c0 : !vector
  %W, %k = scf.while (%W0 = %V, %k0 = %zero) : (!vector, i64) -> (!vector, i64) {
    %go = arith.cmpi slt, %k0, %one : i64
    scf.condition(%go) %W0, %k0 : !vector, i64
  } do {
  ^bb0(%W1: !vector, %k1: i64):
    %W2 = tensor_block.map parallel(d0 < %n) ins(%W1[d0] : !vector) -> !vector {
    ^bb1(%i: index, %a: f64):
      %x = arith.addf %a, %a : f64
      tensor_block.yield %x : f64
    }
    %k2 = arith.addi %k1, %one : i64
    scf.yield %W2, %k2 : !vector, i64
  }
  func.return %V, %W : !vector, !vector
}
// CHECK-LABEL: def main(sc, V, *, block_size=None):
// CHECK:           V = distribute(sc, V, block_size)
// CHECK:           W = V
// CHECK:           while k < 1:
// CHECK:               W, k = loop.carry(W2), k + 1
// CHECK:           DistributedArray(V, (n,), 1, np.float64, block_size),
// CHECK-NEXT:      DistributedArray(W, (n,), 1, np.float64, block_size),

// -----

// What Python has no operator for is written as in kernels.
func.func @main(%a: i64, %b: i64, %x: f64, %y: f64) -> (i1, i1, f64) {
  %less = arith.cmpi ult, %a, %b : i64
  %unordered = arith.cmpf uno, %x, %y : f64
  %r = math.rsqrt %x : f64
  func.return %less, %unordered, %r : i1, i1, f64
}
// CHECK-LABEL: def main(sc, a, b, x, y, *, block_size=None):
// CHECK:         arithmetic.unsigned(a) < arithmetic.unsigned(b)
// CHECK:         np.logical_or(np.isnan(x), np.isnan(y))
// CHECK:         np.divide(1.0, np.sqrt(x))

// -----

// CHECK:       def main(
// CHECK:         return np.fmod(x, y)
func.func @main(%x: f64, %y: f64) -> f64 {
  %r = comprehension.remainder %x, %y : f64
  func.return %r : f64
}

// -----

// A sum of products is wrapped around once, and not at all where nothing can leave 64 bits: below
// a bound, of lengths, of indices.
func.func @main(%a: i64, %b: i64, %A: tensor<?xf64>) -> (i64, i1, i64, i64, i64, index, i64) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %least = arith.constant -9223372036854775808 : i64
  %ten = arith.constant 10 : i64
  %p = arith.muli %a, %a : i64
  %q = arith.addi %b, %p : i64
  %r = arith.subi %q, %one : i64
  %s = arith.addi %a, %one : i64
  %less = arith.cmpi slt, %s, %b : i64
  %m = math.absi %a : i64
  %n = tensor.dim %A, %c0 : tensor<?xf64>
  %n64 = arith.index_cast %n : index to i64
  %n1 = arith.addi %n64, %one : i64
  %mag = math.absi %n1 : i64
  %k = arith.index_cast %b : i64 to index
  %kk = arith.addi %k, %n : index
  %low = arith.cmpi slt, %b, %ten : i64
  %u = scf.if %low -> (i64) {
    %u0 = arith.addi %b, %one : i64
    scf.yield %u0 : i64
  } else {
    %u1 = arith.addi %b, %one : i64
    scf.yield %u1 : i64
  }
  func.return %r, %less, %m, %mag, %u, %kk, %least : i64, i1, i64, i64, i64, index, i64
}
// CHECK-LABEL: def main(sc, a, b, A, *, block_size=None):
// CHECK:         if b < 10:
// CHECK-NEXT:        u = b + 1
// CHECK-NEXT:    else:
// CHECK-NEXT:        u = wrap(b + 1)
// CHECK-NEXT:    return (
// CHECK-NEXT:        wrap(b + a * a - 1),
// CHECK-NEXT:        wrap(a + 1) < b,
// CHECK-NEXT:        wrap(abs(a)),
// CHECK-NEXT:        abs(n + 1),
// CHECK-NEXT:        u,
// CHECK-NEXT:        b + n,
// CHECK-NEXT:        -9223372036854775808,

// -----

// A total of a kernel is NumPy's; the driver computes with Python's integers, and passes on either.
func.func @main(%v: tensor<?xi64>) -> (i64, i64, i64) {
  %s = func.call @total(%v) : (tensor<?xi64>) -> i64
  %p = arith.muli %s, %s : i64
  %t = func.call @total(%v) : (tensor<?xi64>) -> i64
  %u, %w = func.call @totals(%v) : (tensor<?xi64>) -> (i64, i64)
  %q = arith.muli %u, %p : i64
  func.return %q, %t, %w : i64, i64, i64
}
func.func private @total(%v: tensor<?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %s = tensor.extract %v[%c0] : tensor<?xi64>
  func.return %s : i64
}
func.func private @totals(%v: tensor<?xi64>) -> (i64, i64) {
  %c0 = arith.constant 0 : index
  %s = tensor.extract %v[%c0] : tensor<?xi64>
  func.return %s, %s : i64, i64
}
// CHECK-LABEL: def main(sc, v, *, block_size=None):
// CHECK:         s = int(total(v))
// CHECK:         t = total(v)
// CHECK:         u, w = totals(v)
// CHECK-NEXT:    u = int(u)
// CHECK-NEXT:    return (wrap(u * s * s), t, w)

// -----

// Numbers of 32 bits are rounded to as many: Python's floats have 64.
func.func @main(%r: f32, %c: i1) -> (f32, f32, f64) {
  %tenth = arith.constant 0.1 : f32
  %p = arith.mulf %r, %tenth : f32
  %q = arith.select %c, %p, %r : f32
  %s = arith.divf %p, %q : f32
  %wide = arith.extf %r : f32 to f64
  func.return %p, %s, %wide : f32, f32, f64
}
// CHECK-LABEL: def main(sc, r, c, *, block_size=None):
// CHECK-NEXT:    r = np.float32(r)
// CHECK:         p = r * np.float32(0.1
// CHECK:         return (p, p / (p if c else r), np.float64(r))

// -----

// Complex numbers are NumPy's, which divide by zero.
func.func @main(%z: complex<f32>, %x: f64) -> (complex<f64>, f64, i1, complex<f64>) {
  %i = comprehension.complex_constant #complex.number<:f64 0.0, 1.0> : complex<f64>
  %w = comprehension.to_complex %z : complex<f32> -> complex<f64>
  %y = comprehension.to_complex %x : f64 -> complex<f64>
  %p = complex.mul %w, %i : complex<f64>
  %q = complex.div %p, %y : complex<f64>
  %n = complex.neg %q : complex<f64>
  %a = complex.abs %w : complex<f64>
  %c = complex.eq %w, %i : complex<f64>
  %m = complex.create %x, %x : complex<f64>
  func.return %n, %a, %c, %m : complex<f64>, f64, i1, complex<f64>
}
// CHECK-LABEL: def main(sc, z, x, *, block_size=None):
// CHECK-NEXT:      z = np.complex64(z)
// CHECK:           w = np.complex128(z)
// CHECK-NEXT:      return (
// CHECK-NEXT:          -np.divide(w * np.complex128(complex(0.0, 1.0)), np.complex128(x)),
// CHECK-NEXT:          np.abs(w),
// CHECK-NEXT:          w == np.complex128(complex(0.0, 1.0)),
// CHECK-NEXT:          arithmetic.complex_of(x, x, np.complex128),
