// Kernels over sparse tiles that run over what these store.
// RUN: diablo-opt %s -p convert-tensor-block-to-sparse-storage,canonicalize,cse --split-input-file | filecheck %s
// RUN: diablo-opt %s -p 'convert-tensor-block-to-sparse-storage{split=true exact=true}' --split-input-file | filecheck %s --check-prefix=SPLIT

// A product of any monoid: what a row gives is kept in a register.
// CHECK-LABEL: func.func private @min_plus(%A: tensor<?x?xf64, #tensor_block.storage<dense = 1>>, %x: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
// CHECK:         %A_region, %A_values = sparse_storage.unpack %A
// CHECK:         %y = memref.alloc(%n) : memref<?xf64>
// CHECK:         multiloop.loop range(%zero, %n : index, index) {
// CHECK-NEXT:    ^bb0(%i: index):
// CHECK-NEXT:      %part = sparse_storage.slice %A_region[%i, *]
// CHECK-NEXT:      %[[least:.*]] = multiloop.loop stored(%part : !sparse_storage.region<1>) -> f64 {
// CHECK-NEXT:      ^bb{{.*}}(%j: index, %p: index, %acc: !multiloop.reduce<min : f64>):
// CHECK-NEXT:        %a = sparse_storage.value %A_values[%p]
// CHECK-NEXT:        %[[inside:.*]] = arith.cmpi slt, %j, %m : index
// CHECK-NEXT:        scf.if %[[inside]] {
// CHECK-NEXT:          %b = memref.load %x{{.*}}[%j]
// CHECK:               multiloop.emit %acc(
// CHECK:           memref.store %[[least]], %y[%i]
// CHECK:         %[[result:.*]] = bufferization.to_tensor %y
// CHECK-NEXT:    func.return %[[result]]
// SPLIT-LABEL: func.func private @min_plus(
// SPLIT-SAME:      %begin: index {sparse_storage.split}, %end: index {sparse_storage.split}) -> tensor<?xf64> {
// SPLIT:         multiloop.loop range(%begin, %end : index, index)
// SPLIT-NOT:       arith.cmpi slt
// SPLIT:         func.return
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
func.func private @min_plus(%A: !rows, %x: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %y = tensor_block.reduce min parallel(d0 < %n) reduced(d1 < %m) ins(%x[d1] : tensor<?xf64>, %A[d0, d1] : !rows) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %b: f64, %a: f64):
    %zero = arith.constant 0.0 : f64
    %inf = arith.constant 0x7FF0000000000000 : f64
    %there = arith.cmpf une, %a, %zero : f64
    %s = arith.addf %b, %a : f64
    %w = arith.select %there, %s, %inf : f64
    tensor_block.yield %w : f64
  }
  func.return %y : tensor<?xf64>
}

// -----

// Sums of columns are kept in memory, which threads must not share.
// CHECK-LABEL: func.func private @column_sums(
// CHECK:         multiloop.loop range(%zero, %m : index, index)
// CHECK:           memref.store %identity, %s[
// CHECK:         multiloop.loop stored(%A_region : {{.*}} {
// CHECK-NEXT:    ^bb{{.*}}(%j: index, %i: index, %p: index):
// CHECK:           %acc = memref.load %s[%i]
// CHECK:           memref.store %{{.*}}, %s[%i]
// SPLIT-LABEL: func.func private @column_sums(
// SPLIT-NOT:     %begin
// SPLIT:         func.return
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
func.func private @column_sums(%A: !rows, %n: index, %m: index) -> tensor<?xf64> {
  %s = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n) ins(%A[d1, d0] : !rows) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64):
    tensor_block.yield %a : f64
  }
  func.return %s : tensor<?xf64>
}

// -----

