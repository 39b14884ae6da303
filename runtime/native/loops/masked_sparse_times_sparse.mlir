// Products of two matrices of compressed rows where a third one, the mask, has entries: row by row,
// as without a mask, but each term is looked up among the entries of the mask's row, which is
// marked beforehand, and others are dropped.

!element = f64  // or f32, i64

// Rows %begin to %end: what they store begins where these rows of the mask do, and %ends[r] is where
// row r ends. Zeros are not stored; %entries says which entry of the mask each element is at. Of a
// thread's own is %marks, all zeros before and after.
func.func @masked_sparse_times_sparse(
    %a_starts: memref<?xi32>, %a_indices: memref<?xi32>, %a: memref<?x!element>,
    %b_starts: memref<?xi32>, %b_indices: memref<?xi32>, %b: memref<?x!element>,
    %mask_starts: memref<?xi32>, %mask_indices: memref<?xi32>,
    %entries: memref<?xi32>, %values: memref<?x!element>, %ends: memref<?xi32>,
    %marks: memref<?xi32>, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %no_mark = arith.constant 0 : i32
  %nothing = arith.constant 0.0 : !element
  %place = sparse_storage.read_index %mask_starts[%begin] : memref<?xi32>
  %last = scf.for %r = %begin to %end step %one iter_args(%k_begin = %place) -> (index) {
    %next = arith.addi %r, %one : index
    %mask_start = sparse_storage.read_index %mask_starts[%r] : memref<?xi32>
    %mask_stop = sparse_storage.read_index %mask_starts[%next] : memref<?xi32>
    %mark = scf.for %m = %mask_start to %mask_stop step %one iter_args(%n = %one) -> (index) {
      %column = sparse_storage.read_index %mask_indices[%m] : memref<?xi32>
      %wide = arith.index_cast %n : index to i64
      %narrow = arith.trunci %wide : i64 to i32
      memref.store %narrow, %marks[%column] : memref<?xi32>
      memref.store %nothing, %values[%m] : memref<?x!element>
      %n_next = arith.addi %n, %one : index
      scf.yield %n_next : index
    }
    %start = sparse_storage.read_index %a_starts[%r] : memref<?xi32>
    %own_stop = sparse_storage.read_index %a_starts[%next] : memref<?xi32>
    %masked = arith.cmpi slt, %mask_start, %mask_stop : index
    %stop = arith.select %masked, %own_stop, %start : index
    %before_mask = arith.subi %mask_start, %one : index
    scf.for %e = %start to %stop step %one {
      %row = sparse_storage.read_index %a_indices[%e] : memref<?xi32>
      %factor = memref.load %a[%e] : memref<?x!element>
      %after = arith.addi %row, %one : index
      %b_start = sparse_storage.read_index %b_starts[%row] : memref<?xi32>
      %b_stop = sparse_storage.read_index %b_starts[%after] : memref<?xi32>
      scf.for %f = %b_start to %b_stop step %one {
        %column = sparse_storage.read_index %b_indices[%f] : memref<?xi32>
        %found = sparse_storage.read_index %marks[%column] : memref<?xi32>
        %wanted = arith.cmpi ne, %found, %zero : index
        scf.if %wanted {
          %value = memref.load %b[%f] : memref<?x!element>
          %term = arith.mulf %factor, %value : !element
          %m = arith.addi %before_mask, %found : index
          %before = memref.load %values[%m] : memref<?x!element>
          %sum = arith.addf %before, %term : !element
          memref.store %sum, %values[%m] : memref<?x!element>
        }
      }
    }
    %k_end = scf.for %m = %mask_start to %mask_stop step %one
        iter_args(%k = %k_begin) -> (index) {
      %column = sparse_storage.read_index %mask_indices[%m] : memref<?xi32>
      memref.store %no_mark, %marks[%column] : memref<?xi32>
      %sum = memref.load %values[%m] : memref<?x!element>
      %wide = arith.index_cast %m : index to i64
      %narrow = arith.trunci %wide : i64 to i32
      memref.store %narrow, %entries[%k] : memref<?xi32>
      memref.store %sum, %values[%k] : memref<?x!element>
      %stored = arith.cmpf une, %sum, %nothing : !element
      %step = arith.extui %stored : i1 to i64
      %by = arith.index_cast %step : i64 to index
      %k_next = arith.addi %k, %by : index
      scf.yield %k_next : index
    }
    %k_wide = arith.index_cast %k_end : index to i64
    %k_narrow = arith.trunci %k_wide : i64 to i32
    memref.store %k_narrow, %ends[%r] : memref<?xi32>
    scf.yield %k_end : index
  }
  func.return
}
