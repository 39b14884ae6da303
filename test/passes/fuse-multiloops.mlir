// RUN: diablo-opt %s -p fuse-multiloops | filecheck %s
// RUN: diablo-opt %s -p canonicalize,cse,fuse-multiloops,canonicalize,cse,dce,fuse-multiloops -o /dev/null
// RUN: diablo-opt %s -p fuse-multiloops --verify-diagnostics

!rows = !comprehension.bag<f64>
!pairs = !comprehension.bag<i64, f64>

func.func private @count()
func.func private @read() -> f64

// The consumer's body takes the place of the emit, behind its guard.
// CHECK-LABEL: func.func @filter_and_sum
// CHECK-NEXT:    %s = multiloop.loop rows(%x : !comprehension.bag<f64>) -> f64 {
// CHECK-NEXT:    ^bb{{.*}}(%a: f64, %sum: !multiloop.reduce<add : f64>):
// CHECK-NEXT:      %positive = arith.cmpf ogt, %a, %zero : f64
// CHECK-NEXT:      scf.if %positive {
// CHECK-NEXT:        %r = math.sqrt %a : f64
// CHECK-NEXT:        multiloop.emit %sum(%r : f64)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %s : f64
func.func @filter_and_sum(%x: !rows, %zero: f64) -> f64 {
  %p = multiloop.loop rows(%x : !rows) -> !rows {
  ^bb0(%a: f64, %all: !multiloop.collect<f64>):
    %positive = arith.cmpf ogt, %a, %zero : f64
    scf.if %positive {
      multiloop.emit %all(%a : f64)
    }
  }
  // expected-remark @+1 {{a loop runs where the rows that it is over are emitted}}
  %s = multiloop.loop rows(%p : !rows) -> f64 {
  ^bb0(%b: f64, %sum: !multiloop.reduce<add : f64>):
    %r = math.sqrt %b : f64
    multiloop.emit %sum(%r : f64)
  }
  func.return %s : f64
}

// What divides by the elements that a guard lets through stays behind it.
// CHECK-LABEL: func.func @division_behind_filter
// CHECK:         %s = multiloop.loop range(%from, %to : index, index) -> index {
// CHECK-NEXT:    ^bb{{.*}}(%i: index, %sum: !multiloop.reduce<add : index>):
// CHECK-NEXT:      %other = arith.cmpi ne, %i, %two : index
// CHECK-NEXT:      scf.if %other {
// CHECK-NEXT:        %v = arith.subi %i, %two : index
// CHECK-NEXT:        %q = arith.divsi %two, %v : index
// CHECK-NEXT:        multiloop.emit %sum(%q : index)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @division_behind_filter(%from: index, %to: index) -> index {
  %two = arith.constant 2 : index
  %prod = multiloop.loop range(%from, %to : index, index) -> !comprehension.bag<index> {
  ^bb0(%i: index, %all: !multiloop.collect<index>):
    %other = arith.cmpi ne, %i, %two : index
    scf.if %other {
      %v = arith.subi %i, %two : index
      multiloop.emit %all(%v : index)
    }
  }
  // expected-remark @+1 {{a loop runs where the rows that it is over are emitted}}
  %s = multiloop.loop rows(%prod : !comprehension.bag<index>) -> index {
  ^bb0(%w: index, %sum: !multiloop.reduce<add : index>):
    %q = arith.divsi %two, %w : index
    multiloop.emit %sum(%q : index)
  }
  func.return %s : index
}

// What the producer does for an element it does once, although its value is used twice.
// CHECK-LABEL: func.func @effect_before_filter
// CHECK:         %r = multiloop.loop range(%from, %to : index, index) -> !comprehension.bag<index> {
// CHECK-NEXT:    ^bb{{.*}}(%i: index, %some: !multiloop.collect<index>):
// CHECK-NEXT:      func.call @count() : () -> ()
// CHECK-NEXT:      %v = arith.addi %i, %one : index
// CHECK-NEXT:      %rest = arith.remui %v, %two : index
// CHECK-NEXT:      %even = arith.cmpi eq, %rest, %zero : index
// CHECK-NEXT:      scf.if %even {
// CHECK-NEXT:        multiloop.emit %some(%v : index)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NOT:     @count
func.func @effect_before_filter(%from: index, %to: index) -> !comprehension.bag<index> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %prod = multiloop.loop range(%from, %to : index, index) -> !comprehension.bag<index> {
  ^bb0(%i: index, %all: !multiloop.collect<index>):
    func.call @count() : () -> ()
    %v = arith.addi %i, %one : index
    multiloop.emit %all(%v : index)
  }
  // expected-remark @+1 {{a loop runs where the rows that it is over are emitted}}
  %r = multiloop.loop rows(%prod : !comprehension.bag<index>) -> !comprehension.bag<index> {
  ^bb0(%w: index, %some: !multiloop.collect<index>):
    %rest = arith.remui %w, %two : index
    %even = arith.cmpi eq, %rest, %zero : index
    scf.if %even {
      multiloop.emit %some(%w : index)
    }
  }
  func.return %r : !comprehension.bag<index>
}

