// RUN: diablo-opt %s --split-input-file --verify-diagnostics

// Types.

// expected-error @+1 {{a bucket has a key of one column at least}}
%s = "test.op"() : () -> !multiloop.bucket_reduce<[], add : f64>

// -----

// expected-error @+1 {{'>' expected}}
%s = "test.op"() : () -> !multiloop.bucket_reduce<[i64] add : f64>

// -----

// expected-error @+1 {{a bucket has a key of one column at least}}
%s = "test.op"() : () -> !multiloop.bucket_collect<[], f64>

// -----

// expected-error @+1 {{'>' expected}}
%s = "test.op"() : () -> !multiloop.bucket_collect<[i64] f64>

// -----

// expected-error @+1 {{what is collected are lists with one column at least}}
%s = "test.op"() : () -> !multiloop.bucket_collect<[i64], ()>

// -----

// expected-error @+1 {{a row has no generators, but a column is !multiloop.collect<f64>}}
%s = "test.op"() : () -> !multiloop.bucket_collect<[i64], !multiloop.collect<f64>>

// -----

%b = "test.op"() : () -> !comprehension.bag<i64, f64>
%r = multiloop.loop rows(%b : !comprehension.bag<i64, f64>) -> !comprehension.bag<i64, !comprehension.bag<f64>> {
^bb0(%k: i64, %x: f64, %lists: !multiloop.bucket_collect<[i64], f64>):
  // expected-error @+1 {{!multiloop.bucket_collect<[i64], f64> takes the values (f64), got (f64, f64)}}
  multiloop.emit %lists[%k : i64](%x, %x : f64, f64)
}

// -----

// expected-error @+1 {{Expected ':'}}
%s = "test.op"() : () -> !multiloop.reduce<add, f64>

// -----

// expected-error @+1 {{expected the name of a monoid}}
%s = "test.op"() : () -> !multiloop.reduce<: f64>

// -----

// expected-error @+1 {{type expected}}
%s = "test.op"() : () -> !multiloop.collect<f64, >

// -----

// Sources.

%b = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{Expected one of 'intersect', 'matches', 'points', 'range', 'rows', 'stored', 'union'}}
multiloop.loop columns(%b : !comprehension.bag<f64>) {
^bb0(%x: f64):
}

// -----

%b = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{a loop is over rows or range or matches or points or stored or union or intersect, not columns}}
"multiloop.loop"(%b) <{source = "columns", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> ({
^bb0(%x: f64):
}) : (!comprehension.bag<f64>) -> ()

// -----

%b = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{Expected ':'}}
multiloop.loop rows(%b) {
^bb0(%x: f64):
}

// -----

%b = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{expected 2 operand types but had 1}}
multiloop.loop rows(%b : !comprehension.bag<f64>, !comprehension.bag<f64>) {
^bb0(%x: f64):
}

// -----

%b = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{rows are those of one bag, not of (!comprehension.bag<f64>, !comprehension.bag<f64>)}}
multiloop.loop rows(%b, %b : !comprehension.bag<f64>, !comprehension.bag<f64>) {
^bb0(%x: f64):
}

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{rows are those of one bag, not of (index)}}
multiloop.loop rows(%n : index) {
^bb0(%i: index):
}

// -----

// expected-error @+1 {{rows are those of one bag, not of ()}}
multiloop.loop rows() {}

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{a range is between two indices, not (index)}}
multiloop.loop range(%n : index) {
^bb0(%i: index):
}

// -----

%n = "test.op"() : () -> i64
// expected-error @+1 {{a range is between two indices, not (i64, i64)}}
multiloop.loop range(%n, %n : i64, i64) {
^bb0(%i: i64):
}

// -----

// Bodies.

%b = "test.op"() : () -> !comprehension.bag<f64, i64>
// expected-error @+1 {{the body must begin with the arguments (f64, i64), got (f64)}}
multiloop.loop rows(%b : !comprehension.bag<f64, i64>) {
^bb0(%x: f64):
}

// -----

%b = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{the body must begin with the arguments (f64), got (i64)}}
multiloop.loop rows(%b : !comprehension.bag<f64>) {
^bb0(%x: i64):
}

// -----

%b = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{the body's last arguments are generators, not i64}}
multiloop.loop rows(%b : !comprehension.bag<f64>) {
^bb0(%x: f64, %k: i64):
}

// -----

%b = "test.op"() : () -> !comprehension.bag<!multiloop.collect<f64>>
// expected-error @+1 {{a row has no generators, got (!multiloop.collect<f64>)}}
%r = multiloop.loop rows(%b : !comprehension.bag<!multiloop.collect<f64>>) -> !comprehension.bag<f64> {
^bb0(%x: !multiloop.collect<f64>, %all: !multiloop.collect<f64>):
}

// -----

%b = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{the generators make (!comprehension.bag<f64>, f64), but the results are (f64)}}
%r = multiloop.loop rows(%b : !comprehension.bag<f64>) -> f64 {
^bb0(%x: f64, %all: !multiloop.collect<f64>, %sum: !multiloop.reduce<add : f64>):
}

