// The value at a place in the order of the values of a group, without sorting these.

// The values %begin to %end, by their groups: each goes to the next place of its group.
func.func @place_values(%codes: memref<?xi64>, %next: memref<?xi64>, %values: memref<?xf64>,
                        %out: memref<?xf64>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  scf.for %k = %begin to %end step %one {
    %code = sparse_storage.read_index %codes[%k] : memref<?xi64>
    %x = memref.load %values[%k] : memref<?xf64>
    %place = sparse_storage.read_index %next[%code] : memref<?xi64>
    memref.store %x, %out[%place] : memref<?xf64>
    %following = arith.addi %place, %one : index
    %wide = arith.index_cast %following : index to i64
    memref.store %wide, %next[%code] : memref<?xi64>
  }
  func.return
}

// The value at %places[g] in order, and the next one, for the groups %begin to %end; both are NaN if
// one of the values is. Group g has the values at %starts[g] to %starts[g + 1]. There is room for as
// many values %room elements further, and what is there and here is overwritten.
//
// This is quickselect (Hoare, Algorithm 65: find, 1961) without a branch on what is compared: what
// is less than one of the values is written from the front, the rest from the back. Where nothing is
// less, what is equal is told from the rest instead.
func.func @select_in_groups(%starts: memref<?xi64>, %places: memref<?xi64>, %values: memref<?xf64>,
                            %room: index, %lows: memref<?xf64>, %highs: memref<?xf64>,
                            %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %few = arith.constant 24 : index
  %no = arith.constant false
  %yes = arith.constant true
  %seed_first = arith.constant 88172645463325252 : i64
  %factor = arith.constant 6364136223846793005 : i64
  %summand = arith.constant 1442695040888963407 : i64
  %shift = arith.constant 33 : i64
  %none = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %nan = arith.constant 0x7FF8000000000000 : f64
  %infinity = arith.constant 0x7FF0000000000000 : f64
  scf.for %g = %begin to %end step %one {
    %after = arith.addi %g, %one : index
    %first = sparse_storage.read_index %starts[%g] : memref<?xi64>
    %stop = sparse_storage.read_index %starts[%after] : memref<?xi64>
    %wanted = sparse_storage.read_index %places[%g] : memref<?xi64>
    %length = arith.subi %stop, %first : index
    %beside = arith.addi %first, %room : index
    %nans = scf.for %k = %first to %stop step %one iter_args(%sum = %none) -> (i64) {
      %x = memref.load %values[%k] : memref<?xf64>
      %is_nan = arith.cmpf uno, %x, %x : f64
      %step = arith.extui %is_nan : i1 to i64
      %next = arith.addi %sum, %step : i64
      scf.yield %next : i64
    }
    memref.store %nan, %lows[%g] : memref<?xf64>
    memref.store %nan, %highs[%g] : memref<?xf64>
    %ordered = arith.cmpi eq, %nans, %none : i64
    scf.if %ordered {
      // Of the %n values from %lo on, the one at place %k is looked for; %other has room for them.
      // What was left out above them is %upper or more. %equal: what is equal to %pivot is next.
      %lo, %n, %k, %other, %upper, %equal, %pivot, %seed, %found = scf.while (
          %lo_0 = %first, %n_0 = %length, %k_0 = %wanted, %other_0 = %beside,
          %upper_0 = %infinity, %equal_0 = %no, %pivot_0 = %nan, %seed_0 = %seed_first,
          %found_0 = %no) : (index, index, index, index, f64, i1, f64, i64, i1)
          -> (index, index, index, index, f64, i1, f64, i64, i1) {
        %many = arith.cmpi sgt, %n_0, %few : index
        %sought = arith.xori %found_0, %yes : i1
        %more = arith.andi %many, %sought : i1
        scf.condition(%more) %lo_0, %n_0, %k_0, %other_0, %upper_0, %equal_0, %pivot_0, %seed_0,
            %found_0 : index, index, index, index, f64, i1, f64, i64, i1
      } do {
      ^bb0(%lo_1: index, %n_1: index, %k_1: index, %other_1: index, %upper_1: f64, %equal_1: i1,
           %pivot_1: f64, %seed_1: i64, %found_1: i1):
        %n_wide = arith.index_cast %n_1 : index to i64
        %a_product = arith.muli %seed_1, %factor : i64
        %a_seed = arith.addi %a_product, %summand : i64
        %a_bits = arith.shrui %a_seed, %shift : i64
        %a_rest = arith.remui %a_bits, %n_wide : i64
        %a_place = arith.index_cast %a_rest : i64 to index
        %a_at = arith.addi %lo_1, %a_place : index
        %a = memref.load %values[%a_at] : memref<?xf64>
        %b_product = arith.muli %a_seed, %factor : i64
        %b_seed = arith.addi %b_product, %summand : i64
        %b_bits = arith.shrui %b_seed, %shift : i64
        %b_rest = arith.remui %b_bits, %n_wide : i64
        %b_place = arith.index_cast %b_rest : i64 to index
        %b_at = arith.addi %lo_1, %b_place : index
        %b = memref.load %values[%b_at] : memref<?xf64>
        %c_product = arith.muli %b_seed, %factor : i64
        %c_seed = arith.addi %c_product, %summand : i64
        %c_bits = arith.shrui %c_seed, %shift : i64
        %c_rest = arith.remui %c_bits, %n_wide : i64
        %c_place = arith.index_cast %c_rest : i64 to index
        %c_at = arith.addi %lo_1, %c_place : index
        %c = memref.load %values[%c_at] : memref<?xf64>
        %a_less = arith.cmpf olt, %a, %b : f64
        %ab_least = arith.select %a_less, %a, %b : f64
        %ab_most = arith.select %a_less, %b, %a : f64
        %c_less = arith.cmpf olt, %c, %ab_most : f64
        %c_or_most = arith.select %c_less, %c, %ab_most : f64
        %above = arith.cmpf ogt, %c_or_most, %ab_least : f64
        %middle = arith.select %above, %c_or_most, %ab_least : f64
        %p = arith.select %equal_1, %pivot_1, %middle : f64
        %stop_1 = arith.addi %lo_1, %n_1 : index
        %other_stop = arith.addi %other_1, %n_1 : index
        %last = arith.subi %other_stop, %one : index
        %front, %rest = scf.for %i = %lo_1 to %stop_1 step %one
            iter_args(%f = %other_1, %r = %last) -> (index, index) {
          %x = memref.load %values[%i] : memref<?xf64>
          memref.store %x, %values[%f] : memref<?xf64>
          memref.store %x, %values[%r] : memref<?xf64>
          %less = arith.cmpf olt, %x, %p : f64
          %same = arith.cmpf oeq, %x, %p : f64
          %too = arith.andi %same, %equal_1 : i1
          %goes = arith.ori %less, %too : i1
          %wide = arith.extui %goes : i1 to i64
          %by = arith.index_cast %wide : i64 to index
          %f_next = arith.addi %f, %by : index
          %against = arith.subi %wide, %unit : i64
          %down = arith.index_cast %against : i64 to index
          %r_next = arith.addi %r, %down : index
          scf.yield %f_next, %r_next : index, index
        }
        %count = arith.subi %front, %other_1 : index
        %others = arith.subi %n_1, %count : index
        %to_front = arith.cmpi slt, %k_1, %count : index
        %empty = arith.cmpi eq, %count, %zero : index
        %found_2 = arith.andi %to_front, %equal_1 : i1
        %distinct = arith.xori %equal_1, %yes : i1
        %left = arith.andi %to_front, %distinct : i1
        // Found: the values that are greater remain, among them the next one, unless that is equal.
        %k_after = arith.subi %k_1, %count : index
        %k_kept = arith.select %left, %k_1, %k_after : index
        %n_rest = arith.select %left, %count, %others : index
        %lo_rest = arith.select %left, %other_1, %front : index
        %upper_2 = arith.select %left, %p, %upper_1 : f64
        // Nothing is less: what is there stays where it is.
        %lo_2 = arith.select %empty, %lo_1, %lo_rest : index
        %n_2 = arith.select %empty, %n_1, %n_rest : index
        %other_2 = arith.select %empty, %other_1, %lo_1 : index
        scf.yield %lo_2, %n_2, %k_kept, %other_2, %upper_2, %empty, %p, %c_seed, %found_2
            : index, index, index, index, f64, i1, f64, i64, i1
      }
      memref.store %upper, %highs[%g] : memref<?xf64>
      %stop_2 = arith.addi %lo, %n : index
      scf.if %found {
        memref.store %pivot, %lows[%g] : memref<?xf64>
        // %k is by how much the place lies before those that are greater, so -1 is next to them.
        %k_next = arith.addi %k, %one : index
        %again = arith.cmpi slt, %k_next, %zero : index
        scf.if %again {
          memref.store %pivot, %highs[%g] : memref<?xf64>
        } else {
          %least = scf.for %i = %lo to %stop_2 step %one iter_args(%held = %upper) -> (f64) {
            %x = memref.load %values[%i] : memref<?xf64>
            %less = arith.cmpf olt, %x, %held : f64
            %next = arith.select %less, %x, %held : f64
            scf.yield %next : f64
          }
          memref.store %least, %highs[%g] : memref<?xf64>
        }
      } else {
        %k_wide = arith.index_cast %k : index to i64
        %k_next = arith.addi %k_wide, %unit : i64
        scf.for %i = %lo to %stop_2 step %one {
          %x = memref.load %values[%i] : memref<?xf64>
          %before = scf.for %j = %lo to %stop_2 step %one iter_args(%sum = %none) -> (i64) {
            %y = memref.load %values[%j] : memref<?xf64>
            %less = arith.cmpf olt, %y, %x : f64
            %same = arith.cmpf oeq, %y, %x : f64
            %earlier = arith.cmpi slt, %j, %i : index
            %first_of_same = arith.andi %same, %earlier : i1
            %comes = arith.ori %less, %first_of_same : i1
            %step = arith.extui %comes : i1 to i64
            %next = arith.addi %sum, %step : i64
            scf.yield %next : i64
          }
          %is_low = arith.cmpi eq, %before, %k_wide : i64
          scf.if %is_low {
            memref.store %x, %lows[%g] : memref<?xf64>
          }
          %is_high = arith.cmpi eq, %before, %k_next : i64
          scf.if %is_high {
            memref.store %x, %highs[%g] : memref<?xf64>
          }
        }
      }
    }
  }
  func.return
}
