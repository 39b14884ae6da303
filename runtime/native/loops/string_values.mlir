// Numbers that strings spell in decimal digits, and strings that spell numbers. Each string is
// %lengths[i] bytes from %starts[i] on in %data; those from %begin to %end are looked at.

// The integers, and whether the strings spell any: a sign or none, and 1 to 18 digits.
func.func @integers_of_strings(%data: memref<?xi8>, %starts: memref<?xindex>,
                               %lengths: memref<?xindex>, %begin: index, %end: index,
                               %out: memref<?xi64>, %spelt: memref<?xi8>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %most = arith.constant 18 : index
  %none = arith.constant 0 : i64
  %ten = arith.constant 10 : i64
  %nought = arith.constant 48 : i8
  %digits = arith.constant 10 : i8
  %plus = arith.constant 43 : i8
  %minus = arith.constant 45 : i8
  %no = arith.constant false
  scf.for %row = %begin to %end step %one {
    %start = memref.load %starts[%row] : memref<?xindex>
    %length = memref.load %lengths[%row] : memref<?xindex>
    // Bytes go on behind the last string, so that there is a first one always.
    %first = memref.load %data[%start] : memref<?xi8>
    %is_plus = arith.cmpi eq, %first, %plus : i8
    %is_minus = arith.cmpi eq, %first, %minus : i8
    %is_signed = arith.ori %is_plus, %is_minus : i1
    %signs = arith.select %is_signed, %one, %zero : index
    %count = arith.subi %length, %signs : index
    %some = arith.cmpi sgt, %count, %zero : index
    %few = arith.cmpi sle, %count, %most : index
    %fits = arith.andi %some, %few : i1
    %last, %value, %is_spelt = scf.while (%k = %signs, %v = %none, %s = %fits)
        : (index, i64, i1) -> (index, i64, i1) {
      %more = arith.cmpi slt, %k, %length : index
      %on = arith.andi %more, %s : i1
      scf.condition(%on) %k, %v, %s : index, i64, i1
    } do {
    ^bb0(%k: index, %v: i64, %s: i1):
      %place = arith.addi %start, %k : index
      %byte = memref.load %data[%place] : memref<?xi8>
      %digit = arith.subi %byte, %nought : i8
      %is_digit = arith.cmpi ult, %digit, %digits : i8
      %shifted = arith.muli %v, %ten : i64
      %wide = arith.extui %digit : i8 to i64
      %v_next = arith.addi %shifted, %wide : i64
      %k_next = arith.addi %k, %one : index
      scf.yield %k_next, %v_next, %is_digit : index, i64, i1
    }
    %negative = arith.subi %none, %value : i64
    %result = arith.select %is_minus, %negative, %value : i64
    memref.store %result, %out[%row] : memref<?xi64>
    %flag = arith.extui %is_spelt : i1 to i8
    memref.store %flag, %spelt[%row] : memref<?xi8>
  }
  func.return
}

