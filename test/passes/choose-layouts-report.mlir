// RUN: diablo-opt %s -p "choose-layouts{report=true}" --split-input-file 2>&1 | filecheck %s

// The matrix of NAS CG, class A, by rows: the bytes of CSR; A-ZPL's own minimum has the index
// of each row besides.
// CHECK:       region A: A, 14000 x 14000, 1853104 entries
// CHECK-NEXT:    layout: form = auto (here: compressed)
// CHECK-NEXT:    first entry of each row       56,004  0.00 of CSR  4·n0 + 4
// CHECK-NEXT:    index in dimension 1       7,412,416  0.33 of CSR  4·nnz
// CHECK-NEXT:    values of A               14,824,832  0.66 of CSR  8·nnz
// CHECK-NEXT:    together                  22,293,252  1.00 of CSR  4·n0 + 12·nnz + 4
// CHECK-NEXT:    compressed rows (CSR)     22,293,252  1.00 of CSR  4·n0 + 12·nnz + 4
// CHECK-NEXT:    lattice, fields needed    22,349,260  1.00 of CSR  12·nnz + 8·min(nnz, n0) + 12
// CHECK-NEXT:    lattice, all fields       68,503,880  3.07 of CSR
func.func @cg(%A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {diablo.nnz = 1853104, diablo.shape = array<i64: 14000, 14000>, sparse_storage.uses = #sparse_storage.uses<"A", orders = [[0, 1]]>}) {
  func.return
}

// -----

// Two arrays and the Boolean one share the indices. Both orders: one set of values.
// CHECK:       region R: R, A, B, ? x ?
// CHECK-NEXT:    layout: form = auto, orders = {{\[\[}}0, 1], [1, 0]] (here: compressed)
// CHECK-NEXT:    first entry of each row     4·n0 + 4
// CHECK-NEXT:    index in dimension 1        4·nnz
// CHECK-NEXT:    first entry of each column  4·n1 + 4
// CHECK-NEXT:    positions by columns        4·nnz
// CHECK-NEXT:    values of R                 0
// CHECK-NEXT:    values of A                 8·nnz
// CHECK-NEXT:    values of B                 4·nnz
func.func @shared(
    %R: tensor<?x?xi1, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"R", orders = [[0, 1], [1, 0]]>},
    %A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"R", orders = [[0, 1], [1, 0]]>},
    %B: tensor<?x?xf32, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"R", orders = [[0, 1], [1, 0]]>}) {
  func.return
}

// -----

// The 20 points of NAS MG, class C: a few hundred bytes, where CSR has a start for each of n²
// rows.
// CHECK:       region V: V, 512 x 512 x 512, 20 entries
// CHECK-NEXT:    layout: form = coordinates
// CHECK-NEXT:    index in dimension 0    80
// CHECK:         together                400
// CHECK-NEXT:    compressed rows (CSR)   1,048,820
func.func @mg(%V: tensor<?x?x?xf64, #tensor_block.tiles<dense = 0>> {diablo.nnz = 20, diablo.shape = array<i64: 512, 512, 512>, sparse_storage.uses = #sparse_storage.uses<"V", any>}) {
  func.return
}

// -----

// What auto comes to depends on how full a region is: here all, half, and next to nothing.
// CHECK:       layout: form = auto (here: full)
// CHECK-NEXT:    values of F
// CHECK:       layout: form = auto (here: bitmap)
// CHECK-NEXT:    bit of each index       125,000
// CHECK:       layout: form = auto (here: hypersparse)
// CHECK-NEXT:    index in dimension 0 of each list
func.func @densities(
    %F: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {diablo.nnz = 1000000, diablo.shape = array<i64: 1000, 1000>, sparse_storage.uses = #sparse_storage.uses<"F", any>},
    %H: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {diablo.nnz = 500000, diablo.shape = array<i64: 1000, 1000>, sparse_storage.uses = #sparse_storage.uses<"H", any>},
    %L: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {diablo.nnz = 10, diablo.shape = array<i64: 1000, 1000>, sparse_storage.uses = #sparse_storage.uses<"L", any>}) {
  func.return
}

// -----

// The band and the hash of a directory.
// CHECK:       region T: T, ? x ?
// CHECK-NEXT:    layout: form = band
// CHECK-NEXT:    offset of each diagonal  4·diagonals
// CHECK:       region W: W, ? x ? x ?
// CHECK-NEXT:    layout: form = hypersparse, directory = hash
// CHECK:         hash of the lists                       8·min(nnz, n0)
func.func @others(
    %T: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"T", orders = [[0, 1]], band>},
    %W: tensor<?x?x?xf64, #tensor_block.tiles<dense = 0>> {sparse_storage.uses = #sparse_storage.uses<"W", any, random>}) {
  func.return
}
