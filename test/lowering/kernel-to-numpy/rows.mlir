// RUN: diablo-opt %s -t numpy | filecheck %s

!edges = !comprehension.bag<index, index>

// Row ops call the functions of `diablo.runtime.rows`; bodies work on whole columns.
func.func private @kernel(%edges: !edges, %ranks: tensor<?xf64>, %origin: index, %n: index,
                          %d: f64) -> tensor<?xf64> {
  %0 = "tensor_block.lookup"(%edges, %ranks, %origin) <{columns = array<i64: 0>}>
      : (!edges, tensor<?xf64>, index) -> !comprehension.bag<index, index, f64>
  %1 = "tensor_block.filter"(%0) ({
  ^body(%i: index, %j: index, %r: f64):
    %self = arith.cmpi ne, %i, %j : index
    "tensor_block.yield"(%self) : (i1) -> ()
  }) : (!comprehension.bag<index, index, f64>) -> !comprehension.bag<index, index, f64>
  %2 = "tensor_block.extend"(%1) ({
  ^body(%i: index, %j: index, %r: f64):
    %p = arith.mulf %r, %d : f64
    "tensor_block.yield"(%p) : (f64) -> ()
  }) : (!comprehension.bag<index, index, f64>) -> !comprehension.bag<index, index, f64, f64>
  %3 = "tensor_block.project"(%2) <{columns = array<i64: 1, 3>}>
      : (!comprehension.bag<index, index, f64, f64>) -> !comprehension.bag<index, f64>
  %4 = "tensor_block.group_reduce"(%3) <{keys = 1 : i64, monoids = ["add"]}>
      : (!comprehension.bag<index, f64>) -> !comprehension.bag<index, f64>
  %5 = "tensor_block.from_bag"(%4, %n) <{monoid = "add",
      operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}>
      : (!comprehension.bag<index, f64>, index) -> tensor<?xf64>
  func.return %5 : tensor<?xf64>
}
// CHECK-LABEL: def kernel(edges, ranks, origin, n, d):
// CHECK:         batch = rows.lookup(edges, ranks, (0,), origins=(origin,))
// CHECK-NEXT:    # {{.*}}rows.mlir:10
// CHECK-NEXT:    i, j, _ = rows.columns(batch, 1)
// CHECK-NEXT:    batch_1 = rows.filter(batch, i != j)
// CHECK:         _, _, r = rows.columns(batch_1, 1)
// CHECK-NEXT:    batch_2 = rows.extend(batch_1, (r * d,))
// CHECK:         batch_3 = rows.project(batch_2, (1, 3))
// CHECK:         batch_4 = rows.group_reduce(batch_3, 1, ("add",))
// CHECK:         result = rows.from_rows(batch_4, (n,), 1, np.float64, monoid="add")
// CHECK-NEXT:    return result

// The array whose indices may be shared comes along.
func.func private @within(%rows: !comprehension.bag<index, f64>, %r: tensor<?xi1, #tensor_block.storage<dense = 0>>, %n: index) -> tensor<?xf64, #tensor_block.storage<dense = 0>> {
  %a = tensor_block.from_bag add %rows extents(%n) within(%r : tensor<?xi1, #tensor_block.storage<dense = 0>>)
      : !comprehension.bag<index, f64> -> tensor<?xf64, #tensor_block.storage<dense = 0>>
  func.return %a : tensor<?xf64, #tensor_block.storage<dense = 0>>
}
// CHECK-LABEL: def within(
// CHECK:         rows.from_rows({{.*}}, (n,), 0, np.float64, monoid="add", within=r)

// Ops of a block read the columns of a bag once: the second op finds them in their variables, the
// third needs another one.
func.func private @again(%rows: !edges) -> (!edges, !edges, !edges) {
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = tensor_block.filter %rows : !edges {
  ^bb0(%i: index, %j: index):
    %p = arith.cmpi sgt, %i, %none : index
    tensor_block.yield %p : i1
  }
  %b = tensor_block.filter %rows : !edges {
  ^bb0(%k: index, %j: index):
    %p = arith.cmpi sgt, %k, %one : index
    tensor_block.yield %p : i1
  }
  %c = tensor_block.filter %rows : !edges {
  ^bb0(%i: index, %j: index):
    %p = arith.cmpi sgt, %i, %j : index
    tensor_block.yield %p : i1
  }
  func.return %a, %b, %c : !edges, !edges, !edges
}
// CHECK-LABEL: def again(rows_1):
// CHECK:         i, _ = rows.columns(rows_1, 1)
// CHECK-NEXT:    a = rows.filter(rows_1, i > 0)
// CHECK-NOT:     rows.columns
// CHECK:         b = rows.filter(rows_1, i > 1)
// CHECK:         i_1, j = rows.columns(rows_1, 1)
// CHECK-NEXT:    c = rows.filter(rows_1, i_1 > j)
