// How each op on rows is distributed.
// RUN: diablo-opt %s --split-input-file -p choose-join,convert-tensor-block-to-spark | filecheck %s

!bag = !comprehension.bag<index, f64>

// What looks at one row at a time is one kernel, from the tiles to the fold's partial sums.
func.func @chain(%A: tensor<?xf64, #tensor_block.tiles<dense = 1>>, %limit: f64) -> f64 {
  %rows = tensor_block.to_bag %A : tensor<?xf64, #tensor_block.tiles<dense = 1>> -> !bag
  %some = tensor_block.filter %rows : !bag {
  ^bb0(%i: index, %a: f64):
    %c = arith.cmpf ogt, %a, %limit : f64
    tensor_block.yield %c : i1
  }
  %values = tensor_block.project %some[1] : !bag -> !comprehension.bag<f64>
  %sum = tensor_block.fold add %values : !comprehension.bag<f64>
  func.return %sum : f64
}
// CHECK-LABEL: func.func @chain
// CHECK:         %[[PART:.*]] = spark.map @kernel_0(%{{.*}}) dims(%{{.*}}) captures(%limit : f64) to_keys [] {{.*}}-> !spark.rdd<[], [f64]>
// CHECK-NEXT:    %sum = spark.fold add %[[PART]]
// CHECK:       func.func private @kernel_0(%d0_origin: index, %d0_extent: index, %A: tensor<?xf64>, %limit: f64) -> f64
// CHECK-NEXT:    tensor_block.to_bag %A offsets(%d0_origin)
// CHECK-NEXT:    tensor_block.filter
// CHECK:         tensor_block.project
// CHECK-NEXT:    tensor_block.fold add
// CHECK-NOT:   func.func

// -----

!bag = !comprehension.bag<index, f64>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// Rows are combined before they go to the tile that holds their index. All tiles of the
// result exist, also those that no row goes to.
func.func @from_bag(%rows: !bag, %n: index) -> !vector {
  %V = tensor_block.from_bag add %rows extents(%n) : !bag -> !vector
  func.return %V : !vector
}
// CHECK-LABEL: func.func @from_bag
// CHECK:         %[[ROUTED:.*]] = spark.route %{{.*}}[0] dims(%n) folded "add"
// CHECK-NEXT:    %[[TILES:.*]] = spark.tiles dims(%n)
// CHECK-NEXT:    %[[GROUPS:.*]] = spark.cogroup %[[TILES]], %[[ROUTED]]
// CHECK-NEXT:    %V = spark.map_groups @kernel_0(%[[GROUPS]]) dims(%n)
// CHECK:       func.func private @kernel_0
// CHECK-NEXT:    tensor_block.from_bag add {{.*}} offsets(%d0_origin)

// -----

!bag = !comprehension.bag<index, i64, f64>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// What says which of several rows is kept goes with them to the tile, where they meet.
func.func @places(%rows: !bag, %n: index) -> !vector {
  %V = tensor_block.from_bag %rows places 1 extents(%n) : !bag -> !vector
  func.return %V : !vector
}
// CHECK-LABEL: func.func @places
// CHECK:         spark.route %{{.*}}[0] dims(%n) : {{.*}}!comprehension.bag<index, i64, f64>
// CHECK:       func.func private @kernel_0
// CHECK-NEXT:    tensor_block.from_bag %{{.*}} places 1 extents({{.*}}) offsets(%d0_origin)

// -----

!bag = !comprehension.bag<index, f64>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// The tiles of the array that is updated come along.
func.func @update(%rows: !bag, %V: !vector, %n: index) -> !vector {
  %W = tensor_block.from_bag %rows extents(%n) dest(%V : !vector) : !bag -> !vector
  func.return %W : !vector
}
// CHECK-LABEL: func.func @update
// CHECK:         %[[ROWS:.*]] = spark.parallelize %rows
// CHECK-NEXT:    %[[V:.*]] = spark.parallelize %V
// CHECK-NEXT:    %[[ROUTED:.*]] = spark.route %[[ROWS]][0] dims(%n)
// CHECK-NEXT:    %[[GROUPS:.*]] = spark.cogroup %[[ROUTED]], %[[V]]
// CHECK-NEXT:    %W = spark.map_groups @kernel_0(%[[GROUPS]])