// The doubles next to what is spelt, and whether that is found by one rounding (Clinger, How to
// read floating point numbers accurately, 1990, section 3): digits that are an integer below 2^53,
// times or divided by one of the %powers of ten, 10^0 to 10^22, which doubles are.
func.func @doubles_of_strings(%data: memref<?xi8>, %starts: memref<?xindex>,
                              %lengths: memref<?xindex>, %powers: memref<?xf64>, %begin: index,
                              %end: index, %out: memref<?xf64>, %spelt: memref<?xi8>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %most = arith.constant 18 : index
  %most_of_exponent = arith.constant 4 : index
  %greatest = arith.constant 22 : index
  %ten_index = arith.constant 10 : index
  %none = arith.constant 0 : i64
  %ten = arith.constant 10 : i64
  %exact = arith.constant 9007199254740992 : i64
  %nothing = arith.constant 0.0 : f64
  %nought = arith.constant 48 : i8
  %digits = arith.constant 10 : i8
  %point = arith.constant 46 : i8
  %plus = arith.constant 43 : i8
  %minus = arith.constant 45 : i8
  %small = arith.constant 32 : i8
  %e = arith.constant 101 : i8
  %no = arith.constant false
  %yes = arith.constant true
  scf.for %row = %begin to %end step %one {
    %start = memref.load %starts[%row] : memref<?xindex>
    %length = memref.load %lengths[%row] : memref<?xindex>
    %first = memref.load %data[%start] : memref<?xi8>
    %is_plus = arith.cmpi eq, %first, %plus : i8
    %is_minus = arith.cmpi eq, %first, %minus : i8
    %is_signed = arith.ori %is_plus, %is_minus : i1
    %signs = arith.select %is_signed, %one, %zero : index
    // Digits and a point between, before or behind them: %d digits, of which %f behind the point.
    %stop, %value, %d, %f, %is_behind, %on_end = scf.while (
        %k = %signs, %v = %none, %n = %zero, %m = %zero, %behind = %no, %on = %yes)
        : (index, i64, index, index, i1, i1) -> (index, i64, index, index, i1, i1) {
      %more = arith.cmpi slt, %k, %length : index
      %few = arith.cmpi sle, %n, %most : index
      %going = arith.andi %more, %few : i1
      %go_on = arith.andi %going, %on : i1
      scf.condition(%go_on) %k, %v, %n, %m, %behind, %on : index, i64, index, index, i1, i1
    } do {
    ^bb0(%k: index, %v: i64, %n: index, %m: index, %behind: i1, %on: i1):
      %place = arith.addi %start, %k : index
      %byte = memref.load %data[%place] : memref<?xi8>
      %digit = arith.subi %byte, %nought : i8
      %is_digit = arith.cmpi ult, %digit, %digits : i8
      %is_point = arith.cmpi eq, %byte, %point : i8
      %before = arith.xori %behind, %yes : i1
      %is_first_point = arith.andi %is_point, %before : i1
      %on_next = arith.ori %is_digit, %is_first_point : i1
      %shifted = arith.muli %v, %ten : i64
      %wide = arith.extui %digit : i8 to i64
      %added = arith.addi %shifted, %wide : i64
      %v_next = arith.select %is_digit, %added, %v : i64
      %counted = arith.select %is_digit, %one, %zero : index
      %n_next = arith.addi %n, %counted : index
      %counted_behind = arith.select %behind, %counted, %zero : index
      %m_next = arith.addi %m, %counted_behind : index
      %behind_next = arith.ori %behind, %is_first_point : i1
      %step = arith.select %on_next, %one, %zero : index
      %k_next = arith.addi %k, %step : index
      scf.yield %k_next, %v_next, %n_next, %m_next, %behind_next, %on_next
        : index, i64, index, index, i1, i1
    }
    %some = arith.cmpi sgt, %d, %zero : index
    %few = arith.cmpi sle, %d, %most : index
    %has_digits = arith.andi %some, %few : i1
    // What is left is nothing, or an exponent: an e, a sign or none, and 1 to 4 digits.
    %is_end = arith.cmpi eq, %stop, %length : index
    %exponent, %ends_well = scf.if %is_end -> (index, i1) {
      scf.yield %zero, %yes : index, i1
    } else {
      %place = arith.addi %start, %stop : index
      %byte = memref.load %data[%place] : memref<?xi8>
      %letter = arith.ori %byte, %small : i8
      %is_e = arith.cmpi eq, %letter, %e : i8
      %behind_e = arith.addi %stop, %one : index
      %sign_place = arith.addi %start, %behind_e : index
      %sign = memref.load %data[%sign_place] : memref<?xi8>
      %up = arith.cmpi eq, %sign, %plus : i8
      %down = arith.cmpi eq, %sign, %minus : i8
      %has_sign = arith.ori %up, %down : i1
      %sign_size = arith.select %has_sign, %one, %zero : index
      %from = arith.addi %behind_e, %sign_size : index
      %left = arith.subi %length, %from : index
      %any = arith.cmpi sgt, %left, %zero : index
      %short = arith.cmpi sle, %left, %most_of_exponent : index
      %sized = arith.andi %any, %short : i1
      %begins = arith.andi %is_e, %sized : i1
      %last, %size, %all = scf.while (%k = %from, %x = %zero, %s = %begins)
          : (index, index, i1) -> (index, index, i1) {
        %more = arith.cmpi slt, %k, %length : index
        %on = arith.andi %more, %s : i1
        scf.condition(%on) %k, %x, %s : index, index, i1
      } do {
      ^bb0(%k: index, %x: index, %s: i1):
        %digit_place = arith.addi %start, %k : index
        %digit_byte = memref.load %data[%digit_place] : memref<?xi8>
        %digit = arith.subi %digit_byte, %nought : i8
        %is_digit = arith.cmpi ult, %digit, %digits : i8
        %shifted = arith.muli %x, %ten_index : index
        %word = arith.extui %digit : i8 to i64
        %wide = arith.index_cast %word : i64 to index
        %x_next = arith.addi %shifted, %wide : index
        %k_next = arith.addi %k, %one : index
        scf.yield %k_next, %x_next, %is_digit : index, index, i1
      }
      %lowered = arith.subi %zero, %size : index
      %signed = arith.select %down, %lowered, %size : index
      scf.yield %signed, %all : index, i1
    }
    %power = arith.subi %exponent, %f : index
    %lower = arith.subi %zero, %power : index
    %is_division = arith.cmpi slt, %power, %zero : index
    %distance = arith.select %is_division, %lower, %power : index
    %near = arith.cmpi sle, %distance, %greatest : index
    %is_exact = arith.cmpi sle, %value, %exact : i64
    %is_number = arith.andi %has_digits, %ends_well : i1
    %once = arith.andi %near, %is_exact : i1
    %is_spelt = arith.andi %is_number, %once : i1
    %number = scf.if %is_spelt -> (f64) {
      %scale = memref.load %powers[%distance] : memref<?xf64>
      %integer = arith.sitofp %value : i64 to f64
      %divided = arith.divf %integer, %scale : f64
      %multiplied = arith.mulf %integer, %scale : f64
      %size = arith.select %is_division, %divided, %multiplied : f64
      %negative = arith.negf %size : f64
      %signed = arith.select %is_minus, %negative, %size : f64
      scf.yield %signed : f64
    } else {
      scf.yield %nothing : f64
    }
    memref.store %number, %out[%row] : memref<?xf64>
    %flag = arith.extui %is_spelt : i1 to i8
    memref.store %flag, %spelt[%row] : memref<?xi8>
  }
  func.return
}

