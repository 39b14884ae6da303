// The uses of a region, in the custom and the generic form, come back as they were.
// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s

// CHECK-LABEL: func.func @uses
// CHECK-SAME:      a = #sparse_storage.uses<"A">
// CHECK-SAME:      b = #sparse_storage.uses<"B", orders = {{\[\[}}0, 1], [1, 0]]>
// CHECK-SAME:      c = #sparse_storage.uses<"C", next = [0], previous = [0, 1], slices = {{\[\[}}1]], single_slices = {{\[\[}}0, 2]]>
// CHECK-SAME:      d = #sparse_storage.uses<"D", union = ["A"], intersect = ["B", "C"]>
// CHECK-SAME:      e = #sparse_storage.uses<"E", any, random, boolean, once, band>
// CHECK-SAME:      f = #sparse_storage.uses<"F", orders = {{\[\[}}0, 1], [1, 0]], times = [0, 25], any>
func.func @uses() attributes {
    a = #sparse_storage.uses<"A">,
    b = #sparse_storage.uses<"B", orders = [[0, 1], [1, 0]], next = []>,
    c = #sparse_storage.uses<"C", next = [0], previous = [0, 1], slices = [[1]], single_slices = [[0, 2]]>,
    d = #sparse_storage.uses<"D", union = ["A"], intersect = ["B", "C"]>,
    e = #sparse_storage.uses<"E", any, random, boolean, once, band>,
    f = #sparse_storage.uses<"F", orders = [[0, 1], [1, 0]], times = [0, 25], any>} {
  func.return
}