// -----

!bag = !comprehension.bag<index, index>
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// Rows go to the tiles of a matrix; a vector comes to the rows.
func.func @lookup(%rows: !bag, %A: !matrix, %v: !vector) -> !comprehension.bag<index, index, f64, f64> {
  %1 = tensor_block.lookup %rows[1, 0] in %A : !bag, !matrix -> !comprehension.bag<index, index, f64>
  %2 = tensor_block.lookup %1[0] in %v : !comprehension.bag<index, index, f64>, !vector -> !comprehension.bag<index, index, f64, f64>
  func.return %2 : !comprehension.bag<index, index, f64, f64>
}
// CHECK-LABEL: func.func @lookup
// CHECK:         %[[ROUTED:.*]] = spark.route %{{.*}}[1, 0] dims
// CHECK-NEXT:    %[[GROUPS:.*]] = spark.cogroup %[[ROUTED]], %{{.*}}
// CHECK-NEXT:    %[[V:.*]] = spark.broadcast
// CHECK-NEXT:    spark.map_groups @kernel_0(%[[GROUPS]]) {{.*}}captures(%[[V]] : !spark.broadcast<tensor<?xf64>>){{.*}}to_keys []

// -----

!bag = !comprehension.bag<i64, f64>

// Rows with equal keys meet in a bucket.
func.func @join(%G: !bag, %H: !bag) -> !bag {
  %pairs = tensor_block.join %G[0], %H[0] : !bag, !bag -> !comprehension.bag<i64, f64, i64, f64>
  %two = tensor_block.project %pairs[0, 3] : !comprehension.bag<i64, f64, i64, f64> -> !bag
  %sums = tensor_block.group_reduce %two keys 1 monoids(add) : !bag
  func.return %sums : !bag
}
// CHECK-LABEL: func.func @join
// CHECK:         %[[G:.*]] = spark.hash_rows %{{.*}}[0]
// CHECK-NEXT:    %[[H:.*]] = spark.hash_rows %{{.*}}[0]
// CHECK-NEXT:    %[[PAIRS:.*]] = spark.cogroup %[[G]], %[[H]]
// CHECK-NEXT:    %[[PART:.*]] = spark.map_groups @kernel_0(%[[PAIRS]])
// CHECK-NEXT:    %[[HASHED:.*]] = spark.hash_rows %[[PART]][0]
// CHECK-NEXT:    %[[GROUPS:.*]] = spark.cogroup %[[HASHED]]
// CHECK-NEXT:    spark.map_groups @kernel_1(%[[GROUPS]])
// CHECK:       func.func private @kernel_0
// CHECK-NEXT:    tensor_block.join
// CHECK-NEXT:    tensor_block.project
// CHECK-NEXT:    tensor_block.group_reduce

// -----

!bag = !comprehension.bag<i64, f64>
!row = !comprehension.bag<i64>

// A short side comes to the rows of the other, the right one if there are no keys.
func.func @broadcast_join(%G: !bag, %H: !bag, %n: i64) -> (!comprehension.bag<i64, i64, f64>, !comprehension.bag<i64, f64, i64, f64>) {
  %two = comprehension.list (%n), (%n) : !row
  %short = tensor_block.join %two[0], %G[0] : !row, !bag -> !comprehension.bag<i64, i64, f64>
  %all = tensor_block.join %G[], %H[] : !bag, !bag -> !comprehension.bag<i64, f64, i64, f64>
  func.return %short, %all : !comprehension.bag<i64, i64, f64>, !comprehension.bag<i64, f64, i64, f64>
}
// CHECK-LABEL: func.func @broadcast_join
// CHECK:         %[[LIST:.*]] = comprehension.list (%n), (%n)
// CHECK:         %[[TWO:.*]] = spark.broadcast %[[LIST]]
// CHECK-NEXT:    spark.map @kernel_0(%[[G:.*]]) captures(%[[TWO]] :
// CHECK-NEXT:    %[[H:.*]] = spark.broadcast %H : !comprehension.bag<i64, f64>
// CHECK-NEXT:    spark.map @kernel_1(%[[G]]) captures(%[[H]] :
// CHECK:       func.func private @kernel_0(%[[B:.*]]: !comprehension.bag<i64, f64>, %[[L:.*]]: !comprehension.bag<i64>)
// CHECK-NEXT:    tensor_block.join %[[L]][0], %[[B]][0]

