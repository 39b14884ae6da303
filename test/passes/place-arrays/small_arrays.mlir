// Arrays that are small beside the largest one are the driver's.
// RUN: diablo-opt %s --split-input-file -p place-arrays,convert-tensor-block-to-spark,canonicalize,cse,dce --remarks 2>&1 | filecheck %s

!tiles = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// What a loop carries of them is the driver's as well; products of two of them are made in the tiles
// that they are read with, and what is folded of large arrays comes to the driver in parts.
// CHECK:       remark: this stays with the driver: it has 20000 elements, and the largest array has 1000000
// CHECK:       remark: this stays with the driver: it has 1000 elements, and the largest array has 1000000
// CHECK-LABEL: func.func @factor(%R: tensor<?x?xf64, #tensor_block.tiles<dense = 2>> {{.*}}, %P: tensor<?x?xf64> {{.*}}, %steps: i64) -> tensor<?x?xf64> {
// CHECK:         spark.parallelize %R
// CHECK-NOT:     spark.parallelize
// CHECK:         scf.while ({{.*}} = %P) : (i64, tensor<?x?xf64>) -> (i64, tensor<?x?xf64>)
// CHECK:         %[[WHOLE:.*]] = spark.broadcast %{{.*}} : tensor<?x?xf64>
// CHECK-NOT:     spark.tiles
// CHECK:         spark.map @kernel_0(%R_{{.*}}) dims(%n, %m, %l) captures(%[[WHOLE]], %[[WHOLE]]
// CHECK-NOT:     spark.cogroup
// CHECK:         spark.replicate %{{.*}} dims(%l)
// CHECK-NOT:     spark.reduce_by_key
// CHECK:         spark.collect
// CHECK:         func.call @kernel_
// CHECK:         func.return %{{.*}} : tensor<?x?xf64>
func.func @factor(%R: !tiles {diablo.shape = array<i64: 1000, 1000>},
                  %P: !tiles {diablo.shape = array<i64: 1000, 20>}, %steps: i64) -> !tiles {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = tensor.dim %R, %0 : !tiles
  %m = tensor.dim %R, %1 : !tiles
  %p = tensor.dim %P, %0 : !tiles
  %l = tensor.dim %P, %1 : !tiles
  %k, %Q = scf.while (%k0 = %zero, %P0 = %P) : (i64, !tiles) -> (i64, !tiles) {
    %c = arith.cmpi slt, %k0, %steps : i64
    scf.condition(%c) %k0, %P0 : i64, !tiles
  } do {
  ^bb0(%k1: i64, %P1: !tiles):
    %k2 = arith.addi %k1, %one : i64
    %pq = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l) ins(%P1[d0, d2] : !tiles, %P1[d1, d2] : !tiles) -> !tiles {
    ^bb0(%i: index, %j: index, %h: index, %x: f64, %y: f64):
      %z = arith.mulf %x, %y : f64
      tensor_block.yield %z : f64
    }
    %E = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%R[d0, d1] : !tiles, %pq[d0, d1] : !tiles) -> !tiles {
    ^bb0(%i: index, %j: index, %x: f64, %y: f64):
      %z = arith.subf %x, %y : f64
      tensor_block.yield %z : f64
    }
    %d = tensor_block.reduce add parallel(d0 < %p, d1 < %l) reduced(d2 < %m) ins(%E[d0, d2] : !tiles, %P1[d2, d1] : !tiles) -> !tiles {
    ^bb0(%i: index, %j: index, %h: index, %x: f64, %y: f64):
      %z = arith.mulf %x, %y : f64
      tensor_block.yield %z : f64
    }
    %P2 = tensor_block.map parallel(d0 < %p, d1 < %l) ins(%P1[d0, d1] : !tiles, %d[d0, d1] : !tiles) -> !tiles {
    ^bb0(%i: index, %j: index, %x: f64, %y: f64):
      %z = arith.addf %x, %y : f64
      tensor_block.yield %z : f64
    }
    scf.yield %k2, %P2 : i64, !tiles
  }
  func.return %Q : !tiles
}

