// RUN: diablo-opt %s -p expand-complex | filecheck %s
// RUN: diablo-opt %s -p expand-complex,expand-functions,convert-kernel-to-llvm | filecheck %s --check-prefix=LLVM

// An element is taken apart where it is loaded, and put together where it is stored.
func.func private @product(%a: memref<?xcomplex<f64>>, %i: index, %z: complex<f64>,
                           %r: memref<?xcomplex<f64>>) {
  %x = memref.load %a[%i] : memref<?xcomplex<f64>>
  %y = complex.mul %x, %z : complex<f64>
  memref.store %y, %r[%i] : memref<?xcomplex<f64>>
  func.return
}
// CHECK-LABEL: func.func private @product
// CHECK-SAME:      %i: index, %z_re: f64, %z_im: f64
// CHECK-NEXT:    %x = memref.load %a[%i]
// CHECK-NEXT:    %x_re = complex.re %x : complex<f64>
// CHECK-NEXT:    %x_im = complex.im %x : complex<f64>
// CHECK-NEXT:    %[[AC:.*]] = arith.mulf %x_re, %z_re : f64
// CHECK-NEXT:    %[[BD:.*]] = arith.mulf %x_im, %z_im : f64
// CHECK-NEXT:    %y_re = arith.subf %[[AC]], %[[BD]] : f64
// CHECK-NEXT:    %[[AD:.*]] = arith.mulf %x_re, %z_im : f64
// CHECK-NEXT:    %[[BC:.*]] = arith.mulf %x_im, %z_re : f64
// CHECK-NEXT:    %y_im = arith.addf %[[AD]], %[[BC]] : f64
// CHECK-NEXT:    %[[Y:.*]] = complex.create %y_re, %y_im : complex<f64>
// CHECK-NEXT:    memref.store %[[Y]], %r[%i]
// LLVM-LABEL: llvm.func @product
// LLVM:         llvm.getelementptr inbounds %a[%i]
// LLVM-SAME:        -> !llvm.ptr, complex<f64>
// LLVM:         llvm.getelementptr inbounds %{{.*}}[1] : (!llvm.ptr) -> !llvm.ptr, f64
// LLVM:         llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr -> f64
// LLVM-NOT:     complex.
// LLVM:         llvm.store %y_re

// Loops, branches and choices hand on two floats; a sum is two sums, in any order as before.
func.func private @carried(%a: memref<?xcomplex<f32>>, %n: index, %p: i1,
                           %r: memref<complex<f32>>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = comprehension.complex_constant #complex.number<:f32 0.0, -1.0> : complex<f32>
  %s = scf.for %i = %zero to %n step %one iter_args(%acc = %none) -> (complex<f32>) {
    %x = memref.load %a[%i] : memref<?xcomplex<f32>>
    %y = scf.if %p -> (complex<f32>) {
      %c = complex.conj %x : complex<f32>
      scf.yield %c : complex<f32>
    } else {
      scf.yield %x : complex<f32>
    }
    %z = arith.select %p, %x, %y : complex<f32>
    %next = complex.add %acc, %z fastmath<reassoc> : complex<f32>
    scf.yield %next : complex<f32>
  }
  memref.store %s, %r[] : memref<complex<f32>>
  func.return
}
// CHECK-LABEL: func.func private @carried
// CHECK:         %none_re = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %none_im = arith.constant -1.000000e+00 : f32
// CHECK-NEXT:    %s_re, %s_im = scf.for {{.*}} iter_args(%acc_re = %none_re, %acc_im = %none_im) -> (f32, f32) {
// CHECK:           %y_re, %y_im = scf.if %p -> (f32, f32) {
// CHECK-NEXT:        %c_im = arith.negf %x_im : f32
// CHECK-NEXT:        scf.yield %x_re, %c_im : f32, f32
// CHECK:           %z_re = arith.select %p, %x_re, %y_re : f32
// CHECK-NEXT:      %z_im = arith.select %p, %x_im, %y_im : f32
// CHECK-NEXT:      %next_re = arith.addf %acc_re, %z_re fastmath<reassoc> : f32
// CHECK-NEXT:      %next_im = arith.addf %acc_im, %z_im fastmath<reassoc> : f32
// CHECK-NEXT:      scf.yield %next_re, %next_im : f32, f32
// CHECK:         complex.create %s_re, %s_im : complex<f32>

