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

// The integer nearest to the argument is exact, and so is what is left of it.
func.func private @power_of_two(%x: f64, %r: memref<f64>) {
  %y = math.exp2 %x : f64
  memref.store %y, %r[] : memref<f64>
  func.return
}
// CHECK-LABEL: func.func private @power_of_two
// CHECK-NOT:     math.exp2
// CHECK:         arith.subf %{{.*}}, %{{.*}} : f64
// CHECK:         %y = arith.mulf
// CHECK-NEXT:    memref.store %y

// Where an argument is so large that bits of 2/pi are chosen for it, that stands in a branch.
func.func private @sine(%x: f64, %r: memref<f64>) {
  %y = math.sin %x : f64
  memref.store %y, %r[] : memref<f64>
  func.return
}
// CHECK-LABEL: func.func private @sine
// CHECK-NOT:     math.sin
// CHECK:         %[[K:.*]] = arith.subi
// CHECK:         %[[LARGE:.*]] = arith.andi
// CHECK-NEXT:    scf.if %[[LARGE]] -> (i64, f64, f64) {
// CHECK:           arith.muli
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %[[K]]
// CHECK:         %y = arith.bitcast %{{.*}} : i64 to f64
// CHECK-NEXT:    memref.store %y

// A power is the exponential of a logarithm with more bits than a float has.
func.func private @power(%x: f64, %y: f64, %r: memref<f64>) {
  %z = math.powf %x, %y : f64
  memref.store %z, %r[] : memref<f64>
  func.return
}
// CHECK-LABEL: func.func private @power
// CHECK-NOT:     math.powf
// CHECK:         %[[P:.*]] = arith.mulf %[[L:.*]], %y : f64
// CHECK:         math.fma %[[L]], %y, %
// CHECK:         %z = arith.select
// CHECK-NEXT:    memref.store %z
