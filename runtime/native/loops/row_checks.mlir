// What has to hold of compressed rows before anything reads them, found in one pass over entries
// and rows, whatever is in the vectors: nothing is read by an index, or by a start that has not been
// looked at. Both are gone through in blocks, side by side: where rows are about equally long, the
// index that a row starts with has just been read.

!place = i32  // or i64

// Entries %first to %last, of which there is one at least, and rows %begin to %end. %found gets
//   0  the largest index, as one without a sign
//   1  how many indices are not larger than the one before them, of whatever row
//   2  how many of these begin a row, which is no disorder
//   3  whether a start is larger than the next, or a row ends behind the last of %count entries
func.func @check_rows(
    %starts: memref<?x!place>, %indices: memref<?x!place>, %count: index, %found: memref<4xi64>,
    %first: index, %last: index, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %block = arith.constant 16384 : index
  %none = arith.constant 0 : !place
  %no = arith.constant false
  %index = memref.load %indices[%first] : memref<?x!place>
  %entries = arith.subi %last, %first : index
  %rows = arith.subi %end, %begin : index
  %whole_blocks = arith.divui %entries, %block : index
  %blocks = arith.addi %whole_blocks, %one : index
  %largest, %descents, %row_descents, %flaws = scf.for %b = %zero to %blocks step %one
      iter_args(%most_so_far = %index, %sum_so_far = %none, %rows_so_far = %none, %any_so_far = %no)
      -> (!place, !place, !place, i1) {
    %b_next = arith.addi %b, %one : index
    %entries_before = arith.muli %b, %block : index
    %block_first = arith.addi %first, %entries_before : index
    %from = arith.maxui %block_first, %one : index
    %block_last = arith.addi %block_first, %block : index
    %to = arith.minui %block_last, %last : index
    %block_most, %block_sum = scf.for %e = %from to %to step %one
        iter_args(%most = %most_so_far, %sum = %sum_so_far) -> (!place, !place) {
      %here = memref.load %indices[%e] : memref<?x!place>
      %previous = arith.subi %e, %one : index
      %there = memref.load %indices[%previous] : memref<?x!place>
      %larger = arith.maxui %most, %here : !place
      %falls = arith.cmpi sle, %here, %there : !place
      %step = arith.extui %falls : i1 to !place
      %sum_next = arith.addi %sum, %step : !place
      scf.yield %larger, %sum_next : !place, !place
    }
    %rows_before = arith.muli %rows, %b : index
    %rows_behind = arith.muli %rows, %b_next : index
    %share_before = arith.divui %rows_before, %blocks : index
    %share_behind = arith.divui %rows_behind, %blocks : index
    %row_first = arith.addi %begin, %share_before : index
    %row_last = arith.addi %begin, %share_behind : index
    %block_rows, %block_any = scf.for %r = %row_first to %row_last step %one
        iter_args(%sum = %rows_so_far, %any = %any_so_far) -> (!place, i1) {
      %next = arith.addi %r, %one : index
      %start = sparse_storage.read_index %starts[%r] : memref<?x!place>
      %stop = sparse_storage.read_index %starts[%next] : memref<?x!place>
      %backward = arith.cmpi ugt, %start, %stop : index
      %beyond = arith.cmpi ugt, %stop, %count : index
      %flaw = arith.ori %backward, %beyond : i1
      %any_next = arith.ori %any, %flaw : i1
      %later = arith.cmpi ugt, %start, %zero : index
      %some = arith.cmpi ult, %start, %stop : index
      %within = arith.cmpi ule, %stop, %count : index
      %both = arith.andi %later, %some : i1
      %safe = arith.andi %both, %within : i1
      // Without a branch: it would be taken as rows are empty.
      %place = arith.select %safe, %start, %one : index
      %previous = arith.subi %place, %one : index
      %at = arith.select %safe, %place, %zero : index
      %here = memref.load %indices[%at] : memref<?x!place>
      %there = memref.load %indices[%previous] : memref<?x!place>
      %falls = arith.cmpi sle, %here, %there : !place
      %descent = arith.andi %falls, %safe : i1
      %step = arith.extui %descent : i1 to !place
      %sum_next = arith.addi %sum, %step : !place
      scf.yield %sum_next, %any_next : !place, i1
    }
    scf.yield %block_most, %block_sum, %block_rows, %block_any : !place, !place, !place, i1
  }
  %most_index = arith.index_cast %largest : !place to index
  %descents_index = arith.index_cast %descents : !place to index
  %rows_index = arith.index_cast %row_descents : !place to index
  %wide_largest = arith.index_cast %most_index : index to i64
  %wide_descents = arith.index_cast %descents_index : index to i64
  %wide_rows = arith.index_cast %rows_index : index to i64
  %wide_flaws = arith.extui %flaws : i1 to i64
  memref.store %wide_largest, %found[%zero] : memref<4xi64>
  memref.store %wide_descents, %found[%one] : memref<4xi64>
  memref.store %wide_rows, %found[%two] : memref<4xi64>
  memref.store %wide_flaws, %found[%three] : memref<4xi64>
  func.return
}
