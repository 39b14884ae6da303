// Strings that NumPy has as %width code points each, of which NULs at the end count for nothing, as
// bytes: %width for each, from a multiple of it on, as those of ASCII are. In %used are the bits that
// any point has, by which to tell whether all are ASCII.

func.func @bytes_of_points(%points: memref<?xi32>, %width: index, %begin: index, %end: index,
                           %data: memref<?xi8>, %starts: memref<?xindex>,
                           %lengths: memref<?xindex>, %used: memref<1xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %nothing = arith.constant 0 : i32
  %bits = scf.for %row = %begin to %end step %one iter_args(%so_far = %nothing) -> (i32) {
    %start = arith.muli %row, %width : index
    %own, %length = scf.for %k = %zero to %width step %one
        iter_args(%seen = %so_far, %last = %zero) -> (i32, index) {
      %place = arith.addi %start, %k : index
      %point = memref.load %points[%place] : memref<?xi32>
      %byte = arith.trunci %point : i32 to i8
      memref.store %byte, %data[%place] : memref<?xi8>
      %next = arith.ori %seen, %point : i32
      %is_some = arith.cmpi ne, %point, %nothing : i32
      %behind = arith.addi %k, %one : index
      %so_long = arith.select %is_some, %behind, %last : index
      scf.yield %next, %so_long : i32, index
    }
    memref.store %start, %starts[%row] : memref<?xindex>
    memref.store %length, %lengths[%row] : memref<?xindex>
    scf.yield %own : i32
  }
  memref.store %bits, %used[%zero] : memref<1xi32>
  func.return
}