// A small body is written for each of several emits, in their order.
// CHECK-LABEL: func.func @two_emits
// CHECK-NEXT:    %r = multiloop.loop rows(%x : !comprehension.bag<f64>) -> !comprehension.bag<f64> {
// CHECK-NEXT:    ^bb{{.*}}(%a: f64, %some: !multiloop.collect<f64>):
// CHECK-NEXT:      %n = arith.negf %a : f64
// CHECK-NEXT:      multiloop.emit %some(%n : f64)
// CHECK-NEXT:      multiloop.emit %some(%a : f64)
// CHECK-NEXT:      %h = math.exp %a : f64
// CHECK-NEXT:      %n_1 = arith.negf %h : f64
// CHECK-NEXT:      multiloop.emit %some(%n_1 : f64)
// CHECK-NEXT:      multiloop.emit %some(%h : f64)
// CHECK-NEXT:    }
func.func @two_emits(%x: !rows) -> !rows {
  %p = multiloop.loop rows(%x : !rows) -> !rows {
  ^bb0(%a: f64, %all: !multiloop.collect<f64>):
    multiloop.emit %all(%a : f64)
    %h = math.exp %a : f64
    multiloop.emit %all(%h : f64)
  }
  // expected-remark @+1 {{a loop runs where the rows that it is over are emitted}}
  %r = multiloop.loop rows(%p : !rows) -> !rows {
  ^bb0(%b: f64, %some: !multiloop.collect<f64>):
    %n = arith.negf %b : f64
    multiloop.emit %some(%n : f64)
    multiloop.emit %some(%b : f64)
  }
  func.return %r : !rows
}

// A large one is not.
// CHECK-LABEL: func.func @large_body
// CHECK:         %p = multiloop.loop
// CHECK:         %r = multiloop.loop rows(%p
func.func @large_body(%x: !rows) -> f64 {
  %p = multiloop.loop rows(%x : !rows) -> !rows {
  ^bb0(%a: f64, %all: !multiloop.collect<f64>):
    multiloop.emit %all(%a : f64)
    multiloop.emit %all(%a : f64)
    multiloop.emit %all(%a : f64)
    multiloop.emit %all(%a : f64)
  }
  // expected-remark @+1 {{a loop is not fused with the one that makes its rows: its body would be written 4 times, 33 operations more}}
  %r = multiloop.loop rows(%p : !rows) -> f64 {
  ^bb0(%b: f64, %sum: !multiloop.reduce<add : f64>):
    %0 = math.exp %b : f64
    %1 = math.exp %0 : f64
    %2 = math.exp %1 : f64
    %3 = math.exp %2 : f64
    %4 = math.exp %3 : f64
    %5 = math.exp %4 : f64
    %6 = math.exp %5 : f64
    %7 = math.exp %6 : f64
    %8 = math.exp %7 : f64
    %9 = math.exp %8 : f64
    multiloop.emit %sum(%9 : f64)
  }
  func.return %r : f64
}

// Without an emit there is no row to do anything for.
// CHECK-LABEL: func.func @no_emit
// CHECK-NEXT:    %s = multiloop.loop rows(%x : !comprehension.bag<f64>) -> f64 {
// CHECK-NEXT:    ^bb{{.*}}(%a: f64, %sum: !multiloop.reduce<add : f64>):
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %s : f64
func.func @no_emit(%x: !rows) -> f64 {
  %p = multiloop.loop rows(%x : !rows) -> !rows {
  ^bb0(%a: f64, %all: !multiloop.collect<f64>):
  }
  // expected-remark @+1 {{a loop runs where the rows that it is over are emitted}}
  %s = multiloop.loop rows(%p : !rows) -> f64 {
  ^bb0(%b: f64, %sum: !multiloop.reduce<add : f64>):
    multiloop.emit %sum(%b : f64)
  }
  func.return %s : f64
}

// Rows that each element makes many of are read where the inner loop makes them; its own
// generators, and those of the producer that are used, stay.
// CHECK-LABEL: func.func @inner_loop
// CHECK-NEXT:    %n, %groups = multiloop.loop range(%from, %to : index, index) -> index, !comprehension.bag<index, index> {
// CHECK-NEXT:    ^bb{{.*}}(%i: index, %count: !multiloop.reduce<add : index>, %sums: !multiloop.bucket_reduce<[index], add : index>):
// CHECK-NEXT:      %l = multiloop.loop range(%from, %i : index, index) -> index {
// CHECK-NEXT:      ^bb{{.*}}(%j: index, %length: !multiloop.reduce<add : index>):
// CHECK-NEXT:        multiloop.emit %sums[%j : index](%i : index)
// CHECK-NEXT:        multiloop.emit %length(%j : index)
// CHECK-NEXT:      }
// CHECK-NEXT:      multiloop.emit %count(%l : index)
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %n, %groups
func.func @inner_loop(%from: index, %to: index) -> (index, !comprehension.bag<index, index>) {
  %p, %n = multiloop.loop range(%from, %to : index, index) -> !comprehension.bag<index, index>, index {
  ^bb0(%i: index, %all: !multiloop.collect<index, index>, %count: !multiloop.reduce<add : index>):
    %l = multiloop.loop range(%from, %i : index, index) -> index {
    ^bb1(%j: index, %length: !multiloop.reduce<add : index>):
      multiloop.emit %all(%j, %i : index, index)
      multiloop.emit %length(%j : index)
    }
    multiloop.emit %count(%l : index)
  }
  // expected-remark @+1 {{a loop runs where the rows that it is over are emitted}}
  %groups = multiloop.loop rows(%p : !comprehension.bag<index, index>) -> !comprehension.bag<index, index> {
  ^bb0(%k: index, %v: index, %sums: !multiloop.bucket_reduce<[index], add : index>):
    multiloop.emit %sums[%k : index](%v : index)
  }
  func.return %n, %groups : index, !comprehension.bag<index, index>
}

