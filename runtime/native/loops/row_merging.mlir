// Two compressed patterns of one box side by side, list by list: the indices of either or of both,
// and which entry of %a and of %b each is. Within a list both sides advance past equal indices
// without a branch on what is compared. What a call writes begins at %place.

// Lists %begin to %end of the union: %ends[r] is where list r ends; -1 stands for no entry.
func.func @union_of_rows(
    %a_starts: memref<?xi32>, %a: memref<?xi32>, %b_starts: memref<?xi32>, %b: memref<?xi32>,
    %out: memref<?xi32>, %left: memref<?xi32>, %right: memref<?xi32>, %ends: memref<?xi32>,
    %place: index, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %nowhere = arith.constant -1 : i32
  %i_first = sparse_storage.read_index %a_starts[%begin] : memref<?xi32>
  %j_first = sparse_storage.read_index %b_starts[%begin] : memref<?xi32>
  %i_last, %j_last, %k_last = scf.for %r = %begin to %end step %one
      iter_args(%i_begin = %i_first, %j_begin = %j_first, %k_begin = %place)
      -> (index, index, index) {
    %next = arith.addi %r, %one : index
    %i_stop = sparse_storage.read_index %a_starts[%next] : memref<?xi32>
    %j_stop = sparse_storage.read_index %b_starts[%next] : memref<?xi32>
    %i_rest, %j_rest, %k_rest = scf.while (%i = %i_begin, %j = %j_begin, %k = %k_begin)
        : (index, index, index) -> (index, index, index) {
      %more_a = arith.cmpi slt, %i, %i_stop : index
      %more_b = arith.cmpi slt, %j, %j_stop : index
      %more = arith.andi %more_a, %more_b : i1
      scf.condition(%more) %i, %j, %k : index, index, index
    } do {
    ^bb0(%i: index, %j: index, %k: index):
      %x = memref.load %a[%i] : memref<?xi32>
      %y = memref.load %b[%j] : memref<?xi32>
      %x_first = arith.cmpi sle, %x, %y : i32
      %y_first = arith.cmpi sge, %x, %y : i32
      %least = arith.minsi %x, %y : i32
      memref.store %least, %out[%k] : memref<?xi32>
      %i_wide = arith.index_cast %i : index to i64
      %i_place = arith.trunci %i_wide : i64 to i32
      %from_left = arith.select %x_first, %i_place, %nowhere : i32
      memref.store %from_left, %left[%k] : memref<?xi32>
      %j_wide = arith.index_cast %j : index to i64
      %j_place = arith.trunci %j_wide : i64 to i32
      %from_right = arith.select %y_first, %j_place, %nowhere : i32
      memref.store %from_right, %right[%k] : memref<?xi32>
      %i_step = arith.extui %x_first : i1 to i64
      %j_step = arith.extui %y_first : i1 to i64
      %i_by = arith.index_cast %i_step : i64 to index
      %j_by = arith.index_cast %j_step : i64 to index
      %i_next = arith.addi %i, %i_by : index
      %j_next = arith.addi %j, %j_by : index
      %k_next = arith.addi %k, %one : index
      scf.yield %i_next, %j_next, %k_next : index, index, index
    }
    %k_middle = scf.for %i = %i_rest to %i_stop step %one iter_args(%k = %k_rest) -> (index) {
      %x = memref.load %a[%i] : memref<?xi32>
      memref.store %x, %out[%k] : memref<?xi32>
      %wide = arith.index_cast %i : index to i64
      %entry = arith.trunci %wide : i64 to i32
      memref.store %entry, %left[%k] : memref<?xi32>
      memref.store %nowhere, %right[%k] : memref<?xi32>
      %k_next = arith.addi %k, %one : index
      scf.yield %k_next : index
    }
    %k_stop = scf.for %j = %j_rest to %j_stop step %one iter_args(%k = %k_middle) -> (index) {
      %y = memref.load %b[%j] : memref<?xi32>
      memref.store %y, %out[%k] : memref<?xi32>
      memref.store %nowhere, %left[%k] : memref<?xi32>
      %wide = arith.index_cast %j : index to i64
      %entry = arith.trunci %wide : i64 to i32
      memref.store %entry, %right[%k] : memref<?xi32>
      %k_next = arith.addi %k, %one : index
      scf.yield %k_next : index
    }
    %k_wide = arith.index_cast %k_stop : index to i64
    %k_place = arith.trunci %k_wide : i64 to i32
    memref.store %k_place, %ends[%r] : memref<?xi32>
    scf.yield %i_stop, %j_stop, %k_stop : index, index, index
  }
  func.return
}

