// RUN: diablo-opt %s -p merge-generators,dce | filecheck %s
// RUN: diablo-opt %s -p merge-generators --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK

!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
!map = !comprehension.bag<keys = 1, !comprehension.string, i64>

// Two generators tied to a third index; the one that is left visits stored elements only.
// REMARK:        remark: this generator stands for another one at the same index
// CHECK-LABEL: func.func @array
// CHECK:           %i = comprehension.range
// CHECK-NEXT:      %[[J:.*]], %[[K:.*]], %a = comprehension.each %A : tensor
// CHECK-NEXT:      %p = arith.cmpi eq, %[[J]], %i : index
// CHECK-NEXT:      comprehension.guard %p
// CHECK-NEXT:      %v = arith.mulf %a, %a : f64
// CHECK-NEXT:      comprehension.yield %v
func.func @array(%A: !sparse, %lo: index, %hi: index) -> f64 {
  %s = comprehension.aggregate add : f64 {
    %i = comprehension.range %lo to %hi
    %j, %k, %a = comprehension.each %A full : !sparse
    %p = arith.cmpi eq, %j, %i : index
    comprehension.guard %p
    %l, %m, %b = comprehension.each %A : !sparse
    %q = arith.cmpi eq, %l, %i : index
    comprehension.guard %q
    %r = arith.cmpi eq, %m, %k : index
    comprehension.guard %r
    %v = arith.mulf %a, %b : f64
    comprehension.yield %v
  }
  func.return %s : f64
}

// Two generators over a map with equal keys.
// CHECK-LABEL: func.func @map
// CHECK:           %k, %v = comprehension.each %M
// CHECK-NEXT:      %s = arith.addi %v, %v : i64
// CHECK-NEXT:      comprehension.yield (%k) %s
func.func @map(%M: !map) -> !comprehension.bag<!comprehension.string, i64> {
  %r = comprehension.collect : !comprehension.bag<!comprehension.string, i64> {
    %k, %v = comprehension.each %M : !map
    %l, %w = comprehension.each %M : !map
    %p = comprehension.string_call "eq"(%k, %l) : (!comprehension.string, !comprehension.string) -> i1
    comprehension.guard %p
    %s = arith.addi %v, %w : i64
    comprehension.yield (%k) %s
  }
  func.return %r : !comprehension.bag<!comprehension.string, i64>
}

// Held back: another element, the rows of a list, a group in between, an operation that fails.
// REMARK:        remark: this generator stays: an operation in front of its test can fail
// CHECK-LABEL: func.func @kept
// CHECK:           comprehension.each %A
// CHECK:           comprehension.each %A
// CHECK:           comprehension.each %rows
// CHECK:           comprehension.each %rows
// CHECK:           comprehension.each %A
// CHECK:           comprehension.each %A
// CHECK:           comprehension.each %M
// CHECK:           comprehension.each %M
func.func @kept(%A: !sparse, %rows: !comprehension.bag<i64>, %M: !map, %one: index) -> (f64, i64, f64, i64) {
  %s = comprehension.aggregate add : f64 {
    %j, %k, %a = comprehension.each %A : !sparse
    %l, %m, %b = comprehension.each %A : !sparse
    %q = arith.cmpi eq, %l, %j : index
    comprehension.guard %q
    %n = arith.addi %k, %one : index
    %r = arith.cmpi eq, %m, %n : index
    comprehension.guard %r
    comprehension.yield %b
  }
  %t = comprehension.aggregate add : i64 {
    %x = comprehension.each %rows : !comprehension.bag<i64>
    %y = comprehension.each %rows : !comprehension.bag<i64>
    %p = arith.cmpi eq, %x, %y : i64
    comprehension.guard %p
    comprehension.yield %y
  }
  %u = comprehension.aggregate add : f64 {
    %j, %k, %a = comprehension.each %A : !sparse
    %g = comprehension.group_by keys(%j) : index
    %l, %m, %b = comprehension.each %A : !sparse
    %p = arith.cmpi eq, %l, %g : index
    comprehension.guard %p
    comprehension.yield %b
  }
  %v = comprehension.aggregate add : i64 {
    %k, %v = comprehension.each %M : !map
    %l, %w = comprehension.each %M : !map
    %d = arith.divsi %v, %w : i64
    %p = comprehension.string_call "eq"(%k, %l) : (!comprehension.string, !comprehension.string) -> i1
    comprehension.guard %p
    comprehension.yield %d
  }
  func.return %s, %t, %u, %v : f64, i64, f64, i64
}
