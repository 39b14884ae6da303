// RUN: diablo-opt %s -p fuse-rows | filecheck %s

!pair = !comprehension.bag<i64, f64>
!triple = !comprehension.bag<i64, f64, f64>

// What extends a part of the columns extends all, and has that part.
// CHECK-LABEL: func.func @projected
// CHECK-NEXT:    %b = tensor_block.extend %a to [1, 2] :
// CHECK-NEXT:    ^{{.*}}(%{{.*}}: i64, %v: f64):
// CHECK-NEXT:      %[[S:.*]] = arith.mulf %v, %v
// CHECK-NEXT:      tensor_block.yield %[[S]] : f64
// CHECK:         return %b
func.func @projected(%a: !pair) -> !comprehension.bag<f64, f64> {
  %p = tensor_block.project %a[1] : !pair -> !comprehension.bag<f64>
  %b = tensor_block.extend %p : !comprehension.bag<f64> -> !comprehension.bag<f64, f64> {
  ^bb0(%v: f64):
    %s = arith.mulf %v, %v : f64
    tensor_block.yield %s : f64
  }
  func.return %b : !comprehension.bag<f64, f64>
}

// Two that extend are one, which computes once what both compute, and only what is taken.
// CHECK-LABEL: func.func @extended
// CHECK-NEXT:    %c = tensor_block.extend %a to [2, 0, 3] :
// CHECK-NEXT:    ^{{.*}}(%{{.*}}: i64, %v: f64):
// CHECK-NEXT:      %s = arith.mulf %v, %v
// CHECK-NEXT:      %t = arith.addf %s, %s
// CHECK-NEXT:      tensor_block.yield %s, %t : f64, f64
// CHECK-NEXT:    }
// CHECK-NEXT:    return %c
func.func @extended(%a: !pair) -> !comprehension.bag<f64, i64, f64> {
  %b = tensor_block.extend %a to [2, 0, 1, 3] : !pair -> !comprehension.bag<f64, i64, f64, f64> {
  ^bb0(%k: i64, %v: f64):
    %s = arith.mulf %v, %v : f64
    %u = arith.subf %v, %s : f64
    tensor_block.yield %s, %u : f64, f64
  }
  %c = tensor_block.extend %b to [0, 1, 4] : !comprehension.bag<f64, i64, f64, f64> -> !comprehension.bag<f64, i64, f64> {
  ^bb0(%x: f64, %k: i64, %v: f64, %u: f64):
    %s = arith.mulf %v, %v : f64
    %t = arith.addf %x, %s : f64
    tensor_block.yield %t : f64
  }
  func.return %c : !comprehension.bag<f64, i64, f64>
}

// A column that is another one again.
// CHECK-LABEL: func.func @copied
// CHECK-NEXT:    tensor_block.project %a[0, 1, 0]
// CHECK-NEXT:    tensor_block.extend %a to [0, 1, 1, 2] :
// CHECK:           tensor_block.yield %{{.*}} : f64
func.func @copied(%a: !pair) -> (!comprehension.bag<i64, f64, i64>, !comprehension.bag<i64, f64, f64, f64>) {
  %b = tensor_block.extend %a : !pair -> !comprehension.bag<i64, f64, i64> {
  ^bb0(%k: i64, %v: f64):
    tensor_block.yield %k : i64
  }
  %c = tensor_block.extend %a : !pair -> !comprehension.bag<i64, f64, f64, f64> {
  ^bb0(%k: i64, %v: f64):
    %s = arith.mulf %v, %v : f64
    tensor_block.yield %v, %s : f64, f64
  }
  func.return %b, %c : !comprehension.bag<i64, f64, i64>, !comprehension.bag<i64, f64, f64, f64>
}

// Two tests are one.
// CHECK-LABEL: func.func @filtered
// CHECK-NEXT:    %c = tensor_block.filter %a
// CHECK:           %p = arith.cmpi slt, %k, %n
// CHECK-NEXT:      %q = arith.cmpf olt, %v, %v
// CHECK-NEXT:      %[[B:.*]] = arith.andi %p, %q
// CHECK-NEXT:      tensor_block.yield %[[B]]
// CHECK:         return %c
func.func @filtered(%a: !pair, %n: i64) -> !pair {
  %b = tensor_block.filter %a : !pair {
  ^bb0(%k: i64, %v: f64):
    %p = arith.cmpi slt, %k, %n : i64
    tensor_block.yield %p : i1
  }
  %c = tensor_block.filter %b : !pair {
  ^bb0(%k: i64, %v: f64):
    %q = arith.cmpf olt, %v, %v : f64
    tensor_block.yield %q : i1
  }
  func.return %c : !pair
}

