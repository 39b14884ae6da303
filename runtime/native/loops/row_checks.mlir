// What has to hold of compressed rows before anything reads them, found in one pass over entries
// and one over rows, whatever is in the vectors: nothing is read by an index, or by a start that has
// not been looked at.

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
  %none = arith.constant 0 : !place
  %no = arith.constant false
  %index = memref.load %indices[%first] : memref<?x!place>
  %inner = arith.cmpi sgt, %first, %zero : index
  %back = arith.extui %inner : i1 to i64
  %by = arith.index_cast %back : i64 to index
  %before_first = arith.subi %first, %by : index
  %before = memref.load %indices[%before_first] : memref<?x!place>
  %descends = arith.cmpi sle, %index, %before : !place
  %descent = arith.andi %inner, %descends : i1
  %one_descent = arith.extui %descent : i1 to !place
  %second = arith.addi %first, %one : index
  %largest, %descents = scf.for %e = %second to %last step %one
      iter_args(%most = %index, %sum = %one_descent) -> (!place, !place) {
    %here = memref.load %indices[%e] : memref<?x!place>
    %previous = arith.subi %e, %one : index
    %there = memref.load %indices[%previous] : memref<?x!place>
    %larger = arith.maxui %most, %here : !place
    %falls = arith.cmpi sle, %here, %there : !place
    %step = arith.extui %falls : i1 to !place
    %sum_next = arith.addi %sum, %step : !place
    scf.yield %larger, %sum_next : !place, !place
  }
  %row_descents, %flaws = scf.for %r = %begin to %end step %one
      iter_args(%sum = %none, %any = %no) -> (!place, i1) {
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
    %sum_next = scf.if %safe -> (!place) {
      %here = memref.load %indices[%start] : memref<?x!place>
      %previous = arith.subi %start, %one : index
      %there = memref.load %indices[%previous] : memref<?x!place>
      %falls = arith.cmpi sle, %here, %there : !place
      %step = arith.extui %falls : i1 to !place
      %more = arith.addi %sum, %step : !place
      scf.yield %more : !place
    } else {
      scf.yield %sum : !place
    }
    scf.yield %sum_next, %any_next : !place, i1
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
