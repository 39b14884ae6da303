// Elements of any type by their places, which are read as what they take in memory.

!element = i64  // or i8, i16, i32

// Of each of %places from %begin to %end the element that is there, zero where it is below zero.
// An element is loaded in any case, so that there is no branch: there has to be one.
func.func @gather_or_zero(%values: memref<?x!element>, %places: memref<?xi32>,
                          %out: memref<?x!element>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %nothing = arith.constant 0 : !element
  scf.for %k = %begin to %end step %one {
    %place = memref.load %places[%k] : memref<?xi32>
    %there = arith.cmpi sge, %place, %none : i32
    %inside = arith.maxsi %place, %none : i32
    %wide = arith.extsi %inside : i32 to i64
    %at = arith.index_cast %wide : i64 to index
    %found = memref.load %values[%at] : memref<?x!element>
    %value = arith.select %there, %found, %nothing : !element
    memref.store %value, %out[%k] : memref<?x!element>
  }
  func.return
}
