// Strings beside each other: each is %lengths[i] bytes from %starts[i] on in %data, which goes on
// for 16 bytes behind the last one. Of those of the other side each string has %width, from the row
// times %step on: one of its own, one for all, or all of them.

// -1 where the string comes first in the order of its bytes, 1 where the other one does, else 0.
func.func @compare_strings(%data: memref<?xi8>, %starts: memref<?xindex>,
                           %lengths: memref<?xindex>, %other_data: memref<?xi8>,
                           %other_starts: memref<?xindex>, %other_lengths: memref<?xindex>,
                           %step: index, %rows: index, %width: index, %out: memref<?xi8>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %eight = arith.constant 8 : index
  %none = arith.constant 0 : i64
  %bits = arith.constant 8 : i64
  %half = arith.constant 32 : i64
  %less = arith.constant -1 : i8
  %equal = arith.constant 0 : i8
  %greater = arith.constant 1 : i8
  scf.for %row = %zero to %rows step %one {
    %start = memref.load %starts[%row] : memref<?xindex>
    %length = memref.load %lengths[%row] : memref<?xindex>
    %first = arith.muli %row, %step : index
    %first_out = arith.muli %row, %width : index
    scf.for %column = %zero to %width step %one {
      %other = arith.addi %first, %column : index
      %other_start = memref.load %other_starts[%other] : memref<?xindex>
      %other_length = memref.load %other_lengths[%other] : memref<?xindex>
      %common = arith.minsi %length, %other_length : index
      %at_end, %x, %y = scf.while (%at = %zero, %p = %none, %q = %none)
          : (index, i64, i64) -> (index, i64, i64) {
        %left = arith.cmpi slt, %at, %common : index
        %same = arith.cmpi eq, %p, %q : i64
        %go_on = arith.andi %left, %same : i1
        scf.condition(%go_on) %at, %p, %q : index, i64, i64
      } do {
      ^bb0(%at: index, %p: i64, %q: i64):
        %place = arith.addi %start, %at : index
        %other_place = arith.addi %other_start, %at : index
        %word = scf.for %h = %zero to %eight step %four iter_args(%w = %none) -> (i64) {
          %half_place = arith.addi %place, %h : index
          %half_word = scf.for %k = %zero to %four step %one iter_args(%v = %none) -> (i64) {
            %position = arith.addi %half_place, %k : index
            %byte = memref.load %data[%position] : memref<?xi8>
            %wide = arith.extui %byte : i8 to i64
            %shifted = arith.shli %v, %bits : i64
            %next = arith.ori %shifted, %wide : i64
            scf.yield %next : i64
          }
          %above = arith.shli %w, %half : i64
          %both = arith.ori %above, %half_word : i64
          scf.yield %both : i64
        }
        %other_word = scf.for %h = %zero to %eight step %four iter_args(%w = %none) -> (i64) {
          %half_place = arith.addi %other_place, %h : index
          %half_word = scf.for %k = %zero to %four step %one iter_args(%v = %none) -> (i64) {
            %position = arith.addi %half_place, %k : index
            %byte = memref.load %other_data[%position] : memref<?xi8>
            %wide = arith.extui %byte : i8 to i64
            %shifted = arith.shli %v, %bits : i64
            %next = arith.ori %shifted, %wide : i64
            scf.yield %next : i64
          }
          %above = arith.shli %w, %half : i64
          %both = arith.ori %above, %half_word : i64
          scf.yield %both : i64
        }
        %rest = arith.subi %common, %at : index
        %inside = arith.minsi %rest, %eight : index
        %outside = arith.subi %eight, %inside : index
        %outside_word = arith.index_cast %outside : index to i64
        %dropped = arith.muli %outside_word, %bits : i64
        %own = arith.shrui %word, %dropped : i64
        %other_own = arith.shrui %other_word, %dropped : i64
        %at_next = arith.addi %at, %eight : index
        scf.yield %at_next, %own, %other_own : index, i64, i64
    }
    %word_first = arith.cmpi ult, %x, %y : i64
    %word_last = arith.cmpi ugt, %x, %y : i64
    %shorter = arith.cmpi slt, %length, %other_length : index
    %longer = arith.cmpi sgt, %length, %other_length : index
    %by_length_up = arith.select %longer, %greater, %equal : i8
    %by_length = arith.select %shorter, %less, %by_length_up : i8
    %not_less = arith.select %word_last, %greater, %by_length : i8
    %order = arith.select %word_first, %less, %not_less : i8
    %place_out = arith.addi %first_out, %column : index
    memref.store %order, %out[%place_out] : memref<?xi8>
    }
  }
  func.return
}

