// Where strings lie, by places of any width.

!place = i32  // or i64

// Arrow's strings, of which each ends where the next one begins: for each from %begin to %end where
// it begins behind the place %first, and how long it is.
func.func @spans_of_ends(%ends: memref<?x!place>, %first: index, %begin: index, %end: index,
                         %starts: memref<?xindex>, %lengths: memref<?xindex>) {
  %one = arith.constant 1 : index
  scf.for %row = %begin to %end step %one {
    %next = arith.addi %row, %one : index
    %start = sparse_storage.read_index %ends[%row] : memref<?x!place>
    %stop = sparse_storage.read_index %ends[%next] : memref<?x!place>
    %length = arith.subi %stop, %start : index
    %behind = arith.subi %start, %first : index
    memref.store %behind, %starts[%row] : memref<?xindex>
    memref.store %length, %lengths[%row] : memref<?xindex>
  }
  func.return
}

// The strings at %places, from %begin to %end.
func.func @take_strings(%starts: memref<?xindex>, %lengths: memref<?xindex>,
                        %places: memref<?x!place>, %begin: index, %end: index,
                        %taken_starts: memref<?xindex>, %taken_lengths: memref<?xindex>) {
  %one = arith.constant 1 : index
  scf.for %row = %begin to %end step %one {
    %at = sparse_storage.read_index %places[%row] : memref<?x!place>
    %start = memref.load %starts[%at] : memref<?xindex>
    %length = memref.load %lengths[%at] : memref<?xindex>
    memref.store %start, %taken_starts[%row] : memref<?xindex>
    memref.store %length, %taken_lengths[%row] : memref<?xindex>
  }
  func.return
}

// The strings at %places, from %begin to %end, of Arrow's as above.
func.func @take_between_ends(%ends: memref<?x!place>, %first: index, %places: memref<?xi32>,
                             %begin: index, %end: index, %taken_starts: memref<?xindex>,
                             %taken_lengths: memref<?xindex>) {
  %one = arith.constant 1 : index
  scf.for %row = %begin to %end step %one {
    %at = sparse_storage.read_index %places[%row] : memref<?xi32>
    %next = arith.addi %at, %one : index
    %start = sparse_storage.read_index %ends[%at] : memref<?x!place>
    %stop = sparse_storage.read_index %ends[%next] : memref<?x!place>
    %length = arith.subi %stop, %start : index
    %behind = arith.subi %start, %first : index
    memref.store %behind, %taken_starts[%row] : memref<?xindex>
    memref.store %length, %taken_lengths[%row] : memref<?xindex>
  }
  func.return
}

