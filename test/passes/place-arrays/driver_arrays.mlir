// Arrays between arrays of the driver stay there; an array that is read twice comes once.
// RUN: diablo-opt %s --split-input-file -p place-arrays,convert-tensor-block-to-spark,canonicalize,cse,dce --remarks 2>&1 | filecheck %s

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!local = tensor<?x?xf64>

// What is chosen of two such arrays stays as well, and what is written out as rows and back.
// CHECK:       remark: this stays with the driver, which has what it is made of and needs the result
// CHECK-LABEL: func.func @between
// CHECK-NOT:     spark.
// CHECK:         func.call @kernel_0
// CHECK:         scf.if %c -> (tensor<?x?xf64>)
// CHECK-NOT:     spark.
// CHECK:         func.return
func.func @between(%l: !local, %n: index, %c: i1) -> !local {
  %a = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%l[d1 - 1, 2 * d0] : !local) -> !matrix {
  ^bb0(%i: index, %j: index, %x: f64):
    %y = arith.addf %x, %x : f64
    tensor_block.yield %y : f64
  }
  %b = scf.if %c -> (!matrix) {
    %m = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%a[d0, d1] : !matrix) -> !matrix {
    ^bb0(%i: index, %j: index, %x: f64):
      %y = arith.mulf %x, %x : f64
      tensor_block.yield %y : f64
    }
    scf.yield %m : !matrix
  } else {
    %rows = tensor_block.to_bag %a : !matrix -> !comprehension.bag<index, index, f64>
    %o = tensor_block.from_bag %rows extents(%n, %n) : !comprehension.bag<index, index, f64> -> !matrix
    scf.yield %o : !matrix
  }
  %r = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%b[d0, d1 + 1] : !matrix) -> !local {
  ^bb0(%i: index, %j: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %r : !local
}

// -----

!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!local = tensor<?xf64>

// Not so the array of all pairs of which one row is needed, nor one that is summed, nor one that a
// distributed array is read for. Each is broadcast or read once, however often.
// CHECK-NOT:   stays with the driver
// CHECK-LABEL: func.func @beside
// CHECK:         %[[L:.*]] = spark.broadcast %l
// CHECK:         %[[PAIRS:.*]] = spark.map @kernel_0(%{{.*}}) dims(%n, %n) captures(%[[L]] : !spark.broadcast<tensor<?xf64>>)
// CHECK:         spark.window %[[PAIRS]]
// CHECK:         spark.map @kernel_1
// CHECK:         spark.collect
// CHECK:         spark.tiles dims(%n)
// CHECK:         spark.map @kernel_2
// CHECK:         spark.fold add
// CHECK-NOT:     spark.cogroup
// CHECK:         spark.map @kernel_4
// CHECK:         spark.collect
// CHECK:       func.func private @kernel_0(%i_origin: index, %j_origin: index, %i_extent: index, %j_extent: index, %l: tensor<?xf64>)
func.func @beside(%l: !local, %v: !vector, %n: index) -> (!local, f64, !local) {
  %zero = arith.constant 0 : index
  %pairs = tensor_block.map parallel(d0 < %n, d1 < %n) ins(%l[d0 + 1] : !local, %l[d1 - 1] : !local) -> !matrix {
  ^bb0(%i: index, %j: index, %x: f64, %y: f64):
    %p = arith.mulf %x, %y : f64
    tensor_block.yield %p : f64
  }
  %row = tensor_block.map parallel(d0 < %n) ins(%pairs[0, d0] : !matrix) -> !local {
  ^bb0(%i: index, %x: f64):
    tensor_block.yield %x : f64
  }
  %terms = tensor_block.map parallel(d0 < %n) -> !vector {
  ^bb0(%i: index):
    %k = arith.index_cast %i : index to i64
    %x = arith.sitofp %k : i64 to f64
    tensor_block.yield %x : f64
  }
  %sum = tensor_block.reduce add reduced(d0 < %n) ins(%terms[d0] : !vector) -> f64 {
  ^bb0(%i: index, %x: f64):
    tensor_block.yield %x : f64
  }
  %squares = tensor_block.map parallel(d0 < %n) ins(%v[d0] : !vector, %v[d0] : !vector) -> !local {
  ^bb0(%i: index, %x: f64, %y: f64):
    %p = arith.mulf %x, %y : f64
    tensor_block.yield %p : f64
  }
  func.return %row, %sum, %squares : !local, f64, !local
}
