// Groups, lists, maps and numbers of rows; what the driver holds of them.
// RUN: diablo-opt %s --split-input-file -p convert-tensor-block-to-spark,persist-reused | filecheck %s

!bag = !comprehension.bag<i64, f64>

// All rows of a group meet; nothing is folded before.
func.func @group(%R: !bag) -> !comprehension.bag<i64, !comprehension.bag<f64>> {
  %G = tensor_block.group %R keys 1 : !bag -> !comprehension.bag<i64, !comprehension.bag<f64>>
  func.return %G : !comprehension.bag<i64, !comprehension.bag<f64>>
}
// CHECK-LABEL: func.func @group
// CHECK:         %[[HASHED:.*]] = spark.hash_rows %{{.*}}[0]
// CHECK-NEXT:    %[[GROUP:.*]] = spark.cogroup %[[HASHED]]
// CHECK-NEXT:    %G = spark.map_groups @kernel_0(%[[GROUP]])
// CHECK-NEXT:    spark.collect %G
// CHECK:       func.func private @kernel_0(%R: !comprehension.bag<i64, f64>)
// CHECK-NEXT:    tensor_block.group %R keys 1
// CHECK-NOT:   func.func

// -----

!bag = !comprehension.bag<i64, f64>

// Numbers belong to batches, so they are given outside of kernels; whoever reads the numbered
// rows again finds the same numbers, since the rows are kept, even those that are read once.
func.func @once(%R: !bag) -> !comprehension.bag<i64, f64, i64> {
  %N = tensor_block.number %R : !bag -> !comprehension.bag<i64, f64, i64>
  func.return %N : !comprehension.bag<i64, f64, i64>
}
// CHECK-LABEL: func.func @once
// CHECK:         %N = spark.number %{{.*}}
// CHECK-NEXT:    spark.persist %N
func.func @number(%R: !bag) -> (!comprehension.bag<i64, f64, i64>, !comprehension.bag<i64>) {
  %N = tensor_block.number %R : !bag -> !comprehension.bag<i64, f64, i64>
  %P = tensor_block.project %N[2] : !comprehension.bag<i64, f64, i64> -> !comprehension.bag<i64>
  %T = tensor_block.concat %P, %P : !comprehension.bag<i64>, !comprehension.bag<i64> -> !comprehension.bag<i64>
  func.return %N, %T : !comprehension.bag<i64, f64, i64>, !comprehension.bag<i64>
}
// CHECK-LABEL: func.func @number
// CHECK:         %N = spark.number %{{.*}}
// CHECK-NEXT:    %[[KEPT:.*]] = spark.persist %N
// CHECK-NEXT:    %P = spark.map @kernel_0(%[[KEPT]])
// CHECK-NEXT:    %[[P:.*]] = spark.persist %P
// CHECK-NEXT:    %T = spark.union %[[P]], %[[P]]
// CHECK:         func.return

// -----

!bag = !comprehension.bag<i64, f64>
!map = !comprehension.bag<keys = 1, i64, f64>

// A map is its rows; those that are combined with it are folded before they move.
func.func @update(%R: !bag, %k: i64) -> (!map, f64, i1) {
  %M = tensor_block.to_map %R : !bag -> !map
  %U = tensor_block.update add %M with %R : !map, !bag
  %S = tensor_block.update %U with %R : !map, !bag
  %x, %found = comprehension.probe %S[%k] : !map
  func.return %S, %x, %found : !map, f64, i1
}
// CHECK-LABEL: func.func @update
// CHECK:         %[[FOLDED:.*]] = spark.map @kernel_0(%R
// CHECK:         %[[OLD:.*]] = spark.hash_rows %R
// CHECK-NEXT:    %[[NEW:.*]] = spark.hash_rows %[[FOLDED]][0]
// CHECK-NEXT:    %[[GROUP:.*]] = spark.cogroup %[[OLD]], %[[NEW]]
// CHECK-NEXT:    %U = spark.map_groups @kernel_1(%[[GROUP]])
// CHECK-NEXT:    %[[OLD:.*]] = spark.hash_rows %U[0]
// CHECK-NEXT:    %[[NEW:.*]] = spark.hash_rows %R
// CHECK:         %x, %found = spark.probe %{{.*}}[%k : i64] : !spark.rdd<[], [!comprehension.bag<i64, f64>]> -> f64
// CHECK:         spark.collect %{{.*}} -> !comprehension.bag<keys = 1, i64, f64>
// CHECK:       func.func private @kernel_0(%R: !comprehension.bag<i64, f64>)
// CHECK-NEXT:    tensor_block.group_reduce %R keys 1 monoids(add)
// CHECK:       func.func private @kernel_1(%{{.*}}: !comprehension.bag<i64, f64>, %R{{.*}}: !comprehension.bag<i64, f64>)
// CHECK-NEXT:    %[[MAP:.*]] = tensor_block.to_map
// CHECK-NEXT:    tensor_block.update add %[[MAP]] with %R

