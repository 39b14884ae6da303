// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --remarks 2>&1 | filecheck %s

// Group-bys: folded in one go where that is all the bags are for, else lists.

// CHECK: remark: the groups are kept as lists: they are not only folded

comprehension.monoid @argmin : tuple<f64, i64> identity [0x7FF0000000000000 : f64, 99] {
^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
  %dx, %kx = comprehension.unpack %x : tuple<f64, i64>
  %dy, %ky = comprehension.unpack %y : tuple<f64, i64>
  %lt = arith.cmpf olt, %dx, %dy : f64
  %eq = arith.cmpf oeq, %dx, %dy : f64
  %lk = arith.cmpi slt, %kx, %ky : i64
  %tie = arith.andi %eq, %lk : i1
  %first = arith.ori %lt, %tie : i1
  %least = arith.select %first, %x, %y : tuple<f64, i64>
  comprehension.yield %least
}

!string = !comprehension.string
!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!sparse = tensor<?xf64, #tensor_block.tiles<dense = 0>>
!local = tensor<?xf64>
!local_sparse = tensor<?xf64, #tensor_block.storage<dense = 0>>

// Folds and lengths in one pass; keys of two columns, one a string.
func.func @folded(%L: !comprehension.bag<!string, i64, f64>) -> !comprehension.bag<!string, i64, f64, i64> {
  %r = comprehension.collect : !comprehension.bag<!string, i64, f64, i64> {
    %w, %k, %x = comprehension.each %L : !comprehension.bag<!string, i64, f64>
    %gw, %gk, %xs = comprehension.group_by keys(%w, %k) values(%x) : !string, i64, !comprehension.bag<f64>
    %s = comprehension.reduce add %xs : !comprehension.bag<f64>
    %n = comprehension.length %xs : !comprehension.bag<f64>
    %m = comprehension.length %xs : !comprehension.bag<f64>
    %t = arith.addi %n, %m : i64
    comprehension.yield (%gw, %gk) %s, %t
  }
  func.return %r : !comprehension.bag<!string, i64, f64, i64>
}
// CHECK-LABEL: func.func @folded
// CHECK:         tensor_block.group_reduce %{{.*}} keys 2 monoids(add, add)
// CHECK-NOT:     tensor_block.group %

// A fold in a branch after the group-by, and a monoid of the program's own.
func.func @own_monoid(%L: !comprehension.bag<i64, f64, i64>) -> !comprehension.bag<i64, i64> {
  %r = comprehension.collect : !comprehension.bag<i64, i64> {
    %k, %d, %l = comprehension.each %L : !comprehension.bag<i64, f64, i64>
    %t = comprehension.pack %d, %l : tuple<f64, i64>
    %g, %ts, %ls = comprehension.group_by keys(%k) values(%t, %l) : i64, !comprehension.bag<tuple<f64, i64>>, !comprehension.bag<i64>
    %least = comprehension.reduce @argmin %ts : !comprehension.bag<tuple<f64, i64>>
    %e, %m = comprehension.unpack %least : tuple<f64, i64>
    %two = arith.constant 2 : i64
    %small = arith.cmpi slt, %g, %two : i64
    %v = scf.if %small -> (i64) {
      %n = comprehension.reduce max %ls : !comprehension.bag<i64>
      scf.yield %n : i64
    } else {
      scf.yield %m : i64
    }
    comprehension.yield (%g) %v
  }
  func.return %r : !comprehension.bag<i64, i64>
}
// CHECK-LABEL: func.func @own_monoid
// CHECK:         tensor_block.group_reduce %{{.*}} keys 1 monoids(@argmin, max)

