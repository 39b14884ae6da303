// RUN: diablo-opt %s --split-input-file --verify-diagnostics

// Scoping: generators and what goes with them stand in a comprehension.

%A = "test.op"() : () -> tensor<?xf64>
// expected-error @+1 {{'comprehension.each' expects parent op to be one of 'comprehension.build', 'comprehension.merge', 'comprehension.collect', 'comprehension.aggregate'}}
%i, %a = comprehension.each %A : tensor<?xf64>

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{'comprehension.range' expects parent op to be one of}}
%i = comprehension.range %n to %n

// -----

%c, %x = "test.op"() : () -> (i1, i64)
%s = comprehension.aggregate add : i64 {
  scf.if %c {
    // expected-error @+1 {{'comprehension.guard' expects parent op to be one of}}
    comprehension.guard %c
  }
  comprehension.yield %x
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'comprehension.yield' expects parent op to be one of}}
  comprehension.yield %x
}

// -----

%x = "test.op"() : () -> i64
%s = comprehension.aggregate add : i64 {
  // expected-error @+1 {{'comprehension.yield' must be the last operation in its parent block}}
  comprehension.yield %x
  comprehension.yield %x
}

// -----

%A = "test.op"() : () -> tensor<?xf64>
%s = comprehension.aggregate add : f64 {
  %i, %a = comprehension.each %A : tensor<?xf64>
  // expected-error @+1 {{%a differs between the rows of a group, so 'comprehension.yield' cannot use it after the group_by}}
  %g = comprehension.group_by keys(%i) : index
  comprehension.yield %a
}

// -----

// A value that is computed from a row, used in a region below.
%A, %c = "test.op"() : () -> (tensor<?xf64>, i1)
%s = comprehension.aggregate add : f64 {
  %i, %a = comprehension.each %A : tensor<?xf64>
  %b = arith.mulf %a, %a : f64
  // expected-error @+1 {{%b differs between the rows of a group, so 'scf.if' cannot use it after the group_by}}
  %g, %as = comprehension.group_by keys(%i) values(%a) : index, !comprehension.bag<f64>
  %r = comprehension.reduce add %as : !comprehension.bag<f64>
  %v = scf.if %c -> (f64) {
    %w = arith.addf %b, %r : f64
    scf.yield %w : f64
  } else {
    scf.yield %r : f64
  }
  comprehension.yield %v
}

// -----

// The second group_by hides the results of the first.
%A = "test.op"() : () -> tensor<?xi64>
%s = comprehension.aggregate add : i64 {
  %i, %a = comprehension.each %A : tensor<?xi64>
  %g, %as = comprehension.group_by keys(%i) values(%a) : index, !comprehension.bag<i64>
  %n = comprehension.length %as : !comprehension.bag<i64>
  // expected-error @+1 {{%n differs between the rows of a group}}
  %h = comprehension.group_by keys(%g) : index
  comprehension.yield %n
}

// -----

// Generators.

%x = "test.op"() : () -> f64
%s = comprehension.aggregate add : f64 {
  // expected-error @+1 {{expected a bag or a ranked tensor to run over}}
  comprehension.each %x : f64
  comprehension.yield %x
}

// -----

%x = "test.op"() : () -> f64
%s = comprehension.aggregate add : f64 {
  // expected-error @+1 {{expected a bag or a ranked tensor to run over, got f64}}
  "comprehension.each"(%x) : (f64) -> ()
  comprehension.yield %x
}

// -----

%A = "test.op"() : () -> tensor<?xf64>
%s = comprehension.aggregate add : f64 {
  // expected-error @+1 {{the results must be the columns of the bag, or the indices and the element of the array: (index, f64)}}
  %a = "comprehension.each"(%A) : (tensor<?xf64>) -> f64
  comprehension.yield %a
}

// -----

%A = "test.op"() : () -> tensor<?xf64, #tensor_block.tiles<dense = 2>>
%s = comprehension.aggregate add : f64 {
  // expected-error @+1 {{#tensor_block.tiles<dense = 2> has 2 dense dimensions on a tensor of rank 1}}
  %i, %a = comprehension.each %A : tensor<?xf64, #tensor_block.tiles<dense = 2>>
  comprehension.yield %a
}

