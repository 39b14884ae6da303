// Strings as numbers: each is %lengths[i] bytes from %starts[i] on in %data, which goes on for 16
// bytes behind the last one, since they are read as words of eight.
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

func.func @code_strings(%data: memref<?xi8>, %starts: memref<?xindex>, %lengths: memref<?xindex>,
                        %rows: index, %slots: memref<?xi64>, %mask: i64, %found: memref<?xi64>,
                        %hashes: memref<?xi64>, %room: index, %codes: memref<?xi32>,
                        %counts: memref<2xindex>, %found_data: memref<?xi8>, %closed: index) {
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
      %start = memref.load %starts[%row] : memref<?xindex>
      %length = memref.load %lengths[%row] : memref<?xindex>
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
        %start = memref.load %starts[%row] : memref<?xindex>
        %length = memref.load %lengths[%row] : memref<?xindex>
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
      %start = memref.load %starts[%row] : memref<?xindex>
      %length = memref.load %lengths[%row] : memref<?xindex>
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
        %other = scf.if %used -> (i1) {
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
        scf.condition(%other) %slot, %content : i64, i64
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

// Fills empty slots, more than there are strings, with the numbers from 0 to before %count.
func.func @fill_string_slots(%hashes: memref<?xi64>, %count: index, %slots: memref<?xi64>,
                             %mask: i64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %step = arith.constant 1 : i64
  %empty = arith.constant -1 : i64
  %half = arith.constant 32 : i64
  %size = arith.addi %mask, %step : i64
  scf.for %number = %zero to %count step %one {
    %mixed = memref.load %hashes[%number] : memref<?xi64>
    %tag = arith.shrui %mixed, %half : i64
    %slot_above = arith.muli %tag, %size : i64
    %first_slot = arith.shrui %slot_above, %half : i64
    %slot_found = scf.while (%slot = %first_slot) : (i64) -> (i64) {
      %slot_place = arith.index_cast %slot : i64 to index
      %content = memref.load %slots[%slot_place] : memref<?xi64>
      %used = arith.cmpi ne, %content, %empty : i64
      scf.condition(%used) %slot : i64
    } do {
    ^bb0(%slot: i64):
      %next_slot = arith.addi %slot, %step : i64
      %wrapped = arith.andi %next_slot, %mask : i64
      scf.yield %wrapped : i64
    }
    %slot_place = arith.index_cast %slot_found : i64 to index
    %number_word = arith.index_cast %number : index to i64
    %tag_above = arith.shli %tag, %half : i64
    %content = arith.ori %tag_above, %number_word : i64
    memref.store %content, %slots[%slot_place] : memref<?xi64>
  }
  func.return
}

// In which of %parts, 256 at most, each string from %begin to %end is, by a hash of its length and
// of its first and last eight bytes, and how many more there are in each.
func.func @hash_strings(%data: memref<?xi8>, %starts: memref<?xindex>, %lengths: memref<?xindex>,
                        %begin: index, %end: index, %parts: i64, %part_of: memref<?xi8>,
                        %counts: memref<?xindex>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %none = arith.constant 0 : i64
  %bits = arith.constant 8 : i64
  %half = arith.constant 32 : i64
  %factor = arith.constant -7046029254386353131 : i64
  scf.for %row = %begin to %end step %one {
    %start = memref.load %starts[%row] : memref<?xindex>
    %length = memref.load %lengths[%row] : memref<?xindex>
    %inside = arith.minsi %length, %eight : index
    %behind = arith.subi %length, %inside : index
    %last_start = arith.addi %start, %behind : index
    %first = multiloop.read_word %data[%start] : memref<?xi8>
    %last = multiloop.read_word %data[%last_start] : memref<?xi8>
    %outside = arith.subi %eight, %inside : index
    %outside_word = arith.index_cast %outside : index to i64
    %dropped = arith.muli %outside_word, %bits : i64
    %own_first = arith.shli %first, %dropped : i64
    %own_last = arith.shli %last, %dropped : i64
    // Nothing of an empty string is its own, and a word is not shifted by all its bits.
    %is_some = arith.cmpi ne, %length, %zero : index
    %some_first = arith.select %is_some, %own_first, %none : i64
    %some_last = arith.select %is_some, %own_last, %none : i64
    %length_word = arith.index_cast %length : index to i64
    %together = arith.xori %some_first, %length_word : i64
    %product = arith.muli %together, %factor : i64
    %upper = arith.shrui %product, %half : i64
    %spread = arith.xori %product, %upper : i64
    %both = arith.xori %spread, %some_last : i64
    %again = arith.muli %both, %factor : i64
    %tag = arith.shrui %again, %half : i64
    %tag_of_parts = arith.muli %tag, %parts : i64
    %part = arith.shrui %tag_of_parts, %half : i64
    %part_place = arith.index_cast %part : i64 to index
    %byte_of_part = arith.trunci %part : i64 to i8
    memref.store %byte_of_part, %part_of[%row] : memref<?xi8>
    %count = memref.load %counts[%part_place] : memref<?xindex>
    %more = arith.addi %count, %one : index
    memref.store %more, %counts[%part_place] : memref<?xindex>
  }
  func.return
}

// Lays the strings from %begin to %end part by part: each goes to the next of its part's %places.
// Where %is_short is 1 none has more than 16 bytes, which are copied, so that what is done part by
// part finds them one behind the other.
func.func @part_strings(%data: memref<?xi8>, %starts: memref<?xindex>, %lengths: memref<?xindex>,
                        %begin: index, %end: index, %part_of: memref<?xi8>,
                        %places: memref<?xindex>, %is_short: index, %copies: memref<?xi8>,
                        %own_starts: memref<?xindex>, %own_lengths: memref<?xindex>,
                        %rows: memref<?xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sixteen = arith.constant 16 : index
  %are_copied = arith.cmpi ne, %is_short, %zero : index
  scf.for %row = %begin to %end step %one {
    %start = memref.load %starts[%row] : memref<?xindex>
    %length = memref.load %lengths[%row] : memref<?xindex>
    %byte = memref.load %part_of[%row] : memref<?xi8>
    %part_word = arith.extui %byte : i8 to i64
    %part = arith.index_cast %part_word : i64 to index
    %place = memref.load %places[%part] : memref<?xindex>
    %behind = arith.addi %place, %one : index
    memref.store %behind, %places[%part] : memref<?xindex>
    %copy = arith.muli %place, %sixteen : index
    scf.if %are_copied {
      scf.for %k = %zero to %sixteen step %one {
        %from = arith.addi %start, %k : index
        %to = arith.addi %copy, %k : index
        %character = memref.load %data[%from] : memref<?xi8>
        memref.store %character, %copies[%to] : memref<?xi8>
      }
    }
    %own_start = arith.select %are_copied, %copy, %start : index
    memref.store %own_start, %own_starts[%place] : memref<?xindex>
    memref.store %length, %own_lengths[%place] : memref<?xindex>
    %number = arith.index_cast %row : index to i32
    memref.store %number, %rows[%place] : memref<?xi32>
  }
  func.return
}

// Gives each of %rows, from %begin to %end, its number behind %first; -1 stays.
func.func @spread_codes(%numbers: memref<?xi32>, %rows: memref<?xi32>, %begin: index, %end: index,
                        %first: i32, %codes: memref<?xi32>) {
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  scf.for %k = %begin to %end step %one {
    %number = memref.load %numbers[%k] : memref<?xi32>
    %row = memref.load %rows[%k] : memref<?xi32>
    %place = arith.index_cast %row : i32 to index
    %own = arith.addi %number, %first : i32
    %is_none = arith.cmpi slt, %number, %none : i32
    %code = arith.select %is_none, %number, %own : i32
    memref.store %code, %codes[%place] : memref<?xi32>
  }
  func.return
}

// Numbers codes anew in the order in which they first come: %ranks, which are -1 before, has the
// number of each code, %order the code of each number.
func.func @rank_codes(%codes: memref<?xi32>, %rows: index, %ranks: memref<?xi32>,
                      %order: memref<?xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %known = scf.for %row = %zero to %rows step %one iter_args(%so_far = %zero) -> (index) {
    %code = memref.load %codes[%row] : memref<?xi32>
    %place = arith.index_cast %code : i32 to index
    %rank = memref.load %ranks[%place] : memref<?xi32>
    %is_new = arith.cmpi slt, %rank, %none : i32
    %own, %behind = scf.if %is_new -> (i32, index) {
      %next = arith.index_cast %so_far : index to i32
      memref.store %next, %ranks[%place] : memref<?xi32>
      memref.store %code, %order[%so_far] : memref<?xi32>
      %more = arith.addi %so_far, %one : index
      scf.yield %next, %more : i32, index
    } else {
      scf.yield %rank, %so_far : i32, index
    }
    memref.store %own, %codes[%row] : memref<?xi32>
    scf.yield %behind : index
  }
  func.return
}
