// What threads have computed in tables of their own, combined.

!element = f64  // or f32, i64, i32, i8
func.func private @combine(!element, !element) -> !element  // of add, min, max

// Elements %begin to %end of %result: those of %count tables of %size elements, one at least, that
// lie one after the other.
func.func @combine_tables(%tables: memref<?x!element>, %result: memref<?x!element>, %count: index,
                          %size: index, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  scf.for %k = %begin to %end step %one {
    %x = memref.load %tables[%k] : memref<?x!element>
    memref.store %x, %result[%k] : memref<?x!element>
  }
  scf.for %table = %one to %count step %one {
    %first = arith.muli %table, %size : index
    scf.for %k = %begin to %end step %one {
      %place = arith.addi %first, %k : index
      %x = memref.load %tables[%place] : memref<?x!element>
      %held = memref.load %result[%k] : memref<?x!element>
      %next = func.call @combine(%held, %x) : (!element, !element) -> !element
      memref.store %next, %result[%k] : memref<?x!element>
    }
  }
  func.return
}
