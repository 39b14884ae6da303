// Rows of a sparse matrix times a vector: each element of the result is the sum over one row, whose
// terms are added in their order. %starts says where each row begins among the entries.

!place = i32  // or i64

// Rows %begin to %end, one after the other.
func.func @rows_times_vector(
    %starts: memref<?x!place>, %indices: memref<?x!place>, %values: memref<?xf64>,
    %vector: memref<?xf64>, %result: memref<?xf64>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %nothing = arith.constant 0.0 : f64
  %first = sparse_storage.read_index %starts[%begin] : memref<?x!place>
  %last = scf.for %r = %begin to %end step %one iter_args(%start = %first) -> (index) {
    %next = arith.addi %r, %one : index
    %stop = sparse_storage.read_index %starts[%next] : memref<?x!place>
    %total = scf.for %e = %start to %stop step %one iter_args(%sum = %nothing) -> (f64) {
      %index = sparse_storage.read_index %indices[%e] : memref<?x!place>
      %x = memref.load %vector[%index] : memref<?xf64>
      %value = memref.load %values[%e] : memref<?xf64>
      %term = arith.mulf %value, %x : f64
      %more = arith.addf %sum, %term : f64
      scf.yield %more : f64
    }
    memref.store %total, %result[%r] : memref<?xf64>
    scf.yield %stop : index
  }
  func.return
}

// The rows at %begin to %end of %order, which numbers those of each window of 256 rows. %begin is
// that of a window. While a window is gone through, the entries of the next one are fetched in the
// order in which they lie: a processor does not foresee where rows in another order are read.
func.func @ordered_rows_times_vector(
    %order: memref<?xi8>, %starts: memref<?x!place>, %indices: memref<?x!place>,
    %values: memref<?xf64>, %vector: memref<?xf64>, %result: memref<?xf64>,
    %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %window_size = arith.constant 256 : index
  %window_begins = arith.constant -256 : index
  %nothing = arith.constant 0.0 : f64
  %entries_end = sparse_storage.read_index %starts[%end] : memref<?x!place>
  scf.for %k = %begin to %end step %one {
    %window = arith.andi %k, %window_begins : index
    %further = arith.addi %k, %window_size : index
    %ahead = arith.minui %further, %end : index
    %fetched = sparse_storage.read_index %starts[%ahead] : memref<?x!place>
    %some = arith.cmpi ult, %fetched, %entries_end : index
    scf.if %some {
      multiloop.prefetch %values[%fetched] : memref<?xf64>
      multiloop.prefetch %indices[%fetched] : memref<?x!place>
    }
    %within = sparse_storage.read_index %order[%k] : memref<?xi8>
    %r = arith.ori %window, %within : index
    %start = sparse_storage.read_index %starts[%r] : memref<?x!place>
    %next = arith.addi %r, %one : index
    %stop = sparse_storage.read_index %starts[%next] : memref<?x!place>
    %total = scf.for %e = %start to %stop step %one iter_args(%sum = %nothing) -> (f64) {
      %index = sparse_storage.read_index %indices[%e] : memref<?x!place>
      %x = memref.load %vector[%index] : memref<?xf64>
      %value = memref.load %values[%e] : memref<?xf64>
      %term = arith.mulf %value, %x : f64
      %more = arith.addf %sum, %term : f64
      scf.yield %more : f64
    }
    memref.store %total, %result[%r] : memref<?xf64>
  }
  func.return
}
