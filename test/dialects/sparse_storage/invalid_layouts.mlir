// RUN: diablo-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{the form of a layout is one of auto, compressed (CSR, CSC), hypersparse (DCSR, DCSC), coordinates (COO), bitmap, band (diagonal), full, got dense}}
"test.op"() {a = #sparse_storage.layout<form = dense>} : () -> ()

// -----

// expected-error @+1 {{the directory of a layout is one of none, array, hash, got tree}}
"test.op"() {a = #sparse_storage.layout<form = compressed, directory = tree>} : () -> ()

// -----

// expected-error @+1 {{the width of a layout is one of 0, 32, 64, got 16}}
"test.op"() {a = #sparse_storage.layout<form = compressed, width = 16>} : () -> ()

// -----

// expected-error @+1 {{[0, 2] is no order of 2 dimensions}}
"test.op"() {a = #sparse_storage.layout<form = compressed, orders = [[0, 2]]>} : () -> ()

// -----

// expected-error @+1 {{[0] and [0, 1] are orders of different ranks}}
"test.op"() {a = #sparse_storage.layout<form = compressed, orders = [[0], [0, 1]]>} : () -> ()

// -----

// expected-error @+1 {{the order [1, 0] is given twice}}
"test.op"() {a = #sparse_storage.layout<form = compressed, orders = [[1, 0], [1, 0]]>} : () -> ()

// -----

// expected-error @+1 {{expected width, got 'orders'}}
"test.op"() {a = #sparse_storage.layout<form = compressed, directory = hash, orders = [[0]]>} : () -> ()

// -----

// expected-error @+1 {{the rank of a region cannot be negative}}
%r = "test.op"() : () -> !sparse_storage.region<-1>

// -----

// expected-error @+1 {{expected the layout of a region}}
%r = "test.op"() : () -> !sparse_storage.region<1, 7>

// -----

// expected-error @+1 {{[0, 1] is no order of a region of rank 3}}
%r = "test.op"() : () -> !sparse_storage.region<3, #sparse_storage.layout<form = compressed, orders = [[0, 1]]>>

// -----

// expected-error @+1 {{the first order of CSC is [1, 0]}}
"test.op"() {a = #sparse_storage.layout<form = CSC, orders = [[0, 1]]>} : () -> ()

// -----

// expected-error @+1 {{the first order of csr is [0, 1]}}
"test.op"() {a = #sparse_storage.layout<form = csr, orders = [[1, 0], [0, 1]]>} : () -> ()
