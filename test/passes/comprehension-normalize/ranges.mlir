// RUN: diablo-opt %s -p comprehension-normalize | filecheck %s

// A range that goes down goes up where the order of its rows makes no difference.

// CHECK-LABEL: func.func @elements(
// CHECK:         comprehension.merge %V
// CHECK-NEXT:      comprehension.range %lo to %hi
func.func @elements(%V: tensor<?xf64>, %lo: index, %hi: index, %x: f64) -> tensor<?xf64> {
  %r = comprehension.merge %V : tensor<?xf64> {
    %i = comprehension.range %hi to %lo step -1
    comprehension.yield (%i) %x
  }
  func.return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @sum(
// CHECK:         comprehension.range %lo to %hi
func.func @sum(%lo: index, %hi: index) -> index {
  %r = comprehension.aggregate add : index {
    %i = comprehension.range %hi to %lo step -1
    %s = arith.muli %i, %i : index
    comprehension.yield %s
  }
  func.return %r : index
}

// The rows of a list have an order.
// CHECK-LABEL: func.func @list(
// CHECK:         comprehension.range %hi to %lo step -1
func.func @list(%lo: index, %hi: index) -> !comprehension.bag<index> {
  %r = comprehension.collect : !comprehension.bag<index> {
    %i = comprehension.range %hi to %lo step -1
    comprehension.yield %i
  }
  func.return %r : !comprehension.bag<index>
}

// The last row that goes to an element counts.
// CHECK-LABEL: func.func @last(
// CHECK:         comprehension.range %hi to %lo step -1
func.func @last(%V: tensor<?xf64>, %lo: index, %hi: index, %k: index) -> tensor<?xf64> {
  %r = comprehension.merge %V : tensor<?xf64> {
    %i = comprehension.range %hi to %lo step -1
    %c = arith.index_cast %i : index to i64
    %x = arith.sitofp %c : i64 to f64
    comprehension.yield (%k) %x
  }
  func.return %r : tensor<?xf64>
}

// Every other index: where the range would begin is not known.
// CHECK-LABEL: func.func @strided(
// CHECK:         comprehension.range %hi to %lo step -2
func.func @strided(%V: tensor<?xf64>, %lo: index, %hi: index, %x: f64) -> tensor<?xf64> {
  %r = comprehension.merge %V : tensor<?xf64> {
    %i = comprehension.range %hi to %lo step -2
    comprehension.yield (%i) %x
  }
  func.return %r : tensor<?xf64>
}
