// Compressed rows times a dense matrix, whose rows lie side by side: of each entry a multiple of a
// row of the matrix is added to a row of the result, in the order of the entries.

!element = f64  // or f32, i64

// Rows %begin to %end; a row of the dense matrix begins %stride elements behind the last one.
func.func @sparse_times_dense(
    %starts: memref<?xi32>, %indices: memref<?xi32>, %values: memref<?x!element>,
    %matrix: memref<?x!element>, %stride: index, %result: memref<?x!element>, %width: index,
    %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %nothing = arith.constant 0.0 : !element
  scf.for %r = %begin to %end step %one {
    %next = arith.addi %r, %one : index
    %start = sparse_storage.read_index %starts[%r] : memref<?xi32>
    %stop = sparse_storage.read_index %starts[%next] : memref<?xi32>
    %first = arith.muli %r, %width : index
    scf.for %c = %zero to %width step %one {
      %to = arith.addi %first, %c : index
      memref.store %nothing, %result[%to] : memref<?x!element>
    }
    scf.for %e = %start to %stop step %one {
      %row = sparse_storage.read_index %indices[%e] : memref<?xi32>
      %factor = memref.load %values[%e] : memref<?x!element>
      %from = arith.muli %row, %stride : index
      scf.for %c = %zero to %width step %one {
        %source = arith.addi %from, %c : index
        %to = arith.addi %first, %c : index
        %x = memref.load %matrix[%source] : memref<?x!element>
        %term = arith.mulf %factor, %x : !element
        %before = memref.load %result[%to] : memref<?x!element>
        %sum = arith.addf %before, %term : !element
        memref.store %sum, %result[%to] : memref<?x!element>
      }
    }
  }
  func.return
}