// Loops in the body of a loop are fused as those of a function are, if what they emit to a
// generator of that loop keeps its order.
// CHECK-LABEL: func.func @nested
// CHECK-NEXT:    %r = multiloop.loop range(%from, %to : index, index) -> !comprehension.bag<index> {
// CHECK-NEXT:    ^bb{{.*}}(%i: index, %all: !multiloop.collect<index>):
// CHECK-NEXT:      multiloop.loop range(%from, %i : index, index) {
// CHECK-NEXT:      ^bb{{.*}}(%j: index):
// CHECK-NEXT:        %square = arith.muli %j, %j : index
// CHECK-NEXT:        multiloop.emit %all(%square : index)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @nested(%from: index, %to: index) -> !comprehension.bag<index> {
  %r = multiloop.loop range(%from, %to : index, index) -> !comprehension.bag<index> {
  ^bb0(%i: index, %all: !multiloop.collect<index>):
    %p = multiloop.loop range(%from, %i : index, index) -> !comprehension.bag<index> {
    ^bb1(%j: index, %some: !multiloop.collect<index>):
      %square = arith.muli %j, %j : index
      multiloop.emit %some(%square : index)
    }
    // expected-remark @+1 {{a loop runs where the rows that it is over are emitted}}
    multiloop.loop rows(%p : !comprehension.bag<index>) {
    ^bb1(%w: index):
      multiloop.emit %all(%w : index)
    }
  }
  func.return %r : !comprehension.bag<index>
}

// CHECK-LABEL: func.func @nested_order
// CHECK:           multiloop.emit %all(%j : index)
// CHECK:         multiloop.loop rows
// CHECK:           multiloop.emit %all
func.func @nested_order(%from: index, %to: index) -> !comprehension.bag<index> {
  %r = multiloop.loop range(%from, %to : index, index) -> !comprehension.bag<index> {
  ^bb0(%i: index, %all: !multiloop.collect<index>):
    %p = multiloop.loop range(%from, %i : index, index) -> !comprehension.bag<index> {
    ^bb1(%j: index, %some: !multiloop.collect<index>):
      multiloop.emit %some(%j : index)
      multiloop.emit %all(%j : index)
    }
    // expected-remark @+1 {{a loop is not fused with the one that makes its rows: both emit to one generator, in an order that it keeps}}
    multiloop.loop rows(%p : !comprehension.bag<index>) {
    ^bb1(%w: index):
      multiloop.emit %all(%w : index)
    }
  }
  func.return %r : !comprehension.bag<index>
}

// What the consumer needs moves up, if it may.
// CHECK-LABEL: func.func @needed
// CHECK-NEXT:    %f = math.exp %e : f64
// CHECK-NEXT:    %m = multiloop.loop rows(%y
// CHECK:         %g = func.call @read()
// CHECK-NEXT:    %s = multiloop.loop rows(%x
// CHECK:           %0 = arith.mulf %a, %m : f64
// CHECK-NEXT:      %1 = arith.mulf %0, %g : f64
// CHECK-NEXT:      multiloop.emit %sum(%1 : f64)
// CHECK-NEXT:    }
// CHECK-NEXT:    %later = math.exp %f : f64
func.func @needed(%x: !rows, %y: !rows, %e: f64) -> (f64, f64) {
  %p = multiloop.loop rows(%x : !rows) -> !rows {
  ^bb0(%a: f64, %all: !multiloop.collect<f64>):
    multiloop.emit %all(%a : f64)
  }
  %f = math.exp %e : f64
  %later = math.exp %f : f64
  %m = multiloop.loop rows(%y : !rows) -> f64 {
  ^bb0(%b: f64, %most: !multiloop.reduce<max : f64>):
    %c = arith.addf %b, %f : f64
    multiloop.emit %most(%c : f64)
  }
  %g = func.call @read() : () -> f64
  // expected-remark @+1 {{a loop runs where the rows that it is over are emitted}}
  %s = multiloop.loop rows(%p : !rows) -> f64 {
  ^bb0(%b: f64, %sum: !multiloop.reduce<add : f64>):
    %0 = arith.mulf %b, %m : f64
    %1 = arith.mulf %0, %g : f64
    multiloop.emit %sum(%1 : f64)
  }
  func.return %s, %later : f64, f64
}

