// RUN: diablo-opt %s -p collect-groups --split-input-file --remarks 2>%t | filecheck %s
// RUN: filecheck %s --input-file %t --check-prefix=REMARK

!pairs = !comprehension.bag<i64, f64>
!groups = !spark.group<!pairs>

// The rows of each batch are groups already; what is done with their rows, the driver does.
// REMARK:      remark: the driver brings the groups together if they are few: they need no shuffle
// REMARK-NOT:  remark: the driver brings
// CHECK-LABEL: func.func @sums
// CHECK-NEXT:    %[[P:.*]] = spark.map @reduced(%R)
// CHECK-NEXT:    %[[G:.*]] = spark.collect_groups @reduced(%[[P]][0]) : !spark.rdd<[], [!comprehension.bag<i64, f64>]> -> !comprehension.bag<i64, f64>
// CHECK-NEXT:    %[[S:.*]] = func.call @scaled(%[[G]], %x) : (!comprehension.bag<i64, f64>, f64) -> !comprehension.bag<i64, f64>
// CHECK-NEXT:    "test.op"(%[[S]])
func.func @sums(%R: !spark.rdd<[], [!pairs]>, %x: f64) {
  %p = spark.map @reduced(%R) : !spark.rdd<[], [!pairs]> -> !spark.rdd<[], [!pairs]>
  %h = spark.hash_rows %p[0] : !spark.rdd<[], [!pairs]> -> !spark.rdd<[index], [!pairs]>
  %c = spark.cogroup %h : !spark.rdd<[index], [!pairs]> -> !spark.rdd<[index], [!groups]>
  %g = spark.map_groups @reduced(%c) indexing_maps[(d0) -> (d0)] to_keys [] : !spark.rdd<[index], [!groups]> -> !spark.rdd<[], [!pairs]>
  %m = spark.map @scaled(%g) captures(%x : f64) : !spark.rdd<[], [!pairs]> -> !spark.rdd<[], [!pairs]>
  %s = spark.collect %m : !spark.rdd<[], [!pairs]> -> !pairs
  "test.op"(%s) : (!pairs) -> ()
  func.return
}

// Not so if the program returns the list, if the rows were not reduced before, if something else
// reads the groups, and if what is done with them needs what workers have.
// CHECK-NOT:   spark.collect_groups
func.func @returned(%R: !spark.rdd<[], [!pairs]>) -> !pairs {
  %p = spark.map @reduced(%R) : !spark.rdd<[], [!pairs]> -> !spark.rdd<[], [!pairs]>
  %h = spark.hash_rows %p[0] : !spark.rdd<[], [!pairs]> -> !spark.rdd<[index], [!pairs]>
  %c = spark.cogroup %h : !spark.rdd<[index], [!pairs]> -> !spark.rdd<[index], [!groups]>
  %g = spark.map_groups @reduced(%c) indexing_maps[(d0) -> (d0)] to_keys [] : !spark.rdd<[index], [!groups]> -> !spark.rdd<[], [!pairs]>
  %s = spark.collect %g : !spark.rdd<[], [!pairs]> -> !pairs
  func.return %s : !pairs
}
func.func @all_rows(%R: !spark.rdd<[], [!pairs]>) {
  %h = spark.hash_rows %R[0] : !spark.rdd<[], [!pairs]> -> !spark.rdd<[index], [!pairs]>
  %c = spark.cogroup %h : !spark.rdd<[index], [!pairs]> -> !spark.rdd<[index], [!groups]>
  %g = spark.map_groups @reduced(%c) indexing_maps[(d0) -> (d0)] to_keys [] : !spark.rdd<[index], [!groups]> -> !spark.rdd<[], [!pairs]>
  %s = spark.collect %g : !spark.rdd<[], [!pairs]> -> !pairs
  "test.op"(%s) : (!pairs) -> ()
  func.return
}
func.func @read_twice(%R: !spark.rdd<[], [!pairs]>) {
  %p = spark.map @reduced(%R) : !spark.rdd<[], [!pairs]> -> !spark.rdd<[], [!pairs]>
  %h = spark.hash_rows %p[0] : !spark.rdd<[], [!pairs]> -> !spark.rdd<[index], [!pairs]>
  %c = spark.cogroup %h : !spark.rdd<[index], [!pairs]> -> !spark.rdd<[index], [!groups]>
  %g = spark.map_groups @reduced(%c) indexing_maps[(d0) -> (d0)] to_keys [] : !spark.rdd<[index], [!groups]> -> !spark.rdd<[], [!pairs]>
  %s = spark.collect %g : !spark.rdd<[], [!pairs]> -> !pairs
  "test.op"(%s, %g) : (!pairs, !spark.rdd<[], [!pairs]>) -> ()
  func.return
}
func.func @broadcast(%R: !spark.rdd<[], [!pairs]>, %x: !spark.broadcast<tensor<?xf64>>) {
  %p = spark.map @reduced(%R) : !spark.rdd<[], [!pairs]> -> !spark.rdd<[], [!pairs]>
  %h = spark.hash_rows %p[0] : !spark.rdd<[], [!pairs]> -> !spark.rdd<[index], [!pairs]>
  %c = spark.cogroup %h : !spark.rdd<[index], [!pairs]> -> !spark.rdd<[index], [!groups]>
  %g = spark.map_groups @reduced(%c) indexing_maps[(d0) -> (d0)] to_keys [] : !spark.rdd<[index], [!groups]> -> !spark.rdd<[], [!pairs]>
  %m = spark.map @looked_up(%g) captures(%x : !spark.broadcast<tensor<?xf64>>) : !spark.rdd<[], [!pairs]> -> !spark.rdd<[], [!pairs]>
  %s = spark.collect %m : !spark.rdd<[], [!pairs]> -> !pairs
  "test.op"(%s) : (!pairs) -> ()
  func.return
}
func.func private @reduced(%rows: !pairs) -> !pairs {
  %0 = tensor_block.group_reduce %rows keys 1 monoids(add) : !pairs
  func.return %0 : !pairs
}
func.func private @scaled(%rows: !pairs, %x: f64) -> !pairs {
  func.return %rows : !pairs
}
func.func private @looked_up(%rows: !pairs, %x: tensor<?xf64>) -> !pairs {
  func.return %rows : !pairs
}
