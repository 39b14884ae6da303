// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --remarks 2>&1 | filecheck %s

// Values that are no numbers; lists written out; no generator; collections as values of rows.

!string = !comprehension.string
!pair = tuple<f64, i64>
!pairs = tensor<?xtuple<f64, i64>>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// The words of each line are a generator over what the row holds.
func.func @words(%L: !comprehension.bag<!string>) -> !comprehension.bag<!string, i64> {
  %space = comprehension.string " "
  %r = comprehension.collect : !comprehension.bag<!string, i64> {
    %line = comprehension.each %L : !comprehension.bag<!string>
    %ws = comprehension.string_call "split" (%line, %space) : (!string, !string) -> !comprehension.bag<!string>
    %w = comprehension.each %ws : !comprehension.bag<!string>
    %one = arith.constant 1 : i64
    %g, %ones = comprehension.group_by keys(%w) values(%one) : !string, !comprehension.bag<i64>
    %n = comprehension.reduce add %ones : !comprehension.bag<i64>
    comprehension.yield (%g) %n
  }
  func.return %r : !comprehension.bag<!string, i64>
}
// CHECK-LABEL: func.func @words
// CHECK:         tensor_block.extend %L
// CHECK:           comprehension.string_call "split"
// CHECK:         tensor_block.unnest
// CHECK:         tensor_block.group_reduce %{{.*}} keys 1 monoids(add)

// What can fail on a string waits for the guard before it.
func.func @guarded(%L: !comprehension.bag<!string, i64>) -> i64 {
  %zero = arith.constant 0 : i64
  %r = comprehension.aggregate add : i64 {
    %w, %k = comprehension.each %L : !comprehension.bag<!string, i64>
    %n = comprehension.string_call "length" (%w) : (!string) -> i64
    %some = arith.cmpi sgt, %n, %zero : i64
    comprehension.guard %some
    %c = comprehension.string_call "char_at" (%w, %zero) : (!string, i64) -> i24
    %a = arith.constant 97 : i24
    %is_a = arith.cmpi eq, %c, %a : i24
    comprehension.guard %is_a
    comprehension.yield %n
  }
  func.return %r : i64
}
// CHECK-LABEL: func.func @guarded
// CHECK:         tensor_block.filter %{{.*}}
// CHECK:           "length"
// CHECK:         tensor_block.filter
// CHECK:           "char_at"

// Branches with strings, tuples and lists; the string is made before rows are multiplied.
func.func @branches(%L: !comprehension.bag<!string, i64, f64>) -> !comprehension.bag<!string, f64, i64> {
  %r = comprehension.collect : !comprehension.bag<!string, f64, i64> {
    %w, %k, %x = comprehension.each %L : !comprehension.bag<!string, i64, f64>
    %two = arith.constant 2 : i64
    %small = arith.cmpi slt, %k, %two : i64
    %s = scf.if %small -> (!string) {
      %t = comprehension.string_call "upper" (%w) : (!string) -> !string
      scf.yield %t : !string
    } else {
      scf.yield %w : !string
    }
    %p = comprehension.pack %x, %k : !pair
    %q = comprehension.pack %x, %two : !pair
    %pq = arith.select %small, %p, %q : !pair
    %y, %l = comprehension.unpack %pq : !pair
    %both = comprehension.list (%x, %k), (%y, %two) : !comprehension.bag<f64, i64>
    %one = comprehension.list (%x, %k) : !comprehension.bag<f64, i64>
    %rows = arith.select %small, %both, %one : !comprehension.bag<f64, i64>
    %z, %m = comprehension.each %rows : !comprehension.bag<f64, i64>
    %n = arith.addi %m, %l : i64
    comprehension.yield (%s) %z, %n
  }
  func.return %r : !comprehension.bag<!string, f64, i64>
}
// CHECK-LABEL: func.func @branches
// CHECK:         comprehension.string_call "upper"
// CHECK:         comprehension.list
// CHECK:         tensor_block.unnest

// A list written out is a bag like another; without a generator there is one row.
func.func @literal(%x: i64, %y: i64, %z: f64) -> (!comprehension.bag<i64, f64>, f64) {
  %r = comprehension.collect : !comprehension.bag<i64, f64> {
    %l = comprehension.list (%x, %z), (%y, %z) : !comprehension.bag<i64, f64>
    %k, %a = comprehension.each %l : !comprehension.bag<i64, f64>
    %lt = arith.cmpi slt, %k, %y : i64
    comprehension.guard %lt
    comprehension.yield (%k) %a
  }
  %s = comprehension.aggregate max : f64 {
    %lt = arith.cmpi slt, %x, %y : i64
    comprehension.guard %lt
    comprehension.yield %z
  }
  func.return %r, %s : !comprehension.bag<i64, f64>, f64
}
// CHECK-LABEL: func.func @literal
// CHECK:         comprehension.list
// CHECK:         tensor_block.filter
// CHECK:         tensor_block.range
// CHECK:         tensor_block.filter
// CHECK:         tensor_block.fold max

