// Elements of any type to the places of their buckets, moved as what they take in memory.

!element = i64  // or i8, i16, i32

// The values %begin to %end, by the numbers of their buckets: each goes to the next place of its
// bucket.
func.func @place_in_buckets(%numbers: memref<?xi32>, %next: memref<?xi32>,
                            %values: memref<?x!element>, %out: memref<?x!element>,
                            %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %unit = arith.constant 1 : i32
  scf.for %k = %begin to %end step %one {
    %number = memref.load %numbers[%k] : memref<?xi32>
    %number_wide = arith.extui %number : i32 to i64
    %bucket = arith.index_cast %number_wide : i64 to index
    %value = memref.load %values[%k] : memref<?x!element>
    %place = memref.load %next[%bucket] : memref<?xi32>
    %following = arith.addi %place, %unit : i32
    memref.store %following, %next[%bucket] : memref<?xi32>
    %place_wide = arith.extui %place : i32 to i64
    %at = arith.index_cast %place_wide : i64 to index
    memref.store %value, %out[%at] : memref<?x!element>
  }
  func.return
}