// -----

!bag = !comprehension.bag<index, index>
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// A row that looks outside of a matrix stays: it goes to some tile as well. The driver looks itself
// into what it was given.
func.func @probe(%R: !bag, %given: !matrix, %i: index) -> (!comprehension.bag<index, index, f64, i1>, f64, i1, f64) {
  %A = tensor_block.map parallel(d0 < %i, d1 < %i) ins(%given[d0, d1] : !matrix) -> !matrix {
  ^bb0(%j: index, %k: index, %a: f64):
    %b = arith.addf %a, %a : f64
    tensor_block.yield %b : f64
  }
  %F = tensor_block.lookup %R[0, 1] in %A probe : !bag, !matrix -> !comprehension.bag<index, index, f64, i1>
  %x, %inside = comprehension.probe %A[%i, %i] : !matrix
  %y, %there = comprehension.probe %given[%i, %i] : !matrix
  func.return %F, %x, %inside, %y : !comprehension.bag<index, index, f64, i1>, f64, i1, f64
}
// CHECK-LABEL: func.func @probe
// CHECK:         %[[ROUTED:.*]] = spark.route %{{.*}}[0, 1] dims(%i, %i) keep
// CHECK-NEXT:    spark.cogroup %[[ROUTED]], %{{.*}}
// CHECK:         %x, %inside = spark.probe %{{.*}}[%i, %i : index, index] dims(%i, %i)
// CHECK-NEXT:    %y, %there = comprehension.probe %given[%i, %i]
// CHECK:       func.func private @kernel_1
// CHECK-NEXT:    tensor_block.lookup %R[0, 1] in %A probe offsets(%d0_origin, %d1_origin)

// -----

!bag = !comprehension.bag<i64, f64>

// A left row without a partner is found in its bucket; a list that is opened moves nowhere.
func.func @nested(%L: !bag, %G: !comprehension.bag<i64, !bag>) -> !comprehension.bag<i64, f64, i64, !bag, i64, f64> {
  %J = tensor_block.join %L[0], %G[0] outer [0, unit] : !bag, !comprehension.bag<i64, !bag> -> !comprehension.bag<i64, f64, i64, !bag>
  %U = tensor_block.unnest %J[3] : !comprehension.bag<i64, f64, i64, !bag> -> !comprehension.bag<i64, f64, i64, !bag, i64, f64>
  func.return %U : !comprehension.bag<i64, f64, i64, !bag, i64, f64>
}
// CHECK-LABEL: func.func @nested
// CHECK:         %U = spark.map_groups @kernel_0
// CHECK-NEXT:    spark.collect %U
// CHECK:       func.func private @kernel_0
// CHECK-NEXT:    %[[J:.*]] = tensor_block.join %L[0], %G[0] outer [0 : i64, unit]
// CHECK-NEXT:    tensor_block.unnest %[[J]][3]

// -----

!words = !comprehension.bag<!comprehension.string>