// CHECK-LABEL: func.func @needs_its_result
// CHECK-COUNT-2: multiloop.loop
func.func @needs_its_result(%x: !rows) -> f64 {
  %p, %t = multiloop.loop rows(%x : !rows) -> !rows, f64 {
  ^bb0(%a: f64, %all: !multiloop.collect<f64>, %total: !multiloop.reduce<add : f64>):
    multiloop.emit %all(%a : f64)
    multiloop.emit %total(%a : f64)
  }
  %u = math.exp %t : f64
  // expected-remark @+1 {{a loop is not fused with the one that makes its rows: it needs a result of that loop}}
  %s = multiloop.loop rows(%p : !rows) -> f64 {
  ^bb0(%b: f64, %sum: !multiloop.reduce<add : f64>):
    %0 = arith.divf %b, %u : f64
    multiloop.emit %sum(%0 : f64)
  }
  func.return %s : f64
}

// What can fail keeps its place among effects.
// CHECK-LABEL: func.func @failure_after_effect
// CHECK:         multiloop.loop
// CHECK:         func.call @count
// CHECK:         multiloop.loop rows(%p
func.func @failure_after_effect(%n: index, %d: index) -> index {
  %p = multiloop.loop range(%n, %d : index, index) -> !comprehension.bag<index> {
  ^bb0(%i: index, %all: !multiloop.collect<index>):
    multiloop.emit %all(%i : index)
  }
  func.call @count() : () -> ()
  // expected-remark @+1 {{a loop is not fused with the one that makes its rows: one has effects, and the other can fail}}
  %s = multiloop.loop rows(%p : !comprehension.bag<index>) -> index {
  ^bb0(%i: index, %sum: !multiloop.reduce<add : index>):
    %q = arith.divsi %i, %d : index
    multiloop.emit %sum(%q : index)
  }
  func.return %s : index
}

// So does what is checked first.
// CHECK-LABEL: func.func @failure_after_check
// CHECK:         multiloop.loop
// CHECK:         cf.assert
// CHECK:         arith.divsi
// CHECK:         multiloop.loop rows(%p
func.func @failure_after_check(%n: index, %d: index, %ok: i1) -> index {
  %p = multiloop.loop range(%n, %d : index, index) -> !comprehension.bag<index> {
  ^bb0(%i: index, %all: !multiloop.collect<index>):
    multiloop.emit %all(%i : index)
  }
  cf.assert %ok, "the divisor is zero"
  %q = arith.divsi %n, %d : index
  // expected-remark @+1 {{a loop is not fused with the one that makes its rows: one has effects, and the other can fail}}
  %s = multiloop.loop rows(%p : !comprehension.bag<index>) -> index {
  ^bb0(%i: index, %sum: !multiloop.reduce<add : index>):
    %r = arith.addi %i, %q : index
    multiloop.emit %sum(%r : index)
  }
  func.return %s : index
}

// CHECK-LABEL: func.func @two_effects
// CHECK-COUNT-2: multiloop.loop
func.func @two_effects(%x: !rows) -> f64 {
  %p = multiloop.loop rows(%x : !rows) -> !rows {
  ^bb0(%a: f64, %all: !multiloop.collect<f64>):
    func.call @count() : () -> ()
    multiloop.emit %all(%a : f64)
  }
  // expected-remark @+1 {{a loop is not fused with the one that makes its rows: both have effects, in an order of their own}}
  %s = multiloop.loop rows(%p : !rows) -> f64 {
  ^bb0(%b: f64, %sum: !multiloop.reduce<add : f64>):
    %0 = func.call @read() : () -> f64
    multiloop.emit %sum(%0 : f64)
  }
  func.return %s : f64
}

// A monoid of the program's own may fail as well.
comprehension.monoid @ratio : i64 identity 1 : i64 {
^bb0(%a: i64, %b: i64):
  %q = arith.divsi %a, %b : i64
  comprehension.yield %q
}
// CHECK-LABEL: func.func @failing_monoid
// CHECK-COUNT-2: multiloop.loop
func.func @failing_monoid(%x: !comprehension.bag<i64>) -> i64 {
  %p = multiloop.loop rows(%x : !comprehension.bag<i64>) -> !comprehension.bag<i64> {
  ^bb0(%a: i64, %all: !multiloop.collect<i64>):
    func.call @count() : () -> ()
    multiloop.emit %all(%a : i64)
  }
  // expected-remark @+1 {{a loop is not fused with the one that makes its rows: one has effects, and the other can fail}}
  %s = multiloop.loop rows(%p : !comprehension.bag<i64>) -> i64 {
  ^bb0(%b: i64, %rest: !multiloop.reduce<@ratio : i64>):
    multiloop.emit %rest(%b : i64)
  }
  func.return %s : i64
}

// CHECK-LABEL: func.func @groups
// CHECK-COUNT-2: multiloop.loop
func.func @groups(%x: !pairs) -> f64 {
  %g = multiloop.loop rows(%x : !pairs) -> !pairs {
  ^bb0(%k: i64, %a: f64, %sums: !multiloop.bucket_reduce<[i64], add : f64>):
    multiloop.emit %sums[%k : i64](%a : f64)
  }
  // expected-remark @+1 {{a loop is not fused with the one that makes its rows: groups are complete only when that loop has ended}}
  %s = multiloop.loop rows(%g : !pairs) -> f64 {
  ^bb0(%k: i64, %b: f64, %most: !multiloop.reduce<max : f64>):
    multiloop.emit %most(%b : f64)
  }
  func.return %s : f64
}

