// RUN: diablo-opt %s -p hoist-reductions | filecheck %s
// RUN: diablo-opt %s -p hoist-reductions --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// A product of arrays that the loop does not change is made before it, with the test in front of
// it, since the loop has an iteration. What is made of the loop's vector stays.
// CHECK-LABEL: func.func @product
// CHECK:         cf.assert %{{.+}}, "they do not fit"
// CHECK:         %C = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n)
// CHECK:         scf.while
// CHECK-NOT:     cf.assert
// CHECK:         ^{{.*}}(%k2: i64, %v2: tensor<?xf64>):
// CHECK:           tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n) ins(%C
// REMARK: remark: this is the same in each iteration: made once, before the loop
func.func @product(%A: tensor<?x?xf64>, %x: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %zero = arith.constant 0 : i64
  %ten = arith.constant 10 : i64
  %one = arith.constant 1 : i64
  %k, %v = scf.while (%k1 = %zero, %v1 = %x) : (i64, tensor<?xf64>) -> (i64, tensor<?xf64>) {
    %more = arith.cmpi slt, %k1, %ten : i64
    scf.condition(%more) %k1, %v1 : i64, tensor<?xf64>
  } do {
  ^bb0(%k2: i64, %v2: tensor<?xf64>):
    %fit = arith.cmpi eq, %n, %m : index
    cf.assert %fit, "they do not fit"
    %C = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n)
        ins(%A[d0, d2] : tensor<?x?xf64>, %A[d2, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
    ^bb1(%i: index, %j: index, %l: index, %a: f64, %b: f64):
      %p = arith.mulf %a, %b : f64
      tensor_block.yield %p : f64
    }
    %w = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n)
        ins(%C[d0, d1] : tensor<?x?xf64>, %v2[d1] : tensor<?xf64>) -> tensor<?xf64> {
    ^bb1(%i: index, %j: index, %a: f64, %b: f64):
      %p = arith.mulf %a, %b : f64
      tensor_block.yield %p : f64
    }
    %k3 = arith.addi %k2, %one : i64
    scf.yield %k3, %w : i64, tensor<?xf64>
  }
  func.return %v : tensor<?xf64>
}

// Whether this loop has an iteration is not known, so that its test stays, and what follows that.
// What comes first moves: the map that the sum needs as well, but none of its own.
// CHECK-LABEL: func.func @tests
// CHECK:         %E = tensor_block.map
// CHECK:         %s = tensor_block.reduce add reduced(d0 < %n)
// CHECK:         %k = scf.while
// CHECK:         ^{{.*}}(%k2: i64):
// CHECK-NEXT:      %F = tensor_block.map
// CHECK:           cf.assert
// CHECK-NEXT:      %t = tensor_block.reduce max
func.func @tests(%x: tensor<?xf64>, %n: index, %m: index, %first: i64) -> i64 {
  %ten = arith.constant 10 : i64
  %k = scf.while (%k1 = %first) : (i64) -> (i64) {
    %more = arith.cmpi slt, %k1, %ten : i64
    scf.condition(%more) %k1 : i64
  } do {
  ^bb0(%k2: i64):
    %E = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
    ^bb1(%i: index, %a: f64):
      %e = math.exp %a : f64
      tensor_block.yield %e : f64
    }
    %F = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xf64>) -> tensor<?xf64> {
    ^bb1(%i: index, %a: f64):
      %e = math.sqrt %a : f64
      tensor_block.yield %e : f64
    }
    %s = tensor_block.reduce add reduced(d0 < %n) ins(%E[d0] : tensor<?xf64>) -> f64 {
    ^bb1(%i: index, %a: f64):
      tensor_block.yield %a : f64
    }
    %fit = arith.cmpi eq, %n, %m : index
    cf.assert %fit, "they do not fit"
    %t = tensor_block.reduce max reduced(d0 < %m) ins(%x[d0] : tensor<?xf64>) -> f64 {
    ^bb1(%i: index, %a: f64):
      tensor_block.yield %a : f64
    }
    %k3 = "test.op"(%k2, %F, %s, %t) : (i64, tensor<?xf64>, f64, f64) -> i64
    scf.yield %k3 : i64
  }
  func.return %k : i64
}

