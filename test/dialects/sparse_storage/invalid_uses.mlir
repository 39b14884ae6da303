// RUN: diablo-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected orders or times or next or previous or slices or single_slices or union or intersect or any or random or boolean or once or band, got 'sorted'}}
"test.op"() {a = #sparse_storage.uses<"A", sorted>} : () -> ()

// -----

// expected-error @+1 {{expected boolean or once or band, got 'any'}}
"test.op"() {a = #sparse_storage.uses<"A", random, any>} : () -> ()

// -----

// expected-error @+1 {{expected the end of the uses, got 'band'}}
"test.op"() {a = #sparse_storage.uses<"A", band, band>} : () -> ()

// -----

// expected-error @+1 {{the orders are of different ranks}}
"test.op"() {a = #sparse_storage.uses<"A", orders = [[0], [0, 1]]>} : () -> ()

// -----

// expected-error @+1 {{[0, 2] is no order of 2 dimensions}}
"test.op"() {a = #sparse_storage.uses<"A", orders = [[0, 2]]>} : () -> ()

// -----

// expected-error @+1 {{1 times are given for 2 orders}}
"test.op"() {a = #sparse_storage.uses<"A", orders = [[0, 1], [1, 0]], times = [3]>} : () -> ()
