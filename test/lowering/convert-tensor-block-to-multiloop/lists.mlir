// Groups that keep their rows, and what is done with the lists that rows have.
// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop | filecheck %s
// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop,fuse-multiloops | filecheck %s --check-prefix=FUSED

!rows = !comprehension.bag<i64, f64, i1>
!list = !comprehension.bag<f64>
!lists = !comprehension.bag<i64, !list>

// What is computed before is a part of the loop that groups; what goes through the groups is not.
// CHECK-LABEL: func.func @group(
// CHECK:         %groups = multiloop.loop rows(%big : !comprehension.bag<i64, f64, i1>) -> !comprehension.bag<i64, !comprehension.bag<f64>, !comprehension.bag<i1>> {
// CHECK-NEXT:    ^bb{{.*}}(%0: i64, %1: f64, %2: i1, [[ALL:%.+]]: !multiloop.bucket_collect<[i64], f64, i1>):
// CHECK-NEXT:      multiloop.emit [[ALL]][%0 : i64](%1, %2 : f64, i1)
// CHECK-NEXT:    }
// FUSED-LABEL: func.func @group(
// FUSED-NEXT:    %groups = multiloop.loop rows(%rows :
// FUSED-NEXT:    ^bb{{.*}}(%k: i64, %x: f64, %p: i1, %all: !multiloop.bucket_collect<[i64], f64, i1>):
// FUSED-NEXT:      scf.if %p {
// FUSED-NEXT:        multiloop.emit %all[%k : i64](%x, %p : f64, i1)
// FUSED:         %kept = multiloop.loop rows(%groups :
func.func @group(%rows: !rows) -> !comprehension.bag<i64> {
  %big = tensor_block.filter %rows : !rows {
  ^bb0(%k: i64, %x: f64, %p: i1):
    tensor_block.yield %p : i1
  }
  %groups = tensor_block.group %big keys 1 : !rows -> !comprehension.bag<i64, !list, !comprehension.bag<i1>>
  %kept = tensor_block.project %groups[0] : !comprehension.bag<i64, !list, !comprehension.bag<i1>> -> !comprehension.bag<i64>
  func.return %kept : !comprehension.bag<i64>
}

// CHECK-LABEL: func.func @unnest(
// CHECK-NEXT:    %all = multiloop.loop rows(%rows : !comprehension.bag<i64, !comprehension.bag<f64>>) -> !comprehension.bag<i64, !comprehension.bag<f64>, f64> {
// CHECK-NEXT:    ^bb{{.*}}(%0: i64, %1: !comprehension.bag<f64>, %all_1: !multiloop.collect<i64, !comprehension.bag<f64>, f64>):
// CHECK-NEXT:      multiloop.loop rows(%1 : !comprehension.bag<f64>) {
// CHECK-NEXT:      ^bb{{.*}}(%2: f64):
// CHECK-NEXT:        multiloop.emit %all_1(%0, %1, %2 : i64, !comprehension.bag<f64>, f64)
func.func @unnest(%rows: !lists) -> !comprehension.bag<i64, !list, f64> {
  %all = tensor_block.unnest %rows[1] : !lists -> !comprehension.bag<i64, !list, f64>
  func.return %all : !comprehension.bag<i64, !list, f64>
}

// How long the list of a row is, is known; what it is folded to is a loop, and one with others.
// CHECK-LABEL: func.func @fold(
// CHECK:           %sum = multiloop.loop rows(%xs : !comprehension.bag<f64>) -> f64 {
// CHECK:           %most = multiloop.loop rows(%xs : !comprehension.bag<f64>) -> f64 {
// CHECK:           %n = comprehension.length %xs : !comprehension.bag<f64>
// FUSED-LABEL: func.func @fold(
// FUSED:           %sum, %most = multiloop.loop rows(%xs : !comprehension.bag<f64>) -> f64, f64 {
func.func @fold(%rows: !lists) -> !comprehension.bag<i64, f64, f64> {
  %r = tensor_block.extend %rows to [4, 2, 3] : !lists -> !comprehension.bag<i64, f64, f64> {
  ^bb0(%k: i64, %xs: !list):
    %sum = comprehension.reduce add %xs : !list
    %most = comprehension.reduce max %xs : !list
    %n = comprehension.length %xs : !list
    tensor_block.yield %sum, %most, %n : f64, f64, i64
  }
  func.return %r : !comprehension.bag<i64, f64, f64>
}
