// Every op and type, in the custom and the generic form, comes back as it was.
// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: diablo-opt %s --print-debuginfo | filecheck %s --check-prefix=PLACE
// RUN: diablo-opt %s --print-debuginfo | diablo-opt --print-debuginfo | filecheck %s --check-prefix=PLACE

// CHECK-LABEL: func.func @types
// CHECK-NEXT:    "test.op"() : () -> (!multiloop.collect<f64, i64>, !multiloop.collect<>, !multiloop.reduce<add : f64>, !multiloop.reduce<@closest : tuple<f64, i64>>)
// CHECK-NEXT:    "test.op"() : () -> (!multiloop.bucket_reduce<[i64], add : f64, max : i64>, !multiloop.bucket_reduce<[index, !comprehension.string]>, !multiloop.bucket_reduce<[i1], any : f64, @closest : tuple<f64, i64>>)
// CHECK-NEXT:    "test.op"() : () -> (!multiloop.bucket_collect<[i64], f64>, !multiloop.bucket_collect<[i64, i1], (f64, i64), !comprehension.bag<f64>>, !multiloop.bucket_collect<[f64]>)
func.func @types() {
  %0:4 = "test.op"() : () -> (!multiloop.collect<f64, i64>, !multiloop.collect<>,
      !multiloop.reduce<add : f64>, !multiloop.reduce<@closest : tuple<f64, i64>>)
  %1:3 = "test.op"() : () -> (!multiloop.bucket_reduce<[i64], add : f64, max : i64>,
      !multiloop.bucket_reduce<[index, !comprehension.string]>,
      !multiloop.bucket_reduce<[i1], any : f64, @closest : tuple<f64, i64>>)
  %2:3 = "test.op"() : () -> (!multiloop.bucket_collect<[i64], (f64)>,
      !multiloop.bucket_collect<[i64, i1], (f64, i64), !comprehension.bag<f64>>,
      !multiloop.bucket_collect<[f64]>)
  func.return
}

// CHECK-LABEL: func.func @rows
// CHECK-NEXT:    %kept, %sum, %groups, %keys = multiloop.loop rows(%batch : !comprehension.bag<i64, f64>) -> !comprehension.bag<f64, f64>, f64, !comprehension.bag<i64, i1, f64, f64>, !comprehension.bag<i64> attributes {note = "kept"} {
// CHECK-NEXT:    ^bb{{[0-9]+}}(%k: i64, %x: f64, %all: !multiloop.collect<f64, f64>, %total: !multiloop.reduce<add : f64>, %buckets: !multiloop.bucket_reduce<[i64, i1], max : f64, any : f64>, %distinct: !multiloop.bucket_reduce<[i64]>):
// CHECK-NEXT:      %p = arith.cmpf ogt, %x, %zero : f64
// CHECK-NEXT:      multiloop.emit %buckets[%k, %p : i64, i1](%x, %zero : f64, f64)
// CHECK-NEXT:      multiloop.emit %distinct[%k : i64]()
// CHECK-NEXT:      scf.if %p {
// CHECK-NEXT:        multiloop.emit %all(%x, %x : f64, f64)
// CHECK-NEXT:        multiloop.emit %all(%x, %zero : f64, f64) {note = "kept"}
// CHECK-NEXT:      } else {
// CHECK-NEXT:        multiloop.emit %total(%x : f64)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @rows(%batch: !comprehension.bag<i64, f64>, %zero: f64) {
  %kept, %sum, %groups, %keys = multiloop.loop rows(%batch : !comprehension.bag<i64, f64>)
      -> !comprehension.bag<f64, f64>, f64, !comprehension.bag<i64, i1, f64, f64>,
         !comprehension.bag<i64> attributes {note = "kept"} {
  ^bb0(%k: i64, %x: f64, %all: !multiloop.collect<f64, f64>, %total: !multiloop.reduce<add : f64>,
       %buckets: !multiloop.bucket_reduce<[i64, i1], max : f64, any : f64>,
       %distinct: !multiloop.bucket_reduce<[i64]>):
    %p = arith.cmpf ogt, %x, %zero : f64
    multiloop.emit %buckets[%k, %p : i64, i1](%x, %zero : f64, f64)
    multiloop.emit %distinct[%k : i64]()
    scf.if %p {
      multiloop.emit %all(%x, %x : f64, f64)
      multiloop.emit %all(%x, %zero : f64, f64) {note = "kept"}
    } else {
      multiloop.emit %total(%x : f64)
    }
  }
  func.return
}
// GENERIC:      "multiloop.loop"(%batch) <{source = "rows", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> ({
// GENERIC:        "multiloop.emit"(%buckets, %k, %p, %x, %zero) <{operandSegmentSizes = array<i32: 1, 2, 2>}> : (!multiloop.bucket_reduce<[i64, i1], max : f64, any : f64>, i64, i1, f64, f64) -> ()
// GENERIC:        "multiloop.emit"(%distinct, %k) <{operandSegmentSizes = array<i32: 1, 1, 0>}>
// GENERIC:        "multiloop.emit"(%all, %x, %zero) <{operandSegmentSizes = array<i32: 1, 0, 2>}> {note = "kept"}
// GENERIC:      }) {note = "kept"} : (!comprehension.bag<i64, f64>) -> (!comprehension.bag<f64, f64>, f64, !comprehension.bag<i64, i1, f64, f64>, !comprehension.bag<i64>)

