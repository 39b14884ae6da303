// RUN: diablo-opt %s --split-input-file --verify-diagnostics

// Encodings.

// expected-error @+1 {{the number of dense dimensions cannot be negative}}
%A = "test.op"() : () -> tensor<?xf64, #tensor_block.tiles<dense = -1>>

// -----

// expected-error @+1 {{a block extent must be at least 1}}
%A = "test.op"() : () -> tensor<?xf64, #tensor_block.tiles<dense = 1, block = [0]>>

// -----

// expected-error @+1 {{the number of dense dimensions cannot be negative}}
%A = "test.op"() : () -> tensor<?xf64, #tensor_block.storage<dense = -1>>

// -----

%A = "test.op"() : () -> tensor<?xf64, #tensor_block.storage<dense = 2>>
// expected-error @+1 {{#tensor_block.storage<dense = 2> has 2 dense dimensions on a tensor of rank 1}}
%r = tensor_block.to_bag %A : tensor<?xf64, #tensor_block.storage<dense = 2>> -> !comprehension.bag<index, f64>

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{#tensor_block.tiles<dense = 1, block = [8]> has 1 block extents on a tensor of rank 2}}
%A = tensor_block.map parallel(d0 < %n, d1 < %n) -> tensor<?x?xindex, #tensor_block.tiles<dense = 1, block = [8]>> {
^bb0(%i: index, %j: index):
  tensor_block.yield %i : index
}

// -----

// Iteration spaces.

%n = "test.op"() : () -> index
// expected-error @+1 {{Expected 'd1'}}
%A = tensor_block.map parallel(d0 < %n, d2 < %n) -> tensor<?x?xindex> {
^bb0(%i: index, %j: index):
  tensor_block.yield %i : index
}

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{the result tensor<?xindex> must have one dimension for each of 2 parallel dimensions}}
%A = tensor_block.map parallel(d0 < %n, d1 < %n) -> tensor<?xindex> {
^bb0(%i: index, %j: index):
  tensor_block.yield %i : index
}

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{expected no offsets or one for each of 1 extents, got 2}}
%A = tensor_block.map parallel(d0 < %n) offsets(%n, %n) -> tensor<?xindex> {
^bb0(%i: index):
  tensor_block.yield %i : index
}

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{there are symbols, but nothing is read}}
%A = tensor_block.map parallel(d0 < %n) symbols(%n) -> tensor<?xindex> {
^bb0(%i: index):
  tensor_block.yield %i : index
}

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{expected a body with arguments (index), got (index, index)}}
%A = tensor_block.map parallel(d0 < %n) -> tensor<?xindex> {
^bb0(%i: index, %j: index):
  tensor_block.yield %i : index
}

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{the body must yield (f64), but it yields (index)}}
%A = tensor_block.map parallel(d0 < %n) -> tensor<?xf64> {
^bb0(%i: index):
  tensor_block.yield %i : index
}

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{the body must end with 'tensor_block.yield'}}
%A = tensor_block.map parallel(d0 < %n) -> tensor<?xf64> {
^bb0(%i: index):
  "test.termop"() : () -> ()
}

// -----

%n, %A = "test.op"() : () -> (index, tensor<?xf64>)
// expected-error @+1 {{expected one of the dimensions d0}}
%B = tensor_block.map parallel(d0 < %n) ins(%A[d1] : tensor<?xf64>) -> tensor<?xf64> {
^bb0(%i: index, %a: f64):
  tensor_block.yield %a : f64
}

// -----

%n, %A = "test.op"() : () -> (index, tensor<?xf64>)
// expected-error @+1 {{the map of input 0 has 1 symbols, but there are 0}}
%B = "tensor_block.map"(%A, %n) <{indexing_maps = [affine_map<(d0)[s0] -> (d0 + s0)>], operandSegmentSizes = array<i32: 1, 1, 0, 0>}> ({
^bb0(%i: index, %a: f64):
  tensor_block.yield %a : f64
}) : (tensor<?xf64>, index) -> tensor<?xf64>

// -----

%n, %A = "test.op"() : () -> (index, tensor<?x?xf64>)
// expected-error @+1 {{the map of input 0 gives 1 indices for tensor<?x?xf64>}}
%B = tensor_block.map parallel(d0 < %n) ins(%A[d0] : tensor<?x?xf64>) -> tensor<?xf64> {
^bb0(%i: index, %a: f64):
  tensor_block.yield %a : f64
}

