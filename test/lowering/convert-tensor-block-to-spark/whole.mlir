// RUN: diablo-opt %s -p 'convert-tensor-block-to-spark{whole=true}' --split-input-file | filecheck %s

!tiles = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>

// Arrays are the driver's, loops carry them as they are; what is returned is distributed.
func.func @main(%A: !sparse, %x: !tiles, %go: i1) -> !tiles {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %A, %zero : !sparse
  %m = tensor.dim %A, %one : !sparse
  %r = scf.while (%p = %x) : (!tiles) -> !tiles {
    scf.condition(%go) %p : !tiles
  } do {
  ^bb0(%p: !tiles):
    %y = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
        ins(%A[d0, d1] : !sparse, %p[d1] : !tiles) -> !tiles {
    ^bb1(%i: index, %j: index, %a: f64, %b: f64):
      %c = arith.mulf %a, %b : f64
      tensor_block.yield %c : f64
    }
    scf.yield %y : !tiles
  }
  func.return %r : !tiles
}
// CHECK-LABEL: func.func @main(%A: tensor<?x?xf64, #tensor_block.storage<dense = 1>>, %x: tensor<?xf64>, %go: i1) -> tensor<?xf64, #tensor_block.tiles<dense = 1>> {
// CHECK-NOT:     spark.
// CHECK:         %r, {{.*}} = scf.while (%p = %x, {{.*}}) : (tensor<?xf64>, index) -> (tensor<?xf64>, index) {
// CHECK:           %y = func.call @kernel_0(%n, %m, %A, %p_1)
// CHECK-NEXT:      scf.yield %y, %n : tensor<?xf64>, index
// CHECK:         %[[R:.*]] = spark.parallelize %r : tensor<?xf64>
// CHECK-NEXT:    spark.collect %[[R]] dims(
// CHECK:       func.func private @kernel_0(%i_extent: index, %j_extent: index, %A: tensor<?x?xf64, #tensor_block.storage<dense = 1>>, %p: tensor<?xf64>) -> tensor<?xf64> {
// CHECK-NEXT:    %y = tensor_block.reduce add parallel(d0 < %i_extent) reduced(d1 < %j_extent)

// -----

// The rows are one batch: equal keys need not be brought together before they are in the array.
func.func @main(%L: !comprehension.bag<index, f64>, %n: index) -> f64 {
  %V = tensor_block.from_bag add %L extents(%n)
    : !comprehension.bag<index, f64> -> tensor<?xf64, #tensor_block.tiles<dense = 1>>
  %e = tensor.extract %V[%n] : tensor<?xf64, #tensor_block.tiles<dense = 1>>
  func.return %e : f64
}
// CHECK-LABEL: func.func @main
// CHECK:         %[[L:.*]] = spark.collect
// CHECK-NEXT:    %V = func.call @kernel_0(%n, %[[L]])
// CHECK-NEXT:    %e = tensor.extract %V[%n] : tensor<?xf64>
// CHECK-NOT:     group_reduce