// -----

!bag = !comprehension.bag<i64, f64>
!row = !comprehension.bag<i64>

// The left side of an outer join stays, since its rows without partners are kept once.
func.func @outer_join(%G: !bag, %n: i64) -> (!comprehension.bag<i64, i64, f64>, !comprehension.bag<i64, i64, f64>) {
  %two = comprehension.list (%n), (%n) : !row
  %keyed = tensor_block.join %two[0], %G[0] outer [0, 0.0] : !row, !bag -> !comprehension.bag<i64, i64, f64>
  %all = tensor_block.join %two[], %G[] outer [0, 0.0] : !row, !bag -> !comprehension.bag<i64, i64, f64>
  func.return %keyed, %all : !comprehension.bag<i64, i64, f64>, !comprehension.bag<i64, i64, f64>
}
// CHECK-LABEL: func.func @outer_join
// CHECK:         %[[TWO:.*]] = spark.parallelize %{{.*}} : !comprehension.bag<i64> ->
// CHECK-NEXT:    spark.hash_rows %[[TWO]][0]
// CHECK-NEXT:    spark.hash_rows
// CHECK:         %[[G:.*]] = spark.broadcast %G
// CHECK-NEXT:    spark.map @kernel_1(%[[TWO]]) captures(%[[G]] :

// -----

func.func @range(%n: index) -> !comprehension.bag<index> {
  %c0 = arith.constant 0 : index
  %r = tensor_block.range %c0 to %n step 2 : !comprehension.bag<index>
  func.return %r : !comprehension.bag<index>
}
// CHECK-LABEL: func.func @range
// CHECK:         %r = spark.range %c0 to %n step 2
// CHECK-NEXT:    spark.collect %r

// -----

!bag = !comprehension.bag<index, f64>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 0>>
!region = tensor<?xi1, #tensor_block.tiles<dense = 0>>

// So do those of the array whose indices may be shared, after those of the array that is updated.
func.func @within(%rows: !bag, %R: !region, %V: !vector, %n: index) -> (!vector, !vector) {
  %W = tensor_block.from_bag %rows extents(%n) within(%R : !region) : !bag -> !vector
  %X = tensor_block.from_bag add %rows extents(%n) dest(%V : !vector) within(%R : !region) : !bag -> !vector
  func.return %W, %X : !vector, !vector
}
// CHECK-LABEL: func.func @within
// CHECK:         %[[R:.*]] = spark.parallelize %R
// CHECK:         %[[V:.*]] = spark.parallelize %V
// CHECK:         %[[TILES:.*]] = spark.tiles dims(%n)
// CHECK-NEXT:    %[[GROUPS:.*]] = spark.cogroup %[[TILES]], %{{.*}}, %[[R]] grid(%n) :
// CHECK-NEXT:    %W = spark.map_groups @kernel_0(%[[GROUPS]])
// CHECK:         %[[ROWS:.*]] = spark.route
// CHECK-NEXT:    %[[UPDATED:.*]] = spark.cogroup %[[ROWS]], %[[V]], %[[R]] grid(%n) :
// CHECK-NEXT:    %X = spark.map_groups @kernel_1(%[[UPDATED]])
// CHECK:       func.func private @kernel_0
// CHECK-NEXT:    tensor_block.from_bag %rows extents(%d0_extent) offsets(%d0_origin) within(%R : tensor<?xi1, #tensor_block.storage<dense = 0>>)
// CHECK:       func.func private @kernel_1
// CHECK-NEXT:    tensor_block.from_bag add %rows extents(%d0_extent) offsets(%d0_origin) dest(%V : tensor<?xf64, #tensor_block.storage<dense = 0>>) within(%R : tensor<?xi1, #tensor_block.storage<dense = 0>>)

// -----

!bag = !comprehension.bag<index, f64>

