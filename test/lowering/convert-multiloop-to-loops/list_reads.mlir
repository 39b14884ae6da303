// What a row reads of its list is tested, where the positions of a loop are known ahead before that.
// RUN: diablo-opt %s -p convert-multiloop-to-loops,cse | filecheck %s

!list = !comprehension.bag<i64, f64>
!lists = !comprehension.bag<i64, !list>

// A row that reads outside of its list goes on with zero, and the state says so at the end.
// CHECK-LABEL: func.func @one(
// CHECK-SAME:    %starts: memref<?xindex>, %lengths: memref<?xindex>, %item: memref<?xf64>,
// CHECK:         %failed = memref.alloca()
// CHECK:         [[BEFORE:%.+]] = memref.load %state{{\[}}[[LAST:%.+]]{{\]}}
// CHECK-NEXT:    memref.store [[BEFORE]], %failed
// CHECK:         scf.for %row = %begin to %end
// CHECK:           [[AT:%.+]] = arith.index_cast %k : i64 to index
// CHECK-NEXT:      [[PLACE:%.+]] = arith.addi %start, [[AT]] : index
// CHECK-NEXT:      %inside = arith.cmpi ult, [[AT]], %length_1 : index
// CHECK-NEXT:      %x = scf.if %inside -> (f64) {
// CHECK-NEXT:        [[X:%.+]] = memref.load %item{{\[}}[[PLACE]]{{\]}}
// CHECK-NEXT:        scf.yield [[X]]
// CHECK-NEXT:      } else {
// CHECK:             memref.store {{.+}}, %failed
// CHECK:             [[ZERO:%.+]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:        scf.yield [[ZERO]]
// CHECK:           memref.store %x
// CHECK:         [[HAS:%.+]] = memref.load %failed
// CHECK-NEXT:    memref.store [[HAS]], %state{{\[}}[[LAST]]{{\]}}
func.func @one(%rows: !lists) -> !comprehension.bag<f64> {
  %r = multiloop.loop rows(%rows : !lists) -> !comprehension.bag<f64> {
  ^bb0(%k: i64, %xs: !list, %all: !multiloop.collect<f64>):
    %j, %x = comprehension.element %xs[%k] : !list
    multiloop.emit %all(%x : f64)
  }
  func.return %r : !comprehension.bag<f64>
}

// The first and the last of the positions that a loop reads are tested before it.
// CHECK-LABEL: func.func @each(
// CHECK:         scf.for %row = %begin to %end
// CHECK:           [[FIRST:%.+]] = arith.cmpi ult, {{.+}}, %length_1 : index
// CHECK:           [[LAST:%.+]] = arith.cmpi ult, {{.+}}, %length_1 : index
// CHECK:           [[FEW:%.+]] = arith.cmpi sle, [[TRIPS:%.+]], %length_1 : index
// CHECK:           %outside = arith.andi
// CHECK-NEXT:      scf.if %outside {
// CHECK:             memref.store {{.+}}, %failed
// CHECK:           [[LEFT:%.+]] = arith.select %outside, {{.+}}, [[TRIPS]] : index
// CHECK-NEXT:      scf.for %row_1 = {{.+}} to [[LEFT]] step
// CHECK-NOT:         scf.if
// CHECK:             %x = memref.load %item
func.func @each(%rows: !lists) -> f64 {
  %zero = arith.constant 0 : index
  %sum = multiloop.loop rows(%rows : !lists) -> f64 {
  ^bb0(%k: i64, %xs: !list, %total: !multiloop.reduce<add : f64>):
    %n = arith.index_cast %k : i64 to index
    multiloop.loop range(%zero, %n : index, index) {
    ^bb1(%i: index):
      %number = arith.index_cast %i : index to i64
      %length = comprehension.length %xs : !list
      %at = arith.subi %length, %number : i64
      %j, %x = comprehension.element %xs[%at] : !list
      multiloop.emit %total(%x : f64)
    }
  }
  func.return %sum : f64
}

// What is read on a condition is tested where it is read.
// CHECK-LABEL: func.func @some(
// CHECK-NOT:     %outside
// CHECK:         scf.for %row_1 =
// CHECK:           scf.if %positive {
// CHECK:             %inside = arith.cmpi ult
// CHECK-NEXT:        scf.if %inside -> (f64)
func.func @some(%rows: !lists) -> f64 {
  %zero = arith.constant 0 : index
  %none = arith.constant 0 : i64
  %sum = multiloop.loop rows(%rows : !lists) -> f64 {
  ^bb0(%k: i64, %xs: !list, %total: !multiloop.reduce<add : f64>):
    %n = arith.index_cast %k : i64 to index
    multiloop.loop range(%zero, %n : index, index) {
    ^bb1(%i: index):
      %number = arith.index_cast %i : index to i64
      %positive = arith.cmpi sgt, %number, %none : i64
      scf.if %positive {
        %j, %x = comprehension.element %xs[%number] : !list
        multiloop.emit %total(%x : f64)
      }
    }
  }
  func.return %sum : f64
}

// Of so many numbers that they might wrap around, or lack memory, a row collects none, and fails.
// CHECK-LABEL: func.func @numbers(
// CHECK:         %n = memref.load
// CHECK-NEXT:    [[BETWEEN:%.+]] = arith.subi %n, %zero : index
// CHECK:         [[SOME:%.+]] = arith.cmpi slt, %zero, %n : index
// CHECK-NEXT:    [[MOST:%.+]] = arith.constant 268435456 : index
// CHECK-NEXT:    [[MANY:%.+]] = arith.cmpi ugt, [[BETWEEN]], [[MOST]] : index
// CHECK-NEXT:    %far = arith.andi [[SOME]], [[MANY]] : i1
// CHECK-NEXT:    scf.if %far {
// CHECK:           memref.store {{.+}}, %failed
// CHECK:         arith.select %far, %{{.+}}, %{{.+}} : index
!numbers = !comprehension.bag<index>
func.func @numbers(%rows: !numbers) -> !comprehension.bag<!numbers> {
  %zero = arith.constant 0 : index
  %r = multiloop.loop rows(%rows : !numbers) -> !comprehension.bag<!numbers> {
  ^bb0(%n: index, %all: !multiloop.collect<!numbers>):
    %list = multiloop.loop range(%zero, %n : index, index) -> !numbers {
    ^bb1(%i: index, %own: !multiloop.collect<index>):
      multiloop.emit %own(%i : index)
    }
    multiloop.emit %all(%list : !numbers)
  }
  func.return %r : !comprehension.bag<!numbers>
}
