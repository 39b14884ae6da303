// What is no loop over the rows of a local bag, or keeps rows by their places, stays as it is.
// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop | filecheck %s
// RUN: diablo-opt %s -p convert-tensor-block-to-multiloop | filecheck %s --check-prefix=NO

// NO-NOT: multiloop
// NO: func.func @lists
// NO-NOT: multiloop

!pairs = !comprehension.bag<i64, f64>
!found = !comprehension.bag<index, f64>

// What a row without a partner gets is no number.
// CHECK-LABEL: func.func @outer_join
// CHECK-NEXT:    tensor_block.join %left[0], %right[0] outer
func.func @outer_join(%left: !pairs, %right: !comprehension.bag<i64, !comprehension.string>)
    -> !comprehension.bag<i64, f64, i64, !comprehension.string> {
  %r = tensor_block.join %left[0], %right[0] outer [0, "none"]
      : !pairs, !comprehension.bag<i64, !comprehension.string> -> !comprehension.bag<i64, f64, i64, !comprehension.string>
  func.return %r : !comprehension.bag<i64, f64, i64, !comprehension.string>
}

// CHECK-LABEL: func.func @sparse_to_bag
// CHECK-NEXT:    tensor_block.to_bag
func.func @sparse_to_bag(%v: tensor<?xf64, #tensor_block.storage<dense = 0>>) -> !found {
  %r = tensor_block.to_bag %v : tensor<?xf64, #tensor_block.storage<dense = 0>> -> !found
  func.return %r : !found
}

// CHECK-LABEL: func.func @tiles_to_bag
// CHECK-NEXT:    tensor_block.to_bag
func.func @tiles_to_bag(%v: tensor<?xf64, #tensor_block.tiles<dense = 1>>) -> !found {
  %r = tensor_block.to_bag %v : tensor<?xf64, #tensor_block.tiles<dense = 1>> -> !found
  func.return %r : !found
}

// CHECK-LABEL: func.func @number_to_bag
// CHECK-NEXT:    tensor_block.to_bag
func.func @number_to_bag(%v: tensor<f64>) -> !comprehension.bag<f64> {
  %r = tensor_block.to_bag %v : tensor<f64> -> !comprehension.bag<f64>
  func.return %r : !comprehension.bag<f64>
}

// CHECK-LABEL: func.func @lookup_in_sparse
// CHECK-NEXT:    tensor_block.lookup %rows[0] in %v stored
func.func @lookup_in_sparse(%rows: !comprehension.bag<index>, %v: tensor<?xf64, #tensor_block.storage<dense = 0>>) -> !found {
  %r = tensor_block.lookup %rows[0] in %v stored : !comprehension.bag<index>, tensor<?xf64, #tensor_block.storage<dense = 0>> -> !found
  func.return %r : !found
}

// CHECK-LABEL: func.func @lookup_in_tiles
// CHECK-NEXT:    tensor_block.lookup %rows[0] in %v
func.func @lookup_in_tiles(%rows: !comprehension.bag<index>, %v: tensor<?xf64, #tensor_block.tiles<dense = 1>>) -> !found {
  %r = tensor_block.lookup %rows[0] in %v : !comprehension.bag<index>, tensor<?xf64, #tensor_block.tiles<dense = 1>> -> !found
  func.return %r : !found
}

// CHECK-LABEL: func.func @lookup_of_text
// CHECK-NEXT:    tensor_block.lookup %rows[0] in %v
func.func @lookup_of_text(%rows: !comprehension.bag<index>, %v: tensor<?x!comprehension.string>) -> !comprehension.bag<index, !comprehension.string> {
  %r = tensor_block.lookup %rows[0] in %v : !comprehension.bag<index>, tensor<?x!comprehension.string> -> !comprehension.bag<index, !comprehension.string>
  func.return %r : !comprehension.bag<index, !comprehension.string>
}

// The row whose place is the last one is kept, not the one that comes last.
// CHECK-LABEL: func.func @kept_by_place
// CHECK-NEXT:    tensor_block.group_reduce %rows keys 1 monoids(place, any)
func.func @kept_by_place(%rows: !comprehension.bag<i64, index, f64>) -> !comprehension.bag<i64, index, f64> {
  %r = tensor_block.group_reduce %rows keys 1 monoids(place, any) : !comprehension.bag<i64, index, f64>
  func.return %r : !comprehension.bag<i64, index, f64>
}

// Of no rows there is no group.
// CHECK-LABEL: func.func @one_group
// CHECK-NEXT:    tensor_block.group_reduce %rows keys 0 monoids(add)
func.func @one_group(%rows: !comprehension.bag<f64>) -> !comprehension.bag<f64> {
  %r = tensor_block.group_reduce %rows keys 0 monoids(add) : !comprehension.bag<f64>
  func.return %r : !comprehension.bag<f64>
}

// All rows as one list, and both of two bags, are no loops over rows.
// CHECK-LABEL: func.func @lists
// CHECK-NEXT:    tensor_block.group %rows
// CHECK:         tensor_block.concat
func.func @lists(%rows: !pairs) -> (!comprehension.bag<!comprehension.bag<i64>, !comprehension.bag<f64>>, !pairs) {
  %r = tensor_block.group %rows keys 0 : !pairs -> !comprehension.bag<!comprehension.bag<i64>, !comprehension.bag<f64>>
  %c = tensor_block.concat %rows, %rows : !pairs, !pairs -> !pairs
  func.return %r, %c : !comprehension.bag<!comprehension.bag<i64>, !comprehension.bag<f64>>, !pairs
}