// CHECK-LABEL: func.func @in_a_branch
// CHECK:         %p = multiloop.loop
// CHECK:         scf.if %c
// CHECK:           multiloop.loop rows(%p
func.func @in_a_branch(%x: !rows, %c: i1, %zero: f64) -> f64 {
  %p = multiloop.loop rows(%x : !rows) -> !rows {
  ^bb0(%a: f64, %all: !multiloop.collect<f64>):
    multiloop.emit %all(%a : f64)
  }
  %r = scf.if %c -> (f64) {
    // expected-remark @+1 {{a loop is not fused with the one that makes its rows: it is in a branch or in a loop, and the rows are made before}}
    %s = multiloop.loop rows(%p : !rows) -> f64 {
    ^bb0(%b: f64, %sum: !multiloop.reduce<add : f64>):
      multiloop.emit %sum(%b : f64)
    }
    scf.yield %s : f64
  } else {
    scf.yield %zero : f64
  }
  func.return %r : f64
}

// CHECK-LABEL: func.func @read_elsewhere
// CHECK-COUNT-2: multiloop.loop
func.func @read_elsewhere(%x: !rows) -> (f64, !rows) {
  %p = multiloop.loop rows(%x : !rows) -> !rows {
  ^bb0(%a: f64, %all: !multiloop.collect<f64>):
    multiloop.emit %all(%a : f64)
  }
  // expected-remark @+1 {{a loop is not fused with the one that makes its rows: something else reads its rows too}}
  %s = multiloop.loop rows(%p : !rows) -> f64 {
  ^bb0(%b: f64, %sum: !multiloop.reduce<add : f64>):
    multiloop.emit %sum(%b : f64)
  }
  func.return %s, %p : f64, !rows
}

// Loops that read the same rows become one first, and then part of what makes these.
// CHECK-LABEL: func.func @two_readers
// CHECK-NEXT:    %s, %m = multiloop.loop rows(%x : !comprehension.bag<f64>) -> f64, f64 {
// CHECK-NEXT:    ^bb{{.*}}(%a: f64, %sum: !multiloop.reduce<add : f64>, %most: !multiloop.reduce<max : f64>):
// CHECK-NEXT:      %e = math.exp %a : f64
// CHECK-NEXT:      multiloop.emit %sum(%e : f64)
// CHECK-NEXT:      multiloop.emit %most(%e : f64)
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %s, %m
func.func @two_readers(%x: !rows) -> (f64, f64) {
  %p = multiloop.loop rows(%x : !rows) -> !rows {
  ^bb0(%a: f64, %all: !multiloop.collect<f64>):
    %e = math.exp %a : f64
    multiloop.emit %all(%e : f64)
  }
  // expected-remark @+1 {{a loop runs where the rows that it is over are emitted}}
  %s = multiloop.loop rows(%p : !rows) -> f64 {
  ^bb0(%b: f64, %sum: !multiloop.reduce<add : f64>):
    multiloop.emit %sum(%b : f64)
  }
  // expected-remark @+1 {{a loop is merged with one before it over the same source}}
  %m = multiloop.loop rows(%p : !rows) -> f64 {
  ^bb0(%b: f64, %most: !multiloop.reduce<max : f64>):
    multiloop.emit %most(%b : f64)
  }
  func.return %s, %m : f64, f64
}

// Ranges are the same if their bounds are the same numbers; what is between the loops stays.
// CHECK-LABEL: func.func @equal_ranges
// CHECK:         %s, %t = multiloop.loop range(%one, %n : index, index) -> index, index {
// CHECK-NEXT:    ^bb{{.*}}(%i: index, %sum: !multiloop.reduce<add : index>, %product: !multiloop.reduce<mul : index>):
// CHECK-NEXT:      multiloop.emit %sum(%i : index)
// CHECK-NEXT:      multiloop.emit %product(%i : index)
// CHECK-NEXT:    }
// CHECK:         func.call @count()
// CHECK:         %u = multiloop.loop range(%n, %n
// CHECK:         func.return %s, %t, %u
func.func @equal_ranges(%n: index) -> (index, index, index) {
  %one = arith.constant 1 : index
  %s = multiloop.loop range(%one, %n : index, index) -> index {
  ^bb0(%i: index, %sum: !multiloop.reduce<add : index>):
    multiloop.emit %sum(%i : index)
  }
  %first = arith.constant 1 : index
  func.call @count() : () -> ()
  // expected-remark @+1 {{a loop is merged with one before it over the same source}}
  %t = multiloop.loop range(%first, %n : index, index) -> index {
  ^bb0(%j: index, %product: !multiloop.reduce<mul : index>):
    multiloop.emit %product(%j : index)
  }
  %u = multiloop.loop range(%n, %n : index, index) -> index {
  ^bb0(%j: index, %product: !multiloop.reduce<mul : index>):
    multiloop.emit %product(%j : index)
  }
  func.return %s, %t, %u : index, index, index
}