// What is appended and what is taken of it are one op, unless something else reads all of it.
func.func @taken(%L: !bag) -> (!bag, !comprehension.bag<f64>, !comprehension.bag<index, f64, f64>) {
  %e = tensor_block.extend %L : !bag -> !comprehension.bag<index, f64, f64> {
  ^bb0(%k: index, %v: f64):
    %w = arith.mulf %v, %v : f64
    tensor_block.yield %w : f64
  }
  %p = tensor_block.project %e[0, 2] : !comprehension.bag<index, f64, f64> -> !bag
  %f = tensor_block.extend %L : !bag -> !comprehension.bag<index, f64, f64> {
  ^bb0(%k: index, %v: f64):
    %w = arith.addf %v, %v : f64
    tensor_block.yield %w : f64
  }
  %q = tensor_block.project %f[2] : !comprehension.bag<index, f64, f64> -> !comprehension.bag<f64>
  func.return %p, %q, %f : !bag, !comprehension.bag<f64>, !comprehension.bag<index, f64, f64>
}
// CHECK-LABEL: func.func @taken
// CHECK:       func.func private @kernel_0
// CHECK-NEXT:    tensor_block.extend %{{.*}} to [0, 2] : !comprehension.bag<index, f64> -> !comprehension.bag<index, f64>
// CHECK:         arith.mulf
// CHECK-NOT:     tensor_block.project
// CHECK:       func.func private @kernel_1
// CHECK-NEXT:    tensor_block.extend %{{[a-zA-Z0-9_]*}} : !comprehension.bag<index, f64> -> !comprehension.bag<index, f64, f64>
// CHECK:       func.func private @kernel_2
// CHECK:         tensor_block.project %{{.*}}[2]

// -----

// What the body of a row op loops over is broadcast: the list that the driver was given, rows that
// are computed, a vector.
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
func.func @loops(%P: !comprehension.bag<f64>, %L: !comprehension.bag<f64, i64>, %v: !vector, %n: index) -> !comprehension.bag<f64, f64, i64, f64> {
  %zero = arith.constant 0 : index
  %K = tensor_block.project %L[1] : !comprehension.bag<f64, i64> -> !comprehension.bag<i64>
  %r = tensor_block.extend %P : !comprehension.bag<f64> -> !comprehension.bag<f64, f64, i64, f64> {
  ^bb0(%x: f64):
    %a = multiloop.loop rows(%L : !comprehension.bag<f64, i64>) -> f64 {
    ^bb1(%y: f64, %z: i64, %s: !multiloop.reduce<add : f64>):
      %p = arith.mulf %x, %y : f64
      multiloop.emit %s(%p : f64)
    }
    %b = multiloop.loop rows(%K : !comprehension.bag<i64>) -> i64 {
    ^bb1(%k: i64, %s: !multiloop.reduce<max : i64>):
      multiloop.emit %s(%k : i64)
    }
    %c = multiloop.loop range(%zero, %n : index, index) -> f64 {
    ^bb1(%i: index, %s: !multiloop.reduce<min : f64>):
      %e = tensor.extract %v[%i] : !vector
      multiloop.emit %s(%e : f64)
    }
    tensor_block.yield %a, %b, %c : f64, i64, f64
  }
  func.return %r : !comprehension.bag<f64, f64, i64, f64>
}
// CHECK-LABEL: func.func @loops
// CHECK:         %[[K:.*]] = spark.map @{{.*}} : {{.*}} -> !spark.rdd<[], [!comprehension.bag<i64>]>
// CHECK-NEXT:    %[[WHOLE_L:.*]] = spark.broadcast %L : !comprehension.bag<f64, i64> -> !spark.broadcast<!comprehension.bag<f64, i64>>
// CHECK-NEXT:    %[[WHOLE_K:.*]] = spark.broadcast %[[K]] : !spark.rdd<[], [!comprehension.bag<i64>]>
// CHECK-NEXT:    %[[WHOLE_V:.*]] = spark.broadcast %{{.*}} dims(%{{.*}}) : {{.*}} -> !spark.broadcast<tensor<?xf64>>
// CHECK-NEXT:    spark.map @[[KERNEL:.*]](%P_1) captures(%[[WHOLE_L]], %[[WHOLE_K]], %n, %[[WHOLE_V]] :
// CHECK:       func.func private @[[KERNEL]](%P: !comprehension.bag<f64>, %L: !comprehension.bag<f64, i64>, %K: !comprehension.bag<i64>,
// CHECK:         multiloop.loop rows(%L :
// CHECK:         multiloop.loop rows(%K :
// CHECK:           tensor.extract %v[
