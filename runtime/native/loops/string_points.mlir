// Strings that NumPy has as %width code points each, of which NULs at the end count for nothing.

// As bytes: %width for each, from a multiple of it on, as those of ASCII are. In %used are the bits
// that any point has, by which to tell whether all are ASCII.

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

// Whether each of them begins with the %count points of %wanted, of which there are %width at most;
// it is the same string where %count is %width and %wanted has NULs at its end: 1 or 0 for each.
func.func @match_points(%points: memref<?xi32>, %width: index, %wanted: memref<?xi32>,
                        %count: index, %begin: index, %end: index, %out: memref<?xi8>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %nothing = arith.constant 0 : i32
  %rest = arith.remui %count, %four : index
  %whole = arith.subi %count, %rest : index
  scf.for %row = %begin to %end step %one {
    %start = arith.muli %row, %width : index
    // Four at a time, as long as they agree.
    %last, %unlike_fours = scf.while (%at = %zero, %so_far = %nothing)
        : (index, i32) -> (index, i32) {
      %left = arith.cmpi slt, %at, %whole : index
      %same = arith.cmpi eq, %so_far, %nothing : i32
      %go_on = arith.andi %left, %same : i1
      scf.condition(%go_on) %at, %so_far : index, i32
    } do {
    ^bb0(%at: index, %so_far: i32):
      %own_place = arith.addi %start, %at : index
      %unlike = scf.for %k = %zero to %four step %one iter_args(%u = %nothing) -> (i32) {
        %place = arith.addi %own_place, %k : index
        %wanted_place = arith.addi %at, %k : index
        %point = memref.load %points[%place] : memref<?xi32>
        %other = memref.load %wanted[%wanted_place] : memref<?xi32>
        %difference = arith.xori %point, %other : i32
        %next = arith.ori %u, %difference : i32
        scf.yield %next : i32
      }
      %at_next = arith.addi %at, %four : index
      scf.yield %at_next, %unlike : index, i32
    }
    %agree = arith.cmpi eq, %unlike_fours, %nothing : i32
    %first_left = arith.select %agree, %whole, %count : index
    %unlike_all = scf.for %k = %first_left to %count step %one iter_args(%u = %unlike_fours)
        -> (i32) {
      %place = arith.addi %start, %k : index
      %point = memref.load %points[%place] : memref<?xi32>
      %other = memref.load %wanted[%k] : memref<?xi32>
      %difference = arith.xori %point, %other : i32
      %next = arith.ori %u, %difference : i32
      scf.yield %next : i32
    }
    %alike = arith.cmpi eq, %unlike_all, %nothing : i32
    %result = arith.extui %alike : i1 to i8
    memref.store %result, %out[%row] : memref<?xi8>
  }
  func.return
}
