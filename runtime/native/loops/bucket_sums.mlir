// Values added to a table at their indices, in the order in which they stand. An index outside of
// the table is passed over.

func.func @add_at_f64(%table: memref<?xf64>, %extent: index, %indices: memref<?xindex>,
                      %values: memref<?xf64>, %count: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %k = %zero to %count step %one {
    %index = memref.load %indices[%k] : memref<?xindex>
    %inside = arith.cmpi ult, %index, %extent : index
    scf.if %inside {
      %value = memref.load %values[%k] : memref<?xf64>
      %old = memref.load %table[%index] : memref<?xf64>
      %new = arith.addf %old, %value : f64
      memref.store %new, %table[%index] : memref<?xf64>
    }
  }
  func.return
}

func.func @add_at_i64(%table: memref<?xi64>, %extent: index, %indices: memref<?xindex>,
                      %values: memref<?xi64>, %count: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %k = %zero to %count step %one {
    %index = memref.load %indices[%k] : memref<?xindex>
    %inside = arith.cmpi ult, %index, %extent : index
    scf.if %inside {
      %value = memref.load %values[%k] : memref<?xi64>
      %old = memref.load %table[%index] : memref<?xi64>
      %new = arith.addi %old, %value : i64
      memref.store %new, %table[%index] : memref<?xi64>
    }
  }
  func.return
}
