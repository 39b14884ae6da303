// Floats are added in memory as threads come where that is allowed; elsewhere as integers.
// RUN: diablo-opt %s -p 'convert-loops-to-gpu{fast-atomics=true}' | filecheck %s
// RUN: diablo-opt %s -p convert-loops-to-gpu | filecheck %s --check-prefix=EXACT
// RUN: diablo-opt %s -p 'convert-loops-to-gpu{fast-atomics=true}' -t ptx | filecheck %s --check-prefix=PTX

// CHECK:      simt.atomic add %v, %shared[%p] : memref<4096xf64, 3 : i64>
// CHECK:      simt.atomic add %v, %h[%p] : memref<?xf64>
// What a block has nothing of is left as it is.
// CHECK:      arith.cmpf une
// CHECK:      simt.atomic add %{{.*}}, %h[%{{.*}}] : memref<?xf64>
// CHECK:      func.func @bins({{.*}} attributes {simt.fast_atomics}
// EXACT-NOT:  simt.atomic add {{.*}}xf64
// EXACT:      simt.atomic max {{.*}}xi32
// EXACT:      simt.atomic add {{.*}}xi64
// PTX:        atom.global.add.f64
// PTX:        atom.shared.add.f64
func.func @bins(%k: memref<?xi64>, %x: memref<?xf64>, %h: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = memref.dim %k, %zero : memref<?xi64>
  %m = memref.dim %h, %zero : memref<?xf64>
  scf.for %i = %zero to %n step %one {
    %e = memref.load %k[%i] : memref<?xi64>
    %p = arith.index_cast %e : i64 to index
    %ok = arith.cmpi ult, %p, %m : index
    %v = memref.load %x[%i] : memref<?xf64>
    scf.if %ok {
      %old = memref.load %h[%p] : memref<?xf64>
      %new = arith.addf %old, %v fastmath<reassoc> : f64
      memref.store %new, %h[%p] : memref<?xf64>
    }
  }
  func.return
}
