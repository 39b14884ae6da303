// What jobs make and the loop itself reads: products of BLAS's, elements, and arrays carried on.
// RUN: diablo-opt %s -p outline-native-loops,convert-native-loops{jobs=true} --split-input-file | filecheck %s
// RUN: diablo-opt %s -p outline-native-loops --split-input-file --remarks 2>&1 | filecheck %s --check-prefix REMARK

// A product is a job like others; the element that is read of it is found by its address.
// CHECK-LABEL: func.func private @loop_0_loops
// CHECK:         func.call @diablo_share_call
// CHECK:         %[[SIZE:.*]] = memref.dim %A
// CHECK-NEXT:    %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %[[SIZE]] : index
// CHECK:         %[[ARRAY:.*]] = memref.load %table[%{{.*}}] : memref<?xi64>
// CHECK-NEXT:    %[[PLACE:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK-NEXT:    %[[WORD:.*]] = func.call @diablo_word_at(%[[ARRAY]], %[[PLACE]]) : (i64, i64) -> i64
// CHECK-NEXT:    arith.bitcast %[[WORD]] : i64 to f64
// REMARK:      remark: the loop is machine code once it has run a while
func.func @power(%A: tensor<?x?xf64>, %V: tensor<?xf64>, %m: i64, %at: index) -> (tensor<?xf64>, f64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %none = arith.constant 0.5 : f64
  %n = tensor.dim %A, %c0 : tensor<?x?xf64>
  %k, %v, %s = scf.while (%i = %zero, %v = %V, %s = %none) : (i64, tensor<?xf64>, f64) -> (i64, tensor<?xf64>, f64) {
    %p = arith.cmpi slt, %i, %m : i64
    scf.condition(%p) %i, %v, %s : i64, tensor<?xf64>, f64
  } do {
  ^bb0(%i: i64, %v: tensor<?xf64>, %s: f64):
    %w = func.call @times(%n, %A, %v) : (index, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %t = tensor.extract %w[%at] : tensor<?xf64>
    %next = arith.addi %i, %one : i64
    scf.yield %next, %w, %t : i64, tensor<?xf64>, f64
  }
  func.return %v, %s : tensor<?xf64>, f64
}
func.func private @times(%n: index, %A: tensor<?x?xf64>, %v: tensor<?xf64>) -> tensor<?xf64> {
  %w = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n)
      ins(%A[d0, d1] : tensor<?x?xf64>, %v[d1] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %j: index, %a: f64, %x: f64):
    %y = arith.mulf %a, %x : f64
    tensor_block.yield %y : f64
  }
  func.return %w : tensor<?xf64>
}

// -----

// The last two arrays: the older one's memory is that of the next.
// CHECK-LABEL: func.func private @loop_0_loops
// CHECK:         func.call @diablo_put_word
// CHECK:         func.call @diablo_share_call
// CHECK-NOT:     func.call
// CHECK:         %[[OLD:.*]] = memref.load %table
// CHECK:         %[[LAST:.*]] = memref.load %table
// CHECK:         %[[NEW:.*]] = memref.load %table
// CHECK:         memref.store %[[LAST]], %table
// CHECK:         memref.store %[[NEW]], %table
// CHECK:         memref.store %[[OLD]], %table
// REMARK:      remark: the loop is machine code once it has run a while
func.func @last_two(%n: index, %A: tensor<?xf64>, %B: tensor<?xf64>, %m: i64) -> (tensor<?xf64>, tensor<?xf64>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %f = arith.constant 7.0 : f64
  %k, %a, %b = scf.while (%i = %zero, %a = %A, %b = %B) : (i64, tensor<?xf64>, tensor<?xf64>) -> (i64, tensor<?xf64>, tensor<?xf64>) {
    %p = arith.cmpi slt, %i, %m : i64
    scf.condition(%p) %i, %a, %b : i64, tensor<?xf64>, tensor<?xf64>
  } do {
  ^bb0(%i: i64, %a: tensor<?xf64>, %b: tensor<?xf64>):
    %d = tensor.insert %f into %b[%c0] {in_place} : tensor<?xf64>
    %c = func.call @sum(%n, %a, %d) : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %next = arith.addi %i, %one : i64
    scf.yield %next, %d, %c : i64, tensor<?xf64>, tensor<?xf64>
  }
  func.return %a, %b : tensor<?xf64>, tensor<?xf64>
}
func.func private @sum(%n: index, %a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %w = tensor_block.map parallel(d0 < %n) ins(%a[d0] : tensor<?xf64>, %b[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %x: f64, %y: f64):
    %z = arith.addf %x, %y : f64
    tensor_block.yield %z : f64
  }
  func.return %w : tensor<?xf64>
}

