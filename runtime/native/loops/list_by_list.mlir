// Rows that come list by list, each with a place in its list, brought in the order of their places:
// those of one place are combined. Values are held in a table of all places, and bits say which of
// them a list has: a bit for each place, and one for each word of those, as in products of sparse
// matrices. They are gone through in ascending order, which leaves nothing to sort.

!element = f64  // or i64, i8
func.func private @combine(!element, !element) -> !element  // of add, min, max

// Lists %begin to %end; list l has the rows from %starts[l] to %starts[l + 1]. What they store begins
// at %place, and %ends[l] is where list l ends. Of a thread's own are %held, of any content, and
// %bits and %words, all zeros before and after; there are %count elements in %words.
func.func @combine_in_lists(
    %starts: memref<?xi32>, %places: memref<?xi64>, %values: memref<?x!element>,
    %indices: memref<?xi32>, %out: memref<?x!element>, %ends: memref<?xi32>,
    %held: memref<?x!element>, %bits: memref<?xi64>, %words: memref<?xi64>, %count: index,
    %place: index, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %six = arith.constant 6 : index
  %low_six = arith.constant 63 : index
  %none = arith.constant 0 : i64
  %bit = arith.constant 1 : i64
  %all_ones = arith.constant -1 : i64
  %last = scf.for %l = %begin to %end step %one iter_args(%k_begin = %place) -> (index) {
    %next = arith.addi %l, %one : index
    %start = sparse_storage.read_index %starts[%l] : memref<?xi32>
    %stop = sparse_storage.read_index %starts[%next] : memref<?xi32>
    scf.for %e = %start to %stop step %one {
      %p = sparse_storage.read_index %places[%e] : memref<?xi64>
      %value = memref.load %values[%e] : memref<?x!element>
      %word = arith.shrui %p, %six : index
      %within = arith.andi %p, %low_six : index
      %shift = arith.index_cast %within : index to i64
      %mask = arith.shli %bit, %shift : i64
      %old = memref.load %bits[%word] : memref<?xi64>
      %new = arith.ori %old, %mask : i64
      memref.store %new, %bits[%word] : memref<?xi64>
      %is_first = arith.cmpi ne, %old, %new : i64
      %before = memref.load %held[%p] : memref<?x!element>
      %both = func.call @combine(%before, %value) : (!element, !element) -> !element
      // Without a branch: which places come again is not foreseen.
      %kept = arith.select %is_first, %value, %both : !element
      memref.store %kept, %held[%p] : memref<?x!element>
      %group = arith.shrui %word, %six : index
      %member = arith.andi %word, %low_six : index
      %group_shift = arith.index_cast %member : index to i64
      %group_mask = arith.shli %bit, %group_shift : i64
      %group_old = memref.load %words[%group] : memref<?xi64>
      %group_new = arith.ori %group_old, %group_mask : i64
      memref.store %group_new, %words[%group] : memref<?xi64>
    }
    %some_rows = arith.cmpi ult, %start, %stop : index
    %k_end = scf.if %some_rows -> (index) {
      %k_last = scf.for %g = %zero to %count step %one iter_args(%k_group = %k_begin) -> (index) {
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
          %first_place = arith.shli %word, %six : index
          %no_bits, %k_after = scf.while (%rest = %present, %j = %k)
              : (i64, index) -> (i64, index) {
            %more = arith.cmpi ne, %rest, %none : i64
            scf.condition(%more) %rest, %j : i64, index
          } do {
          ^bb0(%rest: i64, %j: index):
            %lowest_bit = math.cttz %rest : i64
            %within = arith.index_cast %lowest_bit : i64 to index
            %p = arith.ori %first_place, %within : index
            %value = memref.load %held[%p] : memref<?x!element>
            %wide = arith.index_cast %p : index to i64
            %narrow = arith.trunci %wide : i64 to i32
            memref.store %narrow, %indices[%j] : memref<?xi32>
            memref.store %value, %out[%j] : memref<?x!element>
            %j_next = arith.addi %j, %one : index
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
      scf.yield %k_last : index
    } else {
      scf.yield %k_begin : index
    }
    %k_wide = arith.index_cast %k_end : index to i64
    %k_narrow = arith.trunci %k_wide : i64 to i32
    memref.store %k_narrow, %ends[%l] : memref<?xi32>
    scf.yield %k_end : index
  }
  func.return
}