// -----

%n = "test.op"() : () -> index
%s = comprehension.aggregate add : index {
  // expected-error @+1 {{the step of a range cannot be 0}}
  %i = comprehension.range %n to %n step 0
  comprehension.yield %i
}

// -----

%x = "test.op"() : () -> i64
%s = comprehension.aggregate add : i64 {
  // expected-error @+1 {{operand is used with type i1, but has been previously used or defined with type i64}}
  comprehension.guard %x
  comprehension.yield %x
}

// -----

// Groups and folds.

%A = "test.op"() : () -> tensor<?xf64>
%s = comprehension.collect : !comprehension.bag<i64> {
  %i, %a = comprehension.each %A : tensor<?xf64>
  // expected-error @+1 {{the group keys must have the keys' types: (index)}}
  %g = "comprehension.group_by"(%i) <{operandSegmentSizes = array<i32: 1, 0>, resultSegmentSizes = array<i32: 1, 0>}> : (index) -> i64
  comprehension.yield %g
}

// -----

%A = "test.op"() : () -> tensor<?xf64>
%s = comprehension.collect : !comprehension.bag<!comprehension.bag<i64>> {
  %i, %a = comprehension.each %A : tensor<?xf64>
  // expected-error @+1 {{the columns of the bags must be the values, (f64), got (i64)}}
  %g = "comprehension.group_by"(%a) <{operandSegmentSizes = array<i32: 0, 1>, resultSegmentSizes = array<i32: 0, 1>}> : (f64) -> !comprehension.bag<i64>
  comprehension.yield %g
}

// -----

%A = "test.op"() : () -> tensor<?xf64>
%s = comprehension.collect : !comprehension.bag<f64> {
  %i, %a = comprehension.each %A : tensor<?xf64>
  // expected-error @+1 {{expected a bag for the values}}
  %g = comprehension.group_by keys() values(%a) : f64
  comprehension.yield %g
}

// -----

%rows = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{expected a bag of one column to fold}}
%s = comprehension.reduce add %rows : !comprehension.bag<i64, f64>

// -----

%rows = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{expected a bag of one column to fold, got !comprehension.bag<i64, f64>}}
%s = "comprehension.reduce"(%rows) <{monoid = "add"}> : (!comprehension.bag<i64, f64>) -> f64

// -----

%rows = "test.op"() : () -> !comprehension.bag<i64>
// expected-error @+1 {{the result must have the type of the column, i64}}
%s = "comprehension.reduce"(%rows) <{monoid = "add"}> : (!comprehension.bag<i64>) -> f64

// -----

%rows = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{unknown monoid 'sum', expected one of add, mul, min, max, and, or}}
%s = comprehension.reduce sum %rows : !comprehension.bag<f64>

// -----

%rows = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{monoid 'and' is not defined on f64}}
%s = comprehension.reduce and %rows : !comprehension.bag<f64>

// -----

// Roots.

%n = "test.op"() : () -> index
// expected-error @+1 {{the body of a comprehension has no arguments}}
%s = comprehension.aggregate add : i64 {
^bb0(%x: i64):
  comprehension.yield %x
}

// -----

// expected-error @+1 {{the body of a comprehension must end with 'comprehension.yield'}}
%s = comprehension.aggregate add : i64 {
  "test.termop"() : () -> ()
}

// -----

%n, %x = "test.op"() : () -> (index, f64)
// expected-error @+1 {{expected one dimension for each of the 2 of tensor<?x?xf64>, got 1}}
%A = comprehension.build (%n) : tensor<?x?xf64> {
  comprehension.yield (%n, %n) %x
}

// -----

%n, %x = "test.op"() : () -> (index, f64)
// expected-error @+1 {{expected one key for each of 2 dimensions, got 1}}
%A = comprehension.build (%n, %n) : tensor<?x?xf64> {
  comprehension.yield (%n) %x
}

// -----

%n, %k, %x = "test.op"() : () -> (index, i64, f64)
// expected-error @+1 {{the keys of an array must be indices, got (i64)}}
%A = comprehension.build (%n) : tensor<?xf64> {
  comprehension.yield (%k) %x
}

