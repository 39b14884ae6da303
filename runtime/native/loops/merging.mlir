// Two ascending vectors side by side: their union, or what they have in common, and where each
// element of that is in %a and in %b. Both advance past equal elements, without a branch on what
// is compared; where one vector ends the caller goes on, from the three places in %ends.

func.func @union_of(%a: memref<?xindex>, %m: index, %b: memref<?xindex>, %n: index,
                    %out: memref<?xindex>, %left: memref<?xindex>, %right: memref<?xindex>,
                    %ends: memref<3xindex>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %nowhere = arith.constant -1 : index
  %i_end, %j_end, %k_end = scf.while (%i = %zero, %j = %zero, %k = %zero)
      : (index, index, index) -> (index, index, index) {
    %more_a = arith.cmpi slt, %i, %m : index
    %more_b = arith.cmpi slt, %j, %n : index
    %more = arith.andi %more_a, %more_b : i1
    scf.condition(%more) %i, %j, %k : index, index, index
  } do {
  ^bb0(%i: index, %j: index, %k: index):
    %x = memref.load %a[%i] : memref<?xindex>
    %y = memref.load %b[%j] : memref<?xindex>
    %x_first = arith.cmpi sle, %x, %y : index
    %y_first = arith.cmpi sge, %x, %y : index
    %least = arith.select %x_first, %x, %y : index
    memref.store %least, %out[%k] : memref<?xindex>
    %from_left = arith.select %x_first, %i, %nowhere : index
    memref.store %from_left, %left[%k] : memref<?xindex>
    %from_right = arith.select %y_first, %j, %nowhere : index
    memref.store %from_right, %right[%k] : memref<?xindex>
    %i_step = arith.extui %x_first : i1 to i64
    %j_step = arith.extui %y_first : i1 to i64
    %i_by = arith.index_cast %i_step : i64 to index
    %j_by = arith.index_cast %j_step : i64 to index
    %i_next = arith.addi %i, %i_by : index
    %j_next = arith.addi %j, %j_by : index
    %k_next = arith.addi %k, %one : index
    scf.yield %i_next, %j_next, %k_next : index, index, index
  }
  memref.store %i_end, %ends[%zero] : memref<3xindex>
  memref.store %j_end, %ends[%one] : memref<3xindex>
  memref.store %k_end, %ends[%two] : memref<3xindex>
  func.return
}

func.func @meet_of(%a: memref<?xindex>, %m: index, %b: memref<?xindex>, %n: index,
                   %out: memref<?xindex>, %left: memref<?xindex>, %right: memref<?xindex>,
                   %ends: memref<3xindex>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %i_end, %j_end, %k_end = scf.while (%i = %zero, %j = %zero, %k = %zero)
      : (index, index, index) -> (index, index, index) {
    %more_a = arith.cmpi slt, %i, %m : index
    %more_b = arith.cmpi slt, %j, %n : index
    %more = arith.andi %more_a, %more_b : i1
    scf.condition(%more) %i, %j, %k : index, index, index
  } do {
  ^bb0(%i: index, %j: index, %k: index):
    %x = memref.load %a[%i] : memref<?xindex>
    %y = memref.load %b[%j] : memref<?xindex>
    %x_first = arith.cmpi sle, %x, %y : index
    %y_first = arith.cmpi sge, %x, %y : index
    // What is not equal is written over.
    memref.store %x, %out[%k] : memref<?xindex>
    memref.store %i, %left[%k] : memref<?xindex>
    memref.store %j, %right[%k] : memref<?xindex>
    %equal = arith.andi %x_first, %y_first : i1
    %i_step = arith.extui %x_first : i1 to i64
    %j_step = arith.extui %y_first : i1 to i64
    %k_step = arith.extui %equal : i1 to i64
    %i_by = arith.index_cast %i_step : i64 to index
    %j_by = arith.index_cast %j_step : i64 to index
    %k_by = arith.index_cast %k_step : i64 to index
    %i_next = arith.addi %i, %i_by : index
    %j_next = arith.addi %j, %j_by : index
    %k_next = arith.addi %k, %k_by : index
    scf.yield %i_next, %j_next, %k_next : index, index, index
  }
  memref.store %i_end, %ends[%zero] : memref<3xindex>
  memref.store %j_end, %ends[%one] : memref<3xindex>
  memref.store %k_end, %ends[%two] : memref<3xindex>
  func.return
}