// Whether each of Arrow's strings as above is the %count bytes of %wanted or, where %part is 1,
// begins with them or, where %at_end is 1 besides, ends with them: 1 or 0 for each from %begin to
// %end. Where each begins and how long it is is in no vector then. Eight bytes may be read from
// wherever a string begins or ends; the first eight tell most apart.
func.func @match_between_ends(%data: memref<?xi8>, %ends: memref<?x!place>, %first: index,
                              %wanted: memref<?xi8>, %count: index, %part: index,
                              %at_end: index, %begin: index, %end: index, %out: memref<?xi8>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %none = arith.constant 0 : i64
  %all = arith.constant -1 : i64
  %bits = arith.constant 8 : i64
  %is_part = arith.cmpi ne, %part, %zero : index
  %is_some = arith.cmpi ne, %count, %zero : index
  %in_first = arith.minsi %count, %eight : index
  %counted = arith.maxsi %in_first, %one : index
  %outside_first = arith.subi %eight, %counted : index
  %outside_first_word = arith.index_cast %outside_first : index to i64
  %dropped_first = arith.muli %outside_first_word, %bits : i64
  %some_bits = arith.shrui %all, %dropped_first : i64
  %mask = arith.select %is_some, %some_bits, %none : i64
  %first_word = scf.for %k = %zero to %eight step %one iter_args(%w = %none) -> (i64) {
    %position = arith.addi %zero, %k : index
    %byte = memref.load %wanted[%position] : memref<?xi8>
    %wide = arith.extui %byte : i8 to i64
    %k_word = arith.index_cast %k : index to i64
    %place_bits = arith.muli %k_word, %bits : i64
    %shifted = arith.shli %wide, %place_bits : i64
    %next = arith.ori %w, %shifted : i64
    scf.yield %next : i64
  }
  scf.for %row = %begin to %end step %one {
    %next_row = arith.addi %row, %one : index
    %given_start = sparse_storage.read_index %ends[%row] : memref<?x!place>
    %given_stop = sparse_storage.read_index %ends[%next_row] : memref<?x!place>
    %length = arith.subi %given_stop, %given_start : index
    %start = arith.subi %given_start, %first : index
    %more = arith.subi %length, %count : index
    %is_as_long = arith.cmpi eq, %more, %zero : index
    %is_longer = arith.cmpi sgt, %more, %zero : index
    %may_be_longer = arith.andi %is_longer, %is_part : i1
    %fits = arith.ori %is_as_long, %may_be_longer : i1
    %before = arith.muli %more, %at_end : index
    %skipped = arith.select %fits, %before, %zero : index
    %own_start = arith.addi %start, %skipped : index
    %word = scf.for %k = %zero to %eight step %one iter_args(%w = %none) -> (i64) {
      %position = arith.addi %own_start, %k : index
      %byte = memref.load %data[%position] : memref<?xi8>
      %wide = arith.extui %byte : i8 to i64
      %k_word = arith.index_cast %k : index to i64
      %place_bits = arith.muli %k_word, %bits : i64
      %shifted = arith.shli %wide, %place_bits : i64
      %next = arith.ori %w, %shifted : i64
      scf.yield %next : i64
    }
    %unlike_first = arith.xori %word, %first_word : i64
    %unlike_inside = arith.andi %unlike_first, %mask : i64
    %begins_alike = arith.cmpi eq, %unlike_inside, %none : i64
    %may_match = arith.andi %begins_alike, %fits : i1
    %matches = scf.if %may_match -> (i1) {
      %at_last, %unlike = scf.while (%at = %eight, %so_far = %none)
          : (index, i64) -> (index, i64) {
        %left = arith.cmpi slt, %at, %count : index
        %same = arith.cmpi eq, %so_far, %none : i64
        %go_on = arith.andi %left, %same : i1
        scf.condition(%go_on) %at, %so_far : index, i64
      } do {
      ^bb0(%at: index, %so_far: i64):
        %place = arith.addi %own_start, %at : index
        %own_word = scf.for %k = %zero to %eight step %one iter_args(%w = %none) -> (i64) {
          %position = arith.addi %place, %k : index
          %byte = memref.load %data[%position] : memref<?xi8>
          %wide = arith.extui %byte : i8 to i64
          %k_word = arith.index_cast %k : index to i64
          %place_bits = arith.muli %k_word, %bits : i64
          %shifted = arith.shli %wide, %place_bits : i64
          %next = arith.ori %w, %shifted : i64
          scf.yield %next : i64
        }
        %other_word = scf.for %k = %zero to %eight step %one iter_args(%w = %none) -> (i64) {
          %position = arith.addi %at, %k : index
          %byte = memref.load %wanted[%position] : memref<?xi8>
          %wide = arith.extui %byte : i8 to i64
          %k_word = arith.index_cast %k : index to i64
          %place_bits = arith.muli %k_word, %bits : i64
          %shifted = arith.shli %wide, %place_bits : i64
          %next = arith.ori %w, %shifted : i64
          scf.yield %next : i64
        }
        %difference = arith.xori %own_word, %other_word : i64
        %rest = arith.subi %count, %at : index
        %inside = arith.minsi %rest, %eight : index
        %outside = arith.subi %eight, %inside : index
        %outside_word = arith.index_cast %outside : index to i64
        %dropped = arith.muli %outside_word, %bits : i64
        %own = arith.shli %difference, %dropped : i64
        %at_next = arith.addi %at, %eight : index
        scf.yield %at_next, %own : index, i64
      }
      %alike = arith.cmpi eq, %unlike, %none : i64
      scf.yield %alike : i1
    } else {
      %no = arith.constant false
      scf.yield %no : i1
    }
    %result = arith.extui %matches : i1 to i8
    memref.store %result, %out[%row] : memref<?xi8>
  }
  func.return
}