// A result that has the pattern of an input is its values; the dense factors are read there only.
// CHECK-LABEL: func.func private @sampled(
// CHECK:         %size = sparse_storage.size %S_region
// CHECK-NEXT:    %r = memref.alloc(%size) : memref<?xf64>
// CHECK:         multiloop.loop stored(
// CHECK:           %[[total:.*]] = multiloop.loop range(%zero, %k : index, index) -> f64 {
// CHECK:             memref.load %U
// CHECK:             memref.load %V
// CHECK:           memref.store %[[total]], %r[%p]
// CHECK:         sparse_storage.pack %S_region, %r
// SPLIT-LABEL: func.func private @sampled(
// SPLIT:         multiloop.loop range(%begin, %end : index, index)
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
func.func private @sampled(%S: !rows, %U: tensor<?x?xf64>, %V: tensor<?x?xf64>, %n: index, %m: index, %k: index) -> !rows {
  %r = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %k) ins(%S[d0, d1] : !rows, %U[d0, d2] : tensor<?x?xf64>, %V[d1, d2] : tensor<?x?xf64>) -> !rows {
  ^bb0(%i: index, %j: index, %l: index, %a: f64, %u: f64, %w: f64):
    %p = arith.mulf %u, %w : f64
    %v = arith.mulf %a, %p : f64
    tensor_block.yield %v : f64
  }
  func.return %r : !rows
}

// -----