// -----

// A matrix times itself transposed is a product like others: that BLAS need make but one half shows
// where it is made ready.
// CHECK-LABEL: func.func private @loop_0_loops
// CHECK:         func.call @diablo_share_call
// REMARK:      remark: the loop is machine code once it has run a while
func.func @squares(%n: index, %A: tensor<?x?xf64>, %m: i64) -> tensor<?x?xf64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %v = scf.while (%i = %zero, %v = %A) : (i64, tensor<?x?xf64>) -> (i64, tensor<?x?xf64>) {
    %p = arith.cmpi slt, %i, %m : i64
    scf.condition(%p) %i, %v : i64, tensor<?x?xf64>
  } do {
  ^bb0(%i: i64, %v: tensor<?x?xf64>):
    %w = func.call @square(%n, %v) : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
    %next = arith.addi %i, %one : i64
    scf.yield %next, %w : i64, tensor<?x?xf64>
  }
  func.return %v : tensor<?x?xf64>
}
func.func private @square(%n: index, %A: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %w = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n)
      ins(%A[d2, d0] : tensor<?x?xf64>, %A[d2, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^body(%i: index, %j: index, %k: index, %a: f64, %x: f64):
    %y = arith.mulf %a, %x : f64
    tensor_block.yield %y : f64
  }
  func.return %w : tensor<?x?xf64>
}

// -----

