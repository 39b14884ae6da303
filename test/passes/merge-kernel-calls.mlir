// RUN: diablo-opt %s -p merge-kernel-calls --split-input-file | filecheck %s
// RUN: diablo-opt %s -p 'merge-kernel-calls{strips=true}' --split-input-file | filecheck %s --check-prefix=STRIPS
// RUN: diablo-opt %s -p merge-kernel-calls --split-input-file --remarks 2>&1 | filecheck %s --check-prefix=REMARK

// Elementwise kernels and a fold over the same points take turns in one loop.
func.func @updates(%n: index, %z: tensor<?xf64>, %r: tensor<?xf64>, %q: tensor<?xf64>, %a: f64)
    -> (f64, tensor<?xf64>, tensor<?xf64>) {
  %z1 = func.call @kernel_0(%n, %z, %q, %a) : (index, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
  %true = arith.constant true
  cf.assert %true, "between"
  %r1 = func.call @kernel_1(%n, %r, %q, %a) : (index, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
  %rho = func.call @kernel_2(%n, %r1) : (index, tensor<?xf64>) -> f64
  func.return %rho, %z1, %r1 : f64, tensor<?xf64>, tensor<?xf64>
}
func.func private @kernel_0(%n: index, %x: tensor<?xf64>, %y: tensor<?xf64>, %a: f64) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %n)
      ins(%x[d0] : tensor<?xf64>, %y[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64, %f: f64):
    %g = arith.mulf %a, %f : f64
    %h = arith.addf %e, %g : f64
    tensor_block.yield %h : f64
  }
  func.return %s : tensor<?xf64>
}
func.func private @kernel_1(%n: index, %x: tensor<?xf64>, %y: tensor<?xf64>, %a: f64) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %n)
      ins(%x[d0] : tensor<?xf64>, %y[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64, %f: f64):
    %g = arith.mulf %a, %f : f64
    %h = arith.subf %e, %g : f64
    tensor_block.yield %h : f64
  }
  func.return %s : tensor<?xf64>
}
func.func private @kernel_2(%n: index, %x: tensor<?xf64>) -> f64 {
  %s = tensor_block.reduce add reduced(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %e: f64):
    tensor_block.yield %e : f64
  }
  func.return %s : f64
}
// CHECK-LABEL: func.func @updates
// CHECK-NEXT:    %true = arith.constant true
// CHECK-NEXT:    cf.assert
// CHECK-NEXT:    %z1, %r1, %rho = func.call @kernel_0_1_2(%n, %z, %q, %a, %r)
// CHECK-NEXT:    func.return %rho, %z1, %r1
// CHECK-NEXT:  }
// CHECK-NEXT:  func.func private @kernel_0_1_2(%n: index, %x: tensor<?xf64>, %y: tensor<?xf64>, %a: f64, %x_1: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, f64) {
// CHECK:         %s = tensor_block.map
// CHECK:         %s_1 = tensor_block.map parallel(d0 < %n) ins(%x_1[d0] : tensor<?xf64>, %y[d0] : tensor<?xf64>)
// CHECK:         %s_2 = tensor_block.reduce add reduced(d0 < %n) ins(%s_1[d0] : tensor<?xf64>)
// CHECK:         func.return %s, %s_1, %s_2
// CHECK-NEXT:  }
// CHECK-NOT:   func.func
// REMARK: remark: 2 operations run in one loop
// REMARK: remark: 3 operations run in one loop

// -----

// A result that nothing but the second kernel reads is not returned.
func.func @inner(%n: index, %x: tensor<?xf64>) -> f64 {
  %y = func.call @kernel_0(%n, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
  %s = func.call @kernel_1(%n, %y) : (index, tensor<?xf64>) -> f64
  func.return %s : f64
}
func.func private @kernel_0(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %f = arith.mulf %e, %e : f64
    tensor_block.yield %f : f64
  }
  func.return %s : tensor<?xf64>
}
func.func private @kernel_1(%n: index, %x: tensor<?xf64>) -> f64 {
  %s = tensor_block.reduce max reduced(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %e: f64):
    tensor_block.yield %e : f64
  }
  func.return %s : f64
}
// CHECK-LABEL: func.func @inner
// CHECK-NEXT:    %s = func.call @kernel_0_1(%n, %x) : (index, tensor<?xf64>) -> f64

