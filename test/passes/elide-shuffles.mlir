// Tiles that lie alike meet where they are, and what would be shuffled again and again moves once.
// RUN: diablo-opt %s --split-input-file -p elide-shuffles | filecheck %s
// RUN: diablo-opt %s --split-input-file -p elide-shuffles --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

!tiles = !spark.rdd<[index], [tensor<?xf64>]>
!pair = !spark.rdd<[index], [!spark.group<tensor<?xf64>>, !spark.group<tensor<?xf64>>]>

// What Spark was given, what is made of it, and what was shuffled by the same grid: zipped.
// CHECK-LABEL: func.func @alike
// CHECK:         spark.cogroup %A, %C grid(%n) zipped :
// CHECK:         spark.cogroup %D, %S grid(%n) zipped :
// REMARK:      remark: tiles of one grid lie alike: they meet without a shuffle
// REMARK:      remark: tiles of one grid lie alike: they meet without a shuffle
func.func @alike(%n: index, %a: tensor<?xf64>, %parts: !tiles) -> !tiles {
  %A = spark.parallelize %a : tensor<?xf64> -> !tiles
  %B = spark.map @kernel_0(%A) dims(%n) : !tiles -> !tiles
  %C = spark.crop %B dims(%n) : !tiles
  %g = spark.cogroup %A, %C grid(%n) : !tiles, !tiles -> !pair
  %D = spark.map_groups @kernel_1(%g) dims(%n) indexing_maps[(d0) -> (d0), (d0) -> (d0)] : !pair -> !tiles
  %S = spark.reduce_by_key add %parts grid(%n) : !tiles
  %h = spark.cogroup %D, %S grid(%n) : !tiles, !tiles -> !pair
  %E = spark.map_groups @kernel_1(%h) dims(%n) indexing_maps[(d0) -> (d0), (d0) -> (d0)] : !pair -> !tiles
  func.return %E : !tiles
}
func.func private @kernel_0(%o: index, %n: index, %x: tensor<?xf64>) -> tensor<?xf64>
func.func private @kernel_1(%o: index, %n: index, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64>

// -----

!tiles = !spark.rdd<[index], [tensor<?xf64>]>
!pair = !spark.rdd<[index], [!spark.group<tensor<?xf64>>, !spark.group<tensor<?xf64>>]>

// Copies of tiles, tiles under other keys, and a key alone: all of these are shuffled.
// CHECK-LABEL: func.func @otherwise
// CHECK-NOT:     zipped
// REMARK:      remark: 2 of 2 inputs are shuffled to where the grid of the result deals its tiles out
// REMARK:      remark: 1 of 2 inputs are shuffled
func.func @otherwise(%n: index, %a: tensor<?xf64>, %parts: !tiles) {
  %A = spark.parallelize %a : tensor<?xf64> -> !tiles
  %B = spark.rekey %A[-1] dims(%n) : !tiles -> !tiles
  %g = spark.cogroup %A, %B grid(%n) : !tiles, !tiles -> !pair
  %S = spark.reduce_by_key add %parts grid(%n) : !tiles
  %C = spark.map @kernel_0(%A) dims(%n) to_keys [0] : !tiles -> !tiles
  %h = spark.cogroup %S, %C grid(%n) : !tiles, !tiles -> !pair
  %i = spark.cogroup %S grid(%n) : !tiles -> !spark.rdd<[index], [!spark.group<tensor<?xf64>>]>
  func.return
}
func.func private @kernel_0(%o: index, %n: index, %x: tensor<?xf64>) -> tensor<?xf64>

// -----

!tiles = !spark.rdd<[index], [tensor<?xf64>]>
!pair = !spark.rdd<[index], [!spark.group<tensor<?xf64>>, !spark.group<tensor<?xf64>>]>
!hashed = !spark.rdd<[index], [!comprehension.bag<i64>]>
!both = !spark.rdd<[index], [!spark.group<!comprehension.bag<i64>>, !spark.group<!comprehension.bag<i64>>]>

// What is kept for a loop, or what that begins with, and would be shuffled in each iteration. What
// meets its own kind alone stays, and so does what another loop carries.
// CHECK-LABEL: func.func @kept
// CHECK:         %P = spark.persist %A grid(%n) :
// CHECK-NEXT:    %Q = spark.persist %B grid(%n) :
// CHECK-NEXT:    %T = spark.persist %A : !
// CHECK-NEXT:    %H = spark.persist %{{.*}} buckets :
// CHECK-NEXT:    scf.while
// CHECK:         spark.cogroup %X_1, %P grid(%n) zipped :
// CHECK:         spark.cogroup %T, %T grid(%n) zipped :
// CHECK:         %Y = spark.persist %C : !
// REMARK:        remark: this is kept where it meets others, so that it is shuffled once
func.func @kept(%n: index, %a: tensor<?xf64>, %rows: !spark.rdd<[], [!comprehension.bag<i64>]>, %go: i1) {
  %A = spark.parallelize %a : tensor<?xf64> -> !tiles
  %B = spark.map @kernel_0(%A) dims(%n) : !tiles -> !tiles
  %h = spark.hash_rows %rows[0] : !spark.rdd<[], [!comprehension.bag<i64>]> -> !hashed
  %P = spark.persist %A : !tiles
  %Q = spark.persist %B : !tiles
  %T = spark.persist %A : !tiles
  %H = spark.persist %h : !hashed
  %Z = scf.while (%X = %Q) : (!tiles) -> !tiles {
    scf.condition(%go) %X : !tiles
  } do {
  ^bb0(%X_1: !tiles):
    %R = spark.rekey %X_1[-1] dims(%n) : !tiles -> !tiles
    %g = spark.cogroup %R, %P grid(%n) : !tiles, !tiles -> !pair
    %i = spark.cogroup %X_1, %P grid(%n) : !tiles, !tiles -> !pair
    %t = spark.cogroup %T, %T grid(%n) : !tiles, !tiles -> !pair
    %k = spark.hash_rows %rows[0] : !spark.rdd<[], [!comprehension.bag<i64>]> -> !hashed
    %b = spark.cogroup %H, %k : !hashed, !hashed -> !both
    %C = spark.map_groups @kernel_1(%g) dims(%n) indexing_maps[(d0) -> (d0), (d0) -> (d0)] : !pair -> !tiles
    %Y = spark.persist %C : !tiles
    scf.yield %Y : !tiles
  }
  func.return
}
func.func private @kernel_0(%o: index, %n: index, %x: tensor<?xf64>) -> tensor<?xf64>
func.func private @kernel_1(%o: index, %n: index, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64>
