// What is taken of the places in each of some lists. %table has for each place the one that it
// becomes, below zero if it is left out.

// How many entries of the lists %begin to %end are left.
func.func @count_left(%starts: memref<?xi32>, %indices: memref<?xi32>, %table: memref<?xi32>,
                      %counts: memref<?xi32>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  scf.for %r = %begin to %end step %one {
    %next = arith.addi %r, %one : index
    %start = sparse_storage.read_index %starts[%r] : memref<?xi32>
    %stop = sparse_storage.read_index %starts[%next] : memref<?xi32>
    %count = scf.for %e = %start to %stop step %one iter_args(%so_far = %none) -> (i32) {
      %index = sparse_storage.read_index %indices[%e] : memref<?xi32>
      %place = memref.load %table[%index] : memref<?xi32>
      %is_left = arith.cmpi sge, %place, %none : i32
      %more = arith.extui %is_left : i1 to i32
      %now = arith.addi %so_far, %more : i32
      scf.yield %now : i32
    }
    memref.store %count, %counts[%r] : memref<?xi32>
  }
  func.return
}

// Their places and numbers, those of a list from %made on: in their order, or with %step -1 in the
// opposite one.
func.func @take_left(%starts: memref<?xi32>, %indices: memref<?xi32>, %table: memref<?xi32>,
                     %made: memref<?xi32>, %places: memref<?xi32>, %entries: memref<?xi32>,
                     %step: index, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %is_forward = arith.cmpi sgt, %step, %zero : index
  scf.for %r = %begin to %end step %one {
    %next = arith.addi %r, %one : index
    %start = sparse_storage.read_index %starts[%r] : memref<?xi32>
    %stop = sparse_storage.read_index %starts[%next] : memref<?xi32>
    %last = arith.subi %stop, %one : index
    %first = arith.select %is_forward, %start, %last : index
    %length = arith.subi %stop, %start : index
    %from = sparse_storage.read_index %made[%r] : memref<?xi32>
    %behind_all = scf.for %k = %zero to %length step %one iter_args(%at = %from) -> (index) {
      %distance = arith.muli %k, %step : index
      %e = arith.addi %first, %distance : index
      %index = sparse_storage.read_index %indices[%e] : memref<?xi32>
      %place = memref.load %table[%index] : memref<?xi32>
      %is_left = arith.cmpi sge, %place, %none : i32
      %after = scf.if %is_left -> (index) {
        memref.store %place, %places[%at] : memref<?xi32>
        %wide = arith.index_cast %e : index to i64
        %entry = arith.trunci %wide : i64 to i32
        memref.store %entry, %entries[%at] : memref<?xi32>
        %behind = arith.addi %at, %one : index
        scf.yield %behind : index
      } else {
        scf.yield %at : index
      }
      scf.yield %after : index
    }
  }
  func.return
}

// The same of places that are taken any number of times, in any order: %order has those at which
// the result has place p from %first[p] to %first[p + 1].
func.func @count_copies(%starts: memref<?xi32>, %indices: memref<?xi32>, %first: memref<?xi32>,
                        %counts: memref<?xi32>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  scf.for %r = %begin to %end step %one {
    %next = arith.addi %r, %one : index
    %start = sparse_storage.read_index %starts[%r] : memref<?xi32>
    %stop = sparse_storage.read_index %starts[%next] : memref<?xi32>
    %count = scf.for %e = %start to %stop step %one iter_args(%so_far = %none) -> (i32) {
      %index = sparse_storage.read_index %indices[%e] : memref<?xi32>
      %behind = arith.addi %index, %one : index
      %low = memref.load %first[%index] : memref<?xi32>
      %high = memref.load %first[%behind] : memref<?xi32>
      %more = arith.subi %high, %low : i32
      %now = arith.addi %so_far, %more : i32
      scf.yield %now : i32
    }
    memref.store %count, %counts[%r] : memref<?xi32>
  }
  func.return
}

// Each goes to where it belongs among those of its list that are there: lists are short.
func.func @take_copies(%starts: memref<?xi32>, %indices: memref<?xi32>, %first: memref<?xi32>,
                       %order: memref<?xi32>, %made: memref<?xi32>, %places: memref<?xi32>,
                       %entries: memref<?xi32>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  scf.for %r = %begin to %end step %one {
    %next = arith.addi %r, %one : index
    %start = sparse_storage.read_index %starts[%r] : memref<?xi32>
    %stop = sparse_storage.read_index %starts[%next] : memref<?xi32>
    %from = sparse_storage.read_index %made[%r] : memref<?xi32>
    %filled = scf.for %e = %start to %stop step %one iter_args(%so_far = %from) -> (index) {
      %wide = arith.index_cast %e : index to i64
      %entry = arith.trunci %wide : i64 to i32
      %index = sparse_storage.read_index %indices[%e] : memref<?xi32>
      %behind = arith.addi %index, %one : index
      %low = sparse_storage.read_index %first[%index] : memref<?xi32>
      %high = sparse_storage.read_index %first[%behind] : memref<?xi32>
      %now = scf.for %k = %low to %high step %one iter_args(%at = %so_far) -> (index) {
        %place = memref.load %order[%k] : memref<?xi32>
        %found = scf.while (%p = %at) : (index) -> (index) {
          %is_inside = arith.cmpi sgt, %p, %from : index
          %before = arith.subi %p, %one : index
          %looked = arith.maxsi %before, %from : index
          %other = memref.load %places[%looked] : memref<?xi32>
          %is_greater = arith.cmpi sgt, %other, %place : i32
          %goes_on = arith.andi %is_inside, %is_greater : i1
          scf.condition(%goes_on) %p : index
        } do {
        ^bb0(%p: index):
          %before = arith.subi %p, %one : index
          %moved = memref.load %places[%before] : memref<?xi32>
          memref.store %moved, %places[%p] : memref<?xi32>
          %number = memref.load %entries[%before] : memref<?xi32>
          memref.store %number, %entries[%p] : memref<?xi32>
          scf.yield %before : index
        }
        memref.store %place, %places[%found] : memref<?xi32>
        memref.store %entry, %entries[%found] : memref<?xi32>
        %after = arith.addi %at, %one : index
        scf.yield %after : index
      }
      scf.yield %now : index
    }
  }
  func.return
}
