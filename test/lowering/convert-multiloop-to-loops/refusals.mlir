// Functions that have no form over buffers stay as they are, and a remark says why.
// RUN: diablo-opt %s -p convert-multiloop-to-loops --verify-diagnostics
// RUN: diablo-opt %s -p convert-multiloop-to-loops | filecheck %s
// RUN: diablo-opt %s -p convert-multiloop-to-loops | filecheck %s --check-prefix=NO

// NO-NOT: memref
// NO: func.func @own_rows
// NO-NOT: memref

!rows = !comprehension.bag<f64>
!indices = !comprehension.bag<index>
!groups = !comprehension.bag<index, index>

// CHECK-LABEL: func.func @two_loops
// CHECK-COUNT-2: multiloop.loop
// expected-remark @+1 {{no loops over buffers: it has 2 loops}}
func.func @two_loops(%rows: !rows) -> (f64, f64) {
  %s = multiloop.loop rows(%rows : !rows) -> f64 {
  ^bb0(%x: f64, %sum: !multiloop.reduce<add : f64>):
    multiloop.emit %sum(%x : f64)
  }
  %m = multiloop.loop rows(%rows : !rows) -> f64 {
  ^bb0(%x: f64, %max: !multiloop.reduce<max : f64>):
    multiloop.emit %max(%x : f64)
  }
  func.return %s, %m : f64, f64
}

// CHECK-LABEL: func.func @computes_behind
// CHECK:         multiloop.loop
// CHECK:         arith.negf
// expected-remark @+1 {{no loops over buffers: it returns something else than what its loop makes}}
func.func @computes_behind(%rows: !rows) -> f64 {
  %s = multiloop.loop rows(%rows : !rows) -> f64 {
  ^bb0(%x: f64, %sum: !multiloop.reduce<add : f64>):
    multiloop.emit %sum(%x : f64)
  }
  %n = arith.negf %s : f64
  func.return %n : f64
}

// CHECK-LABEL: func.func @other_ops
// CHECK-NEXT:    tensor_block.concat
// CHECK-NEXT:    multiloop.loop
// expected-remark @+1 {{no loops over buffers: tensor_block.concat is no loop}}
func.func @other_ops(%rows: !rows) -> f64 {
  %both = tensor_block.concat %rows, %rows : !rows, !rows -> !rows
  %s = multiloop.loop rows(%both : !rows) -> f64 {
  ^bb0(%x: f64, %sum: !multiloop.reduce<add : f64>):
    multiloop.emit %sum(%x : f64)
  }
  func.return %s : f64
}

// CHECK-LABEL: func.func @sparse
// CHECK-NEXT:    multiloop.loop
// expected-remark @+1 {{no loops over buffers: argument of type tensor<?xf64, #tensor_block.storage<dense = 0>>}}
func.func @sparse(%rows: !rows, %v: tensor<?xf64, #tensor_block.storage<dense = 0>>) -> f64 {
  %s = multiloop.loop rows(%rows : !rows) -> f64 {
  ^bb0(%x: f64, %sum: !multiloop.reduce<add : f64>):
    multiloop.emit %sum(%x : f64)
  }
  func.return %s : f64
}

// What a row has put into buckets is not taken back where these are full.
// CHECK-LABEL: func.func @number_of_its_own
// CHECK:         multiloop.loop rows
// CHECK:         multiloop.loop range
// expected-remark @+1 {{no loops over buffers: rows with emits of a number of their own fill buckets}}
func.func @number_of_its_own(%rows: !indices, %zero: index) -> !groups {
  %r = multiloop.loop rows(%rows : !indices) -> !groups {
  ^bb0(%n: index, %all: !multiloop.bucket_reduce<[index], add : index>):
    multiloop.loop range(%zero, %n : index, index) {
    ^bb1(%i: index):
      multiloop.emit %all[%i : index](%n : index)
    }
  }
  func.return %r : !groups
}

// A branch around such a loop does not change that.
// CHECK-LABEL: func.func @number_in_a_branch
// CHECK:         multiloop.loop rows
// CHECK:         multiloop.loop range
// expected-remark @+1 {{no loops over buffers: rows with emits of a number of their own fill buckets}}
func.func @number_in_a_branch(%rows: !indices, %zero: index) -> !groups {
  %r = multiloop.loop rows(%rows : !indices) -> !groups {
  ^bb0(%n: index, %all: !multiloop.bucket_reduce<[index], add : index>):
    %some = arith.cmpi sgt, %n, %zero : index
    scf.if %some {
      multiloop.loop range(%zero, %n : index, index) {
      ^bb1(%i: index):
        multiloop.emit %all[%i : index](%n : index)
      }
    }
  }
  func.return %r : !groups
}

