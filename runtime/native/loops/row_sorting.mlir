// Rows (index, index, …) in the order of two indices, each of which is a counting sort: by the last
// one first. Threads take ranges of the rows and have a table each.

// Of how many of the rows %begin to %end have each of %width keys.
func.func @count_keys(%keys: memref<?xi64>, %counts: memref<?xi32>, %width: index,
                      %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %unit = arith.constant 1 : i32
  scf.for %c = %zero to %width step %one {
    memref.store %none, %counts[%c] : memref<?xi32>
  }
  scf.for %e = %begin to %end step %one {
    %key = sparse_storage.read_index %keys[%e] : memref<?xi64>
    %before = memref.load %counts[%key] : memref<?xi32>
    %after = arith.addi %before, %unit : i32
    memref.store %after, %counts[%key] : memref<?xi32>
  }
  func.return
}

// The rows %begin to %end as they stand: each goes to the next place of its key.
func.func @place_by_keys(%keys: memref<?xi64>, %next: memref<?xi32>, %out: memref<?xi32>,
                         %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %unit = arith.constant 1 : i32
  scf.for %e = %begin to %end step %one {
    %key = sparse_storage.read_index %keys[%e] : memref<?xi64>
    %place = memref.load %next[%key] : memref<?xi32>
    %following = arith.addi %place, %unit : i32
    memref.store %following, %next[%key] : memref<?xi32>
    %wide = arith.extui %place : i32 to i64
    %at = arith.index_cast %wide : i64 to index
    %row_wide = arith.index_cast %e : index to i64
    %row = arith.trunci %row_wide : i64 to i32
    memref.store %row, %out[%at] : memref<?xi32>
  }
  func.return
}

// The same of the rows that stand at %begin to %end of an order.
func.func @place_in_order(%keys: memref<?xi64>, %order: memref<?xi32>, %next: memref<?xi32>,
                          %out: memref<?xi32>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %unit = arith.constant 1 : i32
  scf.for %k = %begin to %end step %one {
    %row = memref.load %order[%k] : memref<?xi32>
    %row_wide = arith.extui %row : i32 to i64
    %e = arith.index_cast %row_wide : i64 to index
    %key = sparse_storage.read_index %keys[%e] : memref<?xi64>
    %place = memref.load %next[%key] : memref<?xi32>
    %following = arith.addi %place, %unit : i32
    memref.store %following, %next[%key] : memref<?xi32>
    %wide = arith.extui %place : i32 to i64
    %at = arith.index_cast %wide : i64 to index
    memref.store %row, %out[%at] : memref<?xi32>
  }
  func.return
}

// Of how many of the rows that stand at %begin to %end of an order have each key.
func.func @count_in_order(%keys: memref<?xi64>, %order: memref<?xi32>, %counts: memref<?xi32>,
                          %width: index, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %unit = arith.constant 1 : i32
  scf.for %c = %zero to %width step %one {
    memref.store %none, %counts[%c] : memref<?xi32>
  }
  scf.for %k = %begin to %end step %one {
    %row = memref.load %order[%k] : memref<?xi32>
    %row_wide = arith.extui %row : i32 to i64
    %e = arith.index_cast %row_wide : i64 to index
    %key = sparse_storage.read_index %keys[%e] : memref<?xi64>
    %before = memref.load %counts[%key] : memref<?xi32>
    %after = arith.addi %before, %unit : i32
    memref.store %after, %counts[%key] : memref<?xi32>
  }
  func.return
}

// The lists %begin to %end of rows in order, of which %starts says where each begins: the distinct
// indices of each list, and for each the place of the first row that has it. What is written begins
// at %place, and %ends[r] is where list r ends.
func.func @distinct_in_lists(
    %starts: memref<?xi32>, %columns: memref<?xi64>, %order: memref<?xi32>,
    %indices: memref<?xi32>, %firsts: memref<?xi32>, %ends: memref<?xi32>,
    %place: index, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %nowhere = arith.constant -1 : i32
  %last = scf.for %r = %begin to %end step %one iter_args(%k_begin = %place) -> (index) {
    %next = arith.addi %r, %one : index
    %start = sparse_storage.read_index %starts[%r] : memref<?xi32>
    %stop = sparse_storage.read_index %starts[%next] : memref<?xi32>
    %final, %k_end = scf.for %p = %start to %stop step %one
        iter_args(%before = %nowhere, %k = %k_begin) -> (i32, index) {
      %row = memref.load %order[%p] : memref<?xi32>
      %row_wide = arith.extui %row : i32 to i64
      %e = arith.index_cast %row_wide : i64 to index
      %column = memref.load %columns[%e] : memref<?xi64>
      %narrow = arith.trunci %column : i64 to i32
      %new = arith.cmpi ne, %narrow, %before : i32
      // An index that has been there is written again, at the place where the next one will be.
      memref.store %narrow, %indices[%k] : memref<?xi32>
      %p_wide = arith.index_cast %p : index to i64
      %p_narrow = arith.trunci %p_wide : i64 to i32
      memref.store %p_narrow, %firsts[%k] : memref<?xi32>
      %step = arith.extui %new : i1 to i64
      %by = arith.index_cast %step : i64 to index
      %k_next = arith.addi %k, %by : index
      scf.yield %narrow, %k_next : i32, index
    }
    %k_wide = arith.index_cast %k_end : index to i64
    %k_narrow = arith.trunci %k_wide : i64 to i32
    memref.store %k_narrow, %ends[%r] : memref<?xi32>
    scf.yield %k_end : index
  }
  func.return
}

