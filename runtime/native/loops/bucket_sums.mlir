// Values combined with those of a table at their indices, in the order in which they stand. An index
// outside of the table is passed over.

!element = f64  // or i64
func.func private @combine(!element, !element) -> !element  // of add

func.func @combine_at(%table: memref<?x!element>, %extent: index,
                      %indices: memref<?xindex>, %values: memref<?x!element>, %count: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %k = %zero to %count step %one {
    %index = memref.load %indices[%k] : memref<?xindex>
    %inside = arith.cmpi ult, %index, %extent : index
    scf.if %inside {
      %value = memref.load %values[%k] : memref<?x!element>
      %old = memref.load %table[%index] : memref<?x!element>
      %new = func.call @combine(%old, %value) : (!element, !element) -> !element
      memref.store %new, %table[%index] : memref<?x!element>
    }
  }
  func.return
}