// A sum that may fail stays.
// CHECK-LABEL: func.func @left_alone
// CHECK:         scf.while
// CHECK:         ^{{.*}}(%k2: i64):
// CHECK-NEXT:      %s = tensor_block.reduce add
func.func @left_alone(%x: tensor<?xi64>, %n: index, %first: i64) -> i64 {
  %ten = arith.constant 10 : i64
  %k = scf.while (%k1 = %first) : (i64) -> (i64) {
    %more = arith.cmpi slt, %k1, %ten : i64
    scf.condition(%more) %k1 : i64
  } do {
  ^bb0(%k2: i64):
    %s = tensor_block.reduce add reduced(d0 < %n) ins(%x[d0] : tensor<?xi64>) -> i64 {
    ^bb1(%i: index, %a: i64):
      %q = arith.divsi %first, %a : i64
      tensor_block.yield %q : i64
    }
    %k3 = "test.op"(%k2, %s) : (i64, i64) -> i64
    scf.yield %k3 : i64
  }
  func.return %k : i64
}

// A sparse array that is made of one from outside moves, also from behind a test that stays if it
// goes through all of that: %T. Behind the test %U may be within extents that only it has looked
// at. A dense one is as much work to read as to make.
// CHECK-LABEL: func.func @transposed
// CHECK:         %T = tensor_block.map
// CHECK:         scf.while
// CHECK:           cf.assert
// CHECK:           %U = tensor_block.map
// CHECK:           %D = tensor_block.map
func.func @transposed(%S: tensor<?x?xf64, #tensor_block.storage<dense = 1>>, %A: tensor<?x?xf64>, %n: index, %first: i64) -> i64 {
  %ten = arith.constant 10 : i64
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rows = tensor.dim %S, %zero : tensor<?x?xf64, #tensor_block.storage<dense = 1>>
  %columns = tensor.dim %S, %one : tensor<?x?xf64, #tensor_block.storage<dense = 1>>
  %k = scf.while (%k1 = %first) : (i64) -> (i64) {
    %more = arith.cmpi slt, %k1, %ten : i64
    scf.condition(%more) %k1 : i64
  } do {
  ^bb0(%k2: i64):
    %fit = "test.op"(%k2) : (i64) -> i1
    cf.assert %fit, "they do not fit"
    %T = tensor_block.map parallel(d0 < %columns, d1 < %rows) ins(%S[d1, d0] : tensor<?x?xf64, #tensor_block.storage<dense = 1>>) -> tensor<?x?xf64, #tensor_block.storage<dense = 1>> {
    ^bb1(%i: index, %j: index, %a: f64):
      tensor_block.yield %a : f64
    }
    %U = tensor_block.map parallel(d0 < %n, d1 < %rows) ins(%S[d1, d0] : tensor<?x?xf64, #tensor_block.storage<dense = 1>>) -> tensor<?x?xf64, #tensor_block.storage<dense = 1>> {
    ^bb1(%i: index, %j: index, %a: f64):
      tensor_block.yield %a : f64
    }
    %D = tensor_block.map parallel(d0 < %rows) ins(%A[d0, d0] : tensor<?x?xf64>) -> tensor<?xf64> {
    ^bb1(%i: index, %a: f64):
      tensor_block.yield %a : f64
    }
    %k3 = "test.op"(%k2, %T, %U, %D) : (i64, tensor<?x?xf64, #tensor_block.storage<dense = 1>>, tensor<?x?xf64, #tensor_block.storage<dense = 1>>, tensor<?xf64>) -> i64
    scf.yield %k3 : i64
  }
  func.return %k : i64
}
