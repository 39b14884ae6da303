// A transposed sparse matrix times a vector: each entry of a row adds to the element of the result
// that its index names.

!place = i32  // or i64

// Rows %begin to %end; %result, of %width elements, is that of one thread.
func.func @columns_times_vector(
    %starts: memref<?x!place>, %indices: memref<?x!place>, %values: memref<?xf64>,
    %vector: memref<?xf64>, %result: memref<?xf64>, %width: index, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %nothing = arith.constant 0.0 : f64
  scf.for %c = %zero to %width step %one {
    memref.store %nothing, %result[%c] : memref<?xf64>
  }
  %first = sparse_storage.read_index %starts[%begin] : memref<?x!place>
  %last = scf.for %r = %begin to %end step %one iter_args(%start = %first) -> (index) {
    %next = arith.addi %r, %one : index
    %stop = sparse_storage.read_index %starts[%next] : memref<?x!place>
    %x = memref.load %vector[%r] : memref<?xf64>
    scf.for %e = %start to %stop step %one {
      %index = sparse_storage.read_index %indices[%e] : memref<?x!place>
      %value = memref.load %values[%e] : memref<?xf64>
      %term = arith.mulf %value, %x : f64
      %before = memref.load %result[%index] : memref<?xf64>
      %sum = arith.addf %before, %term : f64
      memref.store %sum, %result[%index] : memref<?xf64>
    }
    scf.yield %stop : index
  }
  func.return
}