// What a product is multiplied by is another number in each iteration, and a word of the table.
// CHECK-LABEL: func.func private @loop_0_loops
// CHECK:         %[[BITS:.*]] = arith.bitcast %{{.*}} : f64 to i64
// CHECK:         memref.store %[[BITS]], %table
// CHECK:         func.call @diablo_share_call
// REMARK:      remark: the loop is machine code once it has run a while
func.func @steps(%n: index, %A: tensor<?x?xf64>, %m: i64) -> tensor<?x?xf64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %half = arith.constant 0.5 : f64
  %k, %v, %b = scf.while (%i = %zero, %v = %A, %a = %half) : (i64, tensor<?x?xf64>, f64) -> (i64, tensor<?x?xf64>, f64) {
    %p = arith.cmpi slt, %i, %m : i64
    scf.condition(%p) %i, %v, %a : i64, tensor<?x?xf64>, f64
  } do {
  ^bb0(%i: i64, %v: tensor<?x?xf64>, %a: f64):
    %w = func.call @step(%n, %A, %v, %a) : (index, tensor<?x?xf64>, tensor<?x?xf64>, f64) -> tensor<?x?xf64>
    %next = arith.addi %i, %one : i64
    %c = arith.mulf %a, %half : f64
    scf.yield %next, %w, %c : i64, tensor<?x?xf64>, f64
  }
  func.return %v : tensor<?x?xf64>
}
func.func private @step(%n: index, %A: tensor<?x?xf64>, %v: tensor<?x?xf64>, %a: f64) -> tensor<?x?xf64> {
  %w = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n)
      ins(%A[d0, d2] : tensor<?x?xf64>, %v[d2, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^body(%i: index, %j: index, %k: index, %x: f64, %y: f64):
    %z = arith.mulf %x, %y : f64
    tensor_block.yield %z : f64
  }
  %u = tensor_block.map parallel(d0 < %n, d1 < %n)
      ins(%v[d0, d1] : tensor<?x?xf64>, %w[d0, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^body(%i: index, %j: index, %x: f64, %y: f64):
    %z = arith.mulf %a, %y : f64
    %d = arith.subf %x, %z : f64
    tensor_block.yield %d : f64
  }
  func.return %u : tensor<?x?xf64>
}

// -----

// It is a number that the kernel computes: these are no words.
// REMARK:      remark: the loop stays with Python: what a product is multiplied by is computed in its kernel
// CHECK-LABEL: func.func @squared
// CHECK:         scf.while
func.func @squared(%n: index, %A: tensor<?x?xf64>, %m: i64, %a: f64) -> tensor<?x?xf64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %v = scf.while (%i = %zero, %v = %A) : (i64, tensor<?x?xf64>) -> (i64, tensor<?x?xf64>) {
    %p = arith.cmpi slt, %i, %m : i64
    scf.condition(%p) %i, %v : i64, tensor<?x?xf64>
  } do {
  ^bb0(%i: i64, %v: tensor<?x?xf64>):
    %w = func.call @step(%n, %A, %v, %a) : (index, tensor<?x?xf64>, tensor<?x?xf64>, f64) -> tensor<?x?xf64>
    %next = arith.addi %i, %one : i64
    scf.yield %next, %w : i64, tensor<?x?xf64>
  }
  func.return %v : tensor<?x?xf64>
}
func.func private @step(%n: index, %A: tensor<?x?xf64>, %v: tensor<?x?xf64>, %a: f64) -> tensor<?x?xf64> {
  %w = tensor_block.reduce add parallel(d0 < %n, d1 < %n) reduced(d2 < %n)
      ins(%A[d0, d2] : tensor<?x?xf64>, %v[d2, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^body(%i: index, %j: index, %k: index, %x: f64, %y: f64):
    %z = arith.mulf %x, %y : f64
    tensor_block.yield %z : f64
  }
  %b = arith.mulf %a, %a : f64
  %u = tensor_block.map parallel(d0 < %n, d1 < %n)
      ins(%v[d0, d1] : tensor<?x?xf64>, %w[d0, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
  ^body(%i: index, %j: index, %x: f64, %y: f64):
    %z = arith.mulf %b, %y : f64
    %d = arith.subf %x, %z : f64
    tensor_block.yield %d : f64
  }
  func.return %u : tensor<?x?xf64>
}

// -----

// Two arrays that are carried become one.
// REMARK:      remark: the loop stays with Python: two arrays that are carried become one
// CHECK-LABEL: func.func @one
// CHECK:         scf.while
func.func @one(%A: tensor<?xf64>, %B: tensor<?xf64>, %n: index, %m: i64) -> (tensor<?xf64>, tensor<?xf64>, f64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = arith.constant 0.5 : f64
  %k, %a, %b, %s = scf.while (%i = %zero, %a = %A, %b = %B, %s = %none) : (i64, tensor<?xf64>, tensor<?xf64>, f64) -> (i64, tensor<?xf64>, tensor<?xf64>, f64) {
    %p = arith.cmpi slt, %i, %m : i64
    scf.condition(%p) %i, %a, %b, %s : i64, tensor<?xf64>, tensor<?xf64>, f64
  } do {
  ^bb0(%i: i64, %a: tensor<?xf64>, %b: tensor<?xf64>, %s: f64):
    %t = func.call @total(%n, %a) : (index, tensor<?xf64>) -> f64
    %next = arith.addi %i, %one : i64
    scf.yield %next, %b, %b, %t : i64, tensor<?xf64>, tensor<?xf64>, f64
  }
  func.return %a, %b, %s : tensor<?xf64>, tensor<?xf64>, f64
}
func.func private @total(%n: index, %v: tensor<?xf64>) -> f64 {
  %s = tensor_block.reduce add reduced(d0 < %n) ins(%v[d0] : tensor<?xf64>) -> f64 {
  ^body(%i: index, %x: f64):
    tensor_block.yield %x : f64
  }
  func.return %s : f64
}

// -----

// The loop within begins with a copy of %a, in memory that it exchanges for what a kernel makes.
// CHECK-LABEL: func.func private @loop_{{[01]}}_loops
// CHECK:         scf.while
// CHECK:           func.call @diablo_share_call
// CHECK:           scf.while
// CHECK:             func.call @diablo_share_call
// CHECK:             %[[HELD:.*]] = memref.load %table
// CHECK:             %[[MADE:.*]] = memref.load %table
// CHECK:             memref.store %[[MADE]], %table
// CHECK:             memref.store %[[HELD]], %table
// CHECK:           }
// CHECK:           memref.load %table
// CHECK:           memref.store %{{.*}}, %table
// CHECK:         }
// REMARK:      remark: the loop is machine code once it has run a while
func.func @nested(%n: index, %A: tensor<?xf64>, %m: i64) -> tensor<?xf64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %a = scf.while (%i = %zero, %a = %A) : (i64, tensor<?xf64>) -> (i64, tensor<?xf64>) {
    %p = arith.cmpi slt, %i, %m : i64
    scf.condition(%p) %i, %a : i64, tensor<?xf64>
  } do {
  ^bb0(%i: i64, %a: tensor<?xf64>):
    %l, %b = scf.while (%j = %zero, %b = %a) : (i64, tensor<?xf64>) -> (i64, tensor<?xf64>) {
      %p = arith.cmpi slt, %j, %i : i64
      scf.condition(%p) %j, %b : i64, tensor<?xf64>
    } do {
    ^bb1(%j: i64, %b: tensor<?xf64>):
      %c = func.call @sum(%n, %a, %b) : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      %next = arith.addi %j, %one : i64
      scf.yield %next, %c : i64, tensor<?xf64>
    }
    %next = arith.addi %i, %one : i64
    scf.yield %next, %b : i64, tensor<?xf64>
  }
  func.return %a : tensor<?xf64>
}
func.func private @sum(%n: index, %a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %w = tensor_block.map parallel(d0 < %n) ins(%a[d0] : tensor<?xf64>, %b[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %x: f64, %y: f64):
    %z = arith.addf %x, %y : f64
    tensor_block.yield %z : f64
  }
  func.return %w : tensor<?xf64>
}

// -----

// An array that a condition chooses has memory of its own. What a kernel makes for it is written
// there at once; what is there anyway is copied by a further job.
// CHECK-LABEL: func.func private @loop_0_loops
// CHECK:         func.call @diablo_share_call
// CHECK:         scf.if
// CHECK-COUNT-1:   func.call @diablo_share_call
// CHECK-NOT:       func.call
// CHECK:         } else {
// CHECK-COUNT-1:   func.call @diablo_share_call
// CHECK-NOT:       func.call
// CHECK:         }
// REMARK:      remark: the loop is machine code once it has run a while
func.func @chosen(%n: index, %A: tensor<?xf64>, %m: i64) -> tensor<?xf64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k, %a = scf.while (%i = %zero, %a = %A) : (i64, tensor<?xf64>) -> (i64, tensor<?xf64>) {
    %p = arith.cmpi slt, %i, %m : i64
    scf.condition(%p) %i, %a : i64, tensor<?xf64>
  } do {
  ^bb0(%i: i64, %a: tensor<?xf64>):
    %b = func.call @sum(%n, %a, %a) : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %q = arith.cmpi eq, %i, %one : i64
    %c = scf.if %q -> (tensor<?xf64>) {
      %d = func.call @sum(%n, %a, %b) : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      scf.yield %d : tensor<?xf64>
    } else {
      scf.yield %A : tensor<?xf64>
    }
    %e = func.call @sum(%n, %c, %b) : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %next = arith.addi %i, %one : i64
    scf.yield %next, %e : i64, tensor<?xf64>
  }
  func.return %a : tensor<?xf64>
}
func.func private @sum(%n: index, %a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %w = tensor_block.map parallel(d0 < %n) ins(%a[d0] : tensor<?xf64>, %b[d0] : tensor<?xf64>) -> tensor<?xf64> {
  ^body(%i: index, %x: f64, %y: f64):
    %z = arith.addf %x, %y : f64
    tensor_block.yield %z : f64
  }
  func.return %w : tensor<?xf64>
}