// Strings are looked at once, where both tests look at them.
// CHECK-LABEL: func.func @strings
// CHECK:         tensor_block.filter
// CHECK:           string_call "upper"
// CHECK-NOT:       string_call "upper"
// CHECK-NOT:     tensor_block.filter
// CHECK:         return
func.func @strings(%a: !comprehension.bag<!comprehension.string>) -> !comprehension.bag<!comprehension.string> {
  %b = tensor_block.filter %a : !comprehension.bag<!comprehension.string> {
  ^bb0(%w: !comprehension.string):
    %u = comprehension.string_call "upper"(%w) : (!comprehension.string) -> !comprehension.string
    %p = comprehension.string_call "eq"(%u, %w) : (!comprehension.string, !comprehension.string) -> i1
    tensor_block.yield %p : i1
  }
  %c = tensor_block.filter %b : !comprehension.bag<!comprehension.string> {
  ^bb0(%w: !comprehension.string):
    %u = comprehension.string_call "upper"(%w) : (!comprehension.string) -> !comprehension.string
    %l = comprehension.string_call "lower"(%u) : (!comprehension.string) -> !comprehension.string
    %p = comprehension.string_call "ne"(%u, %l) : (!comprehension.string, !comprehension.string) -> i1
    tensor_block.yield %p : i1
  }
  func.return %c : !comprehension.bag<!comprehension.string>
}

// Held back: a test that may fail, one that costs more than arithmetic and shares nothing of it,
// and what something else reads.
// CHECK-LABEL: func.func @held
// CHECK:         tensor_block.filter %a
// CHECK:         tensor_block.filter %b
// CHECK:         tensor_block.filter %w
// CHECK:         tensor_block.filter %x
// CHECK:         tensor_block.extend %a
// CHECK:         tensor_block.extend %e
func.func @held(%a: !pair, %n: i64, %w: !comprehension.bag<i64, !comprehension.string>) -> (!pair, !comprehension.bag<i64, !comprehension.string>, !triple, !comprehension.bag<i64, f64, f64, f64>) {
  %b = tensor_block.filter %a : !pair {
  ^bb0(%k: i64, %v: f64):
    %p = arith.cmpi ne, %k, %n : i64
    tensor_block.yield %p : i1
  }
  %c = tensor_block.filter %b : !pair {
  ^bb0(%k: i64, %v: f64):
    %d = arith.subi %k, %n : i64
    %r = arith.remsi %k, %d : i64
    %q = arith.cmpi eq, %r, %n : i64
    tensor_block.yield %q : i1
  }
  %x = tensor_block.filter %w : !comprehension.bag<i64, !comprehension.string> {
  ^bb0(%k: i64, %s: !comprehension.string):
    %p = arith.cmpi ne, %k, %n : i64
    tensor_block.yield %p : i1
  }
  %y = tensor_block.filter %x : !comprehension.bag<i64, !comprehension.string> {
  ^bb0(%k: i64, %s: !comprehension.string):
    %u = comprehension.string_call "upper"(%s) : (!comprehension.string) -> !comprehension.string
    %p = comprehension.string_call "eq"(%u, %s) : (!comprehension.string, !comprehension.string) -> i1
    tensor_block.yield %p : i1
  }
  %e = tensor_block.extend %a : !pair -> !triple {
  ^bb0(%k: i64, %v: f64):
    %s = arith.mulf %v, %v : f64
    tensor_block.yield %s : f64
  }
  %f = tensor_block.extend %e : !triple -> !comprehension.bag<i64, f64, f64, f64> {
  ^bb0(%k: i64, %v: f64, %s: f64):
    %t = arith.mulf %s, %s : f64
    tensor_block.yield %t : f64
  }
  func.return %c, %y, %e, %f : !pair, !comprehension.bag<i64, !comprehension.string>, !triple, !comprehension.bag<i64, f64, f64, f64>
}