// Loops in loops emit to generators of either, from any depth.
// CHECK-LABEL: func.func @nested
// CHECK-NEXT:    %pairs = multiloop.loop range(%n, %m : index, index) -> !comprehension.bag<index, index> {
// CHECK-NEXT:    ^bb{{[0-9]+}}(%i: index, %all: !multiloop.collect<index, index>):
// CHECK-NEXT:      %length = multiloop.loop range(%n, %i : index, index) -> index {
// CHECK-NEXT:      ^bb{{[0-9]+}}(%j: index, %count: !multiloop.reduce<add : index>):
// CHECK-NEXT:        scf.for %k = %n to %j step %m {
// CHECK-NEXT:          multiloop.emit %all(%i, %k : index, index)
// CHECK-NEXT:        }
// CHECK-NEXT:        multiloop.emit %count(%j : index)
// CHECK-NEXT:      }
// CHECK-NEXT:      multiloop.emit %all(%length, %length : index, index)
// CHECK-NEXT:    }
func.func @nested(%n: index, %m: index) {
  %pairs = multiloop.loop range(%n, %m : index, index) -> !comprehension.bag<index, index> {
  ^bb0(%i: index, %all: !multiloop.collect<index, index>):
    %length = multiloop.loop range(%n, %i : index, index) -> index {
    ^bb1(%j: index, %count: !multiloop.reduce<add : index>):
      scf.for %k = %n to %j step %m {
        multiloop.emit %all(%i, %k : index, index)
      }
      multiloop.emit %count(%j : index)
    }
    multiloop.emit %all(%length, %length : index, index)
  }
  func.return
}

// Rows without columns, generators without emits, and bodies without ops.
// CHECK-LABEL: func.func @nothing
// CHECK-NEXT:    multiloop.loop rows(%b : !comprehension.bag<>) {
// CHECK-NEXT:    ^bb{{[0-9]+}}:
// CHECK-NEXT:    }
// CHECK-NEXT:    %rows = multiloop.loop rows(%b : !comprehension.bag<>) -> !comprehension.bag<> {
// CHECK-NEXT:    ^bb{{[0-9]+}}(%all: !multiloop.collect<>):
// CHECK-NEXT:      multiloop.emit %all()
// CHECK-NEXT:    }
// CHECK-NEXT:    %zero = multiloop.loop rows(%rows : !comprehension.bag<>) -> f64 {
// CHECK-NEXT:    ^bb{{[0-9]+}}(%sum: !multiloop.reduce<add : f64>):
// CHECK-NEXT:    }
func.func @nothing(%b: !comprehension.bag<>) {
  multiloop.loop rows(%b : !comprehension.bag<>) {}
  %rows = multiloop.loop rows(%b : !comprehension.bag<>) -> !comprehension.bag<> {
  ^bb1(%all: !multiloop.collect<>):
    multiloop.emit %all()
  }
  %zero = multiloop.loop rows(%rows : !comprehension.bag<>) -> f64 {
  ^bb2(%sum: !multiloop.reduce<add : f64>):
  }
  func.return
}

