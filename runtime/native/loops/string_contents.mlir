// What is in strings: each is %lengths[i] bytes from %starts[i] on in %data, which goes on for 16
// bytes behind the last one.

// Where the string of the other side first is in each string; -1 where it is not. Each string has
// %width of these, from the row times %step on: one of its own, one for all, or all of them.
func.func @find_in_strings(%data: memref<?xi8>, %starts: memref<?xindex>,
                           %lengths: memref<?xindex>, %other_data: memref<?xi8>,
                           %other_starts: memref<?xindex>, %other_lengths: memref<?xindex>,
                           %step: index, %rows: index, %width: index,
                           %out: memref<?xindex>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %nowhere = arith.constant -1 : index
  %none = arith.constant 0 : i64
  %bits = arith.constant 8 : i64
  %found = arith.constant true
  %missing = arith.constant false
  scf.for %row = %zero to %rows step %one {
    %start = memref.load %starts[%row] : memref<?xindex>
    %length = memref.load %lengths[%row] : memref<?xindex>
    %first = arith.muli %row, %step : index
    %first_out = arith.muli %row, %width : index
    scf.for %column = %zero to %width step %one {
      %other = arith.addi %first, %column : index
      %wanted = memref.load %other_starts[%other] : memref<?xindex>
      %size = memref.load %other_lengths[%other] : memref<?xindex>
      %inside = arith.minsi %size, %eight : index
      %outside = arith.subi %eight, %inside : index
      %outside_word = arith.index_cast %outside : index to i64
      %dropped = arith.muli %outside_word, %bits : i64
      %wanted_word = multiloop.read_word %other_data[%wanted] : memref<?xi8>
      %last = arith.subi %length, %size : index
      %end, %is_there = scf.while (%at = %zero, %is = %missing) : (index, i1) -> (index, i1) {
        %left = arith.cmpi sle, %at, %last : index
        %not_yet = arith.xori %is, %found : i1
        %go_on = arith.andi %left, %not_yet : i1
        scf.condition(%go_on) %at, %is : index, i1
      } do {
      ^bb0(%at: index, %is: i1):
        %place = arith.addi %start, %at : index
        %word = multiloop.read_word %data[%place] : memref<?xi8>
        %difference = arith.xori %word, %wanted_word : i64
        %own = arith.shli %difference, %dropped : i64
        %begins = arith.cmpi eq, %own, %none : i64
        %all = scf.if %begins -> (i1) {
          %same_end, %same = scf.while (%k = %eight, %s = %found) : (index, i1) -> (index, i1) {
            %more = arith.cmpi slt, %k, %size : index
            %on = arith.andi %more, %s : i1
            scf.condition(%on) %k, %s : index, i1
          } do {
          ^bb0(%k: index, %s: i1):
            %position = arith.addi %place, %k : index
            %wanted_position = arith.addi %wanted, %k : index
            %byte = memref.load %data[%position] : memref<?xi8>
            %wanted_byte = memref.load %other_data[%wanted_position] : memref<?xi8>
            %s_next = arith.cmpi eq, %byte, %wanted_byte : i8
            %k_next = arith.addi %k, %one : index
            scf.yield %k_next, %s_next : index, i1
          }
          scf.yield %same : i1
        } else {
          scf.yield %missing : i1
        }
        %at_next = arith.addi %at, %one : index
        scf.yield %at_next, %all : index, i1
    }
    %found_at = arith.addi %end, %nowhere : index
    %result = arith.select %is_there, %found_at, %nowhere : index
    %place_out = arith.addi %first_out, %column : index
    memref.store %result, %out[%place_out] : memref<?xindex>
    }
  }
  func.return
}

// The eight bytes from %offset on of each string, zeros where it has ended, as numbers that are
// ordered as the bytes are.
func.func @words_of_strings(%data: memref<?xi8>, %starts: memref<?xindex>,
                            %lengths: memref<?xindex>, %rows: index, %offset: index,
                            %out: memref<?xi64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %eight = arith.constant 8 : index
  %none = arith.constant 0 : i64
  %bits = arith.constant 8 : i64
  %half = arith.constant 32 : i64
  %sign = arith.constant -9223372036854775808 : i64
  scf.for %row = %zero to %rows step %one {
    %start = memref.load %starts[%row] : memref<?xindex>
    %length = memref.load %lengths[%row] : memref<?xindex>
    %rest = arith.subi %length, %offset : index
    %some = arith.cmpi sgt, %rest, %zero : index
    %number = scf.if %some -> (i64) {
      %place = arith.addi %start, %offset : index
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
      %inside = arith.minsi %rest, %eight : index
      %outside = arith.subi %eight, %inside : index
      %outside_word = arith.index_cast %outside : index to i64
      %dropped = arith.muli %outside_word, %bits : i64
      %own = arith.shrui %word, %dropped : i64
      %aligned = arith.shli %own, %dropped : i64
      scf.yield %aligned : i64
    } else {
      scf.yield %none : i64
    }
    %ordered = arith.xori %number, %sign : i64
    memref.store %ordered, %out[%row] : memref<?xi64>
  }
  func.return
}

// How many characters of UTF-8 each string has: bytes other than those that go on with one.
func.func @count_characters(%data: memref<?xi8>, %starts: memref<?xindex>,
                            %lengths: memref<?xindex>, %rows: index, %out: memref<?xindex>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %upper = arith.constant -64 : i8
  %going_on = arith.constant -128 : i8
  scf.for %row = %zero to %rows step %one {
    %start = memref.load %starts[%row] : memref<?xindex>
    %length = memref.load %lengths[%row] : memref<?xindex>
    %count = scf.for %at = %zero to %length step %one iter_args(%c = %zero) -> (index) {
      %place = arith.addi %start, %at : index
      %byte = memref.load %data[%place] : memref<?xi8>
      %kind = arith.andi %byte, %upper : i8
      %begins = arith.cmpi ne, %kind, %going_on : i8
      %c_more = arith.addi %c, %one : index
      %c_next = arith.select %begins, %c_more, %c : index
      scf.yield %c_next : index
    }
    memref.store %count, %out[%row] : memref<?xindex>
  }
  func.return
}

