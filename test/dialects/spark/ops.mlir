// Every op and type, in the custom and the generic form, comes back as it was.
// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

!matrix = !spark.rdd<[index, index], [tensor<?x?xf64>]>
!vector = !spark.rdd<[index], [tensor<?xf64>]>
!sparse = !spark.rdd<[index, index], [tensor<?x?xf64, #tensor_block.storage<dense = 1>>]>
!rows = !spark.rdd<[], [!comprehension.bag<index, f64>]>

func.func private @double(index, index, index, index, tensor<?x?xf64>) -> tensor<?x?xf64>
func.func private @row_sums(index, index, index, index, tensor<?x?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
func.func private @positive(!comprehension.bag<index, f64>, f64) -> !comprehension.bag<index, f64>
func.func private @product(index, index, index, index, index, index, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
func.func private @scatter(index, index, !comprehension.bag<index, f64>, tensor<?xf64>, f64) -> tensor<?xf64>
func.func private @pairs(!comprehension.bag<index, f64>, !comprehension.bag<index, f64>) -> !comprehension.bag<index, f64>

// CHECK-LABEL: func.func @data
// CHECK:         %A = spark.parallelize %a : tensor<?x?xf64, #tensor_block.tiles<dense = 1>> -> !spark.rdd<[index, index], [tensor<?x?xf64, #tensor_block.storage<dense = 1>>]>
// CHECK-NEXT:    %R = spark.parallelize %r : !comprehension.bag<index, f64> -> !spark.rdd<[], [!comprehension.bag<index, f64>]>
// CHECK-NEXT:    %I = spark.range %n to %m : !spark.rdd<[], [!comprehension.bag<index>]>
// CHECK-NEXT:    %J = spark.range %m to %n step -1 : !spark.rdd<[], [!comprehension.bag<index>]>
// CHECK-NEXT:    %T = spark.tiles dims(%n, %m) : !spark.rdd<[index, index], []>
// CHECK-NEXT:    %K = spark.persist %A : !spark.rdd<[index, index], [tensor<?x?xf64, #tensor_block.storage<dense = 1>>]>
// CHECK-NEXT:    %L = spark.persist %A grid(%n, %m) : !spark.rdd<[index, index], [tensor<?x?xf64, #tensor_block.storage<dense = 1>>]>
// CHECK-NEXT:    %B = spark.broadcast %A dims(%n, %m) : !spark.rdd<[index, index], [tensor<?x?xf64, #tensor_block.storage<dense = 1>>]> -> !spark.broadcast<tensor<?x?xf64, #tensor_block.storage<dense = 1>>>
// CHECK-NEXT:    %V = spark.broadcast %v : tensor<?xf64> -> !spark.broadcast<tensor<?xf64>>
// CHECK-NEXT:    %b = spark.collect %K dims(%n, %m) : !spark.rdd<[index, index], [tensor<?x?xf64, #tensor_block.storage<dense = 1>>]> -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
// CHECK-NEXT:    spark.release %L : !spark.rdd<[index, index], [tensor<?x?xf64, #tensor_block.storage<dense = 1>>]>
// CHECK-NEXT:    %f = spark.collect %K dims(%n, %m) folded "add" : !spark.rdd<[index, index], [tensor<?x?xf64, #tensor_block.storage<dense = 1>>]> -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
// CHECK-NEXT:    %c = spark.collect %R : !spark.rdd<[], [!comprehension.bag<index, f64>]> -> !comprehension.bag<index, f64>
func.func @data(%a: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %r: !comprehension.bag<index, f64>,
                %v: tensor<?xf64>, %n: index, %m: index) {
  %A = spark.parallelize %a : tensor<?x?xf64, #tensor_block.tiles<dense = 1>> -> !sparse
  %R = spark.parallelize %r : !comprehension.bag<index, f64> -> !rows
  %I = spark.range %n to %m : !spark.rdd<[], [!comprehension.bag<index>]>
  %J = spark.range %m to %n step -1 : !spark.rdd<[], [!comprehension.bag<index>]>
  %T = spark.tiles dims(%n, %m) : !spark.rdd<[index, index], []>
  %K = spark.persist %A : !sparse
  %L = spark.persist %A grid(%n, %m) : !sparse
  %B = spark.broadcast %A dims(%n, %m) : !sparse -> !spark.broadcast<tensor<?x?xf64, #tensor_block.storage<dense = 1>>>
  %V = spark.broadcast %v : tensor<?xf64> -> !spark.broadcast<tensor<?xf64>>
  %b = spark.collect %K dims(%n, %m) : !sparse -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  spark.release %L : !sparse
  %f = spark.collect %K dims(%n, %m) folded "add" : !sparse -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  %c = spark.collect %R : !rows -> !comprehension.bag<index, f64>
  func.return
}

// CHECK-LABEL: func.func @tiles
// CHECK:         spark.map @double(%A) dims(%n, %m) : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index, index], [tensor<?x?xf64>]>
// CHECK-NEXT:    spark.map @row_sums(%A) dims(%n, %m) captures(%v, %x : !spark.broadcast<tensor<?xf64>>, f64) crops[(d0, d1) -> (d1)] to_keys [0] : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>
// CHECK-NEXT:    spark.reduce_by_key add %{{.*}} grid(%m) : !spark.rdd<[index], [tensor<?xf64>]>
// CHECK-NEXT:    spark.crop %A dims(%m, %n) : !spark.rdd<[index, index], [tensor<?x?xf64>]>
// CHECK-NEXT:    spark.rekey %A[1, -1] dims(%n, %m) : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index, index], [tensor<?x?xf64>]>
// CHECK-NEXT:    spark.replicate %A dims(%m) : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index, index, index], [tensor<?x?xf64>]>
// CHECK-NEXT:    spark.cogroup %A, %{{.*}} grid(%n, %m) zipped : !spark.rdd<[index, index], [tensor<?x?xf64>]>, !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index, index], [!spark.group<tensor<?x?xf64>>, !spark.group<tensor<?x?xf64>>]>
// CHECK-NEXT:    spark.cogroup %A, %{{.*}} grid(%n, %m) : !spark.rdd<[index, index], [tensor<?x?xf64>]>, !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index, index], [!spark.group<tensor<?x?xf64>>, !spark.group<tensor<?x?xf64>>]>
// CHECK-NEXT:    spark.map_groups add @product(%{{.*}}) dims(%n, %m, %n) indexing_maps[(d0, d1, d2) -> (d0, d2), (d0, d1, d2) -> (d2, d1)] : !spark.rdd<[index, index], [!spark.group<tensor<?x?xf64>>, !spark.group<tensor<?x?xf64>>]> -> !spark.rdd<[index, index], [tensor<?x?xf64>]>
// CHECK-NEXT:    spark.fold max %scalars : !spark.rdd<[], [f64]> -> f64
// CHECK-NEXT:    %{{.*}} = "test.op"() : () -> !spark.rdd<[], [f64, i64]>
// CHECK-NEXT:    %sum, %most = spark.fold_all [add, max] %{{.*}} : !spark.rdd<[], [f64, i64]> -> f64, i64
func.func @tiles(%A: !matrix, %v: !spark.broadcast<tensor<?xf64>>, %x: f64, %scalars: !spark.rdd<[], [f64]>,
                 %n: index, %m: index) {
  %B = spark.map @double(%A) dims(%n, %m) : !matrix -> !matrix
  %P = spark.map @row_sums(%A) dims(%n, %m) captures(%v, %x : !spark.broadcast<tensor<?xf64>>, f64)
      crops[(d0, d1) -> (d1)] to_keys [0] : !matrix -> !vector
  %S = spark.reduce_by_key add %P grid(%m) : !vector
  %C = spark.crop %A dims(%m, %n) : !matrix
  %D = spark.rekey %A[1, -1] dims(%n, %m) : !matrix -> !matrix
  %copies = spark.replicate %A dims(%m) : !matrix -> !spark.rdd<[index, index, index], [tensor<?x?xf64>]>
  %Z = spark.cogroup %A, %B grid(%n, %m) zipped : !matrix, !matrix
      -> !spark.rdd<[index, index], [!spark.group<tensor<?x?xf64>>, !spark.group<tensor<?x?xf64>>]>
  %G = spark.cogroup %A, %D grid(%n, %m) : !matrix, !matrix
      -> !spark.rdd<[index, index], [!spark.group<tensor<?x?xf64>>, !spark.group<tensor<?x?xf64>>]>
  %E = spark.map_groups add @product(%G) dims(%n, %m, %n)
      indexing_maps[(d0, d1, d2) -> (d0, d2), (d0, d1, d2) -> (d2, d1)]
      : !spark.rdd<[index, index], [!spark.group<tensor<?x?xf64>>, !spark.group<tensor<?x?xf64>>]> -> !matrix
  %s = spark.fold max %scalars : !spark.rdd<[], [f64]> -> f64
  %pairs = "test.op"() : () -> !spark.rdd<[], [f64, i64]>
  %sum, %most = spark.fold_all [add, max] %pairs : !spark.rdd<[], [f64, i64]> -> f64, i64
  func.return
}
// GENERIC:      "spark.map"(%A, %n, %m, %v, %x) <{kernel = @row_sums, crops = [affine_map<(d0, d1) -> (d1)>], to_keys = array<i64: 0>, operandSegmentSizes = array<i32: 1, 2, 2>}>
// GENERIC:      "spark.map_groups"(%{{.*}}, %n, %m, %n) <{monoid = "add", kernel = @product, indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>], operandSegmentSizes = array<i32: 1, 3, 0>}>

// CHECK-LABEL: func.func @rows
// CHECK:         %p = spark.map @positive(%r) captures(%x : f64) : !spark.rdd<[], [!comprehension.bag<index, f64>]> -> !spark.rdd<[], [!comprehension.bag<index, f64>]>
// CHECK-NEXT:    %t = spark.route %p[0] dims(%n) : !spark.rdd<[], [!comprehension.bag<index, f64>]> -> !spark.rdd<[index], [!comprehension.bag<index, f64>]>
// CHECK-NEXT:    %g = spark.cogroup %t, %v grid(%n) :
// CHECK-NEXT:    %w = spark.map_groups @scatter(%g) dims(%n) indexing_maps[(d0) -> (d0), (d0) -> (d0)] captures(%x : f64) : !spark.rdd<[index], [!spark.group<!comprehension.bag<index, f64>>, !spark.group<tensor<?xf64>>]> -> !spark.rdd<[index], [tensor<?xf64>]>
// CHECK-NEXT:    %h = spark.hash_rows %p[0] : !spark.rdd<[], [!comprehension.bag<index, f64>]> -> !spark.rdd<[index], [!comprehension.bag<index, f64>]>
// CHECK-NEXT:    %k = spark.hash_rows %r[] : !spark.rdd<[], [!comprehension.bag<index, f64>]> -> !spark.rdd<[index], [!comprehension.bag<index, f64>]>
// CHECK-NEXT:    %l = spark.persist %k buckets : !spark.rdd<[index], [!comprehension.bag<index, f64>]>
// CHECK-NEXT:    %both = spark.cogroup %h, %l sent [1] :
// CHECK-NEXT:    %j = spark.map_groups @pairs(%both) indexing_maps[(d0) -> (d0), (d0) -> (d0)] to_keys [] : !spark.rdd<[index], [!spark.group<!comprehension.bag<index, f64>>, !spark.group<!comprehension.bag<index, f64>>]> -> !spark.rdd<[], [!comprehension.bag<index, f64>]>
func.func @rows(%r: !rows, %v: !vector, %x: f64, %n: index) {
  %p = spark.map @positive(%r) captures(%x : f64) : !rows -> !rows
  %t = spark.route %p[0] dims(%n) : !rows -> !spark.rdd<[index], [!comprehension.bag<index, f64>]>
  %g = spark.cogroup %t, %v grid(%n) : !spark.rdd<[index], [!comprehension.bag<index, f64>]>, !vector
      -> !spark.rdd<[index], [!spark.group<!comprehension.bag<index, f64>>, !spark.group<tensor<?xf64>>]>
  %w = spark.map_groups @scatter(%g) dims(%n) indexing_maps[(d0) -> (d0), (d0) -> (d0)] captures(%x : f64)
      : !spark.rdd<[index], [!spark.group<!comprehension.bag<index, f64>>, !spark.group<tensor<?xf64>>]> -> !vector
  %h = spark.hash_rows %p[0] : !rows -> !spark.rdd<[index], [!comprehension.bag<index, f64>]>
  %k = spark.hash_rows %r[] : !rows -> !spark.rdd<[index], [!comprehension.bag<index, f64>]>
  %l = spark.persist %k buckets : !spark.rdd<[index], [!comprehension.bag<index, f64>]>
  %both = spark.cogroup %h, %l sent [1]
      : !spark.rdd<[index], [!comprehension.bag<index, f64>]>, !spark.rdd<[index], [!comprehension.bag<index, f64>]>
      -> !spark.rdd<[index], [!spark.group<!comprehension.bag<index, f64>>, !spark.group<!comprehension.bag<index, f64>>]>
  %j = spark.map_groups @pairs(%both) indexing_maps[(d0) -> (d0), (d0) -> (d0)] to_keys []
      : !spark.rdd<[index], [!spark.group<!comprehension.bag<index, f64>>, !spark.group<!comprehension.bag<index, f64>>]> -> !rows
  func.return
}

// Attributes that no op knows stay where they are.
// CHECK-LABEL: func.func @attributes
// CHECK:         spark.parallelize %r whole {a} :
// CHECK:         spark.range %n to %n {b} :
// CHECK:         spark.tiles dims(%n) {c} :
// CHECK:         spark.map @positive(%R) captures(%x : f64) {d} :
// CHECK:         spark.crop %T dims(%n) {e} :
// CHECK:         spark.rekey %T[0] dims(%n) {f} :
// CHECK:         spark.route %R[0] dims(%n) {g} :
// CHECK:         spark.hash_rows %R[0] {h} :
// CHECK:         spark.cogroup %H, %H {i} :
// CHECK:         spark.map_groups @pairs(%G) indexing_maps[(d0) -> (d0), (d0) -> (d0)] {j} :
// CHECK:         spark.reduce_by_key add %T grid(%n) {k} :
// CHECK:         spark.fold add %s {l} :
// CHECK:         spark.broadcast %v {m} :
// CHECK:         spark.persist %R {n} :
// CHECK:         spark.collect %R {o} :
func.func @attributes(%r: !comprehension.bag<index, f64>, %v: tensor<?xf64>, %s: !spark.rdd<[], [f64]>, %x: f64, %n: index) {
  %R = spark.parallelize %r whole {a} : !comprehension.bag<index, f64> -> !rows
  %I = spark.range %n to %n {b} : !spark.rdd<[], [!comprehension.bag<index>]>
  %T = spark.tiles dims(%n) {c} : !spark.rdd<[index], []>
  %P = spark.map @positive(%R) captures(%x : f64) {d} : !rows -> !rows
  %C = spark.crop %T dims(%n) {e} : !spark.rdd<[index], []>
  %D = spark.rekey %T[0] dims(%n) {f} : !spark.rdd<[index], []> -> !spark.rdd<[index], []>
  %E = spark.route %R[0] dims(%n) {g} : !rows -> !spark.rdd<[index], [!comprehension.bag<index, f64>]>
  %H = spark.hash_rows %R[0] {h} : !rows -> !spark.rdd<[index], [!comprehension.bag<index, f64>]>
  %G = spark.cogroup %H, %H {i}
      : !spark.rdd<[index], [!comprehension.bag<index, f64>]>, !spark.rdd<[index], [!comprehension.bag<index, f64>]>
      -> !spark.rdd<[index], [!spark.group<!comprehension.bag<index, f64>>, !spark.group<!comprehension.bag<index, f64>>]>
  %J = spark.map_groups @pairs(%G) indexing_maps[(d0) -> (d0), (d0) -> (d0)] {j}
      : !spark.rdd<[index], [!spark.group<!comprehension.bag<index, f64>>, !spark.group<!comprehension.bag<index, f64>>]>
      -> !spark.rdd<[index], [!comprehension.bag<index, f64>]>
  %K = spark.reduce_by_key add %T grid(%n) {k} : !spark.rdd<[index], []>
  %f = spark.fold add %s {l} : !spark.rdd<[], [f64]> -> f64
  %B = spark.broadcast %v {m} : tensor<?xf64> -> !spark.broadcast<tensor<?xf64>>
  %Q = spark.persist %R {n} : !rows
  %c = spark.collect %R {o} : !rows -> !comprehension.bag<index, f64>
  func.return
}

// CHECK-LABEL: func.func @extract
// CHECK-NEXT:    spark.extract %A[%i, %i] dims(%n, %n) : !spark.rdd<[index, index], [tensor<?x?xi64>]> -> i64
func.func @extract(%A: !spark.rdd<[index, index], [tensor<?x?xi64>]>, %i: index, %n: index) -> i64 {
  %x = spark.extract %A[%i, %i] dims(%n, %n) : !spark.rdd<[index, index], [tensor<?x?xi64>]> -> i64
  func.return %x : i64
}

// CHECK-LABEL: func.func @windows
// CHECK-NEXT:    spark.window %v dims(%n) over(%n, %m) affine_map<(d0, d1) -> ((d0 + d1))> from(%m) to(%n) : !spark.rdd<[index], [tensor<?xf64, #tensor_block.storage<dense = 0>>]> -> !spark.rdd<[index, index], [tensor<?xf64>]>
// CHECK-NEXT:    spark.split %t dims(%n) : !spark.rdd<[], [tensor<?xi64>]> -> !spark.rdd<[index], [tensor<?xi64>]>
func.func @windows(%v: !spark.rdd<[index], [tensor<?xf64, #tensor_block.storage<dense = 0>>]>, %t: !spark.rdd<[], [tensor<?xi64>]>, %n: index, %m: index) {
  %w = spark.window %v dims(%n) over(%n, %m) affine_map<(d0, d1) -> (d0 + d1)> from(%m) to(%n)
      : !spark.rdd<[index], [tensor<?xf64, #tensor_block.storage<dense = 0>>]> -> !spark.rdd<[index, index], [tensor<?xf64>]>
  %s = spark.split %t dims(%n) : !spark.rdd<[], [tensor<?xi64>]> -> !spark.rdd<[index], [tensor<?xi64>]>
  func.return
}

// -----

!pairs = !comprehension.bag<i64, f64>

// CHECK-LABEL: func.func @groups
// CHECK-NEXT:    spark.collect_groups @sums(%r[0]) captures(%x : f64) : !spark.rdd<[], [!comprehension.bag<i64, f64>]> -> !comprehension.bag<i64, f64>
func.func @groups(%r: !spark.rdd<[], [!pairs]>, %x: f64) -> !pairs {
  %s = spark.collect_groups @sums(%r[0]) captures(%x : f64) : !spark.rdd<[], [!pairs]> -> !pairs
  func.return %s : !pairs
}
func.func private @sums(!pairs, f64) -> !pairs
