// RUN: diablo-opt %s --split-input-file --verify-diagnostics

// Bags and maps.

// expected-error @+1 {{2 key columns in a bag of 1 columns}}
%M = "test.op"() : () -> !comprehension.bag<keys = 2, i64>

// -----

%M = "test.op"() : () -> !comprehension.bag<keys = 1, i64, f64>
%x = "test.op"() : () -> f64
// expected-error @+1 {{a row of !comprehension.bag<keys = 1, i64, f64> has the keys (i64) and the values (f64)}}
%N = comprehension.merge %M : !comprehension.bag<keys = 1, i64, f64> {
  comprehension.yield %x
}

// -----

%M = "test.op"() : () -> !comprehension.bag<keys = 1, i64, f64, f64>
%k, %x = "test.op"() : () -> (i64, f64)
// expected-error @+1 {{with a monoid, the map has one value per key}}
%N = comprehension.merge add %M : !comprehension.bag<keys = 1, i64, f64, f64> {
  comprehension.yield (%k) %x, %x
}

// -----

%L = "test.op"() : () -> !comprehension.bag<i64, f64>
%k, %x = "test.op"() : () -> (i64, f64)
// expected-error @+1 {{expected a ranked tensor, got !comprehension.bag<i64, f64>}}
%N = comprehension.merge %L : !comprehension.bag<i64, f64> {
  comprehension.yield (%k) %x
}

// -----

%L, %k = "test.op"() : () -> (!comprehension.bag<i64>, i64)
%s = comprehension.aggregate add : i64 {
  %v = comprehension.each %L : !comprehension.bag<i64>
  // expected-error @+1 {{values become bags, not !comprehension.bag<keys = 1, i64>}}
  %g, %vs = "comprehension.group_by"(%v, %v) <{operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}>
      : (i64, i64) -> (i64, !comprehension.bag<keys = 1, i64>)
  comprehension.yield %k
}

// -----

%L, %k = "test.op"() : () -> (!comprehension.bag<i64>, i64)
%s = comprehension.aggregate add : i64 {
  %v = comprehension.each %L : !comprehension.bag<i64>
  // expected-error @+1 {{the columns of the bags must be the values, (i64), got (i64, i64)}}
  %g, %vs = "comprehension.group_by"(%v, %v) <{operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}>
      : (i64, i64) -> (i64, !comprehension.bag<i64, i64>)
  comprehension.yield %k
}

// -----

// Strings.

%s = "test.op"() : () -> !comprehension.string
// expected-error @+1 {{there is no function of strings 'reverse'}}
%r = comprehension.string_call "reverse"(%s) : (!comprehension.string) -> !comprehension.string

// -----

%s = "test.op"() : () -> !comprehension.string
// expected-error @+1 {{'concat' takes (!comprehension.string, !comprehension.string), got (!comprehension.string)}}
%r = comprehension.string_call "concat"(%s) : (!comprehension.string) -> !comprehension.string

// -----

%s = "test.op"() : () -> !comprehension.string
// expected-error @+1 {{'length' gives i64, not index}}
%r = comprehension.string_call "length"(%s) : (!comprehension.string) -> index

// -----

// Tuples.

%d, %k = "test.op"() : () -> (f64, i64)
// expected-error @+1 {{operand is used with type i64, but has been previously used or defined with type f64}}
%t = comprehension.pack %d, %k : tuple<i64, i64>

// -----

%d, %k = "test.op"() : () -> (f64, i64)
// expected-error @+1 {{expected the type of a tuple}}
%t = comprehension.pack %d, %k : f64

// -----

%d, %k = "test.op"() : () -> (f64, i64)
// expected-error @+1 {{the result must be a tuple of (f64, i64)}}
%t = "comprehension.pack"(%d, %k) : (f64, i64) -> tuple<i64, f64>

// -----

%d = "test.op"() : () -> f64
// expected-error @+1 {{expected the type of a tuple}}
%x = comprehension.unpack %d : f64

// -----

%t = "test.op"() : () -> tuple<f64, i64>
// expected-error @+1 {{the results must be the parts of tuple<f64, i64>}}
%d, %k = "comprehension.unpack"(%t) : (tuple<f64, i64>) -> (i64, f64)

// -----

// Lists.

%d = "test.op"() : () -> f64
// expected-error @+1 {{expected the type of a bag}}
%l = comprehension.list (%d) : f64

// -----

// expected-error @+1 {{the rows of a list have at least one column}}
%l = comprehension.list : !comprehension.bag<>

// -----

%d, %k = "test.op"() : () -> (f64, i64)
// expected-error @+1 {{a list is no map}}
%l = comprehension.list (%k, %d) : !comprehension.bag<keys = 1, i64, f64>

// -----

%d = "test.op"() : () -> f64
// expected-error @+1 {{3 values do not fill rows of 2 columns}}
%l = "comprehension.list"(%d, %d, %d) : (f64, f64, f64) -> !comprehension.bag<f64, f64>

