// The entries of lists one behind the other, from list %begin to %end of %lists: those of one begin
// at %made. A list below zero has none, but that of another is looked at.
func.func @entries_of_lists(%starts: memref<?xi32>, %lists: memref<?xi64>, %made: memref<?xi64>,
                            %out: memref<?xi32>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i64
  scf.for %k = %begin to %end step %one {
    %list = memref.load %lists[%k] : memref<?xi64>
    %inside = arith.maxsi %list, %none : i64
    %at = arith.index_cast %inside : i64 to index
    %start = memref.load %starts[%at] : memref<?xi32>
    %next = arith.addi %k, %one : index
    %low = memref.load %made[%k] : memref<?xi64>
    %high = memref.load %made[%next] : memref<?xi64>
    %first = arith.index_cast %low : i64 to index
    %last = arith.index_cast %high : i64 to index
    %narrow = arith.trunci %low : i64 to i32
    %distance = arith.subi %start, %narrow : i32
    scf.for %p = %first to %last step %one {
      %wide = arith.index_cast %p : index to i64
      %place = arith.trunci %wide : i64 to i32
      %entry = arith.addi %place, %distance : i32
      memref.store %entry, %out[%p] : memref<?xi32>
    }
  }
  func.return
}
