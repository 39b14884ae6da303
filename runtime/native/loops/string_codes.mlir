// What is done with strings that are numbered (string_numbers.mlir): each is %lengths[i] bytes from
// %starts[i] on in %data, which goes on for 16 bytes behind the last one, since they are read as words
// of eight.

// Empties all slots, which are more than there are strings, and fills some with the numbers from 0 to
// before %count, where strings with these hashes are looked for.
func.func @fill_string_slots(%hashes: memref<?xi64>, %count: index, %slots: memref<?xi64>,
                             %mask: i64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %step = arith.constant 1 : i64
  %empty = arith.constant -1 : i64
  %half = arith.constant 32 : i64
  %size = arith.addi %mask, %step : i64
  %slot_count = arith.index_cast %size : i64 to index
  scf.for %slot = %zero to %slot_count step %one {
    memref.store %empty, %slots[%slot] : memref<?xi64>
  }
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
