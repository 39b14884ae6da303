// Strings as numbers, where each lies being said by words of any width.

!place = i32  // or i64

// Each begins at %starts[i] behind the place %first in %data, which goes on for 16 bytes behind the
// last one, since strings are read as words of eight. How long it is %others[i] says, or where it
// ends, as Arrow has it: all bits of %from_start are 1 then, or else 0.
//
// @code_strings gives equal strings one number, in the order in which they first come. Of the
// distinct ones, of which there are %counts[0], %found has where each begins, its length and its
// first two words, which suffice for most, and %hashes its hash. A slot holds a number below the
// upper 32 bits of the hash; it is -1 where it is empty. It stops where %room distinct strings are
// known, at row %counts[1], and can go on from there.
//
// Where a string begins to look is said by the highest bits of its hash, a product: its low bits
// depend on no higher ones of the factors, so on no last characters of a word.
// The bytes of the distinct ones are in %found_data. Where %closed is 1 there come no more of them,
// and others have -1.
//
// The words and hashes of 128 strings are found first, and what they will look at is fetched where
// the table is larger than what is next to the processor: a branch that is guessed wrong, as many
// are here, then waits for no memory.

func.func @code_strings(%data: memref<?xi8>, %starts: memref<?x!place>, %others: memref<?x!place>,
                        %first: index, %from_start: index, %rows: index, %slots: memref<?xi64>,
                        %mask: i64, %found: memref<?xi64>, %hashes: memref<?xi64>, %room: index,
                        %codes: memref<?xi32>, %counts: memref<2xindex>,
                        %found_data: memref<?xi8>, %closed: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %four = arith.constant 4 : index
  %eight = arith.constant 8 : index
  %sixteen = arith.constant 16 : index
  %most_at_once = arith.constant 128 : index
  %many = arith.constant 4096 : index
  %none = arith.constant 0 : i64
  %step = arith.constant 1 : i64
  %empty = arith.constant -1 : i64
  %all = arith.constant -1 : i64
  %bits = arith.constant 8 : i64
  %most_bits = arith.constant 63 : i64
  %half = arith.constant 32 : i64
  %low = arith.constant 4294967295 : i64
  %factor = arith.constant -7046029254386353131 : i64
  %differs = arith.constant true
  %agrees = arith.constant false
  %adds = arith.cmpi eq, %closed, %zero : index
  %known = memref.load %counts[%zero] : memref<2xindex>
  %begin = memref.load %counts[%one] : memref<2xindex>
  %words_0 = memref.alloca() : memref<128xi64>
  %words_1 = memref.alloca() : memref<128xi64>
  %mixes = memref.alloca() : memref<128xi64>
  %size = arith.addi %mask, %step : i64
  %end, %count_end = scf.while (%row_first = %begin, %count_first = %known)
      : (index, index) -> (index, index) {
    %more = arith.cmpi slt, %row_first, %rows : index
    %open = arith.cmpi slt, %count_first, %room : index
    %on = arith.andi %more, %open : i1
    scf.condition(%on) %row_first, %count_first : index, index
  } do {
  ^bb0(%row_first: index, %count_first: index):
    %left_rows = arith.subi %rows, %row_first : index
    %left_room = arith.subi %room, %count_first : index
    %left = arith.minsi %left_rows, %left_room : index
    %at_once = arith.minsi %left, %most_at_once : index
    %longest = scf.for %nth = %zero to %at_once step %one
        iter_args(%longest_so_far = %zero) -> (index) {
      %row = arith.addi %row_first, %nth : index
      %given_start = sparse_storage.read_index %starts[%row] : memref<?x!place>
      %other = sparse_storage.read_index %others[%row] : memref<?x!place>
      %start = arith.subi %given_start, %first : index
      %counted_from = arith.andi %given_start, %from_start : index
      %length = arith.subi %other, %counted_from : index
      %length_word = arith.index_cast %length : index to i64
      // The first two words, without a branch on the length. What a shift gives by a number of bits
      // that no shift takes is not used.
      %raw_0 = multiloop.read_word %data[%start] : memref<?xi8>
      %inside_0 = arith.minsi %length, %eight : index
      %outside_0 = arith.subi %eight, %inside_0 : index
      %outside_word_0 = arith.index_cast %outside_0 : index to i64
      %bits_dropped_0 = arith.muli %outside_word_0, %bits : i64
      %dropped_0 = arith.andi %bits_dropped_0, %most_bits : i64
      %kept_raw_0 = arith.shrui %all, %dropped_0 : i64
      %short = arith.andi %raw_0, %kept_raw_0 : i64
      %is_filled = arith.cmpi ne, %length, %zero : index
      %word_0 = arith.select %is_filled, %short, %none : i64
      %second = arith.addi %start, %eight : index
      %behind = arith.subi %length, %eight : index
      %is_long = arith.cmpi sgt, %behind, %zero : index
      %raw_1 = multiloop.read_word %data[%second] : memref<?xi8>
      %inside_1 = arith.minsi %behind, %eight : index
      %outside_1 = arith.subi %eight, %inside_1 : index
      %outside_word_1 = arith.index_cast %outside_1 : index to i64
      %bits_dropped_1 = arith.muli %outside_word_1, %bits : i64
      %dropped_1 = arith.andi %bits_dropped_1, %most_bits : i64
      %kept_raw_1 = arith.shrui %all, %dropped_1 : i64
      %long = arith.andi %raw_1, %kept_raw_1 : i64
      %word_1 = arith.select %is_long, %long, %none : i64
      %together_0 = arith.xori %length_word, %word_0 : i64
      %product_0 = arith.muli %together_0, %factor : i64
      %upper_0 = arith.shrui %product_0, %half : i64
      %mixed_0 = arith.xori %product_0, %upper_0 : i64
      %together_1 = arith.xori %mixed_0, %word_1 : i64
      %product_1 = arith.muli %together_1, %factor : i64
      memref.store %word_0, %words_0[%nth] : memref<128xi64>
      memref.store %word_1, %words_1[%nth] : memref<128xi64>
      memref.store %product_1, %mixes[%nth] : memref<128xi64>
      %longer = arith.maxsi %longest_so_far, %length : index
      scf.yield %longer : index
    }
    // Most strings have no more words, and without a loop over them several are taken at once.
    %has_long = arith.cmpi sgt, %longest, %sixteen : index
    scf.if %has_long {
      scf.for %nth = %zero to %at_once step %one {
        %row = arith.addi %row_first, %nth : index
        %given_start = sparse_storage.read_index %starts[%row] : memref<?x!place>
        %other = sparse_storage.read_index %others[%row] : memref<?x!place>
        %start = arith.subi %given_start, %first : index
        %counted_from = arith.andi %given_start, %from_start : index
        %length = arith.subi %other, %counted_from : index
        %product_1 = memref.load %mixes[%nth] : memref<128xi64>
        %upper_1 = arith.shrui %product_1, %half : i64
        %mixed_1 = arith.xori %product_1, %upper_1 : i64
        %mixed = scf.for %at = %sixteen to %length step %eight iter_args(%h = %mixed_1) -> (i64) {
          %place = arith.addi %start, %at : index
          %word = multiloop.read_word %data[%place] : memref<?xi8>
          %rest = arith.subi %length, %at : index
          %inside = arith.minsi %rest, %eight : index
          %outside = arith.subi %eight, %inside : index
          %outside_word = arith.index_cast %outside : index to i64
          %bits_dropped = arith.muli %outside_word, %bits : i64
          %dropped = arith.andi %bits_dropped, %most_bits : i64
          %kept_word = arith.shrui %all, %dropped : i64
          %own = arith.andi %word, %kept_word : i64
          %together = arith.xori %h, %own : i64
          %product = arith.muli %together, %factor : i64
          %upper = arith.shrui %product, %half : i64
          %spread = arith.xori %product, %upper : i64
          scf.yield %spread : i64
        }
        memref.store %mixed, %mixes[%nth] : memref<128xi64>
      }
    }
    %is_large = arith.cmpi sge, %count_first, %many : index
    scf.if %is_large {
      scf.for %nth = %zero to %at_once step %one {
        %mixed = memref.load %mixes[%nth] : memref<128xi64>
        %tag = arith.shrui %mixed, %half : i64
        %slot_above = arith.muli %tag, %size : i64
        %slot = arith.shrui %slot_above, %half : i64
        %slot_place = arith.index_cast %slot : i64 to index
        multiloop.prefetch %slots[%slot_place] : memref<?xi64>
      }
      %last = arith.subi %count_first, %one : index
      scf.for %nth = %zero to %at_once step %one {
        %mixed = memref.load %mixes[%nth] : memref<128xi64>
        %tag = arith.shrui %mixed, %half : i64
        %slot_above = arith.muli %tag, %size : i64
        %slot = arith.shrui %slot_above, %half : i64
        %slot_place = arith.index_cast %slot : i64 to index
        %content = memref.load %slots[%slot_place] : memref<?xi64>
        %number = arith.andi %content, %low : i64
        %number_place = arith.index_cast %number : i64 to index
        // An empty slot has none.
        %known_place = arith.minui %number_place, %last : index
        %f_0 = arith.muli %known_place, %four : index
        multiloop.prefetch %found[%f_0] : memref<?xi64>
      }
    }
    %count_next = scf.for %nth = %zero to %at_once step %one
        iter_args(%count = %count_first) -> (index) {
      %row = arith.addi %row_first, %nth : index
      %given_start = sparse_storage.read_index %starts[%row] : memref<?x!place>
      %other = sparse_storage.read_index %others[%row] : memref<?x!place>
      %start = arith.subi %given_start, %first : index
      %counted_from = arith.andi %given_start, %from_start : index
      %length = arith.subi %other, %counted_from : index
      %length_word = arith.index_cast %length : index to i64
      %word_0 = memref.load %words_0[%nth] : memref<128xi64>
      %word_1 = memref.load %words_1[%nth] : memref<128xi64>
      %mixed = memref.load %mixes[%nth] : memref<128xi64>
      %tag = arith.shrui %mixed, %half : i64
      %slot_above = arith.muli %tag, %size : i64
      %first_slot = arith.shrui %slot_above, %half : i64
      %slot_found, %content_found = scf.while (%slot = %first_slot) : (i64) -> (i64, i64) {
        %slot_place = arith.index_cast %slot : i64 to index
        %content = memref.load %slots[%slot_place] : memref<?xi64>
        %used = arith.cmpi ne, %content, %empty : i64
        %is_other_slot = scf.if %used -> (i1) {
          %tag_there = arith.shrui %content, %half : i64
          %same_tag = arith.cmpi eq, %tag_there, %tag : i64
          %unequal = scf.if %same_tag -> (i1) {
            %number = arith.andi %content, %low : i64
            %number_place = arith.index_cast %number : i64 to index
            %f_0 = arith.muli %number_place, %four : index
            %f_1 = arith.addi %f_0, %one : index
            %f_2 = arith.addi %f_0, %two : index
            %f_3 = arith.addi %f_0, %three : index
            %length_there = memref.load %found[%f_1] : memref<?xi64>
            %word_0_there = memref.load %found[%f_2] : memref<?xi64>
            %word_1_there = memref.load %found[%f_3] : memref<?xi64>
            %unlike_length = arith.xori %length_word, %length_there : i64
            %unlike_0 = arith.xori %word_0, %word_0_there : i64
            %unlike_1 = arith.xori %word_1, %word_1_there : i64
            %unlike_01 = arith.ori %unlike_0, %unlike_1 : i64
            %unlike = arith.ori %unlike_length, %unlike_01 : i64
            %same_so_far = arith.cmpi eq, %unlike, %none : i64
            %is_other = scf.if %same_so_far -> (i1) {
              %start_word = memref.load %found[%f_0] : memref<?xi64>
              %start_there = arith.index_cast %start_word : i64 to index
              // The words behind, until one differs.
              %last_at, %last_differs = scf.while (%at = %sixteen, %d = %agrees)
                  : (index, i1) -> (index, i1) {
                %is_left = arith.cmpi slt, %at, %length : index
                %d_not = arith.xori %d, %differs : i1
                %go_on = arith.andi %is_left, %d_not : i1
                scf.condition(%go_on) %at, %d : index, i1
              } do {
              ^bb0(%at: index, %d: i1):
                %place = arith.addi %start, %at : index
                %place_there = arith.addi %start_there, %at : index
                %word = multiloop.read_word %data[%place] : memref<?xi8>
                %word_there = multiloop.read_word %found_data[%place_there] : memref<?xi8>
                %difference = arith.xori %word, %word_there : i64
                %rest = arith.subi %length, %at : index
                %inside = arith.minsi %rest, %eight : index
                %outside = arith.subi %eight, %inside : index
                %outside_word = arith.index_cast %outside : index to i64
                %bits_dropped = arith.muli %outside_word, %bits : i64
                %dropped = arith.andi %bits_dropped, %most_bits : i64
                %kept_difference = arith.shrui %all, %dropped : i64
                %own = arith.andi %difference, %kept_difference : i64
                %d_next = arith.cmpi ne, %own, %none : i64
                %at_next = arith.addi %at, %eight : index
                scf.yield %at_next, %d_next : index, i1
              }
              scf.yield %last_differs : i1
            } else {
              scf.yield %differs : i1
            }
            scf.yield %is_other : i1
          } else {
            scf.yield %differs : i1
          }
          scf.yield %unequal : i1
        } else {
          scf.yield %agrees : i1
        }
        scf.condition(%is_other_slot) %slot, %content : i64, i64
      } do {
      ^bb0(%slot: i64, %content: i64):
        %next_slot = arith.addi %slot, %step : i64
        %wrapped = arith.andi %next_slot, %mask : i64
        scf.yield %wrapped : i64
      }
      %is_unknown = arith.cmpi eq, %content_found, %empty : i64
      %is_new = arith.andi %is_unknown, %adds : i1
      %count_word = arith.index_cast %count : index to i64
      %code_word, %count_behind = scf.if %is_new -> (i64, index) {
        %slot_place = arith.index_cast %slot_found : i64 to index
        %tag_above = arith.shli %tag, %half : i64
        %content = arith.ori %tag_above, %count_word : i64
        memref.store %content, %slots[%slot_place] : memref<?xi64>
        memref.store %mixed, %hashes[%count] : memref<?xi64>
        %f_0 = arith.muli %count, %four : index
        %f_1 = arith.addi %f_0, %one : index
        %f_2 = arith.addi %f_0, %two : index
        %f_3 = arith.addi %f_0, %three : index
        %start_word = arith.index_cast %start : index to i64
        memref.store %start_word, %found[%f_0] : memref<?xi64>
        memref.store %length_word, %found[%f_1] : memref<?xi64>
        memref.store %word_0, %found[%f_2] : memref<?xi64>
        memref.store %word_1, %found[%f_3] : memref<?xi64>
        %more_strings = arith.addi %count, %one : index
        scf.yield %count_word, %more_strings : i64, index
      } else {
        // Of an empty slot that is -1, once it is cut.
        %number = arith.andi %content_found, %low : i64
        scf.yield %number, %count : i64, index
      }
      %code = arith.trunci %code_word : i64 to i32
      memref.store %code, %codes[%row] : memref<?xi32>
      scf.yield %count_behind : index
    }
    %row_next = arith.addi %row_first, %at_once : index
    scf.yield %row_next, %count_next : index, index
  }
  memref.store %count_end, %counts[%zero] : memref<2xindex>
  memref.store %end, %counts[%one] : memref<2xindex>
  func.return
}
