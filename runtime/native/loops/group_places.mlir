// Rows by their groups, of which %codes says the number: their places in these, and the rows that
// stand before them. Rows are gone through as %order has them, with a table of groups that holds
// what has been seen of each.

// The places of the rows %begin to %end of the order among those of their group; %seen has for each
// group how many of its rows came before.
func.func @number_groups(%codes: memref<?xi64>, %order: memref<?xi32>, %seen: memref<?xi64>,
                         %out: memref<?xi64>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %unit = arith.constant 1 : i64
  scf.for %k = %begin to %end step %one {
    %row = sparse_storage.read_index %order[%k] : memref<?xi32>
    %code = sparse_storage.read_index %codes[%row] : memref<?xi64>
    %before = memref.load %seen[%code] : memref<?xi64>
    %after = arith.addi %before, %unit : i64
    memref.store %after, %seen[%code] : memref<?xi64>
    memref.store %before, %out[%row] : memref<?xi64>
  }
  func.return
}

// The row that was seen %by rows of its group before each, or else the first one, and whether there
// is such a row. %ring has %by rows of each group, -1 where there is none yet, and %next which of
// these is replaced next. Rows are those at %first, %first + %step, … of the order.
func.func @shift_groups(%codes: memref<?xi64>, %order: memref<?xi32>, %ring: memref<?xi32>,
                        %next: memref<?xi32>, %by: index, %sources: memref<?xi32>,
                        %there: memref<?xi8>, %first: index, %step: index, %count: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %unit = arith.constant 1 : i32
  %by_wide = arith.index_cast %by : index to i64
  %most = arith.trunci %by_wide : i64 to i32
  scf.for %k = %zero to %count step %one {
    %distance = arith.muli %k, %step : index
    %at = arith.addi %first, %distance : index
    %row = sparse_storage.read_index %order[%at] : memref<?xi32>
    %row_wide = arith.index_cast %row : index to i64
    %own = arith.trunci %row_wide : i64 to i32
    %code = sparse_storage.read_index %codes[%row] : memref<?xi64>
    %base = arith.muli %code, %by : index
    %place = memref.load %next[%code] : memref<?xi32>
    %place_wide = arith.extui %place : i32 to i64
    %offset = arith.index_cast %place_wide : i64 to index
    %slot = arith.addi %base, %offset : index
    %before = memref.load %ring[%slot] : memref<?xi32>
    memref.store %own, %ring[%slot] : memref<?xi32>
    // As long as none has been replaced, this is the first.
    %oldest = memref.load %ring[%base] : memref<?xi32>
    %found = arith.cmpi sge, %before, %none : i32
    %source = arith.select %found, %before, %oldest : i32
    memref.store %source, %sources[%row] : memref<?xi32>
    %byte = arith.extui %found : i1 to i8
    memref.store %byte, %there[%row] : memref<?xi8>
    %following = arith.addi %place, %unit : i32
    %around = arith.cmpi eq, %following, %most : i32
    %wrapped = arith.select %around, %none, %following : i32
    memref.store %wrapped, %next[%code] : memref<?xi32>
  }
  func.return
}
