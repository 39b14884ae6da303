// RUN: diablo-opt %s -p write-elements --remarks 2>&1 | filecheck %s
// RUN: diablo-opt %s -p write-elements,update-in-place | filecheck %s --check-prefix=PLACE

// Elements that loops write, one in each iteration.

!vector = tensor<?xf64>
!matrix = tensor<?x?xf64>

// CHECK: remark: one element is written, where the array is
// CHECK: remark: one element is written, where the array is
// CHECK: remark: single elements are written, where the array is
// CHECK: remark: one element is written, where the array is

// What the caller gave is copied before the loop.
func.func @scan(%V: !vector) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f64
  %n = tensor.dim %V, %zero : !vector
  %k, %s, %X = scf.while (%i = %zero, %t = %start, %A = %V) : (index, f64, !vector) -> (index, f64, !vector) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %t, %A : index, f64, !vector
  } do {
  ^bb0(%i: index, %t: f64, %A: !vector):
    %u = arith.addf %t, %t : f64
    %B = func.call @write(%n, %A, %i, %u) : (index, !vector, index, f64) -> !vector
    %next = arith.addi %i, %one : index
    scf.yield %next, %u, %B : index, f64, !vector
  }
  func.return %X : !vector
}
func.func private @write(%n: index, %A: !vector, %i: index, %s: f64) -> !vector {
  %r = tensor_block.map parallel(d0 < %n) ins(%A[d0] : !vector) -> !vector {
  ^bb0(%d: index, %a: f64):
    %p = arith.cmpi eq, %d, %i : index
    %v = scf.if %p -> (f64) {
      scf.yield %s : f64
    } else {
      scf.yield %a : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @scan
// CHECK:         %[[OWN:.*]] = bufferization.alloc_tensor() copy(%V) : tensor<?xf64>
// CHECK-NEXT:    %[[EXTENT:.*]] = tensor.dim %[[OWN]], %{{.*}} : tensor<?xf64>
// CHECK:         scf.while ({{.*}} = %[[OWN]])
// CHECK:         %[[IN:.*]] = arith.cmpi ult, %[[I:.*]], %[[EXTENT]] : index
// CHECK-NEXT:    %B = scf.if %[[IN]] -> (tensor<?xf64>) {
// CHECK-NEXT:      %[[Y:.*]] = tensor.insert %u into %[[A:.*]][%[[I]]] : tensor<?xf64>
// CHECK-NEXT:      scf.yield %[[Y]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %[[A]]
// PLACE-LABEL: func.func @scan
// PLACE:         tensor.insert %{{.*}} into %{{.*}} {in_place = 1 : i64}

// Two indices, and the element that was there; what a kernel made is the loop's alone.
func.func @table(%n: index, %m: index) -> !matrix {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %M = func.call @zeros(%n, %m) : (index, index) -> !matrix
  %k, %X = scf.while (%i = %zero, %A = %M) : (index, !matrix) -> (index, !matrix) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %A : index, !matrix
  } do {
  ^bb0(%i: index, %A: !matrix):
    %B = func.call @add(%n, %m, %A, %i, %one) : (index, index, !matrix, index, index) -> !matrix
    %next = arith.addi %i, %one : index
    scf.yield %next, %B : index, !matrix
  }
  func.return %X : !matrix
}
func.func private @zeros(%n: index, %m: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m) -> !matrix {
  ^bb0(%d: index, %e: index):
    %z = arith.constant 0.0 : f64
    tensor_block.yield %z : f64
  }
  func.return %r : !matrix
}
func.func private @add(%n: index, %m: index, %A: !matrix, %i: index, %j: index) -> !matrix {
  %r = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : !matrix) -> !matrix {
  ^bb0(%d: index, %e: index, %a: f64):
    %p = arith.cmpi eq, %d, %i : index
    %q = arith.cmpi eq, %j, %e : index
    %pq = arith.andi %p, %q : i1
    %v = scf.if %pq -> (f64) {
      %w = arith.addf %a, %a : f64
      scf.yield %w : f64
    } else {
      scf.yield %a : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %r : !matrix
}
// CHECK-LABEL: func.func @table
// CHECK-NOT:     alloc_tensor
// CHECK:         %[[N:.*]] = tensor.dim %M, %
// CHECK:         %[[M:.*]] = tensor.dim %M, %
// CHECK:         %[[PI:.*]] = arith.cmpi ult, %[[I:.*]], %[[N]] : index
// CHECK-NEXT:    %[[PJ:.*]] = arith.cmpi ult, %one, %[[M]] : index
// CHECK-NEXT:    %[[P:.*]] = arith.andi %[[PI]], %[[PJ]] : i1
// CHECK-NEXT:    %B = scf.if %[[P]]
// CHECK-NEXT:      %[[A:.*]] = tensor.extract %[[X:.*]][%[[I]], %one]
// CHECK-NEXT:      %[[W:.*]] = arith.addf %[[A]], %[[A]] : f64
// CHECK-NEXT:      tensor.insert %[[W]] into %[[X]][%[[I]], %one]
// PLACE-LABEL: func.func @table
// PLACE:         tensor.insert %{{.*}} into %{{.*}} {in_place = 1 : i64}

// Held back: no loop; another extent; more than an element; what was there before two writes.
func.func @kept(%V: !vector, %n: index, %s: f64) -> (!vector, !vector) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %d = tensor.dim %V, %zero : !vector
  %once = func.call @write(%d, %V, %zero, %s) : (index, !vector, index, f64) -> !vector
  %k, %X = scf.while (%i = %zero, %A = %V) : (index, !vector) -> (index, !vector) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %A : index, !vector
  } do {
  ^bb0(%i: index, %A: !vector):
    %B = func.call @write(%n, %A, %i, %s) : (index, !vector, index, f64) -> !vector
    %C = func.call @write_up_to(%n, %B, %i, %s) : (index, !vector, index, f64) -> !vector
    %D = func.call @write_index(%n, %C, %i) : (index, !vector, index) -> !vector
    %next = arith.addi %i, %one : index
    scf.yield %next, %D : index, !vector
  }
  func.return %once, %X : !vector, !vector
}
func.func private @write_up_to(%n: index, %A: !vector, %i: index, %s: f64) -> !vector {
  %r = tensor_block.map parallel(d0 < %n) ins(%A[d0] : !vector) -> !vector {
  ^bb0(%d: index, %a: f64):
    %p = arith.cmpi sle, %d, %i : index
    %v = scf.if %p -> (f64) {
      scf.yield %s : f64
    } else {
      scf.yield %a : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %r : !vector
}
func.func private @write_index(%n: index, %A: !vector, %i: index) -> !vector {
  %r = tensor_block.map parallel(d0 < %n) ins(%A[d0] : !vector) -> !vector {
  ^bb0(%d: index, %a: f64):
    %zero = arith.constant 0 : index
    %b = arith.addf %a, %a : f64
    %p = arith.cmpi eq, %d, %zero : index
    %v = scf.if %p -> (f64) {
      scf.yield %b : f64
    } else {
      scf.yield %a : f64
    }
    %q = arith.cmpi eq, %d, %i : index
    %w = scf.if %q -> (f64) {
      %c = arith.addf %a, %v : f64
      scf.yield %c : f64
    } else {
      scf.yield %v : f64
    }
    tensor_block.yield %w : f64
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @kept
// CHECK-NOT:     tensor.insert
// CHECK:         func.return

// Two elements of one statement, the first by its constant index, in a loop within a loop; the
// second is computed of its own place and of what the first write has left there.
func.func @swapped(%V: !vector, %n: index, %s: f64, %t: i1) -> !vector {
  %zero = arith.constant 0 : index
  %d = tensor.dim %V, %zero : !vector
  %k, %X = scf.while (%i = %zero, %A = %V) : (index, !vector) -> (index, !vector) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %A : index, !vector
  } do {
  ^bb0(%i: index, %A: !vector):
    %j, %B = scf.while (%l = %i, %C = %A) : (index, !vector) -> (index, !vector) {
      %p = arith.cmpi slt, %l, %n : index
      scf.condition(%p) %l, %C : index, !vector
    } do {
    ^bb0(%l: index, %C: !vector):
      %D = func.call @write_two(%d, %C, %l, %s, %t) : (index, !vector, index, f64, i1) -> !vector
      scf.yield %n, %D : index, !vector
    }
    scf.yield %j, %B : index, !vector
  }
  func.return %X : !vector
}
func.func private @write_two(%n: index, %A: !vector, %i: index, %s: f64, %t: i1) -> !vector {
  %three = arith.constant 3 : index
  %r = tensor_block.map parallel(d0 < %n) ins(%A[d0] : !vector) -> !vector {
  ^bb0(%d: index, %a: f64):
    %p = arith.cmpi eq, %d, %three : index
    %v = scf.if %p -> (f64) {
      scf.yield %s : f64
    } else {
      scf.yield %a : f64
    }
    %q = arith.cmpi eq, %d, %i : index
    %qt = arith.andi %q, %t : i1
    %w = scf.if %qt -> (f64) {
      %c = arith.index_cast %d : index to i64
      %f = arith.sitofp %c : i64 to f64
      %g = arith.addf %f, %v : f64
      scf.yield %g : f64
    } else {
      scf.yield %v : f64
    }
    tensor_block.yield %w : f64
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @swapped
// CHECK:         %[[OWN:.*]] = bufferization.alloc_tensor() copy(%V)
// CHECK-NEXT:    %[[E:.*]] = tensor.dim %[[OWN]]
// CHECK:           %three = arith.constant 3 : index
// CHECK-NEXT:      %[[P:.*]] = arith.cmpi ult, %three, %[[E]]
// CHECK-NEXT:      %[[FIRST:.*]] = scf.if %[[P]]
// CHECK-NEXT:        tensor.insert %s into %{{.*}}[%three]
// CHECK:           %[[Q:.*]] = arith.cmpi ult, %[[L:.*]], %[[E]]
// CHECK-NEXT:      %[[QT:.*]] = arith.andi %[[Q]], %t
// CHECK-NEXT:      scf.if %[[QT]]
// CHECK-NEXT:        %[[OLD:.*]] = tensor.extract %[[FIRST]][%[[L]]]
// CHECK:             arith.index_cast %[[L]] : index to i64
// CHECK:             %[[NEW:.*]] = arith.addf %{{.*}}, %[[OLD]]
// CHECK-NEXT:        tensor.insert %[[NEW]] into %[[FIRST]][%[[L]]]

// A tuple is written as a whole.
!pairs = tensor<?xtuple<i64, f64>>
func.func @pairs(%V: !pairs, %p: tuple<i64, f64>) -> !pairs {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %V, %zero : !pairs
  %k, %X = scf.while (%i = %zero, %A = %V) : (index, !pairs) -> (index, !pairs) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, %A : index, !pairs
  } do {
  ^bb0(%i: index, %A: !pairs):
    %B = func.call @write_pair(%n, %A, %i, %p) : (index, !pairs, index, tuple<i64, f64>) -> !pairs
    %next = arith.addi %i, %one : index
    scf.yield %next, %B : index, !pairs
  }
  func.return %X : !pairs
}
func.func private @write_pair(%n: index, %A: !pairs, %i: index, %s: tuple<i64, f64>) -> !pairs {
  %r = tensor_block.map parallel(d0 < %n) ins(%A[d0] : !pairs) -> !pairs {
  ^bb0(%d: index, %a: tuple<i64, f64>):
    %p = arith.cmpi eq, %d, %i : index
    %v = scf.if %p -> (tuple<i64, f64>) {
      scf.yield %s : tuple<i64, f64>
    } else {
      scf.yield %a : tuple<i64, f64>
    }
    tensor_block.yield %v : tuple<i64, f64>
  }
  func.return %r : !pairs
}
// CHECK-LABEL: func.func @pairs
// CHECK:         tensor.insert %p into %{{.*}} : tensor<?xtuple<i64, f64>>
// PLACE-LABEL: func.func @pairs
// PLACE:         tensor.insert %p into %{{.*}} {in_place = 1 : i64}
