// Copies of rows whose elements may lie apart, to where they follow one another.

!element = f64  // or f32

// Rows %begin to %end, of %width elements each that are %step apart: row r begins at element
// %sources[r] of %from, and at %targets[r] of %to.
func.func @copy_rows(
    %from: memref<?x!element>, %to: memref<?x!element>, %sources: memref<?xi64>,
    %targets: memref<?xi64>, %width: index, %step: index, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %r = %begin to %end step %one {
    %source = sparse_storage.read_index %sources[%r] : memref<?xi64>
    %target = sparse_storage.read_index %targets[%r] : memref<?xi64>
    scf.for %j = %zero to %width step %one {
      %far = arith.muli %j, %step : index
      %there = arith.addi %source, %far : index
      %value = memref.load %from[%there] : memref<?x!element>
      %here = arith.addi %target, %j : index
      memref.store %value, %to[%here] : memref<?x!element>
    }
  }
  func.return
}
