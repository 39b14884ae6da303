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

// The strings at %places, from %begin to %end, of Arrow's as above. A place is the first of %step
// words: those of 64 bits are twice as many, if the lower half comes first.
func.func @take_between_ends(%ends: memref<?x!place>, %first: index, %places: memref<?xi32>,
                             %step: index, %begin: index, %end: index,
                             %taken_starts: memref<?xindex>, %taken_lengths: memref<?xindex>) {
  %one = arith.constant 1 : index
  scf.for %row = %begin to %end step %one {
    %word = arith.muli %row, %step : index
    %at = sparse_storage.read_index %places[%word] : memref<?xi32>
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
// wherever a string begins or ends. The first eight and the last eight of all are compared, without a
// branch: of up to sixteen these are all, and they tell most others apart.
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
  %first_word = multiloop.read_word %wanted[%zero] : memref<?xi8>
  %behind_first = arith.subi %count, %eight : index
  %last_place = arith.maxsi %behind_first, %zero : index
  %last_word = multiloop.read_word %wanted[%last_place] : memref<?xi8>
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
    %word = multiloop.read_word %data[%own_start] : memref<?xi8>
    // What is shorter than what is wanted may end before its last eight bytes would.
    %last_there = arith.select %fits, %last_place, %zero : index
    %own_last = arith.addi %own_start, %last_there : index
    %word_at_end = multiloop.read_word %data[%own_last] : memref<?xi8>
    %unlike_first = arith.xori %word, %first_word : i64
    %unlike_last = arith.xori %word_at_end, %last_word : i64
    %unlike_either = arith.ori %unlike_first, %unlike_last : i64
    %unlike_there = arith.andi %unlike_either, %mask : i64
    %unlike_outside = arith.select %fits, %unlike_there, %all : i64
    %at_last, %unlike = scf.while (%at = %eight, %so_far = %unlike_outside)
        : (index, i64) -> (index, i64) {
      %left = arith.cmpi slt, %at, %last_place : index
      %same = arith.cmpi eq, %so_far, %none : i64
      %go_on = arith.andi %left, %same : i1
      scf.condition(%go_on) %at, %so_far : index, i64
    } do {
    ^bb0(%at: index, %so_far: i64):
      %place = arith.addi %own_start, %at : index
      %own_word = multiloop.read_word %data[%place] : memref<?xi8>
      %other_word = multiloop.read_word %wanted[%at] : memref<?xi8>
      %difference = arith.xori %own_word, %other_word : i64
      %at_next = arith.addi %at, %eight : index
      scf.yield %at_next, %difference : index, i64
    }
    %matches = arith.cmpi eq, %unlike, %none : i64
    %result = arith.extui %matches : i1 to i8
    memref.store %result, %out[%row] : memref<?xi8>
  }
  func.return
}