// CHECK-LABEL: func.func @loop_of_its_own
// CHECK:         multiloop.loop rows
// CHECK:         scf.for
// expected-remark @+1 {{no loops over buffers: a row emits rows in a loop of its own}}
func.func @loop_of_its_own(%rows: !indices, %zero: index, %one: index) -> !indices {
  %r = multiloop.loop rows(%rows : !indices) -> !indices {
  ^bb0(%n: index, %all: !multiloop.collect<index>):
    scf.for %i = %zero to %n step %one {
      multiloop.emit %all(%i : index)
    }
  }
  func.return %r : !indices
}

// CHECK-LABEL: func.func @effects
// CHECK:         multiloop.loop
// expected-remark @+1 {{no loops over buffers: test.op has effects, and a row may be done twice}}
func.func @effects(%rows: !indices) -> index {
  %s = multiloop.loop rows(%rows : !indices) -> index {
  ^bb0(%n: index, %sum: !multiloop.reduce<add : index>):
    %x = "test.op"(%n) : (index) -> index
    multiloop.emit %sum(%x : index)
  }
  func.return %s : index
}

// CHECK-LABEL: func.func @complex_keys
// CHECK:         multiloop.loop
// expected-remark @+1 {{no loops over buffers: there is no hash of complex<f64>}}
func.func @complex_keys(%rows: !comprehension.bag<complex<f64>>) -> !comprehension.bag<complex<f64>> {
  %s = multiloop.loop rows(%rows : !comprehension.bag<complex<f64>>) -> !comprehension.bag<complex<f64>> {
  ^bb0(%z: complex<f64>, %all: !multiloop.bucket_reduce<[complex<f64>]>):
    multiloop.emit %all[%z : complex<f64>]()
  }
  func.return %s : !comprehension.bag<complex<f64>>
}

// CHECK-LABEL: func.func @array_of_its_own
// CHECK:         multiloop.loop
// expected-remark @+1 {{no loops over buffers: it reads an array that it makes}}
func.func @array_of_its_own(%rows: !indices) -> f64 {
  %s = multiloop.loop rows(%rows : !indices) -> f64 {
  ^bb0(%n: index, %sum: !multiloop.reduce<add : f64>):
    %v = tensor.empty(%n) : tensor<?xf64>
    %x = tensor.extract %v[%n] : tensor<?xf64>
    multiloop.emit %sum(%x : f64)
  }
  func.return %s : f64
}

// CHECK-LABEL: func.func @own_rows
// CHECK:         multiloop.loop
// CHECK:         multiloop.loop
// expected-remark @+1 {{no loops over buffers: a loop for each row makes rows of its own}}
func.func @own_rows(%rows: !indices, %zero: index) -> i64 {
  %s = multiloop.loop rows(%rows : !indices) -> i64 {
  ^bb0(%n: index, %sum: !multiloop.reduce<add : i64>):
    %own = multiloop.loop range(%zero, %n : index, index) -> !indices {
    ^bb1(%i: index, %all: !multiloop.collect<index>):
      multiloop.emit %all(%i : index)
    }
    %k = comprehension.length %own : !indices
    multiloop.emit %sum(%k : i64)
  }
  func.return %s : i64
}

// CHECK-LABEL: func.func @lists_of_lists
// CHECK:         multiloop.loop
// expected-remark @+1 {{no loops over buffers: a list of a row has lists itself}}
func.func @lists_of_lists(%rows: !comprehension.bag<!comprehension.bag<!indices>>) -> index {
  %s = multiloop.loop rows(%rows : !comprehension.bag<!comprehension.bag<!indices>>) -> index {
  ^bb0(%outer: !comprehension.bag<!indices>, %sum: !multiloop.reduce<add : index>):
    multiloop.loop rows(%outer : !comprehension.bag<!indices>) {
    ^bb1(%inner: !indices):
      multiloop.loop rows(%inner : !indices) {
      ^bb2(%n: index):
        multiloop.emit %sum(%n : index)
      }
    }
  }
  func.return %s : index
}

