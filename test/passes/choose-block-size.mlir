// Arrays whose tiles never meet have blocks of a size of their own, and all others one.
// RUN: diablo-opt %s --split-input-file -p choose-block-size | filecheck %s
// RUN: diablo-opt %s --split-input-file -p choose-block-size --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

!tiles = !spark.rdd<[index], [tensor<?xf64>]>

// CHECK-LABEL: func.func @apart
// CHECK:         %A = spark.parallelize %a {blocks = "a"} :
// CHECK-NEXT:    %V = spark.parallelize %v {blocks = "v_1"} :
// CHECK-NEXT:    %C = spark.map @kernel_0(%A) dims(%n) {blocks = "a"} :
// CHECK-NEXT:    %W = spark.map @kernel_0(%V) dims(%m) {blocks = "v_1"} :
// CHECK-NEXT:    spark.collect %C dims(%n) {blocks = "a"} :
// REMARK:      remark: a, C, c: one block size, apart from that of other arrays: none meets them
// REMARK:      remark: v_1, W: one block size, apart
func.func @apart(%n: index, %m: index, %a: tensor<?xf64>, %v: tensor<?xf64> {diablo.name = "v_1"}) -> (tensor<?xf64>, !tiles) {
  %A = spark.parallelize %a : tensor<?xf64> -> !tiles
  %V = spark.parallelize %v : tensor<?xf64> -> !tiles
  %C = spark.map @kernel_0(%A) dims(%n) : !tiles -> !tiles
  %W = spark.map @kernel_0(%V) dims(%m) : !tiles -> !tiles
  %c = spark.collect %C dims(%n) : !tiles -> tensor<?xf64>
  func.return %c, %W : tensor<?xf64>, !tiles
}
func.func private @kernel_0(%o: index, %n: index, %x: tensor<?xf64>) -> tensor<?xf64>

// -----

!tiles = !spark.rdd<[index], [tensor<?xf64>]>

// A loop that carries both hands them on side by side, and a branch may give one for another.
// CHECK-LABEL: func.func @loop
// CHECK:         spark.parallelize %a {blocks = "a"}
// CHECK:         spark.parallelize %b {blocks = "a"}
// CHECK:         spark.parallelize %v {blocks = "v"}
// CHECK:         spark.map @kernel_0(%{{.*}}) dims(%n) {blocks = "a"}
// CHECK:         spark.map @kernel_0(%{{.*}}) dims(%n) {blocks = "v"}
func.func @loop(%n: index, %go: i1, %a: tensor<?xf64>, %b: tensor<?xf64>, %v: tensor<?xf64>) -> (!tiles, !tiles) {
  %A = spark.parallelize %a : tensor<?xf64> -> !tiles
  %B = spark.parallelize %b : tensor<?xf64> -> !tiles
  %V = spark.parallelize %v : tensor<?xf64> -> !tiles
  %E, %F = scf.while (%X = %A, %Y = %V) : (!tiles, !tiles) -> (!tiles, !tiles) {
    scf.condition(%go) %X, %Y : !tiles, !tiles
  } do {
  ^bb0(%X: !tiles, %Y: !tiles):
    %P = scf.if %go -> (!tiles) {
      scf.yield %B : !tiles
    } else {
      scf.yield %X : !tiles
    }
    %Q = spark.map @kernel_0(%P) dims(%n) : !tiles -> !tiles
    %R = spark.map @kernel_0(%Y) dims(%n) : !tiles -> !tiles
    scf.yield %Q, %R : !tiles, !tiles
  }
  func.return %E, %F : !tiles, !tiles
}
func.func private @kernel_0(%o: index, %n: index, %x: tensor<?xf64>) -> tensor<?xf64>

// -----

!tiles = !spark.rdd<[index], [tensor<?xf64>]>
!pair = !spark.rdd<[index], [!spark.group<tensor<?xf64>>, !spark.group<tensor<?xf64>>]>

// Tiles that meet, and buckets of rows, which have no edge: there is nothing to tell apart.
// CHECK-LABEL: func.func @together
// CHECK-NOT:     blocks
func.func @together(%n: index, %a: tensor<?xf64>, %b: tensor<?xf64>, %rows: !spark.rdd<[], [!comprehension.bag<i64>]>) {
  %A = spark.parallelize %a : tensor<?xf64> -> !tiles
  %B = spark.parallelize %b : tensor<?xf64> -> !tiles
  %R = spark.rekey %B[-1] dims(%n) : !tiles -> !tiles
  %g = spark.cogroup %A, %R grid(%n) : !tiles, !tiles -> !pair
  %h = spark.hash_rows %rows[0] : !spark.rdd<[], [!comprehension.bag<i64>]> -> !spark.rdd<[index], [!comprehension.bag<i64>]>
  func.return
}
