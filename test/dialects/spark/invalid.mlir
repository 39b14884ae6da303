// RUN: diablo-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{the key of an RDD is made of indices}}
%r = "test.op"() : () -> !spark.rdd<[f64], []>

// -----

// Data.

%x = "test.op"() : () -> f64
// expected-error @+1 {{expected an array or a bag, got f64}}
%r = spark.parallelize %x : f64 -> !spark.rdd<[], [f64]>

// -----

%A = "test.op"() : () -> tensor<?xf64, #tensor_block.tiles<dense = 0>>
// expected-error @+1 {{tensor<?xf64, #tensor_block.tiles<dense = 0>> is distributed as !spark.rdd<[index], [tensor<?xf64, #tensor_block.storage<dense = 0>>]>, not as !spark.rdd<[index], [tensor<?xf64>]>}}
%r = spark.parallelize %A : tensor<?xf64, #tensor_block.tiles<dense = 0>> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{the step of a range cannot be 0}}
%r = spark.range %n to %n step 0 : !spark.rdd<[], [!comprehension.bag<index>]>

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{the result must be !spark.rdd<[], [!comprehension.bag<index>]>}}
%r = spark.range %n to %n : !spark.rdd<[], [!comprehension.bag<i64>]>

// -----

%n = "test.op"() : () -> index
// expected-error @+1 {{the result must be !spark.rdd<[index], []>, got !spark.rdd<[index, index], []>}}
%r = spark.tiles dims(%n) : !spark.rdd<[index, index], []>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{expected one dimension for each of 1 coordinates of the key, got 2}}
%A = spark.collect %r dims(%n, %n) : !spark.rdd<[index], [tensor<?xf64>]> -> tensor<?xf64>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{tensor<?x?xf64> is distributed as !spark.rdd<[index, index], [tensor<?x?xf64>]>, not as !spark.rdd<[index], [tensor<?xf64>]>}}
%A = spark.collect %r dims(%n) : !spark.rdd<[index], [tensor<?xf64>]> -> tensor<?x?xf64>

// -----

%r = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
// expected-error @+1 {{expected one dimension for each of 1 coordinates of the key, got 0}}
%v = spark.broadcast %r : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.broadcast<tensor<?xf64>>

// -----

%A = "test.op"() : () -> tensor<?xf64>
// expected-error @+1 {{the result must be !spark.broadcast<tensor<?xf64>>, got !spark.broadcast<f64>}}
%v = spark.broadcast %A : tensor<?xf64> -> !spark.broadcast<f64>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], []>, index)
// expected-error @+1 {{expected an RDD of tiles, got !spark.rdd<[index], []>}}
%v = spark.broadcast %r dims(%n) : !spark.rdd<[index], []> -> !spark.broadcast<f64>

// -----

%r = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
// expected-error @+1 {{but got !spark.rdd<[], []>}}
%s = "spark.persist"(%r) : (!spark.rdd<[index], [tensor<?xf64>]>) -> !spark.rdd<[], []>

// -----

// Moves.

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{expected one dimension for each of 1 coordinates of the key, got 2}}
%s = spark.crop %r dims(%n, %n) : !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{key position 1 is out of range, there are 1}}
%s = spark.rekey %r[1, -1] dims(%n, %n) : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index, index], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{expected one dimension for each of 2 positions of the key, got 1}}
%s = spark.rekey %r[0, -1] dims(%n) : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index, index], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{the result must be !spark.rdd<[index, index], [tensor<?xf64>]>, got !spark.rdd<[index], [tensor<?xf64>]>}}
%s = spark.rekey %r[0, -1] dims(%n, %n) : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{the result must be !spark.rdd<[index, index], [tensor<?xf64>]>, got !spark.rdd<[index], [tensor<?xf64>]>}}
%s = spark.replicate %r dims(%n) : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{expected an RDD of rows, got !spark.rdd<[index], [tensor<?xf64>]>}}
%s = spark.route %r[0] dims(%n) : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[], [!comprehension.bag<f64, index>]>, index)
// expected-error @+1 {{folded rows must be an index and one element}}
%s = spark.route %r[1] dims(%n) folded "add" : !spark.rdd<[], [!comprehension.bag<f64, index>]> -> !spark.rdd<[index], [!comprehension.bag<f64, index>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[], [!comprehension.bag<i32, f64>]>, index)
// expected-error @+1 {{the columns of an index must be indices, got (i32)}}
%s = spark.route %r[0] dims(%n) : !spark.rdd<[], [!comprehension.bag<i32, f64>]> -> !spark.rdd<[index], [!comprehension.bag<i32, f64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[], [!comprehension.bag<index, f64>]>, index)
// expected-error @+1 {{expected one dimension for each of 1 columns, got 2}}
%s = spark.route %r[0] dims(%n, %n) : !spark.rdd<[], [!comprehension.bag<index, f64>]> -> !spark.rdd<[index], [!comprehension.bag<index, f64>]>

