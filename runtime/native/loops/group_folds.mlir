// Running folds of the values of groups, in the order in which their rows come.

!element = f64  // or f32, i64
func.func private @combine(!element, !element) -> !element  // of add, min, max

// What the rows %begin to %end of an order, and those of their group before them, fold to. %codes
// says the group of each row, and %held what each group has folded to so far.
func.func @scan_groups(%codes: memref<?xi64>, %order: memref<?xi32>, %values: memref<?x!element>,
                       %held: memref<?x!element>, %out: memref<?x!element>,
                       %begin: index, %end: index) {
  %one = arith.constant 1 : index
  scf.for %k = %begin to %end step %one {
    %row = sparse_storage.read_index %order[%k] : memref<?xi32>
    %code = sparse_storage.read_index %codes[%row] : memref<?xi64>
    %x = memref.load %values[%row] : memref<?x!element>
    %before = memref.load %held[%code] : memref<?x!element>
    %after = func.call @combine(%before, %x) : (!element, !element) -> !element
    memref.store %after, %held[%code] : memref<?x!element>
    memref.store %after, %out[%row] : memref<?x!element>
  }
  func.return
}

// What each row of the groups %begin to %end, and the %size - 1 rows before it, fold to; group g has
// the rows at %starts[g] to %starts[g + 1] of the order. Groups are cut into blocks of %size rows, so
// that %size rows are the end of one block and the beginning of the next. %ends holds what the ends
// of the last block fold to, and has the neutral element behind these, at %size.
func.func @fold_groups(%starts: memref<?xi64>, %order: memref<?xi32>, %values: memref<?x!element>,
                       %ends: memref<?x!element>, %out: memref<?x!element>, %size: index,
                       %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %neutral = memref.load %ends[%size] : memref<?x!element>
  scf.for %g = %begin to %end step %one {
    %after = arith.addi %g, %one : index
    %first = sparse_storage.read_index %starts[%g] : memref<?xi64>
    %stop = sparse_storage.read_index %starts[%after] : memref<?xi64>
    %length = arith.subi %stop, %first : index
    %used = arith.minsi %length, %size : index
    %reset = arith.addi %used, %one : index
    scf.for %j = %zero to %reset step %one {
      memref.store %neutral, %ends[%j] : memref<?x!element>
    }
    scf.for %block = %first to %stop step %size {
      %left = arith.subi %stop, %block : index
      %rows = arith.minsi %left, %size : index
      %whole = scf.for %j = %zero to %rows step %one iter_args(%held = %neutral) -> (!element) {
        %k = arith.addi %block, %j : index
        %row = sparse_storage.read_index %order[%k] : memref<?xi32>
        %x = memref.load %values[%row] : memref<?x!element>
        %next = func.call @combine(%held, %x) : (!element, !element) -> !element
        %following = arith.addi %j, %one : index
        %before = memref.load %ends[%following] : memref<?x!element>
        %window = func.call @combine(%before, %next) : (!element, !element) -> !element
        memref.store %window, %out[%row] : memref<?x!element>
        // Nobody reads this end of the last block any more.
        memref.store %x, %ends[%j] : memref<?x!element>
        scf.yield %next : !element
      }
      %all = scf.for %j = %zero to %rows step %one iter_args(%held = %neutral) -> (!element) {
        %back = arith.subi %rows, %j : index
        %at = arith.subi %back, %one : index
        %x = memref.load %ends[%at] : memref<?x!element>
        %next = func.call @combine(%held, %x) : (!element, !element) -> !element
        memref.store %next, %ends[%at] : memref<?x!element>
        scf.yield %next : !element
      }
    }
  }
  func.return
}
