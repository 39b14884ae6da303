// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --remarks 2>&1 | filecheck %s

// CHECK: remark: its arrays may not cover the result: then they are widened by zeros before
// CHECK: remark: evaluated over rows, not as array algebra: an array is smaller than the result

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>

// How large %A is shows only while the program runs.
// CHECK-LABEL: func.func @unknown
// CHECK-DAG:     %[[ROWS:.*]] = tensor.dim %A, %c0
// CHECK-DAG:     %[[COLUMNS:.*]] = tensor.dim %A, %c1
// CHECK:         %[[T1:.*]] = arith.cmpi sge, %[[COLUMNS]], %m
// CHECK:         %[[T2:.*]] = arith.cmpi sge, %[[ROWS]], %n
// CHECK:         %[[COVERS:.*]] = arith.andi %[[T1]], %[[T2]]
// CHECK:         %[[WIDE:.*]] = scf.if %[[COVERS]]
// CHECK-NEXT:      scf.yield %A
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[BAG:.*]] = tensor_block.to_bag %A
// CHECK-NEXT:      %[[FILLED:.*]] = tensor_block.from_bag %[[BAG]] extents(
// CHECK-NEXT:      scf.yield %[[FILLED]]
// CHECK:         %[[MAP:.*]] = tensor_block.map parallel(d0 < %m, d1 < %n) ins(%[[WIDE]][d1, d0]
// CHECK:         scf.if %[[COVERS]]
// CHECK-NEXT:      scf.yield %[[MAP]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      tensor_block.map parallel(d0 < %m, d1 < %n) ins(%[[MAP]][d0, d1]
// CHECK-DAG:         arith.cmpi slt, %{{.*}}, %[[ROWS]]
// CHECK-DAG:         arith.cmpi slt, %{{.*}}, %[[COLUMNS]]
func.func @unknown(%n: index, %m: index, %A: !matrix) -> !matrix {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %A, %c0 : !matrix
  %columns = tensor.dim %A, %c1 : !matrix
  %r = comprehension.build (%m, %n) : !matrix {
    %i, %j, %a = comprehension.each %A : !matrix
    %b = arith.mulf %a, %a : f64
    comprehension.yield (%j, %i) %b
  }
  func.return %r : !matrix
}

// Where no element is read there is nothing to widen: rows are the second version.
// CHECK-LABEL: func.func @counted
// CHECK:         scf.if
// CHECK-NEXT:      tensor_block.map parallel(d0 < %m, d1 < %n) ->
// CHECK:         else
// CHECK:           tensor_block.from_bag
func.func @counted(%n: index, %m: index, %A: !matrix) -> !matrix {
  %one = arith.constant 1.0 : f64
  %r = comprehension.build (%m, %n) : !matrix {
    %i, %j, %a = comprehension.each %A : !matrix
    comprehension.yield (%j, %i) %one
  }
  func.return %r : !matrix
}

// An array that is too small for the result needs no second version: the rest stays zero.
// CHECK-LABEL: func.func @smaller
// CHECK-NOT:     scf.if
// CHECK:         tensor_block.from_bag
func.func @smaller(%v: !vector {diablo.shape = array<i64: 4>}) -> !vector {
  %n = arith.constant 9 : index
  %r = comprehension.build (%n) : !vector {
    %i, %x = comprehension.each %v : !vector
    comprehension.yield (%i) %x
  }
  func.return %r : !vector
}

// What an interleaved array has a multiple of, the result has too.
// CHECK-LABEL: func.func @multiple
// CHECK-NOT:     scf.if
// CHECK:         tensor.collapse_shape
// CHECK-NOT:     scf.if
// CHECK:         tensor_block.map
func.func @multiple(%n: index) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %x = arith.constant 1.0 : f64
  %m = arith.muli %n, %two : index
  %last = arith.subi %n, %one : index
  %v = comprehension.build (%m) : !vector {
    %i = comprehension.range %zero to %last
    %p = comprehension.range %zero to %one
    %even = arith.muli %i, %two : index
    %key = arith.addi %even, %p : index
    comprehension.yield (%key) %x
  }
  %r = comprehension.build (%m) : !vector {
    %i, %a = comprehension.each %v : !vector
    %b = arith.mulf %a, %a : f64
    comprehension.yield (%i) %b
  }
  func.return %r : !vector
}

