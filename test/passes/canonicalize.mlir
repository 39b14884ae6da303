// RUN: diablo-opt %s -p canonicalize | filecheck %s
// RUN: diablo-opt %s -p 'builtin.module(func.func(canonicalize))' | filecheck %s

// What is folded is a constant, and what nothing uses any more goes, with what only that used.
// CHECK-LABEL: func.func @folded
// CHECK-NEXT:    %{{.*}} = arith.constant 4 : i64
// CHECK-NEXT:    return
func.func @folded(%x: i64) -> i64 {
  %c = arith.constant 2 : i64
  %s = arith.addi %c, %c : i64
  %unused = arith.muli %x, %s : i64
  %also = arith.addi %unused, %x : i64
  func.return %s : i64
}

// The rules of an op are applied, within regions too.
// CHECK-LABEL: func.func @inside
// CHECK-NEXT:    %{{.*}} = comprehension.collect
// CHECK-NEXT:      %{{.*}}, %v = comprehension.each %a
// CHECK-NEXT:      comprehension.yield %v
func.func @inside(%a: !comprehension.bag<i64, f64>) -> !comprehension.bag<f64> {
  %b = comprehension.collect : !comprehension.bag<f64> {
    %k, %v = comprehension.each %a : !comprehension.bag<i64, f64>
    %t = arith.constant true
    comprehension.guard %t
    comprehension.yield %v
  }
  func.return %b : !comprehension.bag<f64>
}

// What has an effect stays with what it uses, and so does what may have one.
// CHECK-LABEL: func.func @kept
// CHECK-NEXT:    %s = arith.addi %x, %y : i64
// CHECK-NEXT:    memref.store %s, %m[] : memref<i64>
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      memref.store %x, %m[] : memref<i64>
// CHECK-NEXT:    }
// CHECK-NEXT:    %{{.*}} = func.call @other(%x) : (i64) -> i64
// CHECK-NEXT:    return
func.func @kept(%x: i64, %y: i64, %c: i1, %m: memref<i64>) {
  %s = arith.addi %x, %y : i64
  memref.store %s, %m[] : memref<i64>
  scf.if %c {
    memref.store %x, %m[] : memref<i64>
  }
  scf.if %c {
    %read = memref.load %m[] : memref<i64>
  }
  %called = func.call @other(%x) : (i64) -> i64
  func.return
}
func.func private @other(i64) -> i64

// Blocks that nothing reaches go, and those between which nothing chooses are one.
// CHECK-LABEL: func.func @unreached
// CHECK-NEXT:    return %x
// CHECK-NEXT:  }
func.func @unreached(%x: i64, %c: i1) -> i64 {
  cf.cond_br %c, ^end, ^end
^lost:
  cf.br ^lost
^end:
  func.return %x : i64
}

// Casts and remainders of which xDSL does not say that they have no effect.
// CHECK-LABEL: func.func @without_effect
// CHECK-NEXT:    return
func.func @without_effect(%x: i32, %y: i32, %c: i1) {
  %wide = arith.extsi %x : i32 to i64
  scf.if %c {
    %rest = arith.remui %x, %y : i32
  }
  func.return
}