// A loop that needs what another one makes of the same rows runs behind it; a third need not.
// CHECK-LABEL: func.func @variance
// CHECK-NEXT:    %s, %m = multiloop.loop rows(%x : !comprehension.bag<f64>) -> f64, f64 {
// CHECK:         %mean = arith.divf %s, %n : f64
// CHECK-NEXT:    %v = multiloop.loop rows(%x : !comprehension.bag<f64>) -> f64 {
func.func @variance(%x: !rows, %n: f64) -> (f64, f64) {
  %s = multiloop.loop rows(%x : !rows) -> f64 {
  ^bb0(%a: f64, %sum: !multiloop.reduce<add : f64>):
    multiloop.emit %sum(%a : f64)
  }
  %mean = arith.divf %s, %n : f64
  // expected-remark @+1 {{a loop is not merged with one before it over the same source: it needs a result of that loop}}
  %v = multiloop.loop rows(%x : !rows) -> f64 {
  ^bb0(%a: f64, %sum: !multiloop.reduce<add : f64>):
    %d = arith.subf %a, %mean : f64
    %q = arith.mulf %d, %d : f64
    multiloop.emit %sum(%q : f64)
  }
  // expected-remark @+1 {{a loop is merged with one before it over the same source}}
  %m = multiloop.loop rows(%x : !rows) -> f64 {
  ^bb0(%a: f64, %most: !multiloop.reduce<max : f64>):
    multiloop.emit %most(%a : f64)
  }
  func.return %v, %m : f64, f64
}

// Rows that need not be made come before loops over one source: the sum stays a loop of its own.
// CHECK-LABEL: func.func @centred
// CHECK-NEXT:    %s = multiloop.loop rows(%x
// CHECK:         %v = multiloop.loop rows(%x : !comprehension.bag<f64>) -> f64 {
// CHECK-NEXT:    ^bb{{.*}}(%[[A:.*]]: f64, %[[SUM:.*]]: !multiloop.reduce<add : f64>):
// CHECK-NEXT:      %e = math.exp %[[A]] : f64
// CHECK-NEXT:      %d = arith.subf %e, %s : f64
// CHECK-NEXT:      multiloop.emit %[[SUM]](%d : f64)
// CHECK-NOT:     multiloop.loop
func.func @centred(%x: !rows) -> f64 {
  // expected-remark @+1 {{a loop is not merged with one before it over the same source: it needs a result of that loop}}
  %p = multiloop.loop rows(%x : !rows) -> !rows {
  ^bb0(%a: f64, %all: !multiloop.collect<f64>):
    %e = math.exp %a : f64
    multiloop.emit %all(%e : f64)
  }
  %s = multiloop.loop rows(%x : !rows) -> f64 {
  ^bb0(%a: f64, %sum: !multiloop.reduce<add : f64>):
    multiloop.emit %sum(%a : f64)
  }
  // expected-remark @+1 {{a loop runs where the rows that it is over are emitted}}
  %v = multiloop.loop rows(%p : !rows) -> f64 {
  ^bb0(%a: f64, %sum: !multiloop.reduce<add : f64>):
    %d = arith.subf %a, %s : f64
    multiloop.emit %sum(%d : f64)
  }
  func.return %v : f64
}

// Loops that emit to one generator around them take no turns.
// CHECK-LABEL: func.func @one_after_the_other
// CHECK-COUNT-3: multiloop.loop
func.func @one_after_the_other(%x: !rows, %n: index) -> !rows {
  %r = multiloop.loop range(%n, %n : index, index) -> !rows {
  ^bb0(%i: index, %all: !multiloop.collect<f64>):
    multiloop.loop rows(%x : !rows) {
    ^bb1(%a: f64):
      multiloop.emit %all(%a : f64)
    }
    // expected-remark @+1 {{a loop is not merged with one before it over the same source: both emit to one generator, in an order that it keeps}}
    multiloop.loop rows(%x : !rows) {
    ^bb1(%a: f64):
      multiloop.emit %all(%a : f64)
    }
  }
  func.return %r : !rows
}

// Generators whose results nothing uses go, and with them what only they needed.
// CHECK-LABEL: func.func @unused
// CHECK-NEXT:    %s = multiloop.loop rows(%x : !comprehension.bag<f64>) -> f64 {
// CHECK-NEXT:    ^bb{{.*}}(%a: f64, %sum: !multiloop.reduce<add : f64>):
// CHECK-NEXT:      multiloop.emit %sum(%a : f64)
// CHECK-NEXT:    }
// CHECK-NEXT:    func.call @count() : () -> ()
// CHECK-NEXT:    multiloop.loop rows(%x : !comprehension.bag<f64>) {
// CHECK-NEXT:    ^bb{{.*}}(%a_1: f64):
// CHECK-NEXT:      func.call @count() : () -> ()
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %s : f64
func.func @unused(%x: !rows, %n: index) -> f64 {
  %p, %s, %g = multiloop.loop rows(%x : !rows) -> !rows, f64, !rows {
  ^bb0(%a: f64, %all: !multiloop.collect<f64>, %sum: !multiloop.reduce<add : f64>,
       %keys: !multiloop.bucket_reduce<[f64]>):
    multiloop.loop range(%n, %n : index, index) {
    ^bb1(%i: index):
      %e = math.exp %a : f64
      multiloop.emit %all(%e : f64)
    }
    multiloop.emit %sum(%a : f64)
    multiloop.emit %keys[%a : f64]()
  }
  %t = multiloop.loop rows(%g : !rows) -> f64 {
  ^bb0(%a: f64, %sum: !multiloop.reduce<add : f64>):
    multiloop.emit %sum(%a : f64)
  }
  func.call @count() : () -> ()
  // expected-remark @+1 {{a loop is not merged with one before it over the same source: both have effects, in an order of their own}}
  %u = multiloop.loop rows(%x : !rows) -> f64 {
  ^bb0(%a: f64, %sum: !multiloop.reduce<add : f64>):
    func.call @count() : () -> ()
    multiloop.emit %sum(%a : f64)
  }
  func.return %s : f64
}

