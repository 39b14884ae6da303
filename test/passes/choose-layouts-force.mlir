// RUN: diablo-opt %s --pass-pipeline='builtin.module(choose-layouts{force="form = compressed, orders = [[1, 0]]"})' | filecheck %s --check-prefix=ALL
// RUN: diablo-opt %s --pass-pipeline='builtin.module(choose-layouts{force="E: form = full; form = bitmap, width = 64"})' | filecheck %s --check-prefix=NAMED
// RUN: diablo-opt %s --pass-pipeline='builtin.module(choose-layouts{force="x: form = hypersparse"})' | filecheck %s --check-prefix=OTHER
// RUN: diablo-opt %s --pass-pipeline='builtin.module(choose-layouts{force="E: form = CSC; form = coo"})' | filecheck %s --check-prefix=KNOWN
// RUN: diablo-opt %s --pass-pipeline='builtin.module(choose-layouts{force="E: form = Csc; form = Bitmap"})' | filecheck %s --check-prefix=CASE

// Orders of a rank do not count for regions of another one.
// ALL: %E: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = compressed, orders = {{\[\[}}1, 0]]>}
// ALL: %x: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = compressed>}

// NAMED: %E: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = full>}
// NAMED: %x: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = bitmap, width = 64>}

// A region that the text does not name gets what is chosen for it.
// OTHER: %E: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = auto, orders = {{\[\[}}1, 0]]>}
// OTHER: %x: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = hypersparse>}

// What the formats are called elsewhere.
// KNOWN: %E: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = compressed, orders = {{\[\[}}1, 0]]>}
// KNOWN: %x: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = coordinates>}

// In any case.
// CASE: %E: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = compressed, orders = {{\[\[}}1, 0]]>}
// CASE: %x: {{[^{]*}}{sparse_storage.layout = #sparse_storage.layout<form = bitmap>}
func.func @forced(
    %E: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"E", orders = [[1, 0]]>},
    %x: tensor<?xf64, #tensor_block.tiles<dense = 0>> {sparse_storage.uses = #sparse_storage.uses<"x", any>}) {
  func.return
}
