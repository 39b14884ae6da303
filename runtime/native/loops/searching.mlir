// Searches in parts of a vector, each part ascending.

!element = i64  // or i8, i16, i32

// Where each of %wanted belongs from %low to %high. The halves are chosen without a branch: which
// it is cannot be foretold.
func.func @lower_bounds(%indices: memref<?x!element>, %low: memref<?xindex>, %high: memref<?xindex>,
                        %wanted: memref<?xindex>, %out: memref<?xindex>, %count: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %q = %zero to %count step %one {
    %first = memref.load %low[%q] : memref<?xindex>
    %last = memref.load %high[%q] : memref<?xindex>
    %x = memref.load %wanted[%q] : memref<?xindex>
    %found, %end = scf.while (%l = %first, %h = %last) : (index, index) -> (index, index) {
      %open = arith.cmpi slt, %l, %h : index
      scf.condition(%open) %l, %h : index, index
    } do {
    ^bb0(%l: index, %h: index):
      %sum = arith.addi %l, %h : index
      %middle = arith.shrui %sum, %one : index
      %y = sparse_storage.read_index %indices[%middle] : memref<?x!element>
      %below = arith.cmpi slt, %y, %x : index
      %after = arith.addi %middle, %one : index
      %l_next = arith.select %below, %after, %l : index
      %h_next = arith.select %below, %h, %middle : index
      scf.yield %l_next, %h_next : index, index
    }
    memref.store %found, %out[%q] : memref<?xindex>
  }
  func.return
}