// -----

%b = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{the generators make (!comprehension.bag<i64, f64>), but the results are (!comprehension.bag<f64>)}}
%r = multiloop.loop rows(%b : !comprehension.bag<f64>) -> !comprehension.bag<f64> {
^bb0(%x: f64, %sums: !multiloop.bucket_reduce<[i64], add : f64>):
}

// -----

%b = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{unknown monoid 'any'}}
%r = multiloop.loop rows(%b : !comprehension.bag<f64>) -> f64 {
^bb0(%x: f64, %last: !multiloop.reduce<any : f64>):
}

// -----

%b = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{monoid 'and' is not defined on f64}}
%r = multiloop.loop rows(%b : !comprehension.bag<f64>) -> !comprehension.bag<f64, f64> {
^bb0(%x: f64, %sums: !multiloop.bucket_reduce<[f64], and : f64>):
}

// -----

%b = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{there is no monoid '@least' in this module}}
%r = multiloop.loop rows(%b : !comprehension.bag<f64>) -> f64 {
^bb0(%x: f64, %least: !multiloop.reduce<@least : f64>):
}

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{the body has no terminator, but ends with 'test.termop'}}
multiloop.loop range(%n, %n : index, index) {
^bb0(%i: index):
  "test.termop"() : () -> ()
}

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{Region 'body' at position 0 expected a single block, but got 2 blocks}}
multiloop.loop range(%n, %n : index, index) {
^bb0(%i: index):
  "test.termop"() [^bb1] : () -> ()
^bb1:
  "test.termop"() : () -> ()
}

// -----

// Generators are for emits alone.

%n = "test.op"() : () -> index
// expected-error @+1 {{a generator is what emits hand values to, not an operand of 'test.op'}}
%s = multiloop.loop range(%n, %n : index, index) -> index {
^bb0(%i: index, %sum: !multiloop.reduce<add : index>):
  "test.op"(%sum) : (!multiloop.reduce<add : index>) -> ()
}

// -----

%n, %go = "test.op"() : () -> (index, i1)
// expected-error @+1 {{a generator is what emits hand values to, not an operand of 'scf.while'}}
%s = multiloop.loop range(%n, %n : index, index) -> index {
^bb0(%i: index, %sum: !multiloop.reduce<add : index>):
  %0 = scf.while (%carried = %sum) : (!multiloop.reduce<add : index>) -> !multiloop.reduce<add : index> {
    scf.condition(%go) %carried : !multiloop.reduce<add : index>
  } do {
  ^bb1(%again: !multiloop.reduce<add : index>):
    scf.yield %again : !multiloop.reduce<add : index>
  }
}

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{a row has no generators, but a column is !multiloop.reduce<add : index>}}
%s, %t = multiloop.loop range(%n, %n : index, index) -> index, !comprehension.bag<!multiloop.reduce<add : index>> {
^bb0(%i: index, %sum: !multiloop.reduce<add : index>, %all: !multiloop.collect<!multiloop.reduce<add : index>>):
  multiloop.emit %all(%sum : !multiloop.reduce<add : index>)
}

// -----

// Emits.

%x = "test.op"() : () -> f64
// expected-error @+1 {{this value must be defined before it is used here}}
multiloop.emit %all(%x : f64)

// -----

%all, %x = "test.op"() : () -> (!multiloop.collect<f64>, f64)
// expected-error @+1 {{values are emitted to a generator of a loop}}
multiloop.emit %all(%x : f64)

// -----

func.func @argument(%all: !multiloop.collect<f64>, %x: f64) {
  // expected-error @+1 {{values are emitted to a generator of a loop}}
  multiloop.emit %all(%x : f64)
  func.return
}

// -----

%n = "test.op"() : () -> index
multiloop.loop range(%n, %n : index, index) {
^bb0(%i: index):
  // expected-error @+1 {{values are emitted to a generator of a loop}}
  multiloop.emit %i(%i : index)
}

// -----

%b = "test.op"() : () -> !comprehension.bag<f64>
%s = multiloop.loop rows(%b : !comprehension.bag<f64>) -> f64 {
^bb0(%x: f64, %sum: !multiloop.reduce<add : f64>):
  // expected-error @+1 {{!multiloop.reduce<add : f64> takes the values (f64), got (f64, f64)}}
  multiloop.emit %sum(%x, %x : f64, f64)
}

// -----

%b = "test.op"() : () -> !comprehension.bag<f64>
%s = multiloop.loop rows(%b : !comprehension.bag<f64>) -> f64 {
^bb0(%x: f64, %sum: !multiloop.reduce<add : f64>):
  // expected-error @+1 {{!multiloop.reduce<add : f64> takes the keys (), got (f64)}}
  multiloop.emit %sum[%x : f64](%x : f64)
}

