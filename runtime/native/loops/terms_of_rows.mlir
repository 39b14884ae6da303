// How many terms each row of a product of sparse matrices is the sum of: so many entries as the rows
// of the right one have that the row of the left one meets.

func.func @terms_of_rows(
    %a_starts: memref<?xi32>, %a_indices: memref<?xi32>, %b_starts: memref<?xi32>,
    %terms: memref<?xi64>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %none = arith.constant 0 : index
  scf.for %r = %begin to %end step %one {
    %next = arith.addi %r, %one : index
    %start = sparse_storage.read_index %a_starts[%r] : memref<?xi32>
    %stop = sparse_storage.read_index %a_starts[%next] : memref<?xi32>
    %total = scf.for %e = %start to %stop step %one iter_args(%sum = %none) -> (index) {
      %row = sparse_storage.read_index %a_indices[%e] : memref<?xi32>
      %after = arith.addi %row, %one : index
      %b_start = sparse_storage.read_index %b_starts[%row] : memref<?xi32>
      %b_stop = sparse_storage.read_index %b_starts[%after] : memref<?xi32>
      %length = arith.subi %b_stop, %b_start : index
      %more = arith.addi %sum, %length : index
      scf.yield %more : index
    }
    %wide = arith.index_cast %total : index to i64
    memref.store %wide, %terms[%r] : memref<?xi64>
  }
  func.return
}
