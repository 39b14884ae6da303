// Compressed rows by columns: a counting sort of the entries by their indices. Threads take ranges
// of rows and have a table each, of how many entries of a column they have, and then of where the
// next one of each column goes.

// Of how many of the entries %begin to %end have each of %width indices.
func.func @count_indices(%indices: memref<?xi32>, %counts: memref<?xi32>, %width: index,
                         %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %unit = arith.constant 1 : i32
  scf.for %c = %zero to %width step %one {
    memref.store %none, %counts[%c] : memref<?xi32>
  }
  scf.for %e = %begin to %end step %one {
    %index = sparse_storage.read_index %indices[%e] : memref<?xi32>
    %before = memref.load %counts[%index] : memref<?xi32>
    %after = arith.addi %before, %unit : i32
    memref.store %after, %counts[%index] : memref<?xi32>
  }
  func.return
}

// Rows %begin to %end: each entry's row and number go to the next place of its column.
func.func @place_by_columns(
    %starts: memref<?xi32>, %indices: memref<?xi32>, %next: memref<?xi32>, %rows: memref<?xi32>,
    %entries: memref<?xi32>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %unit = arith.constant 1 : i32
  %first = sparse_storage.read_index %starts[%begin] : memref<?xi32>
  %last = scf.for %r = %begin to %end step %one iter_args(%start = %first) -> (index) {
    %after = arith.addi %r, %one : index
    %stop = sparse_storage.read_index %starts[%after] : memref<?xi32>
    %row_wide = arith.index_cast %r : index to i64
    %row = arith.trunci %row_wide : i64 to i32
    scf.for %e = %start to %stop step %one {
      %index = sparse_storage.read_index %indices[%e] : memref<?xi32>
      %place = memref.load %next[%index] : memref<?xi32>
      %following = arith.addi %place, %unit : i32
      memref.store %following, %next[%index] : memref<?xi32>
      %wide = arith.extui %place : i32 to i64
      %at = arith.index_cast %wide : i64 to index
      memref.store %row, %rows[%at] : memref<?xi32>
      %entry_wide = arith.index_cast %e : index to i64
      %entry = arith.trunci %entry_wide : i64 to i32
      memref.store %entry, %entries[%at] : memref<?xi32>
    }
    scf.yield %stop : index
  }
  func.return
}