// -----

%r = "test.op"() : () -> !spark.rdd<[], [!comprehension.bag<i64>]>
// expected-error @+1 {{column 1 is out of range, there are 1}}
%s = spark.hash_rows %r[1] : !spark.rdd<[], [!comprehension.bag<i64>]> -> !spark.rdd<[index], [!comprehension.bag<i64>]>

// -----

%r, %s = "test.op"() : () -> (!spark.rdd<[index], []>, !spark.rdd<[index, index], []>)
// expected-error @+1 {{the RDDs must have equal keys}}
%g = spark.cogroup %r, %s : !spark.rdd<[index], []>, !spark.rdd<[index, index], []> -> !spark.rdd<[index], []>

// -----

%r = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
// expected-error @+1 {{the result must be !spark.rdd<[index], [!spark.group<tensor<?xf64>>]>}}
%g = spark.cogroup %r : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r = "test.op"() : () -> !spark.rdd<[index], []>
// expected-error @+1 {{one of two inputs may be sent, 0 or 1}}
%g = spark.cogroup %r sent [0] : !spark.rdd<[index], []> -> !spark.rdd<[index], []>

// -----

%r, %b = "test.op"() : () -> (!spark.rdd<[index], []>, !comprehension.bag<i64>)
// expected-error @+1 {{the rows of an input matter where one may be sent}}
%g = spark.cogroup %r left(%b : !comprehension.bag<i64>) : !spark.rdd<[index], []> -> !spark.rdd<[index], []>

// -----

// expected-error @+1 {{expected at least one RDD to group}}
%g = "spark.cogroup"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>}> : () -> !spark.rdd<[], []>

// -----

%r = "test.op"() : () -> !spark.rdd<[index, index], [tensor<?x?xf64>]>
// expected-error @+1 {{expected one dimension for each of 2 coordinates of the key, got 0}}
%g = spark.cogroup %r : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index, index], [!spark.group<tensor<?x?xf64>>]>

// -----

%r = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
// expected-error @+1 {{tiles of a grid can be zipped, and no others}}
%g = spark.cogroup %r zipped : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [!spark.group<tensor<?xf64>>]>

// -----

%n = "test.op"() : () -> index
%r = "test.op"() : () -> !spark.rdd<[index, index], [tensor<?x?xf64>]>
// expected-error @+1 {{expected one dimension for each of 2 coordinates of the key, got 1}}
%k = spark.persist %r grid(%n) : !spark.rdd<[index, index], [tensor<?x?xf64>]>

// -----

%n = "test.op"() : () -> index
%r = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
// expected-error @+1 {{records lie by a grid or in buckets, not both}}
%k = spark.persist %r grid(%n) buckets : !spark.rdd<[index], [tensor<?xf64>]>

// -----

%n = "test.op"() : () -> index
%r = "test.op"() : () -> !spark.rdd<[index, index], [tensor<?x?xf64>]>
// expected-error @+1 {{expected one dimension for each of 2 coordinates of the key, got 1}}
%s = spark.reduce_by_key add %r grid(%n) : !spark.rdd<[index, index], [tensor<?x?xf64>]>

// -----

%n = "test.op"() : () -> index
%r = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
// expected-error @+1 {{monoid 'or' is not defined on f64}}
%s = spark.reduce_by_key or %r grid(%n) : !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r = "test.op"() : () -> !spark.rdd<[], [f64]>
// expected-error @+1 {{expected an RDD of i64 alone, got !spark.rdd<[], [f64]>}}
%s = spark.fold add %r : !spark.rdd<[], [f64]> -> i64

