// What emits has an effect, on one generator; a loop has the effects of its body on all else.
// RUN: diablo-opt %s -p canonicalize | filecheck %s --check-prefixes=CHECK,KEPT
// RUN: diablo-opt %s -p dce | filecheck %s --check-prefixes=CHECK,KEPT
// RUN: diablo-opt %s -p cse | filecheck %s --check-prefixes=CHECK,ONCE

// The same row may be emitted several times.
// CHECK-LABEL: func.func @emits
// CHECK:         multiloop.loop
// CHECK:           multiloop.emit %all(%i : index)
// CHECK-NEXT:      multiloop.emit %all(%i : index)
// CHECK-NEXT:      scf.if %p {
// CHECK-NEXT:        multiloop.emit %all(%i : index)
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.if %p {
// CHECK-NEXT:        multiloop.emit %all(%i : index)
// CHECK-NEXT:      }
// CHECK-NEXT:      multiloop.loop
// CHECK-NEXT:      ^bb{{[0-9]+}}
// CHECK-NEXT:        multiloop.emit %all(%i : index)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func @emits(%n: index, %p: i1) -> !comprehension.bag<index> {
  %rows = multiloop.loop range(%n, %n : index, index) -> !comprehension.bag<index> {
  ^bb0(%i: index, %all: !multiloop.collect<index>):
    multiloop.emit %all(%i : index)
    multiloop.emit %all(%i : index)
    scf.if %p {
      multiloop.emit %all(%i : index)
    }
    scf.if %p {
      multiloop.emit %all(%i : index)
    }
    multiloop.loop range(%n, %n : index, index) {
    ^bb1(%j: index):
      multiloop.emit %all(%i : index)
    }
  }
  func.return %rows : !comprehension.bag<index>
}

// A loop whose results nothing uses goes, and so does an inner one that emits to itself alone.
// CHECK-LABEL: func.func @dead
// CHECK-NEXT:    %rows = multiloop.loop
// CHECK-NEXT:    ^bb{{[0-9]+}}
// CHECK-NEXT:      multiloop.emit %all(%i : index)
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func @dead(%n: index, %p: i1) -> !comprehension.bag<index> {
  %unused = multiloop.loop range(%n, %n : index, index) -> index {
  ^bb0(%i: index, %sum: !multiloop.reduce<add : index>):
    multiloop.emit %sum(%i : index)
  }
  %wide = multiloop.loop range(%n, %n : index, index) -> i64 {
  ^bb0(%i: index, %sum: !multiloop.reduce<add : i64>):
    %k = arith.index_cast %i : index to i32
    scf.if %p {
      %l = arith.extsi %k : i32 to i64
      multiloop.emit %sum(%l : i64)
    }
  }
  %rows = multiloop.loop range(%n, %n : index, index) -> !comprehension.bag<index> {
  ^bb0(%i: index, %all: !multiloop.collect<index>):
    %inner = multiloop.loop range(%n, %n : index, index) -> index {
    ^bb1(%j: index, %sum: !multiloop.reduce<add : index>):
      multiloop.emit %sum(%j : index)
    }
    multiloop.emit %all(%i : index)
  }
  func.return %rows : !comprehension.bag<index>
}

// What else a loop does stays.
// CHECK-LABEL: func.func @effect
// CHECK-NEXT:    %unused = multiloop.loop
// CHECK-NEXT:    ^bb{{[0-9]+}}
// CHECK-NEXT:      func.call @count() : () -> ()
func.func private @count()
func.func @effect(%n: index) {
  %unused = multiloop.loop range(%n, %n : index, index) -> index {
  ^bb0(%i: index, %sum: !multiloop.reduce<add : index>):
    func.call @count() : () -> ()
    multiloop.emit %sum(%i : index)
  }
  func.return
}

// Equal loops are one for cse.
// CHECK-LABEL: func.func @equal
// CHECK-NEXT:    %a = multiloop.loop
// KEPT:          %b = multiloop.loop
// KEPT:          func.return %a, %b
// ONCE-NOT:      multiloop.loop
// ONCE:          func.return %a, %a
func.func @equal(%n: index) -> (index, index) {
  %a = multiloop.loop range(%n, %n : index, index) -> index {
  ^bb0(%i: index, %sum: !multiloop.reduce<add : index>):
    multiloop.emit %sum(%i : index)
  }
  %b = multiloop.loop range(%n, %n : index, index) -> index {
  ^bb0(%i: index, %sum: !multiloop.reduce<add : index>):
    multiloop.emit %sum(%i : index)
  }
  func.return %a, %b : index, index
}
