// Floats that are added at computed places, as integers.
// RUN: diablo-opt %s -p convert-loops-to-gpu,canonicalize,cse --split-input-file | filecheck %s

// Nothing is there at first. The greatest exponent of each place is found, then what is added is
// added in two words below it; both in a table of each block where there are few places.
// CHECK-LABEL: sym_name = "bins_kernels"
// CHECK:         memref.store %{{.*}}, %top[%place{{.*}}] : memref<?xi32>
// CHECK:         memref.store %{{.*}}, %words[%{{.*}}, %{{.*}}] : memref<?x2xi64>
// CHECK:         memref.store %{{.*}}, %words[%{{.*}}, %{{.*}}] : memref<?x2xi64>
// CHECK:       sym_name = "bins_0"
// CHECK:         arith.bitcast %{{.*}} : f64 to i64
// CHECK:         scf.if %{{.*}} {
// CHECK-NEXT:      simt.atomic max %[[OWN:.*]], %shared[%place{{.*}}] : memref<8192xi32, 3 : i64>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      simt.atomic max %[[OWN]], %top[%place{{.*}}] : memref<?xi32>
// CHECK:       sym_name = "bins_1"
// What is below 64 bits of the greatest addend is cut off.
// CHECK:         %[[TOP:.*]] = memref.load %top[%place{{.*}}] : memref<?xi32>
// CHECK:         %[[MOVED:.*]] = arith.shrui %{{.*}}, %[[BELOW:.*]] : i64
// CHECK:         %[[SOME:.*]] = arith.cmpi ult, %[[BELOW]], %{{.*}} : i64
// CHECK:         arith.select %[[SOME]], %[[MOVED]], %{{.*}} : i64
// CHECK:         simt.atomic add %{{.*}}, %words[%{{.*}}, %{{.*}}] : memref<?x2xi64>
// CHECK:         simt.atomic add %{{.*}}, %words[%{{.*}}, %{{.*}}] : memref<?x2xi64>
// CHECK:       sym_name = "bins_2"
// CHECK:         arith.sitofp %{{.*}} : i64 to f64
// CHECK:         %[[BEFORE:.*]] = memref.load %r[%place{{.*}}] : memref<?xf64>
// CHECK-NEXT:    %[[AFTER:.*]] = arith.addf %[[BEFORE]],
// CHECK-NEXT:    memref.store %[[AFTER]], %r[%place{{.*}}] : memref<?xf64>
// CHECK:       sym_name = "bins_3"
// How many bits an addend has in a word is computed where kernels are launched.
// CHECK-LABEL: func.func @bins(
// CHECK:         math.ctlz
// CHECK-NOT:     memref.load
func.func @bins(%k: memref<?xindex>, %x: memref<?xf64>, %n: index, %r: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %bins = memref.dim %r, %zero : memref<?xf64>
  scf.for %i = %zero to %n step %one {
    %place = memref.load %k[%i] : memref<?xindex>
    %e = memref.load %x[%i] : memref<?xf64>
    %in = arith.cmpi ult, %place, %bins : index
    scf.if %in {
      %old = memref.load %r[%place] : memref<?xf64>
      %new = arith.addf %old, %e fastmath<reassoc,contract> : f64
      memref.store %new, %r[%place] : memref<?xf64>
    }
  }
  func.return
}

// -----

// An element that is read where it exists is no place at which something is stored.
// CHECK-LABEL: sym_name = "guarded_kernels"
// CHECK:         simt.atomic add %{{.*}}, %words[%{{.*}}, %{{.*}}] : memref<?x2xi64>
// CHECK-LABEL: func.func @guarded(
func.func @guarded(%k: memref<?xindex>, %x: memref<?xf64>, %n: index, %r: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f64
  %bins = memref.dim %r, %zero : memref<?xf64>
  scf.for %i = %zero to %n step %one {
    %place = memref.load %k[%i] : memref<?xindex>
    %in = arith.cmpi ult, %place, %bins : index
    %e = scf.if %in -> (f64) {
      %found = memref.load %x[%i] : memref<?xf64>
      scf.yield %found : f64
    } else {
      scf.yield %none : f64
    }
    scf.if %in {
      %old = memref.load %r[%place] : memref<?xf64>
      %new = arith.addf %old, %e fastmath<reassoc,contract> : f64
      memref.store %new, %r[%place] : memref<?xf64>
    }
  }
  func.return
}

// -----

// Short floats are long ones first, and the sum is rounded to a short one.
// CHECK-LABEL: sym_name = "short_kernels"
// CHECK:         arith.extf %{{.*}} : f32 to f64
// CHECK:         arith.truncf %{{.*}} : f64 to f32
// CHECK-LABEL: func.func @short(
func.func @short(%k: memref<?xindex>, %x: memref<?xf32>, %n: index, %r: memref<?xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %bins = memref.dim %r, %zero : memref<?xf32>
  scf.for %i = %zero to %n step %one {
    %place = memref.load %k[%i] : memref<?xindex>
    %e = memref.load %x[%i] : memref<?xf32>
    %in = arith.cmpi ult, %place, %bins : index
    scf.if %in {
      %old = memref.load %r[%place] : memref<?xf32>
      %new = arith.addf %old, %e fastmath<reassoc,contract> : f32
      memref.store %new, %r[%place] : memref<?xf32>
    }
  }
  func.return
}