// -----

%r = "test.op"() : () -> !spark.rdd<[], [tensor<?xf64>]>
// expected-error @+1 {{monoid 'add' is not defined on tensor<?xf64>}}
%s = spark.fold add %r : !spark.rdd<[], [tensor<?xf64>]> -> tensor<?xf64>

// -----

%r = "test.op"() : () -> !spark.rdd<[], [f64, i64]>
// expected-error @+1 {{expected an RDD of f64, f64, got !spark.rdd<[], [f64, i64]>}}
%s, %t = spark.fold_all [add, max] %r : !spark.rdd<[], [f64, i64]> -> f64, f64

// -----

%r = "test.op"() : () -> !spark.rdd<[], [f64, i64]>
// expected-error @+1 {{there are 2 values, and 1 monoids}}
%s, %t = spark.fold_all [add] %r : !spark.rdd<[], [f64, i64]> -> f64, i64

// -----

%r = "test.op"() : () -> !spark.rdd<[], [f64, i64]>
// expected-error @+1 {{monoid 'or' is not defined on f64}}
%s, %t = spark.fold_all [or, add] %r : !spark.rdd<[], [f64, i64]> -> f64, i64

// -----

// Kernels.

%r = "test.op"() : () -> !spark.rdd<[], [f64]>
// expected-error @+1 {{there is no kernel @nowhere}}
%s = spark.map @nowhere(%r) : !spark.rdd<[], [f64]> -> !spark.rdd<[], [f64]>

// -----

func.func private @kernel(index, index, tensor<?xf64>) -> tensor<?xf64>
%r, %n, %x = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index, f64)
// expected-error @+1 {{kernel @kernel takes (index, index, tensor<?xf64>), but it is given (index, index, tensor<?xf64>, f64)}}
%s = spark.map @kernel(%r) dims(%n) captures(%x : f64) : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