// A bag that is part of the result; another one of two columns, opened, beside a fold, which is
// computed once for each group.
func.func @lists(%L: !comprehension.bag<i64, f64, !string>)
    -> !comprehension.bag<i64, !comprehension.bag<f64>, f64, f64, !string> {
  %r = comprehension.collect : !comprehension.bag<i64, !comprehension.bag<f64>, f64, f64, !string> {
    %k, %x, %w = comprehension.each %L : !comprehension.bag<i64, f64, !string>
    %g, %xs, %ys, %unused = comprehension.group_by keys(%k) values(%x, %x, %w, %k) : i64, !comprehension.bag<f64>, !comprehension.bag<f64, !string>, !comprehension.bag<i64>
    %s = comprehension.reduce add %xs : !comprehension.bag<f64>
    %y, %v = comprehension.each %ys : !comprehension.bag<f64, !string>
    comprehension.yield (%g) %xs, %s, %y, %v
  }
  func.return %r : !comprehension.bag<i64, !comprehension.bag<f64>, f64, f64, !string>
}
// CHECK-LABEL: func.func @lists
// CHECK:         tensor_block.group %{{.*}} keys 1 : {{.*}} -> !comprehension.bag<i64, !comprehension.bag<f64>, !comprehension.bag<f64, !comprehension.string>>
// CHECK:         comprehension.reduce add
// CHECK:         tensor_block.unnest

// Several group-bys; a guard and a join after the first one.
func.func @twice(%L: !comprehension.bag<i64, f64>, %R: !comprehension.bag<i64, i64>) -> !comprehension.bag<i64, f64> {
  %one = arith.constant 1.0 : f64
  %r = comprehension.collect : !comprehension.bag<i64, f64> {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %g, %xs = comprehension.group_by keys(%k) values(%x) : i64, !comprehension.bag<f64>
    %s = comprehension.reduce add %xs : !comprehension.bag<f64>
    %large = arith.cmpf ogt, %s, %one : f64
    comprehension.guard %large
    %l, %m = comprehension.each %R : !comprehension.bag<i64, i64>
    %eq = arith.cmpi eq, %l, %g : i64
    comprehension.guard %eq
    %h, %ss = comprehension.group_by keys(%m) values(%s) : i64, !comprehension.bag<f64>
    %t = comprehension.reduce max %ss : !comprehension.bag<f64>
    comprehension.yield (%h) %t
  }
  func.return %r : !comprehension.bag<i64, f64>
}
// CHECK-LABEL: func.func @twice
// CHECK:         tensor_block.group_reduce %L keys 1 monoids(add)
// CHECK:         tensor_block.filter
// CHECK:         tensor_block.join %{{.*}}[0], %R[0]
// CHECK:         tensor_block.group_reduce %{{.*}} keys 1 monoids(max)

// Distinct rows: nothing but keys.
func.func @distinct(%L: !comprehension.bag<i64, i64>) -> !comprehension.bag<i64> {
  %r = comprehension.collect : !comprehension.bag<i64> {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, i64>
    %g = comprehension.group_by keys(%k) : i64
    comprehension.yield %g
  }
  func.return %r : !comprehension.bag<i64>
}
// CHECK-LABEL: func.func @distinct
// CHECK:         tensor_block.group_reduce %{{.*}} keys 1 monoids()