// Generators come in the order in which their results are returned.
// CHECK-LABEL: func.func @ordered
// CHECK-NEXT:    %t, %s = multiloop.loop rows(%x : !comprehension.bag<f64>) -> f64, f64 {
// CHECK-NEXT:    ^bb{{.*}}(%a: f64, %most: !multiloop.reduce<max : f64>, %sum: !multiloop.reduce<add : f64>):
// CHECK-NEXT:      multiloop.emit %sum(%a : f64)
// CHECK-NEXT:      multiloop.emit %most(%a : f64)
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %t, %s : f64, f64
func.func @ordered(%x: !rows) -> (f64, f64) {
  %s, %t = multiloop.loop rows(%x : !rows) -> f64, f64 {
  ^bb0(%a: f64, %sum: !multiloop.reduce<add : f64>, %most: !multiloop.reduce<max : f64>):
    multiloop.emit %sum(%a : f64)
    multiloop.emit %most(%a : f64)
  }
  func.return %t, %s : f64, f64
}

// A loop over the same source takes each element of a vector as it comes; running folds share a loop.
// CHECK-LABEL: func.func @as_they_come
// CHECK-NEXT:    %z, %{{.*}}, %{{.*}} = multiloop.loop range(%from, %to : index, index) -> tensor<?xf64>, f64, f64 {
// CHECK-NEXT:    ^bb{{.*}}(%i: index, %v: !multiloop.place<f64>, %sums: !multiloop.scan<add : f64>, %maxima: !multiloop.scan<max : f64>):
// CHECK-NEXT:      %e = tensor.extract %x[%i] : tensor<?xf64>
// CHECK-NEXT:      %sum = multiloop.emit %sums(%e : f64)
// CHECK-NEXT:      %f = tensor.extract %x[%i] : tensor<?xf64>
// CHECK-NEXT:      %most = multiloop.emit %maxima(%f : f64)
// CHECK-NEXT:      %h = arith.subf %most, %sum : f64
// CHECK-NEXT:      multiloop.emit %v[%i : index](%h : f64)
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %z : tensor<?xf64>
func.func @as_they_come(%from: index, %to: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %a, %s = multiloop.loop range(%from, %to : index, index) -> f64, tensor<?xf64> {
  ^bb0(%i: index, %sums: !multiloop.scan<add : f64>, %v: !multiloop.place<f64>):
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %sum = multiloop.emit %sums(%e : f64)
    multiloop.emit %v[%i : index](%sum : f64)
  }
  // expected-remark @+1 {{a loop is merged with one before it over the same source}}
  %b, %m = multiloop.loop range(%from, %to : index, index) -> f64, tensor<?xf64> {
  ^bb0(%i: index, %maxima: !multiloop.scan<max : f64>, %v: !multiloop.place<f64>):
    %f = tensor.extract %x[%i] : tensor<?xf64>
    %most = multiloop.emit %maxima(%f : f64)
    multiloop.emit %v[%i : index](%most : f64)
  }
  // expected-remark @+1 {{a loop is merged with one before it over the same source}}
  %z = multiloop.loop range(%from, %to : index, index) -> tensor<?xf64> {
  ^bb0(%i: index, %v: !multiloop.place<f64>):
    %g = tensor.extract %s[%i] : tensor<?xf64>
    %k = tensor.extract %m[%i] : tensor<?xf64>
    %h = arith.subf %k, %g : f64
    multiloop.emit %v[%i : index](%h : f64)
  }
  func.return %z : tensor<?xf64>
}

// An element at another index may not be there yet.
// CHECK-LABEL: func.func @at_another_index
// CHECK:         multiloop.loop range(%from, %to
// CHECK:         multiloop.loop range(%from, %to
func.func @at_another_index(%from: index, %to: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %a, %s = multiloop.loop range(%from, %to : index, index) -> f64, tensor<?xf64> {
  ^bb0(%i: index, %sums: !multiloop.scan<add : f64>, %v: !multiloop.place<f64>):
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %sum = multiloop.emit %sums(%e : f64)
    multiloop.emit %v[%i : index](%sum : f64)
  }
  // expected-remark @+1 {{a loop is not merged with one before it over the same source: it needs a result of that loop}}
  %z = multiloop.loop range(%from, %to : index, index) -> tensor<?xf64> {
  ^bb0(%i: index, %v: !multiloop.place<f64>):
    %g = tensor.extract %s[%from] : tensor<?xf64>
    multiloop.emit %v[%i : index](%g : f64)
  }
  func.return %z : tensor<?xf64>
}

