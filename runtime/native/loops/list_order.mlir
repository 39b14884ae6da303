// Lists of floats in order, or the first ones of each, by insertion.

!element = f64  // or f32

// The lists %begin to %end, of which %starts and %lengths say where they are. As many of each as
// there is room for between %places[l] and %places[l + 1] are put there, ascending, or descending if
// %down. NaN comes last either way, and what is equal stays in its order. Where there is room for
// more than %most, nothing is done.
func.func @order_lists(%values: memref<?x!element>, %starts: memref<?xi64>,
                       %lengths: memref<?xi64>, %places: memref<?xi64>, %out: memref<?x!element>,
                       %down: i1, %most: index, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %l = %begin to %end step %one {
    %start = sparse_storage.read_index %starts[%l] : memref<?xi64>
    %length = sparse_storage.read_index %lengths[%l] : memref<?xi64>
    %at = sparse_storage.read_index %places[%l] : memref<?xi64>
    %next = arith.addi %l, %one : index
    %stop = sparse_storage.read_index %places[%next] : memref<?xi64>
    %room = arith.subi %stop, %at : index
    %fits = arith.cmpi sle, %room, %most : index
    %some = arith.cmpi sgt, %room, %zero : index
    %here = arith.andi %fits, %some : i1
    scf.if %here {
      %count = scf.for %e = %zero to %length step %one iter_args(%held = %zero) -> (index) {
        %from = arith.addi %start, %e : index
        %x = memref.load %values[%from] : memref<?x!element>
        %x_number = arith.cmpf ord, %x, %x : !element
        %is_full = arith.cmpi eq, %held, %room : index
        %last = arith.subi %room, %one : index
        // The place behind all others, or that of the last one, if this comes before it.
        %begins = arith.select %is_full, %last, %held : index
        %behind = arith.addi %at, %begins : index
        %present = memref.load %out[%behind] : memref<?x!element>
        %present_less = arith.cmpf olt, %x, %present : !element
        %present_more = arith.cmpf ogt, %x, %present : !element
        %present_first = arith.select %down, %present_more, %present_less : i1
        %present_nan = arith.cmpf uno, %present, %present : !element
        %before_nan = arith.andi %present_nan, %x_number : i1
        %before = arith.ori %present_first, %before_nan : i1
        %true = arith.constant true
        %is_open = arith.xori %is_full, %true : i1
        %enters = arith.ori %is_open, %before : i1
        %after = scf.if %enters -> (index) {
          %place = scf.while (%k = %begins) : (index) -> (index) {
            %is_inner = arith.cmpi sgt, %k, %zero : index
            %inner = arith.subi %k, %one : index
            %left = arith.maxsi %inner, %zero : index
            %left_at = arith.addi %at, %left : index
            %y = memref.load %out[%left_at] : memref<?x!element>
            %less = arith.cmpf olt, %x, %y : !element
            %more = arith.cmpf ogt, %x, %y : !element
            %first = arith.select %down, %more, %less : i1
            %y_nan = arith.cmpf uno, %y, %y : !element
            %past_nan = arith.andi %y_nan, %x_number : i1
            %precedes = arith.ori %first, %past_nan : i1
            %moves = arith.andi %is_inner, %precedes : i1
            scf.condition(%moves) %k : index
          } do {
          ^bb0(%k: index):
            %inner = arith.subi %k, %one : index
            %left_at = arith.addi %at, %inner : index
            %y = memref.load %out[%left_at] : memref<?x!element>
            %to = arith.addi %at, %k : index
            memref.store %y, %out[%to] : memref<?x!element>
            scf.yield %inner : index
          }
          %to = arith.addi %at, %place : index
          memref.store %x, %out[%to] : memref<?x!element>
          %more_held = arith.addi %held, %one : index
          %now = arith.minsi %more_held, %room : index
          scf.yield %now : index
        } else {
          scf.yield %held : index
        }
        scf.yield %after : index
      }
    }
  }
  func.return
}
