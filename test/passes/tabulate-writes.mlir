// RUN: diablo-opt %s -p tabulate-writes --remarks 2>&1 | filecheck %s
// RUN: diablo-opt %s -p tabulate-writes{dense=true} | filecheck %s --check-prefix=DENSE

!map = !comprehension.bag<keys = 1, i64, f64>
!sparse = tensor<?x?xf64, #tensor_block.storage<dense = 0>>

// CHECK: remark: counts: it is a hash table in this loop
// CHECK: remark: S: what is written to it is a hash table in this loop
// CHECK-NOT: remark: old

// A map that a loop writes to, one row at a time, also in branches.
func.func @map(%m: !map, %n: i64, %x: f64) -> !map {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %counts = scf.while (%i = %zero, %c = %m) : (i64, !map) -> (i64, !map) {
    %p = arith.cmpi slt, %i, %n : i64
    scf.condition(%p) %i, %c : i64, !map
  } do {
  ^bb0(%i: i64, %c: !map):
    %v, %found = comprehension.probe %c[%i] : !map
    %d = scf.if %found -> (!map) {
      %e = comprehension.merge add %c : !map {
        comprehension.yield (%i) %v
      }
      scf.yield %e : !map
    } else {
      scf.yield %c : !map
    }
    %f = comprehension.merge %d : !map {
      comprehension.yield (%n) %x
    }
    %next = arith.addi %i, %one : i64
    scf.yield %next, %f : i64, !map
  }
  func.return %counts : !map
}
// CHECK-LABEL: func.func @map
// CHECK:         %[[T:.*]] = comprehension.table %m
// CHECK-NEXT:    %k = scf.while (%i = %zero) : (i64) -> i64 {
// CHECK:           %v, %found = comprehension.find %[[T]][%i_1]
// CHECK-NEXT:      scf.if %found {
// CHECK-NEXT:        %[[OLD:.*]], %[[KNOWN:.*]] = comprehension.find grouped %[[T]][%i_1]
// CHECK-NEXT:        %[[NEW:.*]] = scf.if %[[KNOWN]] -> (f64) {
// CHECK-NEXT:          %[[SUM:.*]] = arith.addf %[[OLD]], %v : f64
// CHECK-NEXT:          scf.yield %[[SUM]] : f64
// CHECK-NEXT:        } else {
// CHECK-NEXT:          scf.yield %v : f64
// CHECK-NEXT:        }
// CHECK-NEXT:        comprehension.put (%[[NEW]]) into %[[T]][%i_1]
// CHECK-NEXT:      } else {
// CHECK-NEXT:      }
// CHECK-NEXT:      comprehension.put (%x) into %[[T]][%n]
// CHECK:           scf.yield %next : i64
// CHECK:         %[[M:.*]] = comprehension.entries %[[T]]
// CHECK-NEXT:    func.return %[[M]]

// A sparse array: its table has what the loop has written, which is merged into it at the end.
func.func @array(%A: !sparse, %n: index) -> !sparse {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %k, %S = scf.while (%i = %zero, %B = %A) : (index, !sparse) -> (index, !sparse) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %B : index, !sparse
  } do {
  ^bb0(%i: index, %B: !sparse):
    %a = tensor.extract %B[%i, %zero] : !sparse
    %C = comprehension.merge %B : !sparse {
      comprehension.yield (%i, %i) %a
    }
    %next = arith.addi %i, %one : index
    scf.yield %next, %C : index, !sparse
  }
  func.return %S : !sparse
}
// CHECK-LABEL: func.func @array
// CHECK:         %[[R:.*]] = tensor.dim %A, %
// CHECK:         %[[C:.*]] = tensor.dim %A, %
// CHECK:         %[[NONE:.*]] = comprehension.list : !comprehension.bag<index, index, f64>
// CHECK-NEXT:    %[[T:.*]] = comprehension.table %[[NONE]]
// CHECK-NEXT:    %k = scf.while
// CHECK:           %[[W:.*]], %[[FOUND:.*]] = comprehension.find %[[T]][%i_1, %zero]
// CHECK-NEXT:      %a = scf.if %[[FOUND]] -> (f64) {
// CHECK-NEXT:        scf.yield %[[W]] : f64
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[E:.*]] = tensor.extract %A[%i_1, %zero]
// CHECK-NEXT:        scf.yield %[[E]] : f64
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[P:.*]] = arith.cmpi ult, %i_1, %[[R]] : index
// CHECK-NEXT:      scf.if %[[P]] {
// CHECK-NEXT:        %[[Q:.*]] = arith.cmpi ult, %i_1, %[[C]] : index
// CHECK-NEXT:        scf.if %[[Q]] {
// CHECK-NEXT:          comprehension.put (%a) into %[[T]][%i_1, %i_1]
// CHECK:         %[[ROWS:.*]] = comprehension.entries %[[T]]
// CHECK-NEXT:    %S_1 = comprehension.merge %A
// CHECK-NEXT:      %[[I:.*]], %[[J:.*]], %[[X:.*]] = comprehension.each %[[ROWS]]
// CHECK-NEXT:      comprehension.yield (%[[I]], %[[J]]) %[[X]]

