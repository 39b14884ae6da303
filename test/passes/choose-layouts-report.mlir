// RUN: diablo-opt %s -p "choose-layouts{report}" --split-input-file 2>&1 | filecheck %s

// The matrix of NAS CG, class A, by rows: the bytes of CSR; A-ZPL's own minimum has the index
// of each row besides.
// CHECK:       region A: A, 14000 x 14000, 1853104 entries
// CHECK-NEXT:    layout: form = auto (here: compressed, CSR)
// CHECK-NEXT:    first entry of each row       56,004               4·n0 + 4
// CHECK-NEXT:    index in dimension 1       7,412,416               4·nnz
// CHECK-NEXT:    values of A               14,824,832               8·nnz
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
// CHECK-NEXT:    layout: form = auto, orders = {{\[\[}}0, 1], [1, 0]] (the form is decided at run time)
// CHECK-NEXT:    first entry of each row           4·n0 + 4
// CHECK-NEXT:    index in dimension 1              4·nnz
// CHECK-NEXT:    first entry of each column        4·n1 + 4
// CHECK-NEXT:    index in dimension 0, by columns  4·nnz
// CHECK-NEXT:    values of R                       0
// CHECK-NEXT:    values of A                       8·nnz
// CHECK-NEXT:    values of B                       4·nnz
func.func @shared(
    %R: tensor<?x?xi1, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"R", orders = [[0, 1], [1, 0]]>},
    %A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"R", orders = [[0, 1], [1, 0]]>},
    %B: tensor<?x?xf32, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"R", orders = [[0, 1], [1, 0]]>}) {
  func.return
}

// -----

// An index in a second order takes what its dimension needs; entries are found in the first.
// CHECK:       region A: A, 20000 x 200, 100000 entries
// CHECK:         first entry of each column
// CHECK-NEXT:    index in dimension 0, by columns   200,000               2·nnz
// CHECK-NEXT:    values of A
// CHECK:       region B: B, 200 x 70000, 100000 entries
// CHECK:         index in dimension 0, by columns   100,000               nnz
// CHECK:       region C: C, 70000 x 70000, 100000 entries
// CHECK:         index in dimension 0, by columns     400,000               4·nnz
func.func @both(
    %A: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {diablo.nnz = 100000, diablo.shape = array<i64: 20000, 200>, sparse_storage.uses = #sparse_storage.uses<"A", orders = [[0, 1], [1, 0]]>},
    %B: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {diablo.nnz = 100000, diablo.shape = array<i64: 200, 70000>, sparse_storage.uses = #sparse_storage.uses<"B", orders = [[0, 1], [1, 0]]>},
    %C: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {diablo.nnz = 100000, diablo.shape = array<i64: 70000, 70000>, sparse_storage.uses = #sparse_storage.uses<"C", orders = [[0, 1], [1, 0]]>}) {
  func.return
}

// -----

// The 20 points of NAS MG, class C: a few hundred bytes, where CSR has a start for each of n²
// rows.
// CHECK:       region V: V, 512 x 512 x 512, 20 entries
// CHECK-NEXT:    layout: form = coordinates
// CHECK-NEXT:    position in the box            80
// CHECK:         together                      240
// CHECK-NEXT:    compressed rows (CSR)   1,048,820
func.func @mg(%V: tensor<?x?x?xf64, #tensor_block.tiles<dense = 0>> {diablo.nnz = 20, diablo.shape = array<i64: 512, 512, 512>, sparse_storage.uses = #sparse_storage.uses<"V", any>}) {
  func.return
}

// -----

// What auto comes to depends on how full a region is: here all, half, and next to nothing. If
// nothing is asked for, no bits are counted.
// CHECK:       layout: form = auto, directory = array (here: full)
// CHECK-NEXT:    values of F
// CHECK:       layout: form = auto, directory = array (here: bitmap)
// CHECK-NEXT:    bit of each index         125,000
// CHECK-NEXT:    rank of words              62,504
// CHECK:       layout: form = auto (here: hypersparse, DCSR)
// CHECK-NEXT:    index in dimension 0 of each list
func.func @densities(
    %F: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {diablo.nnz = 1000000, diablo.shape = array<i64: 1000, 1000>, sparse_storage.uses = #sparse_storage.uses<"F", random>},
    %H: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {diablo.nnz = 500000, diablo.shape = array<i64: 1000, 1000>, sparse_storage.uses = #sparse_storage.uses<"H", random>},
    %L: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {diablo.nnz = 10, diablo.shape = array<i64: 1000, 1000>, sparse_storage.uses = #sparse_storage.uses<"L", any>}) {
  func.return
}

// -----

// Positions in a box of 2**31 or more need 64 bits, indices of its dimensions do not.
// CHECK:       region P: P, 2048 x 1024 x 1024, 10 entries
// CHECK:         position in the box       80
// CHECK:       region Q: Q, 2047 x 1024 x 1024, 10 entries
// CHECK:         position in the box       40
// CHECK:       region Z: Z, 65536 x 65536, 2147483648 entries
// CHECK:         index in dimension 1    17,179,869,184
// CHECK:       region Y: Y, 65536 x 65536, 2147483647 entries
// CHECK:         index in dimension 1     8,589,934,588
func.func @wide(
    %P: tensor<?x?x?xf64, #tensor_block.tiles<dense = 0>> {diablo.nnz = 10, diablo.shape = array<i64: 2048, 1024, 1024>, sparse_storage.uses = #sparse_storage.uses<"P", any>},
    %Q: tensor<?x?x?xf64, #tensor_block.tiles<dense = 0>> {diablo.nnz = 10, diablo.shape = array<i64: 2047, 1024, 1024>, sparse_storage.uses = #sparse_storage.uses<"Q", any>},
    %Z: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {diablo.nnz = 2147483648, diablo.shape = array<i64: 65536, 65536>, sparse_storage.uses = #sparse_storage.uses<"Z", any>},
    %Y: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {diablo.nnz = 2147483647, diablo.shape = array<i64: 65536, 65536>, sparse_storage.uses = #sparse_storage.uses<"Y", any>}) {
  func.return
}

// -----

// The band and the hash of a directory.
// CHECK:       region T: T, ? x ?
// CHECK-NEXT:    layout: form = band
// CHECK-NEXT:    offset of each diagonal  8·diagonals
// CHECK:       region W: W, ? x ? x ?
// CHECK-NEXT:    layout: form = hypersparse, directory = hash
// CHECK:         hash of the entries                8·nnz
func.func @others(
    %T: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {sparse_storage.uses = #sparse_storage.uses<"T", orders = [[0, 1]], band>},
    %W: tensor<?x?x?xf64, #tensor_block.tiles<dense = 0>> {sparse_storage.uses = #sparse_storage.uses<"W", any, random>}) {
  func.return
}

// -----

// Of a region without numbers nobody knows the form before the program runs.
// CHECK:       region E: E, 5000 x 5000
// CHECK-NEXT:    layout: form = auto, directory = array (the form is decided at run time)
// CHECK-NEXT:    first entry of each row  {{.*}}4·n0 + 4
func.func @unknown(%E: tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {diablo.shape = array<i64: 5000, 5000>, sparse_storage.uses = #sparse_storage.uses<"E", random>}) {
  func.return
}
