// The ops on rows that hold lists, in the custom and the generic form, come back as they were.
// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

!rows = !comprehension.bag<i64, f64, i64>
!list = !comprehension.bag<f64, i64>
!map = !comprehension.bag<keys = 1, i64, f64, i64>
!sums = !comprehension.bag<keys = 1, i64, f64>

// CHECK-LABEL: func.func @rows
// CHECK-NEXT:    %groups = tensor_block.group %r keys 1 : !comprehension.bag<i64, f64, i64> -> !comprehension.bag<i64, !comprehension.bag<f64, i64>>
// CHECK-NEXT:    %apart = tensor_block.group %r keys 1 {a} : !comprehension.bag<i64, f64, i64> -> !comprehension.bag<i64, !comprehension.bag<f64>, !comprehension.bag<i64>>
// CHECK-NEXT:    %whole = tensor_block.group %r keys 0 : !comprehension.bag<i64, f64, i64> -> !comprehension.bag<!comprehension.bag<i64, f64, i64>>
// CHECK-NEXT:    %open = tensor_block.unnest %groups[1] {b} : !comprehension.bag<i64, !comprehension.bag<f64, i64>> -> !comprehension.bag<i64, !comprehension.bag<f64, i64>, f64, i64>
// CHECK-NEXT:    %numbered = tensor_block.number %r {c} : !comprehension.bag<i64, f64, i64> -> !comprehension.bag<i64, f64, i64, i64>
// CHECK-NEXT:    %both = tensor_block.concat %r, %r {d} : !comprehension.bag<i64, f64, i64>, !comprehension.bag<i64, f64, i64> -> !comprehension.bag<i64, f64, i64>
// CHECK-NEXT:    %map = tensor_block.to_map %r {e} : !comprehension.bag<i64, f64, i64> -> !comprehension.bag<keys = 1, i64, f64, i64>
// CHECK-NEXT:    %set = tensor_block.update %map with %r {f} : !comprehension.bag<keys = 1, i64, f64, i64>, !comprehension.bag<i64, f64, i64>
// CHECK-NEXT:    %pair = tensor_block.project %r[0, 1] : !comprehension.bag<i64, f64, i64> -> !comprehension.bag<i64, f64>
// CHECK-NEXT:    %sums = tensor_block.to_map %pair : !comprehension.bag<i64, f64> -> !comprehension.bag<keys = 1, i64, f64>
// CHECK-NEXT:    %more = tensor_block.update add %sums with %pair : !comprehension.bag<keys = 1, i64, f64>, !comprehension.bag<i64, f64>
// GENERIC:      "tensor_block.group"(%r) <{keys = 1 : i64}>
// GENERIC:      "tensor_block.unnest"(%groups) <{column = 1 : i64}>
// GENERIC:      "tensor_block.number"(%r)
// GENERIC-NEXT: "tensor_block.concat"(%r, %r)
// GENERIC-NEXT: "tensor_block.to_map"(%r)
// GENERIC-NEXT: "tensor_block.update"(%map, %r) {f} : (
// GENERIC:      "tensor_block.update"(%sums, %pair) <{monoid = "add"}>
func.func @rows(%r: !rows) {
  %groups = tensor_block.group %r keys 1 : !rows -> !comprehension.bag<i64, !list>
  %apart = tensor_block.group %r keys 1 {a}
      : !rows -> !comprehension.bag<i64, !comprehension.bag<f64>, !comprehension.bag<i64>>
  %whole = tensor_block.group %r keys 0 : !rows -> !comprehension.bag<!rows>
  %open = tensor_block.unnest %groups[1] {b}
      : !comprehension.bag<i64, !list> -> !comprehension.bag<i64, !list, f64, i64>
  %numbered = tensor_block.number %r {c} : !rows -> !comprehension.bag<i64, f64, i64, i64>
  %both = tensor_block.concat %r, %r {d} : !rows, !rows -> !rows
  %map = tensor_block.to_map %r {e} : !rows -> !map
  %set = tensor_block.update %map with %r {f} : !map, !rows
  %pair = tensor_block.project %r[0, 1] : !rows -> !comprehension.bag<i64, f64>
  %sums = tensor_block.to_map %pair : !comprehension.bag<i64, f64> -> !sums
  %more = tensor_block.update add %sums with %pair : !sums, !comprehension.bag<i64, f64>
  func.return
}

// What a row has not: a partner, an element.
// CHECK-LABEL: func.func @absent
// CHECK-NEXT:    tensor_block.join %r[0], %s[0] outer [0 : i64, unit] : !comprehension.bag<i64, index>, !comprehension.bag<i64, !comprehension.bag<f64, i64>> -> !comprehension.bag<i64, index, i64, !comprehension.bag<f64, i64>>
// CHECK-NEXT:    tensor_block.lookup %r[1] in %A probe : !comprehension.bag<i64, index>, tensor<?xf64> -> !comprehension.bag<i64, index, f64, i1>
// CHECK-NEXT:    tensor_block.group_reduce %r keys 1 monoids(any) : !comprehension.bag<i64, index>
// GENERIC:      "tensor_block.join"(%r, %s) <{left_keys = array<i64: 0>, right_keys = array<i64: 0>, outer = [0 : i64, unit]}>
// GENERIC-NEXT: "tensor_block.lookup"(%r, %A) <{columns = array<i64: 1>, probe}>
func.func @absent(%r: !comprehension.bag<i64, index>, %s: !comprehension.bag<i64, !list>, %A: tensor<?xf64>) {
  %all = tensor_block.join %r[0], %s[0] outer [0 : i64, unit]
      : !comprehension.bag<i64, index>, !comprehension.bag<i64, !list>
      -> !comprehension.bag<i64, index, i64, !list>
  %found = tensor_block.lookup %r[1] in %A probe
      : !comprehension.bag<i64, index>, tensor<?xf64> -> !comprehension.bag<i64, index, f64, i1>
  %one = tensor_block.group_reduce %r keys 1 monoids(any) : !comprehension.bag<i64, index>
  func.return
}

// Bodies may fold a row's own list, and make an array of it.
// CHECK-LABEL: func.func @bodies
// CHECK:           %n = comprehension.length %vs : !comprehension.bag<index, f64>
// CHECK-NEXT:      %a = tensor_block.from_bag add %vs extents(%m) : !comprehension.bag<index, f64> -> tensor<?xf64>
// CHECK-NEXT:      tensor_block.yield %n, %a : i64, tensor<?xf64>
func.func @bodies(%r: !comprehension.bag<!comprehension.bag<index, f64>>, %m: index) {
  %e = tensor_block.extend %r : !comprehension.bag<!comprehension.bag<index, f64>>
      -> !comprehension.bag<!comprehension.bag<index, f64>, i64, tensor<?xf64>> {
  ^bb0(%vs: !comprehension.bag<index, f64>):
    %n = comprehension.length %vs : !comprehension.bag<index, f64>
    %a = tensor_block.from_bag add %vs extents(%m) : !comprehension.bag<index, f64> -> tensor<?xf64>
    tensor_block.yield %n, %a : i64, tensor<?xf64>
  }
  func.return
}
