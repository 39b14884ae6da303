// Products of two matrices of compressed rows, row by row (F. G. Gustavson, Two fast algorithms for
// sparse matrices, ACM TOMS 1978). A row is summed in a dense accumulator, and bits say where it
// has entries: a bit for each column, and one for each word of those. They are gone through in
// ascending order, which leaves nothing to sort, and all are cleared again on the way.

!element = f64  // or f32, i64

// Rows %begin to %end: what they store begins at %place, and %ends[r] is where row r ends. Zeros are
// not stored. Of a thread's own are %sums, %bits and %words, all zeros before and after; there are
// %count elements in %words.
func.func @sparse_times_sparse(
    %a_starts: memref<?xi32>, %a_indices: memref<?xi32>, %a: memref<?x!element>,
    %b_starts: memref<?xi32>, %b_indices: memref<?xi32>, %b: memref<?x!element>,
    %indices: memref<?xi32>, %values: memref<?x!element>, %ends: memref<?xi32>,
    %sums: memref<?x!element>, %bits: memref<?xi64>, %words: memref<?xi64>, %count: index,
    %place: index, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %six = arith.constant 6 : index
  %low_six = arith.constant 63 : index
  %none = arith.constant 0 : i64
  %bit = arith.constant 1 : i64
  %all_ones = arith.constant -1 : i64
  %nothing = arith.constant 0.0 : !element
  %last = scf.for %r = %begin to %end step %one iter_args(%k_begin = %place) -> (index) {
    %next = arith.addi %r, %one : index
    %start = sparse_storage.read_index %a_starts[%r] : memref<?xi32>
    %stop = sparse_storage.read_index %a_starts[%next] : memref<?xi32>
    scf.for %e = %start to %stop step %one {
      %row = sparse_storage.read_index %a_indices[%e] : memref<?xi32>
      %factor = memref.load %a[%e] : memref<?x!element>
      %after = arith.addi %row, %one : index
      %b_start = sparse_storage.read_index %b_starts[%row] : memref<?xi32>
      %b_stop = sparse_storage.read_index %b_starts[%after] : memref<?xi32>
      scf.for %f = %b_start to %b_stop step %one {
        %column = sparse_storage.read_index %b_indices[%f] : memref<?xi32>
        %value = memref.load %b[%f] : memref<?x!element>
        %term = arith.mulf %factor, %value : !element
        %before = memref.load %sums[%column] : memref<?x!element>
        %sum = arith.addf %before, %term : !element
        memref.store %sum, %sums[%column] : memref<?x!element>
        %word = arith.shrui %column, %six : index
        %within = arith.andi %column, %low_six : index
        %shift = arith.index_cast %within : index to i64
        %mask = arith.shli %bit, %shift : i64
        %old = memref.load %bits[%word] : memref<?xi64>
        %new = arith.ori %old, %mask : i64
        memref.store %new, %bits[%word] : memref<?xi64>
        %group = arith.shrui %word, %six : index
        %member = arith.andi %word, %low_six : index
        %group_shift = arith.index_cast %member : index to i64
        %group_mask = arith.shli %bit, %group_shift : i64
        %group_old = memref.load %words[%group] : memref<?xi64>
        %group_new = arith.ori %group_old, %group_mask : i64
        memref.store %group_new, %words[%group] : memref<?xi64>
      }
    }
    %k_end = scf.for %g = %zero to %count step %one iter_args(%k_group = %k_begin) -> (index) {
      %group = memref.load %words[%g] : memref<?xi64>
      memref.store %none, %words[%g] : memref<?xi64>
      %first_word = arith.shli %g, %six : index
      %no_words, %k_next = scf.while (%left = %group, %k = %k_group)
          : (i64, index) -> (i64, index) {
        %some = arith.cmpi ne, %left, %none : i64
        scf.condition(%some) %left, %k : i64, index
      } do {
      ^bb0(%left: i64, %k: index):
        %lowest = math.cttz %left : i64
        %member = arith.index_cast %lowest : i64 to index
        %word = arith.ori %first_word, %member : index
        %present = memref.load %bits[%word] : memref<?xi64>
        memref.store %none, %bits[%word] : memref<?xi64>
        %first_column = arith.shli %word, %six : index
        %no_bits, %k_after = scf.while (%rest = %present, %j = %k)
            : (i64, index) -> (i64, index) {
          %more = arith.cmpi ne, %rest, %none : i64
          scf.condition(%more) %rest, %j : i64, index
        } do {
        ^bb0(%rest: i64, %j: index):
          %lowest_bit = math.cttz %rest : i64
          %within = arith.index_cast %lowest_bit : i64 to index
          %column = arith.ori %first_column, %within : index
          %sum = memref.load %sums[%column] : memref<?x!element>
          memref.store %nothing, %sums[%column] : memref<?x!element>
          %wide = arith.index_cast %column : index to i64
          %narrow = arith.trunci %wide : i64 to i32
          memref.store %narrow, %indices[%j] : memref<?xi32>
          memref.store %sum, %values[%j] : memref<?x!element>
          %stored = arith.cmpf une, %sum, %nothing : !element
          %step = arith.extui %stored : i1 to i64
          %by = arith.index_cast %step : i64 to index
          %j_next = arith.addi %j, %by : index
          %less = arith.addi %rest, %all_ones : i64
          %others = arith.andi %rest, %less : i64
          scf.yield %others, %j_next : i64, index
        }
        %less = arith.addi %left, %all_ones : i64
        %others = arith.andi %left, %less : i64
        scf.yield %others, %k_after : i64, index
      }
      scf.yield %k_next : index
    }
    %k_wide = arith.index_cast %k_end : index to i64
    %k_narrow = arith.trunci %k_wide : i64 to i32
    memref.store %k_narrow, %ends[%r] : memref<?xi32>
    scf.yield %k_end : index
  }
  func.return
}