// Twice as many elements may not be enough for another number of them.
// CHECK-LABEL: func.func @other_multiple
// CHECK:         tensor.collapse_shape
// CHECK:         scf.if
func.func @other_multiple(%n: index, %k: index) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %x = arith.constant 1.0 : f64
  %m = arith.muli %n, %two : index
  %last = arith.subi %n, %one : index
  %v = comprehension.build (%m) : !vector {
    %i = comprehension.range %zero to %last
    %p = comprehension.range %zero to %one
    %even = arith.muli %i, %two : index
    %key = arith.addi %even, %p : index
    comprehension.yield (%key) %x
  }
  %r = comprehension.build (%k) : !vector {
    %i, %a = comprehension.each %v : !vector
    %b = arith.mulf %a, %a : f64
    comprehension.yield (%i) %b
  }
  func.return %r : !vector
}

// Products of constants are numbers.
// CHECK-LABEL: func.func @product
// CHECK-NOT:     scf.if
// CHECK:         tensor_block.map
func.func @product() -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %n = arith.constant 5 : index
  %k = arith.constant 10 : index
  %x = arith.constant 1.0 : f64
  %m = arith.muli %n, %two : index
  %last = arith.subi %n, %one : index
  %v = comprehension.build (%m) : !vector {
    %i = comprehension.range %zero to %last
    %p = comprehension.range %zero to %one
    %even = arith.muli %i, %two : index
    %key = arith.addi %even, %p : index
    comprehension.yield (%key) %x
  }
  %r = comprehension.build (%k) : !vector {
    %i, %a = comprehension.each %v : !vector
    %b = arith.mulf %a, %a : f64
    comprehension.yield (%i) %b
  }
  func.return %r : !vector
}

// An assertion that the extents are equal makes the second version needless.
// CHECK-LABEL: func.func @asserted
// CHECK-NOT:     scf.if
// CHECK:         tensor_block.map
func.func @asserted(%m: index, %A: !vector) -> !vector {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %A, %c0 : !vector
  %one = arith.constant 1 : index
  %n = arith.subi %m, %one : index
  %same = arith.cmpi eq, %n, %rows : index
  cf.assert %same, "not as long as n"
  %r = comprehension.build (%n) : !vector {
    %i, %a = comprehension.each %A : !vector
    comprehension.yield (%i) %a
  }
  func.return %r : !vector
}

// One that is much longer than the result is not widened: rows do it.
// CHECK-LABEL: func.func @long
// CHECK:         scf.if
// CHECK-NEXT:      tensor_block.map
// CHECK:         } else {
// CHECK:           tensor_block.from_bag %{{.*}} extents(%n)
func.func @long(%n: index, %A: !vector) -> !vector {
  %m = arith.constant 1000003 : index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    %sum = arith.addi %i, %one : index
    %next = arith.remsi %sum, %m : index
    %j, %a = comprehension.each %A : !vector
    %here = arith.cmpi eq, %j, %next : index
    comprehension.guard %here
    comprehension.yield (%i) %a
  }
  func.return %r : !vector
}

// A body that may fail is not run for elements that are not there.
// CHECK-LABEL: func.func @failing
// CHECK:         scf.if
// CHECK-NEXT:      tensor_block.map
// CHECK:         } else {
// CHECK:           tensor_block.from_bag
func.func @failing(%n: index, %A: tensor<?xi64, #tensor_block.tiles<dense = 1>>)
    -> tensor<?xi64, #tensor_block.tiles<dense = 1>> {
  %seven = arith.constant 7 : i64
  %r = comprehension.build (%n) : tensor<?xi64, #tensor_block.tiles<dense = 1>> {
    %i, %a = comprehension.each %A : tensor<?xi64, #tensor_block.tiles<dense = 1>>
    %b = arith.divsi %seven, %a : i64
    comprehension.yield (%i) %b
  }
  func.return %r : tensor<?xi64, #tensor_block.tiles<dense = 1>>
}
