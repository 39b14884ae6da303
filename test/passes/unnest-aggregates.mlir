// RUN: diablo-opt %s -p unnest-aggregates --remarks 2>&1 | filecheck %s

!vector = tensor<?xf64, #tensor_block.tiles<dense = 1>>
!matrix = tensor<?x?xf64, #tensor_block.tiles<dense = 2>>

// CHECK: remark: nested: the sums for all indices are one array, which each row reads

// The product of a matrix and a vector, written as a sum for each index.
func.func @product(%n: index, %A: !matrix, %v: !vector) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    %half = arith.constant 0.5 : f64
    %s = comprehension.aggregate add : f64 {
      %ii, %j, %a = comprehension.each %A : !matrix
      %eq = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eq
      %jj, %x = comprehension.each %v : !vector
      %eqj = arith.cmpi eq, %jj, %j : index
      comprehension.guard %eqj
      %p = arith.mulf %a, %x : f64
      %h = arith.mulf %p, %half : f64
      comprehension.yield %h
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @product
// CHECK:         %[[SUMS:.*]] = comprehension.build (%n) : tensor<?xf64, #tensor_block.tiles<dense = 1>> {
// CHECK:           %[[G:.*]], %[[PS:.*]] = comprehension.group_by keys(%ii) values(%h)
// CHECK-NEXT:      %[[S:.*]] = comprehension.reduce add %[[PS]]
// CHECK-NEXT:      comprehension.yield (%[[G]]) %[[S]]
// CHECK:         comprehension.build (%n)
// CHECK:           comprehension.range
// CHECK:           %{{.*}}, %s = comprehension.each %[[SUMS]] full
// CHECK:           comprehension.yield (%i) %s

// Two indices, those of an array.
func.func @matrix(%n: index, %A: !matrix {diablo.shape = array<i64: 8, 8>}, %B: !matrix {diablo.shape = array<i64: 8, 8>}) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %d0 = tensor.dim %A, %zero : !matrix
  %d1 = tensor.dim %A, %one : !matrix
  %r = comprehension.aggregate add : f64 {
    %i, %j, %a = comprehension.each %A : !matrix
    %s = comprehension.aggregate add : f64 {
      %k, %l, %b = comprehension.each %B : !matrix
      %eqk = arith.cmpi eq, %j, %k : index
      comprehension.guard %eqk
      %eql = arith.cmpi eq, %l, %i : index
      comprehension.guard %eql
      comprehension.yield %b
    }
    %p = arith.mulf %a, %s : f64
    comprehension.yield %p
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @matrix
// CHECK:         comprehension.build (%d1, %d0)
// CHECK:           comprehension.group_by keys(%k, %l)
// CHECK:         comprehension.aggregate add
// CHECK-NOT:       comprehension.aggregate

// Zero is no neutral element of max: the array begins with the identity.
func.func @greatest(%n: index, %A: !matrix) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    %s = comprehension.aggregate max : f64 {
      %ii, %j, %a = comprehension.each %A : !matrix
      %eq = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eq
      comprehension.yield %a
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @greatest
// CHECK:         %[[I:.*]] = comprehension.build (%n) : tensor<?xf64, #tensor_block.tiles<dense = 1>> {
// CHECK:           %[[K:.*]] = comprehension.range
// CHECK-NEXT:      %[[LEAST:.*]] = arith.constant 0xfff0000000000000 : f64
// CHECK-NEXT:      comprehension.yield (%[[K]]) %[[LEAST]]
// CHECK:         %[[T:.*]] = comprehension.merge max %[[I]] : tensor<?xf64, #tensor_block.tiles<dense = 1>> {
// CHECK-NEXT:      %ii, %j, %a = comprehension.each %A
// CHECK-NEXT:      comprehension.yield (%ii) %a
// CHECK:         comprehension.build (%n)
// CHECK:           %{{.*}}, %s = comprehension.each %[[T]] full
// CHECK:           comprehension.yield (%i) %s

// So it is of tuples, which a monoid of the program's own folds.
comprehension.monoid @first : tuple<f64, i64> identity [0x7FF0000000000000 : f64, -1] {
^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
  %dx, %kx = comprehension.unpack %x : tuple<f64, i64>
  %dy, %ky = comprehension.unpack %y : tuple<f64, i64>
  %less = arith.cmpf ole, %dx, %dy : f64
  %least = arith.select %less, %x, %y : tuple<f64, i64>
  comprehension.yield %least
}
func.func @first_of_each(%n: index, %A: !matrix) -> tensor<?xi64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %r = comprehension.build (%n) : tensor<?xi64> {
    %i = comprehension.range %zero to %last
    %s = comprehension.aggregate @first : tuple<f64, i64> {
      %ii, %j, %a = comprehension.each %A : !matrix
      %eq = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eq
      %k = arith.index_cast %j : index to i64
      %t = comprehension.pack %a, %k : tuple<f64, i64>
      comprehension.yield %t
    }
    %d, %which = comprehension.unpack %s : tuple<f64, i64>
    comprehension.yield (%i) %which
  }
  func.return %r : tensor<?xi64>
}
// CHECK-LABEL: func.func @first_of_each
// CHECK:         %[[I:.*]] = comprehension.build (%n) : tensor<?xtuple<f64, i64>, #tensor_block.tiles<dense = 1>> {
// CHECK:           %[[NONE:.*]] = comprehension.pack %{{.*}}, %{{.*}} : tuple<f64, i64>
// CHECK-NEXT:      comprehension.yield (%{{.*}}) %[[NONE]]
// CHECK:         %[[T:.*]] = comprehension.merge @first %[[I]]
// CHECK:           %[[P:.*]] = comprehension.pack %a, %k : tuple<f64, i64>
// CHECK-NEXT:      comprehension.yield (%ii) %[[P]]
// CHECK:         comprehension.build (%n)
// CHECK:           %{{.*}}, %s = comprehension.each %[[T]] full

// Held back: the greatest of the stored elements of a sparse array.
func.func @stored(%n: index, %A: tensor<?x?xf64, #tensor_block.tiles<dense = 0>>) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    %s = comprehension.aggregate max : f64 {
      %ii, %j, %a = comprehension.each %A : tensor<?x?xf64, #tensor_block.tiles<dense = 0>>
      %eq = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eq
      comprehension.yield %a
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @stored
// CHECK:         comprehension.aggregate max
// CHECK-NOT:     group_by

// The sum uses an element of the outer row, which is read again.
func.func @scaled(%A: !matrix, %v: !vector) -> !vector {
  %zero = arith.constant 0 : index
  %n = tensor.dim %v, %zero : !vector
  %r = comprehension.build (%n) : !vector {
    %i, %x = comprehension.each %v : !vector
    %s = comprehension.aggregate add : f64 {
      %ii, %j, %a = comprehension.each %A : !matrix
      %eq = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eq
      %p = arith.mulf %a, %x : f64
      comprehension.yield %p
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @scaled
// CHECK:         comprehension.build (%n) : tensor<?xf64, #tensor_block.tiles<dense = 1>> {
// CHECK-NEXT:      %[[I:.*]], %[[X:.*]] = comprehension.each %v
// CHECK-NEXT:      %[[II:.*]], %j, %a = comprehension.each %A
// CHECK-NEXT:      %[[EQ:.*]] = arith.cmpi eq, %[[II]], %[[I]]
// CHECK-NEXT:      comprehension.guard %[[EQ]]
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %a, %[[X]]
// CHECK-NEXT:      comprehension.group_by keys(%[[I]]) values(%[[P]])

// What else reads an index that an equality ties reads the one it is equal to, behind it.
func.func @beside_the_diagonal(%A: !matrix) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %A, %zero : !matrix
  %m = tensor.dim %A, %one : !matrix
  %last = arith.subi %n, %one : index
  %right = arith.subi %m, %one : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    %s = comprehension.aggregate add : f64 {
      %j = comprehension.range %zero to %right
      %beside = arith.cmpi ne, %j, %i : index
      comprehension.guard %beside
      %ii, %jj, %a = comprehension.each %A full : !matrix
      %eqi = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eqi
      %eqj = arith.cmpi eq, %jj, %j : index
      comprehension.guard %eqj
      comprehension.yield %a
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @beside_the_diagonal
// CHECK:         comprehension.build (%n)
// CHECK-NEXT:      %[[J:.*]] = comprehension.range
// CHECK-NEXT:      %[[I:.*]], %[[JJ:.*]], %[[A:.*]] = comprehension.each %A full
// CHECK-NEXT:      %[[BESIDE:.*]] = arith.cmpi ne, %[[J]], %[[I]]
// CHECK-NEXT:      comprehension.guard %[[BESIDE]]
// CHECK:           comprehension.group_by keys(%[[I]]) values(%[[A]])
// CHECK:         comprehension.build (%n)
// CHECK-NEXT:      comprehension.range
// CHECK-NEXT:      comprehension.each %{{.*}} full

// No equality says what a range is: the aggregate runs over it, too.
func.func @up_to(%v: !vector) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %v, %zero : !vector
  %r = comprehension.build (%n) : !vector {
    %last = arith.subi %n, %one : index
    %i = comprehension.range %zero to %last
    %s = comprehension.aggregate add : f64 {
      %j, %a = comprehension.each %v : !vector
      %before = arith.cmpi sle, %j, %i : index
      comprehension.guard %before
      comprehension.yield %a
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @up_to
// CHECK:         %[[LAST:.*]] = arith.subi %n
// CHECK-NEXT:    comprehension.build (%n)
// CHECK-NEXT:      %[[I:.*]] = comprehension.range %{{.*}} to %[[LAST]]
// CHECK-NEXT:      %[[J:.*]], %[[A:.*]] = comprehension.each %v
// CHECK-NEXT:      %[[BEFORE:.*]] = arith.cmpi sle, %[[J]], %[[I]]
// CHECK:           comprehension.group_by keys(%[[I]]) values(%[[A]])

// What is read for the row is read again: the elements at an index of it, and sums of these.
func.func @softmax(%A: !matrix, %w: !vector) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %A, %zero : !matrix
  %last = arith.subi %n, %one : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    %k, %y = comprehension.each %w : !vector
    %eqk = arith.cmpi eq, %k, %i : index
    comprehension.guard %eqk
    %s = comprehension.aggregate add : f64 {
      %ii, %j, %a = comprehension.each %A : !matrix
      %eq = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eq
      %inner = comprehension.aggregate add : f64 {
        %i3, %l, %b = comprehension.each %A : !matrix
        %eq3 = arith.cmpi eq, %i3, %i : index
        comprehension.guard %eq3
        comprehension.yield %b
      }
      %d = arith.subf %a, %inner : f64
      %e = arith.mulf %d, %y : f64
      comprehension.yield %e
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @softmax
// CHECK:         %[[INNER:.*]] = comprehension.build (%n)
// CHECK:         comprehension.build (%n)
// CHECK-NEXT:      %[[K:.*]], %[[Y:.*]] = comprehension.each %w
// CHECK-NEXT:      %[[T:.*]], %[[S:.*]] = comprehension.each %[[INNER]] full
// CHECK-NEXT:      %[[I:.*]], %j, %a = comprehension.each %A
// CHECK-DAG:       arith.cmpi eq, %[[K]], %[[I]] : index
// CHECK-DAG:       arith.cmpi eq, %[[T]], %[[I]] : index
// CHECK-DAG:       arith.subf %a, %[[S]] : f64
// CHECK:           comprehension.group_by keys(%[[I]])

// Held back: where a range ends is an element; as an array, all indices would be tested.
func.func @segments(%v: !vector, %s: tensor<?xindex, #tensor_block.tiles<dense = 1>>) -> !vector {
  %zero = arith.constant 0 : index
  %n = tensor.dim %s, %zero : tensor<?xindex, #tensor_block.tiles<dense = 1>>
  %r = comprehension.build (%n) : !vector {
    %i, %end = comprehension.each %s : tensor<?xindex, #tensor_block.tiles<dense = 1>>
    %t = comprehension.aggregate add : f64 {
      %j = comprehension.range %zero to %end
      %jj, %x = comprehension.each %v : !vector
      %eq = arith.cmpi eq, %jj, %j : index
      comprehension.guard %eq
      comprehension.yield %x
    }
    comprehension.yield (%i) %t
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @segments
// CHECK:         comprehension.aggregate add
// CHECK-NOT:     group_by

// Held back: there are fewer rows than pairs of indices, and the sums read what these are of.
func.func @linked(%v: !vector, %w: !vector) -> f64 {
  %zero = arith.constant 0 : index
  %n = tensor.dim %v, %zero : !vector
  %m = tensor.dim %w, %zero : !vector
  %r = comprehension.aggregate add : f64 {
    %i, %x = comprehension.each %v : !vector
    %j, %y = comprehension.each %w : !vector
    %eq = arith.cmpi slt, %j, %i : index
    comprehension.guard %eq
    %s = comprehension.aggregate max : f64 {
      %k, %a = comprehension.each %v : !vector
      %ax = arith.mulf %a, %x : f64
      %axy = arith.addf %ax, %y : f64
      comprehension.yield %axy
    }
    comprehension.yield %s
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @linked
// CHECK:         comprehension.aggregate max
// CHECK-NOT:     group_by

// Held back: a condition may leave few of the rows, whose elements the sums read.
func.func @filtered(%v: !vector) -> f64 {
  %zero = arith.constant 0 : index
  %half = arith.constant 0.5 : f64
  %n = tensor.dim %v, %zero : !vector
  %r = comprehension.aggregate add : f64 {
    %i, %x = comprehension.each %v : !vector
    %large = arith.cmpf ogt, %x, %half : f64
    comprehension.guard %large
    %s = comprehension.aggregate add : f64 {
      %k, %a = comprehension.each %v : !vector
      %ax = arith.mulf %a, %x : f64
      comprehension.yield %ax
    }
    comprehension.yield %s
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @filtered
// CHECK:         comprehension.aggregate add
// CHECK:         comprehension.aggregate add
// CHECK-NOT:     group_by

// Held back: of the pairs of indices, a sparse array has few.
func.func @sampled(%S: tensor<?x?xf64, #tensor_block.tiles<dense = 0>>, %A: !matrix) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %S, %zero : tensor<?x?xf64, #tensor_block.tiles<dense = 0>>
  %m = tensor.dim %S, %one : tensor<?x?xf64, #tensor_block.tiles<dense = 0>>
  %r = comprehension.aggregate add : f64 {
    %i, %j, %x = comprehension.each %S : tensor<?x?xf64, #tensor_block.tiles<dense = 0>>
    %s = comprehension.aggregate add : f64 {
      %ii, %k, %a = comprehension.each %A : !matrix
      %eqi = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eqi
      %jj, %kk, %b = comprehension.each %A : !matrix
      %eqj = arith.cmpi eq, %jj, %j : index
      comprehension.guard %eqj
      %eqk = arith.cmpi eq, %kk, %k : index
      comprehension.guard %eqk
      %ab = arith.mulf %a, %b : f64
      comprehension.yield %ab
    }
    comprehension.yield %s
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @sampled
// CHECK:         comprehension.aggregate add
// CHECK:         comprehension.aggregate add
// CHECK-NOT:     group_by

// Where indices go further than the array that is made, rows are dropped.
func.func @further(%n: index, %m: index, %A: !matrix) -> !vector {
  %zero = arith.constant 0 : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %m
    %s = comprehension.aggregate add : f64 {
      %ii, %j, %a = comprehension.each %A : !matrix
      %eq = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eq
      comprehension.yield %a
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @further
// CHECK:         %[[SUMS:.*]] = comprehension.build (%n)
// CHECK-NEXT:      %[[I:.*]] = comprehension.range %{{.*}} to %m
// CHECK:           comprehension.group_by keys(%[[I]])
// CHECK:         comprehension.each %[[SUMS]] full

// Of equal dimensions it takes that of an array in the sum, so that sums of several are one array.
func.func @equal_dimensions(%A: !matrix {diablo.shape = array<i64: 8, 8>}, %v: !vector {diablo.shape = array<i64: 8>}) -> !vector {
  %zero = arith.constant 0 : index
  %n = tensor.dim %A, %zero : !matrix
  %m = tensor.dim %v, %zero : !vector
  %r = comprehension.build (%m) : !vector {
    %i, %x = comprehension.each %v : !vector
    %s = comprehension.aggregate max : f64 {
      %ii, %j, %a = comprehension.each %A : !matrix
      %eq = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eq
      comprehension.yield %a
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @equal_dimensions
// CHECK:         comprehension.build (%n) : tensor<?xf64, #tensor_block.tiles<dense = 1>> {
// CHECK:         comprehension.merge max
// CHECK:         comprehension.build (%m)

// A part of a dimension is gone through again: nothing is computed beside it.
func.func @a_part(%n: index, %A: !matrix, %low: index, %high: index) -> !vector {
  %r = comprehension.build (%n) : !vector {
    %one = arith.constant 1 : index
    %last = arith.subi %high, %one : index
    %i = comprehension.range %low to %last
    %s = comprehension.aggregate add : f64 {
      %ii, %j, %a = comprehension.each %A : !matrix
      %eq = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eq
      comprehension.yield %a
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @a_part
// CHECK:         %[[LAST:.*]] = arith.subi %high, %{{.*}} : index
// CHECK-NEXT:    %[[SUMS:.*]] = comprehension.build (%n)
// CHECK-NEXT:      %[[I:.*]] = comprehension.range %low to %[[LAST]]
// CHECK-NEXT:      %[[II:.*]], %j, %a = comprehension.each %A
// CHECK-NEXT:      arith.cmpi eq, %[[II]], %[[I]]
// CHECK:           comprehension.group_by keys(%[[I]])
// CHECK:         comprehension.build (%n)
// CHECK:           comprehension.each %[[SUMS]] full

// Of a length that is known, it may be small: the array has no other sums.
func.func @a_window(%n: index, %A: !matrix, %low: index) -> !vector {
  %r = comprehension.build (%n) : !vector {
    %four = arith.constant 4 : index
    %last = arith.addi %low, %four : index
    %i = comprehension.range %low to %last
    %s = comprehension.aggregate add : f64 {
      %ii, %j, %a = comprehension.each %A : !matrix
      %eq = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eq
      comprehension.yield %a
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @a_window
// CHECK:         %[[FIRST:.*]] = arith.maxsi %low, %{{.*}} : index
// CHECK:         %[[END:.*]] = arith.subi %n, %{{.*}} : index
// CHECK-NEXT:    arith.minsi %{{.*}}, %[[END]] : index
// CHECK:         %[[SIZE:.*]] = arith.maxsi
// CHECK-NEXT:    %[[SUMS:.*]] = comprehension.build (%[[SIZE]])
// CHECK:           %[[KEY:.*]] = arith.subi %{{.*}}, %[[FIRST]] : index
// CHECK-NEXT:      comprehension.group_by keys(%[[KEY]])
// CHECK:         comprehension.build (%n)
// CHECK:           %[[T:.*]], %s = comprehension.each %[[SUMS]] full
// CHECK-NEXT:      %[[PLACE:.*]] = arith.subi %{{.*}}, %[[FIRST]] : index
// CHECK-NEXT:      arith.cmpi eq, %[[T]], %[[PLACE]] : index

// So it is of several parts.
func.func @two_parts(%n: index, %A: !matrix, %low: index, %high: index) -> !matrix {
  %r = comprehension.build (%n, %n) : !matrix {
    %i = comprehension.range %low to %high
    %j = comprehension.range %low to %high
    %s = comprehension.aggregate add : f64 {
      %ii, %k, %a = comprehension.each %A : !matrix
      %eq = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eq
      %kk, %jj, %b = comprehension.each %A : !matrix
      %eqk = arith.cmpi eq, %kk, %k : index
      comprehension.guard %eqk
      %eqj = arith.cmpi eq, %jj, %j : index
      comprehension.guard %eqj
      %p = arith.mulf %a, %b : f64
      comprehension.yield %p
    }
    comprehension.yield (%i, %j) %s
  }
  func.return %r : !matrix
}
// CHECK-LABEL: func.func @two_parts
// CHECK:         %[[ROWS:.*]] = arith.maxsi
// CHECK:         %[[COLS:.*]] = arith.maxsi
// CHECK:         comprehension.build (%{{.*}}, %{{.*}})
// CHECK:           comprehension.group_by keys(%{{.*}}, %{{.*}})

// Held back: where the range ends is an element.
func.func @by_elements(%n: index, %A: !matrix, %ends: tensor<?xindex, #tensor_block.tiles<dense = 1>>, %low: index) -> !vector {
  %r = comprehension.build (%n) : !vector {
    %k, %end = comprehension.each %ends : tensor<?xindex, #tensor_block.tiles<dense = 1>>
    %i = comprehension.range %low to %end
    %s = comprehension.aggregate add : f64 {
      %ii, %j, %a = comprehension.each %A : !matrix
      %eq = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eq
      comprehension.yield %a
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @by_elements
// CHECK:         comprehension.build (%n)
// CHECK-NEXT:      comprehension.each %ends
// CHECK:           comprehension.aggregate

// Held back: no dimension says how many rows there are, of which none is dropped.
func.func @without_a_dimension(%A: !matrix, %low: index, %high: index) -> f64 {
  %r = comprehension.aggregate max : f64 {
    %i = comprehension.range %low to %high
    %s = comprehension.aggregate add : f64 {
      %ii, %j, %a = comprehension.each %A : !matrix
      %eq = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eq
      comprehension.yield %a
    }
    comprehension.yield %s
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @without_a_dimension
// CHECK:         comprehension.aggregate max
// CHECK-NEXT:      comprehension.range %low to %high
// CHECK-NEXT:      comprehension.aggregate add

// A range that is empty is one of a dimension of none.
func.func @nothing(%n: index, %A: !matrix) -> !vector {
  %zero = arith.constant 0 : index
  %none = arith.constant -1 : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %none
    %s = comprehension.aggregate add : f64 {
      %ii, %j, %a = comprehension.each %A : !matrix
      %eq = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eq
      comprehension.yield %a
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @nothing
// CHECK:         arith.constant -1 : index
// CHECK-NEXT:    %[[SIZE:.*]] = arith.constant 0 : index
// CHECK-NEXT:    comprehension.build (%[[SIZE]])

// What is folded for each row of a fold, whichever the outer row, is an array before all.
func.func @within(%n: index, %A: !matrix, %B: !matrix) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %columns = tensor.dim %A, %one : !matrix
  %last = arith.subi %n, %one : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    %s = comprehension.aggregate add : f64 {
      %ii, %j, %a = comprehension.each %A full : !matrix
      %eq = arith.cmpi eq, %ii, %i : index
      comprehension.guard %eq
      %t = comprehension.aggregate add : f64 {
        %jj, %k, %b = comprehension.each %B full : !matrix
        %eqj = arith.cmpi eq, %jj, %j : index
        comprehension.guard %eqj
        comprehension.yield %b
      }
      %p = arith.mulf %a, %t : f64
      comprehension.yield %p
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @within
// CHECK:         %[[T:.*]] = comprehension.build
// CHECK:           comprehension.each %B full
// CHECK:           comprehension.group_by keys(%jj) values(%b)
// CHECK:         %[[S:.*]] = comprehension.build
// CHECK:           comprehension.each %A full
// CHECK:           comprehension.each %[[T]] full
// CHECK:           comprehension.group_by keys(%ii)
// CHECK:         comprehension.build
// CHECK:           comprehension.each %[[S]] full

// Held back: the inner fold is another one for each pair of rows. No array has them all.
func.func @pairs(%n: index, %A: !matrix) -> !matrix {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %columns = tensor.dim %A, %one : !matrix
  %last = arith.subi %n, %one : index
  %end = arith.subi %columns, %one : index
  %r = comprehension.build (%n, %columns) : !matrix {
    %i = comprehension.range %zero to %last
    %d = comprehension.range %zero to %end
    %s = comprehension.aggregate add : f64 {
      %j, %dd, %a = comprehension.each %A full : !matrix
      %eq = arith.cmpi eq, %dd, %d : index
      comprehension.guard %eq
      %t = comprehension.aggregate add : f64 {
        %jj, %e, %b = comprehension.each %A full : !matrix
        %eqj = arith.cmpi eq, %jj, %j : index
        comprehension.guard %eqj
        %ii, %f, %c = comprehension.each %A full : !matrix
        %eqi = arith.cmpi eq, %ii, %i : index
        comprehension.guard %eqi
        %eqe = arith.cmpi eq, %e, %f : index
        comprehension.guard %eqe
        %q = arith.mulf %b, %c : f64
        comprehension.yield %q
      }
      %p = arith.mulf %a, %t : f64
      comprehension.yield %p
    }
    comprehension.yield (%i, %d) %s
  }
  func.return %r : !matrix
}
// CHECK-LABEL: func.func @pairs
// CHECK-NOT:     comprehension.group_by
// CHECK:         comprehension.build
// CHECK:           comprehension.aggregate add
// CHECK:             comprehension.aggregate add

// Held back: what is written is a map of a loop, whose keys have no ends that an array could have.
func.func @into_a_map(%n: index, %key: i64, %A: tensor<?xi1>) -> !comprehension.bag<keys = 1, i64, f64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %half = arith.constant 5.000000e-01 : f64
  %none = comprehension.list : !comprehension.bag<i64, f64>
  %start = comprehension.collect : !comprehension.bag<keys = 1, i64, f64> {
    %k, %v = comprehension.each %none : !comprehension.bag<i64, f64>
    comprehension.yield (%k) %v
  }
  %place, %map = scf.while (%p = %zero, %m = %start) : (index, !comprehension.bag<keys = 1, i64, f64>) -> (index, !comprehension.bag<keys = 1, i64, f64>) {
    %more = arith.cmpi slt, %p, %n : index
    scf.condition(%more) %p, %m : index, !comprehension.bag<keys = 1, i64, f64>
  } do {
  ^bb0(%p: index, %m: !comprehension.bag<keys = 1, i64, f64>):
    %next = arith.addi %p, %one : index
    %merged = comprehension.merge add %m : !comprehension.bag<keys = 1, i64, f64> {
      %i = comprehension.range %one to %p
      %s = comprehension.aggregate add : f64 {
        %k, %w = comprehension.each %m : !comprehension.bag<keys = 1, i64, f64>
        %number = arith.index_cast %i : index to i64
        %float = arith.sitofp %number : i64 to f64
        %equal = arith.cmpf oeq, %w, %float : f64
        comprehension.guard %equal
        %j, %a = comprehension.each %A full : tensor<?xi1>
        %first = arith.cmpi eq, %j, %zero : index
        comprehension.guard %first
        comprehension.guard %a
        comprehension.yield %half
      }
      comprehension.yield (%key) %s
    }
    scf.yield %next, %merged : index, !comprehension.bag<keys = 1, i64, f64>
  }
  func.return %map : !comprehension.bag<keys = 1, i64, f64>
}
// CHECK-LABEL: func.func @into_a_map
// CHECK-NOT:     comprehension.build
// CHECK:         comprehension.merge add
// CHECK:           comprehension.aggregate add

// Numbers over ranges that are cut off, of as many steps for each row, are an array as well.
func.func @cut_window(%n: index) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    %before = arith.subi %i, %one : index
    %after = arith.addi %i, %one : index
    %lower = arith.maxsi %zero, %before : index
    %upper = arith.minsi %last, %after : index
    %s = comprehension.aggregate add : f64 {
      %j = comprehension.range %lower to %upper
      %w = arith.constant 0.5 : f64
      comprehension.yield %w
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @cut_window
// CHECK:         comprehension.build (%n)
// CHECK:           comprehension.reduce add
// CHECK:         comprehension.build (%n)
// CHECK-NOT:       comprehension.aggregate

// Of ranges that grow with the row an array would have all pairs.
func.func @triangle_of_numbers(%n: index) -> !vector {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %r = comprehension.build (%n) : !vector {
    %i = comprehension.range %zero to %last
    %s = comprehension.aggregate add : f64 {
      %j = comprehension.range %zero to %i
      %w = arith.constant 0.5 : f64
      comprehension.yield %w
    }
    comprehension.yield (%i) %s
  }
  func.return %r : !vector
}
// CHECK-LABEL: func.func @triangle_of_numbers
// CHECK-NOT:     comprehension.reduce
// CHECK:         comprehension.aggregate add