// -----

// The second kernel needs the whole fold of the first: its result is read in between, by what
// makes an operand, or by the kernel itself.
func.func @fold_first(%n: index, %x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %s = func.call @kernel_0(%n, %x) : (index, tensor<?xf64>) -> f64
  %y = func.call @kernel_1(%n, %x, %s) : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  %t = arith.addf %s, %s : f64
  %z = func.call @kernel_1(%n, %y, %t) : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  func.return %y, %z : tensor<?xf64>, tensor<?xf64>
}
func.func private @kernel_0(%n: index, %x: tensor<?xf64>) -> f64 {
  %s = tensor_block.reduce add reduced(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %e: f64):
    tensor_block.yield %e : f64
  }
  func.return %s : f64
}
func.func private @kernel_1(%n: index, %x: tensor<?xf64>, %a: f64) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %f = arith.mulf %e, %a : f64
    tensor_block.yield %f : f64
  }
  func.return %s : tensor<?xf64>
}
// CHECK-LABEL: func.func @fold_first
// CHECK-NEXT:    %s = func.call @kernel_0(%n, %x)
// CHECK-NEXT:    %t = arith.addf %s, %s : f64
// CHECK-NEXT:    %y, %z = func.call @kernel_1_1(%n, %x, %s, %t)
// REMARK: remark: a kernel is left apart from one before it: they do not take turns at the same points

// -----

