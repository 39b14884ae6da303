// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --remarks 2>&1 | filecheck %s

// Maps: made, updated, run over, and read at a key; and arrays read where the index may miss.

!string = !comprehension.string
!map = !comprehension.bag<keys = 1, !string, i64>
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>

// One of several rows with the same key is kept.
func.func @make(%L: !comprehension.bag<!string, i64>) -> !map {
  %r = comprehension.collect : !map {
    %w, %k = comprehension.each %L : !comprehension.bag<!string, i64>
    %n = comprehension.string_call "length" (%w) : (!string) -> i64
    comprehension.yield (%w) %n
  }
  func.return %r : !map
}
// CHECK-LABEL: func.func @make
// CHECK:         %[[R:.*]] = tensor_block.group_reduce %{{.*}} keys 1 monoids(any)
// CHECK-NEXT:    tensor_block.to_map %[[R]]

// The keys of groups are distinct already.
func.func @count(%L: !comprehension.bag<!string, i64>) -> !map {
  %r = comprehension.collect : !map {
    %w, %k = comprehension.each %L : !comprehension.bag<!string, i64>
    %g, %ks = comprehension.group_by keys(%w) values(%k) : !string, !comprehension.bag<i64>
    %n = comprehension.reduce add %ks : !comprehension.bag<i64>
    comprehension.yield (%g) %n
  }
  func.return %r : !map
}
// CHECK-LABEL: func.func @count
// CHECK:         %[[R:.*]] = tensor_block.group_reduce %L keys 1 monoids(add)
// CHECK-NEXT:    tensor_block.to_map %[[R]]

func.func @update(%M: !map, %L: !comprehension.bag<!string, i64>) -> (!map, !map) {
  %r = comprehension.merge add %M : !map {
    %w, %k = comprehension.each %L : !comprehension.bag<!string, i64>
    comprehension.yield (%w) %k
  }
  %s = comprehension.merge %M : !map {
    %w, %k = comprehension.each %L : !comprehension.bag<!string, i64>
    %n = comprehension.string_call "length" (%w) : (!string) -> i64
    comprehension.yield (%w) %n
  }
  func.return %r, %s : !map, !map
}
// CHECK-LABEL: func.func @update
// CHECK:         tensor_block.update add %M with %L
// CHECK:         tensor_block.update %M with

// A map is run over like a bag, and what is collected of it is no map.
func.func @rows(%M: !map) -> (!comprehension.bag<!string, i64>, i64) {
  %r = comprehension.collect : !comprehension.bag<!string, i64> {
    %w, %k = comprehension.each %M : !map
    comprehension.yield (%w) %k
  }
  %s = comprehension.aggregate add : i64 {
    %w, %k = comprehension.each %M : !map
    comprehension.yield %k
  }
  func.return %r, %s : !comprehension.bag<!string, i64>, i64
}
// CHECK-LABEL: func.func @rows
// CHECK:         tensor_block.project %M[0, 1]
// CHECK:         tensor_block.fold add

// A read of a map is an outer join; the marker says whether there is such a key.
func.func @read(%M: !map, %L: !comprehension.bag<!string, i64>) -> !comprehension.bag<!string, i64> {
  %r = comprehension.collect : !comprehension.bag<!string, i64> {
    %w, %k = comprehension.each %L : !comprehension.bag<!string, i64>
    %v, %found = comprehension.probe %M[%w] : !map
    comprehension.guard %found
    %s = arith.addi %v, %k : i64
    comprehension.yield (%w) %s
  }
  func.return %r : !comprehension.bag<!string, i64>
}
// CHECK-LABEL: func.func @read
// CHECK:         %[[THERE:.*]] = tensor_block.extend %M
// CHECK:         tensor_block.join %L[0], %[[THERE]][0] outer [unit, unit, unit]
// CHECK:         tensor_block.filter