// What follows a scan of the rows that a filter leaves is in its branch; the fold is that of these.
// CHECK-LABEL: func.func @scan_behind_filter
// CHECK:           scf.if %positive {
// CHECK-NEXT:        %sum = multiloop.emit %sums(%a : f64)
// CHECK-NEXT:        %r = arith.addf %sum, %zero : f64
// CHECK-NEXT:        multiloop.emit %all(%r : f64)
func.func @scan_behind_filter(%x: !rows, %zero: f64) -> !rows {
  %p = multiloop.loop rows(%x : !rows) -> !rows {
  ^bb0(%a: f64, %all: !multiloop.collect<f64>):
    %positive = arith.cmpf ogt, %a, %zero : f64
    scf.if %positive {
      multiloop.emit %all(%a : f64)
    }
  }
  // expected-remark @+1 {{a loop runs where the rows that it is over are emitted}}
  %last, %q = multiloop.loop rows(%p : !rows) -> f64, !rows {
  ^bb0(%b: f64, %sums: !multiloop.scan<add : f64>, %all: !multiloop.collect<f64>):
    %sum = multiloop.emit %sums(%b : f64)
    multiloop.emit %all(%sum : f64)
  }
  // expected-remark @+1 {{a loop runs where the rows that it is over are emitted}}
  %z = multiloop.loop rows(%q : !rows) -> !rows {
  ^bb0(%c: f64, %all: !multiloop.collect<f64>):
    %r = arith.addf %c, %zero : f64
    multiloop.emit %all(%r : f64)
  }
  func.return %z : !rows
}

// A group that an iteration has to itself is folded in it: no bucket is looked for.
// CHECK-LABEL: func.func @groups_of_rows
// CHECK-NEXT:    %groups = multiloop.loop range(%zero, %n : index, index) -> !comprehension.bag<i64, f64, i64> {
// CHECK-NEXT:    ^bb{{.*}}(%i: index, %found: !multiloop.collect<i64, f64, i64>):
// CHECK-NEXT:      %key = arith.index_cast %i : index to i64
// CHECK-NEXT:      %0, %1, %2 = multiloop.loop range(%zero, %m : index, index) -> f64, i64, i1 {
// CHECK-NEXT:      ^bb{{.*}}(%j: index, %3: !multiloop.reduce<max : f64>, %4: !multiloop.reduce<add : i64>, %5: !multiloop.reduce<or : i1>):
// CHECK-NEXT:        %a = tensor.extract %A[%i, %j] : tensor<?x?xf64>
// CHECK-NEXT:        %positive = arith.cmpf ogt, %a, %bound : f64
// CHECK-NEXT:        scf.if %positive {
// CHECK-NEXT:          %6 = arith.constant true
// CHECK-NEXT:          multiloop.emit %3(%a : f64)
// CHECK-NEXT:          multiloop.emit %4(%one : i64)
// CHECK-NEXT:          multiloop.emit %5(%6 : i1)
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.if %2 {
// CHECK-NEXT:        multiloop.emit %found(%key, %0, %1 : i64, f64, i64)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @groups_of_rows(%A: tensor<?x?xf64>, %zero: index, %n: index, %m: index, %bound: f64, %one: i64)
    -> !comprehension.bag<i64, f64, i64> {
  // expected-remark @+1 {{groups of one iteration each are folded in it}}
  %groups = multiloop.loop range(%zero, %n : index, index) -> !comprehension.bag<i64, f64, i64> {
  ^bb0(%i: index, %found: !multiloop.bucket_reduce<[i64], max : f64, add : i64>):
    multiloop.loop range(%zero, %m : index, index) {
    ^bb1(%j: index):
      %a = tensor.extract %A[%i, %j] : tensor<?x?xf64>
      %positive = arith.cmpf ogt, %a, %bound : f64
      scf.if %positive {
        %key = arith.index_cast %i : index to i64
        multiloop.emit %found[%key : i64](%a, %one : f64, i64)
      }
    }
  }
  func.return %groups : !comprehension.bag<i64, f64, i64>
}

// The groups of columns have rows of all iterations, and those of half an index of two.
// CHECK-LABEL: func.func @groups_of_others
// CHECK:         multiloop.bucket_reduce<[index], add : f64>, %halves: !multiloop.bucket_reduce<[index], add : f64>):
func.func @groups_of_others(%A: tensor<?x?xf64>, %zero: index, %n: index, %m: index)
    -> (!comprehension.bag<index, f64>, !comprehension.bag<index, f64>) {
  %one, %two = multiloop.loop range(%zero, %n : index, index)
      -> !comprehension.bag<index, f64>, !comprehension.bag<index, f64> {
  ^bb0(%i: index, %columns: !multiloop.bucket_reduce<[index], add : f64>, %halves: !multiloop.bucket_reduce<[index], add : f64>):
    multiloop.loop range(%zero, %m : index, index) {
    ^bb1(%j: index):
      %a = tensor.extract %A[%i, %j] : tensor<?x?xf64>
      multiloop.emit %columns[%j : index](%a : f64)
      %c = arith.constant 1 : index
      %half = arith.shrui %i, %c : index
      multiloop.emit %halves[%half : index](%a : f64)
    }
  }
  func.return %one, %two : !comprehension.bag<index, f64>, !comprehension.bag<index, f64>
}
