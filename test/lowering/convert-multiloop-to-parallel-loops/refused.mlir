// What stays as it is, and why.
// RUN: diablo-opt %s -p convert-multiloop-to-parallel-loops --remarks 2>&1 | filecheck %s

// CHECK: remark: no loops that threads can share: it has 2 loops
// CHECK: remark: no loops that threads can share: lists of groups are made by the processor
// CHECK: remark: no loops that threads can share: lists that rows have are gone through by the processor
// CHECK: remark: no loops that threads can share: lists of rows are made by the processor
// CHECK: func.func @two
// CHECK: multiloop.loop
func.func @two(%rows: !comprehension.bag<f64>) -> (f64, f64) {
  %r = multiloop.loop rows(%rows : !comprehension.bag<f64>) -> f64 {
  ^bb0(%x: f64, %all: !multiloop.reduce<max : f64>):
    multiloop.emit %all(%x : f64)
  }
  %s = multiloop.loop rows(%rows : !comprehension.bag<f64>) -> f64 {
  ^bb0(%x: f64, %all: !multiloop.reduce<min : f64>):
    multiloop.emit %all(%x : f64)
  }
  func.return %r, %s : f64, f64
}

!list = !comprehension.bag<f64>

// CHECK: func.func @groups
// CHECK: multiloop.loop
func.func @groups(%rows: !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, !list> {
  %r = multiloop.loop rows(%rows : !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, !list> {
  ^bb0(%k: i64, %x: f64, %all: !multiloop.bucket_collect<[i64], f64>):
    multiloop.emit %all[%k : i64](%x : f64)
  }
  func.return %r : !comprehension.bag<i64, !list>
}

// CHECK: func.func @own_list
// CHECK: multiloop.loop
func.func @own_list(%rows: !comprehension.bag<!list>) -> f64 {
  %r = multiloop.loop rows(%rows : !comprehension.bag<!list>) -> f64 {
  ^bb0(%xs: !list, %sum: !multiloop.reduce<add : f64>):
    multiloop.loop rows(%xs : !list) {
    ^bb1(%x: f64):
      multiloop.emit %sum(%x : f64)
    }
  }
  func.return %r : f64
}

// CHECK: func.func @made_list
// CHECK: multiloop.loop
func.func @made_list(%rows: !comprehension.bag<f64>, %zero: index, %n: index) -> !comprehension.bag<!list> {
  %r = multiloop.loop rows(%rows : !comprehension.bag<f64>) -> !comprehension.bag<!list> {
  ^bb0(%x: f64, %all: !multiloop.collect<!list>):
    %many = multiloop.loop range(%zero, %n : index, index) -> !list {
    ^bb1(%i: index, %own: !multiloop.collect<f64>):
      multiloop.emit %own(%x : f64)
    }
    multiloop.emit %all(%many : !list)
  }
  func.return %r : !comprehension.bag<!list>
}
