// Arrays that are read beside the point: tiles get the borders of their neighbours.
// RUN: diablo-opt %s --split-input-file -p convert-tensor-block-to-spark,canonicalize,cse | filecheck %s

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// Both reads share a window, from one before to two after; %w's own tiles have the key. The
// kernel finds the window's begin: not before the array's.
func.func @neighbours(%v: !vector, %w: !vector, %n: index) -> !vector {
  %r = tensor_block.map parallel(d0 < %n)
      ins(%v[d0 - 1] : !vector, %v[d0 + 2] : !vector, %w[d0] : !vector) -> !vector {
  ^bb0(%i: index, %a: f64, %b: f64, %c: f64):
    %s = arith.addf %a, %b : f64
    %t = arith.addf %s, %c : f64
    tensor_block.yield %t : f64
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @neighbours
// CHECK-DAG:     %[[LOW:.*]] = arith.constant -1 : index
// CHECK-DAG:     %[[HIGH:.*]] = arith.constant 2 : index
// CHECK:         %[[WINDOW:.*]] = spark.window %{{.*}} over(%n) affine_map<(d0) -> (d0)> from(%[[LOW]]) to(%[[HIGH]])
// CHECK-NOT:     spark.window
// CHECK:         %[[BOTH:.*]] = spark.cogroup %{{.*}}, %[[WINDOW]]
// CHECK:         spark.map_groups @kernel_0(%[[BOTH]]) dims(%n)
// CHECK:       func.func private @kernel_0(%i_origin: index, %i_extent: index, %w: tensor<?xf64>, %v_window: tensor<?xf64>)
// CHECK:         %[[BEGIN:.*]] = arith.maxsi
// CHECK:         arith.subi %{{.*}}, %[[BEGIN]]
// CHECK:         tensor_block.map parallel(d0 < %i_extent) symbols(%{{[0-9]+}}) ins(%v_window[d0 + s0 - 1] : tensor<?xf64>, %v_window[d0 + s0 + 2] : tensor<?xf64>, %w[d0] : tensor<?xf64>)

// -----

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// A window of three steps: the kernel knows its size. All of a fold is cut like its space.
func.func @window(%v: !vector, %n: index) -> (!vector, f64) {
  %three = arith.constant 3 : index
  %r = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %three)
      ins(%v[d0 + d1 - 1] : !vector) -> !vector {
  ^bb0(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  %s = tensor_block.reduce add reduced(d0 < %n) ins(%v[d0 + 1] : !vector) -> f64 {
  ^bb0(%i: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %r, %s : !vector, f64
}
// CHECK-LABEL: func.func @window
// CHECK-DAG:     %[[LOW:.*]] = arith.constant -1 : index
// CHECK-DAG:     %[[HIGH:.*]] = arith.constant 1 : index
// CHECK:         spark.window {{.*}} from(%[[LOW]]) to(%[[HIGH]])
// CHECK:         spark.map @kernel_0
// CHECK:         spark.window {{.*}} from(%[[HIGH]]) to(%[[HIGH]])
// CHECK:         %[[PARTS:.*]] = spark.map @kernel_1
// CHECK-SAME:      to_keys [] :
// CHECK:         spark.fold add %[[PARTS]]
// CHECK:       func.func private @kernel_0
// CHECK:         %[[STEPS:.*]] = arith.constant 3 : index
// CHECK:         tensor_block.reduce add parallel(d0 < %i_extent) reduced(d1 < %[[STEPS]])

// -----

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>

// Sparse tiles travel as dense windows; a local array is whole on every worker.
func.func @diagonal(%A: !sparse, %l: tensor<?xf64>, %n: index, %k: index) -> !vector {
  %r = tensor_block.map parallel(d0 < %n) symbols(%k)
      ins(%A[d0, d0 + s0] : !sparse, %l[d0 + 1] : tensor<?xf64>) -> !vector {
  ^bb0(%i: index, %a: f64, %b: f64):
    %s = arith.addf %a, %b : f64
    tensor_block.yield %s : f64
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @diagonal
// CHECK:         spark.window %{{.*}} over(%n) affine_map<(d0) -> (d0, d0)> from(%{{.*}}, %k) to(%{{.*}}, %k)
// CHECK-SAME:      -> !spark.rdd<[index], [tensor<?x?xf64>]>
// CHECK:         spark.broadcast %l
// CHECK:         spark.map @kernel_0
// CHECK:       func.func private @kernel_0(%i_origin: index, %i_extent: index, %A_window: tensor<?x?xf64>, %l: tensor<?xf64>, %k: index)

// -----

!counts = tensor<?xi64, #tensor_block.tiles<dense = 1>>

// Every tile makes a table of the whole result; the tables are cut, and the parts combined.
func.func @scatter(%v: !counts, %n: index, %bins: index) -> !counts {
  %r = tensor_block.scatter_reduce add reduced(d0 < %n) into(%bins) ins(%v[d0] : !counts) -> !counts {
  ^bb0(%i: index, %x: i64):
    %k = arith.index_cast %x : i64 to index
    tensor_block.yield %k, %x : index, i64
  }
  func.return %r : !counts
}
// CHECK-LABEL: func.func @scatter
// CHECK:         %[[TABLES:.*]] = spark.map @kernel_0(%{{.*}}) dims(%n) captures(%bins : index) to_keys []
// CHECK-NEXT:    %[[PARTS:.*]] = spark.split %[[TABLES]] dims(%bins)
// CHECK-NEXT:    spark.reduce_by_key add %[[PARTS]]
// CHECK:       func.func private @kernel_0
// CHECK:         tensor_block.scatter_reduce add reduced(d0 < %i_extent) into(%bins)

// -----

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// Indices that wrap around: the window does too, and the kernel reads it at remainders by its
// size. The element at the point itself is read in it. A window that makes a whole turn begins
// with the first element, any other where the first read is.
func.func @around(%v: !vector, %n: index) -> !vector {
  %r = tensor_block.map parallel(d0 < %n) symbols(%n)
      ins(%v[d0] : !vector, %v[(d0 - 1) mod s0] : !vector, %v[(d0 + 2) mod s0] : !vector) -> !vector {
  ^bb0(%i: index, %a: f64, %b: f64, %c: f64):
    %s = arith.addf %a, %b : f64
    %t = arith.addf %s, %c : f64
    tensor_block.yield %t : f64
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @around
// CHECK-DAG:     %[[LOW:.*]] = arith.constant -1 : index
// CHECK-DAG:     %[[HIGH:.*]] = arith.constant 2 : index
// CHECK:         %[[WINDOW:.*]] = spark.window %{{.*}} from(%[[LOW]]) to(%[[HIGH]]) around [0 : i64](%n)
// CHECK-NOT:     spark.cogroup
// CHECK:         spark.map @kernel_0(%[[WINDOW]])
// CHECK:       func.func private @kernel_0(%i_origin: index, %i_extent: index, %v_window: tensor<?xf64>, %n: index)
// CHECK:         %[[TURN:.*]] = arith.cmpi sge, %{{.*}}, %n : index
// CHECK:         %[[BEGIN:.*]] = arith.select %[[TURN]], %{{.*}}, %{{.*}} : index
// CHECK:         %[[SHIFT:.*]] = arith.subi %i_origin, %[[BEGIN]]
// CHECK:         %[[SIZE:.*]] = tensor.dim %v_window
// CHECK:         tensor_block.map parallel(d0 < %i_extent) symbols(%[[SHIFT]], %[[SIZE]]) ins(%v_window[(d0 + s0) mod s1] : {{.*}}, %v_window[(d0 + s0 - 1) mod s1] : {{.*}}, %v_window[(d0 + s0 + 2) mod s1] :

// -----

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// Every other element with both of its neighbours: the index 2 * d0 + 1 stays below the size, so
// that it may be read in the window that wraps around. Of a shorter period it is read by itself.
func.func @coarser(%v: !vector, %m: index) -> (!vector, !vector) {
  %two = arith.constant 2 : index
  %n = arith.muli %m, %two : index
  %r = tensor_block.map parallel(d0 < %m) symbols(%n)
      ins(%v[2 * d0 + 1] : !vector, %v[(2 * d0) mod s0] : !vector, %v[(2 * d0 + 2) mod s0] : !vector) -> !vector {
  ^bb0(%i: index, %a: f64, %b: f64, %c: f64):
    %s = arith.addf %a, %b : f64
    %t = arith.addf %s, %c : f64
    tensor_block.yield %t : f64
  }
  %s = tensor_block.map parallel(d0 < %m) symbols(%m)
      ins(%v[2 * d0 + 1] : !vector, %v[(2 * d0) mod s0] : !vector) -> !vector {
  ^bb0(%i: index, %a: f64, %b: f64):
    %s = arith.addf %a, %b : f64
    tensor_block.yield %s : f64
  }
  func.return %r, %s : !vector, !vector
}
// CHECK-LABEL: func.func @coarser
// CHECK:         spark.window %{{.*}} over(%m) affine_map<(d0) -> ((d0 * 2))> {{.*}} around [0 : i64](%n)
// CHECK-NOT:     spark.window
// CHECK:         spark.map @kernel_0
// CHECK:         spark.window
// CHECK:         spark.window
// CHECK:         spark.map_groups @kernel_1