// Other extents, elements beside the point, and arrays that are stored sparsely.
func.func @apart(%n: index, %m: index, %x: tensor<?xf64>, %a: tensor<?xf64, #tensor_block.storage<dense = 0>>)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %y = func.call @kernel_0(%n, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
  %z = func.call @kernel_0(%m, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
  %v = func.call @kernel_1(%n, %y) : (index, tensor<?xf64>) -> tensor<?xf64>
  %w = func.call @kernel_2(%n, %a) : (index, tensor<?xf64, #tensor_block.storage<dense = 0>>) -> tensor<?xf64>
  func.return %y, %z, %v, %w : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
func.func private @kernel_0(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %f = arith.mulf %e, %e : f64
    tensor_block.yield %f : f64
  }
  func.return %s : tensor<?xf64>
}
func.func private @kernel_1(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %n) ins(%x[d0 - 1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    tensor_block.yield %e : f64
  }
  func.return %s : tensor<?xf64>
}
func.func private @kernel_2(%n: index, %x: tensor<?xf64, #tensor_block.storage<dense = 0>>) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %n)
      ins(%x[d0] : tensor<?xf64, #tensor_block.storage<dense = 0>>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    tensor_block.yield %e : f64
  }
  func.return %s : tensor<?xf64>
}
// CHECK-LABEL: func.func @apart
// CHECK-NEXT:    %y = func.call @kernel_0(%n, %x)
// CHECK-NEXT:    %z = func.call @kernel_0(%m, %x)
// CHECK-NEXT:    %v = func.call @kernel_1(%n, %y)
// CHECK-NEXT:    %w = func.call @kernel_2(%n, %a)

// -----

// What is computed between from the first comes later, unless the second call needs it.
func.func @postponed(%n: index, %x: tensor<?xf64>, %s: f64) -> (f64, f64) {
  %a = func.call @kernel_0(%n, %x, %s) : (index, tensor<?xf64>, f64) -> f64
  %total = arith.addf %s, %a : f64
  %b = func.call @kernel_0(%n, %x, %s) : (index, tensor<?xf64>, f64) -> f64
  func.return %total, %b : f64, f64
}
func.func @needed(%n: index, %x: tensor<?xf64>, %s: f64) -> (f64, f64) {
  %a = func.call @kernel_0(%n, %x, %s) : (index, tensor<?xf64>, f64) -> f64
  %total = arith.addf %s, %a : f64
  %b = func.call @kernel_0(%n, %x, %total) : (index, tensor<?xf64>, f64) -> f64
  func.return %total, %b : f64, f64
}
func.func private @kernel_0(%n: index, %x: tensor<?xf64>, %s: f64) -> f64 {
  %r = tensor_block.reduce add reduced(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %e: f64):
    %f = arith.mulf %e, %s : f64
    tensor_block.yield %f : f64
  }
  func.return %r : f64
}
// CHECK-LABEL: func.func @postponed
// CHECK-NEXT:    %a, %b = func.call @kernel_0_0(%n, %x, %s)
// CHECK-NEXT:    %total = arith.addf %s, %a : f64
// CHECK-LABEL: func.func @needed
// CHECK-NEXT:    %a = func.call @kernel_0(%n, %x, %s)
// CHECK-NEXT:    %total = arith.addf
// CHECK-NEXT:    %b = func.call @kernel_0(%n, %x, %total)

// -----

// Folds of tuples share a loop; the check of what the first one found comes behind it.
comprehension.monoid @first : tuple<f64, i64> identity [0x7FF0000000000000 : f64, -1] {
^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
  %dx, %kx = comprehension.unpack %x : tuple<f64, i64>
  %dy, %ky = comprehension.unpack %y : tuple<f64, i64>
  %less = arith.cmpf ole, %dx, %dy : f64
  %least = arith.select %less, %x, %y : tuple<f64, i64>
  comprehension.yield %least
}
comprehension.monoid @ratio : i64 identity 1 {
^bb0(%x: i64, %y: i64):
  %r = arith.divsi %x, %y : i64
  comprehension.yield %r
}
func.func @checked(%n: index, %x: tensor<?xf64>) -> (i64, f64) {
  %none = arith.constant -1 : i64
  %t = func.call @kernel_0(%n, %x) : (index, tensor<?xf64>) -> tuple<f64, i64>
  %d, %k = comprehension.unpack %t : tuple<f64, i64>
  %some = arith.cmpi ne, %k, %none : i64
  cf.assert %some, "this asks for the least of no values"
  %s = func.call @kernel_1(%n, %x) : (index, tensor<?xf64>) -> f64
  func.return %k, %s : i64, f64
}
// Held back: the monoid of the second may fail, and then NumPy folds.
func.func @failing(%n: index, %x: tensor<?xf64>) -> (tuple<f64, i64>, i64) {
  %t = func.call @kernel_0(%n, %x) : (index, tensor<?xf64>) -> tuple<f64, i64>
  %s = func.call @kernel_2(%n, %x) : (index, tensor<?xf64>) -> i64
  func.return %t, %s : tuple<f64, i64>, i64
}
func.func private @kernel_0(%n: index, %x: tensor<?xf64>) -> tuple<f64, i64> {
  %r = tensor_block.reduce @first reduced(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tuple<f64, i64> {
  ^bb0(%i: index, %e: f64):
    %k = arith.index_cast %i : index to i64
    %t = comprehension.pack %e, %k : tuple<f64, i64>
    tensor_block.yield %t : tuple<f64, i64>
  }
  func.return %r : tuple<f64, i64>
}
func.func private @kernel_1(%n: index, %x: tensor<?xf64>) -> f64 {
  %r = tensor_block.reduce add reduced(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %e: f64):
    tensor_block.yield %e : f64
  }
  func.return %r : f64
}
func.func private @kernel_2(%n: index, %x: tensor<?xf64>) -> i64 {
  %r = tensor_block.reduce @ratio reduced(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> i64 {
  ^bb0(%i: index, %e: f64):
    %v = arith.fptosi %e : f64 to i64
    tensor_block.yield %v : i64
  }
  func.return %r : i64
}
// CHECK-LABEL: func.func @checked
// CHECK-NEXT:    %none = arith.constant
// CHECK-NEXT:    %t, %s = func.call @kernel_0_1(%n, %x) : (index, tensor<?xf64>) -> (tuple<f64, i64>, f64)
// CHECK-NEXT:    %d, %k = comprehension.unpack %t
// CHECK-NEXT:    %some = arith.cmpi ne, %k, %none
// CHECK-NEXT:    cf.assert %some
// CHECK-LABEL: func.func @failing
// CHECK-NEXT:    %t = func.call @kernel_0(
// CHECK-NEXT:    %s = func.call @kernel_2(

// -----

// Folds for each row, and sums by place, take turns with others over the same rows if they may. Two
// extents that are the same number are one.
func.func @rows(%k: index, %x: tensor<?xf64> {diablo.shape = array<i64: 80>}, %y: tensor<?xf64> {diablo.shape = array<i64: 80>}, %c: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %m = tensor.dim %y, %zero : tensor<?xf64>
  %d = func.call @kernel_0(%n, %k, %x, %c) : (index, index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %s = func.call @kernel_1(%m, %k, %d, %y) : (index, index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  func.return %s : tensor<?xf64>
}
func.func private @kernel_0(%n: index, %k: index, %x: tensor<?xf64>, %c: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.reduce min parallel(d0 < %n) reduced(d1 < %k)
      ins(%x[d0] : tensor<?xf64>, %c[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %e: f64, %f: f64):
    %g = arith.subf %e, %f : f64
    tensor_block.yield %g : f64
  }
  func.return %s : tensor<?xf64>
}
func.func private @kernel_1(%n: index, %k: index, %d: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.scatter_reduce add reduced(d0 < %n) into(%k)
      ins(%d[d0] : tensor<?xf64>, %y[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64, %f: f64):
    %g = arith.fptosi %e : f64 to i64
    %at = arith.index_cast %g : i64 to index
    tensor_block.yield %at, %f : index, f64
  }
  func.return %s : tensor<?xf64>
}
// CHECK-LABEL:  func.func @rows
// CHECK:          func.call @kernel_0(
// CHECK:          func.call @kernel_1(
// STRIPS-LABEL: func.func @rows
// STRIPS:         %s = func.call @kernel_0_1(%n, %k, %x, %c, %y)
// STRIPS:       func.func private @kernel_0_1(%n: index, %k: index, %x: tensor<?xf64>, %c: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64>
// STRIPS:         tensor_block.reduce min parallel(d0 < %n)
// STRIPS:         tensor_block.scatter_reduce add reduced(d0 < %n)

// -----

// A product of matrices stays one that a library computes, and tables that are larger than what is
// added to them have no copies.
func.func @apart(%n: index, %A: tensor<?x?xf64>, %v: tensor<?xf64>, %k: tensor<?xindex>) -> tensor<?xf64> {
  %d = func.call @kernel_0(%n, %A, %v) : (index, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %s = func.call @kernel_1(%n, %d) : (index, tensor<?xf64>) -> tensor<?xf64>
  func.return %s : tensor<?xf64>
}
func.func private @kernel_0(%n: index, %A: tensor<?x?xf64>, %v: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n)
      ins(%A[d0, d1] : tensor<?x?xf64>, %v[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %e: f64, %f: f64):
    %g = arith.mulf %e, %f : f64
    tensor_block.yield %g : f64
  }
  func.return %s : tensor<?xf64>
}
func.func private @kernel_1(%n: index, %d: tensor<?xf64>) -> tensor<?xf64> {
  %some = arith.constant 10 : index
  %many = arith.constant 1000 : index
  %s = tensor_block.scatter_reduce add reduced(d0 < %some) into(%many) ins(%d[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    tensor_block.yield %i, %e : index, f64
  }
  func.return %s : tensor<?xf64>
}
// STRIPS-LABEL: func.func @apart
// STRIPS:         func.call @kernel_0(
// STRIPS:         func.call @kernel_1(

// -----

// What is little is done in the loop of a scan, and so is what follows; another scan shares it.
func.func @scans(%n: index, %x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %y = func.call @scale(%n, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
  %s = func.call @sums(%n, %y) : (index, tensor<?xf64>) -> tensor<?xf64>
  %m = func.call @maxima(%n, %y) : (index, tensor<?xf64>) -> tensor<?xf64>
  %z = func.call @scale(%n, %s) : (index, tensor<?xf64>) -> tensor<?xf64>
  func.return %m, %z : tensor<?xf64>, tensor<?xf64>
}
// What is scanned is not scanned again in one loop, nor is what may fail done without machine code,
// nor are functions computed twice.
func.func @apart(%n: index, %x: tensor<?xf64>, %k: tensor<?xindex>) -> (tensor<?xf64>, tensor<?xindex>) {
  %s = func.call @sums(%n, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
  %t = func.call @sums(%n, %s) : (index, tensor<?xf64>) -> tensor<?xf64>
  %q = func.call @parts(%n, %k) : (index, tensor<?xindex>) -> tensor<?xindex>
  %c = func.call @counts(%n, %q) : (index, tensor<?xindex>) -> tensor<?xindex>
  func.return %t, %c : tensor<?xf64>, tensor<?xindex>
}
// Scans from the beginning and from the end are two loops.
func.func @ways(%n: index, %x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %s = func.call @sums(%n, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
  %e = func.call @left(%n, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
  func.return %s, %e : tensor<?xf64>, tensor<?xf64>
}
func.func private @left(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.scan add %x along 0 reverse dims(%n) : tensor<?xf64>
  func.return %s : tensor<?xf64>
}
func.func @functions(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %r = func.call @roots(%n, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
  %s = func.call @sums(%n, %r) : (index, tensor<?xf64>) -> tensor<?xf64>
  %t = func.call @roots(%n, %s) : (index, tensor<?xf64>) -> tensor<?xf64>
  func.return %t : tensor<?xf64>
}
// A fold of what is scanned is in the loop.
func.func @folded(%n: index, %x: tensor<?xf64>) -> f64 {
  %s = func.call @sums(%n, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
  %r = func.call @total(%n, %s) : (index, tensor<?xf64>) -> f64
  func.return %r : f64
}
func.func private @total(%n: index, %x: tensor<?xf64>) -> f64 {
  %s = tensor_block.reduce min reduced(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %e: f64):
    tensor_block.yield %e : f64
  }
  func.return %s : f64
}
func.func private @scale(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %g = arith.mulf %e, %e : f64
    tensor_block.yield %g : f64
  }
  func.return %s : tensor<?xf64>
}
func.func private @roots(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %g = math.sqrt %e : f64
    tensor_block.yield %g : f64
  }
  func.return %s : tensor<?xf64>
}
func.func private @parts(%n: index, %x: tensor<?xindex>) -> tensor<?xindex> {
  %s = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xindex>) -> tensor<?xindex> {
  ^bb0(%i: index, %e: index):
    %g = arith.divsi %n, %e : index
    tensor_block.yield %g : index
  }
  func.return %s : tensor<?xindex>
}
func.func private @sums(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.scan add %x along 0 dims(%n) : tensor<?xf64>
  func.return %s : tensor<?xf64>
}
func.func private @maxima(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.scan max %x along 0 dims(%n) : tensor<?xf64>
  func.return %s : tensor<?xf64>
}
func.func private @counts(%n: index, %x: tensor<?xindex>) -> tensor<?xindex> {
  %s = tensor_block.scan add %x along 0 dims(%n) : tensor<?xindex>
  func.return %s : tensor<?xindex>
}
// CHECK-LABEL: func.func @scans
// CHECK-NEXT:    %m, %z = func.call @scale_sums_maxima_scale(%n, %x)
// CHECK-NEXT:    func.return %m, %z
// CHECK-LABEL: func.func @apart
// CHECK-NEXT:    %s = func.call @sums(%n, %x)
// CHECK-NEXT:    %q = func.call @parts(%n, %k)
// CHECK-NEXT:    %t, %c = func.call @sums_counts(%n, %s, %q)
// CHECK-LABEL: func.func @ways
// CHECK-NEXT:    func.call @sums(
// CHECK-NEXT:    func.call @left(
// CHECK-LABEL: func.func @functions
// CHECK-NEXT:    %r = func.call @roots(%n, %x)
// CHECK-NEXT:    %t = func.call @sums_roots(%n, %r)
// CHECK-LABEL: func.func @folded
// CHECK-NEXT:    func.call @sums_total(
// CHECK:       func.func private @scale_sums_maxima_scale(%n: index, %x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
// CHECK:         %s = tensor_block.map
// CHECK:         %s_1 = tensor_block.scan add %s along 0 dims(%n)
// CHECK-NEXT:    %s_2 = tensor_block.scan max %s along 0 dims(%n)
// CHECK-NEXT:    %s_3 = tensor_block.map
// CHECK:         func.return %s_2, %s_3
// REMARK: remark: 4 operations run in one loop
// REMARK: remark: a kernel is left apart from one before it: what may fail would be done without machine code beside a scan
// REMARK: remark: a kernel is left apart from one before it: what is scanned would be computed twice

// -----

// Tuples that a monoid of the program's own scans are none in memory, unless it may fail.
func.func @recurrence(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %p = func.call @pairs(%n, %x) : (index, tensor<?xf64>) -> tensor<?xtuple<f64, f64>>
  %s = func.call @linear_scan(%n, %p) : (index, tensor<?xtuple<f64, f64>>) -> tensor<?xtuple<f64, f64>>
  %y = func.call @seconds(%n, %s) : (index, tensor<?xtuple<f64, f64>>) -> tensor<?xf64>
  func.return %y : tensor<?xf64>
}
func.func @remainders(%n: index, %x: tensor<?xi64>) -> tensor<?xi64> {
  %p = func.call @doubled(%n, %x) : (index, tensor<?xi64>) -> tensor<?xi64>
  %s = func.call @divided(%n, %p) : (index, tensor<?xi64>) -> tensor<?xi64>
  func.return %s : tensor<?xi64>
}
comprehension.monoid @linear : tuple<f64, f64> identity [1.0 : f64, 0.0 : f64] {
^bb0(%a: tuple<f64, f64>, %b: tuple<f64, f64>):
  %c, %d = comprehension.unpack %a : tuple<f64, f64>
  %e, %f = comprehension.unpack %b : tuple<f64, f64>
  %g = arith.mulf %c, %e : f64
  %h = arith.mulf %d, %e : f64
  %i = arith.addf %h, %f : f64
  %r = comprehension.pack %g, %i : tuple<f64, f64>
  comprehension.yield %r
}
comprehension.monoid @quotient : i64 identity 1 : i64 {
^bb0(%a: i64, %b: i64):
  %q = arith.divsi %a, %b : i64
  comprehension.yield %q
}
func.func private @pairs(%n: index, %x: tensor<?xf64>) -> tensor<?xtuple<f64, f64>> {
  %p = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xtuple<f64, f64>> {
  ^bb0(%i: index, %e: f64):
    %g = comprehension.pack %e, %e : tuple<f64, f64>
    tensor_block.yield %g : tuple<f64, f64>
  }
  func.return %p : tensor<?xtuple<f64, f64>>
}
func.func private @linear_scan(%n: index, %x: tensor<?xtuple<f64, f64>>) -> tensor<?xtuple<f64, f64>> {
  %s = tensor_block.scan @linear %x along 0 dims(%n) : tensor<?xtuple<f64, f64>>
  func.return %s : tensor<?xtuple<f64, f64>>
}
func.func private @seconds(%n: index, %x: tensor<?xtuple<f64, f64>>) -> tensor<?xf64> {
  %p = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xtuple<f64, f64>>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: tuple<f64, f64>):
    %f, %g = comprehension.unpack %e : tuple<f64, f64>
    tensor_block.yield %g : f64
  }
  func.return %p : tensor<?xf64>
}
func.func private @doubled(%n: index, %x: tensor<?xi64>) -> tensor<?xi64> {
  %p = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xi64>) -> tensor<?xi64> {
  ^bb0(%i: index, %e: i64):
    %g = arith.addi %e, %e : i64
    tensor_block.yield %g : i64
  }
  func.return %p : tensor<?xi64>
}
func.func private @divided(%n: index, %x: tensor<?xi64>) -> tensor<?xi64> {
  %s = tensor_block.scan @quotient %x along 0 dims(%n) : tensor<?xi64>
  func.return %s : tensor<?xi64>
}
// CHECK-LABEL: func.func @recurrence
// CHECK-NEXT:    %y = func.call @pairs_linear_scan_seconds(%n, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
// CHECK-NEXT:    func.return %y
// CHECK-LABEL: func.func @remainders
// CHECK-NEXT:    func.call @doubled(
// CHECK-NEXT:    func.call @divided(

// -----

// A number and an index that are the same are two arguments: each is used as what it is.
func.func @number_and_index(%n: i64, %x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %size = arith.index_cast %n : i64 to index
  %a = func.call @counted(%n, %size, %x) : (i64, index, tensor<?xf64>) -> tensor<?xf64>
  %b = func.call @doubled(%size, %x) : (index, tensor<?xf64>) -> tensor<?xf64>
  func.return %a, %b : tensor<?xf64>, tensor<?xf64>
}
func.func private @counted(%n: i64, %size: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %size) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %f = arith.sitofp %n : i64 to f64
    %g = arith.mulf %e, %f : f64
    tensor_block.yield %g : f64
  }
  func.return %s : tensor<?xf64>
}
func.func private @doubled(%size: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %s = tensor_block.map parallel(d0 < %size) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64):
    %g = arith.addf %e, %e : f64
    tensor_block.yield %g : f64
  }
  func.return %s : tensor<?xf64>
}
// CHECK-LABEL: func.func @number_and_index
// CHECK:         func.call @{{.*}}(%n, %size, %x) : (i64, index, tensor<?xf64>)
// CHECK:       func.func private @{{.*}}(%n: i64, %size: index, %x: tensor<?xf64>)
// CHECK-COUNT-2: tensor_block.map parallel(d0 < %size)