// A monoid of the program's own, and the keys of a map.
// CHECK-LABEL: func.func @closest_key
// CHECK-NEXT:    %best = multiloop.loop rows(%m : !comprehension.bag<keys = 1, i64, f64>) -> tuple<f64, i64> {
// CHECK-NEXT:    ^bb{{[0-9]+}}(%k: i64, %x: f64, %least: !multiloop.reduce<@closest : tuple<f64, i64>>):
// CHECK-NEXT:      %t = comprehension.pack %x, %k
// CHECK-NEXT:      multiloop.emit %least(%t : tuple<f64, i64>)
// CHECK-NEXT:    }
comprehension.monoid @closest : tuple<f64, i64> identity [0.0 : f64, 0 : i64] {
^bb0(%a: tuple<f64, i64>, %b: tuple<f64, i64>):
  comprehension.yield %a
}
func.func @closest_key(%m: !comprehension.bag<keys = 1, i64, f64>) -> tuple<f64, i64> {
  %best = multiloop.loop rows(%m : !comprehension.bag<keys = 1, i64, f64>) -> tuple<f64, i64> {
  ^bb0(%k: i64, %x: f64, %least: !multiloop.reduce<@closest : tuple<f64, i64>>):
    %t = comprehension.pack %x, %k : tuple<f64, i64>
    multiloop.emit %least(%t : tuple<f64, i64>)
  }
  func.return %best : tuple<f64, i64>
}

// PLACE-LABEL: func.func @places
// PLACE-NEXT:    %n = multiloop.loop range(%a, %b : index, index) -> index {
// PLACE-NEXT:    ^bb{{[0-9]+}}(%i: index loc("a.diablo":1:2), %sum: !multiloop.reduce<add : index> loc("a.diablo":1:3)):
// PLACE-NEXT:      multiloop.emit %sum(%i : index) loc("a.diablo":1:4)
// PLACE-NEXT:    } loc("a.diablo":1:1)
func.func @places(%a: index, %b: index) {
  %n = multiloop.loop range(%a, %b : index, index) -> index {
  ^bb0(%i: index loc("a.diablo":1:2), %sum: !multiloop.reduce<add : index> loc("a.diablo":1:3)):
    multiloop.emit %sum(%i : index) loc("a.diablo":1:4)
  } loc("a.diablo":1:1)
  func.return
}

// A scan gives back what is folded so far, and in the end all of it; a vector is made place by place.
// CHECK-LABEL: func.func @scan
// CHECK-NEXT:    "test.op"() : () -> (!multiloop.scan<@closest : tuple<f64, i64>>, !multiloop.place<i8>)
// CHECK-NEXT:    %all, %sums = multiloop.loop range(%n, %n : index, index) -> f64, tensor<?xf64> {
// CHECK-NEXT:    ^bb{{[0-9]+}}(%i: index, %running: !multiloop.scan<add : f64>, %vector: !multiloop.place<f64>):
// CHECK-NEXT:      %sum = multiloop.emit %running(%x : f64) {note = "kept"}
// CHECK-NEXT:      multiloop.emit %vector[%i : index](%sum : f64)
// CHECK-NEXT:    }
// CHECK-NEXT:    %left = multiloop.loop range(%n, %n : index, index) reverse -> f64 {
// GENERIC:       "multiloop.emit"(%running, %x) <{operandSegmentSizes = array<i32: 1, 0, 1>}> {note = "kept"} : (!multiloop.scan<add : f64>, f64) -> f64
func.func @scan(%n: index, %x: f64) {
  %0:2 = "test.op"() : () -> (!multiloop.scan<@closest : tuple<f64, i64>>, !multiloop.place<i8>)
  %all, %sums = multiloop.loop range(%n, %n : index, index) -> f64, tensor<?xf64> {
  ^bb0(%i: index, %running: !multiloop.scan<add : f64>, %vector: !multiloop.place<f64>):
    %sum = multiloop.emit %running(%x : f64) {note = "kept"}
    multiloop.emit %vector[%i : index](%sum : f64)
  }
  %left = multiloop.loop range(%n, %n : index, index) reverse -> f64 {
  ^bb0(%i: index, %running: !multiloop.scan<add : f64>):
  }
  func.return
}