// Numbers in dense arrays are left to the pass that writes them where the array is.
func.func @dense(%A: tensor<?xf64>, %n: index, %x: f64) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %k, %S = scf.while (%i = %zero, %B = %A) : (index, tensor<?xf64>) -> (index, tensor<?xf64>) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %B : index, tensor<?xf64>
  } do {
  ^bb0(%i: index, %B: tensor<?xf64>):
    %C = comprehension.merge max %B : tensor<?xf64> {
      comprehension.yield (%i) %x
    }
    %next = arith.addi %i, %one : index
    scf.yield %next, %C : index, tensor<?xf64>
  }
  func.return %S : tensor<?xf64>
}
// CHECK-LABEL: func.func @dense
// CHECK-NOT:     comprehension.table
// CHECK:         comprehension.merge max
// DENSE-LABEL: func.func @dense
// DENSE-NOT:     comprehension.table
// DENSE:         comprehension.merge max

// The elements of an array in tiles are not where the driver could write them.
func.func @tiles(%A: tensor<?xf64, #tensor_block.tiles<dense = 1>>, %n: index, %x: f64)
    -> tensor<?xf64, #tensor_block.tiles<dense = 1>> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %k, %S = scf.while (%i = %zero, %B = %A) : (index, tensor<?xf64, #tensor_block.tiles<dense = 1>>)
      -> (index, tensor<?xf64, #tensor_block.tiles<dense = 1>>) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %B : index, tensor<?xf64, #tensor_block.tiles<dense = 1>>
  } do {
  ^bb0(%i: index, %B: tensor<?xf64, #tensor_block.tiles<dense = 1>>):
    %C = comprehension.merge max %B : tensor<?xf64, #tensor_block.tiles<dense = 1>> {
      comprehension.yield (%i) %x
    }
    %next = arith.addi %i, %one : index
    scf.yield %next, %C : index, tensor<?xf64, #tensor_block.tiles<dense = 1>>
  }
  func.return %S : tensor<?xf64, #tensor_block.tiles<dense = 1>>
}
// CHECK-LABEL: func.func @tiles
// CHECK-NOT:     comprehension.table
// CHECK:         comprehension.merge max
// DENSE-LABEL: func.func @tiles
// DENSE:         comprehension.table
// DENSE:         comprehension.find grouped
// DENSE:           comprehension.probe %A[%i_1]
// DENSE:         comprehension.put

// Held back: what the map was before the write is read behind it.
func.func @old(%m: !map, %n: i64, %x: f64) -> (!map, f64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %old, %s = scf.while (%i = %zero, %c = %m, %t = %x) : (i64, !map, f64) -> (i64, !map, f64) {
    %p = arith.cmpi slt, %i, %n : i64
    scf.condition(%p) %i, %c, %t : i64, !map, f64
  } do {
  ^bb0(%i: i64, %c: !map, %t: f64):
    %d = comprehension.merge %c : !map {
      comprehension.yield (%n) %x
    }
    %v, %found = comprehension.probe %c[%i] : !map
    %next = arith.addi %i, %one : i64
    scf.yield %next, %d, %v : i64, !map, f64
  }
  func.return %old, %s : !map, f64
}
// CHECK-LABEL: func.func @old
// CHECK-NOT:     comprehension.table
// CHECK:         comprehension.merge

// Held back: many rows at once, and a fold of the whole map.
func.func @whole(%m: !map, %n: i64, %x: f64) -> (!map, !map) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %a, %b = scf.while (%i = %zero, %c = %m, %d = %m) : (i64, !map, !map) -> (i64, !map, !map) {
    %p = arith.cmpi slt, %i, %n : i64
    scf.condition(%p) %i, %c, %d : i64, !map, !map
  } do {
  ^bb0(%i: i64, %c: !map, %d: !map):
    %s = comprehension.aggregate add : f64 {
      %key, %v = comprehension.each %c : !map
      comprehension.yield %v
    }
    %e = comprehension.merge %c : !map {
      comprehension.yield (%n) %s
    }
    %f = comprehension.merge %d : !map {
      %key, %v = comprehension.each %m : !map
      comprehension.yield (%i) %v
    }
    %next = arith.addi %i, %one : i64
    scf.yield %next, %e, %f : i64, !map, !map
  }
  func.return %a, %b : !map, !map
}
// CHECK-LABEL: func.func @whole
// CHECK-NOT:     comprehension.table

// A map that is only read is a table in the loop.
func.func @reads(%m: !map, %n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k = scf.while (%i = %zero) : (i64) -> i64 {
    %v, %found = comprehension.probe %m[%i] : !map
    scf.condition(%found) %i : i64
  } do {
  ^bb0(%i: i64):
    %next = arith.addi %i, %one : i64
    scf.yield %next : i64
  }
  func.return %k : i64
}
// CHECK-LABEL: func.func @reads
// CHECK:         %[[T:.*]] = comprehension.table %m
// CHECK-NEXT:    scf.while
// CHECK-NEXT:      comprehension.find %[[T]]
