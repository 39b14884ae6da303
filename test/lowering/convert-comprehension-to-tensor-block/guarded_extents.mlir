// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce | filecheck %s

// Conditions that say where an index ends, behind which nothing is reduced.

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// Both indices of the pairs end at %n.
func.func @few(%V: !vector, %n: index) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %i, %x = comprehension.each %V : !vector
    %pi = arith.cmpi slt, %i, %n : index
    comprehension.guard %pi
    %j, %y = comprehension.each %V : !vector
    %pj = arith.cmpi sge, %n, %j : index
    comprehension.guard %pj
    %less = arith.cmpf olt, %x, %y : f64
    %v = arith.select %less, %x, %y : f64
    comprehension.yield %v
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @few
// CHECK:         %[[D:.*]] = tensor.dim %V
// CHECK-NEXT:    %[[I:.*]] = arith.minsi %[[D]], %n
// CHECK-NEXT:    %[[IEND:.*]] = arith.maxsi %[[I]], %{{.*}} : index
// CHECK:         %[[AFTER:.*]] = arith.addi %n, %{{.*}} : index
// CHECK-NEXT:    %[[J:.*]] = arith.minsi %[[D]], %[[AFTER]]
// CHECK-NEXT:    %[[JEND:.*]] = arith.maxsi %[[J]], %{{.*}} : index
// CHECK:         tensor_block.reduce add reduced(d0 < %[[IEND]], d1 < %[[JEND]])

// Held back: where it ends varies with another index.
func.func @triangle(%V: !vector) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %i, %x = comprehension.each %V : !vector
    %j, %y = comprehension.each %V : !vector
    %p = arith.cmpi slt, %j, %i : index
    comprehension.guard %p
    %v = arith.maximumf %x, %y : f64
    comprehension.yield %v
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @triangle
// CHECK:         %[[D:.*]] = tensor.dim %V
// CHECK-NEXT:    tensor_block.reduce add reduced(d0 < %[[D]], d1 < %[[D]])

// Held back: what stands in front of the condition fails for indices behind the end, too.
func.func @fails(%V: tensor<?xi64, #tensor_block.tiles<dense = 1>>, %n: index) -> i64 {
  %seven = arith.constant 7 : i64
  %r = comprehension.aggregate add : i64 {
    %i, %x = comprehension.each %V : tensor<?xi64, #tensor_block.tiles<dense = 1>>
    %q = arith.divsi %seven, %x : i64
    %p = arith.cmpi slt, %i, %n : index
    comprehension.guard %p
    comprehension.yield %q
  }
  func.return %r : i64
}
// CHECK-LABEL: func.func @fails
// CHECK-NOT:     arith.minsi
// CHECK:         func.return