// A nested comprehension over the bag of a group.
func.func @over_a_group(%L: !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64, !comprehension.bag<f64>> {
  %r = comprehension.collect : !comprehension.bag<i64, f64, !comprehension.bag<f64>> {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %g, %xs = comprehension.group_by keys(%k) values(%x) : i64, !comprehension.bag<f64>
    %n = comprehension.length %xs : !comprehension.bag<f64>
    %m = arith.sitofp %n : i64 to f64
    %v = comprehension.aggregate add : f64 {
      %y = comprehension.each %xs : !comprehension.bag<f64>
      %d = arith.subf %y, %m : f64
      %dd = arith.mulf %d, %d : f64
      comprehension.yield %dd
    }
    %above = comprehension.collect : !comprehension.bag<f64> {
      %y = comprehension.each %xs : !comprehension.bag<f64>
      %p = arith.cmpf ogt, %y, %m : f64
      comprehension.guard %p
      comprehension.yield %y
    }
    comprehension.yield (%g) %v, %above
  }
  func.return %r : !comprehension.bag<i64, f64, !comprehension.bag<f64>>
}
// CHECK-LABEL: func.func @over_a_group
// CHECK:         tensor_block.group %
// CHECK:         comprehension.length
// CHECK:         multiloop.loop rows(%xs : !comprehension.bag<f64>) -> f64 {
// CHECK:         multiloop.loop rows(%xs{{.*}} : !comprehension.bag<f64>) -> !comprehension.bag<f64> {
// CHECK-NOT:     tensor_block.join

// A group becomes an array again, dense or sparse, and is read.
func.func @arrays(%n: index, %L: !comprehension.bag<i64, i64, f64>, %v: !vector) -> !comprehension.bag<i64, f64, f64> {
  %r = comprehension.collect : !comprehension.bag<i64, f64, f64> {
    %k, %l, %x = comprehension.each %L : !comprehension.bag<i64, i64, f64>
    %lx, %kx = comprehension.group_by keys(%k) values(%l, %x) : i64, !comprehension.bag<i64, f64>
    %w = comprehension.build (%n) : !local {
      %a, %b = comprehension.each %kx : !comprehension.bag<i64, f64>
      %i = arith.index_cast %a : i64 to index
      %g, %bs = comprehension.group_by keys(%i) values(%b) : index, !comprehension.bag<f64>
      %s = comprehension.reduce add %bs : !comprehension.bag<f64>
      comprehension.yield (%g) %s
    }
    %u = comprehension.build (%n) : !local_sparse {
      %i, %b = comprehension.each %w full : !local
      %some = arith.constant 1.0 : f64
      %p = arith.cmpf ogt, %b, %some : f64
      comprehension.guard %p
      comprehension.yield (%i) %b
    }
    %i, %b = comprehension.each %u : !local_sparse
    %c = arith.index_cast %i : index to i64
    %kk = comprehension.length %kx : !comprehension.bag<i64, f64>
    %near = arith.cmpi sle, %kk, %c : i64
    %j = arith.index_cast %kk : i64 to index
    %jj, %d = comprehension.each %w full : !local
    %eq = arith.cmpi eq, %jj, %j : index
    comprehension.guard %eq
    %ii, %e = comprehension.each %u full : !local_sparse
    %eqi = arith.cmpi eq, %ii, %i : index
    comprehension.guard %eqi
    %f = arith.addf %d, %e : f64
    comprehension.yield (%c) %b, %f
  }
  func.return %r : !comprehension.bag<i64, f64, f64>
}
// CHECK-LABEL: func.func @arrays
// CHECK:         tensor_block.group %
// CHECK:         tensor_block.from_bag
// CHECK:         tensor_block.from_bag

// Folding is left to after a guard where the monoid itself can fail.
comprehension.monoid @product : i64 identity 1 : i64 {
^bb0(%x: i64, %y: i64):
  %zero = arith.constant 0 : i64
  %p = arith.muli %x, %y : i64
  %q = arith.divsi %x, %p : i64
  %nothing = arith.muli %q, %zero : i64
  %r = arith.addi %p, %nothing : i64
  comprehension.yield %r
}

func.func @protected(%L: !comprehension.bag<i64, i64>) -> i64 {
  %zero = arith.constant 0 : i64
  %r = comprehension.aggregate add : i64 {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, i64>
    %z = arith.muli %k, %k : i64
    %g, %zs, %xs = comprehension.group_by keys(%z) values(%z, %x) : i64, !comprehension.bag<i64>, !comprehension.bag<i64>
    %some = arith.cmpi ne, %g, %zero : i64
    comprehension.guard %some
    %q = comprehension.reduce @product %zs : !comprehension.bag<i64>
    comprehension.yield %q
  }
  func.return %r : i64
}
// CHECK-LABEL: func.func @protected
// CHECK:         tensor_block.group %
// CHECK:         tensor_block.filter
// CHECK:         comprehension.reduce @product

// The last row of an index is found where the array is filled, that of a key while grouping; a list
// that each row has is numbered behind what opens it.
func.func @last(%L: !comprehension.bag<i64, f64, i64>, %V: !vector, %n: index) -> (!vector, !vector, !comprehension.bag<keys = 1, i64, f64>) {
  %A = comprehension.build (%n) : !vector {
    %k, %v, %p = comprehension.each %L : !comprehension.bag<i64, f64, i64>
    %i = arith.index_cast %k : i64 to index
    %g, %vs = comprehension.group_by keys(%i) values(%p, %v) : index, !comprehension.bag<i64, f64>
    %x = comprehension.last %vs by 1 : !comprehension.bag<i64, f64>
    comprehension.yield (%g) %x
  }
  %B = comprehension.merge %V : !vector {
    %k, %v, %p = comprehension.each %L : !comprehension.bag<i64, f64, i64>
    %i = arith.index_cast %k : i64 to index
    %g, %vs = comprehension.group_by keys(%i) values(%p, %v) : index, !comprehension.bag<i64, f64>
    %x = comprehension.last %vs by 1 : !comprehension.bag<i64, f64>
    comprehension.yield (%g) %x
  }
  %M = comprehension.collect : !comprehension.bag<keys = 1, i64, f64> {
    %k, %v, %p = comprehension.each %L : !comprehension.bag<i64, f64, i64>
    %g, %vs = comprehension.group_by keys(%k) values(%p, %v) : i64, !comprehension.bag<i64, f64>
    %x = comprehension.last %vs by 1 : !comprehension.bag<i64, f64>
    comprehension.yield (%g) %x
  }
  func.return %A, %B, %M : !vector, !vector, !comprehension.bag<keys = 1, i64, f64>
}
// CHECK-LABEL: func.func @last
// CHECK:         tensor_block.from_bag %{{.*}} places 1 extents(%n) : !comprehension.bag<i64, i64, f64> -> tensor<?xf64
// CHECK:         tensor_block.from_bag %{{.*}} places 1 extents(%{{.*}}) dest(%V
// CHECK:         tensor_block.group_reduce %{{.*}} keys 1 monoids(place, any)
// CHECK-NEXT:    tensor_block.project
// CHECK-NEXT:    tensor_block.to_map

// Two results of one group by the same places, and two by different ones, which are no fold.
func.func @two_last(%L: !comprehension.bag<i64, f64, i64>) -> !comprehension.bag<i64, f64, i64> {
  %M = comprehension.collect : !comprehension.bag<i64, f64, i64> {
    %k, %v, %p = comprehension.each %L : !comprehension.bag<i64, f64, i64>
    %g, %vs, %ws = comprehension.group_by keys(%k) values(%p, %v, %p, %k) : i64, !comprehension.bag<i64, f64>, !comprehension.bag<i64, i64>
    %x = comprehension.last %vs by 1 : !comprehension.bag<i64, f64>
    %y = comprehension.last %ws by 1 : !comprehension.bag<i64, i64>
    comprehension.yield (%g) %x, %y
  }
  func.return %M : !comprehension.bag<i64, f64, i64>
}
// CHECK-LABEL: func.func @two_last
// CHECK:         tensor_block.group_reduce %{{.*}} keys 1 monoids(place, any, any)

func.func @numbered(%W: !comprehension.bag<keys = 1, i64, !comprehension.bag<index, f64>>, %n: index) -> !vector {
  %A = comprehension.build (%n) : !vector {
    %i, %w = comprehension.each %W : !comprehension.bag<keys = 1, i64, !comprehension.bag<index, f64>>
    %rows = tensor_block.number %w : !comprehension.bag<index, f64> -> !comprehension.bag<index, f64, i64>
    %j, %v, %p = comprehension.each %rows : !comprehension.bag<index, f64, i64>
    %g, %vs = comprehension.group_by keys(%j) values(%i, %p, %v) : index, !comprehension.bag<i64, i64, f64>
    %x = comprehension.last %vs by 2 : !comprehension.bag<i64, i64, f64>
    comprehension.yield (%g) %x
  }
  func.return %A : !vector
}
// CHECK-LABEL: func.func @numbered
// CHECK:         %[[U:.*]] = tensor_block.unnest %W[1]
// CHECK-NEXT:    %[[N:.*]] = tensor_block.number %[[U]]
// CHECK:         tensor_block.from_bag %{{.*}} places 2