// -----

%n, %A = "test.op"() : () -> (index, tensor<?xf64>)
// expected-error @+1 {{the map of input 0 must be linear in the dimensions, got (d0) -> ((d0 floordiv 2))}}
%B = "tensor_block.map"(%A, %n) <{indexing_maps = [affine_map<(d0) -> (d0 floordiv 2)>], operandSegmentSizes = array<i32: 1, 1, 0, 0>}> ({
^bb0(%i: index, %a: f64):
  tensor_block.yield %a : f64
}) : (tensor<?xf64>, index) -> tensor<?xf64>

// -----

%n, %A = "test.op"() : () -> (index, tensor<?xf64>)
// expected-error @+1 {{the map of input 0 has 2 dimensions, but there are 1 extents}}
%B = "tensor_block.map"(%A, %n) <{indexing_maps = [affine_map<(d0, d1) -> (d0)>], operandSegmentSizes = array<i32: 1, 1, 0, 0>}> ({
^bb0(%i: index, %a: f64):
  tensor_block.yield %a : f64
}) : (tensor<?xf64>, index) -> tensor<?xf64>

// -----

%n, %A = "test.op"() : () -> (index, tensor<?xf64>)
// expected-error @+1 {{expected one map for each of 1 inputs, got 0}}
%B = "tensor_block.map"(%A, %n) <{indexing_maps = [], operandSegmentSizes = array<i32: 1, 1, 0, 0>}> ({
^bb0(%i: index, %a: f64):
  tensor_block.yield %a : f64
}) : (tensor<?xf64>, index) -> tensor<?xf64>

// -----

%n, %A = "test.op"() : () -> (index, tensor<?xf64>)
// expected-error @+1 {{2 dimensions are parallel, but there are 1 extents}}
%B = "tensor_block.reduce"(%A, %n) <{monoid = "add", parallel = 2, indexing_maps = [affine_map<(d0) -> (d0)>], operandSegmentSizes = array<i32: 1, 1, 0, 0>}> ({
^bb0(%i: index, %a: f64):
  tensor_block.yield %a : f64
}) : (tensor<?xf64>, index) -> tensor<?x?xf64>

// -----

%n, %A = "test.op"() : () -> (index, tensor<?xf64>)
// expected-error @+1 {{the result of 1 parallel dimensions must be a tensor, got f64}}
%s = tensor_block.reduce add parallel(d0 < %n) ins(%A[d0] : tensor<?xf64>) -> f64 {
^bb0(%i: index, %a: f64):
  tensor_block.yield %a : f64
}

// -----

%n, %A = "test.op"() : () -> (index, tensor<?xf64>)
// expected-error @+1 {{monoid 'or' is not defined on f64}}
%s = tensor_block.reduce or reduced(d0 < %n) ins(%A[d0] : tensor<?xf64>) -> f64 {
^bb0(%i: index, %a: f64):
  tensor_block.yield %a : f64
}

// -----

// Between arrays and bags.

%A = "test.op"() : () -> tensor<?xf64>
// expected-error @+1 {{the result must be !comprehension.bag<index, f64>, got !comprehension.bag<f64>}}
%r = tensor_block.to_bag %A : tensor<?xf64> -> !comprehension.bag<f64>

// -----

%A, %n = "test.op"() : () -> (tensor<?xf64>, index)
// expected-error @+1 {{expected no offsets or one for each of 1 dimensions, got 2}}
%r = tensor_block.to_bag %A offsets(%n, %n) : tensor<?xf64> -> !comprehension.bag<index, f64>

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{the step of a range cannot be 0}}
%r = tensor_block.range %n to %n step 0 : !comprehension.bag<index>

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{the result must be !comprehension.bag<index>, got !comprehension.bag<i64>}}
%r = tensor_block.range %n to %n : !comprehension.bag<i64>

// -----

%n, %r = "test.op"() : () -> (index, !comprehension.bag<index, f64>)
// expected-error @+1 {{expected one extent for each of 1 dimensions, got 2}}
%A = tensor_block.from_bag %r extents(%n, %n) : !comprehension.bag<index, f64> -> tensor<?xf64>

// -----