// The rows %begin to %end by their lists, as %keys says: each goes to the next place of its list, its
// index in the list before its number, so that they can be sorted where they are.
func.func @place_in_lists(%keys: memref<?xi64>, %columns: memref<?xi64>, %next: memref<?xi32>,
                          %out: memref<?xi64>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %unit = arith.constant 1 : i32
  %half = arith.constant 32 : i64
  scf.for %e = %begin to %end step %one {
    %key = sparse_storage.read_index %keys[%e] : memref<?xi64>
    %place = memref.load %next[%key] : memref<?xi32>
    %following = arith.addi %place, %unit : i32
    memref.store %following, %next[%key] : memref<?xi32>
    %wide = arith.extui %place : i32 to i64
    %at = arith.index_cast %wide : i64 to index
    %column = memref.load %columns[%e] : memref<?xi64>
    %high = arith.shli %column, %half : i64
    %row = arith.index_cast %e : index to i64
    %pair = arith.ori %high, %row : i64
    memref.store %pair, %out[%at] : memref<?xi64>
  }
  func.return
}

// The lists %begin to %end of such rows: each that is no longer than %most is sorted, others are, by
// counting for each row how many come before it, since a processor cannot guess where sorts branch.
// %own has room for one. What is written besides is the rows in %order, and what
// `distinct_in_lists` writes.
func.func @sort_lists(
    %starts: memref<?xi32>, %pairs: memref<?xi64>, %order: memref<?xi32>,
    %indices: memref<?xi32>, %firsts: memref<?xi32>, %ends: memref<?xi32>,
    %own: memref<?xi64>, %most: index, %place: index, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %nowhere = arith.constant -1 : i32
  %half = arith.constant 32 : i64
  %last = scf.for %r = %begin to %end step %one iter_args(%k_begin = %place) -> (index) {
    %next = arith.addi %r, %one : index
    %start = sparse_storage.read_index %starts[%r] : memref<?xi32>
    %stop = sparse_storage.read_index %starts[%next] : memref<?xi32>
    %length = arith.subi %stop, %start : index
    %short = arith.cmpi sle, %length, %most : index
    scf.if %short {
      scf.for %i = %start to %stop step %one {
        %pair = memref.load %pairs[%i] : memref<?xi64>
        %before = scf.for %j = %start to %stop step %one iter_args(%sum = %none) -> (i64) {
          %other = memref.load %pairs[%j] : memref<?xi64>
          %smaller = arith.cmpi slt, %other, %pair : i64
          %step = arith.extui %smaller : i1 to i64
          %more = arith.addi %sum, %step : i64
          scf.yield %more : i64
        }
        %rank = arith.index_cast %before : i64 to index
        memref.store %pair, %own[%rank] : memref<?xi64>
      }
      scf.for %i = %zero to %length step %one {
        %pair = memref.load %own[%i] : memref<?xi64>
        %at = arith.addi %start, %i : index
        memref.store %pair, %pairs[%at] : memref<?xi64>
      }
    }
    %final, %k_end = scf.for %p = %start to %stop step %one
        iter_args(%before = %nowhere, %k = %k_begin) -> (i32, index) {
      %pair = memref.load %pairs[%p] : memref<?xi64>
      %row = arith.trunci %pair : i64 to i32
      memref.store %row, %order[%p] : memref<?xi32>
      %column = arith.shrui %pair, %half : i64
      %narrow = arith.trunci %column : i64 to i32
      %new = arith.cmpi ne, %narrow, %before : i32
      memref.store %narrow, %indices[%k] : memref<?xi32>
      %p_wide = arith.index_cast %p : index to i64
      %p_narrow = arith.trunci %p_wide : i64 to i32
      memref.store %p_narrow, %firsts[%k] : memref<?xi32>
      %step = arith.extui %new : i1 to i64
      %by = arith.index_cast %step : i64 to index
      %k_next = arith.addi %k, %by : index
      scf.yield %narrow, %k_next : i32, index
    }
    %k_wide = arith.index_cast %k_end : index to i64
    %k_narrow = arith.trunci %k_wide : i64 to i32
    memref.store %k_narrow, %ends[%r] : memref<?xi32>
    scf.yield %k_end : index
  }
  func.return
}
