// Inputs that are read beside the point: the loop in three parts; and tables.
// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop,convert-multiloop-to-loops,canonicalize,cse --split-input-file | filecheck %s

// In the middle part what is read lies inside, and is loaded without a test.
func.func private @shift(%a: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c = tensor_block.map parallel(d0 < %n) ins(%a[d0 - 1] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %c : tensor<?xf64>
}
// CHECK-LABEL: func.func private @shift
// CHECK:         scf.for %i = %{{.*}} to %[[LOW:.*]] step
// CHECK:           scf.if
// CHECK:             memref.load %a
// CHECK:         scf.for %i_1 = %[[LOW]] to %[[HIGH:.*]] step
// CHECK-NEXT:      arith.subi %i_1
// CHECK-NEXT:      memref.load %a
// CHECK-NEXT:      memref.store
// CHECK:         scf.for %i_2 = %[[HIGH]] to %n step
// CHECK:           scf.if

// -----

// The row is tested once, outside of the loop along it.
func.func private @above(%a: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  %c = tensor_block.map parallel(d0 < %n, d1 < %m)
      ins(%a[d0 - 1, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^body(%i: index, %j: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %c : tensor<?x?xf64>
}
// CHECK-LABEL: func.func private @above
// CHECK:         scf.for %i =
// CHECK:           %[[ROW:.*]] = arith.cmpi ult,
// CHECK:           scf.for %j =
// CHECK:             memref.store
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.if %[[ROW]] {
// CHECK-NEXT:        scf.for %j_1 =
// CHECK-NEXT:          memref.load %a
// CHECK-NEXT:          memref.store
// CHECK:           } else {
// CHECK-NEXT:        scf.for %j_2 =
// CHECK-NEXT:          scf.if %[[ROW]]
// CHECK:           scf.for %j_3 =

// -----

// In the middle part a place does not wrap around, which LLVM is told; beside it, it may.
func.func private @every_other(%a: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c = tensor_block.map parallel(d0 < %n) ins(%a[2 * d0 + 1] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %c : tensor<?xf64>
}
// CHECK-LABEL: func.func private @every_other
// CHECK:         scf.for %i =
// CHECK-NEXT:      %[[TWICE:.*]] = arith.muli %i, %{{.*}} : index
// CHECK-NEXT:      arith.addi %[[TWICE]], %{{.*}} : index
// CHECK:         scf.for %i_1 =
// CHECK-NEXT:      %[[INSIDE:.*]] = arith.muli %i_1, %{{.*}} overflow<nsw> : index
// CHECK-NEXT:      arith.addi %[[INSIDE]], %{{.*}} overflow<nsw> : index
// CHECK-NEXT:      memref.load %a
// CHECK:         scf.for %i_2 =
// CHECK-NOT:       overflow

// -----

// Where the sum is with another number, or with a very large one, parts of it may be anywhere.
func.func private @far(%a: tensor<?xf64>, %b: tensor<?xf64>, %n: index, %k: index)
    -> tensor<?xf64> {
  %c = tensor_block.map parallel(d0 < %n) symbols(%k)
      ins(%a[2 * d0 + s0] : tensor<?xf64>, %b[2 * d0 + 4611686018427387904] : tensor<?xf64>)
      -> tensor<?xf64> {
  ^body(%i: index, %x: f64, %y: f64):
    %z = arith.addf %x, %y : f64
    tensor_block.yield %z : f64
  }
  func.return %c : tensor<?xf64>
}
// CHECK-LABEL: func.func private @far
// CHECK:         memref.load %a
// CHECK-NOT:     overflow

// -----

// The table is filled with the identity; a point outside of it is dropped.
func.func private @histogram(%a: tensor<?xi64>, %n: index, %bins: index) -> tensor<?xi64> {
  %one = arith.constant 1 : i64
  %c = tensor_block.scatter_reduce add reduced(d0 < %n) into(%bins)
      ins(%a[d0] : tensor<?xi64>) -> tensor<?xi64> {
  ^body(%i: index, %x: i64):
    %k = arith.index_cast %x : i64 to index
    tensor_block.yield %k, %one : index, i64
  }
  func.return %c : tensor<?xi64>
}
// CHECK-LABEL: func.func private @histogram
// CHECK:         scf.for %{{.*}} to %bins step
// CHECK-NEXT:      memref.store %identity, %c
// CHECK:         scf.for %i = %{{.*}} to %n step
// CHECK-NEXT:      memref.load %a[%i]
// CHECK-NEXT:      %k = arith.index_cast
// CHECK:           scf.if %{{.*}} {
// CHECK-NEXT:        %acc = memref.load %c[%k]
// CHECK-NEXT:        arith.addi %acc, %one
// CHECK-NEXT:        memref.store %{{.*}}, %c[%k]