// -----

// A product with a matrix, what is made of it, and the product of the matrix transposed with that:
// its rows come from memory once.
func.func @gradient(%n: index, %m: index, %X: tensor<?x?xf64>, %w: tensor<?xf64>, %y: tensor<?xf64>)
    -> tensor<?xf64> {
  %p = func.call @kernel_0(%n, %m, %X, %w) : (index, index, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %r = func.call @kernel_1(%n, %p, %y) : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %g = func.call @kernel_2(%n, %m, %X, %r) : (index, index, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  func.return %g : tensor<?xf64>
}
// Held back: what the second product needs all of.
func.func @twice(%n: index, %X: tensor<?x?xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {
  %p = func.call @kernel_0(%n, %n, %X, %w) : (index, index, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %q = func.call @kernel_0(%n, %n, %X, %p) : (index, index, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  func.return %q : tensor<?xf64>
}
// Held back: products with two matrices, which BLAS computes each.
func.func @two(%n: index, %m: index, %X: tensor<?x?xf64>, %Y: tensor<?x?xf64>, %w: tensor<?xf64>)
    -> tensor<?xf64> {
  %p = func.call @kernel_0(%n, %m, %X, %w) : (index, index, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %g = func.call @kernel_2(%n, %m, %Y, %p) : (index, index, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  func.return %g : tensor<?xf64>
}
// Dropped: what nobody reads.
func.func @idle(%n: index, %p: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %q = func.call @kernel_1(%n, %p, %y) : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %r = func.call @kernel_1(%n, %y, %p) : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  func.return %r : tensor<?xf64>
}
// Held back: a root of what one kernel folds comes between, and is known at once.
func.func @scaled(%n: index, %m: index, %X: tensor<?x?xf64>, %w: tensor<?xf64>, %y: tensor<?xf64>)
    -> tensor<?xf64> {
  %p = func.call @kernel_0(%n, %m, %X, %w) : (index, index, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %i = arith.constant 0 : index
  %e = tensor.extract %p[%i] : tensor<?xf64>
  %s = tensor.splat %e[%n] : tensor<?xf64>
  %r = func.call @kernel_1(%n, %p, %s) : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  func.return %r : tensor<?xf64>
}
func.func private @kernel_0(%n: index, %m: index, %X: tensor<?x?xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {
  %p = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
      ins(%X[d0, d1] : tensor<?x?xf64>, %w[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %j: index, %e: f64, %f: f64):
    %g = arith.mulf %e, %f : f64
    tensor_block.yield %g : f64
  }
  func.return %p : tensor<?xf64>
}
func.func private @kernel_1(%n: index, %p: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %r = tensor_block.map parallel(d0 < %n)
      ins(%p[d0] : tensor<?xf64>, %y[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%i: index, %e: f64, %f: f64):
    %g = arith.subf %e, %f : f64
    tensor_block.yield %g : f64
  }
  func.return %r : tensor<?xf64>
}
func.func private @kernel_2(%n: index, %m: index, %X: tensor<?x?xf64>, %r: tensor<?xf64>) -> tensor<?xf64> {
  %g = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n)
      ins(%X[d1, d0] : tensor<?x?xf64>, %r[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^bb0(%j: index, %i: index, %e: f64, %f: f64):
    %g = arith.mulf %e, %f : f64
    tensor_block.yield %g : f64
  }
  func.return %g : tensor<?xf64>
}
// CHECK-LABEL:  func.func @gradient
// CHECK:          func.call @kernel_0(
// CHECK:          func.call @kernel_1(
// CHECK:          func.call @kernel_2(
// STRIPS-LABEL: func.func @gradient
// STRIPS-NEXT:    %g = func.call @kernel_0_1_2(%n, %m, %X, %w, %y)
// STRIPS-NEXT:    func.return %g
// STRIPS-LABEL: func.func @twice
// STRIPS-NEXT:    func.call @kernel_0(
// STRIPS-NEXT:    func.call @kernel_0(
// STRIPS-LABEL: func.func @two
// STRIPS-NEXT:    func.call @kernel_0(
// STRIPS-NEXT:    func.call @kernel_2(
// STRIPS-LABEL: func.func @idle
// STRIPS-NEXT:    %r = func.call @kernel_1(%n, %y, %p)
// STRIPS-NEXT:    func.return %r
// STRIPS-LABEL: func.func @scaled
// STRIPS:         func.call @kernel_0(
// STRIPS:         tensor.splat
// STRIPS-NEXT:    func.call @kernel_1(
// STRIPS:       func.func private @kernel_0_1_2(
// STRIPS:         %[[P:.*]] = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
// STRIPS:         %[[R:.*]] = tensor_block.map parallel(d0 < %n) ins(%[[P]][d0]
// STRIPS:         tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n) ins(%X[d1, d0] : tensor<?x?xf64>, %[[R]][d1]