%n, %r = "test.op"() : () -> (index, !comprehension.bag<index, f64>)
// expected-error @+1 {{expected no offsets or one for each of 1 dimensions, got 2}}
%A = tensor_block.from_bag %r extents(%n) offsets(%n, %n) : !comprehension.bag<index, f64> -> tensor<?xf64>

// -----

%n, %r = "test.op"() : () -> (index, !comprehension.bag<index, f64>)
// expected-error @+1 {{a bag for tensor<?x?xf64> has 3 columns, the index and the element, got 2}}
%A = tensor_block.from_bag %r extents(%n, %n) : !comprehension.bag<index, f64> -> tensor<?x?xf64>

// -----

%n, %r = "test.op"() : () -> (index, !comprehension.bag<i32, f64>)
// expected-error @+1 {{the columns of an index must be indices, got (i32)}}
%A = tensor_block.from_bag %r extents(%n) : !comprehension.bag<i32, f64> -> tensor<?xf64>

// -----

%n, %r = "test.op"() : () -> (index, !comprehension.bag<index, i64>)
// expected-error @+1 {{the last column is i64, but the element type is f64}}
%A = tensor_block.from_bag %r extents(%n) : !comprehension.bag<index, i64> -> tensor<?xf64>

// -----

%n, %r, %D = "test.op"() : () -> (index, !comprehension.bag<index, f64>, tensor<?xf64>)
// expected-error @+1 {{at most one array is updated, got 2}}
%A = tensor_block.from_bag %r extents(%n) dest(%D, %D : tensor<?xf64>, tensor<?xf64>) : !comprehension.bag<index, f64> -> tensor<?xf64>

// -----

%n, %r, %D = "test.op"() : () -> (index, !comprehension.bag<index, f64>, tensor<?xf64, #tensor_block.tiles<dense = 0>>)
// expected-error @+1 {{the result must have the type of dest, tensor<?xf64, #tensor_block.tiles<dense = 0>>}}
%A = tensor_block.from_bag %r extents(%n) dest(%D : tensor<?xf64, #tensor_block.tiles<dense = 0>>) : !comprehension.bag<index, f64> -> tensor<?xf64>

// -----

%n, %r, %R = "test.op"() : () -> (index, !comprehension.bag<index, f64>, tensor<?xi1, #tensor_block.tiles<dense = 0>>)
// expected-error @+1 {{the rows lie within at most one array, got 2}}
%A = tensor_block.from_bag %r extents(%n) within(%R, %R : tensor<?xi1, #tensor_block.tiles<dense = 0>>, tensor<?xi1, #tensor_block.tiles<dense = 0>>) : !comprehension.bag<index, f64> -> tensor<?xf64, #tensor_block.tiles<dense = 0>>

// -----

%n, %r, %R = "test.op"() : () -> (index, !comprehension.bag<index, f64>, tensor<?xi1, #tensor_block.tiles<dense = 0>>)
// expected-error @+1 {{only sparse arrays share indices}}
%A = tensor_block.from_bag %r extents(%n) within(%R : tensor<?xi1, #tensor_block.tiles<dense = 0>>) : !comprehension.bag<index, f64> -> tensor<?xf64>

// -----

%n, %r, %R = "test.op"() : () -> (index, !comprehension.bag<index, f64>, tensor<?x?xi1, #tensor_block.tiles<dense = 0>>)
// expected-error @+1 {{the array that the rows lie within has 2 dimensions, the result 1}}
%A = tensor_block.from_bag %r extents(%n) within(%R : tensor<?x?xi1, #tensor_block.tiles<dense = 0>>) : !comprehension.bag<index, f64> -> tensor<?xf64, #tensor_block.tiles<dense = 0>>

// -----

%n, %r = "test.op"() : () -> (index, !comprehension.bag<index, f64>)
// expected-error @+1 {{unknown monoid 'plus'}}
%A = tensor_block.from_bag plus %r extents(%n) : !comprehension.bag<index, f64> -> tensor<?xf64>

// -----

// Rows.

%r = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{the body must yield (i1), but it yields (f64)}}
%f = tensor_block.filter %r : !comprehension.bag<f64> {
^bb0(%x: f64):
  tensor_block.yield %x : f64
}

// -----

%r = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{expected a body with arguments (f64), got (i64)}}
%e = tensor_block.extend %r : !comprehension.bag<f64> -> !comprehension.bag<f64, i64> {
^bb0(%x: i64):
  tensor_block.yield %x : i64
}

// -----

%r = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{the result must begin with the columns of !comprehension.bag<f64>}}
%e = tensor_block.extend %r : !comprehension.bag<f64> -> !comprehension.bag<i64> {
^bb0(%x: f64):
  tensor_block.yield
}

// -----

%r = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{the body must yield (i64), but it yields (f64)}}
%e = tensor_block.extend %r : !comprehension.bag<f64> -> !comprehension.bag<f64, i64> {
^bb0(%x: f64):
  tensor_block.yield %x : f64
}

// -----

%r = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{column 2 is out of range, there are 2}}
%e = tensor_block.extend %r to [2] : !comprehension.bag<f64> -> !comprehension.bag<f64> {
^bb0(%x: f64):
  tensor_block.yield %x : f64
}

// -----

%r = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{the result must be !comprehension.bag<f64>, got !comprehension.bag<i64>}}
%e = tensor_block.extend %r to [1] : !comprehension.bag<f64> -> !comprehension.bag<i64> {
^bb0(%x: f64):
  tensor_block.yield %x : f64
}

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{column 2 is out of range, there are 2}}
%p = tensor_block.project %r[0, 2] : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{the result must be !comprehension.bag<f64, i64>, got !comprehension.bag<i64, f64>}}
%p = tensor_block.project %r[1, 0] : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64>