// Lists of the driver stay there as well, for the lists that hold them.
func.func @driver(%s: !comprehension.string, %comma: !comprehension.string, %R: !words) -> (!comprehension.bag<i64, !words>, i64) {
  %one = arith.constant 1 : i64
  %parts = comprehension.string_call "split" (%s, %comma) : (!comprehension.string, !comprehension.string) -> !words
  %all = comprehension.list (%one, %parts), (%one, %R) : !comprehension.bag<i64, !words>
  %n = comprehension.length %parts : !words
  func.return %all, %n : !comprehension.bag<i64, !words>, i64
}
// CHECK-LABEL: func.func @driver
// CHECK:         %parts = comprehension.string_call "split"(%s, %comma)
// CHECK-NEXT:    %[[ROWS:.*]] = spark.parallelize %parts
// CHECK-NEXT:    %[[GATHERED:.*]] = spark.collect %R
// CHECK-NEXT:    %[[LIST:.*]] = comprehension.list (%one, %parts), (%one, %[[GATHERED]])
// CHECK-NEXT:    %all = spark.parallelize %[[LIST]]
// CHECK-NEXT:    %[[COUNTS:.*]] = spark.map @kernel_0(%[[ROWS]])
// CHECK-NEXT:    %n = spark.fold add %[[COUNTS]]
// CHECK:       func.func private @kernel_0
// CHECK-NEXT:    comprehension.length

// -----

// The condition of a row that is divided: constants are repeated in the kernel, others passed.
func.func @captures(%R: !comprehension.bag<!comprehension.string>, %t: !comprehension.string) -> !comprehension.bag<!comprehension.string> {
  %x = comprehension.string "x"
  %F = tensor_block.filter %R : !comprehension.bag<!comprehension.string> {
  ^bb0(%s: !comprehension.string):
    %u = comprehension.string_call "concat" (%t, %x) : (!comprehension.string, !comprehension.string) -> !comprehension.string
    %c = comprehension.string_call "lt" (%s, %u) : (!comprehension.string, !comprehension.string) -> i1
    tensor_block.yield %c : i1
  }
  func.return %F : !comprehension.bag<!comprehension.string>
}
// CHECK-LABEL: func.func @captures
// CHECK:         spark.map @kernel_0(%{{.*}}) captures(%t : !comprehension.string)
// CHECK:       func.func private @kernel_0(%{{.*}}: !comprehension.bag<!comprehension.string>, %t: !comprehension.string)
// CHECK-NEXT:    %x = comprehension.string "x"

// -----

!map = !comprehension.bag<keys = 1, index, f64>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// A map that elements look into is sent to every worker.
func.func @inside(%M: !map, %n: index) -> !vector {
  %r = tensor_block.map parallel(d0 < %n) -> !vector {
  ^bb0(%i: index):
    %x, %found = comprehension.probe %M[%i] : !map
    tensor_block.yield %x : f64
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @inside
// CHECK:         %[[ROWS:.*]] = spark.parallelize %M
// CHECK:         %[[WHOLE:.*]] = spark.broadcast %[[ROWS]] : {{.*}} -> !spark.broadcast<!comprehension.bag<index, f64>>
// CHECK:         spark.map @kernel_0(%{{.*}}) dims(%n) captures(%[[WHOLE]] :
// CHECK:       func.func private @kernel_0(%{{.*}}: index, %{{.*}}: index, %M: !comprehension.bag<keys = 1, index, f64>)

// -----

!words = !comprehension.bag<!comprehension.string>
!pair = tuple<i64, !words>

// A list in a tuple of the driver is the driver's; taken out again it is distributed.
func.func @packed(%R: !words, %n: i64) -> !words {
  %t = comprehension.pack %n, %R : !pair
  %k, %l = comprehension.unpack %t : !pair
  func.return %l : !words
}
// CHECK-LABEL: func.func @packed
// CHECK:         %[[LOCAL:.*]] = spark.collect %{{.*}}
// CHECK-NEXT:    %t = comprehension.pack %n, %[[LOCAL]]
// CHECK-NEXT:    %{{.*}}, %[[L:.*]] = comprehension.unpack %t
// CHECK-NEXT:    spark.parallelize %[[L]]
