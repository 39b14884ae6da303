// RUN: diablo-opt %s -p nest-updates | filecheck %s
// RUN: diablo-opt %s -p nest-updates --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 0>>

// What each entry is updated by is one sum.
// CHECK-LABEL: func.func @sampled
// CHECK:         comprehension.merge add %R
// CHECK-NEXT:      %i, %j, %s = comprehension.each %S
// CHECK-NEXT:      %[[SUM:.+]] = comprehension.aggregate add : f64 {
// CHECK-NEXT:        %k = comprehension.range
// CHECK:             comprehension.yield %p
// CHECK-NEXT:      }
// CHECK-NEXT:      comprehension.yield (%i, %j) %[[SUM]]
// REMARK: remark: what an entry is updated by is folded for each entry
func.func @sampled(%S: !sparse, %R: !sparse, %A: tensor<?xf64>, %n: index) -> !sparse {
  %zero = arith.constant 0 : index
  %Q = comprehension.merge add %R : !sparse {
    %i, %j, %s = comprehension.each %S : !sparse
    %k = comprehension.range %zero to %n
    %l, %a = comprehension.each %A full : tensor<?xf64>
    %same = arith.cmpi eq, %l, %k : index
    comprehension.guard %same
    %p = arith.mulf %s, %a : f64
    comprehension.yield (%i, %j) %p
  }
  func.return %Q : !sparse
}

// An update at another index stays, one of a dense array, one that goes through another sparse array,
// and one without a sum.
// CHECK-LABEL: func.func @left_alone
// CHECK-NOT:     comprehension.aggregate
func.func @left_alone(%S: !sparse, %R: !sparse, %D: tensor<?x?xf64>, %n: index)
    -> (!sparse, tensor<?x?xf64>, !sparse, !sparse) {
  %zero = arith.constant 0 : index
  %a = comprehension.merge add %R : !sparse {
    %i, %j, %s = comprehension.each %S : !sparse
    %k = comprehension.range %zero to %n
    comprehension.yield (%i, %k) %s
  }
  %b = comprehension.merge add %D : tensor<?x?xf64> {
    %i, %j, %s = comprehension.each %S : !sparse
    %k = comprehension.range %zero to %n
    comprehension.yield (%i, %j) %s
  }
  %c = comprehension.merge add %R : !sparse {
    %i, %j, %s = comprehension.each %S : !sparse
    %k = comprehension.range %zero to %n
    %i1, %k1, %t = comprehension.each %S : !sparse
    comprehension.yield (%i, %j) %t
  }
  %d = comprehension.merge add %R : !sparse {
    %i, %j, %s = comprehension.each %S : !sparse
    comprehension.yield (%i, %j) %s
  }
  func.return %a, %b, %c, %d : !sparse, tensor<?x?xf64>, !sparse, !sparse
}