// -----

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!tiles = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// A loop carries as many elements as it begins with, if it computes as many of these.
// CHECK-LABEL: func.func @same
// CHECK:         scf.while ({{.*}} = %x) : (i64, tensor<?xf64>) -> (i64, tensor<?xf64>)
func.func @same(%A: !matrix {diablo.shape = array<i64: 1000, 1000>},
                %x: !tiles {diablo.shape = array<i64: 1000>}, %steps: i64) -> (!matrix, !tiles) {
  %0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %y = scf.while (%k0 = %zero, %x0 = %x) : (i64, !tiles) -> (i64, !tiles) {
    %c = arith.cmpi slt, %k0, %steps : i64
    scf.condition(%c) %k0, %x0 : i64, !tiles
  } do {
  ^bb0(%k1: i64, %x1: !tiles):
    %k2 = arith.addi %k1, %one : i64
    %n = tensor.dim %x1, %0 : !tiles
    %x2 = tensor_block.map parallel(d0 < %n) ins(%x1[d0] : !tiles) -> !tiles {
    ^bb0(%i: index, %v: f64):
      %w = arith.addf %v, %v : f64
      tensor_block.yield %w : f64
    }
    scf.yield %k2, %x2 : i64, !tiles
  }
  func.return %A, %y : !matrix, !tiles
}

// -----

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!tiles = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// CHECK-NOT:   stays with the driver
// CHECK-LABEL: func.func @growing
// CHECK:         scf.while {{.*}} -> (i64, !spark.rdd<[index], [tensor<?xf64>]>, index)
func.func @growing(%A: !matrix {diablo.shape = array<i64: 1000, 1000>},
                   %x: !tiles {diablo.shape = array<i64: 1000>}, %m: index, %steps: i64) -> (!matrix, !tiles) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %y = scf.while (%k0 = %zero, %x0 = %x) : (i64, !tiles) -> (i64, !tiles) {
    %c = arith.cmpi slt, %k0, %steps : i64
    scf.condition(%c) %k0, %x0 : i64, !tiles
  } do {
  ^bb0(%k1: i64, %x1: !tiles):
    %k2 = arith.addi %k1, %one : i64
    %x2 = tensor_block.map parallel(d0 < %m) ins(%x1[d0] : !tiles) -> !tiles {
    ^bb0(%i: index, %v: f64):
      %w = arith.addf %v, %v : f64
      tensor_block.yield %w : f64
    }
    scf.yield %k2, %x2 : i64, !tiles
  }
  func.return %A, %y : !matrix, !tiles
}

// -----

!tiles = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// Not so where all are small, where the largest is not much larger, where the extents are not known,
// and where rows are made of an array.
// CHECK-NOT:   stays with the driver
// CHECK-LABEL: func.func @small
// CHECK-COUNT-2: spark.parallelize
// CHECK-LABEL: func.func @alike
// CHECK-COUNT-2: spark.parallelize
// CHECK-LABEL: func.func @unknown
// CHECK-COUNT-2: spark.parallelize
// CHECK-LABEL: func.func @rows
// CHECK-COUNT-2: spark.parallelize
func.func @small(%A: !tiles {diablo.shape = array<i64: 10000>},
                 %B: !tiles {diablo.shape = array<i64: 10>}) -> (!tiles, !tiles) {
  func.return %A, %B : !tiles, !tiles
}
func.func @alike(%A: !tiles {diablo.shape = array<i64: 1000000>},
                 %B: !tiles {diablo.shape = array<i64: 100000>}) -> (!tiles, !tiles) {
  func.return %A, %B : !tiles, !tiles
}
func.func @unknown(%A: !tiles {diablo.shape = array<i64: 1000000>},
                   %B: !tiles) -> (!tiles, !tiles) {
  func.return %A, %B : !tiles, !tiles
}
func.func @rows(%A: !tiles {diablo.shape = array<i64: 1000000>},
                %B: !tiles {diablo.shape = array<i64: 10>}) -> (!tiles, !comprehension.bag<index, f64>) {
  %r = tensor_block.to_bag %B : !tiles -> !comprehension.bag<index, f64>
  func.return %A, %r : !tiles, !comprehension.bag<index, f64>
}
