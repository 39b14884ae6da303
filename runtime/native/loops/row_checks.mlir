// What has to hold of compressed rows before anything reads them, whatever is in the vectors:
// nothing is read by an index here.

!place = i32  // or i64

// Entries %first to %last, of which there is one at least, and rows %begin to %end. %found gets
//   0  the largest index, as one without a sign
//   1  whether a start is larger than the next, or a row ends behind the last of %count entries
func.func @check_rows(
    %starts: memref<?x!place>, %indices: memref<?x!place>, %count: index, %found: memref<2xi64>,
    %first: index, %last: index, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %no = arith.constant false
  %index = memref.load %indices[%first] : memref<?x!place>
  %largest = scf.for %e = %first to %last step %one iter_args(%most = %index) -> (!place) {
    %here = memref.load %indices[%e] : memref<?x!place>
    %larger = arith.maxui %most, %here : !place
    scf.yield %larger : !place
  }
  %flaws = scf.for %r = %begin to %end step %one iter_args(%any = %no) -> (i1) {
    %next = arith.addi %r, %one : index
    %start = sparse_storage.read_index %starts[%r] : memref<?x!place>
    %stop = sparse_storage.read_index %starts[%next] : memref<?x!place>
    %backward = arith.cmpi ugt, %start, %stop : index
    %beyond = arith.cmpi ugt, %stop, %count : index
    %flaw = arith.ori %backward, %beyond : i1
    %any_next = arith.ori %any, %flaw : i1
    scf.yield %any_next : i1
  }
  %most_index = arith.index_cast %largest : !place to index
  %wide_largest = arith.index_cast %most_index : index to i64
  %wide_flaws = arith.extui %flaws : i1 to i64
  memref.store %wide_largest, %found[%zero] : memref<2xi64>
  memref.store %wide_flaws, %found[%one] : memref<2xi64>
  func.return
}

// Whether the indices of rows with such starts ascend. Entries and rows are gone through in blocks,
// side by side: where rows are about equally long, the index that a row starts with has just been
// read. %found gets, of entries %first to %last and rows %begin to %end,
//   0  how many indices are not larger than the one before them, of whatever row
//   1  how many of these begin a row, which is no disorder
func.func @check_order(
    %starts: memref<?x!place>, %indices: memref<?x!place>, %count: index, %found: memref<2xi64>,
    %first: index, %last: index, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %block = arith.constant 16384 : index
  %none = arith.constant 0 : !place
  %entries = arith.subi %last, %first : index
  %rows = arith.subi %end, %begin : index
  %whole_blocks = arith.divui %entries, %block : index
  %blocks = arith.addi %whole_blocks, %one : index
  %descents, %row_descents = scf.for %b = %zero to %blocks step %one
      iter_args(%sum_so_far = %none, %rows_so_far = %none) -> (!place, !place) {
    %b_next = arith.addi %b, %one : index
    %entries_before = arith.muli %b, %block : index
    %block_first = arith.addi %first, %entries_before : index
    %from = arith.maxui %block_first, %one : index
    %block_last = arith.addi %block_first, %block : index
    %to = arith.minui %block_last, %last : index
    %block_sum = scf.for %e = %from to %to step %one iter_args(%sum = %sum_so_far) -> (!place) {
      %here = memref.load %indices[%e] : memref<?x!place>
      %previous = arith.subi %e, %one : index
      %there = memref.load %indices[%previous] : memref<?x!place>
      %falls = arith.cmpi sle, %here, %there : !place
      %step = arith.extui %falls : i1 to !place
      %sum_next = arith.addi %sum, %step : !place
      scf.yield %sum_next : !place
    }
    %rows_before = arith.muli %rows, %b : index
    %rows_behind = arith.muli %rows, %b_next : index
    %share_before = arith.divui %rows_before, %blocks : index
    %share_behind = arith.divui %rows_behind, %blocks : index
    %row_first = arith.addi %begin, %share_before : index
    %row_last = arith.addi %begin, %share_behind : index
    %block_rows = scf.for %r = %row_first to %row_last step %one iter_args(%sum = %rows_so_far)
        -> (!place) {
      %next = arith.addi %r, %one : index
      %start = sparse_storage.read_index %starts[%r] : memref<?x!place>
      %stop = sparse_storage.read_index %starts[%next] : memref<?x!place>
      %later = arith.cmpi ugt, %start, %zero : index
      %some = arith.cmpi ult, %start, %stop : index
      %safe = arith.andi %later, %some : i1
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
      scf.yield %sum_next : !place
    }
    scf.yield %block_sum, %block_rows : !place, !place
  }
  %descents_index = arith.index_cast %descents : !place to index
  %rows_index = arith.index_cast %row_descents : !place to index
  %wide_descents = arith.index_cast %descents_index : index to i64
  %wide_rows = arith.index_cast %rows_index : index to i64
  memref.store %wide_descents, %found[%zero] : memref<2xi64>
  memref.store %wide_rows, %found[%one] : memref<2xi64>
  func.return
}
