// Where arrays are whole so are bags, and one batch holds all of their rows: those with equal keys
// need not be brought together. In blocks they do.
// RUN: diablo-opt %s -p 'convert-tensor-block-to-spark{whole=true}' --split-input-file | filecheck %s
// RUN: diablo-opt %s -p convert-tensor-block-to-spark --split-input-file | filecheck %s --check-prefix=BLOCKS

!pairs = !comprehension.bag<i64, f64>
!lists = !comprehension.bag<i64, !comprehension.bag<f64>>

func.func @main(%L: !pairs) -> !pairs {
  %s = tensor_block.group_reduce %L keys 1 monoids(add) : !pairs
  func.return %s : !pairs
}
// CHECK-LABEL:  func.func @main
// CHECK-NEXT:     %L_1 = spark.parallelize %L
// CHECK-NEXT:     %s = spark.map @kernel_0(%L_1)
// CHECK-NEXT:     spark.collect %s
// CHECK:        func.func private @kernel_0
// CHECK-NEXT:     tensor_block.group_reduce %L keys 1 monoids(add)
// CHECK-NOT:    @kernel_1

// BLOCKS-LABEL: func.func @main
// BLOCKS:         %[[PART:.*]] = spark.map @kernel_0(%L_1)
// BLOCKS-NEXT:    %[[ROWS:.*]] = spark.hash_rows %[[PART]][0]
// BLOCKS-NEXT:    %[[GROUP:.*]] = spark.cogroup %[[ROWS]]
// BLOCKS-NEXT:    %s = spark.map_groups @kernel_1(%[[GROUP]])

// -----

!pairs = !comprehension.bag<i64, f64>
!lists = !comprehension.bag<i64, !comprehension.bag<f64>>

func.func @main(%L: !pairs) -> !lists {
  %g = tensor_block.group %L keys 1 : !pairs -> !lists
  func.return %g : !lists
}
// CHECK-LABEL:  func.func @main
// CHECK-NEXT:     %L_1 = spark.parallelize %L
// CHECK-NEXT:     %g = spark.map @kernel_0(%L_1)
// CHECK-NEXT:     spark.collect %g

// BLOCKS-LABEL: func.func @main
// BLOCKS:         spark.hash_rows %L_1[0]
// BLOCKS-NEXT:    spark.cogroup
// BLOCKS-NEXT:    %g = spark.map_groups @kernel_0

// -----

!pairs = !comprehension.bag<i64, f64>

// Both sides become one batch, so that what follows has all rows in one.
func.func @main(%L: !pairs, %R: !pairs) -> !pairs {
  %c = tensor_block.concat %L, %R : !pairs, !pairs -> !pairs
  %s = tensor_block.group_reduce %c keys 1 monoids(add) : !pairs
  func.return %s : !pairs
}
// CHECK-LABEL:  func.func @main
// CHECK-NOT:      spark.union
// CHECK:          %[[LEFT:.*]] = spark.hash_rows %L_1[]
// CHECK-NEXT:     %[[RIGHT:.*]] = spark.hash_rows %R_1[]
// CHECK-NEXT:     %[[BOTH:.*]] = spark.cogroup %[[LEFT]], %[[RIGHT]]
// CHECK-NEXT:     %s = spark.map_groups @kernel_0(%[[BOTH]])
// CHECK-NEXT:     spark.collect %s
// CHECK:        func.func private @kernel_0
// CHECK-NEXT:     %c = tensor_block.concat %L, %R
// CHECK-NEXT:     tensor_block.group_reduce %c

// BLOCKS-LABEL: func.func @main
// BLOCKS:         %c = spark.union %L_1, %R_1
// BLOCKS-NEXT:    spark.map @kernel_0(%c)
// BLOCKS-NEXT:    spark.hash_rows

// -----

!pairs = !comprehension.bag<i64, f64>
!map = !comprehension.bag<keys = 1, i64, f64>

