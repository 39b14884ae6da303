// RUN: diablo-opt %s -p cse | filecheck %s
// RUN: diablo-opt %s -p 'builtin.module(func.func(cse))' | filecheck %s

// Equal ops are one, in a region as well if the first stands around it.
// CHECK-LABEL: func.func @equal
// CHECK-NEXT:    %a = arith.addi %x, %y : i64
// CHECK-NEXT:    %d = scf.if %c -> (i64) {
// CHECK-NEXT:      scf.yield %a : i64
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %f = arith.muli %x, %y : i64
// CHECK-NEXT:      scf.yield %f : i64
// CHECK-NEXT:    }
// CHECK-NEXT:    %g = arith.muli %x, %y : i64
// CHECK-NEXT:    return %a, %a, %d, %g
func.func @equal(%x: i64, %y: i64, %c: i1) -> (i64, i64, i64, i64) {
  %a = arith.addi %x, %y : i64
  %b = arith.addi %x, %y : i64
  %d = scf.if %c -> (i64) {
    %e = arith.addi %x, %y : i64
    scf.yield %e : i64
  } else {
    %f = arith.muli %x, %y : i64
    scf.yield %f : i64
  }
  // What a region has found is unknown behind it.
  %g = arith.muli %x, %y : i64
  func.return %a, %b, %d, %g : i64, i64, i64, i64
}

// An attribute, the order of operands or a type more makes another op.
// CHECK-LABEL: func.func @different
// CHECK-NEXT:    arith.cmpi slt, %x, %y
// CHECK-NEXT:    arith.cmpi sle, %x, %y
// CHECK-NEXT:    arith.cmpi slt, %y, %x
// CHECK-NEXT:    arith.extsi %z : i8 to i32
// CHECK-NEXT:    arith.extsi %z : i8 to i64
func.func @different(%x: i64, %y: i64, %z: i8) -> (i1, i1, i1, i32, i64) {
  %a = arith.cmpi slt, %x, %y : i64
  %b = arith.cmpi sle, %x, %y : i64
  %c = arith.cmpi slt, %y, %x : i64
  %d = arith.extsi %z : i8 to i32
  %e = arith.extsi %z : i8 to i64
  func.return %a, %b, %c, %d, %e : i1, i1, i1, i32, i64
}

// Ops with regions are equal if these are.
// CHECK-LABEL: func.func @regions
// CHECK-NEXT:    %a = comprehension.collect
// CHECK:         %c = comprehension.collect
// CHECK-NEXT:      %[[K:.*]], %{{.*}} = comprehension.each %x :
// CHECK-NEXT:      comprehension.yield %[[K]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return %a, %a, %c
func.func @regions(%x: !comprehension.bag<i64, i64>) -> (!comprehension.bag<i64>, !comprehension.bag<i64>, !comprehension.bag<i64>) {
  %a = comprehension.collect : !comprehension.bag<i64> {
    %k, %v = comprehension.each %x : !comprehension.bag<i64, i64>
    comprehension.yield %v
  }
  %b = comprehension.collect : !comprehension.bag<i64> {
    %k, %v = comprehension.each %x : !comprehension.bag<i64, i64>
    comprehension.yield %v
  }
  %c = comprehension.collect : !comprehension.bag<i64> {
    %k, %v = comprehension.each %x : !comprehension.bag<i64, i64>
    comprehension.yield %k
  }
  func.return %a, %b, %c : !comprehension.bag<i64>, !comprehension.bag<i64>, !comprehension.bag<i64>
}

// A read is the one before it, up to a write; the latest one counts.
// CHECK-LABEL: func.func @reads
// CHECK-NEXT:    %a = memref.load %m[]
// CHECK-NEXT:    memref.store %x, %m[]
// CHECK-NEXT:    %c = memref.load %m[]
// CHECK-NEXT:    return %a, %a, %c, %c
func.func @reads(%x: i64, %m: memref<i64>) -> (i64, i64, i64, i64) {
  %a = memref.load %m[] : memref<i64>
  %b = memref.load %m[] : memref<i64>
  memref.store %x, %m[] : memref<i64>
  %c = memref.load %m[] : memref<i64>
  %d = memref.load %m[] : memref<i64>
  func.return %a, %b, %c, %d : i64, i64, i64, i64
}

// A function knows nothing of those around it.
// CHECK-LABEL: func.func @another
// CHECK-NEXT:    %a = arith.addi %x, %y : i64
// CHECK-NEXT:    return %a
func.func @another(%x: i64, %y: i64) -> i64 {
  %a = arith.addi %x, %y : i64
  func.return %a : i64
}
