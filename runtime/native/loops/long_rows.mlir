// Long rows of a sparse matrix times a vector: what bounds them is that an addition waits for the
// last. The sum of a row has four parts, which are added to side by side, and then come the entries
// that are left over. Elements of the vector are loaded one by one: the gathering instructions of
// processors are as slow as that, or much slower.

!place = i32  // or i64

// Rows %begin to %end; %starts says where each row begins among the entries.
func.func @long_rows_times_vector(
    %starts: memref<?x!place>, %indices: memref<?x!place>, %values: memref<?xf64>,
    %vector: memref<?xf64>, %result: memref<?xf64>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %four = arith.constant 4 : index
  %nothing = arith.constant dense<0.0> : vector<4xf64>
  %first = sparse_storage.read_index %starts[%begin] : memref<?x!place>
  %last = scf.for %r = %begin to %end step %one iter_args(%start = %first) -> (index) {
    %next = arith.addi %r, %one : index
    %stop = sparse_storage.read_index %starts[%next] : memref<?x!place>
    %length = arith.subi %stop, %start : index
    %lone = arith.andi %length, %three : index
    %whole = arith.subi %stop, %lone : index
    %parts = scf.for %e = %start to %whole step %four iter_args(%so_far = %nothing)
        -> (vector<4xf64>) {
      %e1 = arith.addi %e, %one : index
      %e2 = arith.addi %e, %two : index
      %e3 = arith.addi %e, %three : index
      %i0 = sparse_storage.read_index %indices[%e] : memref<?x!place>
      %i1 = sparse_storage.read_index %indices[%e1] : memref<?x!place>
      %i2 = sparse_storage.read_index %indices[%e2] : memref<?x!place>
      %i3 = sparse_storage.read_index %indices[%e3] : memref<?x!place>
      %x0 = memref.load %vector[%i0] : memref<?xf64>
      %x1 = memref.load %vector[%i1] : memref<?xf64>
      %x2 = memref.load %vector[%i2] : memref<?xf64>
      %x3 = memref.load %vector[%i3] : memref<?xf64>
      %v0 = vector.insert %x0, %nothing[0] : f64 into vector<4xf64>
      %v1 = vector.insert %x1, %v0[1] : f64 into vector<4xf64>
      %v2 = vector.insert %x2, %v1[2] : f64 into vector<4xf64>
      %x = vector.insert %x3, %v2[3] : f64 into vector<4xf64>
      %value = vector.load %values[%e] : memref<?xf64>, vector<4xf64>
      %terms = arith.mulf %value, %x fastmath<contract> : vector<4xf64>
      %more = arith.addf %so_far, %terms fastmath<contract> : vector<4xf64>
      scf.yield %more : vector<4xf64>
    }
    %low = vector.shuffle %parts, %parts [0, 1] : vector<4xf64>, vector<4xf64>
    %high = vector.shuffle %parts, %parts [2, 3] : vector<4xf64>, vector<4xf64>
    %pair = arith.addf %low, %high : vector<2xf64>
    %groups = vector.reduction <add>, %pair : vector<2xf64> into f64
    %total = scf.for %e = %whole to %stop step %one iter_args(%sum = %groups) -> (f64) {
      %index = sparse_storage.read_index %indices[%e] : memref<?x!place>
      %x = memref.load %vector[%index] : memref<?xf64>
      %value = memref.load %values[%e] : memref<?xf64>
      %term = arith.mulf %value, %x fastmath<contract> : f64
      %more = arith.addf %sum, %term fastmath<contract> : f64
      scf.yield %more : f64
    }
    memref.store %total, %result[%r] : memref<?xf64>
    scf.yield %stop : index
  }
  func.return
}