// The rows of an update are not reduced before they meet the map.
func.func @main(%M: !map, %R: !pairs) -> !map {
  %s = tensor_block.update add %M with %R : !map, !pairs
  func.return %s : !map
}
// CHECK-LABEL:  func.func @main
// CHECK-NOT:      spark.map @
// CHECK:          %s = spark.map_groups @kernel_0
// CHECK-NOT:      group_reduce

// BLOCKS-LABEL: func.func @main
// BLOCKS:         %[[PART:.*]] = spark.map @kernel_0(%R_1)
// BLOCKS-NEXT:    spark.hash_rows %M_1[0]
// BLOCKS-NEXT:    spark.hash_rows %[[PART]][0]
// BLOCKS:       func.func private @kernel_0
// BLOCKS-NEXT:    tensor_block.group_reduce

// -----

// What is done with the rows of a whole array is done where they are made: one kernel, and no column
// of indices that nobody reads.
// CHECK-LABEL: func.func @rows_of_a_vector
// CHECK:         %[[ROWS:.*]] = func.call @kernel_0(%V, %k)
// CHECK-NEXT:    spark.parallelize %[[ROWS]]
// CHECK-NOT:     spark.map
// CHECK:         func.func private @kernel_0
// CHECK-NEXT:      tensor_block.to_bag
// CHECK-NEXT:      tensor_block.filter
// CHECK:           tensor_block.project
func.func @rows_of_a_vector(%V: tensor<?xf64, #tensor_block.tiles<dense = 1>>, %k: f64) -> !comprehension.bag<f64> {
  %rows = tensor_block.to_bag %V : tensor<?xf64, #tensor_block.tiles<dense = 1>> -> !comprehension.bag<index, f64>
  %some = tensor_block.filter %rows : !comprehension.bag<index, f64> {
  ^bb0(%i: index, %x: f64):
    %p = arith.cmpf ogt, %x, %k : f64
    tensor_block.yield %p : i1
  }
  %values = tensor_block.project %some[1] : !comprehension.bag<index, f64> -> !comprehension.bag<f64>
  func.return %values : !comprehension.bag<f64>
}

// -----

!pairs = !comprehension.bag<i64, f64>
!lists = !comprehension.bag<i64, !comprehension.bag<f64>>

// What goes through groups, lists as well, is another loop than the one that makes them.
func.func @main(%L: !pairs) -> !comprehension.bag<f64> {
  %g = tensor_block.group %L keys 1 : !pairs -> !lists
  %e = tensor_block.extend %g : !lists -> !comprehension.bag<i64, !comprehension.bag<f64>, f64> {
  ^bb0(%k: i64, %xs: !comprehension.bag<f64>):
    %s = comprehension.reduce add %xs : !comprehension.bag<f64>
    tensor_block.yield %s : f64
  }
  %r = tensor_block.project %e[2] : !comprehension.bag<i64, !comprehension.bag<f64>, f64> -> !comprehension.bag<f64>
  func.return %r : !comprehension.bag<f64>
}
// CHECK-LABEL:  func.func @main
// CHECK:          %g = spark.map @kernel_0(%L_1)
// CHECK-NEXT:     %r = spark.map @kernel_1(%g)

// BLOCKS-LABEL: func.func @main
// BLOCKS:         %r = spark.map_groups @kernel_0
// BLOCKS-NEXT:    spark.collect %r

// -----

!pairs = !comprehension.bag<i64, f64>
!lists = !comprehension.bag<i64, !comprehension.bag<f64>>

// How many rows come of a list is not known before; what groups them stays apart.
func.func @main(%L: !lists) -> !pairs {
  %u = tensor_block.unnest %L[1] : !lists -> !comprehension.bag<i64, !comprehension.bag<f64>, f64>
  %p = tensor_block.project %u[0, 2] : !comprehension.bag<i64, !comprehension.bag<f64>, f64> -> !pairs
  %s = tensor_block.group_reduce %p keys 1 monoids(add) : !pairs
  func.return %s : !pairs
}
// CHECK-LABEL:  func.func @main
// CHECK:          spark.map @kernel_0(%L_1)
// CHECK-NEXT:     %s = spark.map @kernel_1
