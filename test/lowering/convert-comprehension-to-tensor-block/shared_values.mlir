// What the rows that come of one row have in common is computed before they are made, if it is more
// than arithmetic and cannot fail.
// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce | filecheck %s

!string = !comprehension.string

// The mean of each group, for all of its rows.
func.func @deviations(%L: !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64> {
  %r = comprehension.collect : !comprehension.bag<i64, f64> {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %g, %xs = comprehension.group_by keys(%k) values(%x) : i64, !comprehension.bag<f64>
    %s = comprehension.reduce add %xs : !comprehension.bag<f64>
    %n = comprehension.length %xs : !comprehension.bag<f64>
    %n_float = arith.sitofp %n : i64 to f64
    %mean = arith.divf %s, %n_float : f64
    %v = comprehension.each %xs : !comprehension.bag<f64>
    %d = arith.subf %v, %mean : f64
    comprehension.yield (%g) %d
  }
  func.return %r : !comprehension.bag<i64, f64>
}
// CHECK-LABEL: func.func @deviations
// CHECK:         comprehension.reduce add
// CHECK:         %[[MEAN:.*]] = arith.divf
// CHECK-NEXT:    tensor_block.yield %[[MEAN]] : f64
// CHECK:         tensor_block.unnest
// CHECK-NOT:     comprehension.reduce
// CHECK:         arith.subf

// Words of a line, of which a range says the numbers: a line is split once. What may fail, a read
// or a division, waits for the rows that need it.
func.func @words(%L: !comprehension.bag<!string, i64>) -> !comprehension.bag<!string, i64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %space = comprehension.string " "
  %r = comprehension.collect : !comprehension.bag<!string, i64> {
    %line, %k = comprehension.each %L : !comprehension.bag<!string, i64>
    %ws = comprehension.string_call "split" (%line, %space) : (!string, !string) -> !comprehension.bag<!string>
    %n = comprehension.length %ws : !comprehension.bag<!string>
    %last = arith.subi %n, %one : i64
    %part = arith.divsi %last, %k : i64
    %first = arith.index_cast %zero : i64 to index
    %end = arith.index_cast %last : i64 to index
    %place = comprehension.range %first to %end
    %i = arith.index_cast %place : index to i64
    %w = comprehension.element %ws[%i] : !comprehension.bag<!string>
    %p = arith.addi %part, %i : i64
    comprehension.yield (%w) %p
  }
  func.return %r : !comprehension.bag<!string, i64>
}
// CHECK-LABEL: func.func @words
// CHECK:         comprehension.string_call "split"
// CHECK:         tensor_block.expand
// CHECK-NOT:     "split"
// CHECK:         arith.divsi

// Arithmetic is done for each row instead of being read.
func.func @arithmetic(%L: !comprehension.bag<i64, !comprehension.bag<f64>>) -> !comprehension.bag<f64> {
  %one = arith.constant 1 : i64
  %r = comprehension.collect : !comprehension.bag<f64> {
    %k, %xs = comprehension.each %L : !comprehension.bag<i64, !comprehension.bag<f64>>
    %t = arith.muli %k, %k : i64
    %f = arith.sitofp %t : i64 to f64
    %v = comprehension.each %xs : !comprehension.bag<f64>
    %p = arith.mulf %v, %f : f64
    comprehension.yield %p
  }
  func.return %r : !comprehension.bag<f64>
}
// CHECK-LABEL: func.func @arithmetic
// CHECK-NEXT:    tensor_block.unnest