// A product of parts is none of the numbers: who says how a loop folds says it of both parts.
func.func private @folded(%a: memref<?xcomplex<f64>>, %n: index, %r: memref<complex<f64>>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %unit = comprehension.complex_constant #complex.number<:f64 1.0, 0.0> : complex<f64>
  %none = comprehension.complex_constant #complex.number<:f64 0.0, 0.0> : complex<f64>
  %p, %s = scf.for %i = %zero to %n step %one iter_args(%x = %unit, %y = %none)
      -> (complex<f64>, complex<f64>) {
    %e = memref.load %a[%i] : memref<?xcomplex<f64>>
    %u = complex.mul %x, %e : complex<f64>
    %v = complex.add %y, %e : complex<f64>
    scf.yield %u, %v : complex<f64>, complex<f64>
  } {simt.folds = ["mul", "add"]}
  %q = complex.add %p, %s : complex<f64>
  memref.store %q, %r[] : memref<complex<f64>>
  func.return
}
// CHECK:       comprehension.monoid @mul_of_f64_parts any_order : tuple<f64, f64> identity [1.000000e+00 : f64, 0.000000e+00 : f64] {
// CHECK:         arith.subf
// CHECK:         comprehension.pack
// CHECK:       func.func private @folded
// CHECK:         -> (f64, f64, f64, f64)
// CHECK:         {simt.folds = ["@mul_of_f64_parts", "add", "add"]}

// A quotient is Smith's, and functions are those of the table, in binary64.
func.func private @functions(%x: complex<f32>, %y: complex<f32>, %r: memref<complex<f32>>,
                             %s: memref<f32>, %t: memref<i1>) {
  %q = complex.div %x, %y : complex<f32>
  memref.store %q, %r[] : memref<complex<f32>>
  %d = complex.abs %x : complex<f32>
  memref.store %d, %s[] : memref<f32>
  %e = complex.neq %x, %y : complex<f32>
  memref.store %e, %t[] : memref<i1>
  func.return
}
// CHECK-LABEL: func.func private @functions
// CHECK:         arith.cmpf oge
// CHECK:         arith.divf
// CHECK:         arith.divf
// CHECK:         %[[X:.*]] = arith.extf %x_re : f32 to f64
// CHECK:         math.sqrt %{{.*}} : f64
// CHECK:         %d = arith.truncf %{{.*}} : f64 to f32
// CHECK:         %[[A:.*]] = arith.cmpf une, %x_re, %y_re : f32
// CHECK-NEXT:    %[[B:.*]] = arith.cmpf une, %x_im, %y_im : f32
// CHECK-NEXT:    %e = arith.ori %[[A]], %[[B]] : i1

// Numbers that are promoted, or rounded to fewer bits.
func.func private @converted(%x: f64, %y: complex<f64>, %r: memref<complex<f32>>) {
  %a = comprehension.to_complex %x : f64 -> complex<f32>
  memref.store %a, %r[] : memref<complex<f32>>
  %b = comprehension.to_complex %y : complex<f64> -> complex<f32>
  memref.store %b, %r[] : memref<complex<f32>>
  func.return
}
// CHECK-LABEL: func.func private @converted
// CHECK-NEXT:    %a_re = arith.truncf %x : f64 to f32
// CHECK-NEXT:    %a_im = arith.constant 0.000000e+00 : f32
// CHECK:         %b_re = arith.truncf %y_re : f64 to f32
// CHECK-NEXT:    %b_im = arith.truncf %y_im : f64 to f32

// What is not written out leaves the function alone, and so does what is no loop over memrefs.
func.func private @gamma(%x: complex<f64>, %r: memref<complex<f64>>) {
  %a = complex.mul %x, %x : complex<f64>
  %y = comprehension.number_call "gamma" (%a) : (complex<f64>) -> complex<f64>
  memref.store %y, %r[] : memref<complex<f64>>
  func.return
}
// CHECK-LABEL: func.func private @gamma
// CHECK-NEXT:    %a = complex.mul %x, %x : complex<f64>
// CHECK-NEXT:    %y = comprehension.number_call "gamma"(%a)
// CHECK-NEXT:    memref.store %y
// LLVM:       func.func private @gamma

func.func private @value(%x: complex<f64>) -> complex<f64> {
  %y = complex.neg %x : complex<f64>
  func.return %y : complex<f64>
}
// CHECK-LABEL: func.func private @value
// CHECK-NEXT:    %y = complex.neg %x : complex<f64>

// A buffer on the stack is one for each part.
func.func private @held(%a: memref<?xcomplex<f64>>, %i: index, %r: memref<complex<f64>>) {
  %zero = arith.constant 0 : index
  %cell = memref.alloca() : memref<1xcomplex<f64>>
  %x = memref.load %a[%i] : memref<?xcomplex<f64>>
  memref.store %x, %cell[%zero] : memref<1xcomplex<f64>>
  %y = memref.load %cell[%zero] : memref<1xcomplex<f64>>
  memref.store %y, %r[] : memref<complex<f64>>
  func.return
}
// CHECK-LABEL: func.func private @held
// CHECK:         %cell_re = memref.alloca() : memref<1xf64>
// CHECK-NEXT:    %cell_im = memref.alloca() : memref<1xf64>
// CHECK:         memref.store %x_re, %cell_re[%zero] : memref<1xf64>
// CHECK-NEXT:    memref.store %x_im, %cell_im[%zero] : memref<1xf64>
// CHECK-NEXT:    %y_re = memref.load %cell_re[%zero] : memref<1xf64>
// CHECK-NEXT:    %y_im = memref.load %cell_im[%zero] : memref<1xf64>
