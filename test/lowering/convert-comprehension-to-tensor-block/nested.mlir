// RUN: diablo-opt %s -p convert-comprehension-to-tensor-block,canonicalize,cse,dce --remarks 2>&1 | filecheck %s

// Comprehensions in comprehensions: joins with what they are for each row.

// CHECK: remark: nested: does not depend on the outer rows, evaluated once before them
// CHECK: remark: nested: evaluated for all keys at once, then joined with the outer rows
// CHECK: remark: nested: unnested, starting from the outer rows: it uses a list or an array as a whole

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
!sparse = tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
!local = tensor<?xf64>

// What does not depend on the rows is evaluated before them.
func.func @free(%L: !comprehension.bag<i64, f64>) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %m = comprehension.aggregate max : f64 {
      %l, %y = comprehension.each %L : !comprehension.bag<i64, f64>
      comprehension.yield %y
    }
    %d = arith.subf %m, %x : f64
    comprehension.yield %d
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @free
// CHECK:         %[[MAX:.*]] = tensor_block.fold max
// CHECK:         tensor_block.extend %L
// CHECK:           arith.subf %[[MAX]]
// CHECK:         tensor_block.fold add

// Only an equality ties the inner rows to the outer ones: they are folded by key first.
func.func @by_key(%L: !comprehension.bag<i64, f64>, %R: !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64> {
  %r = comprehension.collect : !comprehension.bag<i64, f64> {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %s = comprehension.aggregate max : f64 {
      %l, %y = comprehension.each %R : !comprehension.bag<i64, f64>
      %eq = arith.cmpi eq, %k, %l : i64
      comprehension.guard %eq
      comprehension.yield %y
    }
    %t = arith.addf %x, %s : f64
    comprehension.yield (%k) %t
  }
  func.return %r : !comprehension.bag<i64, f64>
}
// CHECK-LABEL: func.func @by_key
// CHECK-NEXT:    %[[G:.*]] = tensor_block.group_reduce %R keys 1 monoids(max)
// CHECK-NEXT:    tensor_block.join %L[0], %[[G]][0] outer [unit, 0xfff0000000000000 : f64]

// The same for lists, and for string keys.
func.func @lists_by_key(%L: !comprehension.bag<!comprehension.string, f64>, %R: !comprehension.bag<!comprehension.string, i64>)
    -> !comprehension.bag<f64, !comprehension.bag<i64>> {
  %r = comprehension.collect : !comprehension.bag<f64, !comprehension.bag<i64>> {
    %k, %x = comprehension.each %L : !comprehension.bag<!comprehension.string, f64>
    %s = comprehension.collect : !comprehension.bag<i64> {
      %l, %y = comprehension.each %R : !comprehension.bag<!comprehension.string, i64>
      %eq = comprehension.string_call "eq" (%k, %l) : (!comprehension.string, !comprehension.string) -> i1
      comprehension.guard %eq
      comprehension.yield %y
    }
    comprehension.yield %x, %s
  }
  func.return %r : !comprehension.bag<f64, !comprehension.bag<i64>>
}
// CHECK-LABEL: func.func @lists_by_key
// CHECK-NEXT:    %[[G:.*]] = tensor_block.group %R keys 1
// CHECK-NEXT:    tensor_block.join %L[0], %[[G]][0] outer [unit, unit]

// An inner group-by of rows that are found by key.
func.func @groups_by_key(%L: !comprehension.bag<i64, f64>, %R: !comprehension.bag<i64, i64, f64>) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %s = comprehension.aggregate max : f64 {
      %l, %m, %y = comprehension.each %R : !comprehension.bag<i64, i64, f64>
      %eq = arith.cmpi eq, %k, %l : i64
      comprehension.guard %eq
      %g, %ys = comprehension.group_by keys(%m) values(%y) : i64, !comprehension.bag<f64>
      %t = comprehension.reduce add %ys : !comprehension.bag<f64>
      comprehension.yield %t
    }
    %zero = arith.constant 0.0 : f64
    %some = arith.cmpf ogt, %s, %zero : f64
    comprehension.guard %some
    comprehension.yield %s
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @groups_by_key
// CHECK:         tensor_block.group_reduce %R keys 2 monoids(add)
// CHECK:         tensor_block.group_reduce %{{.*}} keys 1 monoids(max)
// CHECK:         tensor_block.join %{{.*}} outer [unit, 0xfff0000000000000 : f64]

// Parts of strings: the inner rows start from the numbered outer ones.
func.func @parts(%L: !comprehension.bag<!comprehension.string, f64>, %R: !comprehension.bag<!comprehension.string, f64>) -> !comprehension.bag<!comprehension.string, f64> {
  %one = arith.constant 1 : i64
  %r = comprehension.collect : !comprehension.bag<!comprehension.string, f64> {
    %k, %x = comprehension.each %L : !comprehension.bag<!comprehension.string, f64>
    %s = comprehension.aggregate add : f64 {
      %l, %y = comprehension.each %R : !comprehension.bag<!comprehension.string, f64>
      %parts = comprehension.string_call "split" (%l, %k) : (!comprehension.string, !comprehension.string) -> !comprehension.bag<!comprehension.string>
      %count = comprehension.length %parts : !comprehension.bag<!comprehension.string>
      %lt = arith.cmpi sgt, %count, %one : i64
      comprehension.guard %lt
      %p = arith.mulf %x, %y : f64
      comprehension.yield %p
    }
    comprehension.yield (%k) %s
  }
  func.return %r : !comprehension.bag<!comprehension.string, f64>
}
// CHECK-LABEL: func.func @parts
// CHECK:         %[[N:.*]] = tensor_block.number %L
// CHECK:         tensor_block.join %{{.*}}[], %R[]
// CHECK:         tensor_block.filter
// CHECK:         %[[G:.*]] = tensor_block.group_reduce %{{.*}} keys 1 monoids(add)
// CHECK:         tensor_block.join %{{.*}}, %[[G]][0] outer [unit, 0.000000e+00 : f64]

// An inner array for each row, with dimensions of its own.
func.func @array_per_row(%L: !comprehension.bag<i64, f64>, %v: !vector) -> !comprehension.bag<i64, f64> {
  %zero = arith.constant 0 : index
  %r = comprehension.collect : !comprehension.bag<i64, f64> {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %n = arith.index_cast %k : i64 to index
    %w = comprehension.build (%n) : !local {
      %i, %a = comprehension.each %v : !vector
      %p = arith.mulf %a, %x : f64
      comprehension.yield (%i) %p
    }
    %s = comprehension.aggregate add : f64 {
      %i, %b = comprehension.each %w : !local
      comprehension.yield %b
    }
    %j = comprehension.range %zero to %n
    %jj, %c = comprehension.each %w full : !local
    %eq = arith.cmpi eq, %jj, %j : index
    comprehension.guard %eq
    %t = arith.addf %s, %c : f64
    comprehension.yield (%k) %t
  }
  func.return %r : !comprehension.bag<i64, f64>
}
// CHECK-LABEL: func.func @array_per_row
// CHECK:         tensor_block.group
// CHECK:         tensor_block.extend
// CHECK:           tensor_block.from_bag
// CHECK:           tensor_block.to_bag
// CHECK:         tensor_block.unnest
// CHECK:         comprehension.probe

// A guard before a nested comprehension protects it, even one that is the same for all rows.
func.func @guarded(%n: i64, %L: !comprehension.bag<i64, f64>, %R: !comprehension.bag<i64, i64>) -> i64 {
  %r = comprehension.aggregate add : i64 {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %zero = arith.constant 0 : i64
    %never = arith.cmpi slt, %n, %zero : i64
    comprehension.guard %never
    %nonzero = arith.cmpi ne, %k, %zero : i64
    comprehension.guard %nonzero
    %s = comprehension.aggregate add : i64 {
      %l, %y = comprehension.each %R : !comprehension.bag<i64, i64>
      %q = arith.divsi %y, %zero : i64
      comprehension.yield %q
    }
    %t = comprehension.aggregate add : i64 {
      %l, %y = comprehension.each %R : !comprehension.bag<i64, i64>
      %q = arith.divsi %y, %k : i64
      comprehension.yield %q
    }
    %u = arith.addi %s, %t : i64
    comprehension.yield %u
  }
  func.return %r : i64
}
// CHECK-LABEL: func.func @guarded
// CHECK:         tensor_block.filter %L
// CHECK:         arith.divsi

func.func @protected(%L: !comprehension.bag<i64, f64>, %R: !comprehension.bag<i64, i64>) -> i64 {
  %r = comprehension.aggregate add : i64 {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %zero = arith.constant 0 : i64
    %nonzero = arith.cmpi ne, %k, %zero : i64
    comprehension.guard %nonzero
    %t = comprehension.aggregate add : i64 {
      %l, %y = comprehension.each %R : !comprehension.bag<i64, i64>
      %q = arith.divsi %y, %k : i64
      %some = arith.cmpi ne, %y, %zero : i64
      comprehension.guard %some
      %h = arith.divsi %k, %y : i64
      %u = arith.addi %q, %h : i64
      comprehension.yield %u
    }
    comprehension.yield %t
  }
  func.return %r : i64
}
// CHECK-LABEL: func.func @protected
// CHECK:         tensor_block.filter %L
// CHECK:         %[[SOME:.*]] = tensor_block.filter %R
// CHECK:         tensor_block.extend
// CHECK:           multiloop.loop rows(%[[SOME]] :
// CHECK:             arith.divsi
// CHECK:             arith.divsi

// In a branch: only the rows that take it count.
func.func @branch(%L: !comprehension.bag<i64, f64>, %R: !comprehension.bag<i64, i64>) -> !comprehension.bag<i64, i64> {
  %zero = arith.constant 0 : i64
  %r = comprehension.collect : !comprehension.bag<i64, i64> {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %nonzero = arith.cmpi ne, %k, %zero : i64
    %v = scf.if %nonzero -> (i64) {
      %h = arith.divsi %k, %k : i64
      %t = comprehension.aggregate add : i64 {
        %l, %y = comprehension.each %R : !comprehension.bag<i64, i64>
        %q = arith.divsi %y, %k : i64
        %u = arith.addi %q, %h : i64
        comprehension.yield %u
      }
      scf.yield %t : i64
    } else {
      %t = comprehension.aggregate max : i64 {
        %l, %y = comprehension.each %R : !comprehension.bag<i64, i64>
        comprehension.yield %y
      }
      scf.yield %t : i64
    }
    comprehension.yield (%k) %v
  }
  func.return %r : !comprehension.bag<i64, i64>
}
// CHECK-LABEL: func.func @branch
// CHECK:         tensor_block.fold max
// CHECK:         %[[N:.*]] = tensor_block.number
// CHECK:         tensor_block.filter %[[N]]
// CHECK:         tensor_block.join {{.*}} outer
// CHECK:         tensor_block.extend
// CHECK:           scf.if
// CHECK-NEXT:        scf.yield %{{.*}} : i64
// CHECK-NEXT:      } else {

// An array in a branch, whose dimension is only right there.
func.func @array_in_branch(%L: !comprehension.bag<i64, f64>, %v: !vector) -> !comprehension.bag<i64, f64> {
  %zero = arith.constant 0 : i64
  %none = arith.constant 0.0 : f64
  %r = comprehension.collect : !comprehension.bag<i64, f64> {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %nonzero = arith.cmpi ne, %k, %zero : i64
    %t = scf.if %nonzero -> (f64) {
      %six = arith.constant 6 : i64
      %h = arith.divsi %six, %k : i64
      %n = arith.index_cast %h : i64 to index
      %w = comprehension.build (%n) : !local {
        %i, %a = comprehension.each %v : !vector
        %p = arith.mulf %a, %x : f64
        comprehension.yield (%i) %p
      }
      %s = comprehension.aggregate add : f64 {
        %i, %a = comprehension.each %w : !local
        comprehension.yield %a
      }
      scf.yield %s : f64
    } else {
      scf.yield %none : f64
    }
    comprehension.yield (%k) %t
  }
  func.return %r : !comprehension.bag<i64, f64>
}
// CHECK-LABEL: func.func @array_in_branch
// CHECK:         tensor_block.number %L

// Three levels; the innermost depends on both outer ones.
func.func @three(%L: !comprehension.bag<i64, f64>, %R: !comprehension.bag<i64, i64>) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %s = comprehension.aggregate max : f64 {
      %l, %y = comprehension.each %R : !comprehension.bag<i64, i64>
      %le = arith.cmpi sle, %l, %k : i64
      comprehension.guard %le
      %t = comprehension.aggregate add : f64 {
        %m, %z = comprehension.each %L : !comprehension.bag<i64, f64>
        %ml = arith.cmpi eq, %m, %l : i64
        comprehension.guard %ml
        %p = arith.mulf %z, %x : f64
        comprehension.yield %p
      }
      comprehension.yield %t
    }
    %none = arith.constant -1.0 : f64
    %u = arith.maximumf %s, %none : f64
    comprehension.yield %u
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @three
// CHECK:         tensor_block.number
// CHECK:         tensor_block.number
// CHECK:         tensor_block.group_reduce %{{.*}} keys 1 monoids(add)
// CHECK:         tensor_block.group_reduce %{{.*}} keys 1 monoids(max)

// The outer row is still known after an inner group-by, folded or not.
func.func @inner_groups(%L: !comprehension.bag<i64, f64>, %R: !comprehension.bag<i64, f64>)
    -> !comprehension.bag<i64, !comprehension.bag<i64, f64>, !comprehension.bag<i64, f64>> {
  %r = comprehension.collect : !comprehension.bag<i64, !comprehension.bag<i64, f64>, !comprehension.bag<i64, f64>> {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %folded = comprehension.collect : !comprehension.bag<i64, f64> {
      %l, %y = comprehension.each %R : !comprehension.bag<i64, f64>
      %lt = arith.cmpi slt, %k, %l : i64
      comprehension.guard %lt
      %g, %ys = comprehension.group_by keys(%l) values(%y) : i64, !comprehension.bag<f64>
      %s = comprehension.reduce add %ys : !comprehension.bag<f64>
      %t = arith.addf %s, %x : f64
      comprehension.yield (%g) %t
    }
    %listed = comprehension.collect : !comprehension.bag<i64, f64> {
      %l, %y = comprehension.each %R : !comprehension.bag<i64, f64>
      %lt = arith.cmpi slt, %k, %l : i64
      comprehension.guard %lt
      %g, %ys = comprehension.group_by keys(%l) values(%y) : i64, !comprehension.bag<f64>
      %y1 = comprehension.each %ys : !comprehension.bag<f64>
      %t = arith.addf %y1, %x : f64
      comprehension.yield (%g) %t
    }
    comprehension.yield (%k) %folded, %listed
  }
  func.return %r : !comprehension.bag<i64, !comprehension.bag<i64, f64>, !comprehension.bag<i64, f64>>
}
// CHECK-LABEL: func.func @inner_groups
// CHECK:         tensor_block.group_reduce %{{.*}} keys 2 monoids(add, any)
// CHECK:         tensor_block.group %{{.*}} keys 1
// CHECK:         tensor_block.group %{{.*}} keys 2
// CHECK:         tensor_block.unnest

// A generator over a nested comprehension that groups.
func.func @generator(%L: !comprehension.bag<i64, f64>, %R: !comprehension.bag<i64, f64>) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %inner = comprehension.collect : !comprehension.bag<i64, f64> {
      %l, %y = comprehension.each %R : !comprehension.bag<i64, f64>
      %lt = arith.cmpi slt, %k, %l : i64
      comprehension.guard %lt
      %g, %ys = comprehension.group_by keys(%l) values(%y) : i64, !comprehension.bag<f64>
      %s = comprehension.reduce max %ys : !comprehension.bag<f64>
      comprehension.yield (%g) %s
    }
    %h, %m = comprehension.each %inner : !comprehension.bag<i64, f64>
    %p = arith.mulf %x, %m : f64
    comprehension.yield %p
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @generator
// CHECK:         %[[N:.*]] = tensor_block.number %L
// CHECK:         %[[G:.*]] = tensor_block.group_reduce %{{.*}} keys 2 monoids(max)
// CHECK-NOT:     unnest
// CHECK:         tensor_block.join %{{.*}}, %[[G]][0]

// The same with another nested comprehension before it is run over.
func.func @generator_later(%L: !comprehension.bag<i64, f64>, %R: !comprehension.bag<i64, f64>) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %inner = comprehension.collect : !comprehension.bag<i64, f64> {
      %l, %y = comprehension.each %R : !comprehension.bag<i64, f64>
      %lt = arith.cmpi slt, %k, %l : i64
      comprehension.guard %lt
      %p = arith.mulf %x, %y : f64
      comprehension.yield (%l) %p
    }
    %n = comprehension.aggregate add : i64 {
      %l, %y = comprehension.each %R : !comprehension.bag<i64, f64>
      comprehension.yield %l
    }
    %s = comprehension.aggregate max : i64 {
      %l, %y = comprehension.each %R : !comprehension.bag<i64, f64>
      %m = arith.addi %l, %n : i64
      %some = arith.cmpi sle, %m, %l : i64
      comprehension.guard %some
      comprehension.yield %l
    }
    %t = comprehension.aggregate add : i64 {
      %l, %y = comprehension.each %R : !comprehension.bag<i64, f64>
      %below = arith.cmpi slt, %l, %s : i64
      comprehension.guard %below
      %u = arith.addi %l, %l : i64
      comprehension.yield %u
    }
    %h, %m = comprehension.each %inner : !comprehension.bag<i64, f64>
    %v = arith.cmpi ne, %h, %t : i64
    comprehension.guard %v
    comprehension.yield %m
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @generator_later
// CHECK:         tensor_block.number

// Inner updates of arrays and maps, which start from what they update.
func.func @updates(%L: !comprehension.bag<i64, f64>, %v: !local, %M: !comprehension.bag<keys = 1, i64, f64>)
    -> !comprehension.bag<i64, f64, !comprehension.bag<i64, f64>> {
  %one = arith.constant 1 : i64
  %r = comprehension.collect : !comprehension.bag<i64, f64, !comprehension.bag<i64, f64>> {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %w = comprehension.merge add %v : !local {
      %l, %y = comprehension.each %L : !comprehension.bag<i64, f64>
      %lt = arith.cmpi slt, %l, %k : i64
      comprehension.guard %lt
      %i = arith.index_cast %l : i64 to index
      comprehension.yield (%i) %y
    }
    %s = comprehension.aggregate max : f64 {
      %i, %a = comprehension.each %w : !local
      comprehension.yield %a
    }
    %N = comprehension.merge add %M : !comprehension.bag<keys = 1, i64, f64> {
      %l, %y = comprehension.each %L : !comprehension.bag<i64, f64>
      %lt = arith.cmpi slt, %l, %k : i64
      comprehension.guard %lt
      comprehension.yield (%l) %y
    }
    %rows = comprehension.collect : !comprehension.bag<i64, f64> {
      %m, %z = comprehension.each %N : !comprehension.bag<keys = 1, i64, f64>
      comprehension.yield (%m) %z
    }
    comprehension.yield (%k) %s, %rows
  }
  func.return %r : !comprehension.bag<i64, f64, !comprehension.bag<i64, f64>>
}
// CHECK-LABEL: func.func @updates
// CHECK:         tensor_block.from_bag add
// CHECK:         tensor_block.update add

// An inner map that is probed, by the row that made it.
func.func @map_per_row(%L: !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, f64> {
  %zero = arith.constant 0 : i64
  %r = comprehension.collect : !comprehension.bag<i64, f64> {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %M = comprehension.collect : !comprehension.bag<keys = 1, i64, f64> {
      %l, %y = comprehension.each %L : !comprehension.bag<i64, f64>
      %lt = arith.cmpi slt, %l, %k : i64
      comprehension.guard %lt
      %d = arith.sitofp %l : i64 to f64
      comprehension.yield (%l) %d
    }
    %one = arith.constant 1 : i64
    %before = arith.subi %k, %one : i64
    %m, %found = comprehension.probe %M[%before] : !comprehension.bag<keys = 1, i64, f64>
    %none = arith.constant -1.0 : f64
    %v = arith.select %found, %m, %none : f64
    comprehension.yield (%k) %v
  }
  func.return %r : !comprehension.bag<i64, f64>
}
// CHECK-LABEL: func.func @map_per_row
// CHECK:         tensor_block.group_reduce %{{.*}} keys 2 monoids(any)
// CHECK:         tensor_block.to_map
// CHECK:         tensor_block.unnest

// Elements read at the index of the outer row.
func.func @looked_up(%n: index, %v: !vector, %A: !matrix) -> !vector {
  %zero = arith.constant 0 : index
  %r = comprehension.build (%n) : !vector {
    %i, %x = comprehension.each %v : !vector
    %s = comprehension.aggregate add : f64 {
      %j, %y = comprehension.each %v : !vector
      %ge = arith.cmpi sge, %i, %j : index
      comprehension.guard %ge
      %ii, %jj, %a = comprehension.each %A full : !matrix
      %p = arith.cmpi eq, %ii, %i : index
      comprehension.guard %p
      %q = arith.cmpi eq, %jj, %j : index
      comprehension.guard %q
      %z = arith.mulf %a, %y : f64
      comprehension.yield %z
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @looked_up
// CHECK:         tensor_block.to_bag %A
// CHECK:         tensor_block.join
// CHECK:         tensor_block.lookup %{{.*}} in %v

// A result of a nested comprehension decides a guard, and joins a later generator.
func.func @in_guard(%L: !comprehension.bag<i64, i64>, %R: !comprehension.bag<i64, f64>) -> f64 {
  %r = comprehension.aggregate add : f64 {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, i64>
    %s = comprehension.aggregate min : i64 {
      %l, %y = comprehension.each %L : !comprehension.bag<i64, i64>
      %lt = arith.cmpi slt, %k, %l : i64
      comprehension.guard %lt
      comprehension.yield %y
    }
    %big = arith.constant 100 : i64
    %small = arith.cmpi slt, %s, %big : i64
    comprehension.guard %small
    %m, %z = comprehension.each %R : !comprehension.bag<i64, f64>
    %eq = arith.cmpi eq, %m, %s : i64
    comprehension.guard %eq
    comprehension.yield %z
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @in_guard
// CHECK:         tensor_block.extend
// CHECK:           multiloop.loop rows(%L :
// CHECK:         tensor_block.filter
// CHECK:         tensor_block.join %{{.*}}, %R[0]

// An inner comprehension without a generator, and one in the comprehension of an inner one.
func.func @no_generator(%L: !comprehension.bag<i64, f64>) -> !comprehension.bag<f64> {
  %r = comprehension.collect : !comprehension.bag<f64> {
    %k, %x = comprehension.each %L : !comprehension.bag<i64, f64>
    %zero = arith.constant 0 : i64
    %s = comprehension.aggregate add : f64 {
      %some = arith.cmpi ne, %k, %zero : i64
      comprehension.guard %some
      comprehension.yield %x
    }
    comprehension.yield %s
  }
  func.return %r : !comprehension.bag<f64>
}
// CHECK-LABEL: func.func @no_generator
// CHECK:         tensor_block.group_reduce