// The same of the intersection. What is not equal is written over, so there has to be room for one
// more than there can be.
func.func @meet_of_rows(
    %a_starts: memref<?xi32>, %a: memref<?xi32>, %b_starts: memref<?xi32>, %b: memref<?xi32>,
    %out: memref<?xi32>, %left: memref<?xi32>, %right: memref<?xi32>, %ends: memref<?xi32>,
    %place: index, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %i_first = sparse_storage.read_index %a_starts[%begin] : memref<?xi32>
  %j_first = sparse_storage.read_index %b_starts[%begin] : memref<?xi32>
  %i_last, %j_last, %k_last = scf.for %r = %begin to %end step %one
      iter_args(%i_begin = %i_first, %j_begin = %j_first, %k_begin = %place)
      -> (index, index, index) {
    %next = arith.addi %r, %one : index
    %i_stop = sparse_storage.read_index %a_starts[%next] : memref<?xi32>
    %j_stop = sparse_storage.read_index %b_starts[%next] : memref<?xi32>
    %i_rest, %j_rest, %k_stop = scf.while (%i = %i_begin, %j = %j_begin, %k = %k_begin)
        : (index, index, index) -> (index, index, index) {
      %more_a = arith.cmpi slt, %i, %i_stop : index
      %more_b = arith.cmpi slt, %j, %j_stop : index
      %more = arith.andi %more_a, %more_b : i1
      scf.condition(%more) %i, %j, %k : index, index, index
    } do {
    ^bb0(%i: index, %j: index, %k: index):
      %x = memref.load %a[%i] : memref<?xi32>
      %y = memref.load %b[%j] : memref<?xi32>
      %x_first = arith.cmpi sle, %x, %y : i32
      %y_first = arith.cmpi sge, %x, %y : i32
      memref.store %x, %out[%k] : memref<?xi32>
      %i_wide = arith.index_cast %i : index to i64
      %i_place = arith.trunci %i_wide : i64 to i32
      memref.store %i_place, %left[%k] : memref<?xi32>
      %j_wide = arith.index_cast %j : index to i64
      %j_place = arith.trunci %j_wide : i64 to i32
      memref.store %j_place, %right[%k] : memref<?xi32>
      %equal = arith.andi %x_first, %y_first : i1
      %i_step = arith.extui %x_first : i1 to i64
      %j_step = arith.extui %y_first : i1 to i64
      %k_step = arith.extui %equal : i1 to i64
      %i_by = arith.index_cast %i_step : i64 to index
      %j_by = arith.index_cast %j_step : i64 to index
      %k_by = arith.index_cast %k_step : i64 to index
      %i_next = arith.addi %i, %i_by : index
      %j_next = arith.addi %j, %j_by : index
      %k_next = arith.addi %k, %k_by : index
      scf.yield %i_next, %j_next, %k_next : index, index, index
    }
    %k_wide = arith.index_cast %k_stop : index to i64
    %k_place = arith.trunci %k_wide : i64 to i32
    memref.store %k_place, %ends[%r] : memref<?xi32>
    scf.yield %i_stop, %j_stop, %k_stop : index, index, index
  }
  func.return
}