// How many parts each string from %begin to %end has between the bytes that separate them; at
// %total how many all of them have.
func.func @count_parts(%data: memref<?xi8>, %starts: memref<?xindex>, %lengths: memref<?xindex>,
                       %begin: index, %end: index, %separator: i8, %out: memref<?xindex>,
                       %total: memref<1xindex>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sum = scf.for %row = %begin to %end step %one iter_args(%so_far = %zero) -> (index) {
    %start = memref.load %starts[%row] : memref<?xindex>
    %length = memref.load %lengths[%row] : memref<?xindex>
    %count = scf.for %at = %zero to %length step %one iter_args(%c = %one) -> (index) {
      %place = arith.addi %start, %at : index
      %byte = memref.load %data[%place] : memref<?xi8>
      %ends = arith.cmpi eq, %byte, %separator : i8
      %c_more = arith.addi %c, %one : index
      %c_next = arith.select %ends, %c_more, %c : index
      scf.yield %c_next : index
    }
    memref.store %count, %out[%row] : memref<?xindex>
    %more = arith.addi %so_far, %count : index
    scf.yield %more : index
  }
  memref.store %sum, %total[%zero] : memref<1xindex>
  func.return
}

// The parts of the strings from %begin to %end, one behind the other from the place %first on,
// without a branch on what a byte is: a part is written over until it has ended.
func.func @parts_of_strings(%data: memref<?xi8>, %starts: memref<?xindex>,
                            %lengths: memref<?xindex>, %begin: index, %end: index,
                            %separator: i8, %first: index, %part_starts: memref<?xindex>,
                            %part_lengths: memref<?xindex>) {
  %one = arith.constant 1 : index
  %made_last = scf.for %row = %begin to %end step %one iter_args(%made = %first) -> (index) {
    %start = memref.load %starts[%row] : memref<?xindex>
    %length = memref.load %lengths[%row] : memref<?xindex>
    %stop = arith.addi %start, %length : index
    %last, %last_start = scf.for %place = %start to %stop step %one
        iter_args(%k = %made, %from = %start) -> (index, index) {
      %byte = memref.load %data[%place] : memref<?xi8>
      %ends = arith.cmpi eq, %byte, %separator : i8
      %size = arith.subi %place, %from : index
      memref.store %from, %part_starts[%k] : memref<?xindex>
      memref.store %size, %part_lengths[%k] : memref<?xindex>
      %behind = arith.addi %place, %one : index
      %k_more = arith.addi %k, %one : index
      %k_next = arith.select %ends, %k_more, %k : index
      %from_next = arith.select %ends, %behind, %from : index
      scf.yield %k_next, %from_next : index, index
    }
    %rest = arith.subi %stop, %last_start : index
    memref.store %last_start, %part_starts[%last] : memref<?xindex>
    memref.store %rest, %part_lengths[%last] : memref<?xindex>
    %next = arith.addi %last, %one : index
    scf.yield %next : index
  }
  func.return
}

// Each string from %begin to %end without the bytes at its ends for which %dropped is not 0.
func.func @trim_strings(%data: memref<?xi8>, %starts: memref<?xindex>, %lengths: memref<?xindex>,
                        %dropped: memref<256xi8>, %begin: index, %end: index,
                        %own_starts: memref<?xindex>, %own_lengths: memref<?xindex>) {
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i8
  scf.for %row = %begin to %end step %one {
    %start = memref.load %starts[%row] : memref<?xindex>
    %length = memref.load %lengths[%row] : memref<?xindex>
    %stop = arith.addi %start, %length : index
    %first = scf.while (%at = %start) : (index) -> (index) {
      // Behind the last string there are more bytes.
      %byte = memref.load %data[%at] : memref<?xi8>
      %wide = arith.extui %byte : i8 to i64
      %place = arith.index_cast %wide : i64 to index
      %mark = memref.load %dropped[%place] : memref<256xi8>
      %is_dropped = arith.cmpi ne, %mark, %none : i8
      %is_inside = arith.cmpi slt, %at, %stop : index
      %goes_on = arith.andi %is_dropped, %is_inside : i1
      scf.condition(%goes_on) %at : index
    } do {
    ^bb0(%at: index):
      %next = arith.addi %at, %one : index
      scf.yield %next : index
    }
    %last = scf.while (%at = %stop) : (index) -> (index) {
      %before = arith.subi %at, %one : index
      // Of nothing it is the byte behind that is looked at.
      %looked_at = arith.maxsi %before, %first : index
      %byte = memref.load %data[%looked_at] : memref<?xi8>
      %wide = arith.extui %byte : i8 to i64
      %place = arith.index_cast %wide : i64 to index
      %mark = memref.load %dropped[%place] : memref<256xi8>
      %is_dropped = arith.cmpi ne, %mark, %none : i8
      %is_inside = arith.cmpi sgt, %at, %first : index
      %goes_on = arith.andi %is_dropped, %is_inside : i1
      scf.condition(%goes_on) %at : index
    } do {
    ^bb0(%at: index):
      %before = arith.subi %at, %one : index
      scf.yield %before : index
    }
    %left = arith.subi %last, %first : index
    memref.store %first, %own_starts[%row] : memref<?xindex>
    memref.store %left, %own_lengths[%row] : memref<?xindex>
  }
  func.return
}