// -----

%r, %A = "test.op"() : () -> (!comprehension.bag<index>, tensor<?xf64>)
// expected-error @+1 {{column 1 is out of range, there are 1}}
%l = tensor_block.lookup %r[1] in %A : !comprehension.bag<index>, tensor<?xf64> -> !comprehension.bag<index, f64>

// -----

%r, %A = "test.op"() : () -> (!comprehension.bag<index>, tensor<?x?xf64>)
// expected-error @+1 {{expected one column for each of 2 dimensions, got 1}}
%l = tensor_block.lookup %r[0] in %A : !comprehension.bag<index>, tensor<?x?xf64> -> !comprehension.bag<index, f64>

// -----

%r, %A = "test.op"() : () -> (!comprehension.bag<i32>, tensor<?xf64>)
// expected-error @+1 {{the columns of an index must be indices, got (i32)}}
%l = tensor_block.lookup %r[0] in %A : !comprehension.bag<i32>, tensor<?xf64> -> !comprehension.bag<i32, f64>

// -----

%r, %A = "test.op"() : () -> (!comprehension.bag<index>, tensor<?xf64>)
// expected-error @+1 {{the result must be !comprehension.bag<index, f64>, got !comprehension.bag<f64>}}
%l = tensor_block.lookup %r[0] in %A : !comprehension.bag<index>, tensor<?xf64> -> !comprehension.bag<f64>

// -----

%r, %s = "test.op"() : () -> (!comprehension.bag<i64>, !comprehension.bag<f64>)
// expected-error @+1 {{right key column 1 is out of range, there are 1}}
%j = tensor_block.join %r[0], %s[1] : !comprehension.bag<i64>, !comprehension.bag<f64> -> !comprehension.bag<i64, f64>

// -----

%r, %s = "test.op"() : () -> (!comprehension.bag<i64>, !comprehension.bag<f64>)
// expected-error @+1 {{the keys of the two sides must have the same types, got (i64) and (f64)}}
%j = tensor_block.join %r[0], %s[0] : !comprehension.bag<i64>, !comprehension.bag<f64> -> !comprehension.bag<i64, f64>

// -----

%r, %s = "test.op"() : () -> (!comprehension.bag<i64>, !comprehension.bag<i64>)
// expected-error @+1 {{the keys of the two sides must have the same types, got (i64) and ()}}
%j = tensor_block.join %r[0], %s[] : !comprehension.bag<i64>, !comprehension.bag<i64> -> !comprehension.bag<i64, i64>

// -----

%r, %s = "test.op"() : () -> (!comprehension.bag<i64>, !comprehension.bag<f64>)
// expected-error @+1 {{the result must be !comprehension.bag<i64, f64>, got !comprehension.bag<f64, i64>}}
%j = tensor_block.join %r[], %s[] : !comprehension.bag<i64>, !comprehension.bag<f64> -> !comprehension.bag<f64, i64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{3 key columns in a bag of 2 columns}}
%g = tensor_block.group_reduce %r keys 3 monoids() : !comprehension.bag<i64, f64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{expected one monoid for each of 1 columns that are folded, got 2}}
%g = tensor_block.group_reduce %r keys 1 monoids(add, add) : !comprehension.bag<i64, f64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{monoid 'and' is not defined on f64}}
%g = tensor_block.group_reduce %r keys 1 monoids(and) : !comprehension.bag<i64, f64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{expected a bag of one column to fold}}
%s = tensor_block.fold add %r : !comprehension.bag<i64, f64>

