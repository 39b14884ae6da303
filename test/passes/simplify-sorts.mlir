// RUN: diablo-opt %s -p simplify-sorts | filecheck %s
// RUN: diablo-opt %s -p simplify-sorts{whole=true} | filecheck %s --check-prefix=WHOLE
// RUN: diablo-opt %s -p simplify-sorts --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK

!rows = !comprehension.bag<i64, f64>
!column = !comprehension.bag<i64>

// REMARK: remark: the rows are sorted, and then cut: only the first of them are looked for
// REMARK: remark: the rows are sorted, and then cut: more than their first rows are needed
// REMARK: remark: the rows are sorted, and then cut: more than their first rows are needed
// REMARK: remark: the rows are sorted, and then cut by a number that is not known before

// What follows computes one row of each row: the limit goes before it, with its constant.
// CHECK-LABEL: func.func @cut
// CHECK-NEXT:    %k = arith.constant 10 : index
// CHECK-NEXT:    %sorted = tensor_block.sort %rows by [1 desc] limit(%k) :
// CHECK-NEXT:    %some = tensor_block.project %sorted[0]
// CHECK-NEXT:    func.return %some
func.func @cut(%rows: !rows) -> !column {
  %sorted = tensor_block.sort %rows by [1 desc] : !rows -> !rows
  %some = tensor_block.project %sorted[0] : !rows -> !column
  %k = arith.constant 10 : index
  %first = tensor_block.sort %some by [] limit(%k) : !column -> !column
  func.return %first : !column
}

// The first rows that pass a filter are others.
// CHECK-LABEL: func.func @filtered
// CHECK-NEXT:    tensor_block.sort %rows by [1 desc] :
// CHECK:         tensor_block.sort %{{.*}} by [] limit(%k)
func.func @filtered(%rows: !rows, %k: index) -> !rows {
  %sorted = tensor_block.sort %rows by [1 desc] : !rows -> !rows
  %some = tensor_block.filter %sorted : !rows {
  ^bb0(%i: i64, %x: f64):
    %zero = arith.constant 0.0 : f64
    %p = arith.cmpf ogt, %x, %zero : f64
    tensor_block.yield %p : i1
  }
  %first = tensor_block.sort %some by [] limit(%k) : !rows -> !rows
  func.return %first : !rows
}

// All of the sorted rows are a result, too.
// CHECK-LABEL: func.func @kept
// CHECK-NEXT:    tensor_block.sort %rows by [1 desc] :
// CHECK-NEXT:    tensor_block.sort %{{.*}} by [] limit(%k)
func.func @kept(%rows: !rows, %k: index) -> (!rows, !rows) {
  %sorted = tensor_block.sort %rows by [1 desc] : !rows -> !rows
  %first = tensor_block.sort %sorted by [] limit(%k) : !rows -> !rows
  func.return %sorted, %first : !rows, !rows
}

// CHECK-LABEL: func.func @later
// CHECK:         tensor_block.sort %rows by [1 desc] :
// CHECK:         tensor_block.sort %{{.*}} by [] limit(%k)
func.func @later(%rows: !rows) -> !rows {
  %sorted = tensor_block.sort %rows by [1 desc] : !rows -> !rows
  %k = "test.op"() : () -> index
  %first = tensor_block.sort %sorted by [] limit(%k) : !rows -> !rows
  func.return %first : !rows
}

// Rows of a vector come by their index, and so do those of them that pass a test.
// CHECK-LABEL: func.func @vector
// CHECK:         tensor_block.sort %{{.*}} by [1 desc, 0] :
// WHOLE-LABEL: func.func @vector
// WHOLE:         tensor_block.sort %{{.*}} by [1 desc] :
// WHOLE-NEXT:    tensor_block.project %{{.*}}[1]
// WHOLE-NEXT:    tensor_block.sort %{{.*}} by [0 desc] :
func.func @vector(%V: tensor<?xf64>) -> (!comprehension.bag<index, f64>, !comprehension.bag<f64>) {
  %rows = tensor_block.to_bag %V : tensor<?xf64> -> !comprehension.bag<index, f64>
  %some = tensor_block.filter %rows : !comprehension.bag<index, f64> {
  ^bb0(%i: index, %x: f64):
    %zero = arith.constant 0.0 : f64
    %p = arith.cmpf ogt, %x, %zero : f64
    tensor_block.yield %p : i1
  }
  %a = tensor_block.sort %some by [1 desc, 0] : !comprehension.bag<index, f64> -> !comprehension.bag<index, f64>
  %b = tensor_block.sort %rows by [1 desc, 0] to [1] : !comprehension.bag<index, f64> -> !comprehension.bag<f64>
  func.return %a, %b : !comprehension.bag<index, f64>, !comprehension.bag<f64>
}

// Of the entries of a matrix j ascends where i is the same, but not by itself; a sparse one may be
// stored in another order.
// WHOLE-LABEL: func.func @matrix
// WHOLE:         tensor_block.sort %{{.*}} by [2] :
// WHOLE-NEXT:    tensor_block.sort %{{.*}} by [0 desc] :
// WHOLE-NEXT:    tensor_block.sort %{{.*}} by [2, 1] :
// WHOLE-NEXT:    tensor_block.sort %{{.*}} by [2, 0 desc] :
// WHOLE-NEXT:    tensor_block.to_bag
// WHOLE-NEXT:    tensor_block.sort %{{.*}} by [2, 0, 1] :
!entries = !comprehension.bag<index, index, f64>
func.func @matrix(%A: tensor<?x?xf64>, %S: tensor<?x?xf64, #tensor_block.storage<dense = 1>>) -> (!entries, !entries, !entries, !entries, !entries) {
  %rows = tensor_block.to_bag %A : tensor<?x?xf64> -> !entries
  %a = tensor_block.sort %rows by [2, 0, 1] : !entries -> !entries
  %b = tensor_block.sort %rows by [0 desc, 1] : !entries -> !entries
  %c = tensor_block.sort %rows by [2, 1] : !entries -> !entries
  %d = tensor_block.sort %rows by [2, 0 desc, 1] : !entries -> !entries
  %stored = tensor_block.to_bag %S : tensor<?x?xf64, #tensor_block.storage<dense = 1>> -> !entries
  %e = tensor_block.sort %stored by [2, 0, 1] : !entries -> !entries
  func.return %a, %b, %c, %d, %e : !entries, !entries, !entries, !entries, !entries
}
