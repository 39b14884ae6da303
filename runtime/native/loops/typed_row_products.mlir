// Rows of a sparse matrix times a vector, of other numbers than floats of 64 bits: what these are
// added up in, whatever is stored. Of a complex number the parts stand side by side.

!place = i32  // or i64

func.func @float_rows_times_vector(
    %starts: memref<?x!place>, %indices: memref<?x!place>, %values: memref<?xf32>,
    %vector: memref<?xf32>, %result: memref<?xf32>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %nothing = arith.constant 0.0 : f64
  %first = sparse_storage.read_index %starts[%begin] : memref<?x!place>
  %last = scf.for %r = %begin to %end step %one iter_args(%start = %first) -> (index) {
    %next = arith.addi %r, %one : index
    %stop = sparse_storage.read_index %starts[%next] : memref<?x!place>
    %total = scf.for %e = %start to %stop step %one iter_args(%sum = %nothing) -> (f64) {
      %index = sparse_storage.read_index %indices[%e] : memref<?x!place>
      %x = memref.load %vector[%index] : memref<?xf32>
      %value = memref.load %values[%e] : memref<?xf32>
      %wide = arith.extf %x : f32 to f64
      %factor = arith.extf %value : f32 to f64
      %term = arith.mulf %factor, %wide : f64
      %more = arith.addf %sum, %term : f64
      scf.yield %more : f64
    }
    %rounded = arith.truncf %total : f64 to f32
    memref.store %rounded, %result[%r] : memref<?xf32>
    scf.yield %stop : index
  }
  func.return
}

func.func @complex64_rows_times_vector(
    %starts: memref<?x!place>, %indices: memref<?x!place>, %values: memref<?xf32>,
    %vector: memref<?xf32>, %result: memref<?xf32>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %nothing = arith.constant 0.0 : f64
  %first = sparse_storage.read_index %starts[%begin] : memref<?x!place>
  %last = scf.for %r = %begin to %end step %one iter_args(%start = %first) -> (index) {
    %next = arith.addi %r, %one : index
    %stop = sparse_storage.read_index %starts[%next] : memref<?x!place>
    %re, %im = scf.for %e = %start to %stop step %one
        iter_args(%a = %nothing, %b = %nothing) -> (f64, f64) {
      %index = sparse_storage.read_index %indices[%e] : memref<?x!place>
      %at = arith.addi %index, %index : index
      %beside = arith.addi %at, %one : index
      %entry = arith.addi %e, %e : index
      %behind = arith.addi %entry, %one : index
      %p = memref.load %vector[%at] : memref<?xf32>
      %q = memref.load %vector[%beside] : memref<?xf32>
      %u = memref.load %values[%entry] : memref<?xf32>
      %v = memref.load %values[%behind] : memref<?xf32>
      %x = arith.extf %p : f32 to f64
      %y = arith.extf %q : f32 to f64
      %c = arith.extf %u : f32 to f64
      %d = arith.extf %v : f32 to f64
      %cx = arith.mulf %c, %x : f64
      %dy = arith.mulf %d, %y : f64
      %cy = arith.mulf %c, %y : f64
      %dx = arith.mulf %d, %x : f64
      %real = arith.subf %cx, %dy : f64
      %imaginary = arith.addf %cy, %dx : f64
      %more = arith.addf %a, %real : f64
      %other = arith.addf %b, %imaginary : f64
      scf.yield %more, %other : f64, f64
    }
    %place = arith.addi %r, %r : index
    %after = arith.addi %place, %one : index
    %rounded = arith.truncf %re : f64 to f32
    %also = arith.truncf %im : f64 to f32
    memref.store %rounded, %result[%place] : memref<?xf32>
    memref.store %also, %result[%after] : memref<?xf32>
    scf.yield %stop : index
  }
  func.return
}

func.func @complex128_rows_times_vector(
    %starts: memref<?x!place>, %indices: memref<?x!place>, %values: memref<?xf64>,
    %vector: memref<?xf64>, %result: memref<?xf64>, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  %nothing = arith.constant 0.0 : f64
  %first = sparse_storage.read_index %starts[%begin] : memref<?x!place>
  %last = scf.for %r = %begin to %end step %one iter_args(%start = %first) -> (index) {
    %next = arith.addi %r, %one : index
    %stop = sparse_storage.read_index %starts[%next] : memref<?x!place>
    %re, %im = scf.for %e = %start to %stop step %one
        iter_args(%a = %nothing, %b = %nothing) -> (f64, f64) {
      %index = sparse_storage.read_index %indices[%e] : memref<?x!place>
      %at = arith.addi %index, %index : index
      %beside = arith.addi %at, %one : index
      %entry = arith.addi %e, %e : index
      %behind = arith.addi %entry, %one : index
      %x = memref.load %vector[%at] : memref<?xf64>
      %y = memref.load %vector[%beside] : memref<?xf64>
      %c = memref.load %values[%entry] : memref<?xf64>
      %d = memref.load %values[%behind] : memref<?xf64>
      %cx = arith.mulf %c, %x : f64
      %dy = arith.mulf %d, %y : f64
      %cy = arith.mulf %c, %y : f64
      %dx = arith.mulf %d, %x : f64
      %real = arith.subf %cx, %dy : f64
      %imaginary = arith.addf %cy, %dx : f64
      %more = arith.addf %a, %real : f64
      %other = arith.addf %b, %imaginary : f64
      scf.yield %more, %other : f64, f64
    }
    %place = arith.addi %r, %r : index
    %after = arith.addi %place, %one : index
    memref.store %re, %result[%place] : memref<?xf64>
    memref.store %im, %result[%after] : memref<?xf64>
    scf.yield %stop : index
  }
  func.return
}