// -----

%n, %x = "test.op"() : () -> (index, f64)
// expected-error @+1 {{an array has one value per row, got 2}}
%A = comprehension.build (%n) : tensor<?xf64> {
  comprehension.yield (%n) %x, %x
}

// -----

%n, %x = "test.op"() : () -> (index, i64)
// expected-error @+1 {{the yielded value is i64, but the element type is f64}}
%A = comprehension.build (%n) : tensor<?xf64> {
  comprehension.yield (%n) %x
}

// -----

%n, %x = "test.op"() : () -> (index, f64)
// expected-error @+1 {{#tensor_block.tiles<dense = 1, block = [2, 2]> has 2 block extents on a tensor of rank 1}}
%A = comprehension.build (%n) : tensor<?xf64, #tensor_block.tiles<dense = 1, block = [2, 2]>> {
  comprehension.yield (%n) %x
}

// -----

%R, %n, %x = "test.op"() : () -> (tensor<?xf64>, index, f64)
// expected-error @+1 {{expected one key for each of 1 dimensions, got 0}}
%S = comprehension.merge %R : tensor<?xf64> {
  comprehension.yield %x
}

// -----

%R, %n, %x = "test.op"() : () -> (tensor<?xf64>, index, f64)
// expected-error @+1 {{monoid 'or' is not defined on f64}}
%S = comprehension.merge or %R : tensor<?xf64> {
  comprehension.yield (%n) %x
}

// -----

%R, %n, %x = "test.op"() : () -> (tensor<?xf64>, index, f64)
// expected-error @+1 {{the result must have the type of dest, tensor<?xf64>}}
%S = "comprehension.merge"(%R) ({
  comprehension.yield (%n) %x
}) : (tensor<?xf64>) -> tensor<4xf64>

// -----

%x = "test.op"() : () -> f64
// expected-error @+1 {{the yielded row (f64) does not match the columns of !comprehension.bag<i64, f64>}}
%S = comprehension.collect : !comprehension.bag<i64, f64> {
  comprehension.yield %x
}

// -----

%n, %x = "test.op"() : () -> (index, f64)
// expected-error @+1 {{an aggregate must yield one value and no key, got 1 values and 1 keys}}
%s = comprehension.aggregate add : f64 {
  comprehension.yield (%n) %x
}

// -----

%x = "test.op"() : () -> f64
// expected-error @+1 {{the yielded value is f64, but the result i64}}
%s = comprehension.aggregate add : i64 {
  comprehension.yield %x
}

// -----

%x = "test.op"() : () -> i1
// expected-error @+1 {{monoid 'add' is not defined on i1}}
%s = comprehension.aggregate add : i1 {
  comprehension.yield %x
}

// -----

%s = comprehension.aggregate add : f64 {
  // expected-error @+1 {{this value must be defined before it is used here}}
  comprehension.yield %nowhere
}

// -----

// expected-error @+1 {{i8 is no type of integers without a sign}}
%x = comprehension.unsigned 5 : i8

// -----

// expected-error @+1 {{a constant of complex<f32> is no complex<f64>}}
%x = "comprehension.complex_constant"() <{value = #complex.number<:f32 1.0, 0.0> : complex<f32>}> : () -> complex<f64>

// -----

// expected-error @+1 {{expected a complex number}}
%x = comprehension.complex_constant 1.0 : f64

// -----

%z = "test.op"() : () -> complex<f64>
// expected-error @+1 {{'floor' is no function on complex<f64>}}
%x = comprehension.number_call "floor"(%z) : (complex<f64>) -> complex<f64>

// -----

%z = "test.op"() : () -> complex<f64>
// expected-error @+1 {{'exp' on complex<f64> is complex.exp}}
%x = comprehension.number_call "exp"(%z) : (complex<f64>) -> complex<f64>

// -----

%bag = "test.op"() : () -> !comprehension.bag<complex<f64>>
// expected-error @+1 {{monoid 'min' is not defined on complex<f64>}}
%x = comprehension.reduce min %bag : !comprehension.bag<complex<f64>>