func.func private @kernel(index, index, tensor<?xf64>) -> f64
%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{kernel @kernel gives (f64), but the result has (tensor<?xf64>)}}
%s = spark.map @kernel(%r) dims(%n) : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index, index], [tensor<?x?xf64>]>, index)
// expected-error @+1 {{expected no dimensions or at least one for each of 2 coordinates of the key, got 1}}
%s = spark.map @kernel(%r) dims(%n) : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> !spark.rdd<[index, index], [tensor<?x?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{key position 1 is out of range, there are 1}}
%s = spark.map @kernel(%r) dims(%n) to_keys [1] : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{the key of the result has 1 coordinates, expected 0}}
%s = spark.map @kernel(%r) dims(%n) to_keys [] : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{1 crops for 0 captures}}
%s = spark.map @kernel(%r) dims(%n) crops[(d0) -> (d0)] : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r, %n, %x = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index, f64)
// expected-error @+1 {{a crop maps to the dimensions of a broadcast array, but (d0) -> (d0) is for f64}}
%s = spark.map @kernel(%r) dims(%n) captures(%x : f64) crops[(d0) -> (d0)] : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{expected an RDD of groups, got !spark.rdd<[index], [tensor<?xf64>]>}}
%s = spark.map_groups @kernel(%r) dims(%n) indexing_maps[(d0) -> (d0)] : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [!spark.group<tensor<?xf64>>]>, index)
// expected-error @+1 {{expected one map for each of 1 groups, got 2}}
%s = spark.map_groups @kernel(%r) dims(%n) indexing_maps[(d0) -> (d0), (d0) -> (d0)] : !spark.rdd<[index], [!spark.group<tensor<?xf64>>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [!spark.group<tensor<?xf64>>]>, index)
// expected-error @+1 {{the map of group 0 must pick some of 1 iteration dimensions, got (d0, d1) -> (d0)}}
%s = spark.map_groups @kernel(%r) dims(%n) indexing_maps[(d0, d1) -> (d0)] : !spark.rdd<[index], [!spark.group<tensor<?xf64>>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

func.func private @kernel(index, index, tensor<?xf64>) -> tensor<?xf64>
%r, %n = "test.op"() : () -> (!spark.rdd<[index], [!spark.group<tensor<?xf64>>]>, index)
// expected-error @+1 {{monoid 'and' is not defined on f64}}
%s = spark.map_groups and @kernel(%r) dims(%n) indexing_maps[(d0) -> (d0)] : !spark.rdd<[index], [!spark.group<tensor<?xf64>>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index, index], [tensor<?x?xf64>]>, index)
// expected-error @+1 {{expected one index and one dimension per key}}
%x = spark.extract %r[%n] dims(%n, %n) : !spark.rdd<[index, index], [tensor<?x?xf64>]> -> f64

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{i64 is not the element type}}
%x = spark.extract %r[%n] dims(%n) : !spark.rdd<[index], [tensor<?xf64>]> -> i64

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[], [!comprehension.bag<f64>]>, index)
// expected-error @+1 {{expected an RDD of tiles, got}}
%w = "spark.window"(%r, %n) <{map = affine_map<(d0) -> ()>, operandSegmentSizes = array<i32: 1, 0, 1, 0, 0, 0>}> : (!spark.rdd<[], [!comprehension.bag<f64>]>, index) -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{expected a map from 1 dimensions to 1 indices, got (d0, d1) -> (d0)}}
%w = spark.window %r dims(%n) over(%n) affine_map<(d0, d1) -> (d0)> from(%n) to(%n) : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{the map must be linear in the dimensions, got (d0) -> ((d0 mod 2))}}
%w = spark.window %r dims(%n) over(%n) affine_map<(d0) -> (d0 mod 2)> from(%n) to(%n) : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{expected a period for each of several axes below 1, got 1 for the axes [1]}}
%w = spark.window %r dims(%n) over(%n) affine_map<(d0) -> (d0)> from(%n) to(%n) around [1 : i64](%n) : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{expected one dimension for each of 1 coordinates of the key, got 2}}
%w = spark.window %r dims(%n) over(%n) affine_map<(d0) -> (d0)> from(%n, %n) to(%n) : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?xf64>]>, index)
// expected-error @+1 {{expected an RDD of arrays without keys, got}}
%s = spark.split %r dims(%n) : !spark.rdd<[index], [tensor<?xf64>]> -> !spark.rdd<[index], [tensor<?xf64>]>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[], [tensor<?xf64>]>, index)
// expected-error @+1 {{expected one dimension for each of 1 dimensions of the arrays, got 2}}
%s = spark.split %r dims(%n, %n) : !spark.rdd<[], [tensor<?xf64>]> -> !spark.rdd<[index, index], [tensor<?xf64>]>

// -----

%r = "test.op"() : () -> !spark.rdd<[], [!comprehension.bag<f64>]>
// expected-error @+1 {{only tiles are folded, but these have no keys}}
%v = spark.collect %r folded "add" : !spark.rdd<[], [!comprehension.bag<f64>]> -> !comprehension.bag<f64>

// -----

%r, %n = "test.op"() : () -> (!spark.rdd<[index], [tensor<?x!comprehension.string>]>, index)
// expected-error @+1 {{mul}}
%v = spark.collect %r dims(%n) folded "mul" : !spark.rdd<[index], [tensor<?x!comprehension.string>]> -> tensor<?x!comprehension.string>

// -----

!pairs = !comprehension.bag<i64, f64>

func.func private @sums(!pairs) -> !pairs
%r = "test.op"() : () -> !spark.rdd<[], [!pairs]>
// expected-error @+1 {{column 2 is out of range, there are 2}}
%s = spark.collect_groups @sums(%r[2]) : !spark.rdd<[], [!pairs]> -> !pairs

// -----

!pairs = !comprehension.bag<i64, f64>

func.func private @sums(!pairs, f64) -> !pairs
%r = "test.op"() : () -> !spark.rdd<[], [!pairs]>
// expected-error @+1 {{kernel @sums takes (!comprehension.bag<i64, f64>, f64), but it is given (!comprehension.bag<i64, f64>)}}
%s = spark.collect_groups @sums(%r[0]) : !spark.rdd<[], [!pairs]> -> !pairs

// -----

%A = "test.op"() : () -> tensor<?xf64>
// expected-error @+1 {{what is one batch are rows, not tensor<?xf64>}}
%r = spark.parallelize %A whole : tensor<?xf64> -> !spark.rdd<[index], [tensor<?xf64>]>