// CHECK-LABEL: func.func @prefetch
// CHECK-NEXT:    multiloop.prefetch %heads[%place] : memref<?xi32>
// GENERIC:       "multiloop.prefetch"(%heads, %place) : (memref<?xi32>, index) -> ()
func.func @prefetch(%heads: memref<?xi32>, %place: index) {
  multiloop.prefetch %heads[%place] : memref<?xi32>
  func.return
}

// CHECK-LABEL: func.func @read_word
// CHECK-NEXT:    %word = multiloop.read_word %data[%place] : memref<?xi8>
// GENERIC:       "multiloop.read_word"(%data, %place) : (memref<?xi8>, index) -> i64
func.func @read_word(%data: memref<?xi8>, %place: index) {
  %word = multiloop.read_word %data[%place] : memref<?xi8>
  func.return
}

// The lists of a row are gone through in the loop over the rows that have them.
// CHECK-LABEL: func.func @lists
// CHECK-NEXT:    %groups = multiloop.loop rows(%rows : !comprehension.bag<i64, f64, i1>) -> !comprehension.bag<i64, !comprehension.bag<f64, i1>> {
// CHECK-NEXT:    ^bb{{[0-9]+}}(%k: i64, %x: f64, %p: i1, %all: !multiloop.bucket_collect<[i64], (f64, i1)>):
// CHECK-NEXT:      multiloop.emit %all[%k : i64](%x, %p : f64, i1)
// CHECK-NEXT:    }
// CHECK-NEXT:    %sum = multiloop.loop rows(%groups : !comprehension.bag<i64, !comprehension.bag<f64, i1>>) -> f64 {
// CHECK-NEXT:    ^bb{{[0-9]+}}(%k_1: i64, %xs: !comprehension.bag<f64, i1>, %total: !multiloop.reduce<add : f64>):
// CHECK-NEXT:      multiloop.loop rows(%xs : !comprehension.bag<f64, i1>) {
// GENERIC:       "multiloop.loop"(%rows) <{source = "rows"{{.*}}}> ({
// GENERIC:       "multiloop.emit"(%all, %k, %x, %p) <{operandSegmentSizes = array<i32: 1, 1, 2>}> : (!multiloop.bucket_collect<[i64], (f64, i1)>, i64, f64, i1) -> ()
func.func @lists(%rows: !comprehension.bag<i64, f64, i1>) -> f64 {
  %groups = multiloop.loop rows(%rows : !comprehension.bag<i64, f64, i1>)
      -> !comprehension.bag<i64, !comprehension.bag<f64, i1>> {
  ^bb0(%k: i64, %x: f64, %p: i1, %all: !multiloop.bucket_collect<[i64], (f64, i1)>):
    multiloop.emit %all[%k : i64](%x, %p : f64, i1)
  }
  %sum = multiloop.loop rows(%groups : !comprehension.bag<i64, !comprehension.bag<f64, i1>>) -> f64 {
  ^bb0(%k: i64, %xs: !comprehension.bag<f64, i1>, %total: !multiloop.reduce<add : f64>):
    multiloop.loop rows(%xs : !comprehension.bag<f64, i1>) {
    ^bb1(%x: f64, %p: i1):
      multiloop.emit %total(%x : f64)
    }
  }
  func.return %sum : f64
}
