// For a GPU: one loop for each dimension, those of the result outside, and nothing besides.
// RUN: diablo-opt %s -p 'convert-tensor-block-to-loops{plain=true},canonicalize,cse' --split-input-file | filecheck %s

// No loop runs along memory at the cost of sums in the output.
// CHECK-LABEL: func.func private @columns
// CHECK:         scf.for %i = %zero to %m step
// CHECK-NEXT:      %{{.*}} = scf.for %j = %zero to %n step {{.*}} iter_args
// CHECK-NEXT:        %x = memref.load %a[%j, %i]
// CHECK-NEXT:        %{{.*}} = arith.addf %{{.*}}, %x fastmath<reassoc,contract> : f64
// CHECK-NEXT:        scf.yield
// CHECK:           memref.store %{{.*}}, %s[%i]
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func private @columns(%a: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %s = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n)
      ins(%a[d1, d0] : tensor<?x?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %j: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %s : tensor<?xf64>
}

// -----

// No squares.
// CHECK-LABEL: func.func private @transposed
// CHECK:         scf.for %i = %zero to %n step %one {
// CHECK-NEXT:      scf.for %j = %zero to %m step %one {
// CHECK-NEXT:        memref.load %a[%j, %i]
// CHECK-NEXT:        memref.store
func.func private @transposed(%a: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  %t = tensor_block.map parallel(d0 < %n, d1 < %m)
      ins(%a[d1, d0] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^body(%i: index, %j: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %t : tensor<?x?xf64>
}

// -----

// No middle without tests.
// CHECK-LABEL: func.func private @shift
// CHECK-COUNT-1: scf.for
// CHECK:           scf.if
// CHECK-NEXT:        memref.load %a
// CHECK-NOT:     scf.for
// CHECK:         func.return
func.func private @shift(%a: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c = tensor_block.map parallel(d0 < %n) ins(%a[d0 - 1] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %c : tensor<?xf64>
}

// -----

// No lanes.
comprehension.monoid @first : f64 identity 0.0 : f64 {
^bb0(%x: f64, %y: f64):
  comprehension.yield %x
}
// CHECK-LABEL: func.func private @folded
// CHECK-COUNT-1: scf.for %i = %zero to %n
// CHECK-NOT:     scf.for
// CHECK:         func.return
func.func private @folded(%a: tensor<?xf64>, %n: index) -> f64 {
  %r = tensor_block.reduce @first reduced(d0 < %n) ins(%a[d0] : tensor<?xf64>) -> f64 {
  ^body(%i: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %r : f64
}