// CHECK-LABEL: func.func @sorted_list
// CHECK:         multiloop.loop
// expected-remark @+1 {{no loops over buffers: a list is made by tensor_block.sort}}
func.func @sorted_list(%rows: !comprehension.bag<!indices>) -> !comprehension.bag<!indices> {
  %s = multiloop.loop rows(%rows : !comprehension.bag<!indices>) -> !comprehension.bag<!indices> {
  ^bb0(%list: !indices, %all: !multiloop.collect<!indices>):
    %sorted = tensor_block.sort %list by [0] : !indices -> !indices
    multiloop.emit %all(%sorted : !indices)
  }
  func.return %s : !comprehension.bag<!indices>
}

// How many keys a row has shows when its list is gone through.
// CHECK-LABEL: func.func @keys_of_a_list
// CHECK:         multiloop.loop
// expected-remark @+1 {{no loops over buffers: rows with emits of a number of their own fill buckets}}
func.func @keys_of_a_list(%rows: !comprehension.bag<!indices>) -> !comprehension.bag<index, !indices> {
  %s = multiloop.loop rows(%rows : !comprehension.bag<!indices>) -> !comprehension.bag<index, !indices> {
  ^bb0(%list: !indices, %all: !multiloop.bucket_collect<[index], index>):
    multiloop.loop rows(%list : !indices) {
    ^bb1(%n: index):
      multiloop.emit %all[%n : index](%n : index)
    }
  }
  func.return %s : !comprehension.bag<index, !indices>
}

// CHECK-LABEL: func.func @complex_keys_of_lists
// CHECK:         multiloop.loop
// expected-remark @+1 {{no loops over buffers: there is no hash of complex<f64>}}
func.func @complex_keys_of_lists(%rows: !comprehension.bag<complex<f64>, index>) -> !comprehension.bag<complex<f64>, !indices> {
  %s = multiloop.loop rows(%rows : !comprehension.bag<complex<f64>, index>) -> !comprehension.bag<complex<f64>, !indices> {
  ^bb0(%z: complex<f64>, %n: index, %all: !multiloop.bucket_collect<[complex<f64>], index>):
    multiloop.emit %all[%z : complex<f64>](%n : index)
  }
  func.return %s : !comprehension.bag<complex<f64>, !indices>
}

// CHECK-LABEL: func.func @points_of_a_row
// CHECK:         multiloop.loop rows
// CHECK:           multiloop.loop points
// expected-remark @+1 {{no loops over buffers: a loop over points is in another loop}}
func.func @points_of_a_row(%n: index, %rows: !rows, %x: tensor<?xf64>) -> f64 {
  %s = multiloop.loop rows(%rows : !rows) -> f64 {
  ^bb0(%a: f64, %all: !multiloop.reduce<add : f64>):
    %t = multiloop.loop points(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> f64 {
    ^bb1(%j: index, %e: f64, %sum: !multiloop.reduce<add : f64>):
      %p = arith.mulf %a, %e : f64
      multiloop.emit %sum(%p : f64)
    }
    multiloop.emit %all(%t : f64)
  }
  func.return %s : f64
}

// CHECK-LABEL: func.func @loop_at_a_point
// CHECK:         multiloop.loop points
// CHECK:           multiloop.loop range
// expected-remark @+1 {{no loops over buffers: there is a loop within one over points}}
func.func @loop_at_a_point(%n: index, %x: tensor<?xf64>) -> f64 {
  %s = multiloop.loop points(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %a: f64, %all: !multiloop.reduce<add : f64>):
    %t = multiloop.loop range(%i, %n : index, index) -> f64 {
    ^bb1(%j: index, %sum: !multiloop.reduce<add : f64>):
      multiloop.emit %sum(%a : f64)
    }
    multiloop.emit %all(%t : f64)
  }
  func.return %s : f64
}

// CHECK-LABEL: func.func @nothing_made
// CHECK:         multiloop.loop points
// expected-remark @+1 {{no loops over buffers: a loop over points makes nothing}}
func.func @nothing_made(%n: index, %x: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  multiloop.loop points(d0 < %n) ins(%x[d0] : tensor<?xf64>) {
  ^bb0(%i: index, %a: f64):
  }
  func.return %zero : f64
}