// A guard before a range protects its end.
func.func @protected_range(%n: index) -> index {
  %zero = arith.constant 0 : index
  %r = comprehension.aggregate add : index {
    %some = arith.cmpi sgt, %zero, %n : index
    comprehension.guard %some
    %end = arith.divsi %n, %zero : index
    %i = comprehension.range %zero to %end
    comprehension.yield %i
  }
  func.return %r : index
}
// CHECK-LABEL: func.func @protected_range
// CHECK:         tensor_block.filter
// CHECK:         tensor_block.expand

// Every row gets a bag and an array from outside as values.
func.func @collections(%L: !comprehension.bag<i64>, %M: !comprehension.bag<f64>, %v: !vector, %N: !comprehension.bag<keys = 1, i64, f64>)
    -> !comprehension.bag<i64, !comprehension.bag<f64>, f64, f64> {
  %zero = arith.constant 0 : i64
  %r = comprehension.collect : !comprehension.bag<i64, !comprehension.bag<f64>, f64, f64> {
    %k = comprehension.each %L : !comprehension.bag<i64>
    %w = comprehension.list (%v) : !comprehension.bag<!vector>
    %u = comprehension.each %w : !comprehension.bag<!vector>
    %i, %x = comprehension.each %u : !vector
    %some = arith.cmpi ne, %k, %zero : i64
    %empty = comprehension.list : !comprehension.bag<f64>
    %l = arith.select %some, %M, %empty : !comprehension.bag<f64>
    %n = comprehension.length %M : !comprehension.bag<f64>
    %m = arith.sitofp %n : i64 to f64
    comprehension.yield (%k) %l, %x, %m
  }
  func.return %r : !comprehension.bag<i64, !comprehension.bag<f64>, f64, f64>
}
// CHECK-LABEL: func.func @collections
// CHECK:         tensor_block.fold add
// CHECK:         tensor_block.group %M keys 0

// Arrays of tuples, and random numbers keyed by what a row holds.
func.func @tuples(%n: index, %seed: i64, %P: !pairs, %L: !comprehension.bag<f64, !string>) -> (!pairs, f64) {
  %r = comprehension.build (%n) : !pairs {
    %i, %p = comprehension.each %P : !pairs
    %x, %k = comprehension.unpack %p : !pair
    %zero = arith.constant 0 : i64
    %some = arith.cmpi ne, %k, %zero : i64
    comprehension.guard %some
    %y = arith.addf %x, %x : f64
    %q = comprehension.pack %y, %k : !pair
    comprehension.yield (%i) %q
  }
  %s = comprehension.aggregate max : f64 {
    %x, %w = comprehension.each %L : !comprehension.bag<f64, !string>
    %h = comprehension.hash %x : f64
    %g = comprehension.hash %w : !string
    %u = comprehension.random 0 seed(%seed) at(%h, %g)
    comprehension.yield %u
  }
  func.return %r, %s : !pairs, f64
}
// CHECK-LABEL: func.func @tuples
// CHECK:         comprehension.hash
// CHECK:         comprehension.random

// A fold of a bag outside of any comprehension.
func.func @folds(%L: !comprehension.bag<f64>) -> (f64, i64) {
  %s = comprehension.reduce max %L : !comprehension.bag<f64>
  %n = comprehension.length %L : !comprehension.bag<f64>
  func.return %s, %n : f64, i64
}
// CHECK-LABEL: func.func @folds
// CHECK:         tensor_block.fold max %L
// CHECK:         tensor_block.fold add

// What computes with lists in an array goes by rows: each has its own, which is opened or folded.
!lists = tensor<?xtuple<!comprehension.bag<f64>>, #tensor_block.tiles<dense = 1>>
func.func @lists(%V: !lists, %n: index) -> (!vector, !comprehension.bag<f64>) {
  %r = comprehension.build (%n) : !vector {
    %i, %t = comprehension.each %V : !lists
    %l = comprehension.unpack %t : tuple<!comprehension.bag<f64>>
    %s = comprehension.reduce add %l : !comprehension.bag<f64>
    comprehension.yield (%i) %s
  }
  %all = comprehension.collect : !comprehension.bag<f64> {
    %i, %t = comprehension.each %V : !lists
    %l = comprehension.unpack %t : tuple<!comprehension.bag<f64>>
    %x = comprehension.each %l : !comprehension.bag<f64>
    comprehension.yield %x
  }
  func.return %r, %all : !vector, !comprehension.bag<f64>
}
// CHECK-LABEL: func.func @lists
// CHECK:         %[[ROWS:.*]] = tensor_block.to_bag %V
// CHECK:         tensor_block.extend %[[ROWS]]
// CHECK:           comprehension.unpack
// CHECK-NEXT:      comprehension.reduce add
// CHECK:         tensor_block.from_bag
// CHECK:         tensor_block.unnest