// A read in a branch, whose index is only right there; rows that miss are dropped.
func.func @branch(%v: !vector, %A: !matrix, %L: !comprehension.bag<i64, i64>) -> !comprehension.bag<i64, f64> {
  %zero = arith.constant 0 : i64
  %none = arith.constant -1.0 : f64
  %true = arith.constant true
  %r = comprehension.collect : !comprehension.bag<i64, f64> {
    %k, %l = comprehension.each %L : !comprehension.bag<i64, i64>
    %some = arith.cmpi ne, %k, %zero : i64
    %x, %kept = scf.if %some -> (f64, i1) {
      %q = arith.divsi %l, %k : i64
      %i = arith.index_cast %q : i64 to index
      %a, %in = comprehension.probe %v[%i] : !vector
      %j = arith.index_cast %k : i64 to index
      %b, %inside = comprehension.probe %A[%i, %j] : !matrix
      %both = arith.andi %in, %inside : i1
      %c = arith.addf %a, %b : f64
      scf.yield %c, %both : f64, i1
    } else {
      scf.yield %none, %true : f64, i1
    }
    comprehension.guard %kept
    comprehension.yield (%k) %x
  }
  func.return %r : !comprehension.bag<i64, f64>
}
// CHECK-LABEL: func.func @branch
// CHECK:         tensor_block.number %L
// CHECK:         tensor_block.filter
// CHECK:         tensor_block.lookup %{{.*}} in %v probe
// CHECK:         tensor_block.join {{.*}} outer
// CHECK:         tensor_block.lookup %{{.*}} in %A probe

// An index that cannot fail is looked up for all rows.
func.func @cheap(%v: !vector, %L: !comprehension.bag<i64, i64>) -> f64 {
  %zero = arith.constant 0 : i64
  %none = arith.constant 0.5 : f64
  %r = comprehension.aggregate add : f64 {
    %k, %l = comprehension.each %L : !comprehension.bag<i64, i64>
    %some = arith.cmpi sgt, %k, %zero : i64
    %x = scf.if %some -> (f64) {
      %i = arith.index_cast %l : i64 to index
      %a, %in = comprehension.probe %v[%i] : !vector
      scf.yield %a : f64
    } else {
      scf.yield %none : f64
    }
    comprehension.yield %x
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @cheap
// CHECK-NOT:     tensor_block.number
// CHECK:         tensor_block.lookup %{{.*}} in %v probe

// A read that needs a read, and a join on what is read.
func.func @chain(%M: !map, %N: !comprehension.bag<keys = 1, i64, i64>, %L: !comprehension.bag<!string, i64>, %R: !comprehension.bag<i64, f64>) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %w, %k = comprehension.each %L : !comprehension.bag<!string, i64>
    %v, %found = comprehension.probe %M[%w] : !map
    comprehension.guard %found
    %u, %there = comprehension.probe %N[%v] : !comprehension.bag<keys = 1, i64, i64>
    comprehension.guard %there
    %l, %x = comprehension.each %R : !comprehension.bag<i64, f64>
    %eq = arith.cmpi eq, %l, %u : i64
    comprehension.guard %eq
    comprehension.yield %x
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @chain
// CHECK:         tensor_block.join {{.*}} outer
// CHECK:         tensor_block.filter
// CHECK:         tensor_block.join {{.*}} outer
// CHECK:         tensor_block.filter
// CHECK:         tensor_block.join %{{.*}}, %R[0]
// CHECK:         tensor_block.fold add

// An element read by index in a row drops it outside of the array, in a branch only if that is taken.
func.func @extract(%v: !vector, %L: !comprehension.bag<i64, i64>) -> !comprehension.bag<f64> {
  %zero = arith.constant 0 : i64
  %none = arith.constant 0.5 : f64
  %r = comprehension.collect : !comprehension.bag<f64> {
    %k, %l = comprehension.each %L : !comprehension.bag<i64, i64>
    %two = arith.constant 2 : index
    %kk = arith.index_cast %k : i64 to index
    %at = arith.muli %kk, %two : index
    %first = tensor.extract %v[%at] : !vector
    %some = arith.cmpi ne, %k, %zero : i64
    %x = scf.if %some -> (f64) {
      %q = arith.divsi %l, %k : i64
      %i = arith.index_cast %q : i64 to index
      %j = arith.muli %i, %two : index
      %a = tensor.extract %v[%j] : !vector
      scf.yield %a : f64
    } else {
      scf.yield %none : f64
    }
    %y = arith.addf %first, %x : f64
    comprehension.yield %y
  }
  func.return %r : !comprehension.bag<f64>
}
// CHECK-LABEL: func.func @extract
// CHECK:         tensor_block.lookup {{.*}} probe
// CHECK:         tensor_block.filter
// CHECK:         tensor_block.lookup {{.*}} probe
// CHECK:         tensor_block.filter