// -----

%r = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{the step of a range cannot be 0}}
%e = tensor_block.expand %r step 0 : !comprehension.bag<f64> -> !comprehension.bag<f64, index> {
^bb0(%v: f64):
  %i = "test.op"() : () -> index
  tensor_block.yield %i, %i : index, index
}

// -----

%r = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{yields}}
%e = tensor_block.expand %r : !comprehension.bag<f64> -> !comprehension.bag<f64, index> {
^bb0(%v: f64):
  %i = "test.op"() : () -> index
  tensor_block.yield %i : index
}

// -----

%x = "test.op"() : () -> f64
// expected-error @+1 {{expected a ranked tensor, got f64}}
%b = "tensor_block.to_bag"(%x) : (f64) -> !comprehension.bag<f64>

// -----

%n, %v = "test.op"() : () -> (index, tensor<?xf64>)
// expected-error @+1 {{the result tensor<?x?xf64> must have one dimension for each of 1 sizes}}
%B = tensor_block.scatter_reduce add reduced(d0 < %n) into(%n) ins(%v[d0] : tensor<?xf64>) -> tensor<?x?xf64> {
^bb0(%i: index, %a: f64):
  tensor_block.yield %i, %a : index, f64
}

// -----

%n, %v = "test.op"() : () -> (index, tensor<?xf64>)
// expected-error @+1 {{the body must yield (index, f64), but it yields (f64)}}
%B = tensor_block.scatter_reduce add reduced(d0 < %n) into(%n) ins(%v[d0] : tensor<?xf64>) -> tensor<?xf64> {
^bb0(%i: index, %a: f64):
  tensor_block.yield %a : f64
}

// -----

%r, %s = "test.op"() : () -> (!comprehension.bag<i64>, !comprehension.bag<f64>)
// expected-error @+1 {{at_most is one of one, left, right, both, not few}}
%j = tensor_block.join %r[], %s[] at_most "few" : !comprehension.bag<i64>, !comprehension.bag<f64> -> !comprehension.bag<i64, f64>

// -----

%r, %s = "test.op"() : () -> (!comprehension.bag<i64>, !comprehension.bag<f64>)
// expected-error @+1 {{at_most is no negative number, but -1}}
%j = tensor_block.join %r[], %s[] at_most -1 : i64 : !comprehension.bag<i64>, !comprehension.bag<f64> -> !comprehension.bag<i64, f64>

// -----

// Which of several rows is kept.

%n, %r = "test.op"() : () -> (index, !comprehension.bag<index, f64>)
// expected-error @+1 {{a bag for tensor<?xf64> has 3 columns, the index, the places and the element, got 2}}
%A = tensor_block.from_bag %r places 1 extents(%n) : !comprehension.bag<index, f64> -> tensor<?xf64>

// -----

%n, %r = "test.op"() : () -> (index, !comprehension.bag<index, tuple<i64, i64>, f64>)
// expected-error @+1 {{rows are compared by columns of scalars, got (tuple<i64, i64>)}}
%A = tensor_block.from_bag %r places 1 extents(%n) : !comprehension.bag<index, tuple<i64, i64>, f64> -> tensor<?xf64>

// -----

%n, %r = "test.op"() : () -> (index, !comprehension.bag<index, i64, f64>)
// expected-error @+1 {{rows are combined by a monoid or kept by their places}}
%A = tensor_block.from_bag add %r places 1 extents(%n) : !comprehension.bag<index, i64, f64> -> tensor<?xf64>

// -----

%r = "test.op"() : () -> !comprehension.bag<i64, !comprehension.bag<i64>, f64>
// expected-error @+1 {{rows are compared by columns of scalars, got (!comprehension.bag<i64>)}}
%g = tensor_block.group_reduce %r keys 1 monoids(place, any) : !comprehension.bag<i64, !comprehension.bag<i64>, f64>
