// RUN: diablo-opt %s -p expand-functions | filecheck %s

// The exponential is straight-line code without a call; its polynomial may be fused.
func.func private @exponential(%x: f64, %r: memref<f64>) {
  %y = math.exp %x : f64
  memref.store %y, %r[] : memref<f64>
  func.return
}
// CHECK-LABEL: func.func private @exponential
// CHECK:         arith.cmpf olt, %x
// CHECK-NOT:     math.exp
// CHECK:         %[[P:.*]] = arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f64
// CHECK-NEXT:    arith.addf %[[P]], %{{.*}} fastmath<contract> : f64
// CHECK:         arith.shli
// CHECK:         %y = arith.mulf
// CHECK-NEXT:    memref.store %y

// An f32 is widened before and rounded behind.
func.func private @single(%x: f32, %r: memref<f32>) {
  %y = math.exp %x : f32
  memref.store %y, %r[] : memref<f32>
  func.return
}
// CHECK-LABEL: func.func private @single
// CHECK:         %[[X:.*]] = arith.extf %x : f32 to f64
// CHECK:         arith.cmpf olt, %[[X]]
// CHECK:         %y = arith.truncf %{{.*}} : f64 to f32
// CHECK-NEXT:    memref.store %y

// What LLVM has an intrinsic for stays, and so does what is no loop over memrefs.
func.func private @root(%x: f64, %r: memref<f64>) {
  %y = math.sqrt %x : f64
  memref.store %y, %r[] : memref<f64>
  func.return
}
// CHECK-LABEL: func.func private @root
// CHECK-NEXT:    %y = math.sqrt %x : f64

func.func private @value(%x: f64) -> f64 {
  %y = math.exp %x : f64
  func.return %y : f64
}
// CHECK-LABEL: func.func private @value
// CHECK-NEXT:    %y = math.exp %x : f64