// -----

%b = "test.op"() : () -> !comprehension.bag<f64>
%s = multiloop.loop rows(%b : !comprehension.bag<f64>) -> !comprehension.bag<i64, f64> {
^bb0(%x: f64, %sums: !multiloop.bucket_reduce<[i64], add : f64>):
  // expected-error @+1 {{!multiloop.bucket_reduce<[i64], add : f64> takes the keys (i64), got ()}}
  multiloop.emit %sums(%x : f64)
}

// -----

%b = "test.op"() : () -> !comprehension.bag<f64>
%s = multiloop.loop rows(%b : !comprehension.bag<f64>) -> !comprehension.bag<f64> {
^bb0(%x: f64, %all: !multiloop.collect<f64>):
  // expected-error @+1 {{!multiloop.collect<f64> takes the values (f64), got ()}}
  multiloop.emit %all()
}

// -----

// What is between an emit and its loop runs as often as it says.

%n = "test.op"() : () -> index
%s = multiloop.loop range(%n, %n : index, index) -> index {
^bb0(%i: index, %sum: !multiloop.reduce<add : index>):
  %A = tensor_block.map parallel(d0 < %n) -> tensor<?xindex> {
  ^bb1(%j: index):
    // expected-error @+1 {{values are not emitted in the body of 'tensor_block.map'}}
    multiloop.emit %sum(%j : index)
    tensor_block.yield %j : index
  }
}

// -----

// A loop's generators are its own.

%n = "test.op"() : () -> index
%s = multiloop.loop range(%n, %n : index, index) -> index {
^bb0(%i: index, %sum: !multiloop.reduce<add : index>):
}
multiloop.loop range(%n, %n : index, index) {
^bb1(%j: index):
  // expected-error @+1 {{this value must be defined before it is used here}}
  multiloop.emit %sum(%j : index)
}

// -----

// Scans and vectors.

%n, %x = "test.op"() : () -> (index, f64)
%s = multiloop.loop range(%n, %n : index, index) -> f64 {
^bb0(%i: index, %sum: !multiloop.scan<add : f64>):
  // expected-error @+1 {{an emit to !multiloop.scan<add : f64> gives (f64), not ()}}
  "multiloop.emit"(%sum, %x) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (!multiloop.scan<add : f64>, f64) -> ()
}

// -----

%n, %x = "test.op"() : () -> (index, f64)
%s = multiloop.loop range(%n, %n : index, index) -> f64 {
^bb0(%i: index, %sum: !multiloop.reduce<add : f64>):
  // expected-error @+1 {{an emit to !multiloop.reduce<add : f64> gives (), not (f64)}}
  %0 = "multiloop.emit"(%sum, %x) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (!multiloop.reduce<add : f64>, f64) -> f64
}

// -----

%n, %x = "test.op"() : () -> (index, f64)
// expected-error @+1 {{monoid 'and' is not defined on f64}}
%s = multiloop.loop range(%n, %n : index, index) -> f64 {
^bb0(%i: index, %all: !multiloop.scan<and : f64>):
  %0 = multiloop.emit %all(%x : f64)
}

// -----

%n, %x = "test.op"() : () -> (index, f64)
%s = multiloop.loop range(%n, %n : index, index) -> tensor<?xf64> {
^bb0(%i: index, %vector: !multiloop.place<f64>):
  // expected-error @+1 {{!multiloop.place<f64> takes the keys (index), got ()}}
  multiloop.emit %vector(%x : f64)
}

// -----

// expected-error @+1 {{a row has no generators, but a column is !multiloop.place<f64>}}
%s = "test.op"() : () -> !multiloop.place<!multiloop.place<f64>>

// -----

%b = "test.op"() : () -> !comprehension.bag<f64>
// expected-error @+1 {{a range and a region alone are gone through in reverse, not rows}}
multiloop.loop rows(%b : !comprehension.bag<f64>) reverse {
^bb0(%x: f64):
}

// -----

%A, %place = "test.op"() : () -> (memref<?x?xf64>, index)
// expected-error @+1 {{what is asked for is an element of a vector, not of memref<?x?xf64>}}
multiloop.prefetch %A[%place] : memref<?x?xf64>

// -----

%A, %place = "test.op"() : () -> (tensor<?xf64>, index)
// expected-error @+1 {{expected the type of a vector in memory}}
multiloop.prefetch %A[%place] : tensor<?xf64>

// -----

%a, %b = "test.op"() : () -> (tensor<?xi8>, index)
// expected-error @+1 {{expected the type of a vector in memory}}
%e = multiloop.read_word %a[%b] : tensor<?xi8>

// -----

%a, %b = "test.op"() : () -> (memref<?xi32>, index)
// expected-error @+1 {{a word is read from a vector of bytes, got memref<?xi32>}}
%e = multiloop.read_word %a[%b] : memref<?xi32>