// -----

%d, %k = "test.op"() : () -> (f64, i64)
// expected-error @+1 {{every row must be (f64, i64)}}
%l = "comprehension.list"(%d, %k, %k, %d) : (f64, i64, i64, f64) -> !comprehension.bag<f64, i64>

// -----

// Probes.

%L, %k = "test.op"() : () -> (!comprehension.bag<i64, f64>, i64)
// expected-error @+1 {{expected an array or a map to look into, got !comprehension.bag<i64, f64>}}
%v, %found = comprehension.probe %L[%k] : !comprehension.bag<i64, f64>

// -----

%A, %i = "test.op"() : () -> (tensor<?x?xf64>, index)
// expected-error @+1 {{expected 2 keys for tensor<?x?xf64>}}
%v, %found = comprehension.probe %A[%i] : tensor<?x?xf64>

// -----

%A, %k = "test.op"() : () -> (tensor<?xf64>, i64)
// expected-error @+1 {{the keys of tensor<?xf64> are (index), got (i64)}}
%v, %found = "comprehension.probe"(%A, %k) : (tensor<?xf64>, i64) -> (f64, i1)

// -----

%M, %k = "test.op"() : () -> (!comprehension.bag<keys = 1, i64, f64>, i64)
// expected-error @+1 {{the values must be (f64)}}
%v, %found = "comprehension.probe"(%M, %k) : (!comprehension.bag<keys = 1, i64, f64>, i64) -> (i64, i1)

// -----

// Monoids.

// expected-error @+1 {{0.000000e+00 : f64 is no value of i64}}
comprehension.monoid @plus : i64 identity 0.0 : f64 {
^bb0(%x: i64, %y: i64):
  comprehension.yield %x
}

// -----

// expected-error @+1 {{is no value of tuple<f64, i64>}}
comprehension.monoid @first : tuple<f64, i64> identity [0.0 : f64] {
^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
  comprehension.yield %x
}

// -----

// expected-error @+1 {{the body of a monoid takes two values of i64}}
comprehension.monoid @plus : i64 identity 0 : i64 {
^bb0(%x: i64):
  comprehension.yield %x
}

// -----

// expected-error @+1 {{the body of a monoid must yield one i64}}
comprehension.monoid @plus : i64 identity 0 : i64 {
^bb0(%x: i64, %y: i64):
  %less = arith.cmpi slt, %x, %y : i64
  comprehension.yield %less
}

// -----

func.func @f(%L: !comprehension.bag<f64>) {
  // expected-error @+1 {{there is no monoid '@product' in this module}}
  %s = comprehension.reduce @product %L : !comprehension.bag<f64>
  func.return
}

// -----

comprehension.monoid @plus : i64 identity 0 : i64 {
^bb0(%x: i64, %y: i64):
  comprehension.yield %x
}
func.func @f(%L: !comprehension.bag<f64>) {
  // expected-error @+1 {{monoid '@plus' is not defined on f64}}
  %s = comprehension.reduce @plus %L : !comprehension.bag<f64>
  func.return
}

// -----

// Rows at positions.

%M, %i = "test.op"() : () -> (!comprehension.bag<keys = 1, i64, f64>, i64)
// expected-error @+1 {{the rows of a map have no positions}}
%k, %v = comprehension.element %M[%i] : !comprehension.bag<keys = 1, i64, f64>

// -----

%L, %i = "test.op"() : () -> (!comprehension.bag<i64, f64>, i64)
// expected-error @+1 {{the results must be the columns (i64, f64)}}
%k, %v = "comprehension.element"(%L, %i) : (!comprehension.bag<i64, f64>, i64) -> (f64, i64)

// -----

// The last row, and the order of rows.

%L = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{2 places in rows of 2 columns}}
"comprehension.last"(%L) <{places = 2 : i64}> : (!comprehension.bag<i64, f64>) -> ()

// -----

%L = "test.op"() : () -> !comprehension.bag<tuple<i64, i64>, f64>
// expected-error @+1 {{rows are compared by columns of scalars, got (tuple<i64, i64>)}}
%v = comprehension.last %L by 1 : !comprehension.bag<tuple<i64, i64>, f64>

// -----

%L = "test.op"() : () -> !comprehension.bag<i64, f64>
// expected-error @+1 {{the results must be the columns behind the places, (f64)}}
%v = "comprehension.last"(%L) <{places = 1 : i64}> : (!comprehension.bag<i64, f64>) -> i64

// -----

%M, %x = "test.op"() : () -> (!comprehension.bag<keys = 1, i64, f64>, f64)
%s = comprehension.aggregate add : f64 {
  // expected-error @+1 {{only the rows of a list are sorted, and this is !comprehension.bag<keys = 1, i64, f64>}}
  %k, %v = comprehension.each %M sorted : !comprehension.bag<keys = 1, i64, f64>
  comprehension.yield %x
}
