// Where strings lie, by places of any width.

!place = i32  // or i64

// Arrow's strings, of which each ends where the next one begins: for each from %begin to %end where
// it begins behind the place %first, and how long it is.
func.func @spans_of_ends(%ends: memref<?x!place>, %first: index, %begin: index, %end: index,
                         %starts: memref<?xindex>, %lengths: memref<?xindex>) {
  %one = arith.constant 1 : index
  scf.for %row = %begin to %end step %one {
    %next = arith.addi %row, %one : index
    %start = sparse_storage.read_index %ends[%row] : memref<?x!place>
    %stop = sparse_storage.read_index %ends[%next] : memref<?x!place>
    %length = arith.subi %stop, %start : index
    %behind = arith.subi %start, %first : index
    memref.store %behind, %starts[%row] : memref<?xindex>
    memref.store %length, %lengths[%row] : memref<?xindex>
  }
  func.return
}

// The strings at %places, from %begin to %end.
func.func @take_strings(%starts: memref<?xindex>, %lengths: memref<?xindex>,
                        %places: memref<?x!place>, %begin: index, %end: index,
                        %taken_starts: memref<?xindex>, %taken_lengths: memref<?xindex>) {
  %one = arith.constant 1 : index
  scf.for %row = %begin to %end step %one {
    %at = sparse_storage.read_index %places[%row] : memref<?x!place>
    %start = memref.load %starts[%at] : memref<?xindex>
    %length = memref.load %lengths[%at] : memref<?xindex>
    memref.store %start, %taken_starts[%row] : memref<?xindex>
    memref.store %length, %taken_lengths[%row] : memref<?xindex>
  }
  func.return
}

// The strings at %places, from %begin to %end, of Arrow's as above.
func.func @take_between_ends(%ends: memref<?x!place>, %first: index, %places: memref<?xi32>,
                             %begin: index, %end: index, %taken_starts: memref<?xindex>,
                             %taken_lengths: memref<?xindex>) {
  %one = arith.constant 1 : index
  scf.for %row = %begin to %end step %one {
    %at = sparse_storage.read_index %places[%row] : memref<?xi32>
    %next = arith.addi %at, %one : index
    %start = sparse_storage.read_index %ends[%at] : memref<?x!place>
    %stop = sparse_storage.read_index %ends[%next] : memref<?x!place>
    %length = arith.subi %stop, %start : index
    %behind = arith.subi %start, %first : index
    memref.store %behind, %taken_starts[%row] : memref<?xindex>
    memref.store %length, %taken_lengths[%row] : memref<?xindex>
  }
  func.return
}
