// The layout and the region type, in the custom and the generic form, come back as they were.
// RUN: diablo-opt %s | diablo-opt | filecheck %s
// RUN: diablo-opt %s --print-op-generic | diablo-opt | filecheck %s

// CHECK-LABEL: func.func @layouts
// CHECK-SAME:      a = #sparse_storage.layout<form = auto>
// CHECK-SAME:      b = #sparse_storage.layout<form = compressed, orders = {{\[\[}}0, 1], [1, 0]]>
// CHECK-SAME:      c = #sparse_storage.layout<form = hypersparse, orders = {{\[\[}}2, 0, 1]], directory = hash, width = 64>
// CHECK-SAME:      d = #sparse_storage.layout<form = coordinates, directory = array>
// CHECK-SAME:      e = #sparse_storage.layout<form = band, width = 32>
// CHECK-SAME:      f = #sparse_storage.layout<form = bitmap>
// CHECK-SAME:      g = #sparse_storage.layout<form = full>
func.func @layouts() attributes {
    a = #sparse_storage.layout<form = auto>,
    b = #sparse_storage.layout<form = compressed, orders = [[0, 1], [1, 0]], directory = none>,
    c = #sparse_storage.layout<form = hypersparse, orders = [[2, 0, 1]], directory = hash, width = 64>,
    d = #sparse_storage.layout<form = coordinates, orders = [], directory = array>,
    e = #sparse_storage.layout<form = band, width = 32>,
    f = #sparse_storage.layout<form = bitmap, width = 0>,
    g = #sparse_storage.layout<form = full>} {
  func.return
}

// CHECK-LABEL: func.func @regions
// CHECK-SAME:      %a: !sparse_storage.region<2>
// CHECK-SAME:      %b: !sparse_storage.region<0>
// CHECK-SAME:      %c: !sparse_storage.region<2, #sparse_storage.layout<form = compressed, orders = {{\[\[}}1, 0]]>>
func.func @regions(%a: !sparse_storage.region<2, #sparse_storage.layout<form = auto>>,
                   %b: !sparse_storage.region<0>,
                   %c: !sparse_storage.region<2, #sparse_storage.layout<form = compressed, orders = [[1, 0]]>>) {
  func.return
}