// Whether each string is the other one or, where %part is 1, begins with it or, where %at_end is 1
// besides, ends with it: 1 or 0 for each from %begin to %end. Lengths alone tell most apart.
func.func @match_strings(%data: memref<?xi8>, %starts: memref<?xindex>, %lengths: memref<?xindex>,
                         %other_data: memref<?xi8>, %other_starts: memref<?xindex>,
                         %other_lengths: memref<?xindex>, %step: index, %width: index, %part: index,
                         %at_end: index, %begin: index, %end: index, %out: memref<?xi8>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %none = arith.constant 0 : i64
  %bits = arith.constant 8 : i64
  %is_part = arith.cmpi ne, %part, %zero : index
  scf.for %row = %begin to %end step %one {
    %start = memref.load %starts[%row] : memref<?xindex>
    %length = memref.load %lengths[%row] : memref<?xindex>
    %first = arith.muli %row, %step : index
    %first_out = arith.muli %row, %width : index
    scf.for %column = %zero to %width step %one {
      %other = arith.addi %first, %column : index
      %other_start = memref.load %other_starts[%other] : memref<?xindex>
      %wanted = memref.load %other_lengths[%other] : memref<?xindex>
      %more = arith.subi %length, %wanted : index
      %is_as_long = arith.cmpi eq, %more, %zero : index
      %is_longer = arith.cmpi sgt, %more, %zero : index
      %may_be_longer = arith.andi %is_longer, %is_part : i1
      %fits = arith.ori %is_as_long, %may_be_longer : i1
      %before = arith.muli %more, %at_end : index
      %own_start = arith.addi %start, %before : index
      %compared = arith.select %fits, %wanted, %zero : index
      %at_last, %unlike = scf.while (%at = %zero, %so_far = %none) : (index, i64) -> (index, i64) {
        %left = arith.cmpi slt, %at, %compared : index
        %same = arith.cmpi eq, %so_far, %none : i64
        %go_on = arith.andi %left, %same : i1
        scf.condition(%go_on) %at, %so_far : index, i64
      } do {
      ^bb0(%at: index, %so_far: i64):
        %place = arith.addi %own_start, %at : index
        %other_place = arith.addi %other_start, %at : index
        %word = multiloop.read_word %data[%place] : memref<?xi8>
        %other_word = multiloop.read_word %other_data[%other_place] : memref<?xi8>
        %difference = arith.xori %word, %other_word : i64
        %rest = arith.subi %compared, %at : index
        %inside = arith.minsi %rest, %eight : index
        %outside = arith.subi %eight, %inside : index
        %outside_word = arith.index_cast %outside : index to i64
        %dropped = arith.muli %outside_word, %bits : i64
        %own = arith.shli %difference, %dropped : i64
        %at_next = arith.addi %at, %eight : index
        scf.yield %at_next, %own : index, i64
    }
    %alike = arith.cmpi eq, %unlike, %none : i64
    %matches = arith.andi %alike, %fits : i1
    %result = arith.extui %matches : i1 to i8
    %place_out = arith.addi %first_out, %column : index
    memref.store %result, %out[%place_out] : memref<?xi8>
    }
  }
  func.return
}

// Each string and then the other one, from %places[i] on: these follow one another, and the last of
// them is where all end. Eight bytes are written at a time, over what begins behind a string, but for
// the last strings, which end at most so many bytes before: behind them others may write.
func.func @copy_strings(%data: memref<?xi8>, %starts: memref<?xindex>, %lengths: memref<?xindex>,
                        %step: index, %other_data: memref<?xi8>, %other_starts: memref<?xindex>,
                        %other_lengths: memref<?xindex>, %other_step: index, %rows: index,
                        %out: memref<?xi8>, %places: memref<?xindex>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %end = memref.load %places[%rows] : memref<?xindex>
  %last = arith.subi %end, %eight : index
  scf.for %row = %zero to %rows step %one {
    %to = memref.load %places[%row] : memref<?xindex>
    %own = arith.muli %row, %step : index
    %start = memref.load %starts[%own] : memref<?xindex>
    %length = memref.load %lengths[%own] : memref<?xindex>
    %behind = arith.addi %to, %length : index
    %other = arith.muli %row, %other_step : index
    %other_start = memref.load %other_starts[%other] : memref<?xindex>
    %other_length = memref.load %other_lengths[%other] : memref<?xindex>
    %own_end = arith.addi %behind, %other_length : index
    %is_inside = arith.cmpi sle, %own_end, %last : index
    scf.if %is_inside {
      scf.for %at = %zero to %length step %eight {
        %from_word = arith.addi %start, %at : index
        %to_word = arith.addi %to, %at : index
        scf.for %k = %zero to %eight step %one {
          %from_byte = arith.addi %from_word, %k : index
          %to_byte = arith.addi %to_word, %k : index
          %byte = memref.load %data[%from_byte] : memref<?xi8>
          memref.store %byte, %out[%to_byte] : memref<?xi8>
        }
      }
      scf.for %at = %zero to %other_length step %eight {
        %from_word = arith.addi %other_start, %at : index
        %to_word = arith.addi %behind, %at : index
        scf.for %k = %zero to %eight step %one {
          %from_byte = arith.addi %from_word, %k : index
          %to_byte = arith.addi %to_word, %k : index
          %byte = memref.load %other_data[%from_byte] : memref<?xi8>
          memref.store %byte, %out[%to_byte] : memref<?xi8>
        }
      }
    } else {
      scf.for %at = %zero to %length step %one {
        %from_byte = arith.addi %start, %at : index
        %to_byte = arith.addi %to, %at : index
        %byte = memref.load %data[%from_byte] : memref<?xi8>
        memref.store %byte, %out[%to_byte] : memref<?xi8>
      }
      scf.for %at = %zero to %other_length step %one {
        %from_byte = arith.addi %other_start, %at : index
        %to_byte = arith.addi %behind, %at : index
        %byte = memref.load %other_data[%from_byte] : memref<?xi8>
        memref.store %byte, %out[%to_byte] : memref<?xi8>
      }
    }
  }
  func.return
}
