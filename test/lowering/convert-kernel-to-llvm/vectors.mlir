// Loops may be written with vectors of floats, which are loaded wherever they begin.
// RUN: diablo-opt %s -p convert-kernel-to-llvm | filecheck %s

// CHECK-LABEL: llvm.func @sum(
// CHECK:         %[[ZERO:.*]] = llvm.mlir.constant(dense<0.000000e+00> : vector<4xf64>) : vector<4xf64>
// CHECK:         llvm.br ^[[HEAD:bb[0-9]+]](%{{.*}}, %[[ZERO]] : i64, vector<4xf64>)
// CHECK:       ^[[HEAD]](%{{.*}}: i64, %parts: vector<4xf64>):
// CHECK:         %x = llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr -> vector<4xf64>
// CHECK-NEXT:    %y = llvm.fmul %x, %x {fastmathFlags = #llvm.fastmath<contract>} : vector<4xf64>
// CHECK-NEXT:    %{{.*}} = llvm.fadd %parts, %y
// CHECK:         %[[TWO:.*]] = llvm.mlir.constant(2) : i64
// CHECK-NEXT:    %changed = llvm.insertelement %c, %parts[%[[TWO]] : i64] : vector<4xf64>
// CHECK-NEXT:    %high = llvm.shufflevector %changed, %changed [2, 3] : vector<4xf64>
// CHECK-NEXT:    %[[START:.*]] = llvm.mlir.constant(-0.000000e+00 : f64) : f64
// CHECK-NEXT:    %s = "llvm.intr.vector.reduce.fadd"(%[[START]], %high)
// CHECK-NEXT:    %t = "llvm.intr.vector.reduce.fadd"(%s, %high)
func.func @sum(%a: memref<?xf64>, %n: index, %c: f64, %r: memref<f64>) {
  %zero = arith.constant 0 : index
  %four = arith.constant 4 : index
  %nothing = arith.constant dense<0.0> : vector<4xf64>
  %sums = scf.for %k = %zero to %n step %four iter_args(%parts = %nothing) -> (vector<4xf64>) {
    %x = vector.load %a[%k] : memref<?xf64>, vector<4xf64>
    %y = arith.mulf %x, %x fastmath<contract> : vector<4xf64>
    %more = arith.addf %parts, %y : vector<4xf64>
    scf.yield %more : vector<4xf64>
  }
  %changed = vector.insert %c, %sums[2] : f64 into vector<4xf64>
  %high = vector.shuffle %changed, %changed [2, 3] : vector<4xf64>, vector<4xf64>
  %s = vector.reduction <add>, %high : vector<2xf64> into f64
  %t = vector.reduction <add>, %high, %s : vector<2xf64> into f64
  memref.store %t, %r[] : memref<f64>
  func.return
}

// CHECK-LABEL: llvm.func @arithmetic(
// CHECK:         %[[X:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<2xf32>
// CHECK-NEXT:    %[[V:.*]] = llvm.fsub %[[X]], %[[X]] : vector<2xf32>
// CHECK-NEXT:    %[[W:.*]] = llvm.fdiv %[[V]], %[[X]] : vector<2xf32>
// CHECK-NEXT:    %[[U:.*]] = llvm.fneg %[[W]] : vector<2xf32>
func.func @arithmetic(%a: memref<?xf32>, %k: index, %r: memref<f32>) {
  %x = vector.load %a[%k] : memref<?xf32>, vector<2xf32>
  %y = arith.subf %x, %x : vector<2xf32>
  %z = arith.divf %y, %x : vector<2xf32>
  %u = arith.negf %z : vector<2xf32>
  %s = vector.reduction <add>, %u : vector<2xf32> into f32
  memref.store %s, %r[] : memref<f32>
  func.return
}

// What has no conversion leaves its function as it is: places that show only at run time,
// CHECK-LABEL: func.func @places
func.func @places(%a: memref<?xf64>, %k: index, %c: f64, %r: memref<f64>) {
  %x = vector.load %a[%k] : memref<?xf64>, vector<4xf64>
  %y = vector.insert %c, %x[%k] : f64 into vector<4xf64>
  %s = vector.reduction <add>, %y : vector<4xf64> into f64
  memref.store %s, %r[] : memref<f64>
  func.return
}

// other reductions,
// CHECK-LABEL: func.func @product
func.func @product(%a: memref<?xf64>, %k: index, %r: memref<f64>) {
  %x = vector.load %a[%k] : memref<?xf64>, vector<4xf64>
  %s = vector.reduction <mul>, %x : vector<4xf64> into f64
  memref.store %s, %r[] : memref<f64>
  func.return
}

// those that may add in another order,
// CHECK-LABEL: func.func @any_order
func.func @any_order(%a: memref<?xf64>, %k: index, %r: memref<f64>) {
  %x = vector.load %a[%k] : memref<?xf64>, vector<4xf64>
  %s = vector.reduction <add>, %x fastmath<reassoc> : vector<4xf64> into f64
  memref.store %s, %r[] : memref<f64>
  func.return
}

// elements that are not said,
// CHECK-LABEL: func.func @open_places
func.func @open_places(%a: memref<?xf64>, %k: index, %r: memref<f64>) {
  %x = vector.load %a[%k] : memref<?xf64>, vector<4xf64>
  %y = vector.shuffle %x, %x [0, -1] : vector<4xf64>, vector<4xf64>
  %s = vector.reduction <add>, %y : vector<2xf64> into f64
  memref.store %s, %r[] : memref<f64>
  func.return
}

// vectors of integers,
// CHECK-LABEL: func.func @integers
func.func @integers(%a: memref<?xi64>, %k: index) {
  %x = vector.load %a[%k] : memref<?xi64>, vector<4xi64>
  func.return
}

// and elements that do not lie one after the other.
// CHECK-LABEL: func.func @column
func.func @column(%a: memref<?xf64, strided<[2]>>, %k: index) {
  %x = vector.load %a[%k] : memref<?xf64, strided<[2]>>, vector<4xf64>
  func.return
}