// How many bytes each integer takes in decimal digits, with a sign if it is below 0.
func.func @sizes_of_integers(%values: memref<?xi64>, %begin: index, %end: index,
                             %sizes: memref<?xindex>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %ten = arith.constant 10 : i64
  scf.for %row = %begin to %end step %one {
    %value = memref.load %values[%row] : memref<?xi64>
    %is_negative = arith.cmpi slt, %value, %none : i64
    %opposite = arith.subi %none, %value : i64
    %size = arith.select %is_negative, %opposite, %value : i64
    %sign = arith.select %is_negative, %one, %zero : index
    %first = arith.addi %sign, %one : index
    %rest, %count = scf.while (%v = %size, %n = %first) : (i64, index) -> (i64, index) {
      %more = arith.cmpi uge, %v, %ten : i64
      scf.condition(%more) %v, %n : i64, index
    } do {
    ^bb0(%v: i64, %n: index):
      %v_next = arith.divui %v, %ten : i64
      %n_next = arith.addi %n, %one : index
      scf.yield %v_next, %n_next : i64, index
    }
    memref.store %count, %sizes[%row] : memref<?xindex>
  }
  func.return
}

// Those digits, which end before %ends[i] in %data.
func.func @digits_of_integers(%values: memref<?xi64>, %ends: memref<?xindex>, %begin: index,
                              %end: index, %data: memref<?xi8>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %ten = arith.constant 10 : i64
  %nought = arith.constant 48 : i64
  %minus = arith.constant 45 : i8
  scf.for %row = %begin to %end step %one {
    %value = memref.load %values[%row] : memref<?xi64>
    %behind = memref.load %ends[%row] : memref<?xindex>
    %is_negative = arith.cmpi slt, %value, %none : i64
    %opposite = arith.subi %none, %value : i64
    %size = arith.select %is_negative, %opposite, %value : i64
    %last = arith.subi %behind, %one : index
    %rest, %place = scf.while (%v = %size, %at = %last) : (i64, index) -> (i64, index) {
      %above = arith.divui %v, %ten : i64
      %whole = arith.muli %above, %ten : i64
      %digit = arith.subi %v, %whole : i64
      %code = arith.addi %digit, %nought : i64
      %byte = arith.trunci %code : i64 to i8
      memref.store %byte, %data[%at] : memref<?xi8>
      %at_next = arith.subi %at, %one : index
      %more = arith.cmpi ugt, %above, %none : i64
      scf.condition(%more) %above, %at_next : i64, index
    } do {
    ^bb0(%v: i64, %at: index):
      scf.yield %v, %at : i64, index
    }
    scf.if %is_negative {
      memref.store %minus, %data[%place] : memref<?xi8>
    }
  }
  func.return
}
