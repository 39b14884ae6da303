// The values of rows that stand together in an order, combined: those of one index of an array.

!element = f64  // or f32, i64
func.func private @combine(!element, !element) -> !element  // of add, min, max

// Groups %begin to %end; group g has the rows that %order names from %firsts[g] to %firsts[g + 1],
// one at least. Values are combined in that order.
func.func @fold_rows(
    %values: memref<?x!element>, %order: memref<?xi32>, %firsts: memref<?xi32>,
    %out: memref<?x!element>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  scf.for %g = %begin to %end step %one {
    %after = arith.addi %g, %one : index
    %first = sparse_storage.read_index %firsts[%g] : memref<?xi32>
    %stop = sparse_storage.read_index %firsts[%after] : memref<?xi32>
    %row = sparse_storage.read_index %order[%first] : memref<?xi32>
    %value = memref.load %values[%row] : memref<?x!element>
    %second = arith.addi %first, %one : index
    %total = scf.for %k = %second to %stop step %one iter_args(%held = %value) -> (!element) {
      %other = sparse_storage.read_index %order[%k] : memref<?xi32>
      %x = memref.load %values[%other] : memref<?x!element>
      %next = func.call @combine(%held, %x) : (!element, !element) -> !element
      scf.yield %next : !element
    }
    memref.store %total, %out[%g] : memref<?x!element>
  }
  func.return
}