// What both arrays store, and what one of them does.
// CHECK-LABEL: func.func private @joint(
// CHECK:         multiloop.loop range({{.*}}) -> f64 {
// CHECK:           multiloop.loop intersect(%{{.*}}, %{{.*}} : {{.*}}) {
// CHECK:         multiloop.loop range({{.*}}) -> f64 {
// CHECK:           multiloop.loop union(%{{.*}}, %{{.*}} : {{.*}}) {
// CHECK:           ^bb{{.*}}(%j{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %[[in_a:.*]]: i1, %[[in_b:.*]]: i1):
// CHECK:           scf.if %[[in_a]]
// CHECK:           scf.if %[[in_b]]
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
func.func private @joint(%A: !rows, %B: !rows, %n: index, %m: index) -> (f64, f64) {
  %p = tensor_block.reduce add reduced(d0 < %n, d1 < %m) ins(%A[d0, d1] : !rows, %B[d0, d1] : !rows) -> f64 {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  %d = tensor_block.reduce add reduced(d0 < %n, d1 < %m) ins(%A[d0, d1] : !rows, %B[d0, d1] : !rows) -> f64 {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %w = arith.subf %a, %b : f64
    %v = arith.mulf %w, %w : f64
    tensor_block.yield %v : f64
  }
  func.return %p, %d : f64, f64
}

// -----

// The rows of an array that are filtered and folded need not be made.
// CHECK-LABEL: func.func private @conditional(
// CHECK:         multiloop.loop range(%zero, %{{.*}} : index, index) -> f64 {
// CHECK:           multiloop.loop stored(
// CHECK:             %[[e:.*]] = sparse_storage.value %A_values[%p]
// CHECK:             %[[test:.*]] = arith.cmpf ogt, %[[e]],
// CHECK:             scf.if %[[test]] {
// CHECK:               multiloop.emit
// CHECK-NOT:   tensor_block
// SPLIT-LABEL: func.func private @conditional(
// SPLIT:         multiloop.loop range(%begin, %end : index, index)
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
func.func private @conditional(%A: !rows) -> f64 {
  %bag = tensor_block.to_bag %A : !rows -> !comprehension.bag<index, index, f64>
  %large = tensor_block.filter %bag : !comprehension.bag<index, index, f64> {
  ^bb0(%i: index, %j: index, %a: f64):
    %half = arith.constant 0.5 : f64
    %is_large = arith.cmpf ogt, %a, %half : f64
    tensor_block.yield %is_large : i1
  }
  %values = tensor_block.project %large[2] : !comprehension.bag<index, index, f64> -> !comprehension.bag<f64>
  %sum = tensor_block.fold add %values : !comprehension.bag<f64>
  func.return %sum : f64
}

// -----

// The layout of an argument is what its attribute says; ops over dense arrays are loops over points.
// CHECK-LABEL: func.func private @laid_out(
// CHECK:         sparse_storage.unpack %A : {{.*}} -> !sparse_storage.region<2, #sparse_storage.layout<form = hypersparse>>
// CHECK:         %y = multiloop.loop points(d0 < %m)
// CHECK:         %[[buffer:.*]] = bufferization.to_buffer %y
// CHECK:         multiloop.loop stored(
// CHECK:           memref.load %[[buffer]][
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
func.func private @laid_out(%A: !rows {sparse_storage.layout = #sparse_storage.layout<form = hypersparse>}, %x: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %y = tensor_block.map parallel(d0 < %m) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %b: f64):
    %w = arith.mulf %b, %b : f64
    tensor_block.yield %w : f64
  }
  %r = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m) ins(%A[d0, d1] : !rows, %y[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %r : tensor<?xf64>
}

// -----

// A dense array that changes where a region, moved by a row, stores elements.
// CHECK-LABEL: func.func private @changed(
// CHECK:         %N = memref.alloc(%n, %m)
// CHECK:         multiloop.loop range(
// CHECK:           multiloop.loop range(
// CHECK:             memref.load %T
// CHECK-NEXT:        memref.store %{{.*}}, %N[
// CHECK:         multiloop.loop range(%zero, %{{.*}} : index, index) {
// CHECK-NEXT:    ^bb{{.*}}(%row: index):
// CHECK:           %[[i:.*]] = arith.subi %row, %{{.*}} : index
// CHECK-NEXT:      %[[below:.*]] = arith.cmpi slt, %[[i]], %n : index
// CHECK-NEXT:      scf.if %[[below]] {
// CHECK-NEXT:        %part = sparse_storage.slice %R_region[%row, *]
// CHECK-NEXT:        multiloop.loop stored(%part
// CHECK:               arith.cmpi slt, %{{.*}}, %m : index
// CHECK:                 arith.cmpi ult, %{{.*}}, %{{.*}} : index
// CHECK:                 memref.store %{{.*}}, %N[%[[i]], %{{.*}}]
// SPLIT-LABEL: func.func private @changed(
// SPLIT:         memref.alloc
// SPLIT-NOT:     memref.store
// SPLIT:         multiloop.loop range(%begin, %end : index, index)
!region = tensor<?x?xi1, #tensor_block.storage<dense = 1>>
func.func private @changed(%R: !region, %T: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  %N = tensor_block.map parallel(d0 < %n, d1 < %m)
      ins(%R[d0 - 1, d1] : !region, %T[d0, d1] : tensor<?x?xf64>, %T[d0, d1 - 1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %r: i1, %t: f64, %left: f64):
    %v = arith.select %r, %left, %t : f64
    tensor_block.yield %v : f64
  }
  func.return %N : tensor<?x?xf64>
}

// -----

// A sparse sum of two arrays, which the caller says have one region.
// CHECK-LABEL: func.func private @sum_over_one_region(
// CHECK:         tensor_block.map
// SPLIT-LABEL: func.func private @sum_over_one_region(
// SPLIT:         multiloop.loop stored(%part
// SPLIT:           sparse_storage.value %A_values[%p]
// SPLIT-NEXT:      sparse_storage.value %B_values[%p]
// SPLIT-NOT:       sparse_storage.lookup
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
func.func private @sum_over_one_region(%A: !rows, %B: !rows, %n: index, %m: index) -> !rows {
  %s = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%A[d0, d1] : !rows, %B[d0, d1] : !rows) -> !rows {
  ^bb0(%i: index, %j: index, %a: f64, %b: f64):
    %v = arith.addf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %s : !rows
}

// -----

// The lists of B at the columns of A's elements. That these are stored need not be tested.
// CHECK-LABEL: func.func private @product_of_minima
// SPLIT-LABEL: func.func private @product_of_minima
// CHECK:         multiloop.loop range(
// CHECK:           %[[ROW:.*]] = sparse_storage.slice %A_region[%i, *]
// CHECK:           multiloop.loop stored(%[[ROW]] :
// CHECK:             %[[LIST:.*]] = sparse_storage.slice %B_region[%k, *]
// CHECK-NEXT:        multiloop.loop stored(%[[LIST]] :
// CHECK-NOT:           arith.cmpf
// CHECK-NOT:           scf.if
// CHECK:               arith.addf
// CHECK-NOT:     sparse_storage.lookup
func.func private @product_of_minima(%A: tensor<?x?xf64, #tensor_block.storage<dense = 1>>, %B: tensor<?x?xf64, #tensor_block.storage<dense = 1>>) -> tensor<?x?xf64> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %n = tensor.dim %A, %0 : tensor<?x?xf64, #tensor_block.storage<dense = 1>>
  %l = tensor.dim %A, %1 : tensor<?x?xf64, #tensor_block.storage<dense = 1>>
  %m = tensor.dim %B, %1 : tensor<?x?xf64, #tensor_block.storage<dense = 1>>
  %inf = arith.constant 0x7FF0000000000000 : f64
  %zero = arith.constant 0.0 : f64
  %r = tensor_block.reduce min parallel(d0 < %n, d1 < %m) reduced(d2 < %l) ins(%A[d0, d2] : tensor<?x?xf64, #tensor_block.storage<dense = 1>>, %B[d2, d1] : tensor<?x?xf64, #tensor_block.storage<dense = 1>>) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %there = arith.cmpf une, %a, %zero : f64
    %too = arith.cmpf une, %b, %zero : f64
    %both = arith.andi %there, %too : i1
    %v = scf.if %both -> (f64) {
      %s = arith.addf %a, %b : f64
      scf.yield %s : f64
    } else {
      scf.yield %inf : f64
    }
    tensor_block.yield %v : f64
  }
  func.return %r : tensor<?x?xf64>
}

// Held back: B has no lists at the columns of A's elements, so it is looked into.
// CHECK-LABEL: func.func private @other_order
// CHECK:         sparse_storage.lookup %B_region
func.func private @other_order(%A: tensor<?x?xf64, #tensor_block.storage<dense = 1>>, %B: tensor<?x?xf64, #tensor_block.storage<dense = 1>>) -> tensor<?x?xf64> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %n = tensor.dim %A, %0 : tensor<?x?xf64, #tensor_block.storage<dense = 1>>
  %l = tensor.dim %A, %1 : tensor<?x?xf64, #tensor_block.storage<dense = 1>>
  %m = tensor.dim %B, %0 : tensor<?x?xf64, #tensor_block.storage<dense = 1>>
  %r = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l) ins(%A[d0, d2] : tensor<?x?xf64, #tensor_block.storage<dense = 1>>, %B[d1, d2] : tensor<?x?xf64, #tensor_block.storage<dense = 1>>) -> tensor<?x?xf64> {
  ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
    %v = arith.mulf %a, %b : f64
    tensor_block.yield %v : f64
  }
  func.return %r : tensor<?x?xf64>
}

// -----

// By columns, a sum over a column is made in a register, and threads share the columns; what goes
// to the rows is added up in memory.
// CHECK-LABEL: func.func private @by_columns(
// CHECK:         multiloop.loop range(%zero, %m : index, index) {
// CHECK-NEXT:    ^bb{{.*}}(%[[j:.*]]: index):
// CHECK-NEXT:      %[[column:.*]] = sparse_storage.slice %A_region[*, %[[j]]]
// CHECK-NEXT:      %[[sum:.*]] = multiloop.loop stored(%[[column]]
// CHECK:           memref.store %[[sum]], %{{.*}}[%[[j]]]
// SPLIT-LABEL: func.func private @by_columns(
// SPLIT:         multiloop.loop range(%begin, %end : index, index)
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
func.func private @by_columns(%A: !rows {sparse_storage.layout = #sparse_storage.layout<form = compressed, orders = [[1, 0]]>}, %n: index, %m: index) -> tensor<?xf64> {
  %r = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n) ins(%A[d1, d0] : !rows) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64):
    %v = arith.mulf %a, %a : f64
    tensor_block.yield %v : f64
  }
  func.return %r : tensor<?xf64>
}

// -----

// CHECK-LABEL: func.func private @across_columns(
// CHECK:         memref.store %identity
// CHECK:         multiloop.loop stored(%A_region
// CHECK:           memref.load
// CHECK:           memref.store
// SPLIT-LABEL: func.func private @across_columns(
// SPLIT-NOT:     %begin
!rows = tensor<?x?xf64, #tensor_block.storage<dense = 1>>
func.func private @across_columns(%A: !rows {sparse_storage.layout = #sparse_storage.layout<form = compressed, orders = [[1, 0]]>}, %n: index, %m: index) -> tensor<?xf64> {
  %r = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m) ins(%A[d0, d1] : !rows) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %a: f64):
    %v = arith.mulf %a, %a : f64
    tensor_block.yield %v : f64
  }
  func.return %r : tensor<?xf64>
}
