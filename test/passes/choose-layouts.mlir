// RUN: diablo-opt %s -p choose-layouts --split-input-file | filecheck %s

// Row by row, or in any order, is what the runtime does by itself: nothing is written down.
// CHECK-LABEL: func.func @by_itself
// CHECK-NOT:     sparse_storage
// CHECK:         func.return
func.func @by_itself(
    %A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"A", orders = [[0, 1]], any>},
    %B: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"B", any>},
    %N: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"N">}) {
  func.return
}

// -----

// All arrays of a region get its layout. A single slice is no reason for an order.
// CHECK-LABEL: func.func @orders
// CHECK-SAME:    %E: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = auto, orders = {{\[\[}}1, 0]]>}
// CHECK-SAME:    %F: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = auto, orders = {{\[\[}}1, 0]]>}
// CHECK-SAME:    %B: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = auto, orders = {{\[\[}}0, 1], [1, 0]]>}
// CHECK-SAME:    %S: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = auto, orders = {{\[\[}}0, 1], [1, 0]]>}
// CHECK-SAME:    %C: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = auto, orders = {{\[\[}}1, 0]]>}
// CHECK-SAME:    %P: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = hypersparse, orders = {{\[\[}}0, 1, 2], [0, 2, 1]]>}
// CHECK-SAME:    %R: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>, %O: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>)
func.func @orders(
    %E: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"E", orders = [[1, 0]]>},
    %F: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"E", orders = [[1, 0]]>},
    %B: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"B", orders = [[1, 0], [0, 1]]>},
    %S: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"S", orders = [[0, 1]], slices = [[1]]>},
    %C: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"C", slices = [[1]], any>},
    %P: tensor<?x?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"P", orders = [[0, 1, 2]], slices = [[0], [0, 2], [0, 1]]>},
    %R: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"R", slices = [[0]]>},
    %O: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"O", orders = [[0, 1]], single_slices = [[1]]>}) {
  func.return
}

// -----

// Single elements are found by an array of lists in matrices, by a hash in higher ranks, where
// lists outnumber entries; slices are by the order that begins with their dimensions.
// CHECK-LABEL: func.func @directories
// CHECK-SAME:    %x: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = auto, directory = array>}
// CHECK-SAME:    %V: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = hypersparse, directory = hash>}
// CHECK-SAME:    %W: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = hypersparse, orders = {{\[\[}}2, 0, 1]]>}
func.func @directories(
    %x: tensor<?xf64, #tensor_block.tiles<dense = 0>> {sparse_storage.uses = #sparse_storage.uses<"x", random>},
    %V: tensor<?x?x?xf64, #tensor_block.tiles<dense = 0>> {sparse_storage.uses = #sparse_storage.uses<"V", any, random>},
    %W: tensor<?x?x?xf64, #tensor_block.tiles<dense = 0>> {sparse_storage.uses = #sparse_storage.uses<"W", slices = [[2]]>}) {
  func.return
}

// -----

// Coordinates for what is only gone through in higher ranks, and for what is built once and
// read once; not for inputs, which come in order, nor for what is looked up in. What is computed
// for a whole box may be full. A band needs no second order and no directory.
// CHECK-LABEL: func.func @forms
// CHECK-SAME:    %V: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = coordinates>}
// CHECK-SAME:    %I: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>,
// CHECK-SAME:    %T: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = band>}
// CHECK:         tensor_block.map
// CHECK-NOT:       sparse_storage.layout
// CHECK:         tensor_block.from_bag
// CHECK-SAME:      {sparse_storage.layout = #sparse_storage.layout<form = coordinates>}
// CHECK:         tensor_block.from_bag
// CHECK-SAME:      {sparse_storage.layout = #sparse_storage.layout<form = auto, directory = array>}
func.func @forms(
    %V: tensor<?x?x?xf64, #tensor_block.tiles<dense = 0>> {sparse_storage.uses = #sparse_storage.uses<"V", any>},
    %I: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"I", any, once>},
    %T: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"T", orders = [[0, 1], [1, 0]], random, band>},
    %rows: !comprehension.bag<index, index, f64>, %n: index) {
  %G = tensor_block.map parallel(d0 < %n, d1 < %n, d2 < %n) -> tensor<?x?x?xf64, #tensor_block.tiles<dense = 0>> attributes {sparse_storage.uses = #sparse_storage.uses<"G", any, once>} {
  ^bb0(%i: index, %j: index, %k: index):
    %v = arith.constant 1.0 : f64
    tensor_block.yield %v : f64
  }
  %A = tensor_block.from_bag %rows extents(%n, %n) {sparse_storage.uses = #sparse_storage.uses<"A", any, once>} : !comprehension.bag<index, index, f64> -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  %B = tensor_block.from_bag %rows extents(%n, %n) {sparse_storage.uses = #sparse_storage.uses<"B", random, once>} : !comprehension.bag<index, index, f64> -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
  func.return
}

// -----

// Extents beyond 32 bits need wider indices, those at the limit do not.
// CHECK-LABEL: func.func @widths
// CHECK-SAME:    %A: {{[^{]*}}{diablo.shape = array<i64: 2147483647, 5>}
// CHECK-SAME:    %B: {{[^{]*}}{diablo.shape = array<i64: 2147483648, 5>, sparse_storage.layout = #sparse_storage.layout<form = auto, width = 64>}
func.func @widths(
    %A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {diablo.shape = array<i64: 2147483647, 5>, sparse_storage.uses = #sparse_storage.uses<"A", any>},
    %B: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {diablo.shape = array<i64: 2147483648, 5>, sparse_storage.uses = #sparse_storage.uses<"B", any>}) {
  func.return
}

// -----

// Held back: without uses nothing is chosen.
// CHECK-LABEL: func.func @unknown
// CHECK-NOT:     sparse_storage
func.func @unknown(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) {
  func.return
}
