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

// The indices of a vector are the places of its elements, whatever type they are given. Those of
// a matrix are not, nor those of elements that pass a test; and a key is compared.
// CHECK-LABEL: func.func @places
// CHECK:         tensor_block.sort %{{.*}} by [1] to [0] : !comprehension.bag<index, f64>
// WHOLE-LABEL: func.func @places
// WHOLE-NEXT:    %rows = tensor_block.to_bag
// WHOLE:         %[[VALUES:.*]] = tensor_block.project %rows[1]
// WHOLE-NEXT:    %a = tensor_block.sort %[[VALUES]] by [0] to [1] : !comprehension.bag<f64> -> !comprehension.bag<index>
// WHOLE:         %[[FIRST:.*]] = tensor_block.sort %{{.*}} by [0 desc] limit(%k) to [1, 0]
// WHOLE-NEXT:    %[[CAST:.*]] = tensor_block.extend %[[FIRST]]
// WHOLE:           arith.index_cast %{{.*}} : index to i64
// WHOLE:         tensor_block.project %[[CAST]][2, 1]
// WHOLE:         %c = tensor_block.sort %rows by [0 desc]
// WHOLE:         tensor_block.sort %some by [1] to [0]
// WHOLE:         tensor_block.sort %cells by [2] to [1]
func.func @places(%V: tensor<?xf64>, %A: tensor<?x?xf64>, %k: index) -> (
    !comprehension.bag<index>, !comprehension.bag<i64, f64>, !comprehension.bag<index, f64>,
    !comprehension.bag<index>, !comprehension.bag<index>) {
  %rows = tensor_block.to_bag %V : tensor<?xf64> -> !comprehension.bag<index, f64>
  %a = tensor_block.sort %rows by [1] to [0] : !comprehension.bag<index, f64> -> !comprehension.bag<index>
  %numbers = tensor_block.extend %rows : !comprehension.bag<index, f64> -> !comprehension.bag<index, f64, i64> {
  ^bb0(%i: index, %x: f64):
    %n = arith.index_cast %i : index to i64
    tensor_block.yield %n : i64
  }
  %b = tensor_block.sort %numbers by [1 desc] limit(%k) to [2, 1] : !comprehension.bag<index, f64, i64> -> !comprehension.bag<i64, f64>
  %c = tensor_block.sort %rows by [0 desc] : !comprehension.bag<index, f64> -> !comprehension.bag<index, f64>
  %some = tensor_block.filter %rows : !comprehension.bag<index, f64> {
  ^bb0(%i: index, %x: f64):
    %zero = arith.constant 0.0 : f64
    %p = arith.cmpf ogt, %x, %zero : f64
    tensor_block.yield %p : i1
  }
  %d = tensor_block.sort %some by [1] to [0] : !comprehension.bag<index, f64> -> !comprehension.bag<index>
  %cells = tensor_block.to_bag %A : tensor<?x?xf64> -> !comprehension.bag<index, index, f64>
  %e = tensor_block.sort %cells by [2] to [1] : !comprehension.bag<index, index, f64> -> !comprehension.bag<index>
  func.return %a, %b, %c, %d, %e : !comprehension.bag<index>, !comprehension.bag<i64, f64>, !comprehension.bag<index, f64>, !comprehension.bag<index>, !comprehension.bag<index>
}
